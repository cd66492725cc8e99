"""Texts as Telegram keeps them: cleaned, trimmed, with entities in UTF-16 units."""

import importlib
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bossbot.sandbox.json_types import Json, as_object, decode, encode
from bossbot.sandbox.tdlib_judge import PlainJudge, judge
from bossbot.sandbox.telegram_errors import TelegramError, refused
from bossbot.sandbox.telegram_text import as_message, cleaned, found_entities, parsed, span, utf16_length

tdlib = pytest.mark.skipif(not judge().judges, reason="tdjson is not installed")
SOME_TEXT = st.text(st.sampled_from("ab @/*_`[]()<>~|.\n\r\t😀👩‍👩‍👧é\u0301字\u200b\u202e#1"), max_size=60)


def entity(kind: str, offset: int, length: int, **more: object) -> Json:
    return {"type": kind, "offset": offset, "length": length, **more}


def execute(kind: str, **fields: object) -> bytes:
    """What TDLib answers, asked here without the sandbox's own code."""
    answer: bytes | None = importlib.import_module("tdjson").td_execute(encode({"@type": kind, **fields}))
    assert answer is not None
    return answer


def sent(text: str, mode: str = "", entities: object = None) -> Any:
    return as_message(parsed(text, mode, entities))


@pytest.mark.parametrize(
    ("message", "description"),
    [
        ("Message text is empty", "Bad Request: message text is empty"),
        ("BUTTON_DATA_INVALID", "Bad Request: BUTTON_DATA_INVALID"),
        ("Bad Request: chat not found", "Bad Request: chat not found"),
        ("A_B", "Bad Request: A_B"),
        ("x", "Bad Request: x"),
    ],
)
def test_the_first_letter_is_made_small_unless_a_name_follows(message: str, description: str) -> None:
    assert refused(message).description == description


def test_blanks_around_and_control_characters_inside_are_mended() -> None:
    assert sent("  \n a\tb\x00c\r\u202ed \n ").text == "a b cd"
    assert cleaned("a\u030a\u0333b") == "ab"


@tdlib
def test_entities_move_with_the_text_that_was_cut_before_them() -> None:
    assert sent(" \n😀 bold ", "", [entity("bold", 5, 4)]) == ("😀 bold", [entity("bold", 3, 4)])
    assert sent("a\r\rb", "", [entity("italic", 0, 4)]) == ("ab", [entity("italic", 0, 2)])
    assert sent("x  ", "", [entity("code", 0, 3)]) == ("x", [entity("code", 0, 1)])


@tdlib
def test_html_and_markdown_become_entities() -> None:
    text = '<b>go</b> <pre><code class="language-py">x = 1</code></pre> <a href="https://a.bc/d">here</a>'
    assert sent(text, "HTML") == (
        "go x = 1 here",
        [
            entity("bold", 0, 2),
            entity("pre", 3, 5, language="py"),
            entity("text_link", 9, 4, url="https://a.bc/d"),
        ],
    )
    assert sent("*go* `x`", "MarkdownV2") == ("go x", [entity("bold", 0, 2), entity("code", 3, 1)])


@tdlib
def test_what_the_server_finds_leaves_code_alone_and_splits_bold() -> None:
    text = "see @someone at /start"
    assert sent(text, "", [entity("code", 4, 8)]).entities == [entity("code", 4, 8), entity("bot_command", 16, 6)]
    assert sent(text, "", [entity("bold", 0, 12)]).entities == [
        entity("bold", 0, 4),
        entity("mention", 4, 8),
        entity("bold", 4, 8),
        entity("bot_command", 16, 6),
    ]
    assert sent("x", "", [entity("url", 0, 99)]) == ("x", [])


@tdlib
@given(SOME_TEXT)
def test_cleaning_gives_the_text_that_tdlib_gives(text: str) -> None:
    text = text.translate(str.maketrans("*_`[]()~|", "x" * 9))
    assume(cleaned(text).strip(" \n"))
    # parseMarkdown cleans as sending does, and finds no markup in such a text.
    answer = as_object(decode(execute("parseMarkdown", text={"@type": "formattedText", "text": text})))
    assert answer is not None
    assert answer["text"] == cleaned(text)


@tdlib
@given(
    SOME_TEXT,
    st.lists(
        st.tuples(
            st.sampled_from(["bold", "code", "pre", "spoiler", "blockquote"]), st.integers(0, 40), st.integers(0, 20)
        )
    ),
)
def test_entities_stay_within_their_text_or_are_refused(text: str, spans: list[tuple[str, int, int]]) -> None:
    wanted = [entity(kind, offset, length) for kind, offset, length in spans]
    try:
        content = sent(text or "x", "", wanted)
    except TelegramError as error:
        refusal = error.description
    else:
        refusal = ""
    if refusal:
        assert refusal.startswith("Bad Request: ")
        return
    assert content.text == content.text.strip(" \n") or content.entities
    length = utf16_length(content.text)
    for found in content.entities:
        offset, size = span(found)
        assert 0 <= offset < offset + size <= length
    again = sent(content.text, "", content.entities)
    assert again == content


def test_lengths_count_utf16_units() -> None:
    assert [utf16_length(text) for text in ("a", "é", "字", "😀", "👩‍👩‍👧")] == [1, 1, 1, 2, 8]


def test_without_tdlib_commands_mentions_and_addresses_are_still_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bossbot.sandbox.telegram_text.judge", PlainJudge)
    text = "😀 /start@bossbot_sandbox_bot, see https://a.bc/d. or ask @someone (a/b, x@y.z)"
    found = [(item["type"], span(item)) for item in found_entities(text)]
    assert found == [("bot_command", (3, 26)), ("url", (35, 14)), ("mention", (58, 8))]
    assert sent("<b>x</b>", "HTML").text == "<b>x</b>"
