"""Lines come out whole, whatever the cuts, and a line that is too long costs nothing but itself."""

import hashlib
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bossbot.streamjson.framing import DEFAULT_MAX_LINE_BYTES, LineFramer, Oversize, Part, PartsEnd, Piece
from tests.streamjson.recorded import LINES

LIMIT = 12
# Few kinds of bytes, so that newlines, carriage returns, blanks and lines at the limit are all common.
STREAMS = st.lists(st.sampled_from([b"\n", b"\r\n", b"\r", b" ", b"{", b"xy", b"abcdef", b"0123456789"]), max_size=40)


def framed(*chunks: bytes, limit: int = LIMIT) -> list[Piece]:
    framer = LineFramer(limit)
    return [line for chunk in chunks for line in framer.feed(chunk)] + framer.close()


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted({min(place, len(stream)) for place in places}), len(stream)]
    return [stream[start:end] for start, end in pairwise(edges)]


@given(STREAMS.map(b"".join), st.lists(st.integers(0, 200), max_size=60))
def test_where_the_stream_is_cut_makes_no_difference(stream: bytes, places: list[int]) -> None:
    whole = framed(stream)
    assert framed(*cut(stream, places)) == whole
    assert framed(*(bytes([byte]) for byte in stream)) == whole


@given(st.lists(st.integers(0, 500_000), max_size=300))
def test_every_captured_line_survives_any_cuts(places: list[int]) -> None:
    stream = b"".join(line + b"\n" for line in LINES)
    assert framed(*cut(stream, places), limit=len(stream)) == LINES


def test_blank_lines_vanish_and_carriage_returns_are_dropped() -> None:
    assert framed(b"\n\r\n  \n\t\r\na\r\nb\n \nc\r", b"\nd\n") == [b"a", b"b", b"c", b"d"]


def test_a_last_line_without_a_newline_is_given_at_the_end() -> None:
    framer = LineFramer()
    assert framer.feed(b"a\nb") == [b"a"]
    assert framer.pending_bytes == 1
    assert framer.close() == [b"b"]
    assert framer.close() == []


@pytest.mark.parametrize("size", [64 * 1024 + 1, 1024**2, 12 * 1024**2, 64 * 1024**2])
def test_a_line_of_any_sane_length_is_read(size: int) -> None:
    line = b'{"type":"user","x":"' + b"x" * size + b'"}'
    chunks = cut(line + b"\nnext\n", list(range(0, size, 65_536)))
    assert framed(*chunks, limit=DEFAULT_MAX_LINE_BYTES) == [line, b"next"]


@pytest.mark.parametrize("chunk_bytes", [1, 5, 1000])
def test_a_line_above_the_bound_becomes_a_named_thing_and_the_stream_goes_on(chunk_bytes: int) -> None:
    long = b"z" * (LIMIT + 1)
    stream = b"before\n" + long + b"\nafter\n"
    chunks = [stream[at : at + chunk_bytes] for at in range(0, len(stream), chunk_bytes)]
    before, oversize, after = framed(*chunks)
    assert (before, after) == (b"before", b"after")
    assert oversize == Oversize(len(long), hashlib.sha256(long).hexdigest(), long, LIMIT)


def test_a_line_above_the_bound_is_not_held_in_memory() -> None:
    framer = LineFramer(1000)
    for _ in range(1000):
        assert framer.feed(b"x" * 500) == []
        assert framer.pending_bytes <= 1000
    (oversize,) = framer.feed(b"\n")
    assert isinstance(oversize, Oversize)
    assert oversize.length == 500_000
    assert len(oversize.head) <= 512


def test_a_bound_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="max_line_bytes"):
        LineFramer(0)


def test_time_grows_with_the_bytes_and_not_with_the_number_of_cuts() -> None:
    """Searching or joining the pending line anew at each chunk would make the second case 30,000 times dearer."""

    def seconds(size: int, chunk_bytes: int) -> float:
        chunks = [b"x" * chunk_bytes] * (size // chunk_bytes)
        start = process_time()
        assert len(framed(*chunks, b"\n", limit=size + 1)) == 1
        return (process_time() - start) / size

    few_cuts = min(seconds(4 * 1024**2, 65_536) for _ in range(3))
    many_cuts = min(seconds(4 * 1024**2, 128) for _ in range(3))
    assert many_cuts < few_cuts * 300


# --- long lines in parts ---


@given(STREAMS.map(b"".join), st.lists(st.integers(0, 200), max_size=60), st.integers(1, LIMIT))
def test_parts_are_the_line_and_nothing_is_lost_between_them(stream: bytes, places: list[int], part_bytes: int) -> None:
    framer = LineFramer(LIMIT, part_bytes)
    told = [piece for chunk in cut(stream, places) for piece in framer.feed(chunk)] + framer.close()
    lines: list[bytes | Oversize] = []
    parts = b""
    for piece in told:
        match piece:
            case Part(data):
                parts += data
            case PartsEnd(length, sha256):
                assert (length, sha256) == (len(parts), hashlib.sha256(parts).hexdigest())
                lines, parts = [*lines, parts.removesuffix(b"\r")], b""
            case Oversize():
                lines, parts = [*lines, piece], b""
            case bytes():
                assert len(piece) <= part_bytes
                lines.append(piece)
    assert [line for line in lines if not isinstance(line, bytes) or line.strip()] == framed(stream)


def test_a_long_line_is_held_by_nobody() -> None:
    framer = LineFramer(1_000_000, 1000)
    for _ in range(1000):
        assert all(isinstance(piece, Part) for piece in framer.feed(b"x" * 500))
        assert framer.pending_bytes <= 1000
    [end] = framer.feed(b"\n")
    assert isinstance(end, PartsEnd)
    assert end.length == 500_000
