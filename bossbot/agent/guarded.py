"""Any program under a guard: fed and read through pipes, ended by a ladder, and nobody is left alive.

Not the program, not what it started, and not after the bot itself was killed: `supervisor.py` is the guard, and the
bot holds its lifeline. To let go of that, in whatever way, is to kill the whole tree.
"""

import asyncio
import os
import shutil
import sys
from collections.abc import Awaitable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from bossbot.agent import supervisor
from bossbot.agent.tail import Tail

CHUNK_BYTES = 256 * 1024
"""How much is read at once. Lines are cut elsewhere, so a line of any length passes."""

GUARD_GRACE_S = 4.0
"""How long the guard may take to kill a tree (it tries for two seconds) before its own group is killed."""


STDERR_GRACE_S = 1.0
"""How long the end of stderr may be awaited after the end of the process that wrote it."""


class Guarded:
    """Three pipes and a lifeline."""

    def __init__(self, process: asyncio.subprocess.Process, lifeline: int, secrets: Iterable[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process, self._stdin, self._stdout = process, process.stdin, process.stdout
        self._lifeline: int | None = lifeline
        self._tail = Tail(secrets)
        self._stderr = asyncio.create_task(self._read_stderr(process.stderr), name=f"stderr of {process.pid}")

    @classmethod
    async def spawn(
        cls, command: Sequence[str], *, cwd: Path, env: Mapping[str, str], secrets: Iterable[str] = ()
    ) -> Self:
        """Starts it in `cwd`, with nothing but `env`. Raises OSError when it cannot be started at all."""
        if shutil.which(command[0], path=env.get("PATH", os.defpath)) is None:
            raise PermissionError(f"{command[0]} does not exist or is not executable")
        making = asyncio.ensure_future(cls._make(command, cwd, env, secrets))
        try:
            return await asyncio.shield(making)
        except asyncio.CancelledError:
            # A creation that is cancelled halfway kills the guard, whose program is then unguarded, and CPython may
            # wait for ever for pipes that it had not connected yet. So it is let end, and the guard does the killing.
            await _for_certain(_end_made(making))
            raise

    @classmethod
    async def _make(cls, command: Sequence[str], cwd: Path, env: Mapping[str, str], secrets: Iterable[str]) -> Self:
        theirs, ours = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", supervisor.__file__, str(theirs), *command),
                cwd=cwd,
                env=dict(env),
                pass_fds=(theirs,),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,  # a Ctrl-C at the terminal is for the bot, which ends its agents in order
                limit=CHUNK_BYTES,
            )
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        return cls(process, ours, secrets)

    @property
    def pid(self) -> int:
        """The guard's; everything it guards is below it."""
        return self._process.pid

    async def write(self, data: bytes) -> None:
        """Writes and waits until the pipe has room. Raises ConnectionError once the program does not read any more."""
        if self._stdin.is_closing():
            raise ConnectionResetError("the agent's stdin is closed")
        self._stdin.write(data)
        await self._stdin.drain()

    def end_input(self) -> None:
        """The program reads the end of its stdin, after what was written."""
        self._stdin.close()

    async def read(self) -> bytes:
        """What has come on stdout, at least one byte; empty at its end."""
        return await self._stdout.read(CHUNK_BYTES)

    async def wait(self) -> int:
        """The exit code, once everything is over: 128 + n if signal n ended the program."""
        code = await self._process.wait()
        await asyncio.wait({self._stderr}, timeout=STDERR_GRACE_S)
        self._stderr.cancel()
        self._let_go()
        return code

    def kill(self) -> None:
        """Ends the whole tree at once. Does not wait."""
        self._let_go()

    async def close(self, grace_s: float) -> int:
        """The ladder: end of stdin, then SIGTERM, then SIGKILL for the whole tree, each after `grace_s` seconds."""
        try:
            self._stdin.close()
            if await self._ends_within(grace_s):
                return await self.wait()
            if self._lifeline is not None:
                with suppress(OSError):
                    os.write(self._lifeline, b"T")
            await self._ends_within(grace_s)
        finally:
            # Also when this is cancelled halfway: letting go needs no waiting.
            self._let_go()
        if not await self._ends_within(GUARD_GRACE_S):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, supervisor.SIGKILL)
        return await self.wait()

    def last_words(self, code: int) -> str:
        """How it ended, with what it said on stderr last, without secrets."""
        said = self._tail.last_lines()
        how = f"was killed by signal {code - 128}" if code > 128 else f"ended with code {code}"
        return f"the agent {how}" + (f": {said}" if said else "")

    async def _ends_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._process.wait()
        except TimeoutError:
            return False
        return True

    def _let_go(self) -> None:
        lifeline, self._lifeline = self._lifeline, None
        if lifeline is not None:
            os.close(lifeline)

    async def _read_stderr(self, stderr: asyncio.StreamReader) -> None:
        while chunk := await stderr.read(CHUNK_BYTES):
            self._tail.add(chunk)


async def _end_made(making: Awaitable[Guarded]) -> None:
    with suppress(OSError):
        process = await making
        await process.close(0.0)


async def _for_certain(work: Coroutine[None, None, None]) -> None:
    """Waits for work of milliseconds, also when it is cancelled meanwhile: the caller is about to raise that."""
    task = asyncio.ensure_future(work)
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait({task})
    task.result()
