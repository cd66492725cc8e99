"""What one clause asks of the plan: an act (cancel, pause, first, add, ...) and the words for what it is done to."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, get_args

from bossbot.intent import chinese, english
from bossbot.intent.clauses import Clause
from bossbot.intent.phrases import trim, vocabulary
from bossbot.intent.templates import Hit, Phrasebook

Kind = Literal["keep", "cancel", "pause", "last", "swap", "first", "order", "after", "goal", "task", "add", "work"]


@dataclass(frozen=True, slots=True)
class Act:
    """One reading of a clause: `target` and `behind` are the person's words, to be found on the board.

    `firm` acts change the plan by their own words; the others only when the board knows their target.
    `also`, `next` and `then` say how a bare command stands to what was said before.
    """

    kind: Kind
    target: str
    behind: str
    clause: Clause
    firm: bool
    name: str = ""
    """What a new task would be called, when that is less than the clause."""
    also: bool = False
    next: bool = False
    then: bool = False


@dataclass(frozen=True, slots=True)
class Lead:
    """A clause without its fillers, and which fillers they were."""

    body: str
    words: frozenset[str]


def readings(clause: Clause) -> Iterator[Act]:
    """Possible readings, most telling first; whoever knows the board takes the first that holds."""
    if any(char >= "\u3400" for char in clause.norm):
        yield from _chinese(clause)
    yield from _english(clause)


@lru_cache(maxsize=256)
def lead(norm: str) -> Lead:
    """Strip fillers from both ends: "ok so please drop it then" is "drop it"."""
    left = trim(norm, _LEAD, _TAIL)
    return Lead(norm[left.start : left.end], left.found)


def _english(clause: Clause) -> Iterator[Act]:
    start = lead(clause.norm)
    if not start.body or _told_of_others(start):
        return
    also, next_, then = (bool(start.words & words) for words in (_ALSO, _NEXT, _THEN))
    for hit in _book("en").hits(start.body):
        firm = not hit.kind.endswith("?") and not _told_past(start, hit)
        whole = hit.kind in _WITH_VERB and not hit.y
        target = start.body if whole and (hit.x or "") not in _BARE else hit.x or ""
        name = hit.x or "" if hit.kind == "first" else ""
        yield Act(_KINDS[hit.kind.rstrip("?")], target, hit.y or "", clause, firm, name, also, next_, then)
    if next_ or then:
        firm = "next" in start.words
        yield Act("first", start.body, "", clause, firm, start.body, also, next_, then)


def _chinese(clause: Clause) -> Iterator[Act]:
    norm = clause.norm
    also = any(word in norm for word in _ALSO_ZH)
    then = norm.startswith(("再", "然后", "之后", "接着"))
    for hit in _book("zh").hits(norm):
        kind = _KINDS[hit.kind.rstrip("?")]
        rest = f"{norm[: hit.start]} {norm[hit.end :]}"
        target = hit.x if hit.y else f"{rest} {hit.x or ''}"
        step = kind == "first" and any(word in norm for word in _STEPS)
        firm = not hit.kind.endswith("?") and not step
        yield Act(kind, target or rest, hit.y or "", clause, firm, also=also, then=then)
    if then:
        yield Act("first", norm, "", clause, firm=False, then=True)


def _told_past(start: Lead, hit: Hit) -> bool:
    """ "We dropped the cache" may be news of long ago: only a task of that name makes it a decision."""
    verb = start.body[hit.start :].split(" ")[0]
    return verb.endswith("ed") and bool(start.words & {"i", "we", "you", "we've", "we have"})


def _told_of_others(start: Lead) -> bool:
    return "you" in start.words and start.body.split(" ")[0].endswith("ed")


@cache
def _book(language: str) -> Phrasebook:
    if language == "zh":
        return Phrasebook(chinese.PLAN, chinese.MACROS, anywhere=True)
    return Phrasebook(english.PLAN, english.MACROS, anywhere=False)


_KINDS: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}
_WITH_VERB = frozenset({"first", "add", "work"})
"""Kinds whose verb is part of the name: "document the webhook" is about docs."""
_BARE = frozenset(english.BARE.split("|"))
_LEAD, _TAIL = vocabulary(english.LEAD), vocabulary(english.TAIL)
_ALSO, _NEXT, _THEN = vocabulary(english.ALSO), vocabulary(english.NEXT), vocabulary(english.THEN)
_ALSO_ZH, _STEPS = tuple(chinese.ALSO.split("|")), tuple(chinese.STEP.split("|"))
