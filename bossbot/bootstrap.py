"""The composition root: settings in, a running bot out. The one place that knows everybody."""

import asyncio
import difflib
import fcntl
import logging
import os
from collections.abc import Callable
from pathlib import Path

from bossbot.agent.discovery import AgentNotFound, Program, find_program
from bossbot.agent.pool import AgentPool
from bossbot.agent.sidecall import SideCall
from bossbot.app.access import Access
from bossbot.app.app import App, Parts
from bossbot.app.mint import mint
from bossbot.channel import BadChannelConfig, Channel
from bossbot.channel.registry import manifest
from bossbot.domain.policy import BadRule, Policy
from bossbot.intent.planner import Planner
from bossbot.settings import ChannelSettings, Settings
from bossbot.store.errors import StoreError
from bossbot.store.opening import open_store

log = logging.getLogger(__name__)


class StartError(Exception):
    """The bot cannot start. Each line names what is wrong, where, and the fix."""


async def run_bot(settings: Settings, on_ready: Callable[[], None] | None = None) -> None:
    """Runs the bot until cancelled. `on_ready` is called once everything runs. Raises `StartError`."""
    try:
        await _run(settings, on_ready)
    except (BadChannelConfig, AgentNotFound, StoreError) as error:
        raise StartError(str(error)) from None
    except BaseExceptionGroup as group:
        wrong = group.subgroup((BadChannelConfig, StoreError))
        if wrong is None:
            raise
        raise StartError("\n".join(str(error) for error in _leaves(wrong))) from None


async def _run(settings: Settings, on_ready: Callable[[], None] | None) -> None:
    try:
        policy = Policy.parse(settings.policy.allow, settings.policy.deny)
    except BadRule as error:
        raise StartError(f"[policy] allow and deny: {error}") from None
    enabled = _enabled(settings)
    workspace = settings.agent.workspace
    if not workspace.is_dir():
        raise StartError(f"[agent] workspace: {workspace} is no folder; make it or name another")
    program, channels = await asyncio.gather(find_program(settings.agent), asyncio.to_thread(_load_all, enabled))
    log.info("agent: %s", program.describe())
    lock = _only_here(settings.store.path)
    store = await open_store(settings.store.path)
    try:
        app = App(
            Parts(
                store=store,
                channels=channels,
                access=Access(enabled),
                planner=_planner(settings, program, _secrets(enabled)),
                mint=mint,
                edit_interval_s=settings.outbox.edit_interval_s,
            )
        )
        agents = AgentPool(program, settings.agent, policy, _secrets(enabled), mint, app.submit)
        async with asyncio.TaskGroup() as group:
            if on_ready is not None:
                group.create_task(_when_ready(app, on_ready))
            await app.run(agents)
    finally:
        await asyncio.gather(*(channel.close() for channel in channels.values()), return_exceptions=True)
        await store.close()
        os.close(lock)


def _only_here(store: str) -> int:
    """Two bots on one database would take each other's sends for those of a dead process: a lock lets in one."""
    if "://" in store and not store.startswith("sqlite"):
        return os.open(os.devnull, os.O_RDONLY)
    path = Path(f"{store.removeprefix('sqlite+aiosqlite:///').removeprefix('sqlite:///')}.lock")
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StartError(f"[store] path: {path} cannot be written ({error.strerror}); name another file") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise StartError(f"[store] path: another bossbot uses {store}; stop it, or name another file") from None
    return lock


async def _when_ready(app: App, on_ready: Callable[[], None]) -> None:
    await app.ready.wait()
    on_ready()


def _enabled(settings: Settings) -> dict[str, ChannelSettings]:
    enabled = {name: channel for name, channel in settings.channels.items() if channel.enabled}
    if not enabled:
        raise StartError("[channels]: no chat platform is configured; add [channels.telegram] or [channels.slack]")
    for name, channel in enabled.items():
        _check_keys(name, channel)
        if not channel.owners:
            raise StartError(f"[channels.{name}] owners is empty, so nobody could use the bot; put your user id there")
    return enabled


def _check_keys(name: str, settings: ChannelSettings) -> None:
    """A key that neither bossbot nor the adapter knows is a mistake: `aprovers` would silently allow nobody."""
    known = [*ChannelSettings.model_fields, *manifest(name).secrets, *manifest(name).keys]
    for key in settings.options:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            fix = f"did you mean {close[0]}?" if close else f"known here: {', '.join(sorted(known))}"
            raise StartError(f"[channels.{name}] {key}: there is no such key; {fix}")


def _load_all(enabled: dict[str, ChannelSettings]) -> dict[str, Channel]:
    """In a thread: importing an SDK takes seconds, in which the loop has other things to do."""
    return {name: manifest(name).load(settings.options) for name, settings in enabled.items()}


def _secrets(enabled: dict[str, ChannelSettings]) -> tuple[str, ...]:
    """The tokens of all channels: they may stand in no event, card or log, wherever they come from."""
    found = []
    for name, settings in enabled.items():
        for key in manifest(name).secrets:
            value = settings.options.get(key)
            if isinstance(value, str) and value:
                found.append(value)
    return tuple(found)


def known_secrets(settings: Settings) -> tuple[str, ...]:
    """The secrets that the settings hold, for the log's filter. Never raises: a wrong channel is reported later."""
    try:
        return _secrets({name: channel for name, channel in settings.channels.items() if channel.enabled})
    except BadChannelConfig:
        return ()


def _planner(settings: Settings, program: Program, secrets: tuple[str, ...]) -> Planner | None:
    match settings.planner.mode:
        case "off":
            return None
        case "rules":
            return Planner(None, settings.planner.timeout_s)
        case "auto":
            side_call = SideCall(program, settings.agent, settings.planner.timeout_s, secrets=secrets)
            return Planner(side_call.ask, settings.planner.timeout_s)


def _leaves(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    found: list[BaseException] = []
    for error in group.exceptions:
        found += _leaves(error) if isinstance(error, BaseExceptionGroup) else [error]
    return found


def default_config() -> Path | None:
    """What is used without `--config`: `bossbot.toml` or `config/bossbot.toml` here, if one exists."""
    return next((path for path in (Path("bossbot.toml"), Path("config/bossbot.toml")) if path.is_file()), None)
