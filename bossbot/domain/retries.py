"""What failed and may be tried again: the agent's process ended, or the network or the model's provider had trouble.

A turn is taken up with the tasks that ran in it; of a background task that failed by itself the manager is told in a
turn of its own, so that it starts it again. Each failure makes the pause before the next try longer
(`bossbot.app.recovery`); after several the session is blocked, with those tasks, and a person decides. What cannot be
helped by trying again is not tried again.
"""

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.assignments import came_back, reject_assigned, to_be_retried
from bossbot.domain.decision import Decision
from bossbot.domain.errors import AlreadyDecided, NotFound
from bossbot.domain.events import Source
from bossbot.domain.giving_up import block, give_up_tasks, unblock, waits_for_retry, why
from bossbot.domain.people import must_be_open
from bossbot.domain.planning import close_task_set
from bossbot.domain.state import Blocked, Turn
from bossbot.domain.task import BACKGROUND, NATIVE, Task, TaskStatus
from bossbot.domain.turns import start_turn, start_turn_if_idle
from bossbot.ids import WorkerId

ACTIVE = (TaskStatus.RUNNING, TaskStatus.WAITING_APPROVAL)


def agent_exited(d: Decision, command: c.AgentExited) -> None:
    """The process is gone: whatever waited on it is void, what ran in it has failed."""
    close_task_set(d)
    if _is_of_the_next_process(d.state.turn, command.told_turn_id):
        _void_beside(d, command.reason)
        return
    worker = d.state.worker
    if worker is None or worker.status != "offline":
        worker_id = worker.worker_id if worker is not None else command.worker_id
        d.emit(
            Source.WORKER,
            ev.WorkerHeartbeat(worker_id=worker_id, status="offline", reason=command.reason),
        )
    _void(d, command.reason)
    if d.state.cut is None:
        start_turn_if_idle(d, command.next_turn_id)


def recover(d: Decision, command: c.Recover) -> None:
    """Takes up what failed, up to `max_retries` times; then a person decides."""
    if d.state.status != "active":
        return
    if command.process_gone and (d.state.busy or d.state.pending_approvals):
        agent_exited(d, c.AgentExited(WorkerId(""), command.reason, command.turn_id))
    if d.state.turn is not None or d.state.asks_how_to_go_on:
        return
    if not waits_for_retry(d.state):
        start_turn_if_idle(d, command.turn_id)
    elif _too_often(d, command.max_retries):
        block(d, command.blocked_id, command.reason if d.state.cut is not None else why(d.state))
    else:
        start_turn(d, command.turn_id)


def _too_often(d: Decision, max_retries: int) -> bool:
    """The turn, or a background task: the manager's own tasks are tried as often as their turns."""
    beside = [task for task in to_be_retried(d.state) if task.origin in BACKGROUND]
    lost = d.state.lost_turns if d.state.cut is not None else 0
    return lost > max_retries or any(task.retry_count >= max_retries and not came_back(task) for task in beside)


def fail_running(d: Decision, reason: str, *, retryable: bool) -> None:
    """What the manager was working on when its turn failed: it is tried again with the turn, or blocked with it."""
    for task in _active(d, NATIVE):
        failed = ev.TaskFailed(reason=reason, retryable=True) if retryable else ev.TaskBlocked(reason=reason)
        if retryable or task.status is TaskStatus.RUNNING:
            d.emit(Source.SYSTEM, failed, task.id)


def drop_unclaimed(d: Decision) -> None:
    """A turn that took up what had failed is over: what the manager did not begin anew it rejects, and that is the end
    of it. What waits with a turn that is to be taken up goes on waiting.
    """
    reason = "the manager did not start it again"
    reject_assigned(d, reason)
    if d.state.cut is None:
        _cancel_what_came_back(d, Source.MANAGER, reason)


def _cancel_what_came_back(d: Decision, source: Source, reason: str) -> None:
    for task in d.state.live_tasks:
        if came_back(task):
            d.emit(source, ev.TaskCancelled(reason=reason), task.id)


def try_again(d: Decision, command: c.TryAgain) -> None:
    """A person lets it be tried once more: now, or when the turn is over that the CLI has begun by itself."""
    blocked = _open(d, command.blocked_id)
    unblock(d, blocked, "retried", command.actor, command.actor_name)
    if d.state.turn is None:
        _take_up(d, command.turn_id)


def go_on(d: Decision, turn_id: str) -> None:
    """A turn is over: what waits is handed over, and what a person wanted tried again meanwhile with it."""
    blocked = d.state.blocked
    stands = d.state.cut is not None or any(task.status is TaskStatus.BLOCKED for task in to_be_retried(d.state))
    if stands and blocked is not None and blocked.how == "retried" and d.state.turn is None:
        _take_up(d, turn_id)
    else:
        start_turn_if_idle(d, turn_id)


def _take_up(d: Decision, turn_id: str) -> None:
    if waits_for_retry(d.state) and d.state.status == "active":
        start_turn(d, turn_id)
    else:
        start_turn_if_idle(d, turn_id)


def give_up(d: Decision, command: c.GiveUp) -> None:
    """A person gives it up: what was asked is dropped, and its tasks are cancelled."""
    blocked = _open(d, command.blocked_id)
    unblock(d, blocked, "given_up", command.actor, command.actor_name)
    give_up_tasks(d, command.actor_name)
    start_turn_if_idle(d, command.turn_id)


def _open(d: Decision, blocked_id: str) -> Blocked:
    must_be_open(d)
    blocked = d.state.blocked
    if blocked is None or blocked.id != blocked_id:
        raise NotFound("this is not known here any more")
    if blocked.how:
        by = f" by {blocked.decided_by}" if blocked.decided_by else ""
        raise AlreadyDecided(f"This was already decided{by}.")
    return blocked


def _is_of_the_next_process(turn: Turn | None, told_turn_id: str) -> bool:
    """A turn that has just begun with a message, and that the process that ended was not told. One that it began by
    itself was not told either, and may hold a message that joined it.
    """
    return turn is not None and not turn.own and turn.steered is None and told_turn_id not in ("", turn.id)


def _void(d: Decision, reason: str) -> None:
    if not d.state.busy and not d.state.pending_approvals:
        return
    waiting_for = tuple(a.detail or a.summary for a in d.state.pending_approvals)
    turn = d.state.turn
    stopped = turn is not None and turn.interrupted
    _void_beside(d, reason)
    reject_assigned(d, reason)
    if stopped:
        _cancel_what_came_back(d, Source.SYSTEM, reason)
    else:
        fail_running(d, reason, retryable=True)
    finished = ev.SessionTurnFinished(
        turn_id=turn.id if turn else None,
        outcome="interrupted" if stopped else "lost",
        errors=(reason,),
        waiting_for=waiting_for,
    )
    d.emit(Source.SYSTEM, finished)


def _void_beside(d: Decision, reason: str) -> None:
    """What lived in the process beside the turn: its requests, and its background tasks."""
    stopped = d.state.turn is not None and d.state.turn.interrupted
    d.withdraw_approvals(reason)
    for task in _active(d, BACKGROUND):
        ended = ev.TaskCancelled(reason=reason) if stopped else ev.TaskFailed(reason=reason, retryable=True)
        d.emit(Source.SYSTEM, ended, task.id)


def _active(d: Decision, origins: tuple[str, ...]) -> list[Task]:
    """What is being worked on. A background task lives in the agent's process, and dies with it also when paused."""
    if origins == BACKGROUND:
        return list(d.state.running_background)
    return [t for t in d.state.tasks.values() if t.status in ACTIVE and t.origin in origins]
