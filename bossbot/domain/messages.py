"""A person's message: an answer while a question waits, else work for the manager."""

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.approval import QUESTION
from bossbot.domain.decision import Decision
from bossbot.domain.errors import DomainError, NotFound
from bossbot.domain.events import Source, Steering
from bossbot.domain.people import must_be_open, record_answer
from bossbot.domain.steering import hand_over


def add_message(d: Decision, command: c.AddMessage) -> None:
    """Adds it to the conversation, and hands it over as far as it need not be judged first."""
    must_be_open(d)
    if not command.content.strip():
        raise DomainError("an empty message says nothing; write a word")
    asked = next((a for a in d.state.pending_approvals if a.kind == QUESTION), None)
    question = None if command.insists else asked
    d.emit(
        Source.USER,
        ev.SessionMessageAdded(
            id=command.message_id,
            role="user",
            channel=command.channel,
            content=command.content,
            author=command.author,
            author_name=command.author_name,
            answers=question.id if question else None,
            steering=command.steering,
        ),
    )
    if question is not None:
        index = question.next_question() or 0
        record_answer(d, question.id, index, (command.content.strip(),), command.author, command.author_name)
        return
    at_once = command.insists and command.steering is not Steering.QUEUE
    if at_once or not (command.plan_first and d.state.live_tasks):
        _pass_on(d, command, "sent at once" if at_once else "no live tasks")


def _pass_on(d: Decision, command: c.AddMessage, note: str) -> None:
    """It goes to the manager without being judged."""
    plain = ev.SessionMessageClassified(
        message_id=command.message_id, intent="", objective_change=False, judged_by="none", note=note
    )
    d.emit(Source.SYSTEM, plain)
    hand_over(d, command.turn_id, command.steering, actor=command.author, actor_name=command.author_name)


def doubt_message(d: Decision, command: c.DoubtMessage) -> None:
    """Nobody knows whether it arrived: said once, however often the outbox meets it."""
    if command.message_id not in d.state.doubted:
        d.emit(Source.SYSTEM, ev.SessionMessageDoubted(message_id=command.message_id))


def repeat_message(d: Decision, command: c.RepeatMessage) -> None:
    """A person does not see it, and wants it again."""
    if command.message_id not in d.state.doubted:
        raise NotFound("this message is not known here")
    if not any(said.id == command.message_id for said in d.state.recent):
        raise NotFound("too much was said since; ask the manager to repeat it")
    repeated = ev.SessionMessageRepeated(
        message_id=command.message_id, actor=command.actor, actor_name=command.actor_name
    )
    d.emit(Source.USER, repeated)
