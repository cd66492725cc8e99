"""Every recording becomes the same Boss events, however the pipe cuts it and whatever ends its lines."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bossbot.domain.events import Event
from bossbot.replay import Replay
from bossbot.streamjson.framing import LineFramer, Part, PartsEnd, Piece
from tests.streamjson.recorded import ALL, Recording, compact

NEWLINES = st.sampled_from([b"\n", b"\n", b"\r\n", b"\n\n", b"\n \r\n", b"\r\n\t\n"])
BRACES = compact(
    {"type": "assistant", "message": {"content": [{"type": "text", "text": '}{"type":"result"}\n\\"]}\u2028{{ \r\n'}]}}
)
"""What looks like the end of a line, and of everything, but stands in a text."""


def events_of(recording: Recording, lines: list[bytes]) -> list[Event]:
    return list(Replay(recording.dialect.name).events(lines))


def reassembled(pieces: list[Piece]) -> list[bytes]:
    lines, parts = [], b""
    for piece in pieces:
        match piece:
            case bytes():
                lines.append(piece)
            case Part(data):
                parts += data
            case PartsEnd():
                lines, parts = [*lines, parts], b""
    return [line for line in lines if line.strip()]


@pytest.mark.parametrize("recording", ALL, ids=lambda recording: recording.name)
def test_a_recording_has_events_and_no_line_of_it_is_unreadable(recording: Recording) -> None:
    assert len(events_of(recording, recording.lines)) >= 2


@settings(max_examples=60)
@given(st.data())
def test_where_the_pipe_is_cut_changes_no_event(data: st.DataObject) -> None:
    recording = data.draw(st.sampled_from(ALL))
    lines = [BRACES, *recording.lines, BRACES]
    stream = b"".join(line + data.draw(NEWLINES) for line in lines)
    places = data.draw(st.lists(st.integers(0, len(stream)), max_size=40))
    around = [at + shift for at, byte in enumerate(stream) if byte in b"\n{}" for shift in (0, 1)]
    places += data.draw(st.lists(st.sampled_from(around), max_size=40))
    framer = LineFramer(part_bytes=data.draw(st.sampled_from([None, 1, 500, 5_000])))
    edges = [0, *sorted(set(places)), len(stream)]
    pieces = [piece for start, end in pairwise(edges) for piece in framer.feed(stream[start:end])] + framer.close()
    found = reassembled(pieces)
    assert [line.rstrip(b" \t\r") for line in found] == lines
    assert events_of(recording, found) == events_of(recording, lines)
