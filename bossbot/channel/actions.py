"""Action ids: what a button says when it is pressed.

An action id names a verb and the one thing it acts on: `approve|apr_7f3k…` or `answer|apr_7f3k…|0.2`. It is bound to
one request, so that an old button can only ever decide the request it was drawn for. Telegram allows 64 bytes of
callback_data (Bot API, InlineKeyboardButton); Slack allows 255 characters of action_id.
"""

from dataclasses import dataclass
from enum import StrEnum

ACTION_ID_MAX_BYTES = 64
_SEPARATOR = "|"


class Verb(StrEnum):
    """Everything a button can ask for."""

    APPROVE = "approve"
    APPROVE_FOR_SESSION = "session"
    REJECT = "reject"
    REJECT_AND_STOP = "halt"
    ANSWER = "answer"
    APPLY_DIFF = "apply"
    KEEP_PLAN = "keep"
    STOP = "stop"
    SEND_NOW = "now"
    REPLACE_TURN = "replace"
    TRY_AGAIN = "again"
    GIVE_UP = "giveup"
    SHOW_AGAIN = "show"


class BadAction(ValueError):
    """A press carried an action id that we never made. The press is refused."""


@dataclass(frozen=True, slots=True)
class Action:
    """A verb, the id of its target, and an argument (for `ANSWER`: question index and option index, `"0.2"`)."""

    verb: Verb
    target: str
    argument: str = ""

    def encode(self) -> str:
        """The wire form, at most 64 bytes; a longer one is a programming error and raises ValueError."""
        parts = [self.verb.value, self.target] + ([self.argument] if self.argument else [])
        if any(_SEPARATOR in part for part in parts):
            raise ValueError(f"an action's parts may not hold {_SEPARATOR!r}: {parts}")
        text = _SEPARATOR.join(parts)
        if len(text.encode()) > ACTION_ID_MAX_BYTES:
            raise ValueError(f"action id is over {ACTION_ID_MAX_BYTES} bytes: {text}")
        return text

    @staticmethod
    def decode(text: str) -> "Action":
        """Reads the wire form; anything that `encode` cannot have made raises `BadAction`."""
        parts = text.split(_SEPARATOR)
        if len(parts) not in (2, 3) or not all(parts):
            raise BadAction(f"not an action id: {text[:80]!r}")
        try:
            verb = Verb(parts[0])
        except ValueError:
            raise BadAction(f"unknown verb in action id: {text[:80]!r}") from None
        return Action(verb, parts[1], parts[2] if len(parts) == 3 else "")
