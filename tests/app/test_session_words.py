"""Words about the session itself: another title, put away, and a rejection that stops everything."""

from bossbot.domain import commands as c
from bossbot.domain.approval import ApprovalStatus
from bossbot.ids import ApprovalId
from tests.app.desk import APPROVER, desk


async def test_a_session_gets_another_title_and_says_so() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.say("/rename Clean the build")
        assert d.platform.texts[-1] == "This session is now called “Clean the build”."
        assert (await d.state()).title == "Clean the build"
        [row] = await d.store.sessions()
        assert row.title == "Clean the build"


async def test_a_title_without_words_is_refused_and_nothing_is_said_to_the_agent() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.say("!rename")
        assert "A title needs a word" in d.platform.texts[-1]
        assert (await d.types()).count("session.message.added") == 1


async def test_an_archived_session_is_over_and_the_next_message_opens_another() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.agent(c.EndTurn("turn_x", "success"))
        await d.say("/archive")
        assert "archived" in d.platform.texts[-1]
        [row] = await d.store.sessions()
        assert row.status == "archived"
        assert await d.store.sessions(open_only=True) == []
        await d.say("and now something else")
        assert len(await d.store.sessions(open_only=True)) == 1


async def test_a_running_session_is_not_archived() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.say("/archive")
        assert "stop it first" in d.platform.texts[-1]


async def test_nothing_is_to_be_archived_or_renamed_where_no_session_is() -> None:
    async with desk() as d:
        await d.say("/archive")
        await d.say("/rename x")
        assert d.platform.texts == ["Nothing is running here.", "Nothing is running here."]


async def test_reject_and_stop_by_word_and_by_button_stop_what_runs() -> None:
    for by_word in (True, False):
        async with desk() as d:
            await d.say("clean up")
            await d.asks()
            if by_word:
                await d.say("reject and stop: wrong folder", APPROVER)
            else:
                assert await d.press("Reject and stop", APPROVER) == ("Rejected; everything is being stopped.", False)
            state = await d.state()
            assert state.approvals[ApprovalId("apr_1")].status is ApprovalStatus.REJECTED
            assert state.turn is not None
            assert state.turn.interrupted


async def test_try_again_and_give_up_are_buttons_of_the_card_that_asks() -> None:
    async with desk() as d:
        await d.say("clean up")
        for number in range(4):
            await d.agent(c.Recover(f"turn_{number}", f"blk_{number}", "it died", 3))
        assert await d.press("Try again") == ("Trying again.", False)
        assert (await d.state()).turn is not None
        await d.agent(c.Recover("turn_9", "blk_9", "it died", 3))
        assert await d.press("Give up") == ("Given up.", False)
        assert (await d.state()).cut is None
