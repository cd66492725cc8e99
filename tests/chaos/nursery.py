"""Bots by fork: the program is imported once, and each start is a fork of that process, which takes 20 ms instead of
two seconds. What runs in the child is `bossbot run`, in a process group of its own; nothing of it is shared.

Run as a program it reads a start a line from stdin, as JSON, and writes the new process id; it reaps its dead.
"""

import ctypes
import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

PR_SET_PDEATHSIG = 1
WHAT_A_START_IMPORTS = ("bossbot.cli.run", "bossbot.bootstrap", "bossbot.store.postgres", "bossbot_telegram.runtime")


class Nursery:
    """Starts bots. Opening it imports the program: some seconds, once; a start then blocks for a moment only."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        assert self._line() == "ready"

    def start(self, config: Path, log: Path, env: Mapping[str, str]) -> int:
        """`bossbot run --config CONFIG` in the config's folder; its process id, which is its group's too."""
        order = {"config": str(config), "log": str(log), "env": dict(env)}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()
        return int(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().decode().strip()

    def close(self) -> None:
        """Ends it; the bots must have been killed before."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def kill(pid: int) -> None:
    """kill -9 of the bot's process group, now; of a fork that leads no group yet, and so has nobody below it, alone."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)


def alive(pid: int) -> bool:
    """Whether the process exists and is more than a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _serve() -> None:
    for name in WHAT_A_START_IMPORTS:
        import_module(name)

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead are reaped by the kernel
    gc.freeze()
    _write(1, b"ready\n")
    pending = b""
    while chunk := os.read(0, 65536):  # unbuffered: a child must not inherit half a line
        *lines, pending = (pending + chunk).split(b"\n")
        for line in lines:
            order = json.loads(line)
            pid = os.fork()
            if pid == 0:
                _bot(order)
            _write(1, f"{pid}\n".encode())


def _bot(order: Mapping[str, object]) -> None:
    """Never returns."""
    from bossbot.cli.main import main

    os.setsid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # no bot outlives a test run that was killed
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    log = os.open(str(order["log"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for theirs, ours in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(theirs, ours)
    os.environ.clear()
    os.environ.update(order["env"])  # type: ignore[call-overload]
    os.chdir(Path(str(order["config"])).parent)
    code = 1
    try:
        code = main(["run", "--config", str(order["config"])])
    finally:
        sys.stderr.flush()
        os._exit(code)


def _write(fd: int, data: bytes) -> None:
    os.write(fd, data)


if __name__ == "__main__":
    _serve()
