"""Both real CLIs through bossbot's own process and connection: the ways that everything else is built on."""

import pytest

from bossbot.streamjson import frames as f
from bossbot.streamjson.dialects import MidTurn
from bossbot.streamjson.states import Turn
from tests.agent.stage import Stage
from tests.fakes.scripted_model import Rule, Script, ScriptedModel, Text, ToolCall

REMOVE = {"command": "rm -rf build-cache", "description": "Remove build cache"}
CLEAN = Rule("clean", [ToolCall("Bash", REMOVE, say="I need to clean the cache."), Text("Cache is clean.")])
HELLO = Rule("hello", [Text("Hello. **bold** & done.")])


async def test_a_greeting_is_answered_and_the_process_ends_with_its_input(stage: Stage) -> None:
    async with ScriptedModel(Script([HELLO])) as model, stage.talk(model) as talk:
        await talk.say("hello")
        result = await talk.next(f.Result)
        assert result.result == "Hello. **bold** & done."
        assert talk.connection.session_id == result.session_id == talk.of(f.SystemInit)[0].session_id
        assert talk.connection.turn is Turn.IDLE
        assert "Bash" in talk.of(f.SystemInit)[0].tools
        assert not talk.of(f.Malformed)
        assert await talk.process.close() == 0  # the end of its input is enough


async def test_a_dangerous_command_waits_for_a_yes(stage: Stage) -> None:
    cache = stage.workspace / "build-cache"
    cache.mkdir()
    async with ScriptedModel(Script([CLEAN])) as model, stage.talk(model) as talk:
        await talk.say("clean the build cache")
        request = await talk.next(f.ControlRequest)
        assert isinstance(request.request, f.CanUseTool)
        assert request.request.input == REMOVE
        assert cache.exists()
        await talk.process.write(talk.connection.allow(request))
        assert (await talk.next(f.Result)).result == "Cache is clean."
        assert not cache.exists()


@pytest.mark.parametrize(("command", "remembered"), [("rm -rf build-cache", True), ("touch once", False)])
async def test_for_this_session_is_asked_once_where_the_cli_remembers_just_that(
    stage: Stage, command: str, remembered: bool
) -> None:
    """Claude would remember `touch once` as a pattern that lets more pass: then it asks again, and we remember."""
    call = {"command": command, "description": "Do it"}
    rule = Rule("twice", [ToolCall("Bash", call), ToolCall("Bash", call), Text("Done.")])
    async with ScriptedModel(Script([rule])) as model, stage.talk(model) as talk:
        await talk.say("do it twice")
        while not talk.of(f.Result):
            frame = await talk.next(f.Frame, lambda frame: isinstance(frame, f.ControlRequest | f.Result))
            if isinstance(frame, f.ControlRequest):
                await talk.process.write(talk.connection.allow(frame, for_session=True))
        asked = len(talk.of(f.ControlRequest))
        assert asked == (1 if remembered and stage.dialect.name == "claude" else 2)


async def test_an_interrupt_takes_the_waiting_request_back_or_lets_it_expire(stage: Stage) -> None:
    cache = stage.workspace / "build-cache"
    cache.mkdir()
    async with ScriptedModel(Script([CLEAN, HELLO])) as model, stage.talk(model) as talk:
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


async def test_an_interrupted_tool_stops_and_the_turn_ends(stage: Stage) -> None:
    """cbc sends no result then; what the tool's result says is the end of the turn."""
    slow = Rule("slow", [ToolCall("Bash", {"command": "touch started; sleep 60; touch ended"}), Text("Slept.")])
    async with ScriptedModel(Script([slow])) as model, stage.talk(model) as talk:
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


async def test_messages_that_wait_for_the_turn_to_settle_are_all_answered_once(stage: Stage) -> None:
    """cbc loses, or runs twice, what comes within some fifty milliseconds after a result."""
    words = ("alpha", "beta", "gamma", "delta")
    rules = [Rule(word, [Text(f"About {word}.")]) for word in words]
    async with ScriptedModel(Script(rules)) as model, stage.talk(model) as talk:
        for word in words:
            await talk.say(f"what of {word}")
            assert (await talk.next(f.Result)).result == f"About {word}."
            await talk.settle()
        assert [turn.text for turn in model.turns] == [f"what of {word}" for word in words]


async def test_the_agent_sees_nothing_of_the_bots_environment(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSSBOT_CHANNELS__TELEGRAM__TOKEN", "123456:secret")
    monkeypatch.setenv("CLAUDECODE", "outer")
    monkeypatch.setenv("SOME_DATABASE_URL", "postgres://secret")
    show = ToolCall("Bash", {"command": "env > seen; touch made", "description": "Show"})
    async with ScriptedModel(Script([Rule("env", [show, Text("Shown.")])])) as model, stage.talk(model) as talk:
        await talk.say("show the env")
        await talk.process.write(talk.connection.allow(await talk.next(f.ControlRequest)))
        await talk.next(f.Result)
    seen = (stage.workspace / "seen").read_text()
    assert "secret" not in seen
    assert "CLAUDECODE=outer" not in seen
    assert "HOME=" in seen
