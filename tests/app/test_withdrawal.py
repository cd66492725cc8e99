"""A request that the agent takes back while its card is on the way: what is shown in the end decides nothing."""

from bossbot.channel import Ambiguous
from bossbot.domain import commands as c
from tests.app.desk import Desk, Platform, desk, quiet, text_of

TAKEN_BACK = c.WithdrawApproval("req_1", "the agent took the request back")


async def asked_and_taken_back(d: Desk) -> None:
    """The card is being posted all the while."""
    await d.say("clean")
    d.platform.open.clear()
    await d.asks()
    await d.agent(TAKEN_BACK)


async def test_a_request_taken_back_while_its_card_is_posted_ends_without_buttons() -> None:
    async with desk(platform=Platform()) as d:
        await asked_and_taken_back(d)
        d.platform.open.set()
        await quiet()
        [card] = [card for card in d.platform.shown.values() if "rm -rf cache-1" in text_of(card)]
        assert card.buttons == ()
        assert "the agent took the request back" in repr(card)


async def test_a_press_on_the_card_before_it_is_edited_decides_nothing_and_says_so() -> None:
    async with desk(platform=Platform()) as d:
        await d.say("clean")
        await d.asks()
        button = d.platform.with_button("Approve")
        d.platform.open.clear()
        await d.agent(TAKEN_BACK)
        _, warned = await d.press_action(*button)
        assert warned
        assert "approval.approved" not in await d.types()
        d.platform.open.set()


async def test_a_card_whose_delivery_is_uncertain_is_not_posted_again_with_buttons() -> None:
    async with desk(platform=Platform()) as d:
        await asked_and_taken_back(d)
        d.platform.troubles.append(Ambiguous("no reply came"))
        d.platform.open.set()
        await quiet()
        cards = [card for card in d.platform.shown.values() if "rm -rf cache-1" in text_of(card)]
        assert not any(card.buttons for card in cards)
