"""Plan diffs: proposed only about what is on the board, applied once by a person, told to the manager; or kept."""

from typing import Any

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.errors import AlreadyDecided, DomainError, NotFound
from bossbot.domain.recap import recap
from bossbot.domain.task import TaskStatus
from bossbot.ids import DiffId, MessageId, TaskId

from .harness import Session, kinds, of_type, verdict

NEW = ev.NewTask(title="Retry the API", kind="implementation", priority="high")
KEEP = c.KeepPlan(DiffId("diff_1"), "telegram:1", "Ada")


def apply(*task_ids: str, diff: str = "diff_1") -> c.ApplyPlanDiff:
    return c.ApplyPlanDiff(DiffId(diff), "turn_apply", "telegram:1", "Ada", tuple(map(TaskId, task_ids)))


@pytest.fixture
def session() -> Session:
    """Three tasks on the board, and nothing runs."""
    session = Session()
    for number, title in enumerate(("Clean the cache", "Retry the API", "Polish the UI"), 1):
        session.add_task(number, title)
    session.end_turn()
    return session


def proposal(session: Session) -> ev.PlanDiffGenerated:
    return session.state.diffs[DiffId("diff_1")].proposal


# --- the plan ---


def test_the_first_set_of_tasks_is_the_plan_and_later_ones_extend_it(session: Session) -> None:
    [created] = of_type([e.payload for e in session.log], ev.PlanCreated)
    assert isinstance(created, ev.PlanCreated)
    assert [task.id for task in created.tasks] == ["task_1", "task_2", "task_3"]
    session.add_task(4)
    [updated] = of_type(session.end_turn(), ev.PlanUpdated)
    assert isinstance(updated, ev.PlanUpdated)
    assert [task.id for task in updated.added] == ["task_4"]


# --- proposing ---


def test_a_change_of_mind_is_a_diff_in_the_protocols_form_and_moves_nothing(session: Session) -> None:
    session.propose(
        cancel_tasks=("task_1",),
        pause_tasks=("task_3",),
        reprioritize_tasks=("task_2",),
        create_tasks=(NEW,),
        objective="a stable API",
    )
    diff = proposal(session)
    assert (diff.session_id, diff.change_reason) == ("ps_1", "the cache no longer matters")
    assert (diff.cancel_tasks, diff.pause_tasks, diff.continue_tasks) == (("task_1",), ("task_3",), ("task_2",))
    assert (diff.reprioritize_tasks, diff.create_tasks) == (("task_2",), (NEW,))
    assert session.state.objective == "a stable API"
    assert {task.status for task in session.state.tasks.values()} == {TaskStatus.QUEUED}
    assert session.state.turn is None


@pytest.mark.parametrize("where", ["cancel_tasks", "pause_tasks", "reprioritize_tasks"])
@pytest.mark.parametrize("stranger", ["task_77", "", "msg_9", "2"])
def test_ids_that_are_not_on_the_board_are_refused(session: Session, where: str, stranger: str) -> None:
    session.say("drop it", 9, plan_first=True)
    changes: dict[str, Any] = {where: ("task_1", stranger)}
    session.refuses(verdict(**changes))
    assert "msg_9" in session.state.held


def test_a_task_that_has_ended_is_no_longer_on_the_board(session: Session) -> None:
    session.update_task(1, "completed")
    session.say("drop it", 9, plan_first=True)
    session.refuses(verdict(cancel_tasks=("task_1",)))


def test_a_task_cannot_be_both_cancelled_and_paused(session: Session) -> None:
    session.say("drop it", 9, plan_first=True)
    session.refuses(verdict(cancel_tasks=("task_1",), pause_tasks=("task_1",)))


def test_a_message_is_judged_once(session: Session) -> None:
    session.propose(cancel_tasks=("task_1",))
    session.refuses(verdict(diff="diff_2", cancel_tasks=("task_2",)), NotFound)


def test_a_plain_question_makes_no_diff_and_goes_to_the_manager(session: Session) -> None:
    session.say("how far is it?", 9, plan_first=True)
    told = session.tell(verdict(intent="question", objective_change=False))
    assert kinds(told) == ["session.message.classified", "session.turn.started"]
    assert session.state.diffs == {}


def test_a_task_named_twice_stands_in_the_diff_once(session: Session) -> None:
    session.propose(cancel_tasks=("task_1", "task_1"), reprioritize_tasks=("task_3", "task_2", "task_3"))
    diff = proposal(session)
    assert (diff.cancel_tasks, diff.reprioritize_tasks) == (("task_1",), ("task_3", "task_2"))
    session.tell(apply())
    assert session.state.order == ("task_3", "task_2", "task_1")


# --- applying ---


def test_apply_moves_the_tasks_and_tells_the_manager(session: Session) -> None:
    session.propose(
        cancel_tasks=("task_1",), pause_tasks=("task_3",), reprioritize_tasks=("task_2",), create_tasks=(NEW,)
    )
    told = session.tell(apply("task_new"))
    statuses = {i: task.status for i, task in session.state.tasks.items()}
    assert statuses == {
        "task_1": TaskStatus.CANCELLED,
        "task_2": TaskStatus.QUEUED,
        "task_3": TaskStatus.PAUSED,
        "task_new": TaskStatus.QUEUED,
    }
    assert session.state.order[:2] == ("task_2", "task_new")
    [turn] = of_type(told, ev.SessionTurnStarted)
    assert isinstance(turn, ev.SessionTurnStarted)
    for words in ("Clean the cache", "Polish the UI", "Retry the API", "drop the cache work"):
        assert words in turn.content
    assert not session.state.diffs[DiffId("diff_1")].interrupts


@pytest.mark.parametrize("late", [apply(), KEEP])
def test_an_applied_diff_is_decided_for_good(session: Session, late: c.Command) -> None:
    session.propose(cancel_tasks=("task_1",))
    session.tell(apply())
    assert "already applied by Ada" in session.refuses(late, AlreadyDecided)


def test_a_diff_needs_a_fresh_id_for_each_new_task(session: Session) -> None:
    session.propose(create_tasks=(NEW,))
    session.refuses(apply())
    session.refuses(apply("task_8", "task_9"))


def test_an_unknown_diff_is_refused(session: Session) -> None:
    session.refuses(apply(diff="diff_77"), NotFound)


def test_what_ended_between_proposal_and_apply_stays_as_it_ended(session: Session) -> None:
    session.propose(cancel_tasks=("task_1",), pause_tasks=("task_3",))
    session.update_task(1, "completed")
    session.update_task(3, "deleted")
    session.tell(apply())
    assert session.task(1).status is TaskStatus.COMPLETED
    assert session.task(3).status is TaskStatus.CANCELLED


def test_a_new_task_of_the_plan_that_the_manager_takes_up_stays_one_task(session: Session) -> None:
    session.propose(create_tasks=(NEW.model_copy(update={"title": "Write the changelog"}),))
    session.tell(apply("task_new"))
    told = session.tell(c.CreateNativeTask(TaskId("task_other"), "wa_4", "plan_1", "4", "write the  Changelog"))
    assert kinds(told) == ["task.linked"]
    session.update_task(4, "in_progress")
    assert session.state.tasks[TaskId("task_new")].status is TaskStatus.RUNNING


def test_a_closed_session_takes_no_decision_about_its_plan(session: Session) -> None:
    session.propose(cancel_tasks=("task_1",))
    session.tell(c.CloseSession("done"))
    session.refuses(apply(), DomainError)
    session.refuses(KEEP, DomainError)


# --- applying while something runs ---


def test_dropping_what_runs_interrupts_and_the_manager_hears_it_after_the_stop(session: Session) -> None:
    session.say("go")
    session.update_task(1, "in_progress")
    session.ask()
    session.propose(cancel_tasks=("task_1",))
    told = session.tell(apply())
    assert session.state.diffs[DiffId("diff_1")].interrupts
    assert {"session.interrupt.requested", "approval.withdrawn"} <= set(kinds(told))
    assert of_type(told, ev.SessionTurnStarted) == []
    [turn] = of_type(session.end_turn(), ev.SessionTurnStarted)
    assert isinstance(turn, ev.SessionTurnStarted)
    assert "Clean the cache" in turn.content
    assert "interrupted" in turn.content


def test_dropping_a_running_workflow_interrupts_also_without_a_turn(session: Session) -> None:
    session.start_workflow()
    session.propose(cancel_tasks=("task_w1",))
    applied = session.tell(apply())
    assert "session.interrupt.requested" in kinds(applied)
    told = session.tell(c.EndBackgroundTask("w1", "stopped", "turn_2", "user cancel"))
    assert session.state.tasks[TaskId("task_w1")].status is TaskStatus.CANCELLED
    assert of_type(told, ev.TaskCancelled) == []
    [turn] = of_type(applied, ev.SessionTurnStarted)
    assert isinstance(turn, ev.SessionTurnStarted)
    assert "Gather and write" in turn.content


def test_dropping_what_nobody_has_begun_interrupts_nothing(session: Session) -> None:
    session.say("go")
    session.update_task(2, "in_progress")
    session.propose(cancel_tasks=("task_1",))
    assert "session.interrupt.requested" not in kinds(session.tell(apply()))


def test_a_change_applied_in_mid_turn_is_told_when_the_turn_ends(session: Session) -> None:
    session.say("go")
    session.propose(cancel_tasks=("task_1",))
    assert of_type(session.tell(apply()), ev.SessionTurnStarted) == []
    [turn] = of_type(session.end_turn(), ev.SessionTurnStarted)
    assert isinstance(turn, ev.SessionTurnStarted)
    assert "Clean the cache" in turn.content


def test_of_two_changes_applied_before_the_stop_the_manager_hears_both(session: Session) -> None:
    session.say("go")
    session.update_task(1, "in_progress")
    session.propose(cancel_tasks=("task_1",))
    session.say("and no UI", 10, plan_first=True)
    session.tell(verdict(10, "diff_2", pause_tasks=("task_3",)))
    session.tell(apply())
    session.tell(apply(diff="diff_2"))
    [turn] = of_type(session.end_turn(), ev.SessionTurnStarted)
    assert isinstance(turn, ev.SessionTurnStarted)
    assert "Clean the cache" in turn.content
    assert "Polish the UI" in turn.content


def test_a_stop_after_an_apply_does_not_swallow_what_the_manager_must_hear(session: Session) -> None:
    session.start_workflow()
    session.propose(cancel_tasks=("task_1", "task_w1"))
    session.start_workflow("w2")
    [turn] = of_type(session.tell(apply()), ev.SessionTurnStarted)
    session.tell(c.Interrupt("telegram:1", "stop it all", "turn_i"))
    session.tell(c.EndBackgroundTask("w1", "stopped", "turn_2"))
    session.tell(c.EndBackgroundTask("w2", "stopped", "turn_2"))
    assert isinstance(turn, ev.SessionTurnStarted)
    assert "Clean the cache" in turn.content


# --- keeping ---


@pytest.mark.parametrize("order", [(1, 2), (2, 1)], ids=["the first first", "the second first"])
def test_of_two_plan_changes_that_are_turned_down_no_objective_stays(session: Session, order: tuple[int, int]) -> None:
    _two_proposed(session)
    for number in order:
        session.tell(c.KeepPlan(DiffId(f"diff_{number}"), "telegram:1", "Ada"))
    assert session.state.objective == "a green build"


def test_of_two_plan_changes_the_objective_of_the_one_that_is_applied_stays(session: Session) -> None:
    _two_proposed(session)
    session.tell(c.ApplyPlanDiff(DiffId("diff_1"), "turn_a", "telegram:1", "Ada", ()))
    session.tell(c.KeepPlan(DiffId("diff_2"), "telegram:1", "Ada"))
    assert (session.state.objective, session.state.objective_from) == ("a stable API", "msg_9")


def _two_proposed(session: Session) -> None:
    session.propose(cancel_tasks=("task_1",), objective="a stable API")
    session.say("no, the documentation comes first", 10, plan_first=True)
    session.tell(verdict(10, "diff_2", cancel_tasks=("task_1",), objective="good documentation"))
    assert session.state.objective == "good documentation"


def test_keep_plan_changes_no_task_and_brings_the_objective_back(session: Session) -> None:
    session.propose(cancel_tasks=("task_1",), objective="a stable API")
    told = session.tell(KEEP)
    assert of_type(told, ev.TaskCancelled) == []
    assert session.state.objective == "a green build"
    assert session.task(1).status is TaskStatus.QUEUED
    assert "already turned down by Ada" in session.refuses(apply(), AlreadyDecided)


def test_a_kept_plan_starts_no_turn_but_is_read_with_the_next_message(session: Session) -> None:
    session.propose(cancel_tasks=("task_1",))
    assert of_type(session.tell(KEEP), ev.SessionTurnStarted) == []
    session.say("how far is it?", 10)
    assert session.state.turn is not None
    assert "drop the cache work" in session.state.turn.content
    assert "how far is it?" in session.state.turn.content
    assert session.state.notes == ()


def test_a_message_becomes_a_diff_or_work_and_never_both(session: Session) -> None:
    session.propose(cancel_tasks=("task_1",))
    assert MessageId("msg_9") not in {said.id for said in session.state.queue}
    assert session.state.turn is None


def test_a_message_that_sets_limits_holds_for_what_is_assigned_from_then_on_and_reaches_the_manager() -> None:
    session = Session()
    session.say("fix the login")
    session.add_task(1, "Find the cause")
    session.add_task(2, "Fix it")
    session.update_task(1, "in_progress")
    session.say("只改 src/api", 9, plan_first=True)
    told = session.tell(verdict(intent="constraint", objective_change=False))
    assert kinds(told) == ["session.message.classified", "session.constraint.added"]
    [assigned] = of_type(session.update_task(2, "in_progress"), ev.TaskAssigned)
    assert isinstance(assigned, ev.TaskAssigned)
    assert assigned.execution_request == ev.ExecutionRequest(
        task_id="task_2", session_id="ps_1", goal="Fix it", constraints=("只改 src/api",)
    )
    assert "Constraint: 只改 src/api" in recap(session.state)
    [started] = of_type(session.end_turn(), ev.SessionTurnStarted)
    assert isinstance(started, ev.SessionTurnStarted)
    assert started.content == "只改 src/api"


def test_limits_that_are_said_again_hold_once_and_only_the_newest_are_kept() -> None:
    session = Session()
    session.say("fix the login")
    session.add_task(1)
    for number in range(30):
        session.say(f"keep it below {number % 25} s", 100 + number, plan_first=True)
        session.tell(verdict(100 + number, f"diff_{number}", intent="constraint", objective_change=False))
    assert len(session.state.constraints) == 20
    assert session.state.constraints[-1] == "keep it below 4 s"
    assert len(set(session.state.constraints)) == 20
