"""Stories that touch the folder: commands, files, and many quick looks at them."""

import os

from .acts import Background, bash, quick, refused
from .tools import read_file, write_file
from .turn import Turn
from .words import CACHE_FILES, NOTES_FILE, REMOVE_CACHE

LONG_COMMAND_BYTES = 5 * 1024
MANY = 200
LOOKS = 10


def clean(turn: Turn, _: Background) -> None:
    """Really removes `build-cache`, and looks whether it is gone."""
    _remove_cache(turn, "clean.before", REMOVE_CACHE, "Remove build cache")


def long_command(turn: Turn, background: Background) -> None:
    """Harmless echoes for 5 kB, and then the line that matters."""
    command = ""
    for number in range(1, LONG_COMMAND_BYTES):
        line = f"echo 'checking object file {number:04d} of the build cache'\n"
        if len(command) + len(line) + len(REMOVE_CACHE) > LONG_COMMAND_BYTES:
            break
        command += line
    _remove_cache(turn, "long.before", command + REMOVE_CACHE, "Check and clean the build cache")


def _remove_cache(turn: Turn, before: str, command: str, description: str) -> None:
    sizes = [os.path.getsize(path) for path in ensure_cache(turn.session.folder)]
    turn.say(turn.word(before), goes_on=True)
    outcome = bash(turn, command, description)
    if outcome is not None:
        gone = not os.path.exists(os.path.join(turn.session.folder, "build-cache"))
        if outcome.code == 0 and gone:
            turn.say(turn.word("clean.done", files=len(sizes), size=sum(sizes)))
        else:
            turn.say(turn.word("clean.failed", code=outcome.code, output=outcome.text[-500:]))
    turn.finish()


def edit(turn: Turn, _: Background) -> None:
    if os.path.exists(os.path.join(turn.session.folder, NOTES_FILE)):
        quick(turn, "Read", {"file_path": NOTES_FILE}, read_file(NOTES_FILE, turn.session.folder))
    call = turn.call("Write", {"file_path": NOTES_FILE, "content": turn.word("edit.content")})
    turn.show(call)
    decision = turn.permit(call)
    if not decision.allowed:
        refused(turn, call, decision)
        turn.finish()
        return
    turn.init()
    path = str(decision.given.get("file_path", NOTES_FILE))
    outcome = write_file(path, str(decision.given.get("content", "")), turn.session.folder)
    turn.session.send(turn.session.frames.file_history({path: {"version": 1, "existedAtTrack": False}}))
    turn.give(call, outcome)
    key = "edit.failed" if outcome.is_error else "edit.done"
    turn.say(turn.word(key, name=path, error=outcome.text))
    turn.finish()


def many_tools(turn: Turn, _: Background) -> None:
    files = ensure_cache(turn.session.folder)
    for number in range(MANY if files else 0):
        path = os.path.relpath(files[number % len(files)], turn.session.folder)
        quick(turn, "Read", {"file_path": path}, read_file(path, turn.session.folder))
        turn.pause(0.01)
    turn.say(turn.word("many.done", count=MANY if files else 0))
    turn.finish()


def git_status(turn: Turn, _: Background) -> None:
    turn.say(turn.word("git.before"), goes_on=True)
    output = ""
    for _number in range(LOOKS):
        outcome = bash(turn, "git status", "Look at the repository")
        if outcome is None:
            turn.finish()
            return
        output = outcome.text
    turn.say(turn.word("git.done", count=LOOKS) + "\n\n```\n" + output[:500] + "\n```")
    turn.finish()


def ensure_cache(folder: str) -> list[str]:
    """The files below `build-cache`; where there is no such folder one is made, so that there is something to clean."""
    cache = os.path.join(folder, "build-cache")
    if not os.path.isdir(cache):
        for name, size in CACHE_FILES.items():
            path = os.path.join(cache, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(b"x" * (size - 1) + b"\n")
    return sorted(os.path.join(at, name) for at, _, names in os.walk(cache) for name in names)
