"""decide(state, command) → events: the one door through which a session changes. Pure; refuses with `DomainError`."""

from typing import assert_never

from bossbot.domain import artifacts, board, manager, messages, people, planning, retries, steering, stopping, work
from bossbot.domain import commands as c
from bossbot.domain.decision import Decision
from bossbot.domain.events import NewEvent
from bossbot.domain.state import SessionState


def decide(state: SessionState, command: c.Command) -> list[NewEvent]:
    """The events that `command` causes in a session in `state`; none if it changes nothing.

    Raises `DomainError` when the command is refused; then nothing has happened.
    """
    return decided(state, command).events


def decided(state: SessionState, command: c.Command) -> Decision:
    """As `decide`, with the states before and after its events."""
    d = Decision(state)
    match command:
        # The most frequent first.
        case c.RequestToolCall():
            manager.request_tool_call(d, command)
        case c.FinishToolCall():
            manager.finish_tool_call(d, command)
        case c.ReportSnapshot():
            work.report_snapshot(d, command)
        case c.OpenSession():
            people.open_session(d, command)
        case c.AddMessage():
            messages.add_message(d, command)
        case c.SteerTurn():
            steering.steer_turn(d, command)
        case c.ClassifyMessage():
            planning.classify_message(d, command)
        case c.Approve():
            people.approve(d, command)
        case c.Reject():
            people.reject(d, command)
        case c.ExpireApproval():
            people.expire_approval(d, command)
        case c.DoubtMessage():
            messages.doubt_message(d, command)
        case c.RepeatMessage():
            messages.repeat_message(d, command)
        case c.RecordRuling():
            manager.record_ruling(d, command)
        case c.RenameSession():
            people.rename_session(d, command)
        case c.ArchiveSession():
            people.archive_session(d, command)
        case c.AnswerQuestion():
            people.answer_question(d, command)
        case c.ApplyPlanDiff():
            planning.apply_plan_diff(d, command)
        case c.KeepPlan():
            planning.keep_plan(d, command)
        case c.Interrupt():
            stopping.interrupt(d, command)
        case c.TryAgain():
            retries.try_again(d, command)
        case c.GiveUp():
            retries.give_up(d, command)
        case c.CloseSession():
            people.close_session(d, command)
        case c.UpdateCapabilities():
            manager.update_capabilities(d, command)
        case c.AddManagerText():
            manager.add_text(d, command)
        case c.BeginText():
            manager.begin_text(d, command)
        case c.RequestApproval():
            manager.request_approval(d, command)
        case c.WithdrawApproval():
            manager.withdraw_approval(d, command)
        case c.CreateNativeTask():
            work.create_native_task(d, command)
        case c.UpdateNativeTask():
            work.update_native_task(d, command)
        case c.StartBackgroundTask():
            work.start_background_task(d, command)
        case c.UpdateBackgroundTask():
            work.update_background_task(d, command)
        case c.EndBackgroundTask():
            work.end_background_task(d, command)
        case c.CreatePlan():
            board.create_plan(d, command)
        case c.UpdateTask():
            board.update_task(d, command)
        case c.ReportProgress():
            board.report_progress(d, command)
        case c.AddArtifact():
            artifacts.add_artifact(d, command)
        case c.BeginOwnTurn():
            manager.begin_own_turn(d, command)
        case c.DelayTurn():
            manager.delay_turn(d, command)
        case c.EndTurn():
            manager.end_turn(d, command)
        case c.AgentExited():
            retries.agent_exited(d, command)
        case c.Recover():
            retries.recover(d, command)
        case _:
            assert_never(command)
    return d
