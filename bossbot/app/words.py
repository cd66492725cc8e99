"""Words that are commands or decisions when they stand alone: `/stop`, `approve`, `reject: use git clean instead`."""

import re
from dataclasses import dataclass
from enum import Enum

_REJECT = re.compile(r"(?:reject|deny|拒绝|驳回|不批准)\s*(?:[:：,，\n]\s*(?P<reason>.*))?", re.IGNORECASE | re.DOTALL)


class Word(Enum):
    """What a whole message can be, beside a message."""

    STOP = ("/stop", "!stop", "stop", "停止", "停下", "全部停止")
    STATUS = ("/status", "!status")
    NEW = ("/new", "!new")
    HELP = ("/help", "!help", "/start")
    APPROVE = ("approve", "approved", "/approve", "批准", "同意")


@dataclass(frozen=True, slots=True)
class Rejection:
    """A rejection by word, with the reason that the agent reads."""

    reason: str


def read_word(text: str) -> Word | Rejection | None:
    """The command or decision that `text` is; None when it is an ordinary message."""
    said = text.strip()
    bare = said.rstrip(".!。！").casefold()
    for word in Word:
        if bare in word.value:
            return word
    match = _REJECT.fullmatch(said.rstrip(".。!！") if "\n" not in said else said)
    return Rejection((match["reason"] or "").strip()) if match is not None else None
