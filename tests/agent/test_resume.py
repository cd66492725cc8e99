"""What a killed agent's successor knows: the facts that recovery after a crash is built on, on both real CLIs."""

import pytest

from bossbot.streamjson import frames as f
from tests.agent.stage import Stage, Talk
from tests.fakes.scripted_model import Answer, Rule, Script, ScriptedModel, Text, ToolCall, Turn, repeat_dangling

RUN = {"command": "echo ran >> marker; rm -rf build-cache", "description": "Remove build cache"}


def again(turn: Turn) -> Answer:
    """As a model would: do what was cut off, which it reads in its history (cbc) or remembers was asked (Claude)."""
    return repeat_dangling(turn) if turn.dangling else ToolCall("Bash", RUN)


SCRIPT = Script(
    [Rule("clean", [ToolCall("Bash", RUN), Text("Clean.")]), Rule("go on", [again, Text("Clean at last.")])]
)


async def killed_while_it_waits(stage: Stage, talk: Talk) -> str:
    """The session id of a conversation that was killed at its question."""
    await talk.say("clean the build cache")
    await talk.next(f.ControlRequest)
    await stage.has_kept("echo ran >> marker")
    talk.process.kill()
    await talk.process.wait()
    assert talk.connection.session_id is not None
    return talk.connection.session_id


async def test_a_resumed_agent_does_nothing_until_told_and_then_asks_again_and_runs_once(stage: Stage) -> None:
    async with ScriptedModel(SCRIPT) as model:
        async with stage.talk(model) as first:
            session_id = await killed_while_it_waits(stage, first)
        asked_before = len(model.requests)
        async with stage.talk(model, resume=session_id) as second:
            assert await second.quiet_for(3.0)
            assert len(model.requests) == asked_before
            await second.say("please go on")
            request = await second.next(f.ControlRequest)
            assert not (stage.workspace / "marker").exists()
            await second.process.write(second.connection.allow(request))
            assert (await second.next(f.Result)).result == "Clean at last."
            assert second.connection.session_id == session_id
        assert (stage.workspace / "marker").read_text() == "ran\n"
        assert model.turns[-1].earlier[0].startswith("clean the build cache")


async def test_an_agent_without_the_session_shows_none_and_asks_no_model(stage: Stage) -> None:
    """Claude says so and ends. cbc stays; it says so when told something, or (on a busy machine) nothing at all."""
    async with (
        ScriptedModel(SCRIPT) as model,
        stage.talk(model, resume="11111111-2222-4333-8444-555555555555") as talk,
    ):
        await talk.say("hello")
        if stage.dialect.name == "claude":
            assert (await talk.next(f.Result)).is_error
            with pytest.raises(EOFError, match="ended with code 1: No conversation found"):
                await talk.next(f.SystemInit)
            assert talk.connection.resume_failed
        else:
            assert await talk.quiet_for(10.0)
            assert talk.connection.resume_failed is bool(talk.of(f.CliError))
        assert talk.connection.session_id is None
        assert model.requests == []
