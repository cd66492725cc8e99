"""What people see: from events to cards. Pure: events say which cards are touched, the state what they show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bossbot.channel import Card, Markdown, Note, Tone
from bossbot.domain import events as ev
from bossbot.domain.evolve import Happened
from bossbot.domain.state import NOT_WORKED_ON, Said, SessionState
from bossbot.domain.task import BACKGROUND
from bossbot.ids import ApprovalId, DiffId, TaskId
from bossbot.views.approvals import approval_card
from bossbot.views.blocked import blocked_card
from bossbot.views.doubt import doubt_card
from bossbot.views.plan import board_card, diff_card
from bossbot.views.turn import is_worth_a_card, joined_card, queue_card, turn_card
from bossbot.views.workflow import task_card

UNFINISHED = "An answer was begun here and not finished."

QUIET_PREFIXES = ("task:", "turn:", "plan:")
"""Cards of progress: their edits may wait and be merged. All others are delivered at once."""


@dataclass(frozen=True, slots=True)
class View:
    """A thread of the session shall show `card` under `key`. `once`: posted and never edited.

    Without a card: progress, whose card `progress_card` draws when it is about to be sent.
    """

    key: str
    card: Card | None
    once: bool = False


def views(changes: Sequence[Happened], after: SessionState) -> list[View]:
    """What must be shown after what has happened, which took the session to `after`; each card once."""
    found: dict[str, View] = {}
    for then, event in changes:
        if type(event.payload) is ev.ToolCallFinished:  # every other event, and no card shows it
            continue
        for view in _touched(changes[0].before, then, event, after):
            found.pop(view.key, None)
            found[view.key] = view
    return list(found.values())


def progress_card(state: SessionState, key: str) -> Card | None:
    """The card of a turn or a task that runs; None when it has ended, and the end has shown its own card."""
    kind, _, name = key.partition(":")
    task, turn = state.tasks.get(TaskId(name)), state.turn
    if kind == "task" and task is not None and task.live:
        return task_card(task)
    return turn_card(turn, None) if kind == "turn" and turn is not None and turn.id == name else None


def _touched(before: SessionState, then: SessionState, event: ev.Event, after: SessionState) -> Iterator[View]:
    """What `event` touches. `then` is the session just before it: a turn may begin and end among the same events."""
    payload = event.payload
    match payload:
        case ev.SessionMessageAdded():
            if payload.role != "user":
                # What was shown while it was written stands there already: the answer is its last edit.
                begun = then.turn is not None and then.turn.writing == payload.id
                yield View(f"msg:{payload.id}", _message_card(payload), once=not begun)
                if then.turn is not None and then.turn.delayed is not None:
                    yield from _turn(then, payload, after)
            elif after.turn is not None:
                yield from _queue(after)
        case ev.SessionMessageStarted():
            yield from _unfinished(then)
            if then.turn is not None and then.turn.delayed is not None:
                yield from _turn(then, payload, after)
        case ev.SessionMessageClassified():
            yield from _queue(after)
        case ev.SessionMessageDoubted() | ev.SessionMessageRepeated():
            said = next((said for said in after.recent if said.id == payload.message_id), None)
            yield from _doubt(payload, said)
        case (
            ev.ApprovalRequested()
            | ev.ApprovalApproved()
            | ev.ApprovalRejected()
            | ev.ApprovalAnswered()
            | ev.ApprovalExpired()
            | ev.ApprovalWithdrawn()
        ):
            approval = after.approvals.get(ApprovalId(payload.id))
            if approval is not None and _is_shown(before, approval.id, after):
                yield View(f"apr:{payload.id}", approval_card(approval))
            if event.task_id is not None:  # on the board, the task waits or goes on
                yield from _task(after, event.task_id)
        case ev.PlanDiffGenerated() | ev.PlanDiffApplied() | ev.PlanDiffRejected():
            yield View(f"diff:{payload.id}", diff_card(after, after.diffs[DiffId(payload.id)]))
        case ev.PlanCreated() | ev.PlanUpdated():
            yield from _board(after)
        case ev.SessionTurnStarted() | ev.SessionTurnFinished() | ev.SessionInterruptRequested():
            yield from _turn(then, payload, after)
        case ev.SessionBlocked() | ev.SessionUnblocked() if (
            after.blocked is not None and after.blocked.id == payload.id
        ):
            yield View(f"blocked:{payload.id}", blocked_card(after.blocked))
        case ev.SessionTurnSteered(how="joined"):
            yield View(f"queue:{payload.turn_id}", joined_card(payload))
        case ev.SessionTurnSteered():
            yield from _queue(after)
        case ev.ToolCallRequested() | ev.SessionProgressReported() | ev.SessionTurnDelayed():
            yield from _turn(then, payload, after)
        case ev.TaskProgress() | ev.TaskStepStarted() | ev.TaskStepFinished() | ev.TaskStepFailed() if event.task_id:
            yield from _task_progress(after, event.task_id)
        case _ if event.task_id is not None:
            yield from _task(after, event.task_id)


def _is_shown(before: SessionState, approval_id: ApprovalId, after: SessionState) -> bool:
    """What was allowed for the session is decided as it comes, and nobody needs to see it."""
    return approval_id in before.approvals or after.approvals[approval_id].pending


def _message_card(payload: ev.SessionMessageAdded) -> Card:
    block = Markdown(payload.content) if payload.role == "manager" else Note(payload.content)
    return Card(blocks=(block,))


def _unfinished(then: SessionState) -> Iterator[View]:
    """A text that was shown while it was written, and whose whole never came."""
    if then.turn is not None and then.turn.writing:
        yield View(f"msg:{then.turn.writing}", Card(tone=Tone.STOPPED, blocks=(Note(UNFINISHED),)))


def _doubt(payload: ev.SessionMessageDoubted | ev.SessionMessageRepeated, said: Said | None) -> Iterator[View]:
    """An answer that may not have arrived: a person is told, and may have it shown again."""
    repeated = isinstance(payload, ev.SessionMessageRepeated)
    yield View(f"doubt:{payload.message_id}", doubt_card(payload.message_id, said, shown_again=repeated))
    if repeated and said is not None:
        yield View(f"again:{payload.message_id}", Card(blocks=(Markdown(said.content),)))


def _queue(after: SessionState) -> Iterator[View]:
    if after.turn is not None and after.queue:
        yield View(f"queue:{after.turn.id}", queue_card(after, waiting=True))


def _board(after: SessionState) -> Iterator[View]:
    if after.plan_id:
        yield View(f"plan:{after.plan_id}", board_card(after))


def _task(after: SessionState, task_id: TaskId) -> Iterator[View]:
    task = after.tasks.get(task_id)
    if task is None:
        return
    if task.origin in ("workflow", "background"):
        yield View(f"task:{task.id}", task_card(task))
    elif task.id in after.plan_tasks:
        yield from _board(after)


def _task_progress(after: SessionState, task_id: TaskId) -> Iterator[View]:
    """Of a task that the agent CLI works on an end is sure to come, also after a kill, and shows the card again."""
    task = after.tasks.get(task_id)
    if task is not None and task.origin in BACKGROUND and task.live and task.status not in NOT_WORKED_ON:
        yield View(f"task:{task_id}", None)
    else:
        yield from _task(after, task_id)


def _turn(then: SessionState, payload: ev.Payload, after: SessionState) -> Iterator[View]:
    turn = after.turn
    if isinstance(payload, ev.SessionTurnFinished):
        yield from _unfinished(then)
        ended = then.turn if then.turn is not None and then.turn.id == payload.turn_id else None
        card = turn_card(ended, payload) if ended is not None else None
        if card is not None:
            yield View(f"turn:{payload.turn_id}", card)
        if ended is not None and then.queue:
            yield View(f"queue:{ended.id}", queue_card(then, waiting=False))
    elif turn is not None and (turn.interrupted or is_worth_a_card(turn)):
        yield View(f"turn:{turn.id}", None)  # its end is sure to come, also after a kill, and shows it again


def notice(text: str, tone: Tone = Tone.NEUTRAL) -> Card:
    """A small card that says one thing."""
    return Card(blocks=(Note(text),), tone=tone, fallback=text)
