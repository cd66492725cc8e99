"""Any card: a Hypothesis strategy that makes the awkward common."""

from hypothesis import strategies as st

from bossbot.channel import Button, ButtonStyle, Card, Code, Markdown, Note, Plain, Row, Rows, Tone

_WORDS = [
    "@someone",
    "<!channel>",
    "<@U123>",
    "<#C1|x>",
    "<https://x|y>",
    "settings.py",
    "/start",
    "#tag",
    "$HOME",
    "a@b.co",
    "https://example.com/a_(b)",
    "**bold**",
    "_it_",
    "`code`",
    "```",
    "[l](https://a.example)",
    "[l](http://localhost:1)",
    "#",
    ">",
    "-",
    "|",
    "&",
    "&amp;",
    "\\*",
    "😀",
    "👍🏽",
    "你好",
    "é",
    "\u202e",
    "\x1b[31m",
    "\x00",
    "�",
    ":smile:",
    "12:30",
    "1.2.3",
    "file.md",
    "*.py",
    "__init__",
    "2*3*4",
    "Vec<T>",
]

TEXT = st.lists(st.sampled_from([*_WORDS, " ", "\n", "\n\n", "\t", "a", "x" * 50]), max_size=30).map(
    lambda words: " ".join(words)
)
LONG = st.tuples(TEXT, st.integers(0, 20)).map(lambda pair: (pair[0] + "\n") * pair[1]) | st.builds(
    lambda char, count: char * count, st.sampled_from("😀 \nx你@"), st.integers(0, 9000)
)
ANY_TEXT = TEXT | LONG

_ROWS = st.builds(
    Rows,
    st.lists(st.builds(Row, TEXT, st.sampled_from(Tone), TEXT, st.integers(0, 4)), max_size=40).map(tuple),
    TEXT,
)
BLOCKS = st.lists(
    st.builds(Markdown, ANY_TEXT)
    | st.builds(Plain, ANY_TEXT)
    | st.builds(Code, ANY_TEXT, st.sampled_from(["", "bash", "python"]))
    | st.builds(Note, TEXT)
    | _ROWS,
    max_size=6,
).map(tuple)
_BUTTONS = st.lists(
    st.lists(
        st.builds(Button, TEXT, st.sampled_from(["approve|a", "reject|a", "x" * 64]), st.sampled_from(ButtonStyle)),
        max_size=9,
    ).map(tuple),
    max_size=4,
).map(tuple)
CARDS = st.builds(Card, TEXT, st.sampled_from(Tone), BLOCKS, _BUTTONS, TEXT)
