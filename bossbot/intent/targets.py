"""Which live tasks an act is done to: ids, numbers, "the rest", "it", or words that fit a title."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from bossbot.intent import chinese, english
from bossbot.intent.match import concepts, find
from bossbot.intent.types import Board, BoardTask

_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1}
_ZH_DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_NUMBERED = re.compile(
    r"(?:\b(?:task|number|no\.?|item|ticket|card|todo)\s*#?\s*|(?<![\w#])#)(\d{1,3})\b|(?:任务|第)\s*([\d一二两三四五六七八九]{1,2})(?!\d)|(?<!\d)(\d{1,2})\s*号(?!线|楼)"
    r"|\b(?:the\s+)(first|second|third|fourth|fifth|last)\s+(?:task|one|item|ticket|card)\b"
)
_PARTS = re.compile(r"\s*(?:,|，|、|\band\b|&|\bplus\b|\bas well as\b|\bor\b|(?<![一-鿿])/|和|与|跟|以及|还有|及)\s*")
_ORDER = re.compile(
    r"\b(?:first|next|instead|then|before|after|do|fix|start|focus|prioriti\w+|make|get)\b"
    r"|优先|先|再|改做|改成"
)
"""Words that begin another thought: a list of names ends there."""
_MANY = re.compile(r"\b(?:all|both|every|any|each)\b|所有|全部|都|全")
_EXCEPT = re.compile(
    rf"^(?P<all>.*?)\b(?:{english.EXCEPT})\b(?P<kept>.+)$"
    r"|除了?(?P<zh>.+?)(?:以外|之外|外|都|全|其[他它余]|，|,|$)"
)
_REST = re.compile(rf"\b(?:{english.REST})\b|{chinese.REST}")
_EVERYTHING = re.compile(rf"^(?:{english.EVERYTHING})\b|{chinese.EVERYTHING}")
_PEOPLE = frozenset({"customer", "user", "team"})
_BARE = frozenset(english.BARE.split("|"))


@dataclass(frozen=True, slots=True)
class Meant:
    """The tasks meant; `scope` says how they were named; several under "some" means nobody can tell which."""

    tasks: tuple[BoardTask, ...] = ()
    scope: str = "none"

    @property
    def clear(self) -> bool:
        return bool(self.tasks) and self.scope != "some"


def meant(target: str, board: Board, topic: Sequence[BoardTask] = ()) -> Meant:
    """The live tasks that `target` names; `topic` is what was spoken of last."""
    live = board.live
    wide = _wide(target, live)
    if wide:
        return wide
    named = tuple(task for task in live if _says_id(target, task.id)) or _numbered(target, board)
    if named:
        return Meant(named, "named")
    if names_nothing(target):
        return Meant(tuple(topic), "topic") if topic else Meant()
    return _by_words(target, live)


def names_nothing(target: str) -> bool:
    """True for "it", "that one", silence, and for who says it: "the customer doesn't want it"."""
    return target.strip() in _BARE or _PEOPLE.issuperset(concepts(target))


def _wide(target: str, live: tuple[BoardTask, ...]) -> Meant | None:
    kept = _EXCEPT.search(target)
    if kept and (kept["zh"] or _EVERYTHING.search(kept["all"] or "") or not concepts(kept["all"] or "")):
        spared = _by_words(kept["kept"] or kept["zh"] or "", live)
        rest = tuple(task for task in live if task not in spared.tasks)
        return Meant(rest, "rest") if spared.clear else Meant(live, "some")
    if _REST.match(target.strip()) or (_REST.search(target) and not concepts(_REST.sub(" ", target))):
        return Meant(live, "rest")
    if _EVERYTHING.search(target.strip()) and not concepts(target):
        return Meant(live, "all")
    return None


def _by_words(target: str, live: tuple[BoardTask, ...]) -> Meant:
    whole = find(target, live)
    if whole.clear and whole.score >= 0.85:
        return Meant(whole.tasks, "named")
    parts = [part for part in takewhile(lambda part: not _ORDER.search(part), _PARTS.split(target)) if concepts(part)]
    if len(parts) > 1:
        each = [find(part, live) for part in parts]
        if all(found.clear for found in each):
            return Meant(tuple(dict.fromkeys(found.tasks[0] for found in each)), "named")
    if whole.clear:
        return Meant(whole.tasks, "named")
    if whole.tasks:
        return Meant(whole.tasks, "named" if _MANY.search(target) else "some")
    return Meant()


def _says_id(target: str, task_id: str) -> bool:
    if len(task_id) < 2 or task_id.isdigit() or task_id.lower() not in target:
        return False
    return bool(re.search(rf"(?<![\w-]){re.escape(task_id.lower())}(?![\w-])", target))


def _numbered(target: str, board: Board) -> tuple[BoardTask, ...]:
    """ "Task 3" is the task whose id says 3, else the third on the board; None of both when they differ."""
    found: dict[BoardTask, None] = {}
    for hit in _NUMBERED.finditer(target):
        word = next(group for group in hit.groups() if group)
        number = int(word) if word.isdigit() else _ORDINALS.get(word) or _ZH_DIGITS.get(word, 0)
        number = len(board.tasks) if number < 0 else number
        by_id = [task for task in board.tasks if re.fullmatch(rf"(?:\D*[\W_])?t?0*{number}", task.id.lower())]
        by_place = board.tasks[number - 1 : number] if number else ()
        chosen = by_id[:1] if len(by_id) == 1 else by_place
        for task in chosen:
            if task.live:
                found[task] = None
    return tuple(found)


def without_numbers(target: str) -> str:
    """The words of a target, its numbers aside."""
    return _NUMBERED.sub(" ", target)
