"""Where the agent CLI is, and which dialect it speaks.

In this order: what the configuration names, `cbc`, `codebuddy` or `claude` on PATH, then the program that an
installed `codebuddy-agent-sdk` or `claude-agent-sdk` brings along. Whatever is found is asked for its version once,
so that a broken program is one clear line at the start and not a silent agent later.
"""

import asyncio
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from bossbot.agent.environment import agent_environment
from bossbot.agent.guarded import Guarded
from bossbot.settings import AgentSettings
from bossbot.streamjson.dialects import CBC, CLAUDE, DIALECTS, Dialect

PROBE_TIMEOUT_S = 20.0
"""cbc takes 0.5 s to tell its version on an idle machine, and several on a busy one."""

_VERSION = re.compile(r"\d+\.\d+[\w.+-]*")


class AgentNotFound(Exception):
    """There is no agent CLI that works. The text is one line: the key, what is wrong, the fix."""


@dataclass(frozen=True, slots=True)
class Program:
    """The agent CLI: the program with the arguments that it always gets, and how to speak with it."""

    command: tuple[str, ...]
    dialect: Dialect
    version: str = ""

    def describe(self) -> str:
        """For a log: name, version, place."""
        return f"{self.dialect.title} {self.version or '(version unknown)'} at {' '.join(self.command)}"


async def find_program(
    settings: AgentSettings, environ: Mapping[str, str] | None = None, *, place: str = "[agent]"
) -> Program:
    """The program to use. Raises `AgentNotFound`, whose text begins with `place`."""
    try:
        program = await _find(settings, os.environ if environ is None else environ)
        _check_words(program.dialect, settings)
    except AgentNotFound as error:
        raise AgentNotFound(f"{place} {error}") from None
    return program


async def _find(settings: AgentSettings, environ: Mapping[str, str]) -> Program:
    wanted = DIALECTS.get(settings.dialect)
    command = _configured(settings.command, environ) if settings.command else _installed(wanted, environ)
    named = wanted or _dialect_by_name(command)
    environment = agent_environment(named or CBC, environ, settings.env)
    printed = await _ask_version(command, settings.workspace, environment)
    dialect = named or _dialect_by_version(printed)
    if dialect is None:
        told = f"{command[0]} says {_shown(printed)!r} for its version, which is neither CodeBuddy's nor Claude Code's"
        raise AgentNotFound(f'dialect: {told}; set it to "cbc" or "claude"')
    match = _VERSION.search(printed)
    assert match is not None
    version = match[0]
    if dialect.is_older(version, dialect.oldest):
        oldest = ".".join(map(str, dialect.oldest))
        raise AgentNotFound(
            f"command: {dialect.title} {version} at {command[0]} is too old: bossbot needs {oldest} or newer "
            f"and is tested with {dialect.tested}; update it"
        )
    return Program(command, dialect, version)


def _check_words(dialect: Dialect, settings: AgentSettings) -> None:
    """cbc says nothing at all when it does not know one of these words, and Claude Code only when it starts."""
    for key, word, known in (
        ("permission_mode", settings.permission_mode, dialect.permission_modes),
        ("effort", settings.effort, dialect.efforts),
    ):
        if word and word not in known:
            raise AgentNotFound(f'{key}: {dialect.title} knows no "{word}"; choose {_either(sorted(known))}')


# --- where ---


def _configured(command: Sequence[str], environ: Mapping[str, str]) -> tuple[str, ...]:
    name = command[0]
    path = (
        str(Path(name).expanduser().absolute()) if os.sep in name or name.startswith("~") else _on_path(name, environ)
    )
    if path is None:
        raise AgentNotFound(f"command: {name} is not on PATH; give its full path or install it")
    _check_runnable(path)
    return (path, *command[1:])


def _installed(wanted: Dialect | None, environ: Mapping[str, str]) -> tuple[str, ...]:
    dialects = (wanted,) if wanted is not None else (CBC, CLAUDE)
    for dialect in dialects:
        for name in dialect.program_names:
            path = _on_path(name, environ)
            if path is not None:
                return (path,)
    for path in _in_wheels(dialects):
        _check_runnable(path)
        return (path,)
    names = [name for dialect in dialects for name in dialect.program_names]
    wheels = [dialect.wheel.replace("_", "-") for dialect in dialects]
    raise AgentNotFound(
        f"command: no agent CLI found: {_either(names)} is not on PATH and {_either(wheels)} is not installed; "
        f"install one (pip install {wheels[0]} brings one along) or set command to its path"
    )


def _on_path(name: str, environ: Mapping[str, str]) -> str | None:
    found = shutil.which(name, path=environ.get("PATH", os.defpath))
    return str(Path(found).absolute()) if found else None


def _in_wheels(dialects: Sequence[Dialect]) -> Iterator[str]:
    """Looked up without importing the packages: one of them costs half a second."""
    for dialect in dialects:
        spec = find_spec(dialect.wheel)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            program = Path(folder) / dialect.wheel_program
            if program.is_file():
                yield str(program)


def _check_runnable(path: str) -> None:
    if not Path(path).exists():
        raise AgentNotFound(f"command: {path} does not exist; correct the path")
    if not Path(path).is_file():
        raise AgentNotFound(f"command: {path} is not a file; give the path of the program itself")
    if not os.access(path, os.X_OK):
        raise AgentNotFound(f"command: {path} is not executable; run: chmod +x {path}")


def _either(names: Sequence[str]) -> str:
    return " or ".join(names)


# --- which ---


def _dialect_by_name(command: Sequence[str]) -> Dialect | None:
    name = Path(command[0]).name.casefold()
    for dialect in DIALECTS.values():
        stems = (*dialect.program_names, Path(dialect.wheel_program).name)
        if any(re.fullmatch(rf"{re.escape(stem)}([-_.\d].*)?", name) for stem in stems):
            return dialect
    return None


def _dialect_by_version(printed: str) -> Dialect | None:
    return next((dialect for dialect in (CLAUDE, CBC) if dialect.version.search(printed)), None)


# --- does it work ---


async def _ask_version(command: Sequence[str], cwd: Path, env: Mapping[str, str]) -> str:
    """What it prints for `--version`."""
    try:
        process = await Guarded.spawn([*command, "--version"], cwd=cwd, env=env)
    except OSError as error:
        raise AgentNotFound(f"command: {command[0]} cannot be started: {error.strerror or error}") from None
    process.end_input()  # a wrapper around the CLI may wait for it
    process.end_input()
    try:
        async with asyncio.timeout(PROBE_TIMEOUT_S):
            printed = await _read_all(process)
            code = await process.wait()
    except TimeoutError:
        raise AgentNotFound(
            f"command: {command[0]} --version gave no answer within {PROBE_TIMEOUT_S:g} s; is it the agent CLI?"
        ) from None
    finally:
        process.kill()
        await process.wait()
    if code:
        raise AgentNotFound(f"command: {command[0]} --version failed: {process.last_words(code)}")
    if not _VERSION.search(printed):
        told = f"printed {_shown(printed)!r}" if printed else "printed nothing"
        raise AgentNotFound(f"command: {command[0]} --version {told}, which is no version; is it the agent CLI?")
    return printed


async def _read_all(process: Guarded) -> str:
    printed = b""
    while chunk := await process.read():
        printed = (printed + chunk)[:4096]
    return printed.decode("utf-8", "replace").strip()


def _shown(printed: str) -> str:
    line = printed.splitlines()[0] if printed else ""
    return line if len(line) <= 60 else line[:59] + "…"
