"""What the manager does: speak, call tools, ask for permission, begin and end turns."""

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.assignments import accept_native, reject_assigned
from bossbot.domain.decision import Decision
from bossbot.domain.events import Source
from bossbot.domain.planning import close_task_set
from bossbot.domain.retries import drop_unclaimed, fail_running, go_on
from bossbot.domain.state import WorkerState

TASK_TOOLS = frozenset({"TaskCreate"})


def update_capabilities(d: Decision, command: c.UpdateCapabilities) -> None:
    """Records what the agent CLI can do, when that is news; it has what it was told, and begins."""
    worker = d.state.worker
    if worker is None or _differ(worker, command):
        d.emit(
            Source.WORKER,
            ev.WorkerCapabilitiesUpdated(
                worker_id=command.worker_id,
                capabilities=command.capabilities,
                agent_session_id=command.agent_session_id,
                dialect=command.dialect,
                model=command.model,
                workflows=command.workflows,
                joins_mid_turn=command.joins_mid_turn,
                hostname=command.host.hostname,
                os=command.host.os,
                shell=command.host.shell,
                workspace=command.workspace,
            ),
        )
    accept_native(d)
    status = "busy" if d.state.busy else "idle"
    now = d.state.worker
    if worker is None or now is None or now.status != status:
        task = d.state.running_native()
        beat = ev.WorkerHeartbeat(
            worker_id=command.worker_id,
            status=status,
            current_task_id=task.id if task else None,
            load=1.0 if d.state.busy else 0.0,
        )
        d.emit(Source.WORKER, beat)


def _differ(worker: WorkerState, command: c.UpdateCapabilities) -> bool:
    known = (worker.worker_id, worker.agent_session_id, worker.model, worker.workflows, worker.joins_mid_turn)
    news = (command.worker_id, command.agent_session_id, command.model, command.workflows, command.joins_mid_turn)
    return known != news or worker.workspace != command.workspace


def add_text(d: Decision, command: c.AddManagerText) -> None:
    """The manager says something."""
    accept_native(d)
    if command.content.strip():
        said = ev.SessionMessageAdded(id=command.message_id, role="manager", channel="agent", content=command.content)
        d.emit(Source.MANAGER, said)


def begin_text(d: Decision, command: c.BeginText) -> None:
    """A text is being written. One that came already, or that no turn writes, is no news."""
    turn = d.state.turn
    if turn is not None and turn.writing != command.message_id and not d.state.said(command.message_id):
        d.emit(Source.MANAGER, ev.SessionMessageStarted(id=command.message_id))


def request_tool_call(d: Decision, command: c.RequestToolCall) -> None:
    """A tool call begins. One that is announced twice is one."""
    if command.tool_use_id in d.state.open_tools:
        return
    if command.tool not in TASK_TOOLS and command.within is None:
        close_task_set(d)
    accept_native(d)
    d.emit(
        Source.MANAGER if command.within is None else Source.WORKER,
        ev.ToolCallRequested(
            tool_use_id=command.tool_use_id,
            tool=command.tool,
            input_preview=command.input_preview,
            within=command.within,
        ),
    )


def finish_tool_call(d: Decision, command: c.FinishToolCall) -> None:
    """A tool call ends."""
    d.emit(
        Source.WORKER,
        ev.ToolCallFinished(
            tool_use_id=command.tool_use_id,
            tool=d.state.open_tools.get(command.tool_use_id, ""),
            is_error=command.is_error,
            output_preview=command.output_preview,
            output_bytes=command.output_bytes,
            output_sha256=command.output_sha256,
            within=command.within,
        ),
    )


def request_approval(d: Decision, command: c.RequestApproval) -> None:
    """A decision is needed. What was allowed for the session before is allowed at once, and that is recorded too; not
    while everything is being stopped: whoever said stop meant this as well.
    """
    if any(a.request_id == command.request_id for a in d.state.pending_approvals):
        return
    accept_native(d)
    task = d.state.running_native()
    requested = ev.ApprovalRequested(
        id=command.approval_id,
        session_id=d.state.id,
        task_id=task.id if task else None,
        kind=command.kind,
        summary=command.summary,
        risk_level=command.risk_level,
        request_id=command.request_id,
        tool=command.tool,
        tool_use_id=command.tool_use_id,
        description=command.description,
        detail=command.detail,
        detail_language=command.detail_language,
        fingerprint=command.fingerprint,
        questions=command.questions,
        risks=command.risks,
    )
    d.request(Source.MANAGER, requested, task.id if task else None)
    stopping = d.state.turn is not None and d.state.turn.interrupted
    if command.fingerprint and command.fingerprint in d.state.session_allows and not stopping:
        remembered = ev.ApprovalApproved(
            id=command.approval_id,
            action="approve_for_session",
            actor="system",
            actor_name="an earlier “allow for this session”",
        )
        d.settle(Source.SYSTEM, remembered, task.id if task else None)


def record_ruling(d: Decision, command: c.RecordRuling) -> None:
    """What the rules let through, or not, without a person."""
    ruled = ev.ToolCallRuled(
        tool=command.tool,
        ruling=command.ruling,
        tool_use_id=command.tool_use_id,
        request_id=command.request_id,
        summary=command.summary,
        detail=command.detail,
    )
    task = d.state.running_native()
    d.emit(Source.SYSTEM, ruled, task.id if task else None)


def withdraw_approval(d: Decision, command: c.WithdrawApproval) -> None:
    """The agent CLI took its request back."""
    for approval in d.state.pending_approvals:
        if approval.request_id == command.request_id:
            withdrawn = ev.ApprovalWithdrawn(id=approval.id, reason=command.reason)
            d.settle(Source.SYSTEM, withdrawn, approval.task_id)


def begin_own_turn(d: Decision, command: c.BeginOwnTurn) -> None:
    """The CLI works by itself, after a background task has ended."""
    if d.state.turn is None:
        d.emit(Source.MANAGER, ev.SessionTurnStarted(turn_id=command.turn_id, content=""))


def delay_turn(d: Decision, command: c.DelayTurn) -> None:
    """The turn waits for the model's provider."""
    turn = d.state.turn
    if turn is not None:
        delayed = ev.SessionTurnDelayed(
            turn_id=turn.id,
            attempt=command.attempt,
            max_retries=command.max_retries,
            retry_delay_ms=command.retry_delay_ms,
            error_status=command.error_status,
            error=command.error,
        )
        d.emit(Source.WORKER, delayed)


def end_turn(d: Decision, command: c.EndTurn) -> None:
    """The turn is over; what waited is handed over now."""
    close_task_set(d)
    accept_native(d)
    turn = d.state.turn
    stopped = turn is not None and turn.interrupted
    retryable = command.retryable and turn is not None and not stopped
    reason = " ".join(command.errors) or command.result
    if not stopped and command.outcome == "error":
        fail_running(d, reason, retryable=retryable)
    if retryable:
        reject_assigned(d, reason)
    finished = ev.SessionTurnFinished(
        turn_id=turn.id if turn else None,
        outcome="interrupted" if stopped else command.outcome,
        result=command.result,
        errors=command.errors,
        duration_ms=command.duration_ms,
        total_cost_usd=command.total_cost_usd,
        input_tokens=command.input_tokens,
        output_tokens=command.output_tokens,
        retryable=retryable,
    )
    d.emit(Source.MANAGER, finished)
    if not d.state.running_background:
        d.withdraw_approvals("the turn ended without it")
    if turn is not None and d.state.worker is not None and not d.state.running_background:
        d.emit(Source.WORKER, ev.WorkerHeartbeat(worker_id=d.state.worker.worker_id, status="idle", load=0.0))
    if retryable:
        return  # taken up again after a pause, with what waits
    drop_unclaimed(d)
    go_on(d, command.next_turn_id)
