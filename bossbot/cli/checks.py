"""What `bossbot doctor` looks at. No channel's SDK is imported: it may be what is broken, and it takes seconds."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bossbot.agent.checkup import Checkup, check_up
from bossbot.agent.discovery import AgentNotFound, Program, find_program
from bossbot.bootstrap import StartError, agent_settings, enabled_channels, known_secrets
from bossbot.channel import BadChannelConfig
from bossbot.domain.policy import BadRule, Policy
from bossbot.settings import AgentSettings, Settings
from bossbot.store.errors import StoreError
from bossbot.store.opening import open_store, shown_place

OK, WARNING, ERROR = "ok", "warning", "error"


@dataclass(frozen=True, slots=True)
class Check:
    """What was found. `text` of a warning or an error names the fix."""

    name: str
    verdict: str
    text: str


Show = Callable[[Check], None]


async def run_checks(settings: Settings, path: str, *, look: bool, show: Show) -> None:
    """Shows each check as soon as it is known. `look`: also start the agent CLI for a moment."""
    show(Check("configuration", OK, path or "no file: defaults and the environment"))
    show(_channels(settings))
    show(_policy(settings))
    show(await _store(settings))
    show(Check("planner", OK, _planner(settings)))
    for name in ("", *settings.projects):
        await _agent(name, agent_settings(settings, name), settings, look=look, show=show)


def _channels(settings: Settings) -> Check:
    try:
        enabled = enabled_channels(settings)
    except (StartError, BadChannelConfig) as error:
        return Check("channels", ERROR, str(error))
    rights = (f"{name} ({_count(len(channel.owners), 'owner')})" for name, channel in enabled.items())
    return Check("channels", OK, ", ".join(rights))


def _policy(settings: Settings) -> Check:
    try:
        Policy.parse(settings.policy.allow, settings.policy.deny)
    except BadRule as error:
        return Check("policy", ERROR, f"[policy] allow and deny: {error}")
    allow, deny = len(settings.policy.allow), len(settings.policy.deny)
    return Check("policy", OK, f"{_count(allow, 'rule')} that allow, {_count(deny, 'rule')} that deny")


async def _store(settings: Settings) -> Check:
    path = settings.store.path
    missing = _missing(path)
    if missing is not None:
        return missing
    try:
        store = await open_store(path)
        await store.close()
    except (StoreError, OSError) as error:
        return Check("store", ERROR, f"[store] path: {error}")
    return Check("store", OK, shown_place(path))


def _missing(path: str) -> Check | None:
    """A file that the first start would make is not made by looking for it."""
    if "://" in path or Path(path).exists():
        return None
    folder = Path(path).parent
    if folder.is_dir() and os.access(folder, os.W_OK):
        return Check("store", OK, f"{path} (made at the first start)")
    return Check("store", ERROR, f"[store] path: {folder} is no folder that can be written; name another file")


def _planner(settings: Settings) -> str:
    match settings.planner.mode:
        case "auto":
            return f"auto: asks the agent CLI in a side call of at most {settings.planner.timeout_s:g} s, else rules"
        case "rules":
            return "rules: never asks the agent CLI"
        case "off":
            return "off: no message is judged, each goes straight to the manager"


async def _agent(name: str, agent: AgentSettings, settings: Settings, *, look: bool, show: Show) -> None:
    place = f"[projects.{name}]" if name else "[agent]"
    prefix = f"{name}: " if name else ""
    if not agent.workspace.is_dir():
        show(Check("workspace", ERROR, f"{place} workspace: {agent.workspace} is no folder; make it or name another"))
        return
    show(Check("workspace", OK, f"{prefix}{agent.workspace}"))
    try:
        program = await find_program(agent, place=place)
    except AgentNotFound as error:
        show(Check("agent", ERROR, str(error)))
        return
    show(_version(program, prefix))
    if look:
        seen = await check_up(program, agent, known_secrets(settings))
        for check in _seen(seen, agent, program, place, prefix):
            show(check)


def _version(program: Program, prefix: str) -> Check:
    dialect = program.dialect
    text = f"{prefix}{program.describe()}, dialect {dialect.name}"
    if dialect.is_older(program.version, dialect.tested):
        return Check("agent", WARNING, f"{text}: older than {dialect.tested}, which bossbot is tested with; update it")
    return Check("agent", OK, text)


def _seen(seen: Checkup, agent: AgentSettings, program: Program, place: str, prefix: str) -> list[Check]:
    title = program.dialect.title
    if seen.failure:
        return [Check("start", ERROR, f"{prefix}{title}: {seen.failure}")]
    checks = [Check("start", OK, f"{prefix}{title} starts and answers")]
    match seen.signed_in:
        case True:
            checks.append(Check("login", OK, f"{prefix}there is an account or a key"))
        case False:
            names = ", ".join(f"{p}API_KEY" for p in program.dialect.env_prefixes[:1])
            how = f"start {program.dialect.program_names[0]} once and use /login, or set {names} in [agent.env]"
            checks.append(
                Check("login", WARNING, f"{prefix}{title} has no account: {how} (a model of your own may need none)")
            )
    if agent.model and seen.models and agent.model not in seen.models:
        offered = ", ".join(seen.models[:12])
        checks.append(
            Check("model", WARNING, f'{place} model: "{agent.model}" is not among those it offers: {offered}')
        )
    match seen.workflows:
        case True:
            checks.append(Check("workflows", OK, f"{prefix}on"))
        case False:
            text = f"{prefix}off: {title} offers no Workflow tool (its own switch); everything else works"
            checks.append(Check("workflows", WARNING, text))
    return checks


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
