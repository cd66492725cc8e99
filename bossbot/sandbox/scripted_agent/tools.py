"""The tools that really do something: a shell command, reading and writing files below the agent's folder."""

import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress

from .frames import Frame
from .process_tree import kill_tree

POLL_S = 0.05
MAX_READ_BYTES = 256 * 1024


class Outcome:
    """What a tool gave back: the text for the model, and what cbc puts beside it."""

    def __init__(self, text: str, *, is_error: bool = False, meta: Frame | None = None, code: int = 0) -> None:
        self.text, self.is_error, self.meta, self.code = text, is_error, meta, code


def run_command(command: str, folder: str, check: Callable[[], None]) -> Outcome:
    """Runs a shell command in `folder` to its end. `check` is called while it runs; if it raises, the command dies.

    The command stays in the agent's own process group, so that whoever kills the group leaves nothing behind.
    """
    process = subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        while True:
            check()
            try:
                out, err = process.communicate(timeout=POLL_S)
                break
            except subprocess.TimeoutExpired:
                continue
    except BaseException:
        kill_tree(process.pid)
        with suppress(subprocess.TimeoutExpired):  # something that left the tree may still hold the pipes
            process.communicate(timeout=1)
        raise
    return _command_outcome(command, process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


def _command_outcome(command: str, code: int, out: str, err: str) -> Outcome:
    died_of = signal.Signals(-code).name if code < 0 else None
    exit_code = None if code < 0 else code
    lines = (
        f"Command: {command}",
        f"Stdout: {out or '(empty)'}",
        f"Stderr: {err or '(empty)'}",
        f"Exit Code: {'(none)' if exit_code is None else exit_code}",
        f"Signal: {died_of or '(none)'}",
    )
    response: Frame = {
        "exitCode": exit_code,
        "signal": died_of,
        "interrupted": False,
        "sandboxDenied": False,
        "stderrBytesTruncated": 0,
        "stdoutBytesTruncated": 0,
        "tool_error_code": "0" if code == 0 else "8002",
    }
    if code != 0:
        response |= {"is_error": True, "error": err}
    shown = (out + err).strip() or "(No content)"
    meta: Frame = {"rawResponse": response, "renderer": {"type": "text", "value": shown}}
    return Outcome("\n".join(lines), meta=meta, code=code)


def read_file(path: str, folder: str) -> Outcome:
    full = _inside(path, folder)
    if full is None:
        return Outcome(f"Error: {path} is outside the folder.", is_error=True)
    try:
        with open(full, "rb") as file:
            text = file.read(MAX_READ_BYTES).decode("utf-8", "replace")
    except OSError as error:
        return Outcome(f"Error: {error.strerror}: {path}", is_error=True)
    lines = text.split("\n")
    return Outcome("\n".join(f"{number:>4}→{line}" for number, line in enumerate(lines, start=1)))


def write_file(path: str, content: str, folder: str) -> Outcome:
    full = _inside(path, folder)
    if full is None:
        return Outcome(f"Error: {path} is outside the folder.", is_error=True)
    existed = os.path.exists(full)
    try:
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(content)
    except OSError as error:
        return Outcome(f"Error: {error.strerror}: {path}", is_error=True)
    done = "Successfully wrote to file" if existed else "Successfully created and wrote to new file"
    return Outcome(f"{done}: {full}")


def _inside(path: str, folder: str) -> str | None:
    """The real path when it lies below the folder, links followed; else None."""
    root = os.path.realpath(folder)
    full = os.path.realpath(os.path.join(root, path))
    return full if full.startswith(root + os.sep) else None
