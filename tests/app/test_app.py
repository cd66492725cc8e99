"""The application as a whole: what fails alone ends nobody else, and the end comes at once."""

import asyncio

import pytest

from bossbot.app import app
from bossbot.app.access import Access, Role
from bossbot.app.app import App, Parts
from bossbot.channel import ActorRef, BadChannelConfig, Identity, Unreachable
from bossbot.domain import commands as c
from bossbot.ids import MessageId
from bossbot.settings import ChannelSettings
from bossbot.store.memory import MemoryStore
from tests.app.desk import Agents, Counter, Platform, desk, quiet


async def test_a_channel_that_fails_by_its_own_mistake_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "FIRST_PAUSE_S", 0.05)
    platform = Platform(runs=[KeyError("update_id")])
    async with desk(platform=platform) as d:
        await d.say("clean up")
        assert len(await d.store.sessions()) == 1


async def test_an_identity_that_is_refused_later_ends_the_bot_with_its_reason() -> None:
    platform = Platform(runs=[BadChannelConfig("[channels.chat] token: refused")])
    parts = Parts(MemoryStore(), {"chat": platform}, Access({}), None, Counter(), 0.0)
    with pytest.raises(ExceptionGroup) as caught:
        await App(parts).run(Agents())
    assert caught.group_contains(BadChannelConfig, match="token: refused")


async def test_a_platform_that_cannot_be_reached_at_the_start_does_not_keep_the_bot_from_starting() -> None:
    class Away(Platform):
        async def check(self) -> Identity:
            raise Unreachable("no route")

    async with desk(platform=Away()) as d:
        await d.say("clean up")
        assert len(await d.store.sessions()) == 1


async def test_an_agent_side_that_fails_to_react_loses_no_event_and_ends_nothing() -> None:
    async with desk() as d:
        d.agents.heard = None  # type: ignore[assignment]  # whatever it is told now raises
        await d.say("clean up")
        assert (await d.types())[-1] == "session.turn.started"
        d.agents.heard = []
        await d.agent(c.AddManagerText(MessageId("msg_x"), "Done."))
        assert d.platform.texts[-1] == "Done."


async def test_what_the_agent_says_stands_in_the_chat_and_its_markup_is_not_ours() -> None:
    async with desk() as d:
        await d.say("clean up")
        await d.agent(c.AddManagerText(MessageId("msg_x"), "**Done.**"))
        [card] = d.platform.shown.values()
        assert card.title == ""
        assert card.buttons == ()


async def test_the_end_comes_at_once_even_while_a_platform_does_not_answer() -> None:
    platform = Platform()
    async with asyncio.timeout(60):
        async with desk(platform=platform) as d:
            platform.open.clear()
            await d.say("clean up")
            await d.agent(c.AddManagerText(MessageId("msg_x"), "Done."))
            await quiet()


@pytest.mark.parametrize(
    ("user", "role"),
    [("1", Role.OWNER), ("2", Role.APPROVER), ("3", Role.MEMBER), ("4", Role.STRANGER), ("", Role.STRANGER)],
)
def test_a_role_is_what_the_settings_say_and_nobodys_by_default(user: str, role: Role) -> None:
    settings = ChannelSettings.model_validate({"owners": [1], "approvers": ["1", 2], "members": [3]})
    assert Access({"chat": settings}).role(ActorRef("chat", user)) is role
    assert Access({"chat": settings}).role(ActorRef("other", user)) is Role.STRANGER
    assert Access({}).role(ActorRef("chat", user)) is Role.STRANGER
