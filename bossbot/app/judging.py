"""Judging: what a held message means for the plan. The planner is asked outside the mailbox; its verdict comes back as
a command, so that a slow model holds up nobody.
"""

import asyncio
import logging
from collections.abc import Callable

from bossbot.app.mailbox import Change, Mailbox
from bossbot.app.sessions import Sessions, Spawn
from bossbot.domain import commands as c
from bossbot.domain.errors import DomainError
from bossbot.domain.events import NewTask, SessionMessageAdded
from bossbot.domain.state import Said, SessionState
from bossbot.domain.task import Task
from bossbot.ids import DiffId, MessageId, Mint, SessionId
from bossbot.intent.planner import Planner
from bossbot.intent.types import Board, BoardTask, Verdict

log = logging.getLogger(__name__)

PlannerOf = Callable[[SessionState], Planner]
"""Who judges the messages of this session."""


class Judging:
    """Asks the planner for each held message, once. A session's messages are judged one after the other: the second
    may take back the first, and the manager reads them in the order in which they were written.
    """

    def __init__(self, planner_of: PlannerOf, sessions: Sessions, mint: Mint, spawn: Spawn) -> None:
        self._planner_of, self._sessions, self._mint, self._spawn = planner_of, sessions, mint, spawn
        self._asked: set[MessageId] = set()
        self._in_order: dict[SessionId, asyncio.Lock] = {}

    def react(self, change: Change) -> None:
        """Starts judging what has just been held back."""
        for event in change.events:
            if isinstance(event.payload, SessionMessageAdded):
                self.consider(change.after)

    def consider(self, state: SessionState) -> None:
        """Judges every held message that nobody judges yet; after a restart, those that were being judged."""
        for said in state.held.values():
            if said.id not in self._asked:
                self._asked.add(said.id)
                self._spawn(self._judge(state.id, said), name=f"judge {said.id}")

    async def _judge(self, session_id: SessionId, said: Said) -> None:
        """What fails here leaves the message held: it is judged with the next one, or after a restart."""
        try:
            async with self._in_order.setdefault(session_id, asyncio.Lock()):
                await self._judge_now(await self._sessions.get(session_id), said)
        except Exception:  # one message that cannot be judged ends nothing else
            log.exception("message %s was not judged", said.id)
        finally:
            self._asked.discard(said.id)

    async def _judge_now(self, mailbox: Mailbox, said: Said) -> None:
        verdict = await self._planner_of(mailbox.state).judge(said.content, board(mailbox.state))
        try:
            await mailbox.tell(self._command(said.id, verdict))
        except DomainError as error:
            await self._pass_on(mailbox, said.id, str(error))

    async def _pass_on(self, mailbox: Mailbox, message_id: MessageId, note: str) -> None:
        """The board moved while the planner thought: the message goes on without a diff."""
        if message_id in mailbox.state.held:
            plain = c.ClassifyMessage(
                message_id=message_id,
                turn_id=self._mint("turn"),
                diff_id=DiffId(self._mint("diff")),
                intent="",
                objective_change=False,
                judged_by="none",
                note=note,
            )
            await mailbox.tell(plain)

    def _command(self, message_id: MessageId, verdict: Verdict) -> c.ClassifyMessage:
        diff = verdict.diff
        unclear = verdict.abstain and (diff is None or diff.empty)
        return c.ClassifyMessage(
            message_id=message_id,
            turn_id=self._mint("turn"),
            diff_id=DiffId(self._mint("diff")),
            intent=verdict.intent,
            objective_change=verdict.objective_change,
            judged_by=verdict.source,
            objective="" if unclear else verdict.objective or "",
            change_reason=diff.change_reason if diff is not None else "",
            cancel_tasks=diff.cancel_tasks if diff is not None else (),
            pause_tasks=diff.pause_tasks if diff is not None else (),
            reprioritize_tasks=diff.reprioritize_tasks if diff is not None else (),
            create_tasks=tuple(NewTask(title=t.title, kind=t.kind, priority=t.priority) for t in diff.create_tasks)
            if diff is not None
            else (),
            condition=diff.condition if diff is not None else None,
            note=verdict.note,
        )


def board(state: SessionState) -> Board:
    """The board as the planner sees it: the live tasks, what waits for an answer, and the manager's last words."""
    waiting = state.pending_approvals
    last = next((said.content for said in reversed(state.recent) if said.role == "manager"), "")
    return Board(
        objective=state.objective,
        tasks=tuple(BoardTask(t.id, _name(t), t.status.value, t.kind, t.priority) for t in state.live_tasks),
        pending_question=waiting[0].summary if waiting else None,
        last_manager_line=last[-500:],
    )


def _name(task: Task) -> str:
    """People say “the survey workflow”, or only “the workflow”: its kind is part of its name."""
    plain = task.origin != "workflow" or "workflow" in task.title.casefold()
    return task.title if plain else f"{task.title} workflow"
