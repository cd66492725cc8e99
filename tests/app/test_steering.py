"""Steering from chat: by word and by button, by whoever may write, and by configuration."""

import pytest

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.events import Steering
from bossbot.ids import WorkerId
from tests.app.desk import MEMBER, STRANGER, Desk, desk

HAND_OVER = "1 message for the manager"


async def at_work(d: Desk, *, joins: bool = False) -> None:
    await d.say("clean up")
    await d.agent(c.UpdateCapabilities(WorkerId("worker_1"), ("Bash",), "cli-1", "x", joins_mid_turn=joins))


async def ended(d: Desk) -> None:
    await d.agent(c.EndTurn("turn_next", "interrupted"))


async def steered(d: Desk) -> list[tuple[str, str]]:
    log = await d.store.load(await d.session())
    return [(e.payload.how, e.payload.actor) for e in log if isinstance(e.payload, ev.SessionTurnSteered)]


async def told(d: Desk) -> str:
    """What the manager was told last."""
    log = await d.store.load(await d.session())
    return [e.payload.content for e in log if isinstance(e.payload, ev.SessionTurnStarted)][-1]


@pytest.mark.parametrize(
    ("word", "joins", "how"),
    [
        ("/now", True, "joined"),
        ("!now", False, "stopped"),
        ("/replace", True, "replaced"),
        ("改做：", False, "replaced"),
    ],
)
async def test_a_word_steers_and_is_not_told_to_the_manager(word: str, joins: bool, how: str) -> None:
    async with desk() as d:
        await at_work(d, joins=joins)
        await d.say(f"{word} fix the login", MEMBER)
        assert await steered(d) == [(how, "chat:3")]
        if how != "joined":
            await ended(d)
            assert (await told(d)).endswith("fix the login")
            assert word not in await told(d)


@pytest.mark.parametrize(("label", "how"), [("Send now", "stopped"), ("Replace turn", "replaced")])
async def test_a_button_steers_what_waits(label: str, how: str) -> None:
    async with desk() as d:
        await at_work(d)
        await d.say("fix the login")
        assert any(HAND_OVER in text for text in d.platform.texts)
        assert await d.press(label, MEMBER) == ("The running turn is stopped for it.", False)
        assert await steered(d) == [(how, "chat:3")]


async def test_a_message_sent_now_by_button_where_the_agent_can_take_it() -> None:
    async with desk() as d:
        await at_work(d, joins=True)
        await d.say("fix the login")
        assert await d.press("Send now") == ("Sent to the manager.", False)
        assert await steered(d) == [("joined", "chat:1")]
        assert any("in the middle of its turn" in text for text in d.platform.texts)


async def test_a_stranger_steers_nothing() -> None:
    async with desk() as d:
        await at_work(d)
        await d.say("fix the login")
        assert (await d.press("Replace turn", STRANGER))[1] is True
        await d.say("/replace go away", STRANGER)
        assert await steered(d) == []


async def test_a_press_after_the_turn_has_ended_is_told_so() -> None:
    async with desk() as d:
        await at_work(d)
        await d.say("fix the login")
        button = d.platform.with_button("Replace turn")
        await ended(d)
        text, warn = await d.press_action(*button)
        assert warn
        assert "ended" in text
        assert await steered(d) == []


async def test_a_word_without_words_sends_what_waits_and_says_so_when_nothing_does() -> None:
    async with desk() as d:
        await at_work(d)
        await d.say("!now")
        assert "No message waits" in d.platform.texts[-1]
        await d.say("fix the login")
        await d.say("!now")
        assert await steered(d) == [("stopped", "chat:1")]


async def test_the_same_delivery_twice_steers_once() -> None:
    async with desk() as d:
        await at_work(d)
        await d.say("/replace fix the login", delivery="m7")
        await d.say("/replace fix the login", delivery="m7")
        assert await steered(d) == [("replaced", "chat:1")]
        assert len((await d.state()).queue) == 1


async def test_a_steering_word_opens_a_session_with_its_words_and_nothing_without() -> None:
    async with desk() as d:
        await d.say("/now")
        assert await d.store.sessions() == []
        assert "Nothing is running here." in d.platform.texts[-1]
        await d.say("/now fix the login")
        assert await told(d) == "fix the login"
        assert (await d.store.sessions())[0].title == "fix the login"


@pytest.mark.parametrize(("steering", "how"), [(Steering.NOW, "stopped"), (Steering.REPLACE, "replaced")])
async def test_the_configuration_says_what_becomes_of_a_message_that_does_not(steering: Steering, how: str) -> None:
    async with desk(steering=steering) as d:
        await at_work(d)
        await d.say("!queue look at the logs")
        assert await steered(d) == []
        await d.say("fix the login")
        assert await steered(d) == [(how, "chat:1")]


async def test_by_default_a_plain_message_still_answers_the_question_that_waits() -> None:
    async with desk(steering=Steering.REPLACE) as d:
        await at_work(d)
        question = c.RequestApproval(
            approval_id="apr_1",  # type: ignore[arg-type]
            request_id="req_1",
            tool="AskUserQuestion",
            kind="question",
            summary="Which?",
            risk_level="low",
            fingerprint="",
            questions=(ev.Question(question="Which?"),),
        )
        await d.agent(question)
        await d.say("the red one")
        assert await steered(d) == []
        assert "approval.approved" in await d.types()


async def test_the_newest_artifacts_are_listed_with_what_to_do() -> None:
    async with desk() as d:
        await d.say("/artifacts")
        assert "Nothing is running here." in d.platform.texts[-1]
        await d.say("clean up")
        await d.say("!artifacts", MEMBER)
        assert "No output was kept" in d.platform.texts[-1]
        for number in (1, 2):
            await d.agent(c.AddArtifact(f"artifact_{number}", "tool_output", f"Bash {number}", 12_345, "ab" * 32))
        await d.say("/artifacts")
        shown = repr(list(d.platform.shown.values())[-1])
        assert "12,345 bytes" in shown
        assert shown.index("artifact_2") < shown.index("artifact_1")
        assert "bossbot artifact ID" in shown
