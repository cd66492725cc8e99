"""What all commands that run need: a loop that ends cleanly on a signal, a log without secrets, one-line errors."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Coroutine, Iterable

from bossbot.settings import SettingsError
from bossbot.text import neutral, redact

SETTINGS_WRONG = 2
FAILED = 1


class _NoSecrets(logging.Formatter):
    """Writes a record with everything that looks like a secret, or is known as one, taken out.

    Words from outside may stand in it: they move no terminal's cursor, and a line that they bring begins with a blank.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
        self._secrets = tuple(secrets)

    def format(self, record: logging.LogRecord) -> str:
        return neutral(redact(super().format(record), self._secrets)).replace("\n", "\n  ")


def set_up_log(level: str, secrets: Iterable[str]) -> None:
    """Logs to stderr. The SDKs' own chatter is kept to warnings."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_NoSecrets(secrets))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for noisy in ("aiogram", "slack_bolt", "slack_sdk", "aiohttp.access", "asyncio", "alembic", "markdown_it"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def run_until_stopped(work: Coroutine[None, None, None]) -> int:
    """Runs `work` until it ends or SIGINT or SIGTERM comes; an error that has a text for people becomes that text."""
    from bossbot.bootstrap import StartError
    from bossbot.sandbox.errors import SandboxPortInUseError

    try:
        asyncio.run(_with_signals(work))
    except SettingsError as error:
        return complain(str(error), SETTINGS_WRONG)
    except (StartError, SandboxPortInUseError) as error:
        return complain(str(error), FAILED)
    except (KeyboardInterrupt, asyncio.CancelledError):
        pass
    except Exception:  # the log's formatter keeps secrets out of the traceback; Python's own would not
        logging.getLogger("bossbot").critical("bossbot ended by a mistake of its own", exc_info=True)
        return FAILED
    return 0


async def _with_signals(work: Coroutine[None, None, None]) -> None:
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    await task


def complain(text: str, code: int) -> int:
    """Says what is wrong, a line each, and returns the exit code. Words from outside move no terminal's cursor."""
    for line in neutral(redact(text)).splitlines():
        print(f"bossbot: {line}", file=sys.stderr)
    return code


def not_written(error: OSError) -> int:
    """Says that the output cannot be written, and returns the exit code."""
    drop_output()
    return complain(f"the output cannot be written: {error.strerror or error}", FAILED)


def drop_output() -> None:
    """What was printed and not written goes nowhere, instead of into an error when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
