"""One turn: from a person's message to its `result`. Stories are told through these few verbs.

A turn runs in a thread of its own. Everything in it that takes time looks whether the turn was stopped, and raises
`Stopped` if so.
"""

from collections.abc import Iterable, Mapping

from . import stream
from .frames import Frame, tokens
from .marks import new_id
from .results import Totals
from .session import Session
from .tools import Outcome
from .words import WORDS, language_of

INTERRUPT, REPLACED, CLOSED = "interrupt", "replaced", "closed"


class Stopped(Exception):
    """The turn must not go on: a person interrupted it, or wrote something else."""


class AgentFailure(Exception):
    """The turn ends in an error result with this text."""


class Stop:
    """Why a turn ends early. `request_id` is the interrupt's, which wants an acknowledgement."""

    def __init__(self, kind: str, request_id: str = "", reason: str = "") -> None:
        self.kind, self.request_id, self.reason = kind, request_id, reason


class Call:
    """One tool call. cbc may ask for permission before it shows the call, so showing is a step of its own."""

    def __init__(self, message_id: str, name: str, given: Frame) -> None:
        self.message_id, self.name, self.given = message_id, name, given
        self.id = "call_" + new_id()[-12:]
        self.shown = False


class Decision:
    """What a person decided about a call. `given` is the tool's input as the person let it through."""

    def __init__(self, allowed: bool, given: Frame, reason: str) -> None:
        self.allowed, self.given, self.reason = allowed, given, reason


class Turn:
    """`said` is the last text, which becomes the result's. `open_call` is the call that nothing answers yet."""

    def __init__(self, session: Session, text: str, language: str = "", *, partial: bool = False) -> None:
        self.session, self.text = session, text
        self.language = language or language_of(text)
        self.story = ""
        self.totals = Totals()
        self.said = ""
        self.open_call: Call | None = None
        self.stop: Stop | None = None
        self.ending = self.over = False
        self._partial = partial
        self._message_id = ""

    def begin(self) -> None:
        self.session.frames.request_id = new_id()
        self.init()
        self.session.send(self.session.frames.status())

    def finish(self, *, init: bool = True) -> None:
        if init:
            self.init()
        self.close()
        self.session.send(self.totals.success(self.session.frames, self.said))

    def close(self) -> None:
        """The last moment at which the turn can be stopped: an interrupt after this one finds nothing running."""
        with self.session.changed:
            self.check()
            self.over = True
        self.session.history.record("result")

    def halt(self, stop: Stop) -> None:
        """Called from outside: the next thing the turn does raises `Stopped`."""
        with self.session.changed:
            self.stop = self.stop or stop
            self.session.changed.notify_all()

    def check(self) -> None:
        if self.stop is not None:
            raise Stopped

    def pause(self, seconds: float) -> None:
        with self.session.changed:
            self.session.changed.wait_for(lambda: self.stop is not None, seconds)
        self.check()

    def word(self, key: str, **values: object) -> str:
        """A text of the table in the language of the conversation."""
        return WORDS[key][self.language == "zh"].format(**values)

    def init(self) -> None:
        self.session.send(self.session.frames.init())

    def say(self, text: str, *, goes_on: bool = False, of: Call | None = None) -> None:
        """Assistant text. With `goes_on` the next call belongs to the same message; `of` names one made before."""
        self.check()
        message_id = of.message_id if of is not None else new_id()
        self._message_id = message_id if goes_on else ""
        if self._partial:
            self._send_events(stream.whole(message_id, self.session.frames.model, text), message_id)
        self._said(message_id, text, goes_on=goes_on or of is not None)

    def stream(self, pieces: Iterable[str], pause_s: float) -> None:
        """A text that grows piece by piece. Who did not ask for partial messages sees it only when it is whole."""
        message_id, text = new_id(), ""
        self._send_events(stream.begin(message_id, self.session.frames.model), message_id)
        for piece in pieces:
            self.pause(pause_s)
            text += piece
            self._send_events([stream.delta(piece)], message_id)
        self._send_events(stream.end(text), message_id)
        self._said(message_id, text, goes_on=False)

    def fail(self, error: str) -> None:
        """The turn ends in an error: cbc says it as text first, then in the result."""
        self.init()
        self.session.send(self.session.frames.cli_text(error))
        self.close()
        self.session.send(self.totals.failure(self.session.frames, error))

    def _said(self, message_id: str, text: str, *, goes_on: bool) -> None:
        self.said = text
        self.totals.said("" if goes_on else text)
        self.session.send(self.session.frames.text(message_id, text, goes_on=goes_on))

    def _send_events(self, events: Iterable[Frame], message_id: str) -> None:
        if self._partial:
            for event in events:
                self.session.send(self.session.frames.stream_event(message_id, event))

    def call(self, name: str, given: Mapping[str, object]) -> Call:
        self.check()
        call = Call(self._message_id or new_id(), name, dict(given))
        self._message_id = ""
        self.open_call = call
        return call

    def show(self, call: Call) -> None:
        call.shown = True
        self.totals.messages += 1
        self.totals.output_tokens += tokens(str(call.given))
        frames = self.session.frames
        self.session.send(frames.tool_use(call.message_id, call.id, call.name, call.given))

    def permit(self, call: Call) -> Decision:
        """Asks for permission and waits as long as it takes. The question survives a kill in the history."""
        if not self.session.asks:
            return Decision(True, call.given, "")
        self.session.history.record("asked", story=self.story, language=self.language, tool=call.name)
        request_id = self.session.new_permission_id()
        self.session.send(self.session.frames.permission(request_id, call.id, call.name, call.given))
        answer = self.session.answer(request_id, lambda: self.stop is not None)
        if answer is not None or (self.stop is not None and self.stop.kind != CLOSED):
            self.session.history.record("decided")
        if answer is None:
            raise Stopped
        return self._read(call, answer)

    def give(self, call: Call, outcome: Outcome, *, refused: bool = False) -> None:
        """The tool's result. A refused call never reached the tool: its frame names no message, as cbc's does not."""
        self.open_call = None
        self.totals.messages += 1
        message_id = None if refused else call.message_id
        frames = self.session.frames
        self.session.send(
            frames.tool_result(message_id, call.id, outcome.text, is_error=outcome.is_error, meta=outcome.meta)
        )

    def refuse(self, call: Call, decision: Decision) -> None:
        self.totals.denials.append({"tool_name": call.name, "tool_use_id": call.id, "tool_input": call.given})
        self.give(call, Outcome(decision.reason, is_error=True), refused=True)
        self.init()

    def _read(self, call: Call, answer: Frame) -> Decision:
        """cbc reads `allowed`, `updatedInput` and `reason`; without a reason it says these very words to its model."""
        updated = answer.get("updatedInput")
        given = updated if isinstance(updated, dict) else call.given
        allowed = answer.get("allowed", answer.get("behavior") == "allow")
        reason = answer.get("reason")
        return Decision(allowed is True, given, str(reason) if reason else "Permission denied by SDK")
