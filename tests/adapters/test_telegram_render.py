"""Cards as Telegram messages, judged by Telegram's own library (tdjson) where it can judge."""

import json
import sys
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bossbot.channel import Button, Card, Code, Markdown, Note, Plain, Row, Rows, Tone
from bossbot.text import redact, utf16_len, visible
from bossbot_telegram.render import ENTITIES_MAX, TEXT_MAX, Entity, Part, render, unformatted
from tests.adapters.cards import ANY_TEXT, CARDS, TEXT

tdjson = pytest.importorskip("tdjson") if sys.platform == "linux" else None
needs_tdlib = pytest.mark.skipif(tdjson is None, reason="tdjson has wheels for Linux only")

_TDLIB_TYPES = {
    "bold": "Bold",
    "italic": "Italic",
    "strikethrough": "Strikethrough",
    "code": "Code",
    "pre": "Pre",
    "text_link": "TextUrl",
    "blockquote": "BlockQuote",
}
_DETECTED = {"Mention", "Hashtag", "Cashtag", "BotCommand", "Url", "EmailAddress"}


def tdlib(query: dict[str, object]) -> dict[str, object]:
    assert tdjson is not None
    answer = json.loads(tdjson.td_execute(json.dumps(query).encode()))
    assert isinstance(answer, dict)
    return answer


def formatted(part: Part) -> dict[str, object]:
    entities = [
        {
            "@type": "textEntity",
            "offset": e.offset,
            "length": e.length,
            "type": {"@type": f"textEntityType{_TDLIB_TYPES[e.type]}", **({"url": e.url} if e.url else {})}
            if not e.language
            else {"@type": "textEntityTypePreCode", "language": e.language},
        }
        for e in part.entities
    ]
    return {"@type": "formattedText", "text": part.text, "entities": entities}


def covered(part: Part, entity: Entity) -> str:
    units = part.text.encode("utf-16-le")
    return units[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le")


def left_bare(part: Part) -> list[str]:
    """What Telegram would make of the text by itself, where nothing of ours keeps it from that."""
    guarded = [e for e in part.entities if e.type in ("code", "pre", "text_link")]
    found = tdlib({"@type": "getTextEntities", "text": part.text})["entities"]
    assert isinstance(found, list)
    bare = [
        Entity(entity["type"]["@type"].removeprefix("textEntityType"), entity["offset"], entity["length"])
        for entity in found
    ]
    return [
        covered(part, one)
        for one in bare
        if one.type in _DETECTED
        and not any(e.offset < one.offset + one.length and one.offset < e.offset + e.length for e in guarded)
    ]


def code_of(parts: list[Part]) -> str:
    return "".join(covered(part, e) for part in parts for e in part.entities if e.type == "pre")


@given(CARDS)
@settings(max_examples=60)
def test_any_card_is_messages_within_telegrams_limits(card: Card) -> None:
    parts = render(card)
    assert parts
    for part in parts:
        assert 1 <= utf16_len(part.text) <= TEXT_MAX
        assert part.text.strip()
        assert len(part.entities) <= ENTITIES_MAX
        for entity in part.entities:
            assert entity.length > 0
            assert entity.offset + entity.length <= utf16_len(part.text)
            covered(part, entity)  # raises if an entity begins or ends inside a character


@given(CARDS)
@settings(max_examples=60)
@needs_tdlib
def test_telegrams_library_accepts_the_entities_of_any_card(card: Card) -> None:
    for part in render(card):
        answer = tdlib({"@type": "getMarkdownText", "text": formatted(part)})
        assert answer["@type"] == "formattedText", answer


@given(
    st.lists(st.sampled_from([Plain, Note, Markdown]).flatmap(lambda kind: st.builds(kind, ANY_TEXT)), max_size=3), TEXT
)
@settings(max_examples=60)
@needs_tdlib
def test_nothing_that_telegram_detects_by_itself_is_left_bare(
    blocks: list[Plain | Note | Markdown], title: str
) -> None:
    rows = Rows((Row(title, detail=title),), title)
    assert [left_bare(part) for part in render(Card(title, blocks=(*blocks, rows))) if left_bare(part)] == []


@needs_tdlib
@pytest.mark.parametrize(
    "text",
    [
        "10.0.0.1",
        "u@1.2.3.4:8080/x",
        "\U0001f600.com",
        "e\u0301.com",
        "\u24d0.com",
        "x.\u092d\u093e\u0930\u0924",
        "x.\u0dbd\u0d82\u0d9a\u0dcf",
        "~.\u4e2d\u56fd",
        "#\u00b7stop",
        "x.B\u0130",
        "7tg://user?id=1",
        "xton://transfer/a",
    ],
)
def test_an_address_of_a_rare_form_is_no_link_either(text: str) -> None:
    """Those that TDLib links: numbers, signs, marks, scripts with vowel signs, a scheme right after a word."""
    assert tdlib({"@type": "getTextEntities", "text": text})["entities"] != []
    (part,) = render(Card(blocks=(Plain(f"see {text} now"),)))
    assert part.text == f"see {text} now"
    assert left_bare(part) == []


@given(ANY_TEXT)
@settings(max_examples=60)
def test_a_command_is_all_there_over_all_its_parts(command: str) -> None:
    shown = visible(redact(command))
    if shown.strip():
        assert code_of(render(Card("Run this?", blocks=(Code(command, "bash"),)))) == shown


def test_a_long_command_is_numbered_and_the_buttons_are_under_its_end() -> None:
    command = "echo padding\n" * 400 + "rm -rf ~"
    buttons = ((Button("Approve", "approve|a"), Button("Reject", "reject|a")),)
    parts = render(Card("Run this command?", Tone.WAITING, (Code(command),), buttons))
    assert [part.keyboard for part in parts] == [(), buttons]
    assert "Part 1 of 2" in parts[0].text
    assert "Part 2 of 2" in parts[1].text
    assert parts[1].text.endswith("rm -rf ~")
    assert code_of(parts) == command


@given(CARDS)
@settings(max_examples=40)
def test_only_the_last_message_has_buttons_and_all_of_them(card: Card) -> None:
    *before, last = render(card)
    assert not any(part.keyboard for part in before)
    actions = [button.action for row in card.buttons for button in row]
    assert [button.action for row in last.keyboard for button in row] == actions
    assert all(button.label.strip() and len(row) <= 8 for row in last.keyboard for button in row)


def test_many_emoji_are_cut_as_telegram_counts_them() -> None:
    parts = render(Card(blocks=(Plain("😀" * 5000),)))
    assert all(4000 < utf16_len(part.text) <= TEXT_MAX for part in parts[:-1])
    assert "".join(part.text for part in parts) == "😀" * 5000


def test_plain_text_is_never_formatting() -> None:
    (part,) = render(Card(blocks=(Plain("**not bold** `x` _y_ <b>z</b> [a](https://example.com)"),)))
    assert part.text == "**not bold** `x` _y_ <b>z</b> [a](https://example.com)"
    assert {e.type for e in part.entities} <= {"code"}


def test_a_mention_in_untrusted_text_calls_nobody() -> None:
    (part,) = render(Card("Hi @admin", blocks=(Plain("@everyone, see x.com"), Rows((Row("@dev"),)))))
    assert [covered(part, e) for e in part.entities if e.type == "code"] == ["@admin", "@everyone", "x.com", "@dev"]


def test_the_plain_fallback_has_no_entities_and_calls_nobody() -> None:
    (part,) = render(Card("Hi @admin", blocks=(Markdown("**b**"),), buttons=((Button("Go", "approve|a"),),)))
    plain = unformatted(part)
    assert plain.entities == ()
    assert plain.text == "Hi @\u2060admin\n\nb"
    assert plain.keyboard == part.keyboard


def test_a_card_of_all_blocks_reads_well() -> None:
    card = Card(
        "Nightly build",
        Tone.RUNNING,
        (
            Markdown("Two **phases**:\n- fetch\n- build"),
            Rows((Row("Fetch", Tone.GOOD), Row("sources", Tone.GOOD, "3 s", 1), Row("Build", Tone.RUNNING)), "Phases"),
            Code("make all", "bash"),
            Note("started by Ada"),
        ),
    )
    (part,) = render(card)
    assert part.text == (
        "⏳ Nightly build\n\nTwo phases:\n• fetch\n• build\n\nPhases\n✅ Fetch\n  ✅ sources — 3 s\n⏳ Build\n"
        "make all\nstarted by Ada"
    )
    assert [(e.type, covered(part, e)) for e in part.entities] == [
        ("bold", "⏳ Nightly build"),
        ("bold", "phases"),
        ("bold", "Phases"),
        ("pre", "make all"),
        ("italic", "started by Ada"),
    ]


def test_an_empty_card_is_still_a_message() -> None:
    assert render(Card()) == [Part("(empty)")]
    assert render(Card(blocks=(Plain(" \n\u3000"), Markdown("")))) == [Part("(empty)")]


def test_blank_code_says_how_blank_it_is() -> None:
    assert "(3 blank characters)" in render(Card(blocks=(Code("  \n"),)))[0].text
    assert "(empty)" in render(Card(blocks=(Code(""),)))[0].text


def test_a_quotation_of_several_paragraphs_is_one_quotation() -> None:
    (part,) = render(Card(blocks=(Markdown("> one\n>\n> two\n\nafter"),)))
    assert [covered(part, e) for e in part.entities if e.type == "blockquote"] == ["one\n\ntwo"]


@given(CARDS)
@settings(max_examples=40)
def test_formatted_ranges_of_one_kind_do_not_overlap(card: Card) -> None:
    for part in render(card):
        for kind in _TDLIB_TYPES:
            ranges = sorted((e.offset, e.offset + e.length) for e in part.entities if e.type == kind)
            assert all(end <= start for (_, end), (start, _) in pairwise(ranges))


def test_a_very_long_text_is_cut_in_time_in_proportion_to_it() -> None:
    def seconds(size: int) -> float:
        card = Card(blocks=(Plain("settings.py and more words\n" * size), Code("x" * 30 * size)))
        start = time.process_time()
        assert len(render(card)) > size // 100
        return time.process_time() - start

    seconds(100)
    assert min(seconds(6000) for _ in range(2)) < 30 * min(seconds(600) for _ in range(3))


def test_a_secret_in_a_label_is_not_shown() -> None:
    (part,) = render(Card(title="x", buttons=((Button("use xoxb-870000000001-secret", "a"),),)))
    assert "870000000001" not in str(part)
