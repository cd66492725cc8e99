"""Assignments: what failed is given to the worker anew, which accepts it with its first word, or rejects it."""

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.task import TaskStatus
from bossbot.ids import ApprovalId, MessageId, TaskId

from .harness import MAX_RETRIES, WORKER, Session, kinds, of_type

DIED = c.AgentExited(WORKER, "exit code 1", "turn_after")
NOT_STARTED = c.AgentExited(WORKER, "the agent could not be started: no such file", "turn_after")
LIVES = c.UpdateCapabilities(WORKER, (), "cli-1", "cbc")
ACCEPTED = ["worker.assignment.accepted", "task.started"]
REJECTED = ["worker.assignment.rejected", "task.queued"]


@pytest.fixture
def session() -> Session:
    """The agent died while it worked on task 1, and its process is to begin anew."""
    session = Session()
    session.say("fix the retry loop")
    session.tell(LIVES)
    session.add_task(1)
    session.update_task(1, "in_progress")
    session.tell(DIED)
    session.recover(1, gone=False)
    return session


def test_a_task_that_is_tried_again_waits_for_its_workers_word(session: Session) -> None:
    assert session.task(1).status is TaskStatus.ASSIGNED


@pytest.mark.parametrize(
    "word",
    [
        LIVES,
        c.AddManagerText(MessageId("msg_5"), "I go on."),
        c.RequestToolCall("tu_9", "Bash", "ls"),
        c.RequestApproval(ApprovalId("apr_9"), "req_9", "Bash", "tool_call", "ls", "low", ""),
        c.EndTurn("turn_n", "success"),
    ],
    ids=lambda word: type(word).__name__,
)
def test_the_workers_first_word_accepts_it(session: Session, word: c.Command) -> None:
    told = kinds(session.tell(word))
    assert told[told.index("worker.assignment.accepted") :][:2] == ACCEPTED
    accepted = next(e.payload for e in reversed(session.log) if isinstance(e.payload, ev.WorkerAssignmentAccepted))
    assert (accepted.assignment_id, accepted.worker_id) == ("wa_1.1", WORKER)


def test_a_process_that_cannot_start_rejects_it_with_the_reason(session: Session) -> None:
    told = session.tell(NOT_STARTED)  # the worker is offline already
    assert kinds(told) == [*REJECTED, "session.turn.finished"]
    assert of_type(told, ev.WorkerAssignmentRejected) == [
        ev.WorkerAssignmentRejected(
            assignment_id="wa_1.1", worker_id=WORKER, reason="the agent could not be started: no such file"
        )
    ]
    task = session.task(1)
    assert (task.status, task.retry_count) == (TaskStatus.QUEUED, 1)


def test_what_was_rejected_is_assigned_again_and_has_not_failed_once_more(session: Session) -> None:
    session.tell(NOT_STARTED)
    assert kinds(session.recover(2, gone=False)) == ["session.turn.started", "task.assigned"]
    session.tell(LIVES)
    assert (session.task(1).status, session.task(1).retry_count) == (TaskStatus.RUNNING, 1)


def test_a_worker_that_rejects_again_and_again_blocks_the_session(session: Session) -> None:
    for number in range(2, MAX_RETRIES + 1):
        session.tell(NOT_STARTED)
        session.recover(number, gone=False)
    session.tell(NOT_STARTED)
    assert kinds(session.recover(9, gone=False)) == ["session.blocked"]
    told = session.tell(c.GiveUp("blk_9", "telegram:1", "Ada", "turn_g"))
    assert kinds(told) == ["session.unblocked", "task.cancelled"]


def test_a_stopped_start_takes_the_task_along_for_good(session: Session) -> None:
    session.tell(c.Interrupt("telegram:1", "enough", "turn_i", "Ada"))
    session.tell(NOT_STARTED)
    assert (session.state.turn, session.task(1).status) == (None, TaskStatus.CANCELLED)


def test_a_plan_change_that_cancels_an_assigned_task_interrupts_its_worker(session: Session) -> None:
    session.propose(cancel_tasks=("task_1",))
    told = session.tell(c.ApplyPlanDiff(next(iter(session.state.diffs)), "turn_d", "telegram:1", "Ada", ()))
    assert "session.interrupt.requested" in kinds(told)
    assert session.task(1).status is TaskStatus.CANCELLED


def with_a_workflow_to_try_again() -> tuple[Session, TaskId]:
    session = Session()
    session.say("gather")
    session.tell(LIVES)
    workflow = session.start_workflow()
    session.tell(DIED)
    session.recover(1, gone=False)
    return session, workflow


def test_a_workflow_that_the_manager_does_not_start_again_is_rejected_and_given_up() -> None:
    session, workflow = with_a_workflow_to_try_again()
    assert session.state.tasks[workflow].status is TaskStatus.ASSIGNED
    told = session.end_turn()
    assert kinds(told) == ["session.turn.finished", "worker.heartbeat", *REJECTED, "task.cancelled"]
    assert session.state.tasks[workflow].reason == "the manager did not start it again"


def test_a_workflow_whose_turn_failed_for_now_waits_for_the_next_one() -> None:
    session, workflow = with_a_workflow_to_try_again()
    told = session.tell(c.EndTurn("turn_x", "error", errors=("529",), retryable=True))
    assert kinds(told)[:2] == REJECTED
    session.recover(2, gone=False)
    assert session.state.tasks[workflow].status is TaskStatus.ASSIGNED
    started = c.StartBackgroundTask(TaskId("task_n"), "wa_n", WORKER, "w9", "local_workflow", "Gather and write")
    assert kinds(session.tell(started)) == ["task.linked", *ACCEPTED]


WORKPLACE = ev.Workspace(repo="git@github.com:org/repo.git", branch="main", worktree_path="/home/ada/repo")


def test_the_execution_request_says_where_the_work_is() -> None:
    session = Session()
    session.say("gather")
    session.tell(c.UpdateCapabilities(WORKER, (), "cli-1", "cbc", workspace=WORKPLACE))
    session.start_workflow()
    [assigned] = [e.payload for e in session.log if isinstance(e.payload, ev.TaskAssigned)]
    assert assigned.execution_request is not None
    assert assigned.execution_request.workspace == WORKPLACE
    assert assigned.execution_request.goal == "Gather and write"


def test_another_branch_is_news_of_the_worker() -> None:
    session = Session()
    first = c.UpdateCapabilities(WORKER, (), "cli-1", "cbc", workspace=WORKPLACE)
    session.tell(first)
    assert session.tell(first) == []
    moved = c.UpdateCapabilities(
        WORKER, (), "cli-1", "cbc", workspace=WORKPLACE.model_copy(update={"branch": "boss/task-102"})
    )
    assert kinds(session.tell(moved)) == ["worker.capabilities.updated"]
