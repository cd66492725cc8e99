"""One line of bytes → one frame. Never raises: what cannot be read becomes `Malformed`, what is new `Unknown`.

The kind of a line is found first: by its leading tag where the tag leads (nearly always), else by a decode that
skips all but `type` and `subtype`. Then one decoder made for that kind reads exactly the named fields. Parts with
room for the unknown (content blocks, timeline entries, control requests) are read as closed unions, and only a
line that does not fit is read again piece by piece.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct, structs

from bossbot.streamjson import frames as f
from bossbot.streamjson.answers import KnownAnswer, any_answer, known_answer
from bossbot.streamjson.framing import Oversize, PartsEnd, Piece
from bossbot.streamjson.lenient import loads, not_utf8, repair
from bossbot.streamjson.pieces import read_by_pieces, word
from bossbot.streamjson.redaction import safe_head, scrub

Read = Callable[[bytes], Any]
_set_raw = structs.force_setattr


def decode(line: bytes) -> f.AnyFrame:
    """What the line says.

    The eleventh byte is looked at first because a subscript costs a quarter of `startswith`, and most lines are
    not `{"type":"system"…`: no other kind has a `y` there.
    """
    try:
        leads = line[10] == _Y and line.startswith(_SYSTEM_LEAD)
        frame = _read_system(line) if leads else _read_other(line)
    except (msgspec.ValidationError, IndexError):
        return _decode_by_tag(line, line)
    except (msgspec.DecodeError, RecursionError):
        return _decode_repaired(line)
    if type(frame) is KnownAnswer:
        return known_answer(frame, line)
    _set_raw(frame, "raw", line)
    return frame  # type: ignore[no-any-return]


def oversize(line: Oversize) -> f.Malformed:
    """What a line above the bound becomes."""
    reason = f"a line of {line.length} bytes, more than the {line.limit} allowed"
    return f.Malformed(length=line.length, sha256=line.sha256, head=safe_head(line.head), reason=reason)


def read_pieces(pieces: Iterable[Piece]) -> Iterator[f.AnyFrame]:
    """The frames in what a framer gives that hands on no parts."""
    for piece in pieces:
        if isinstance(piece, bytes):
            yield decode(piece)
        elif isinstance(piece, Oversize):
            yield oversize(piece)


def long_frame(line: PartsEnd, abridged: bytes, texts: tuple[f.LongText, ...]) -> f.AnyFrame:
    """What a long line becomes, once it has been abridged elsewhere."""
    frame = decode(abridged)
    if isinstance(frame, f.Malformed):
        return structs.replace(frame, length=line.length, sha256=line.sha256)
    return f.Long(session_id=frame.session_id, frame=frame, length=line.length, sha256=line.sha256, texts=texts)


def unread(line: PartsEnd, reason: str) -> f.Malformed:
    """What a long line becomes that could not be read."""
    return f.Malformed(length=line.length, sha256=line.sha256, head=safe_head(line.head), reason=reason)


def _reader(kind: Any) -> Read:
    return msgspec.json.Decoder(kind).decode


_SYSTEM_LEAD = b'{"type":"system",'
_Y = _SYSTEM_LEAD[10]
_read_system = _reader(
    f.SystemInit
    | f.SystemStatus
    | f.ApiRetry
    | f.BackgroundTasksChanged
    | f.TaskStarted
    | f.TaskProgress
    | f.TaskUpdated
    | f.TaskNotification
)
_read_other = _reader(
    f.Assistant
    | f.User
    | f.Result
    | f.StreamEvent
    | f.ControlRequest
    | f.ControlCancelRequest
    | f.CommandLifecycle
    | f.CliError
    | KnownAnswer
)


# -- the long way: another order of keys, an unknown kind, a shape that does not fit ------------------------------


class _Tag(Struct, frozen=True, gc=False):
    type: str
    subtype: str | None = None


_read_tag: Callable[[bytes], _Tag] = msgspec.json.Decoder(_Tag).decode
_read_unknown = _reader(f.Unknown)
_encode = msgspec.json.Encoder().encode
_SYSTEM = frozenset(
    {
        *("init", "status", "api_retry", "background_tasks_changed"),
        *("task_started", "task_progress", "task_updated", "task_notification"),
    }
)
_OTHERS = frozenset(
    {
        *("assistant", "user", "result", "stream_event", "error"),
        *("control_request", "control_cancel_request", "command_lifecycle"),
    }
)


def _decode_by_tag(line: bytes, original: bytes) -> f.AnyFrame:
    try:
        frame = _read_by_tag(line)
    except msgspec.ValidationError as error:
        return _by_pieces(line, original, str(error))
    except (msgspec.DecodeError, RecursionError):
        return _decode_repaired(original)
    if not frame.raw:
        _set_raw(frame, "raw", original)
    return frame


def _read_by_tag(line: bytes) -> f.AnyFrame:
    tag = _read_tag(line)
    frame: f.AnyFrame
    if tag.type == "system" and tag.subtype in _SYSTEM:
        frame = _read_system(line)
    elif tag.type in _OTHERS:
        frame = _read_other(line)
    elif tag.type == "control_response":
        frame = any_answer(line)
    else:
        frame = _unknown(line)
    return frame


def _unknown(line: bytes) -> f.Unknown:
    """A kind of line nobody knows may hold account data as well as the one that is known to."""
    suspect = b'"account"' in line or b'oken"' in line
    clean = _encode(scrub(loads(line))) if suspect else line
    frame: f.Unknown = _read_unknown(clean)
    if suspect:
        _set_raw(frame, "raw", clean)
    return frame


def _decode_repaired(line: bytes) -> f.AnyFrame:
    repaired = repair(line)
    try:
        document = loads(repaired)
    except msgspec.DecodeError as error:
        return _malformed(line, f"not JSON: {error}")
    except RecursionError:
        return _malformed(line, "nested too deeply")
    damage = not_utf8(line)
    if damage is not None:
        return _malformed(line, damage, document if isinstance(document, dict) else None)
    return _decode_by_tag(repaired, line)


def _by_pieces(line: bytes, original: bytes, reason: str) -> f.AnyFrame:
    """The line does not fit its kind: keep every piece that does."""
    try:
        document = loads(line)
    except (msgspec.DecodeError, RecursionError):
        return _malformed(original, reason)
    if not isinstance(document, dict):
        return _malformed(original, "not a JSON object")
    try:
        frame = read_by_pieces(document)
    except msgspec.ValidationError as error:
        return _malformed(original, str(error), document)
    if frame is None:
        return _malformed(original, reason, document)
    _set_raw(frame, "raw", original)
    return frame


# -- what could not be read ---------------------------------------------------------------------------------------


def _malformed(line: bytes, reason: str, document: dict[str, Any] | None = None) -> f.Malformed:
    return f.Malformed(
        length=len(line),
        sha256=hashlib.sha256(line).hexdigest(),
        head=safe_head(line),
        reason=reason,
        type=word(document, "type") or None,
        request_id=word(document, "request_id") or None,
    )
