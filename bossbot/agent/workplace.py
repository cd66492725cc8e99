"""Where an agent works, as an execution request names it: the folder, and the repository and branch it belongs to.

Read from git's own files, so that no program of the workspace runs. Whatever cannot be read is left empty.
"""

import configparser
import os
import re
from collections.abc import Iterable
from pathlib import Path

from bossbot.domain.events import Workspace
from bossbot.text.redaction import redact

FILE_BYTES = 64 * 1024
CHARS = 500
_NAMED = re.compile(r"^(?P<scheme>[a-z][a-z0-9+.-]*://)[^/@]*@", re.IGNORECASE)
_BRANCH = "ref: refs/heads/"


def workplace(folder: Path, secrets: Iterable[str] = ()) -> Workspace:
    """What is known of this folder. Never raises; neither a password nor a known secret is in it."""
    folder, secrets = folder.absolute(), tuple(secrets)
    git = next(filter(None, map(_git_folder, (folder, *folder.parents))), None)
    found = {
        "repo": _origin(git) if git is not None else "",
        "branch": _branch(git) if git is not None else "",
        "worktree_path": str(folder),
    }
    return Workspace.model_validate({key: redact(value, secrets)[:CHARS] for key, value in found.items()})


def _git_folder(folder: Path) -> Path | None:
    """The folder's `.git`; in a further worktree that is a file which names it."""
    here = folder / ".git"
    if os.path.isdir(here):  # unlike the method, it is false for what may not be looked at
        return here
    named = _text(here)
    return (folder / named.removeprefix("gitdir:").strip()) if named.startswith("gitdir:") else None


def _branch(git: Path) -> str:
    """Empty when no branch is checked out."""
    head = _text(git / "HEAD").strip()
    return head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else ""


def _origin(git: Path) -> str:
    """The address of the remote `origin`, without user and password: those of a URL, not the `git@` of ssh."""
    common = _text(git / "commondir").strip()
    config = configparser.ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    try:
        config.read_string(_text((git / common if common else git) / "config"))
        address = config.get('remote "origin"', "url", fallback="") or ""
    except configparser.Error:
        return ""
    return _NAMED.sub(r"\g<scheme>", address)


def _text(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(FILE_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
