"""What the agent writes in Markdown keeps every word, and code stays code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bossbot.text import Fence, Piece, Rule, Span, Text, cell_width, joined, parse


def one(source: str) -> Text:
    (piece,) = parse(source)
    assert isinstance(piece, Text)
    return piece


def words(source: str) -> str:
    return joined(parse(source))


@pytest.mark.parametrize(
    "literal",
    [
        "__init__",
        "call __init__.py and __main__ now",
        "2*3*4",
        "a*b*c and x**y**z",
        "*.py and **/*.ts",
        "src/**/*.py or /tmp/* or ./*",
        "snake_case_name and _private",
        "Vec<String> and Map<K, V>",
        "if x<y and z>w",
        "<details>open</details><br>",
        "<!channel> <@U123> @here",
        "~5 minutes ~ 6",
        "[ref]: http",
        "C:\\new\\table",
    ],
)
def test_text_about_code_is_not_taken_for_formatting(literal: str) -> None:
    assert one(literal).spans == (Span(literal),)


@pytest.mark.parametrize(
    ("source", "span"),
    [
        ("**bold**", Span("bold", bold=True)),
        ("__also bold__", Span("also bold", bold=True)),
        ("*it*", Span("it", italic=True)),
        ("_it_", Span("it", italic=True)),
        ("***both***", Span("both", bold=True, italic=True)),
        ("~~gone~~", Span("gone", strike=True)),
        ("`a*b*c <T>`", Span("a*b*c <T>", code=True)),
        ("**`code`**", Span("code", bold=True, code=True)),
        ("[label](https://example.com/a_(b))", Span("label", url="https://example.com/a_(b)")),
        ("https://example.com/x_(y)_z", Span("https://example.com/x_(y)_z", url="https://example.com/x_(y)_z")),
        ("**(note)**", Span("(note)", bold=True)),
        ("\\*not\\*", Span("*not*")),
        ("a &lt; b", Span("a < b")),
    ],
)
def test_formatting_becomes_spans(source: str, span: Span) -> None:
    assert one(source).spans == (span,)


def test_chinese_text_may_have_bold_inside_a_word() -> None:
    assert one("这是**重点**内容").spans == (Span("这是"), Span("重点", bold=True), Span("内容"))


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("[x](http://localhost:1)", "x (http://localhost:1)"),
        ("[x](javascript:alert(1))", "[x](javascript:alert(1))"),
        ("[x](/etc/passwd)", "x (/etc/passwd)"),
        ("[example.com](https://evil.test/a)", "example.com (https://evil.test/a)"),
        ("[see https://bank.test now](https://evil.test)", "see https://bank.test now (https://evil.test)"),
        ("[(www.bank.test)](https://evil.test)", "(www.bank.test) (https://evil.test)"),
        ("[“bank.test”](https://evil.test)", "“bank.test” (https://evil.test)"),
        ("[\u200bhttps://bank.test](https://evil.test)", "⟨U+200B⟩https://bank.test (https://evil.test)"),
        ("[\u200bbank.test](https://evil.test)", "⟨U+200B⟩bank.test (https://evil.test)"),
        ("[https://x@bank.test](https://evil.test)", "https://x@bank.test (https://evil.test)"),
        (
            "[https://evil.test and https://bank.test](https://evil.test)",
            "https://evil.test and https://bank.test (https://evil.test)",
        ),
        ("[https://bank.test](mailto:eve@evil.test)", "https://bank.test (mailto:eve@evil.test)"),
        ("[](https://example.com)", "https://example.com"),
        ("![alt](https://example.com/i.png)", "alt (https://example.com/i.png)"),
        ('[a](https://example.com "the title")', "a (https://example.com) (the title)"),
    ],
)
def test_a_link_shows_its_target_when_it_cannot_be_clicked_or_its_label_lies(source: str, shown: str) -> None:
    assert words(source) == shown


@pytest.mark.parametrize(
    "label", ["www.example.com/docs", "see https://example.com:443/docs.", "(example.com)", "the docs, v1.2 of them"]
)
def test_a_link_whose_label_names_its_own_host_or_none_stays_a_link(label: str) -> None:
    assert one(f"[{label}](https://example.com/docs)").spans[0].url == "https://example.com/docs"


def test_blocks_keep_their_order_and_depth() -> None:
    pieces = parse("# Head\n- one\n  1. two\n  2. three\n\n> said\n\n---\n```py\nx = 1\n```")
    assert pieces == [
        Text((Span("Head"),), heading=1),
        Text((Span("one"),), marker="• ", tight=True),
        Text((Span("two"),), indent=1, marker="1. ", tight=True),
        Text((Span("three"),), indent=1, marker="2. ", tight=True),
        Text((Span("said"),), quote=1),
        Rule(),
        Fence("x = 1", "py"),
    ]


def test_tasks_have_boxes() -> None:
    assert words("- [x] done\n- [ ] open") == "☑ done\n☐ open"


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("```\nrm -rf x", "rm -rf x"),
        ("~~~sh\nls\n~~~", "ls"),
        ("````\n```\ninner\n```\n````", "```\ninner\n```"),
        ("    indented", "indented"),
        ("```see this text\nand more", "see this text\nand more"),
        ("```diff\n- a\n+ **b**\n```", "- a\n+ **b**"),
    ],
)
def test_code_is_kept_to_the_letter_however_it_is_fenced(source: str, code: str) -> None:
    (piece,) = parse(source)
    assert isinstance(piece, Fence)
    assert piece.text == code


def test_a_table_is_aligned_for_wide_characters_too() -> None:
    (piece,) = parse("| 名称 | n |\n|---|---|\n| a | 1 |\n| 你好吗 | **22** |")
    assert isinstance(piece, Fence)
    columns = {cell_width(line.split("│")[0].split("┼")[0]) for line in piece.text.split("\n")}
    assert columns == {7}
    assert "22" in piece.text
    assert "*" not in piece.text


def test_a_table_too_wide_for_a_chat_becomes_records() -> None:
    (piece,) = parse(f"| name | text |\n|---|---|\n| a | {'long ' * 20} |\n| b | short |")
    assert isinstance(piece, Fence)
    assert piece.text.startswith("name: a\ntext: long long")
    assert piece.text.endswith("\n\nname: b\ntext: short")


def test_cells_that_a_table_has_no_column_for_are_not_lost() -> None:
    assert "three" in words("| a | b |\n|---|---|\n| one | two | three |")


def test_a_list_item_that_holds_only_code_keeps_its_marker() -> None:
    assert words("1. ```\n   ls\n   ```\n2. b").startswith("1. ")


def test_secrets_and_hidden_characters_do_not_come_through_markdown() -> None:
    shown = words("`xoxb-1234567890-abcdef` &#x202E;hidden&#8203;")
    assert "1234567890" not in shown
    assert "\u202e" not in shown
    assert "\u200b" not in shown


def test_very_deep_nesting_loses_nothing() -> None:
    assert "the end" in words("> " * 300 + "the end")
    assert "the end" in words("\n".join("  " * n + "- x" for n in range(150)) + " the end")


SNIPPETS = (
    "word 你好 1 22 # ## - * ** _ __ ~~ ` `` ``` ~~~ > | --- : [ ] ( ) ! < > \\ . / + 1. 2) = === https://a.io/x "
    "<b> </b> [x] & [a](b) |a|b| |---|---|"
)
MARKDOWN = st.lists(st.sampled_from([*SNIPPETS.split(), "\n", "\n\n", "\n    ", "\n  ", " ", "\t"]), max_size=60).map(
    "".join
)


def letters(text: str) -> list[str]:
    return [char for char in text if char.isalpha()]


@given(MARKDOWN)
def test_no_letter_of_any_markdown_is_lost_or_moved(source: str) -> None:
    pieces = [Text((Span(p.language + " " + p.text),)) if isinstance(p, Fence) else p for p in parse(source)]
    shown = iter(letters(joined(list(pieces))))
    assert all(char in shown for char in letters(source.replace("[x]", "[]")))


@given(MARKDOWN)
def test_pieces_hold_no_empty_code_and_only_web_links(source: str) -> None:
    def check(piece: Piece) -> bool:
        match piece:
            case Fence(text=text):
                return bool(text.strip())
            case Text(spans=spans):
                return all(
                    span.text and (not span.url or span.url.startswith(("http://", "https://"))) for span in spans
                )
            case Rule():
                return True

    assert all(check(piece) for piece in parse(source))
