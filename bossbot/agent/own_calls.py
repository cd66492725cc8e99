"""Calls of our own tools: what each wants of the session, and how what the session decided goes back as its answer."""

from dataclasses import dataclass, field
from typing import assert_never

from bossbot.agent.context import Context
from bossbot.agent.mcp import Answer, BossServer, Call, Cancelled
from bossbot.agent.own_tools import AskUser, PlanCreate, ReportProgress, TaskUpdate
from bossbot.agent.reading import McpReply, NotServed, Reading
from bossbot.domain import commands as c
from bossbot.domain.events import Question, QuestionOption
from bossbot.domain.own_tools import ASK_USER, SERVER, qualified
from bossbot.ids import ApprovalId, TaskId
from bossbot.streamjson import frames as f

TAKEN_BACK = "the agent took the question back"


@dataclass(slots=True)
class OwnCalls:
    """Reads `mcp_message`. A question waits in `pending`, as a permission does, until the session has its answer."""

    context: Context
    pending: dict[str, f.ControlRequest]
    _server: BossServer = field(default_factory=BossServer)

    def read(self, frame: f.ControlRequest, request: f.McpMessage, out: Reading) -> None:
        """A message of the CLI's client to one of our servers."""
        if request.server_name != SERVER:
            out.replies.append(NotServed(frame.request_id, f"no server {request.server_name[:80]} here"))
            return
        match self._server.read(frame.request_id, request.message):
            case Answer(request_id=request_id, response=response):
                out.replies.append(McpReply(request_id, response))
            case Cancelled(request_id=request_id, noted=noted):
                out.replies.append(McpReply(noted.request_id, noted.response))
                self._cancelled(request_id, out)
            case Call() as call:
                self._called(frame, call, out)

    def answer(self, request_id: str, text: str, *, is_error: bool = False) -> list[McpReply]:
        """What is to be written when the session has answered a call."""
        self.pending.pop(request_id, None)
        return [McpReply(a.request_id, a.response) for a in self._server.answer(request_id, text, is_error=is_error)]

    def _cancelled(self, request_id: str, out: Reading) -> None:
        if request_id in self.pending:
            out.commands.append(c.WithdrawApproval(request_id, TAKEN_BACK))
        out.replies += self.answer(request_id, "This call was cancelled.", is_error=True)

    def _called(self, frame: f.ControlRequest, call: Call, out: Reading) -> None:
        match call.arguments:
            case PlanCreate() as plan:
                out.commands.append(self._plan(call.request_id, plan))
            case TaskUpdate() as update:
                out.commands.append(self._update(call.request_id, update))
            case ReportProgress() as report:
                out.commands.append(self._report(call.request_id, report))
            case AskUser() as question:
                self.pending[call.request_id] = frame
                out.commands.append(self._ask(call.request_id, question))
            case never:
                assert_never(never)

    def _plan(self, request_id: str, plan: PlanCreate) -> c.CreatePlan:
        context = self.context
        entries = tuple(
            c.PlanEntry(
                task_id=TaskId(context.mint("task")),
                title=context.clean(item.title),
                kind=context.clean(item.kind),
                priority=item.priority,
                depends_on=tuple(map(context.clean, item.depends_on)),
                parent=context.clean(item.parent),
                risk_level=item.risk_level,
                execution_mode=item.execution_mode,
                shared_context_refs=tuple(map(context.clean, item.shared_context_refs)),
                handoff_expected=item.handoff_expected,
            )
            for item in plan.tasks
        )
        return c.CreatePlan(request_id, entries, context.clean(plan.objective))

    def _update(self, request_id: str, update: TaskUpdate) -> c.UpdateTask:
        return c.UpdateTask(
            request_id=request_id,
            task=self.context.clean(update.task),
            worker_id=self.context.worker_id,
            assignment_id=self.context.mint("wa"),
            status=update.status,
            note=self.context.clean(update.note),
            progress_percent=update.progress_percent,
        )

    def _report(self, request_id: str, report: ReportProgress) -> c.ReportProgress:
        clean = self.context.clean
        return c.ReportProgress(
            request_id=request_id,
            task=clean(report.task),
            summary=clean(report.summary),
            progress_percent=report.progress_percent,
            current_step=clean(report.current_step),
            next_step=clean(report.next_step),
            risk=report.risk,
        )

    def _ask(self, request_id: str, asked: AskUser) -> c.RequestApproval:
        clean = self.context.clean
        options = tuple(QuestionOption(label=clean(o.label), description=clean(o.description)) for o in asked.options)
        question = Question(
            question=clean(asked.question),
            header=clean(asked.header),
            multi_select=asked.multi_select,
            options=options,
        )
        return c.RequestApproval(
            approval_id=ApprovalId(self.context.mint("apr")),
            request_id=request_id,
            tool=qualified(ASK_USER),
            kind="question",
            summary=question.question.split("\n", 1)[0][:120],
            risk_level="low",
            fingerprint="",
            questions=(question,),
        )
