"""Ending a command with everything that it has started.

A process group of its own would make this one call, but the command has to stay in the agent's group: whoever kills
that group must leave nothing behind.
"""

import os
import signal
import subprocess
from contextlib import suppress


def kill_tree(pid: int) -> None:
    """SIGKILL to a process and its descendants. All are stopped first, so that none can start another meanwhile."""
    stopped: set[int] = set()
    while family := {pid, *_descendants(pid)} - stopped:
        for member in family:
            _send(member, signal.SIGSTOP)
        stopped |= family
    for member in stopped:
        _send(member, signal.SIGKILL)


def _send(pid: int, signal_number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal_number)


def _descendants(pid: int) -> list[int]:
    parents = _parents_from_proc() or _parents_from_ps()
    found = [pid]
    for ancestor in found:
        found += [child for child, parent in parents.items() if parent == ancestor]
    return found[1:]


def _parents_from_proc() -> dict[int, int]:
    """Process → parent on Linux. The name in the middle of a `stat` line may hold spaces and brackets."""
    parents = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        if name.isdigit():
            with suppress(OSError, IndexError, ValueError), open(f"/proc/{name}/stat", "rb") as stat:
                parents[int(name)] = int(stat.read().rpartition(b")")[2].split()[1])
    return parents


def _parents_from_ps() -> dict[int, int]:
    """The same where there is no /proc, as on macOS."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=False).stdout
    rows = (line.split() for line in listed.splitlines())
    return {int(row[0]): int(row[1]) for row in rows if len(row) == 2}
