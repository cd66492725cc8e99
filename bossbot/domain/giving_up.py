"""What failed too often, and what is given up: the session is blocked with its tasks until a person has decided."""

from bossbot.domain import events as ev
from bossbot.domain.assignments import to_be_retried
from bossbot.domain.decision import Decision
from bossbot.domain.events import Source
from bossbot.domain.state import Blocked, SessionState
from bossbot.domain.task import Task, TaskStatus

NO_REASON = "no reason was given"


def waits_for_retry(state: SessionState) -> bool:
    """Whether something failed and may be tried again: a turn, or tasks beside it."""
    return state.cut is not None or bool(to_be_retried(state))


def failures(state: SessionState) -> int:
    """How often in a row it has failed: the turn, or the task that did so most often."""
    turns = state.lost_turns if state.cut is not None else 0
    return max([turns, *(task.retry_count + 1 for task in to_be_retried(state))])


def why(state: SessionState) -> str:
    """Why it failed, as a person and the manager read it."""
    if state.cut is not None:
        return state.cut.reason
    return "; ".join(f"“{task.title}”: {task.reason or NO_REASON}" for task in to_be_retried(state))


def block(d: Decision, blocked_id: str, reason: str) -> None:
    """A person is asked, once, how it goes on; what failed stands still until then."""
    if d.state.asks_how_to_go_on:
        return
    asked = ev.SessionBlocked(id=blocked_id, reason=reason, failures=failures(d.state))
    for task in to_be_retried(d.state):
        _block_task(d, task)
    d.emit(Source.SYSTEM, asked)


def _block_task(d: Decision, task: Task) -> None:
    """What failed; what waits for a worker goes on waiting."""
    if task.status is TaskStatus.FAILED:
        d.emit(Source.SYSTEM, ev.TaskBlocked(reason=task.reason or NO_REASON), task.id)


def unblock(d: Decision, blocked: Blocked, how: str, actor: str, actor_name: str) -> None:
    """A person has decided."""
    payload = {"id": blocked.id, "how": how, "actor": actor, "actor_name": actor_name}
    d.emit(Source.USER, ev.SessionUnblocked.model_validate(payload))


def give_up_tasks(d: Decision, by: str) -> None:
    """The tasks that were to be tried again are cancelled."""
    for task in to_be_retried(d.state):
        _block_task(d, task)
        d.emit(Source.USER, ev.TaskCancelled(reason=f"given up by {by}"), task.id)


def give_up_retry(d: Decision, blocked_id: str, actor: str, by: str) -> bool:
    """A person does not want the next try. False when nothing waits for one.

    The log says it as if it had failed too often: what it was, and who gave it up; a card tells the same.
    """
    if not waits_for_retry(d.state):
        return False
    block(d, blocked_id, why(d.state))
    if d.state.blocked is not None:
        unblock(d, d.state.blocked, "given_up", actor, by)
    give_up_tasks(d, by)
    return True
