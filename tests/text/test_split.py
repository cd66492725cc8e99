"""Cutting pieces into messages loses nothing, fits every limit, and numbers the parts of code."""

from hypothesis import example, given
from hypothesis import strategies as st

from bossbot.text import Fence, Piece, Rule, Span, Text, split, utf16_len

TEXTS = st.text(st.sampled_from("ab \n你😀👍🏽e\u0301"), max_size=300)
SPANS = st.lists(
    st.builds(
        Span, st.text(st.sampled_from("ab \n你😀"), min_size=1, max_size=120), bold=st.booleans(), code=st.booleans()
    ),
    max_size=4,
).map(tuple)
PIECES = st.lists(
    st.builds(Text, SPANS, tight=st.booleans()) | st.builds(Fence, TEXTS) | st.just(Rule()),
    max_size=8,
)


def cost(piece: Piece) -> tuple[int, int]:
    match piece:
        case Text(spans=spans):
            return sum(utf16_len(span.text) for span in spans) + 2, len(spans)
        case Fence(text=text, parts=parts):
            return utf16_len(text) + 2 + (10 if parts > 1 else 0), 1
        case Rule():
            return 5, 1


def content(pieces: list[Piece]) -> list[tuple[str, bool, bool]]:
    """Every character with its style."""
    found = []
    for piece in pieces:
        if isinstance(piece, Text):
            found += [(char, span.bold, span.code) for span in piece.spans for char in span.text]
        elif isinstance(piece, Fence):
            found += [(char, False, True) for char in piece.text]
    return found


@given(PIECES, st.integers(30, 200), st.integers(4, 10))
@example([Rule(), Fence("aaaaaaaaa aaaaaaaaa🏽🏽🏽🏽🏽")], 30, 4)  # the last part has a number, too
def test_every_group_fits_and_every_character_is_there_with_its_style(
    pieces: list[Piece], chars: int, parts: int
) -> None:
    groups = split(pieces, cost, (chars, parts))
    for group in groups:
        costs = [cost(piece) for piece in group]
        assert sum(c for c, _ in costs) <= chars
        assert sum(n for _, n in costs) <= parts
    assert content([piece for group in groups for piece in group]) == content(pieces)


@given(TEXTS, st.integers(30, 100))
def test_the_parts_of_cut_code_are_numbered_in_order(text: str, chars: int) -> None:
    parts = [
        piece for group in split([Fence(text, "sh")], cost, (chars, 5)) for piece in group if isinstance(piece, Fence)
    ]
    assert [(part.part, part.parts, part.language) for part in parts] == [
        (number, len(parts), "sh") for number in range(1, len(parts) + 1)
    ]


def test_what_fits_a_message_is_not_cut() -> None:
    code = Fence("x" * 80)
    assert split([Text((Span("y" * 50),)), code], cost, (100, 5)) == [[Text((Span("y" * 50),))], [code]]


def test_code_is_cut_at_line_ends() -> None:
    lines = "\n".join(f"line {n}" for n in range(40))
    groups = split([Fence(lines)], cost, (100, 5))
    assert all(piece.text.startswith("line") for group in groups for piece in group if isinstance(piece, Fence))


def test_long_code_begins_in_a_message_that_is_half_empty() -> None:
    groups = split([Text((Span("title"),)), Fence("x" * 200)], cost, (100, 5))
    assert [type(piece) for piece in groups[0]] == [Text, Fence]


def test_a_list_marker_stands_only_before_the_first_part() -> None:
    groups = split([Text((Span("w " * 100),), marker="• ")], lambda p: (cost(p)[0] + 2, 1), (60, 5))
    markers = [piece.marker for group in groups for piece in group if isinstance(piece, Text)]
    assert markers == ["• ", *[""] * (len(groups) - 1)]


def test_nothing_to_show_is_one_empty_group() -> None:
    assert split([], cost, (10, 1)) == [[]]
