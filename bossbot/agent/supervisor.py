"""The agent's guard: a tiny process between the bot and the agent CLI that leaves nobody alive.

    python -I -S supervisor.py LIFELINE PROGRAM [ARGUMENT…]

LIFELINE is the number of a pipe's read end whose write end only the bot holds. The guard starts the program on its
own stdin, stdout and stderr and waits for one of two ends. The program ends: what it left behind (a server in the
background, a hung MCP child) is killed, and the guard exits with the program's code. The pipe ends, because the bot
closed it or died in whatever way: everybody below the guard is killed at once. A byte in the pipe becomes SIGTERM for
the program's group.

On Linux the guard is a subreaper, so a child that left its group and its parent is still found below it; elsewhere
the tree is read from `ps`. It is run as a bare script and imports next to nothing, because its start-up is part of
every agent's: `signal` alone (it pulls in `enum`) would cost as much as the interpreter.
"""

import os
import select
import sys

SIGKILL, SIGPIPE, SIGTERM, SIGXFSZ = 9, 13, 15, 25
"""The same on Linux and macOS."""

PR_SET_CHILD_SUBREAPER = 36
CANNOT_RUN = 126
ROUNDS, PAUSE_S = 200, 0.01
"""Killing is repeated while anybody is left, for about two seconds: a process may fork while it is being killed."""

POLL_S = 0.1
"""How often a system without pidfd is asked whether the program has ended."""


def main(arguments: list[str]) -> int:
    """Guards one program until its end; gives its exit code, 128 + n if signal n ended it."""
    lifeline, command = int(arguments[0]), arguments[1:]
    os.set_inheritable(lifeline, False)
    _adopt_orphans()
    try:
        ignored_by_python = [SIGPIPE, SIGXFSZ]
        child = os.posix_spawnp(command[0], command, os.environ, setpgroup=0, setsigdef=ignored_by_python)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        return CANNOT_RUN
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)  # each end of the two pipes has one holder, so that its end is noticed
    code = _wait(child, lifeline)
    _kill_all(child)
    return code


def _adopt_orphans() -> None:
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _wait(child: int, lifeline: int) -> int:
    """The program's code once it has ended, or that of a killed one once the lifeline has."""
    poll = select.poll()
    poll.register(lifeline, select.POLLIN)
    try:
        poll.register(os.pidfd_open(child), select.POLLIN)
        timeout_ms = None
    except (AttributeError, OSError):
        timeout_ms = POLL_S * 1000
    while True:
        ready = [fd for fd, _ in poll.poll(timeout_ms)]
        code = _reap(child)
        if code is not None:
            return code
        if lifeline in ready:
            if not os.read(lifeline, 512):
                return 128 + SIGKILL
            _send(-child, SIGTERM)


def _reap(child: int) -> int | None:
    """Buries whoever has died, adopted orphans too; the child's code if it was among them."""
    code = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code
        if not pid:
            return code
        if pid == child:
            ended = os.waitstatus_to_exitcode(status)
            code = ended if ended >= 0 else 128 - ended


def _kill_all(child: int) -> None:
    _send(-child, SIGKILL)
    root = os.getpid() if _HAS_PROC else child
    for _ in range(ROUNDS):
        _reap(child)
        below = _descendants(root)
        if not below:
            return
        for pid in below:
            _send(pid, SIGKILL)
        select.select([], [], [], PAUSE_S)


def _send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return


def _descendants(root: int) -> list[int]:
    """Everybody below the process, the unburied dead too: a killed program whose threads are still ending is already
    listed as a zombie, and its children are not ours yet."""
    children: dict[int, list[int]] = {}
    for pid, parent in _processes():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    queue = [root]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found


_HAS_PROC = os.path.isdir("/proc/self")


def _processes() -> list[tuple[int, int]]:
    """(pid, parent's pid) of every process."""
    if not _HAS_PROC:
        with os.popen("ps -axo pid=,ppid=") as listing:  # noqa: S605 - a fixed text
            return [(int(pid), int(parent)) for pid, parent in (line.split() for line in listing)]
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:
                    # The name may hold spaces and brackets; behind its last bracket stand the state and the parent.
                    found.append((int(name), int(stat.read().rpartition(b")")[2].split()[1])))
            except (OSError, ValueError, IndexError):
                continue
    return found


if __name__ == "__main__":
    os._exit(main(sys.argv[1:]))
