"""Intake: who may do what, which words are commands, and that nothing counts twice or for the wrong session."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bossbot.channel import ThreadRef, Unreachable
from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.approval import ApprovalStatus
from bossbot.ids import ApprovalId
from tests.app.desk import APPROVER, MEMBER, STRANGER, Desk, Platform, asking, desk, quiet, text_of

OTHER = ThreadRef("chat", "2")
GROUP = ThreadRef("chat", "group", "topic")


async def status(d: Desk, number: int = 1) -> ApprovalStatus:
    return (await d.state()).approvals[ApprovalId(f"apr_{number}")].status


async def ended(d: Desk) -> None:
    await d.agent(c.EndTurn("turn_next", "success"))


# --- strangers and roles ---


async def test_a_stranger_is_told_once_in_private_and_opens_nothing() -> None:
    async with desk() as d:
        await d.say("clean up", STRANGER)
        await d.say("clean up!", STRANGER)
        assert len(d.platform.texts) == 1
        assert "[channels.chat] members: 9" in d.platform.texts[0]
        assert await d.store.sessions() == []


async def test_in_a_group_a_stranger_meets_silence() -> None:
    async with desk() as d:
        await d.say("clean up", STRANGER, GROUP, private=False)
        assert d.platform.texts == []
        assert await d.store.sessions() == []


async def test_a_stranger_decides_nothing_in_an_owners_thread() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.asks()
        await d.say("approve", STRANGER)
        assert await d.press("Approve", STRANGER) == ("You are not on this bot's list, so nothing happened.", True)
        assert await status(d) is ApprovalStatus.PENDING


async def test_a_member_may_speak_and_stop_and_not_decide() -> None:
    async with desk() as d:
        await d.say("clean up", MEMBER)
        await d.asks()
        await d.say("approve", MEMBER)
        assert "Only approvers" in d.platform.texts[-1]
        assert await d.press("Approve", MEMBER) == ("Only approvers can decide this, so nothing happened.", True)
        assert await status(d) is ApprovalStatus.PENDING
        await d.say("/stop", MEMBER)
        assert await status(d) is ApprovalStatus.WITHDRAWN


async def test_the_same_id_on_another_channel_is_a_stranger() -> None:
    async with desk() as d:
        await d.say("clean up", thread=ThreadRef("elsewhere", "1"), private=False)
        assert await d.store.sessions() == []


async def test_what_nobody_addresses_to_us_is_not_heard_until_a_session_is_there_or_the_chat_is_listened_to() -> None:
    async with desk() as d:
        await d.say("lunch?", thread=GROUP, addressed=False, private=False)
        assert await d.store.sessions() == []
        await d.say("deploy", thread=ThreadRef("chat", "loud"), addressed=False, private=False)
        assert len(await d.store.sessions()) == 1


# --- words ---


async def test_approve_and_reject_as_words_decide_the_one_request_that_waits() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.asks(1)
        await d.say("Approve.", APPROVER)
        assert await status(d, 1) is ApprovalStatus.APPROVED
        await d.asks(2)
        await d.say("reject: use git clean instead", APPROVER)
        approval = (await d.state()).approvals[ApprovalId("apr_2")]
        assert (approval.status, approval.reason) == (ApprovalStatus.REJECTED, "use git clean instead")


async def test_a_word_that_was_written_before_the_request_decides_nothing() -> None:
    """A platform that was away delivers late: the word was meant for another request."""
    async with desk() as d:
        await d.say("clean up")
        await d.asks(1)
        await d.say("approve", APPROVER, sent_at=datetime.now(UTC) - timedelta(minutes=1))
        assert await status(d, 1) is ApprovalStatus.PENDING
        assert "read it first" in d.platform.texts[-1]


async def test_a_word_decides_nothing_while_several_requests_wait() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.asks(1)
        await d.asks(2)
        await d.say("approve")
        assert "Several requests wait" in d.platform.texts[-1]
        assert {await status(d, 1), await status(d, 2)} == {ApprovalStatus.PENDING}


async def test_a_request_whose_card_was_not_shown_yet_cannot_be_approved_by_word() -> None:
    async with desk() as d:
        await d.say("clean up")
        d.platform.troubles = [Unreachable("the network is away")]
        await d.asks()
        await d.say("approve")
        assert await status(d) is ApprovalStatus.PENDING
        assert "read it first" in d.platform.texts[-1]


async def test_approve_without_a_request_is_an_ordinary_message() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.say("approve")
        assert [said.content for said in (await d.state()).queue] == ["approve"]


async def test_a_question_is_answered_by_writing() -> None:
    async with desk() as d:
        await d.say("clean up")
        question = ev.Question(question="Which cache?", options=(ev.QuestionOption(label="build"),))
        await d.agent(
            c.RequestApproval(ApprovalId("apr_1"), "req_1", "AskUserQuestion", "question", "Which?", "low", "p",
                              questions=(question,))
        )  # fmt: skip
        await d.say("the one in /tmp", MEMBER)
        approval = (await d.state()).approvals[ApprovalId("apr_1")]
        assert approval.answers == {0: ("the one in /tmp",)}
        assert (await d.state()).queue == ()


async def test_stop_interrupts_once_and_says_when_nothing_runs() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.say("/stop")
        await d.say("stop")
        assert "already being stopped" in d.platform.texts[-1]
        await ended(d)
        await d.say("/stop")
        assert "Nothing is running" in d.platform.texts[-1]
        assert (await d.types()).count("session.interrupt.requested") == 1


async def test_new_closes_an_idle_session_and_the_next_message_opens_another() -> None:
    async with desk() as d:
        await d.say("clean up")
        first = await d.session()
        await d.say("/new")
        assert "stop it first" in d.platform.texts[-1]
        await ended(d)
        await d.say("/new")
        assert "Session closed" in d.platform.texts[-1]
        await d.say("something else")
        assert await d.session() != first


async def test_commands_where_nothing_runs_open_no_session() -> None:
    async with desk() as d:
        for word in ("/stop", "/status", "approve"):
            await d.say(word)
            assert d.platform.texts[-1] == "Nothing is running here."
        for word in ("/help", "/start", "/new", "   "):
            await d.say(word)
            assert text_of(next(reversed(d.platform.shown.values()))).startswith("bossbot")
        assert await d.store.sessions() == []


async def test_status_says_what_goes_on() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.asks()
        await d.say("/status")
        assert "Waiting for a decision: 1" in d.platform.texts[-1]
        assert "Manager: working" in d.platform.texts[-1]


async def test_an_empty_message_in_a_session_is_refused_in_words() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.say(" \n ")
        assert "empty message" in d.platform.texts[-1]


# --- once, and in one session ---


async def test_a_message_delivered_twice_counts_once() -> None:
    async with desk() as d:
        await d.say("clean up", delivery="same")
        await d.say("clean up", delivery="same")
        assert (await d.types()).count("session.message.added") == 1


async def test_a_press_delivered_twice_counts_once() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.asks()
        place = d.platform.with_button("Approve")
        assert await d.press_action(*place, delivery="same") == ("Approved.", False)
        assert await d.press_action(*place, delivery="same") == ("", False), "the second is the first one again"
        assert await d.press_action(*place, delivery="another") == ("Already approved by Ada.", True)
        assert await d.press_action(*place, delivery="another") == ("", False)
        assert (await d.types()).count("approval.approved") == 1


async def test_the_first_message_delivered_again_after_new_opens_no_session() -> None:
    async with desk() as d:
        await d.say("clean up", delivery="first")
        await ended(d)
        await d.say("/new")
        await d.say("clean up", delivery="first")
        assert len(await d.store.sessions()) == 1


async def test_two_first_messages_at_once_open_one_session() -> None:
    async with desk() as d:
        await asyncio.gather(d.say("clean up"), d.say("and be quick"), d.say("please", MEMBER))
        assert len(await d.store.sessions()) == 1
        assert (await d.types()).count("session.message.added") == 3


async def test_a_thread_under_a_known_message_of_a_private_chat_belongs_to_its_session() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.agent(c.AddManagerText(message_id="msg_said", content="Which cache?"))  # type: ignore[arg-type]
        post_id = next(reversed(d.platform.shown))
        await d.say("the build cache", thread=ThreadRef("chat", "1", post_id))
        assert len(await d.store.sessions()) == 1
        assert [said.content for said in (await d.state()).queue] == ["the build cache"]


async def test_in_a_group_a_thread_under_a_known_message_is_a_conversation_of_its_own() -> None:
    async with desk() as d:
        await d.say("clean up", thread=ThreadRef("chat", "group"), private=False)
        root = next(iter(d.store.data.messages)).message_id
        await d.say("and this?", thread=ThreadRef("chat", "group", root), private=False)
        assert len(await d.store.sessions()) == 2


# --- presses ---


@pytest.mark.parametrize("action", ["", "approve", "approve|", "launch|apr_1", "approve|a|b|c", "x" * 300])
async def test_a_press_that_we_never_drew_is_refused(action: str) -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.asks()
        post_id, _ = d.platform.with_button("Approve")
        assert await d.press_action(post_id, action) == ("This button is not known here.", True)
        assert await status(d) is ApprovalStatus.PENDING


async def test_a_press_on_a_post_of_no_session_is_refused() -> None:
    async with desk() as d:
        text, warn = await d.press_action("p77", "approve|apr_1", thread=ThreadRef("chat", "nowhere"))
        assert (text, warn) == ("This button is no longer in use.", True)


async def test_a_press_cannot_decide_a_request_of_another_session() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.asks(1)
        await d.say("another job", APPROVER, OTHER)
        await d.agent(asking(2), thread=OTHER)
        mine, _ = d.platform.with_button("Approve")
        first = next(iter(d.platform.shown))
        assert await d.press_action(mine, "approve|apr_1", thread=OTHER) == ("This request is not known here.", True)
        assert await d.press_action(first, "approve|apr_2") == ("This request is not known here.", True)
        assert await status(d) is ApprovalStatus.PENDING


async def test_an_old_button_says_what_became_of_its_request() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.asks()
        place = d.platform.with_button("Approve")
        await d.press("Reject", APPROVER)
        assert await d.press_action(*place) == ("Already rejected by Ben.", True)
        assert await status(d) is ApprovalStatus.REJECTED


async def test_the_stop_button_of_a_turn_that_has_ended_stops_no_later_one() -> None:
    async with desk() as d:
        await d.say("clean up")
        turn = (await d.state()).turn
        assert turn is not None
        await ended(d)
        await d.say("and now the tests")
        old = next(iter(d.platform.shown), "p1")
        assert await d.press_action(old, f"stop|{turn.id}") == ("This has already ended.", True)
        assert "session.interrupt.requested" not in await d.types()
        now = (await d.state()).turn
        assert now is not None
        assert await d.press_action(old, f"stop|{now.id}", MEMBER) == ("Stopping.", False)


async def test_a_malformed_answer_button_answers_nothing() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.asks()
        post_id, _ = d.platform.with_button("Approve")
        for argument in ("x", "0", "0.99", "-1.0", "0.0"):
            text, warn = await d.press_action(post_id, f"answer|apr_1|{argument}")
            assert warn, text
        assert await status(d) is ApprovalStatus.PENDING


async def test_a_reply_that_cannot_be_posted_does_not_undo_what_was_taken_in() -> None:
    platform = Platform()
    async with desk(platform=platform) as d:
        await d.say("clean up")
        platform.troubles = [Unreachable("away")]
        await d.say("/status")
        await quiet()
        await d.say("more")
        assert len((await d.state()).queue) == 1


async def test_each_reply_has_a_key_of_its_own_so_that_no_platform_takes_two_for_one() -> None:
    async with desk() as d:
        await d.say("/status")
        await d.say("/status")
        keys = [key for _, key in d.platform.calls]
        assert len(set(keys)) == 2
