"""What people wish: to begin, to decide, to stop."""

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.approval import QUESTION, ApprovalStatus
from bossbot.domain.decision import Decision
from bossbot.domain.errors import DomainError, NotFound
from bossbot.domain.events import Source
from bossbot.domain.stopping import stop_all
from bossbot.ids import ApprovalId

DONE = -1
"""The option index that ends a multiple choice."""

TITLE_CHARS = 80


def short_title(text: str) -> str:
    """The words on one line, as a title shows them."""
    title = " ".join(text.split())
    return title if len(title) <= TITLE_CHARS else f"{title[:TITLE_CHARS]}…"


def open_session(d: Decision, command: c.OpenSession) -> None:
    """A new session, bound to the thread it was opened in."""
    if d.state.status != "new":
        raise DomainError("this session is already open")
    title = command.title.strip() or "Untitled"
    d.emit(Source.USER, ev.SessionCreated(title=title, active_objective=command.objective))
    d.emit(
        Source.SYSTEM,
        ev.SessionThreadBound(channel=command.channel, chat=command.chat, thread=command.thread),
    )


def approve(d: Decision, command: c.Approve) -> None:
    """Yes. A question cannot be approved, only answered."""
    approval = d.approval(command.approval_id)
    approval.check(ApprovalStatus.APPROVED)
    if approval.kind == QUESTION:
        raise DomainError("this is a question: choose an answer or write one")
    d.settle(
        Source.USER,
        ev.ApprovalApproved(id=approval.id, action=command.action, actor=command.actor, actor_name=command.actor_name),
        approval.task_id,
    )


def reject(d: Decision, command: c.Reject) -> None:
    """No, with the reason that the agent reads. The task goes on without it, or, to be stopped, is cancelled."""
    approval = d.approval(command.approval_id)
    approval.check(ApprovalStatus.REJECTED)
    reason = command.reason.strip() or f"Rejected by {command.actor_name}. Do not run it; ask what to do instead."
    rejected = ev.ApprovalRejected(
        id=approval.id,
        actor=command.actor,
        actor_name=command.actor_name,
        reason=reason,
        action="reject_and_stop" if command.stop else "reject",
    )
    if not command.stop:
        d.settle(Source.USER, rejected, approval.task_id)
        return
    d.emit(Source.USER, rejected, approval.task_id)
    stopped = f"rejected and stopped by {command.actor_name}"
    if approval.task_id is not None and d.task(approval.task_id).live:
        d.emit(Source.USER, ev.TaskCancelled(reason=stopped), approval.task_id)
    stop_all(d, stopped, command.actor, command.actor_name, command.turn_id)


def expire_approval(d: Decision, command: c.ExpireApproval) -> None:
    """Nobody decided in time: the agent reads a no."""
    approval = d.approval(command.approval_id)
    approval.check(ApprovalStatus.EXPIRED)
    reason = f"Nobody decided within {command.after_s:g} seconds. Do not run it; say what you would have done."
    d.settle(Source.SYSTEM, ev.ApprovalExpired(id=approval.id, reason=reason), approval.task_id)


def answer_question(d: Decision, command: c.AnswerQuestion) -> None:
    """One answer. A single choice is final; a multiple choice toggles until it is done."""
    approval = d.approval(command.approval_id)
    approval.check(ApprovalStatus.APPROVED)
    if not 0 <= command.question_index < len(approval.questions):
        raise NotFound("this question is not part of the request")
    question = approval.questions[command.question_index]
    chosen = approval.choices.get(command.question_index, ())
    if command.option is None:
        labels: tuple[str, ...] = (command.text.strip(),)
    elif command.option == DONE:
        labels = chosen
    elif 0 <= command.option < len(question.options):
        label = question.options[command.option].label
        if question.multi_select:
            toggled = tuple(x for x in chosen if x != label) if label in chosen else (*chosen, label)
            d.emit(
                Source.USER,
                ev.ApprovalAnswered(
                    id=approval.id,
                    question_index=command.question_index,
                    labels=toggled,
                    actor=command.actor,
                    final=False,
                ),
            )
            return
        labels = (label,)
    else:
        raise NotFound("this answer is not one of the choices")
    if not any(labels):
        raise DomainError("an empty answer is no answer; choose or write one")
    record_answer(d, approval.id, command.question_index, labels, command.actor, command.actor_name)


def record_answer(
    d: Decision, approval_id: ApprovalId, index: int, labels: tuple[str, ...], actor: str, name: str
) -> None:
    """One question is answered; with the last one the request is."""
    d.emit(Source.USER, ev.ApprovalAnswered(id=approval_id, question_index=index, labels=labels, actor=actor))
    approval = d.approval(approval_id)
    if approval.next_question() is not None:
        return
    answers = {q.question: ", ".join(approval.answers[i]) for i, q in enumerate(approval.questions)}
    d.settle(
        Source.USER,
        ev.ApprovalApproved(id=approval.id, actor=actor, actor_name=name, answers=answers),
        approval.task_id,
    )


def close_session(d: Decision, command: c.CloseSession) -> None:
    """End the session; a running one must be stopped first."""
    must_be_open(d)
    if d.state.busy:
        raise DomainError("the manager is working; stop it first")
    if d.state.held:
        raise DomainError("a message is still being judged; try again in a moment")
    d.withdraw_approvals("the session was closed")
    d.emit(Source.USER, ev.SessionClosed(reason=command.reason))


def rename_session(d: Decision, command: c.RenameSession) -> None:
    """Another title; the objective stays."""
    must_be_open(d)
    title = short_title(command.title)
    if not title:
        raise DomainError("a title needs a word: /rename Fix the login")
    d.emit(Source.USER, ev.SessionRenamed(title=title, previous=d.state.title))


def archive_session(d: Decision, command: c.ArchiveSession) -> None:
    """Put away for good."""
    if d.state.status == "active":
        close_session(d, c.CloseSession(command.reason))
    if d.state.status != "closed":
        raise DomainError("there is no session to archive" if d.state.status == "new" else "it is already archived")
    d.emit(Source.USER, ev.SessionArchived(reason=command.reason))


def must_be_open(d: Decision) -> None:
    """Refuses what a closed session can no longer do."""
    if d.state.status != "active":
        raise DomainError("this session is closed")
