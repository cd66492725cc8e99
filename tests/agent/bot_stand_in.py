"""A bot that starts one agent, tells it something, answers or keeps it waiting: something to be killed.

    python -m tests.agent.bot_stand_in '{"command": […], "dialect": …, "workspace": …, "allow": true, …}'

Prints a line when the agent asks and is kept waiting. Without a dialect the command is any program, only guarded.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from bossbot.agent.discovery import Program
from bossbot.agent.guarded import Guarded
from bossbot.agent.process import AgentProcess
from bossbot.settings import AgentSettings
from bossbot.streamjson import frames as f
from bossbot.streamjson.connection import Connection
from bossbot.streamjson.dialects import DIALECTS


async def main(play: dict[str, Any]) -> None:
    workspace = Path(play["workspace"])
    if not play.get("dialect"):
        guarded = await Guarded.spawn(play["command"], cwd=workspace, env=play["env"])
        print("guarding", guarded.pid, flush=True)
    else:
        await converse(play, workspace)
    await asyncio.Event().wait()


async def converse(play: dict[str, Any], workspace: Path) -> None:
    dialect = DIALECTS[play["dialect"]]
    settings = AgentSettings(command=play["command"], workspace=workspace, model=play["model"], env=play["env"])
    process = await AgentProcess.start(Program(tuple(play["command"]), dialect), settings)
    connection = Connection(dialect)
    await process.write(connection.initialize() + connection.user_message(play["say"]))
    while True:
        for frame in connection.feed(await process.read()):
            if isinstance(frame, f.ControlRequest):
                if play["allow"]:
                    await process.write(connection.allow(frame))
                else:
                    print("asked", flush=True)


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))
