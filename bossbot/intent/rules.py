"""The rule-based planner: what a message means for the plan, without asking anybody. Pure, below 2 ms.

It serves alone in the demo and whenever the agent CLI's side call fails, and it prefers asking to guessing: what it
cannot tell apart becomes a verdict with `abstain` and no task ids.
"""

from collections.abc import Sequence

from bossbot.intent.clauses import Clause, mask, split
from bossbot.intent.labels import label, unsure
from bossbot.intent.mood import affirms, moods
from bossbot.intent.plan import Plan, read
from bossbot.intent.settle import Change, settle
from bossbot.intent.titles import TITLE_LIMIT, title
from bossbot.intent.types import Board, DiffDraft, Intent, Verdict

OBJECTIVE_LIMIT = 200
"""Characters of an objective: it is shown as one line."""

SEAM = 5
"""Characters between clauses that are still side by side: ", and"."""


def judge(message: str, board: Board) -> Verdict:
    """The verdict of the rules; never raises, and names live tasks of the board only."""
    masked = mask(message, tuple(name for task in board.live for name in (task.title, task.id)))
    clauses = split(message, masked)
    mood = moods(clauses)
    plan = read(clauses, mood, board)
    if plan.changes and not _answers(plan, clauses, board):
        return _changed(message, plan, board)
    if message.strip() and not clauses:
        return _unchanged("clarification", note="only quoted or pasted text")
    if any(unsure(clause.norm) for clause in clauses):
        return _unchanged(label(clauses, mood, board), abstain=True, note="neither yes nor no")
    return _unchanged(label(clauses, mood, board))


def _answers(plan: Plan, clauses: Sequence[Clause], board: Board) -> bool:
    """A yes to what was asked that repeats what is to be done ("yes, add the tests") brings nothing new."""
    opens = board.pending_question is not None and bool(clauses) and affirms(clauses[0].norm.split(" ")[0])
    repeats = all(act.kind in {"add", "first", "keep"} and not (act.also or act.next) for act, _ in plan.acts)
    return opens and repeats and not plan.conditions


def nothing_to_change(board: Board) -> bool:
    """True when no task is live: no message can then change the plan."""
    return not board.live


def too_much(cancelled: Sequence[object], board: Board) -> str:
    """A warning when a change would cancel more than half of the live tasks, else nothing."""
    half = len(board.live) > 1 and 2 * len(cancelled) > len(board.live)
    return "more than half of the live tasks would be cancelled" if half else ""


def _changed(message: str, plan: Plan, board: Board) -> Verdict:
    intent: Intent = "control" if plan.control else "objective_change"
    if nothing_to_change(board):
        return _unchanged(intent, note="no live task on the board: nothing to change")
    change = settle(plan, board)
    diff = _diff(message, plan, change)
    notes = "; ".join(dict.fromkeys(note for note in (*change.notes, too_much(change.cancelled, board)) if note))
    unclear = bool(change.notes) or (diff.empty and not diff.condition)
    if plan.control:
        return Verdict(intent, False, None, None if diff.empty else diff, "rules", unclear, notes)
    return Verdict(intent, True, _objective(diff.change_reason), diff, "rules", unclear, notes)


def _diff(message: str, plan: Plan, change: Change) -> DiffDraft:
    return DiffDraft(
        change_reason=_words(message, plan.evidence or plan.conditions),
        cancel_tasks=tuple(task.id for task in change.cancelled),
        pause_tasks=tuple(task.id for task in change.paused),
        reprioritize_tasks=tuple(task.id for task in change.order),
        create_tasks=tuple(dict.fromkeys(change.created)),
        condition=_words(message, plan.conditions) or None,
    )


def _unchanged(intent: Intent, *, abstain: bool = False, note: str = "") -> Verdict:
    return Verdict(intent, False, None, None, "rules", abstain, note)


def _objective(words: str) -> str:
    """The new objective in the person's own words, without the talk around them."""
    return title(words) if len(words) <= TITLE_LIMIT else words


def _words(message: str, clauses: Sequence[Clause]) -> str:
    """The clauses as written; those that stand side by side keep the signs between them."""
    parts: list[tuple[int, int]] = []
    for clause in clauses:
        if parts and 0 <= clause.start - parts[-1][1] <= SEAM:
            parts[-1] = (parts[-1][0], clause.end)
        else:
            parts.append((clause.start, clause.end))
    said = [" ".join(message[start:end].split()) for start, end in parts]
    glue = "，" if any(char >= "\u3400" for part in said for char in part) else ", "
    return glue.join(said)[:OBJECTIVE_LIMIT]
