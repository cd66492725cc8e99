"""Facts about both real CLIs on the pipe, which the Boss events of the scenarios do not show."""

import asyncio

import pytest

from bossbot.streamjson import frames as f
from bossbot.streamjson.dialects import MidTurn
from bossbot.streamjson.states import Turn
from tests.agent.stage import Stage, Talk
from tests.fakes.scripted_model import Rule, Script, ScriptedModel, Text, ToolCall

REMOVE = {"command": "rm -rf build-cache", "description": "Remove build cache"}
CLEAN = Rule("clean", [ToolCall("Bash", REMOVE, say="I need to clean the cache."), Text("Cache is clean.")])
HELLO = Rule("hello", [Text("Hello. **bold** & done.")])


@pytest.fixture
def outer_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in the bot's own environment."""
    monkeypatch.setenv("BOSSBOT_CHANNELS__TELEGRAM__TOKEN", "123456:secret")
    monkeypatch.setenv("CLAUDECODE", "outer")
    monkeypatch.setenv("SOME_DATABASE_URL", "postgres://secret")


@pytest.mark.usefixtures("outer_secrets")
async def test_a_conversation_from_its_first_word_to_the_end_of_its_input(stage: Stage) -> None:
    """One process for all of it, because starting one costs more than everything that follows."""
    script = Script([HELLO])
    async with ScriptedModel(script) as model, stage.talk(model) as talk:
        await a_greeting_is_answered(talk)
        await what_is_allowed_for_the_session_is_remembered_where_it_means_just_that(talk, script)
        await messages_that_wait_for_the_turn_to_settle_are_all_answered_once(talk, script, model)
        await the_agent_sees_nothing_of_the_bots_environment(talk, script, stage)
        assert not talk.of(f.Malformed)
        assert await talk.process.close() == 0  # the end of its input is enough


async def a_greeting_is_answered(talk: Talk) -> None:
    await talk.say("hello")
    result = await talk.next(f.Result)
    assert result.result == "Hello. **bold** & done."
    assert talk.connection.session_id == result.session_id == talk.of(f.SystemInit)[0].session_id
    assert talk.connection.turn is Turn.IDLE
    assert "Bash" in talk.of(f.SystemInit)[0].tools


async def what_is_allowed_for_the_session_is_remembered_where_it_means_just_that(talk: Talk, script: Script) -> None:
    """Claude would remember `touch once` as a pattern that lets more pass: then it asks again, and we remember."""
    for command, remembered in (("rm -rf nothing", True), ("touch once", False)):
        call = ToolCall("Bash", {"command": command, "description": "Do it"})
        script.rules.insert(0, Rule(f"twice {command}", [call, call, Text("Done.")]))
        before = len(talk.frames)
        await talk.settle()
        await talk.say(f"do twice {command}")
        while not isinstance(frame := await talk.next(f.Frame, _asks_or_ends), f.Result):
            assert isinstance(frame, f.ControlRequest)
            await talk.process.write(talk.connection.allow(frame, for_session=True))
        asked = [frame for frame in talk.frames[before:] if isinstance(frame, f.ControlRequest)]
        assert len(asked) == (1 if remembered and talk.connection.dialect.name == "claude" else 2)


def _asks_or_ends(frame: f.Frame) -> bool:
    return isinstance(frame, f.ControlRequest | f.Result)


async def messages_that_wait_for_the_turn_to_settle_are_all_answered_once(
    talk: Talk, script: Script, model: ScriptedModel
) -> None:
    """cbc loses, or runs twice, what comes within some fifty milliseconds after a result."""
    words = ("alpha", "beta", "gamma", "delta")
    script.rules[:0] = [Rule(word, [Text(f"About {word}.")]) for word in words]
    before = len(model.turns)
    for word in words:
        await talk.settle()
        await talk.say(f"what of {word}")
        assert (await talk.next(f.Result)).result == f"About {word}."
    assert [turn.text for turn in model.turns[before:]] == [f"what of {word}" for word in words]


async def the_agent_sees_nothing_of_the_bots_environment(talk: Talk, script: Script, stage: Stage) -> None:
    show = ToolCall("Bash", {"command": "env > seen; touch made", "description": "Show"})
    script.rules.insert(0, Rule("env", [show, Text("Shown.")]))
    await talk.settle()
    await talk.say("show the env")
    await talk.process.write(talk.connection.allow(await talk.next(f.ControlRequest)))
    await talk.next(f.Result)
    seen = (stage.workspace / "seen").read_text()
    assert "secret" not in seen
    assert "CLAUDECODE=outer" not in seen
    assert "HOME=" in seen


async def test_interrupts_of_a_request_that_waits_and_of_a_tool_that_runs(stage: Stage) -> None:
    slow = Rule("slow", [ToolCall("Bash", {"command": "touch started; sleep 60; touch ended"}), Text("Slept.")])
    async with ScriptedModel(Script([CLEAN, HELLO, slow])) as model, stage.talk(model) as talk:
        await it_takes_the_waiting_request_back_or_lets_it_expire(talk, stage)
        await talk.settle()
        await it_stops_a_tool_that_runs_and_ends_the_turn(talk, stage)


async def it_takes_the_waiting_request_back_or_lets_it_expire(talk: Talk, stage: Stage) -> None:
    cache = stage.workspace / "build-cache"
    cache.mkdir()
    await talk.say("clean the build cache")
    request = await talk.next(f.ControlRequest)
    await talk.process.write(talk.connection.interrupt())
    await talk.next(f.Result)
    assert bool(talk.of(f.ControlCancelRequest)) is stage.dialect.withdraws
    if not stage.dialect.withdraws:
        await talk.process.write(talk.connection.allow(request))  # too late, and without effect
    await talk.settle()
    await talk.say("hello")
    assert (await talk.next(f.Result)).result == "Hello. **bold** & done."
    assert cache.exists()


async def it_stops_a_tool_that_runs_and_ends_the_turn(talk: Talk, stage: Stage) -> None:
    """cbc sends no result then; what the tool's result says is the end of the turn."""
    await talk.say("be slow")
    await talk.process.write(talk.connection.allow(await talk.next(f.ControlRequest)))
    while not (stage.workspace / "started").exists():
        assert await talk.quiet_for(0.1)
    await talk.process.write(talk.connection.interrupt())
    while talk.connection.turn is not Turn.IDLE:
        await talk.next(f.Frame)
    assert not (stage.workspace / "ended").exists()


async def test_a_message_in_mid_turn_does_what_the_dialect_says(stage: Stage) -> None:
    """One that waits at an approval: Claude reads the message with the tool's result, cbc begins another session."""
    async with ScriptedModel(Script([CLEAN, HELLO])) as model, stage.talk(model) as talk:
        await talk.say("clean the build cache")
        request = await talk.next(f.ControlRequest)
        first = talk.connection.session_id
        await talk.say("hello")
        if stage.dialect.mid_turn is MidTurn.BREAKS:
            answered = await talk.next(f.Result)
            assert answered.result == "Hello. **bold** & done."
            assert answered.session_id != first
        else:
            assert await talk.quiet_for(2.0)
            await talk.process.write(talk.connection.allow(request))
            assert (await talk.next(f.Result)).result == "Cache is clean."
            assert "hello" in repr(model.requests[-1]["messages"][-1])
            await an_interrupt_stops_what_joined_the_turn_too(talk, model)


async def an_interrupt_stops_what_joined_the_turn_too(talk: Talk, model: ScriptedModel) -> None:
    """Claude would go on with it."""
    model.script.rules.insert(0, Rule("think", [Text("Thought.", hold=asyncio.Event())]))
    before = len(model.requests)
    await talk.say("think hard")
    while len(model.requests) == before:
        assert await talk.quiet_for(0.1)
    uuid = "0d7b3f4e-5f5c-4a57-9f0c-7a3f6f6f2b11"
    await talk.process.write(talk.connection.user_message("hello again", uuid))
    await talk.next(f.CommandLifecycle, lambda frame: frame.command_uuid == uuid and frame.state == "queued")
    await talk.process.write(talk.connection.interrupt())
    await talk.next(f.CommandLifecycle, lambda frame: frame.command_uuid == uuid and frame.state == "cancelled")
    await talk.next(f.Result)
    assert await talk.quiet_for(1.0)
    assert len(model.requests) == before + 1
