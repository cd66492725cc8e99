"""`python -m tests.fakes.record DIALECT NAME FOLDER`: records a real agent CLI, as the files in tests/captures are.

One JSON object a line: `{"t": seconds, "dir": "in"|"out"|"err"|"exit", "msg": …}`. Paths are neutral, and of the long
catalogues of the `initialize` answer the first entries are kept; nothing else is changed.
"""

import argparse
import asyncio
import dataclasses
import json
import re
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fakes.raw_stdio import Frame, RawCli, is_permission, is_result, of_kind
from tests.fakes.real_cli import cbc_setup, claude_setup, find_cbc, find_claude
from tests.fakes.scripted_model import Fail, Rule, Script, ScriptedModel, Step, Text, ToolCall

CATALOGUES = ("commands", "agents", "models", "slash_commands", "skills", "plugins")
KEPT = 3
REMOVE = ToolCall("Bash", {"command": "rm -rf build-cache", "description": "Remove build cache"})
BACKGROUND = ToolCall("Bash", {"command": "rm -rf x; sleep 2", "description": "Wait", "run_in_background": True})
WORKFLOW = """export const meta = { name: 'survey', description: 'Survey', phases: [{ title: 'Gather' }] }
phase('Gather')
return await parallel([() => agent('sub alpha', { label: 'alpha' }), () => agent('sub beta', { label: 'beta' })])
"""
SCHEMA = {"type": "object", "properties": {"count": {"type": "integer"}, "data": {"type": "object"}}}


class Recorder(RawCli):
    """Keeps what goes in and out, with the times."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], cwd: Path, dialect: str) -> None:
        super().__init__(argv, env, cwd, dialect)
        self.records: list[tuple[float, str, object]] = []
        self._began = time.monotonic()

    async def send(self, frame: Mapping[str, object]) -> None:
        self._note("in", frame)
        await super().send(frame)

    async def read_frame(self) -> Frame:
        frame = await super().read_frame()
        self._note("out", frame)
        return frame

    async def end(self) -> None:
        """Reads what still comes after the end of its input."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        with suppress(EOFError, TimeoutError):
            async with asyncio.timeout(15):
                while True:
                    await self.read_frame()
        code = await self.process.wait()
        self._note("err", await self.stderr_text())
        self._note("exit", code)

    def _note(self, direction: str, message: object) -> None:
        self.records.append((round(time.monotonic() - self._began, 3), direction, message))


Play = Callable[[Recorder], Awaitable[None]]


@dataclass(frozen=True)
class Scene:
    """What is said first, what the model answers to it, what happens then. `unset`: variables that are left out."""

    steps: tuple[Step, ...]
    then: Play
    flags: tuple[str, ...] = ()
    unset: tuple[str, ...] = ()


async def _to_result(cli: Recorder) -> None:
    await cli.read_until(is_result)


async def _permitted(cli: Recorder) -> None:
    await cli.allow(await cli.read_until(is_permission))
    await cli.read_until(is_result)


async def _in_background(cli: Recorder) -> None:
    await _permitted(cli)
    await cli.read_until(of_kind("system/task_notification"))
    await cli.read_until(is_result)


async def _stopped_while_asking(cli: Recorder) -> None:
    await cli.read_until(is_permission)
    await cli.interrupt()
    await cli.read_until(is_result)


async def _stopped_in_background(cli: Recorder) -> None:
    """The turn is over, its command still runs."""
    await _permitted(cli)
    await cli.interrupt()
    with suppress(TimeoutError):
        async with asyncio.timeout(8):
            await cli.read_until(of_kind("system/task_notification"))
            await cli.read_until(is_result)


async def _twice(cli: Recorder) -> None:
    """The same script again: its agents are known."""
    await _permitted(cli)
    await asyncio.sleep(1)
    await cli.say("again")
    await _permitted(cli)


async def _too_late_for_the_turn(cli: Recorder) -> None:
    """A message that is written while the last word of the turn is: its fate is told, since it has a uuid."""
    await cli.read_until(of_kind("system/init"))
    message = {"role": "user", "content": "by the way"}
    await cli.send({"type": "user", "uuid": str(uuid.uuid4()), "message": message})
    await cli.read_until(is_result)
    await cli.read_until(is_result)


def _in_trouble(*failures: Fail) -> Step:
    """The provider fails so often, and then answers."""
    left = list(failures)
    return lambda turn: left.pop(0) if left else Text("It works again.")


OVERLOADED = Fail(529, "overloaded")
DEFERRED = ToolCall("DeferExecuteTool", {"toolName": "Workflow", "params": {"script": WORKFLOW}})

SCENES = {
    "retried": Scene((_in_trouble(OVERLOADED, OVERLOADED, OVERLOADED),), _to_result),
    "too-late": Scene((Text("Done.", delay_s=3),), _too_late_for_the_turn),
    "deferred": Scene((DEFERRED, Text("Done.", delay_s=4)), _permitted, unset=("CODEBUDDY_DEFER_TOOL_LOADING",)),
    "background": Scene((BACKGROUND, Text("It runs.")), _in_background),
    "background-interrupt": Scene((BACKGROUND, Text("It runs.")), _stopped_in_background),
    "approval-interrupt": Scene((REMOVE, Text("Clean.")), _stopped_while_asking),
    "structured": Scene((), _to_result, ("--json-schema", json.dumps(SCHEMA))),
    "thinking": Scene((Text("It is 42.", thinking="They want the answer. It is 42."),), _to_result),
    "workflow-twice": Scene((ToolCall("Workflow", {"script": WORKFLOW}), Text("Done.", delay_s=3)), _twice),
}


async def record(dialect: str, name: str, folder: Path) -> Path:
    """Records one scene; the file."""
    scene = SCENES[name]
    home = Path(tempfile.mkdtemp())
    workspace = home / "workspace"
    (workspace / "build-cache").mkdir(parents=True)
    script = Script(
        [Rule(lambda turn: turn.text in ("begin", "again"), scene.steps)], lambda prompt: {"count": len(prompt)}
    )
    async with ScriptedModel(script) as model:
        command = find_cbc() if dialect == "cbc" else find_claude()
        assert command is not None, f"{dialect} is not here"
        setup = (cbc_setup if dialect == "cbc" else claude_setup)(command, home, model.port)
        setup = dataclasses.replace(setup, env={k: v for k, v in setup.env.items() if k not in scene.unset})
        async with Recorder.of(setup, workspace, *scene.flags) as cli:
            await cli.initialize()
            await cli.say("begin")
            await scene.then(cli)
            await cli.end()
        lines = [json.dumps({"t": t, "dir": d, "msg": m}, ensure_ascii=False) for t, d, m in map(_trimmed, cli.records)]
        text = _neutral("\n".join(lines) + "\n", home, str(command), model.port)
    path = folder / f"{name}.ndjson"
    path.write_text(text, encoding="utf-8")
    return path


def _trimmed(record: tuple[float, str, object]) -> tuple[float, str, object]:
    at_s, direction, message = record
    return at_s, direction, _short(message)


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        cut = {key: each[:KEPT] for key, each in value.items() if key in CATALOGUES and isinstance(each, list)}
        return {key: _short(cut.get(key, each)) for key, each in value.items()}
    return [_short(each) for each in value] if isinstance(value, list) else value


def _neutral(text: str, home: Path, command: str, port: int) -> str:
    dashed = re.sub(r"[^A-Za-z0-9]", "-", str(home / "workspace"))
    for found, instead in (
        (str(home / "workspace"), "/srv/demo"),
        (dashed, "-srv-demo"),
        (dashed.lstrip("-"), "srv-demo"),
        (str(home), "/home/demo"),
        (command, "agent"),
        (f"127.0.0.1:{port}", "127.0.0.1:8000"),
    ):
        text = text.replace(found, instead)
    return text


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fakes.record", description="Records a real agent CLI.")
    parser.add_argument("dialect", choices=("cbc", "claude"))
    parser.add_argument("name", choices=sorted(SCENES))
    parser.add_argument("folder", type=Path)
    parsed = parser.parse_args()
    print(asyncio.run(record(parsed.dialect, parsed.name, parsed.folder)))


if __name__ == "__main__":
    main()
