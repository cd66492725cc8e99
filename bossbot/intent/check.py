"""Whether the agent's answer may be believed: checked against the board and the message, or refused with a reason."""

from collections.abc import Iterable, Mapping, Sequence

from bossbot.intent.acts import readings
from bossbot.intent.clauses import Clause, mask, outside, split
from bossbot.intent.mood import Mood, moods
from bossbot.intent.plan import OUTRIGHT
from bossbot.intent.prompt import KINDS, PRIORITIES
from bossbot.intent.rules import too_much
from bossbot.intent.settle import for_now
from bossbot.intent.titles import TITLE_LIMIT
from bossbot.intent.types import PRECEDENCE, Board, DiffDraft, Intent, NewTask, Verdict

TEXT_LIMIT = 300
"""Characters kept of a reason or an objective."""
CREATE_LIMIT = 10
"""New tasks one message may ask for."""


class IntentRefused(Exception):
    """The agent's answer does not hold; the reason says which part and why, fit for a second try."""


def check(raw: Mapping[str, object], message: str, board: Board) -> Verdict:
    """The verdict in the answer; raises IntentRefused when any part of it is not borne out."""
    primary = _intent(raw)
    names = tuple(name for task in board.live for name in (task.title, task.id))
    _evidence(raw, primary, message, names)
    diff = _diff(raw.get("plan_diff"), message, board, names)
    if diff is None and primary == "objective_change":
        raise IntentRefused("plan_diff is null although primary is objective_change")
    if diff is not None and primary != "objective_change" and not (primary == "control" and _only_pauses(diff)):
        raise IntentRefused(f"plan_diff is given although primary is {primary}")
    abstain = raw.get("abstain") is True
    if diff is None:
        return Verdict(primary, False, None, None, "agent", abstain)
    diff, notes = _tempered(diff, message, board)
    if _only_asks(message):
        abstain = True
        notes.append("it reads like a question")
    if diff.empty and not diff.condition:
        abstain = True
        notes.append("it does not say which task")
    if primary == "control":
        return Verdict("control", False, None, diff, "agent", abstain, "; ".join(notes))
    objective = _text(raw.get("objective"), "objective", optional=True) or diff.change_reason
    return Verdict(primary, True, objective, diff, "agent", abstain, "; ".join(notes))


def _intent(raw: Mapping[str, object]) -> Intent:
    for intent in PRECEDENCE:
        if raw.get("primary") == intent:
            return intent
    raise IntentRefused("primary is none of the eight intents")


def _evidence(raw: Mapping[str, object], primary: Intent, message: str, names: tuple[str, ...]) -> None:
    labels = [_mapping(item, "labels") for item in _items(raw.get("labels"), "labels")]
    if primary not in [item.get("intent") for item in labels]:
        raise IntentRefused("labels do not hold the primary intent")
    for item in labels:
        changes = item.get("intent") in {"objective_change", "control"}
        _verbatim(item.get("evidence"), message, f"evidence of {item.get('intent')}", names=names if changes else None)


def _diff(raw: object, message: str, board: Board, names: tuple[str, ...]) -> DiffDraft | None:
    if raw is None:
        return None
    diff = _mapping(raw, "plan_diff")
    condition = diff.get("condition") or None
    if condition is not None:
        _verbatim(condition, message, "condition", names=names)
    cancel, pause, order = (
        _ids(diff.get(name), name, board) for name in ("cancel_tasks", "pause_tasks", "reprioritize_tasks")
    )
    named = [*cancel, *pause, *order]
    twice = sorted({task_id for task_id in named if named.count(task_id) > 1})
    if twice:
        raise IntentRefused(f"{twice[0]} stands in more than one list")
    return DiffDraft(
        change_reason=_text(diff.get("change_reason"), "change_reason", optional=True),
        cancel_tasks=cancel,
        pause_tasks=pause,
        reprioritize_tasks=order,
        create_tasks=_created(diff.get("create_tasks"), message, names),
        condition=str(condition).strip() if condition else None,
    )


def _ids(raw: object, name: str, board: Board) -> tuple[str, ...]:
    states = {task.id: task for task in board.tasks}
    ids = _items(raw, name)
    for task_id in ids:
        if not isinstance(task_id, str) or task_id not in states:
            raise IntentRefused(f"{name} names {str(task_id)[:60]!r}, which is not on the board")
        if not states[task_id].live:
            raise IntentRefused(f"{name} names {task_id}, which is already {states[task_id].status}")
    return tuple(str(task_id) for task_id in ids)


def _created(raw: object, message: str, names: tuple[str, ...]) -> tuple[NewTask, ...]:
    found: list[NewTask] = []
    for item in _items(raw, "create_tasks")[:CREATE_LIMIT]:
        fields = _mapping(item, "create_tasks")
        if fields.get("evidence") is not None:
            _verbatim(fields["evidence"], message, "evidence of a new task", names=names)
        kind, priority = str(fields.get("kind")), str(fields.get("priority"))
        found.append(
            NewTask(
                _text(fields.get("title"), "title of a new task")[:TITLE_LIMIT],
                kind if kind in KINDS else "implementation",
                priority if priority in PRIORITIES else "normal",
            )
        )
    return tuple(dict.fromkeys(found))


def _tempered(diff: DiffDraft, message: str, board: Board) -> tuple[DiffDraft, list[str]]:
    """The diff made no stronger than the message's own words, and what was changed about it."""
    notes: list[str] = []
    said = _outright(message)
    cancel, pause = diff.cancel_tasks, diff.pause_tasks
    if diff.condition and not any(_acts(clause) for clause in said):
        diff = DiffDraft(diff.change_reason, condition=diff.condition)
        return diff, ["it holds under a condition only"]
    endings = {_ending(clause) for clause in said}
    if cancel and "keep" in endings and "cancel" not in endings:
        raise IntentRefused("cancel_tasks is given although the message says not to end it")
    if cancel and "cancel" not in endings:
        cancel, pause = (), (*pause, *cancel)
        notes.append("no word of abandoning: paused instead of cancelled")
    notes.extend(filter(None, [too_much(cancel, board)]))
    kept = DiffDraft(diff.change_reason, cancel, pause, diff.reprioritize_tasks, diff.create_tasks, diff.condition)
    return kept, notes


def _outright(message: str) -> list[Clause]:
    clauses = split(message, mask(message))
    meant = moods(clauses)
    return [c for c, mood in zip(clauses, meant, strict=True) if mood in OUTRIGHT]


def _ending(clause: Clause) -> str:
    """What the clause does to a task's life, by its most telling reading: keep, cancel, pause, or nothing."""
    kind = next((act.kind for act in readings(clause) if act.kind in {"keep", "cancel", "pause"}), "")
    return "pause" if kind == "cancel" and for_now(clause.norm) else kind


def _acts(clause: Clause) -> bool:
    return any(act.kind != "keep" for act in readings(clause))


def _only_asks(message: str) -> bool:
    meant = moods(split(message, mask(message)))
    return bool(meant) and all(mood is Mood.ASKED for mood in meant)


def _only_pauses(diff: DiffDraft) -> bool:
    others = (diff.cancel_tasks, diff.reprioritize_tasks, diff.create_tasks, diff.condition)
    return bool(diff.pause_tasks) and not any(others)


def _verbatim(evidence: object, message: str, name: str, *, names: tuple[str, ...] | None) -> None:
    """Words that change something must stand outside quotes and code; `names` may be quoted, None means anywhere."""
    if names is None:
        if isinstance(evidence, str) and evidence.strip() and evidence.strip() in message:
            return
        raise IntentRefused(f"{name} is no word-for-word part of the message")
    if not isinstance(evidence, str) or not outside(message, evidence, names):
        raise IntentRefused(f"{name} is no word-for-word part of the message outside quotes and code")


def _text(raw: object, name: str, *, optional: bool = False) -> str:
    if optional and raw is None:
        return ""
    if not isinstance(raw, str) or not (raw.strip() or optional):
        raise IntentRefused(f"{name} is no text")
    return " ".join("".join(char if char.isprintable() else " " for char in raw).split())[:TEXT_LIMIT]


def _items(raw: object, name: str) -> Sequence[object]:
    if raw is None:
        return ()
    if not isinstance(raw, list):
        raise IntentRefused(f"{name} is no list")
    return raw


def _mapping(raw: object, name: str) -> Mapping[str, object]:
    if not isinstance(raw, dict) or not all(isinstance(key, str) for key in _keys(raw)):
        raise IntentRefused(f"{name} is no object")
    return raw


def _keys(raw: Mapping[object, object]) -> Iterable[object]:
    return raw.keys()
