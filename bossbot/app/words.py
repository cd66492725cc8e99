"""Words that are commands or decisions: `/stop`, `approve`, `reject: use git clean instead`, `/now skip the tests`."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from bossbot.domain.events import Steering

_REJECT = re.compile(
    r"(?:(?P<stop>(?:reject|deny) and stop|拒绝并停止)|reject|deny|拒绝|驳回|不批准)"
    r"\s*(?:[:：,，\n]\s*(?P<reason>.*))?",
    re.IGNORECASE | re.DOTALL,
)
_RENAME = re.compile(r"[/!！](?:rename|改名|重命名)(?:\s+|\s*[:：]\s*|\Z)(?P<title>.*)", re.IGNORECASE | re.DOTALL)
_STEER = {
    Steering.NOW: (("now",), ("立即", "马上", "立刻")),
    Steering.REPLACE: (("replace",), ("改做", "替换")),
    Steering.QUEUE: (("queue",), ("排队", "稍后")),
}
_BARE = frozenset({"立即", "马上", "立刻", "改做"})
"""Said with a colon alone. “替换：把 A 换成 B” is work, and 排队 a list's heading: those need their sign."""


def _steering_words(english: Iterable[str], chinese: Sequence[str]) -> re.Pattern[str]:
    """`/now text`, `!now: text`, `!立即text` or `立即：text`; the text may be missing."""
    ways = [rf"[/!！](?:{'|'.join(english)})(?:\s*[:：]|\s|\Z)", rf"[/!！](?:{'|'.join(chinese)})\s*[:：]?"]
    ways += [rf"{word}\s*[:：]" for word in chinese if word in _BARE]
    return re.compile(rf"(?:{'|'.join(ways)})\s*(?P<text>.*)", re.IGNORECASE | re.DOTALL)


_STEERED = {steering: _steering_words(*words) for steering, words in _STEER.items()}


class Word(Enum):
    """What a whole message can be, beside a message."""

    STOP = ("/stop", "!stop", "stop", "停止", "停下", "全部停止")
    STATUS = ("/status", "!status")
    ARTIFACTS = ("/artifacts", "!artifacts")
    NEW = ("/new", "!new")
    ARCHIVE = ("/archive", "!archive")
    HELP = ("/help", "!help", "/start")
    APPROVE = ("approve", "approved", "/approve", "批准", "同意")


@dataclass(frozen=True, slots=True)
class Rejection:
    """A rejection by word, with the reason that the agent reads. `stop`: and everything that runs shall stop."""

    reason: str
    stop: bool = False


@dataclass(frozen=True, slots=True)
class Rename:
    """The session shall be called so."""

    title: str


@dataclass(frozen=True, slots=True)
class Steered:
    """A message that says itself what becomes of it while a turn runs. Without text: what waits is meant."""

    steering: Steering
    text: str


Said = Word | Rejection | Rename | Steered


def read_word(text: str) -> Said | None:
    """The command or decision that `text` is; None when it is an ordinary message."""
    said = text.strip()
    bare = said.rstrip(".!。！").casefold()
    for word in Word:
        if bare in word.value:
            return word
    for steering, pattern in _STEERED.items():
        steered = pattern.fullmatch(said)
        if steered is not None:
            return Steered(steering, steered["text"].strip())
    renamed = _RENAME.fullmatch(said)
    if renamed is not None:
        return Rename(renamed["title"].strip())
    match = _REJECT.fullmatch(said.rstrip(".。!！") if "\n" not in said else said)
    return Rejection((match["reason"] or "").strip(), bool(match["stop"])) if match is not None else None
