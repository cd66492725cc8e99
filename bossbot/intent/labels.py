"""Which of the eight intents a message has when it leaves the plan alone: clause by clause, then by precedence."""

from collections.abc import Sequence
from functools import cache

from bossbot.intent import cues
from bossbot.intent.acts import lead
from bossbot.intent.clauses import Clause
from bossbot.intent.mood import Mood
from bossbot.intent.phrases import holds, made_of, phrases
from bossbot.intent.templates import Phrasebook
from bossbot.intent.types import PRECEDENCE, Board, Intent

SHORT = 12
"""Words of a message that can be nothing but a yes, a lifecycle verb or a greeting."""

_ORDER: tuple[Intent, ...] = ("status", "control", "approval", "constraint")
_MANNER = phrases(cues.MANNER)


def label(clauses: Sequence[Clause], moods: Sequence[Mood], board: Board) -> Intent:
    """The intent of a message that changes no plan."""
    if not clauses:
        return "chat"
    whole = _whole(" ".join(clause.norm for clause in clauses), board)
    if whole and Mood.REPORTED not in moods:
        return whole
    found = [_clause(clause, mood, board) for clause, mood in zip(clauses, moods, strict=True)]
    return _primary(found, clauses, board)


def unsure(norm: str) -> bool:
    """An answer that is neither yes nor no: "I guess so", "let me think"."""
    return holds(norm, phrases(cues.UNSURE)) is not None


def _whole(text: str, board: Board) -> Intent | None:
    """What a short text is that consists of nothing but yes, stop or hello."""
    if len(text) > 80 or len(text.split()) > SHORT:
        return None
    if board.pending_question is None and made_of(text, phrases(cues.NOTED)):
        return "chat"
    greets = made_of(text, phrases(cues.CHAT)) and _has(text, cues.CHAT_CORE)
    if greets and board.pending_question is None and _has(text, cues.THANKS):
        return "chat"
    if made_of(text, phrases(cues.RUN)) and _has(text, cues.RUN_CORE):
        return "approval" if made_of(text, phrases(cues.YES_NO)) else "control"
    if made_of(text, phrases(cues.YES_NO)) and not made_of(text, phrases(cues.NO_ANSWER)):
        return "approval"
    return "chat" if greets else None


def _clause(clause: Clause, mood: Mood, board: Board) -> Intent:
    norm, kinds = clause.norm, _kinds(clause)
    if mood is Mood.ASKED:
        return "status" if "status" in kinds and "question" not in kinds else _wish(clause, kinds)
    if mood is Mood.REPORTED or "correction" in kinds:
        return "clarification"
    whole = _whole(norm, board)
    if whole:
        return whole
    if "query" in kinds:
        return "question"
    if holds(norm, phrases(cues.LIMITS)) is not None:
        kinds.append("constraint")
    return next((intent for intent in _ORDER if intent in kinds), "clarification")


def _wish(clause: Clause, kinds: list[str]) -> Intent:
    """ "Can we make it blue?" is a wish about the work, "can websockets go through the proxy?" a question."""
    wished = lead(clause.norm).words & {"can we", "could we", "can you", "could you", "should we"}
    plain = "query" in kinds or "should we" in wished
    return "constraint" if wished and not plain and "constraint" in kinds else "question"


def _primary(found: list[Intent], clauses: Sequence[Clause], board: Board) -> Intent:
    present = _content(found, clauses, board.pending_question is not None)
    last = clauses[-1].sentence
    asks_last = any(i == "question" and c.sentence == last for i, c in zip(found, clauses, strict=True))
    if present <= {"question", "clarification"} and asks_last:
        return "question"
    return next(intent for intent in PRECEDENCE if intent in present)


def _content(found: list[Intent], clauses: Sequence[Clause], asked: bool) -> set[Intent]:
    """The intents said, without a yes or a thanks that only opens the message; a correction outweighs its detail."""
    said = [(intent, clause) for intent, clause in zip(found, clauses, strict=True) if intent != "chat"]
    if len(said) > 1 and said[0][0] == "approval" and _only_opens(said[0][1], said[1][1], asked):
        said = said[1:]
    if any("correction" in _kinds(clause) for _, clause in said):
        said = [pair for pair in said if pair[0] != "constraint"]
    return {intent for intent, _ in said} or {"chat"}


def _only_opens(first: Clause, second: Clause, asked: bool) -> bool:
    """ "Ok, but keep it short" approves nothing; neither does a bare "ok, keep it short" when nothing was asked."""
    objects = second.norm.startswith(("but", "however", "though", "except", "但", "不过", "只是", "就是"))
    return objects or (made_of(first.norm, _MANNER) and not asked)


def _kinds(clause: Clause) -> list[str]:
    start = lead(clause.norm)
    texts = (clause.norm,) if start.words & {"i", "we"} else tuple(dict.fromkeys((clause.norm, start.body)))
    english = [hit.kind for text in texts for hit in _book("en").hits(text)]
    return english + [hit.kind for hit in _book("zh").hits(clause.norm)]


def _has(text: str, core: str) -> bool:
    return holds(text, phrases(core)) is not None


@cache
def _book(language: str) -> Phrasebook:
    sections = cues.LABELS_ZH if language == "zh" else cues.LABELS_EN
    return Phrasebook(sections, cues.MACROS, anywhere=language == "zh")
