"""Replay: a recorded stream → Boss events, with ids and times that are the same every time.

Two forms of recording, told apart line by line: raw frames as the CLI wrote them, one a line (they carry no clock:
line n happened n milliseconds after the epoch), and captures `{"t": seconds, "dir": "in"|"out"|…, "msg": …}`, whose
`in` lines become what the person said and decided.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from bossbot.agent.translate import Translator
from bossbot.domain import commands as c
from bossbot.domain.approval import QUESTION, Approval
from bossbot.domain.errors import DomainError
from bossbot.domain.events import Event
from bossbot.domain.evolve import evolve
from bossbot.domain.policy import Policy
from bossbot.domain.session import decide
from bossbot.domain.state import SessionState
from bossbot.ids import EventId, MessageId, SessionId, WorkerId
from bossbot.streamjson import frames as f
from bossbot.streamjson.decoder import decode

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PERSON, PERSON_NAME = "replay:person", "Person"
LINE_S = 0.001
LONGEST_S = 100 * 365 * 86_400.0


@dataclass(slots=True)
class _Counter:
    """Ids that count: `evt_000001`."""

    counts: dict[str, int] = field(default_factory=dict)

    def __call__(self, prefix: str) -> str:
        self.counts[prefix] = self.counts.get(prefix, 0) + 1
        return f"{prefix}_{self.counts[prefix]:06d}"


class Replay:
    """Feeds a recording through the same translator and domain as a living session."""

    def __init__(self, dialect: str = "") -> None:
        self._mint = _Counter()
        self._dialect = dialect
        self._state = SessionState(id=SessionId("ps_replay"))
        self._translator = Translator(self._mint, Policy(), WorkerId("worker_replay"), dialect)

    def events(self, lines: Iterable[bytes]) -> Iterator[Event]:
        """The events of the recording, in order. Lines that cannot be read cause none, and end nothing."""
        yield from self._decide(c.OpenSession("Replay", "replay", "recording", None), 0.0)
        for number, line in enumerate(lines):
            if line.strip():
                yield from self._line(line, number * LINE_S)

    def _line(self, line: bytes, default_s: float) -> Iterator[Event]:
        capture = _capture(line)
        if capture is None:
            yield from self._out(decode(line.rstrip(b"\r\n")), default_s)
            return
        at_s = _seconds(capture.get("t"), default_s)
        message = capture.get("msg")
        match capture["dir"]:
            case "out" if isinstance(message, dict):
                yield from self._out(decode(json.dumps(message).encode()), at_s)
            case "in" if isinstance(message, dict):
                yield from self._in(message, at_s)
            case "exit":
                reason = f"exit code {capture.get('msg', capture.get('code'))}"
                gone = c.AgentExited(WorkerId("worker_replay"), reason, self._mint("turn"))
                yield from self._decide(gone, at_s)

    def _out(self, frame: f.AnyFrame, at_s: float) -> Iterator[Event]:
        if not self._translator.dialect and isinstance(frame, f.SystemInit):
            self._translator.dialect = "claude" if frame.claude_code_version else "cbc"
        for command in self._translator.read(frame, at_s).commands:
            yield from self._decide(command, at_s)

    def _in(self, message: Mapping[str, Any], at_s: float) -> Iterator[Event]:
        match message.get("type"):
            case "user":
                yield from self._decide(self._message(_text(message)), at_s)
                self._translator.told()
            case "control_request" if _get(message, "request", "subtype") == "interrupt":
                reason = str(_get(message, "request", "reason") or "interrupted")
                yield from self._decide(c.Interrupt(PERSON, reason, self._mint("turn")), at_s)
            case "control_response":
                request_id = _get(message, "response", "request_id")
                answer = _get(message, "response", "response")
                for approval in self._state.pending_approvals:
                    if approval.request_id == request_id and isinstance(answer, Mapping):
                        for command in _decisions(approval, answer):
                            yield from self._decide(command, at_s)

    def _message(self, text: str) -> c.AddMessage:
        return c.AddMessage(
            message_id=MessageId(self._mint("msg")),
            turn_id=self._mint("turn"),
            channel="replay",
            content=text,
            author=PERSON,
            author_name=PERSON_NAME,
        )

    def _decide(self, command: c.Command, at_s: float) -> Iterator[Event]:
        """A recording may hold what a session refuses (a second interrupt): that causes no event."""
        try:
            decided = decide(self._state, command)
        except DomainError:
            return
        at = EPOCH + timedelta(seconds=at_s)
        for new in decided:
            event = new.sealed(EventId(self._mint("evt")), self._state.id, at)
            self._state = evolve(self._state, event)
            yield event


def _capture(line: bytes) -> dict[str, Any] | None:
    """The line as a capture's record, or None if it is a raw frame (or nothing that can be read)."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and isinstance(record.get("dir"), str) else None


def _seconds(value: Any, default_s: float) -> float:
    """A capture's own clock; what is no time, or none that a date can hold, is taken for missing."""
    usable = isinstance(value, int | float) and 0 <= value < LONGEST_S
    return float(value) if usable else default_s


def _decisions(approval: Approval, answer: Mapping[str, Any]) -> list[c.Command]:
    """What the recorded answer decided, in either dialect's form."""
    allowed = answer.get("behavior") == "allow" if "behavior" in answer else answer.get("allowed") is True
    if not allowed:
        reason = str(answer.get("reason") or answer.get("message") or "")
        return [c.Reject(approval.id, PERSON, PERSON_NAME, reason)]
    if approval.kind != QUESTION:
        action = "approve_for_session" if answer.get("updatedPermissions") else "approve"
        return [c.Approve(approval.id, PERSON, PERSON_NAME, action)]
    answers = _get(answer, "updatedInput", "answers")
    found = answers if isinstance(answers, Mapping) else {}
    return [
        c.AnswerQuestion(approval.id, index, PERSON, PERSON_NAME, text=str(found[question.question]))
        for index, question in enumerate(approval.questions)
        if question.question in found
    ]


def _text(message: Mapping[str, Any]) -> str:
    content = _get(message, "message", "content")
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return str(content or "")


def _get(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
