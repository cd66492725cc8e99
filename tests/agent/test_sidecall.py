"""A side call that has no answer says why; that both real CLIs give one stands in the table of scenarios."""

import json
import sys
from pathlib import Path

import pytest

from bossbot.agent.discovery import Program
from bossbot.agent.sidecall import SideCall, SideCallError, structured_output
from bossbot.settings import AgentSettings
from bossbot.streamjson.dialects import CBC
from tests.agent.stage import PATIENCE_S, Stage
from tests.fakes.scripted_model import Script, ScriptedModel

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"length": {"type": "integer"}, "first": {"type": "string"}},
    "required": ["length"],
}


async def test_an_answer_of_the_wrong_shape_is_no_answer(stage: Stage) -> None:
    async with ScriptedModel(Script(structured=lambda _: {"length": "long"})) as model:
        with pytest.raises(SideCallError, match="no structured output"):
            await SideCall(stage.program, stage.settings(model), PATIENCE_S).ask("x", SCHEMA)


def fake(folder: Path, script: str) -> tuple[Program, AgentSettings]:
    return Program((sys.executable, "-c", script), CBC), AgentSettings(workspace=folder)


async def test_one_that_says_nothing_is_given_up_and_ended(tmp_path: Path) -> None:
    program, settings = fake(tmp_path, f"import time; open({str(tmp_path / 'up')!r}, 'w'); time.sleep(300)")
    with pytest.raises(SideCallError, match=r"no answer within 5 s"):
        await SideCall(program, settings, 5.0).ask("x", SCHEMA)
    assert (tmp_path / "up").exists()


async def test_one_that_fails_says_how(tmp_path: Path) -> None:
    program, settings = fake(tmp_path, "raise SystemExit('no account: xoxb-123456789012-secret, pass-phrase')")
    with pytest.raises(SideCallError, match="ended with code 1: no account: ") as raised:
        await SideCall(program, settings, 30, secrets=["pass-phrase"]).ask("x", SCHEMA)
    assert "123456789012" not in raised.value.reason
    assert "pass-phrase" not in raised.value.reason


async def test_one_that_is_not_there_says_so(tmp_path: Path) -> None:
    program = Program((str(tmp_path / "gone"),), CBC)
    with pytest.raises(SideCallError, match="could not be started"):
        await SideCall(program, AgentSettings(workspace=tmp_path), 30).ask("x", SCHEMA)


async def test_a_prompt_longer_than_a_command_line_is_asked_and_seen_by_nobody_else(tmp_path: Path) -> None:
    """It travels on stdin: an argument ends at 128 KiB on Linux, and every user of the machine can read it."""
    script = (
        "import json, sys; prompt = sys.stdin.read(); assert prompt[:9] not in repr(sys.argv)\n"
        "print(json.dumps([{'type': 'result', 'structured_output': {'data': {'length': len(prompt)}}}]))"
    )
    program, settings = fake(tmp_path, script)
    assert await SideCall(program, settings, 30).ask("long words" * 50_000, SCHEMA) == {"length": 500_000}


async def test_half_a_character_is_no_reason_for_no_answer(tmp_path: Path) -> None:
    """A preview that JavaScript cut within an emoji, and a message that came so."""
    script = (
        "import json, sys\n"
        "print(json.dumps([{'type': 'user', 'cut': chr(0xd83d)},"
        " {'type': 'result', 'structured_output': {'first': sys.stdin.read()}}]))"
    )
    program, settings = fake(tmp_path, script)
    assert await SideCall(program, settings, 30).ask("half \ud83d of it", SCHEMA) == {"first": "half ? of it"}


def test_what_the_provider_says_of_a_key_is_told_without_it() -> None:
    key, word = "xoxb-870000000001-0123456789abcdef", "pass-phrase"
    said = {"type": "result", "errors": ["x" * 240, f"401: {key} and {word} are not accepted"]}
    with pytest.raises(SideCallError, match="401") as raised:
        structured_output(json.dumps(said).encode(), "it ended", [word])
    assert "0000" not in raised.value.reason
    assert word not in raised.value.reason


async def test_an_answer_may_stand_in_data_or_by_itself(tmp_path: Path) -> None:
    """cbc sometimes shows the model a tool with one parameter `data`; else the answer's own fields."""
    script = 'print(\'[{"type": "result", "structured_output": {"length": 4}}]\')'
    program, settings = fake(tmp_path, script)
    assert await SideCall(program, settings, 30).ask("four", SCHEMA) == {"length": 4}


@pytest.mark.parametrize(
    ("printed", "reason"),
    [
        (b"", "it ended"),
        (b"not json", "it ended"),
        (b"[" * 100_000, "it ended"),
        (b"[]", "no result; it ended"),
        (b'{"type":"assistant"}', "no result; it ended"),
        (b'{"type":"result"}', "no structured output: the model gave none"),
        (b'{"type":"result","structured_output":[1]}', "no structured output: the model gave none"),
        (b'{"type":"result","result":"Not logged in"}', "no structured output: Not logged in"),
        (b'[{"type":"result","errors":["401","again"]}]', "no structured output: 401; again"),
        (b'[{"type":"result","errors":401}]', "no structured output: 401"),
    ],
)
def test_anything_else_that_is_printed_is_no_answer(printed: bytes, reason: str) -> None:
    with pytest.raises(SideCallError) as raised:
        structured_output(printed, "it ended")
    assert raised.value.reason == reason
