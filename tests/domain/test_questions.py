"""Questions of the agent: answered by a choice, by several, or in words; never by nothing; decided once."""

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.approval import ApprovalStatus
from bossbot.domain.errors import AlreadyDecided, DomainError, NotFound
from bossbot.domain.people import DONE
from bossbot.ids import ApprovalId, MessageId

from .harness import Session, kinds

COLOUR = ev.Question(
    question="Which colour?", options=(ev.QuestionOption(label="red"), ev.QuestionOption(label="blue"))
)
PARTS = ev.Question(
    question="Which parts?",
    multi_select=True,
    options=tuple(ev.QuestionOption(label=label) for label in ("api", "cache", "ui")),
)


def asked(*questions: ev.Question) -> Session:
    session = Session()
    session.say("paint it")
    session.ask(questions=questions)
    return session


def answer(question: int, option: int | None = None, text: str = "") -> c.AnswerQuestion:
    return c.AnswerQuestion(ApprovalId("apr_1"), question, "telegram:1", "Ada", option, text)


def answers(session: Session) -> dict[str, str]:
    approved = session.log[-1].payload
    assert isinstance(approved, ev.ApprovalApproved)
    return approved.answers


def test_a_choice_answers_a_single_question_for_good() -> None:
    session = asked(COLOUR)
    session.tell(answer(0, 1))
    assert answers(session) == {"Which colour?": "blue"}
    session.refuses(answer(0, 0), AlreadyDecided)


def test_words_of_ones_own_answer_too() -> None:
    session = asked(COLOUR)
    session.tell(answer(0, text="  a warm grey "))
    assert answers(session) == {"Which colour?": "a warm grey"}


def test_a_message_while_a_question_waits_is_its_answer_and_no_new_work() -> None:
    session = asked(COLOUR)
    told = session.say("green, please", 2)
    assert kinds(told) == ["session.message.added", "approval.answered", "approval.approved"]
    assert answers(session) == {"Which colour?": "green, please"}
    assert (session.state.queue, session.state.held) == ((), {})


@pytest.mark.parametrize("blank", ["", "   ", "\n\t"])
def test_a_blank_answer_is_refused(blank: str) -> None:
    session = asked(COLOUR)
    session.refuses(answer(0, text=blank))
    session.refuses(c.AddMessage(MessageId("msg_2"), "turn_2", "telegram", blank, "telegram:1", "Ada"))
    assert session.approval().pending


def test_a_choice_that_is_not_offered_is_refused() -> None:
    session = asked(COLOUR)
    for wrong in (2, 99, -2):
        session.refuses(answer(0, wrong), NotFound)


def test_a_question_that_was_not_asked_is_refused() -> None:
    session = asked(COLOUR)
    for wrong in (1, -1):
        session.refuses(answer(wrong, 0), NotFound)


def test_several_questions_wait_until_each_has_its_answer_in_any_order() -> None:
    session = asked(COLOUR, PARTS, COLOUR.model_copy(update={"question": "And the door?"}))
    session.tell(answer(2, 0))
    session.tell(answer(0, 1))
    assert session.approval().pending
    session.tell(answer(1, text="all"))
    assert answers(session) == {"Which colour?": "blue", "Which parts?": "all", "And the door?": "red"}


def test_messages_answer_several_questions_in_their_order() -> None:
    session = asked(COLOUR, COLOUR.model_copy(update={"question": "And the door?"}))
    session.say("blue", 2)
    assert session.approval().pending
    session.say("white", 3)
    assert answers(session) == {"Which colour?": "blue", "And the door?": "white"}


def test_a_multiple_choice_toggles_until_it_is_done() -> None:
    session = asked(PARTS)
    for option in (0, 2, 1, 2):
        session.tell(answer(0, option))
        assert session.approval().pending
    session.tell(answer(0, DONE))
    assert answers(session) == {"Which parts?": "api, cache"}


def test_a_multiple_choice_of_nothing_cannot_be_done() -> None:
    session = asked(PARTS)
    session.refuses(answer(0, DONE))
    session.tell(answer(0, 1))
    session.tell(answer(0, 1))
    session.refuses(answer(0, DONE))
    assert session.approval().pending


def test_a_single_choice_cannot_be_done_without_a_choice() -> None:
    asked(COLOUR).refuses(answer(0, DONE))


def test_a_question_can_be_rejected_but_not_approved() -> None:
    session = asked(COLOUR)
    session.refuses(c.Approve(ApprovalId("apr_1"), "telegram:1", "Ada"), DomainError)
    session.tell(c.Reject(ApprovalId("apr_1"), "telegram:1", "Ada", "ask me tomorrow"))
    assert session.approval().status is ApprovalStatus.REJECTED


def test_a_second_person_who_answers_late_hears_who_was_first() -> None:
    session = asked(COLOUR)
    session.tell(answer(0, 0))
    sentence = session.refuses(c.AnswerQuestion(ApprovalId("apr_1"), 0, "telegram:2", "Bob", 1), AlreadyDecided)
    assert "Already answered by Ada" in sentence


def test_a_question_that_became_void_takes_no_answer_and_the_message_is_new_work() -> None:
    session = asked(COLOUR)
    session.end_turn()
    session.refuses(answer(0, 0), AlreadyDecided)
    assert "session.turn.started" in kinds(session.say("blue", 2))


def test_a_choice_that_is_not_done_does_not_let_another_answer_finish_the_request() -> None:
    session = asked(COLOUR, PARTS)
    session.tell(answer(1, 0))
    session.tell(answer(0, 0))
    assert session.approval().pending
    session.tell(answer(1, 1))
    session.tell(answer(1, DONE))
    assert answers(session) == {"Which colour?": "red", "Which parts?": "api, cache"}
