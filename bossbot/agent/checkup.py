"""A look at the agent CLI without a cost: it is started for a moment, turned to a model that does not exist.

Before any model is asked, it answers `initialize` (is there an account? which models?) and tells its tools (are
workflows on?). Then it is ended; nothing of it stays but an empty session of its own.
"""

import asyncio
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bossbot.agent.discovery import Program
from bossbot.agent.process import AgentProcess
from bossbot.settings import AgentSettings
from bossbot.streamjson import frames as f
from bossbot.streamjson.connection import Connection

TIMEOUT_S = 60.0
"""Both answer within 3 s on a machine that is not busy, and within 30 on one that is."""

NO_MODEL = "bossbot-doctor"
_ENDED = "ended"


@dataclass(slots=True)
class Checkup:
    """What could be seen. None: it was not told. `failure`: how it ended when it should not have."""

    signed_in: bool | None = None
    workflows: bool | None = None
    models: tuple[str, ...] = ()
    failure: str = ""


async def check_up(
    program: Program, settings: AgentSettings, secrets: Iterable[str] = (), timeout_s: float = TIMEOUT_S
) -> Checkup:
    """Starts the CLI in an empty folder, as a conversation would, and ends it again. Never raises for what it sees."""
    seen = Checkup()
    with tempfile.TemporaryDirectory(prefix="bossbot-doctor-", ignore_cleanup_errors=True) as folder:
        env = {**settings.env, **program.dialect.nowhere}
        blind = settings.model_copy(update={"model": NO_MODEL, "env": env, "workspace": Path(folder)})
        try:
            process = await AgentProcess.start(program, blind, secrets=secrets)
        except OSError as error:
            seen.failure = f"could not be started: {error}"
            return seen
        try:
            async with asyncio.timeout(timeout_s):
                await _look(process, Connection(program.dialect), seen)
        except TimeoutError:
            if seen.signed_in is None and not seen.models:
                seen.failure = f"said nothing within {timeout_s:g} s"
        except ConnectionError:
            seen.failure = _ENDED
        finally:
            process.kill()
            code = await process.wait()
        if seen.failure == _ENDED:
            seen.failure = program.dialect.explained(process.last_words(code))
    return seen


async def _look(process: AgentProcess, connection: Connection, seen: Checkup) -> None:
    await process.write(connection.initialize())
    await process.write(connection.user_message("bossbot doctor: no answer is needed"))
    while chunk := await process.read():
        for frame in connection.feed(chunk):
            match frame:
                case f.ControlResponse():
                    seen.signed_in = frame.signed_in
                    seen.models = tuple(_models(frame.payload.get("models")))
                case f.SystemInit():
                    seen.workflows = "Workflow" in frame.tools
                    return
                case f.Result():
                    return
    seen.failure = _ENDED


def _models(listed: object) -> Iterable[str]:
    for model in listed if isinstance(listed, list) else ():
        for key in ("id", "value", "name", "resolvedModel") if isinstance(model, dict) else ():
            if isinstance(model.get(key), str) and model[key] != NO_MODEL:
                yield model[key]
