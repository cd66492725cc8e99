"""A session as a reader with paper and pencil would keep it: words by id, from the events' JSON alone.

It knows no table and no code of the domain. It says what it expects of a command where that is plain to anybody, and
afterwards the real state must say what the paper says.
"""

from dataclasses import dataclass, field
from typing import Any

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.state import SessionState

TASK_WORDS = {
    "task.created": "planning",
    "task.queued": "queued",
    "task.assigned": "assigned",
    "task.started": "running",
    "task.resumed": "running",
    "task.blocked": "blocked",
    "task.paused": "paused",
    "task.waiting_approval": "waiting_approval",
    "task.completed": "completed",
    "task.failed": "failed",
    "task.cancelled": "cancelled",
    "task.retried": "queued",
}
APPROVAL_WORDS = {
    "approval.requested": "pending",
    "approval.approved": "approved",
    "approval.rejected": "rejected",
    "approval.expired": "expired",
    "approval.withdrawn": "withdrawn",
}
SESSION_WORDS = {"session.created": "active", "session.closed": "closed", "session.archived": "archived"}


@dataclass
class Naive:
    status: str = "new"
    title: str = ""
    tasks: dict[str, str] = field(default_factory=dict)
    beside: set[str] = field(default_factory=set)
    approvals: dict[str, str] = field(default_factory=dict)
    questions: set[str] = field(default_factory=set)
    turn: str | None = None
    stopping: bool = False
    judged: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    handed_over: list[str] = field(default_factory=list)
    in_diffs: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    asks: str | None = None
    cut: bool = False
    assigned: set[str] = field(default_factory=set)
    again: set[str] = field(default_factory=set)
    """Tasks that failed for now, or were given back."""

    # --- what it expects ---

    def expects(self, command: c.Command) -> bool | None:
        """True: it happens; False: it is refused; None: not plain to everybody."""
        match command:
            case c.OpenSession():
                return self.status == "new"
            case c.AddMessage():
                return self.status == "active" and bool(command.content.strip())
            case c.Approve():
                return self._pending(command.approval_id) and command.approval_id not in self.questions
            case c.Reject() | c.ExpireApproval():
                return self._pending(command.approval_id)
            case c.RenameSession():
                return self.status == "active" and bool(command.title.strip())
            case c.CloseSession():
                return self._can_close()
            case c.ArchiveSession():
                return self._can_close() or self.status == "closed"
            case c.Interrupt():
                return not self.stopping and (self._busy() or self.cut or bool(self.again))
            case c.TryAgain() | c.GiveUp():
                return self.asks == command.blocked_id and self.status == "active"
            case _:
                return None

    def _pending(self, approval_id: str) -> bool:
        return self.approvals.get(approval_id) == "pending"

    def _busy(self) -> bool:
        working = ("running", "paused", "waiting_approval")
        return self.turn is not None or any(self.tasks[i] in working for i in self.beside)

    def _can_close(self) -> bool:
        return self.status == "active" and not self._busy() and not self.judged

    # --- what it writes down ---

    def note(self, event: ev.Event) -> None:
        p: dict[str, Any] = event.model_dump()["payload"]
        self.status = SESSION_WORDS.get(event.type, self.status)
        self.title = p["title"] if event.type in ("session.created", "session.renamed") else self.title
        if event.task_id is not None and event.type in TASK_WORDS:
            self.tasks[event.task_id] = TASK_WORDS[event.type]
            if p.get("origin") in ("workflow", "background"):
                self.beside.add(event.task_id)
            self._note_again(event.task_id, event.type, p)
        if event.type in APPROVAL_WORDS:
            self.approvals[p["id"]] = APPROVAL_WORDS[event.type]
            if p.get("kind") == "question":
                self.questions.add(p["id"])
        self._note_turn(event.type, p)
        self._note_message(event.type, p)

    def _note_again(self, task_id: str, kind: str, p: dict[str, Any]) -> None:
        if kind == "task.assigned":
            self.assigned.add(task_id)
        if (kind == "task.failed" and p["retryable"]) or (kind == "task.queued" and task_id in self.assigned):
            self.again.add(task_id)
        elif kind != "task.blocked":
            self.again.discard(task_id)

    def _note_turn(self, kind: str, p: dict[str, Any]) -> None:
        match kind:
            case "session.turn.started":
                assert self.turn is None, "two turns at once"
                self.turn, self.stopping = p["turn_id"], False
                self.cut = self.cut and not p["content"]
            case "session.turn.finished":
                self.cut = self.cut or p["outcome"] == "lost" or (p["retryable"] and self.turn is not None)
                self.turn, self.stopping = None, False
            case "session.interrupt.requested":
                self.stopping = self.turn is not None
            case "session.blocked":
                self.asks = p["id"]
            case "session.unblocked":
                self.asks = None
                self.cut = self.cut and p["how"] != "given_up"

    def _note_message(self, kind: str, p: dict[str, Any]) -> None:
        match kind:
            case "session.message.added" if p["role"] == "user" and not p["answers"]:
                self.said.append(p["id"])
                self.judged.append(p["id"])
            case "session.message.classified":
                self.judged.remove(p["message_id"])
                self.waiting.append(p["message_id"])
            case "plan.diff.generated" if p["message_id"]:
                self.waiting.remove(p["message_id"])
                self.in_diffs.append(p["message_id"])
            case "session.turn.started":
                self._hand_over(p["message_ids"])
            case "session.turn.steered" if p["how"] == "joined":
                self._hand_over(p["message_ids"])

    def _hand_over(self, ids: list[str]) -> None:
        for message_id in ids:
            self.waiting.remove(message_id)
            self.handed_over.append(message_id)

    # --- what the real state must say ---

    def check(self, state: SessionState) -> None:
        assert (state.status, state.title) == (self.status, self.title)
        assert {task.id: task.status.value for task in state.tasks.values()} == self.tasks
        assert {a.id: a.status.value for a in state.approvals.values()} == self.approvals
        assert (state.turn.id if state.turn is not None else None) == self.turn
        assert list(state.held) == self.judged
        assert [said.id for said in state.queue] == self.waiting
        assert state.busy == self._busy()
        assert (state.cut is not None) == self.cut
        everywhere = [*self.judged, *self.waiting, *self.in_diffs, *self.handed_over]
        assert sorted(everywhere) == sorted(self.said), "a message is lost, or stands twice"
