"""A session under test: commands in, events out, with its whole log kept."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.approval import Approval
from bossbot.domain.errors import DomainError
from bossbot.domain.evolve import evolve
from bossbot.domain.session import decide
from bossbot.domain.state import SessionState
from bossbot.domain.task import Task
from bossbot.ids import ApprovalId, DiffId, EventId, MessageId, SessionId, TaskId, WorkerId

SESSION = SessionId("ps_1")
WORKER = WorkerId("worker_1")
BEGUN = ["task.assigned", "worker.assignment.accepted", "task.started"]
"""How a queued task begins."""
MAX_RETRIES = 3
BEGIN = datetime(2026, 3, 23, 12, 0, tzinfo=UTC)


class Session:
    """Decides, seals and evolves like the app does. `tell` gives the payloads that a command caused."""

    def __init__(self, *, opened: bool = True) -> None:
        self.state = SessionState(id=SESSION)
        self.log: list[ev.Event] = []
        if opened:
            self.tell(c.OpenSession("Fix the build", "telegram", "-100", None, "a green build"))

    def tell(self, command: c.Command) -> list[ev.Payload]:
        decided = decide(self.state, command)
        for new in decided:
            number = len(self.log) + 1
            event = new.sealed(EventId(f"evt_{number}"), SESSION, BEGIN + timedelta(seconds=number))
            self.state = evolve(self.state, event)
            self.log.append(event)
        return [new.payload for new in decided]

    def refuses(self, command: c.Command, error: type[DomainError] = DomainError) -> str:
        """The sentence of the refusal; the session must be as before it."""
        before, events = self.state, len(self.log)
        with pytest.raises(error) as caught:
            self.tell(command)
        assert self.state == before
        assert len(self.log) == events
        return str(caught.value)

    # --- what tests say often ---

    def recover(self, number: int = 1, reason: str = "the bot was restarted", *, gone: bool = True) -> list[ev.Payload]:
        """What failed is taken up again, as turn `turn_again_{number}`."""
        command = c.Recover(f"turn_again_{number}", f"blk_{number}", reason, MAX_RETRIES, process_gone=gone)
        return self.tell(command)

    def say(self, text: str, number: int = 1, *, name: str = "Ada", plan_first: bool = False) -> list[ev.Payload]:
        message_id = MessageId(f"msg_{number}")
        author = f"telegram:{name}"
        return self.tell(c.AddMessage(message_id, f"turn_{number}", "telegram", text, author, name, plan_first))

    def end_turn(self, next_turn: str = "turn_next", outcome: str = "success") -> list[ev.Payload]:
        assert outcome in ("success", "error", "interrupted")
        return self.tell(c.EndTurn(next_turn, outcome))  # type: ignore[arg-type]

    def add_task(self, number: int, title: str = "") -> TaskId:
        """A task of the manager's own list, `queued`."""
        task_id = TaskId(f"task_{number}")
        self.tell(c.CreateNativeTask(task_id, f"wa_{number}", "plan_1", str(number), title or f"Task {number}"))
        return task_id

    def update_task(self, number: int, status: str) -> list[ev.Payload]:
        return self.tell(c.UpdateNativeTask(str(number), WORKER, f"wa_{number}", status))

    def start_workflow(self, ref: str = "w1", task_type: str = "local_workflow") -> TaskId:
        task_id = TaskId(f"task_{ref}")
        self.tell(c.StartBackgroundTask(task_id, f"wa_{ref}", WORKER, ref, task_type, "Gather and write"))
        return task_id

    def ask(self, number: int = 1, *, fingerprint: str = "", questions: tuple[ev.Question, ...] = ()) -> ApprovalId:
        """An approval waits: of `rm -rf build-cache`, or of an answer."""
        approval_id = ApprovalId(f"apr_{number}")
        self.tell(
            c.RequestApproval(
                approval_id=approval_id,
                request_id=f"req_{number}",
                tool="AskUserQuestion" if questions else "Bash",
                kind="question" if questions else "dangerous_command",
                summary="rm -rf build-cache",
                risk_level="high",
                fingerprint=fingerprint or f"print_{number}",
                detail=f"rm -rf build-cache-{number}",
                questions=questions,
            )
        )
        return approval_id

    def propose(self, **changes: Any) -> DiffId:
        """A plan diff waits, from the held message `msg_9`."""
        self.say("drop the cache work", 9, plan_first=True)
        self.tell(verdict(**changes))
        return DiffId("diff_1")

    def task(self, number: int) -> Task:
        return self.state.tasks[TaskId(f"task_{number}")]

    def approval(self, number: int = 1) -> Approval:
        return self.state.approvals[ApprovalId(f"apr_{number}")]


def verdict(message: int = 9, diff: str = "diff_1", **changes: Any) -> c.ClassifyMessage:
    """The planner's verdict on a held message: an objective change, unless `changes` says otherwise."""
    fields: dict[str, Any] = {
        "message_id": MessageId(f"msg_{message}"),
        "turn_id": f"turn_{message}",
        "diff_id": DiffId(diff),
        "intent": "change_plan",
        "objective_change": True,
        "judged_by": "rules",
        "change_reason": "the cache no longer matters",
    }
    return c.ClassifyMessage(**{**fields, **changes})


def of_type(payloads: list[ev.Payload], kind: type[ev.Payload]) -> list[ev.Payload]:
    return [payload for payload in payloads if isinstance(payload, kind)]


def kinds(payloads: list[ev.Payload]) -> list[str]:
    return [payload.TYPE for payload in payloads]
