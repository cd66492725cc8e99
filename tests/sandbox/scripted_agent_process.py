"""The scripted agent as its own process, on raw pipes."""

import os
import sys
from pathlib import Path

from tests.fakes.raw_stdio import Frame, RawCli, is_result

ROOT = Path(__file__).parents[2]
STREAM_JSON = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
PROGRAM = (sys.executable, "-m", "bossbot.sandbox.scripted_agent")
ENV = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}


def scripted_agent(folder: Path, *flags: str) -> RawCli:
    """Use as `async with`; it works in `folder`."""
    return RawCli([*PROGRAM, *STREAM_JSON, *flags], ENV, folder, "cbc")


async def told(agent: RawCli, text: str) -> Frame:
    """Says something that needs no permission, and returns the turn's result."""
    await agent.say(text)
    return await agent.read_until(is_result)
