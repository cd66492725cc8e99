"""The composition root: settings in, a running bot out. The one place that knows everybody."""

import asyncio
import difflib
import gc
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from bossbot.agent.discovery import AgentNotFound, Program, find_program
from bossbot.agent.hired import Hired
from bossbot.agent.keeping import Keeping
from bossbot.agent.longlines import LongLines
from bossbot.agent.pool import AgentPool
from bossbot.agent.sidecall import SideCall
from bossbot.app.access import Access
from bossbot.app.app import App, Parts
from bossbot.app.housekeeping import housekeep
from bossbot.app.judging import PlannerOf
from bossbot.app.mint import mint
from bossbot.channel import BadChannelConfig, Channel
from bossbot.channel.registry import manifest
from bossbot.domain.events import Steering
from bossbot.domain.policy import BadRule, Policy
from bossbot.ids import ThreadRef
from bossbot.intent.planner import Planner
from bossbot.settings import AgentSettings, ChannelSettings, Settings
from bossbot.store.artifacts import ArtifactFiles
from bossbot.store.errors import StoreError
from bossbot.store.opening import open_store, store_password
from bossbot.store.protocol import EventStore

log = logging.getLogger(__name__)


class StartError(Exception):
    """The bot cannot start. Each line names what is wrong, where, and the fix."""


Ready = Callable[[str], None]
"""Called once everything runs, with the address of the feeds, or nothing when they are off."""


async def run_bot(settings: Settings, on_ready: Ready | None = None) -> None:
    """Runs the bot until cancelled. Raises `StartError`."""
    try:
        await _run(settings, on_ready)
    except (BadChannelConfig, AgentNotFound, StoreError) as error:
        raise StartError(str(error)) from None
    except BaseExceptionGroup as group:
        wrong = group.subgroup((BadChannelConfig, AgentNotFound, StoreError))
        if wrong is None:
            raise
        raise StartError("\n".join(str(error) for error in _leaves(wrong))) from None


async def _run(settings: Settings, on_ready: Ready | None) -> None:
    try:
        policy = Policy.parse(settings.policy.allow, settings.policy.deny)
    except BadRule as error:
        raise StartError(f"[policy] allow and deny: {error}") from None
    enabled, secrets = enabled_channels(settings), known_secrets(settings)
    check_workspaces(settings)
    async with asyncio.TaskGroup() as starting:  # unlike gather it leaves no half-asked program behind an error
        finding = starting.create_task(find_programs(settings))
        loading = starting.create_task(asyncio.to_thread(_load_all, enabled))
    programs, channels = finding.result(), loading.result()
    for place, program in programs.items():
        log.info("%s: %s", place or "agent", program.describe())
    store = await open_store(settings.store.path, exclusive=True)
    try:
        artifacts = await asyncio.to_thread(open_artifacts, settings, secrets)
    except StartError:
        await store.close()
        raise
    keeping: Keeping | None = None
    long_lines = LongLines(artifacts.incoming if artifacts is not None else None)
    try:
        app = App(
            Parts(
                store=store,
                channels=channels,
                access=Access(enabled),
                planner_of=planner_of(settings, programs, secrets),
                mint=mint,
                edit_interval_s=settings.outbox.edit_interval_s,
                retries=settings.retries,
                approval_expires_s=settings.policy.expires_s,
                steering=Steering(settings.agent.steering),
            )
        )
        keeping = Keeping(artifacts, app.submit) if artifacts is not None else None
        hired = {
            name: Hired(
                program,
                agent_settings(settings, name),
                policy,
                secrets,
                mint,
                app.submit,
                long_lines,
                keep=keeping.keep if keeping is not None else None,
                write=app.write,
            )
            for name, program in programs.items()
        }
        agents = AgentPool(lambda state: hired[project_of(settings, state.threads)])
        gc.freeze()  # what is loaded stays: a whole collection of it would stop the loop for 50 ms and more
        async with _feeds(settings, store) as feeds, asyncio.TaskGroup() as group:
            if on_ready is not None:
                group.create_task(_when_ready(app, partial(on_ready, feeds)))
            group.create_task(store.keep())
            group.create_task(housekeep(store, settings.store))
            await app.run(agents)
    finally:
        await asyncio.gather(*(channel.close() for channel in channels.values()), return_exceptions=True)
        await long_lines.close()
        if keeping is not None:
            keeping.close()
        await store.close()


def open_artifacts(settings: Settings, secrets: Iterable[str] = ()) -> ArtifactFiles | None:
    """The folder of artifacts, ready for use; None where none are kept. Raises `StartError`."""
    a = settings.artifacts
    if not a.enabled:
        return None
    files = ArtifactFiles(
        settings.artifact_folder,
        max_file_bytes=a.max_file_bytes,
        max_total_bytes=a.max_total_bytes,
        retention_days=a.retention_days,
        secrets=secrets,
    )
    try:
        files.open()
    except OSError as error:
        place, why = settings.artifact_folder, error.strerror
        raise StartError(
            f"[artifacts] folder: {place} cannot be used ({why}); name another, or enabled = false"
        ) from None
    return files


def check_workspaces(settings: Settings) -> None:
    """Raises `StartError` for a workspace that is not there."""
    for name in ("", *settings.projects):
        workspace = agent_settings(settings, name).workspace
        if not workspace.is_dir():
            place = f"[projects.{name}]" if name else "[agent]"
            raise StartError(f"{place} workspace: {workspace} is no folder; make it or name another")


async def find_programs(settings: Settings) -> dict[str, Program]:
    """The agent CLI of each project, and under the empty name that of all other chats. Raises `AgentNotFound`."""
    found = {"": await find_program(settings.agent)}
    for name, project in settings.projects.items():
        same = project.command is None and project.dialect is None
        found[name] = (
            found[""] if same else await find_program(project.over(settings.agent), place=f"[projects.{name}]")
        )
    return found


def agent_settings(settings: Settings, project: str) -> AgentSettings:
    """The agent's settings in this project; the empty name is that of all other chats."""
    return settings.projects[project].over(settings.agent) if project else settings.agent


def project_of(settings: Settings, threads: Sequence[ThreadRef]) -> str:
    """The project that a session's chat is bound to, or nothing."""
    chats = {f"{thread.channel}:{thread.chat}" for thread in threads}
    return next((name for name, project in settings.projects.items() if not chats.isdisjoint(project.chats)), "")


@asynccontextmanager
async def _feeds(settings: Settings, store: EventStore) -> AsyncIterator[str]:
    """Serves the feeds if they are wanted; gives their address."""
    if not settings.http.enabled:
        yield ""
        return
    from bossbot.http.server import HttpError, serving

    async with AsyncExitStack() as stack:
        try:
            address = await stack.enter_async_context(serving(settings.http, store))
        except HttpError as error:
            raise StartError(str(error)) from None
        log.info("feeds: %s", address)
        yield address


async def _when_ready(app: App, on_ready: Callable[[], None]) -> None:
    await app.ready.wait()
    on_ready()


def enabled_channels(settings: Settings) -> dict[str, ChannelSettings]:
    """The platforms that are on. Raises `StartError` when there is none, or one that nobody could use."""
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


def known_secrets(settings: Settings) -> tuple[str, ...]:
    """The secrets that the settings hold: they may stand in no event, card, file or log, wherever they come from.

    Never raises: a wrong channel is reported later.
    """
    own = (store_password(settings.store.path), settings.http.token, *_keys(settings))
    try:
        return (*filter(None, own), *_tokens(settings.channels))
    except BadChannelConfig:
        return tuple(filter(None, own))


def _tokens(channels: Mapping[str, ChannelSettings]) -> Iterator[str]:
    """The tokens of the platforms that are on."""
    for name, settings in channels.items():
        for key in manifest(name).secrets if settings.enabled else ():
            value = settings.options.get(key)
            if isinstance(value, str) and value:
                yield value


_KEY_NAME = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD)$", re.IGNORECASE)
_KEY_CHARS = 8
"""What is shorter is no key, and would be taken out of ordinary words."""


def _keys(settings: Settings) -> Iterator[str]:
    """What the agents get in their environment, by its name a key. A path says where one lies: people must read it."""
    for env in (settings.agent.env, *(project.env for project in settings.projects.values())):
        for name, value in env.items():
            if _KEY_NAME.search(name) and len(value) >= _KEY_CHARS and value[0] not in "/~.":
                yield value


def planner_of(settings: Settings, programs: Mapping[str, Program], secrets: tuple[str, ...]) -> PlannerOf | None:
    """Who judges the messages of a session: the agent CLI of its project, as that project's settings have it."""
    timeout_s = settings.planner.timeout_s
    match settings.planner.mode:
        case "off":
            return None
        case "rules":
            rules = Planner(None, timeout_s)
            return lambda state: rules
        case "auto":
            planners = {
                name: Planner(
                    SideCall(program, agent_settings(settings, name), timeout_s, secrets=secrets).ask, timeout_s
                )
                for name, program in programs.items()
            }
            return lambda state: planners[project_of(settings, state.threads)]


def _leaves(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    found: list[BaseException] = []
    for error in group.exceptions:
        found += _leaves(error) if isinstance(error, BaseExceptionGroup) else [error]
    return found
