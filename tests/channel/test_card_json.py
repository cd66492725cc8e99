"""A card as JSON: the same text in every version, since what stands in the outbox is compared with it, and back."""

import json
from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from bossbot.channel import (
    Button,
    ButtonStyle,
    Card,
    Code,
    Markdown,
    Note,
    Plain,
    Row,
    Rows,
    Tone,
    card_from_json,
    card_to_json,
)

KINDS = {Markdown: "markdown", Plain: "plain", Code: "code", Rows: "rows", Note: "note"}

texts = st.text() | st.sampled_from(["half \ud83d", "\x00\x7f\u2028 缓存 \"'\\/"])
tones = st.sampled_from(Tone)
rows = st.builds(Row, texts, tones, texts, st.integers(0, 9))
blocks = st.one_of(
    *(st.builds(kind, texts) for kind in (Markdown, Plain, Note)),
    st.builds(Code, texts, texts),
    st.builds(Rows, st.lists(rows, max_size=3).map(tuple), texts),
)
buttons = st.lists(st.builds(Button, texts, texts, st.sampled_from(ButtonStyle)), max_size=3).map(tuple)
cards = st.builds(
    Card, texts, tones, st.lists(blocks, max_size=4).map(tuple), st.lists(buttons, max_size=2).map(tuple), texts
)


def by_json(card: Card) -> str:
    raw = {
        "title": card.title,
        "tone": card.tone,
        "blocks": [{"kind": KINDS[type(block)], **asdict(block)} for block in card.blocks],
        "buttons": [[asdict(button) for button in row] for row in card.buttons],
        "fallback": card.fallback,
    }
    text = json.dumps(raw, ensure_ascii=False, separators=(",", ":"))
    halves = any("\ud800" <= character <= "\udfff" for character in text)
    return json.dumps(raw, separators=(",", ":")) if halves else text


@given(cards)
def test_a_card_is_written_as_it_always_was_and_read_back_equal(card: Card) -> None:
    text = card_to_json(card)
    assert text == by_json(card)
    assert card_from_json(text) == card
    assert text.encode().decode() == text


def test_what_a_later_version_adds_is_passed_over_and_what_it_leaves_out_has_its_default() -> None:
    blocks = '[{"kind":"rows","new":1,"rows":[{"label":"L"}]}]'
    text = '{"title":"T","tone":"good","blocks":' + blocks + ',"buttons":[],"fallback":""}'
    assert card_from_json(text) == Card("T", Tone.GOOD, (Rows((Row("L"),)),))
