"""Settings: a TOML file and BOSSBOT_* environment variables become one frozen value.

Environment wins over the file: `BOSSBOT_AGENT__MODEL=…` is `[agent] model`. A key that does not exist, or a value that
does not fit, is an error that names the file, the key and the fix. Every key with its default stands in
`config/bossbot.toml`.
"""

import difflib
import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

ENV_PREFIX = "BOSSBOT_"


class SettingsError(Exception):
    """The settings are wrong. The text has one line for each mistake, with the key and the fix."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _one_or_many(value: object) -> object:
    """A list, or one value for a list of one; from the environment also a JSON list."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = json.loads(value)
    if isinstance(value, str | int):
        return (value,) if value != "" else ()
    return value


class AgentSettings(_Section):
    """The agent CLI. See `config/bossbot.toml` for each key."""

    command: Annotated[tuple[str, ...], NoDecode] = ()
    dialect: Literal["auto", "cbc", "claude"] = "auto"
    workspace: Path = Path()
    model: str = ""
    effort: str = ""
    permission_mode: str = "default"
    args: Annotated[tuple[str, ...], NoDecode] = ()
    env: dict[str, str] = Field(default_factory=dict, repr=False)
    idle_close_s: float = Field(default=1800.0, gt=0)
    close_grace_s: float = Field(default=5.0, gt=0)
    steering: Literal["queue", "now", "replace"] = "queue"
    partial_messages: bool = False
    max_line_bytes: int = Field(default=65 * 1024**2, ge=1024**2)

    @field_validator("command", "args", mode="before")
    @classmethod
    def _words(cls, value: object) -> object:
        return _one_or_many(value)


class ProjectSettings(_Section):
    """A workspace of its own for some chats (`channel:chat id`); what it leaves out is as in `[agent]`."""

    chats: Annotated[tuple[str, ...], NoDecode]
    workspace: Path
    command: Annotated[tuple[str, ...], NoDecode] | None = None
    dialect: Literal["auto", "cbc", "claude"] | None = None
    model: str | None = None
    effort: str | None = None
    permission_mode: str | None = None
    args: Annotated[tuple[str, ...], NoDecode] | None = None
    env: dict[str, str] = Field(default_factory=dict, repr=False)

    @field_validator("chats", "command", "args", mode="before")
    @classmethod
    def _words(cls, value: object) -> object:
        return _one_or_many(value)

    def over(self, agent: AgentSettings) -> AgentSettings:
        """The agent's settings in this project."""
        changed = {key: value for key, value in self if value is not None and key not in ("chats", "env")}
        return agent.model_copy(update={**changed, "env": {**agent.env, **self.env}})


class ChannelSettings(BaseModel):
    """A chat platform. Keys beyond these belong to its adapter. User ids are the platform's own, as text or number."""

    model_config = ConfigDict(frozen=True, extra="allow")

    enabled: bool = True
    owners: tuple[str, ...] = ()
    approvers: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    listen: tuple[str, ...] = ()

    @field_validator("owners", "approvers", "members", "listen", mode="before")
    @classmethod
    def _ids(cls, value: object) -> object:
        words = _one_or_many(value)
        return tuple(str(v) for v in words) if isinstance(words, list | tuple) else words

    @property
    def options(self) -> dict[str, object]:
        """The keys that belong to the adapter."""
        return dict(self.model_extra or {})

    def __repr__(self) -> str:
        """Without the adapter's keys: tokens are among them."""
        return f"ChannelSettings(enabled={self.enabled}, owners={self.owners}, options={sorted(self.options)})"

    __str__ = __repr__


class StoreSettings(_Section):
    """Where the event log is, and how long closed sessions stay in it (0: for ever)."""

    path: str = Field(default="bossbot.db", repr=False)
    retention_days: float = Field(default=0.0, ge=0)
    retention_export: str = ""


class ArtifactSettings(_Section):
    """Whole outputs of tools and tasks, as files. `folder` empty: beside the store."""

    enabled: bool = True
    folder: str = ""
    max_file_bytes: int = Field(default=16 * 1024**2, gt=0)
    max_total_bytes: int = Field(default=1024**3, gt=0)
    retention_days: float = Field(default=30.0, gt=0)


class HttpSettings(_Section):
    """The feeds of events for other programs."""

    enabled: bool = False
    host: str = "127.0.0.1"
    port: int = Field(default=8710, ge=0, le=65535)
    token: str = Field(default="", repr=False)
    names: Annotated[tuple[str, ...], NoDecode] = ()

    @field_validator("names", mode="before")
    @classmethod
    def _hosts(cls, value: object) -> object:
        return _one_or_many(value)


class PlannerSettings(_Section):
    """Who judges whether a message changes the plan: the agent CLI in a side call, or rules alone."""

    mode: Literal["auto", "rules", "off"] = "auto"
    timeout_s: float = Field(default=15.0, gt=0)


class PolicySettings(_Section):
    """Rules for tool calls, before a person is asked: `Tool` or `Tool(pattern)`. Deny wins over allow.

    `expires_s`: a request that nobody has decided for so long is answered with no.
    """

    allow: Annotated[tuple[str, ...], NoDecode] = ()
    deny: Annotated[tuple[str, ...], NoDecode] = ()
    expires_s: float = Field(default=86_400.0, gt=0)

    @field_validator("allow", "deny", mode="before")
    @classmethod
    def _rules(cls, value: object) -> object:
        return _one_or_many(value)


class RetrySettings(_Section):
    """What failed for want of the network, the provider or the agent's process is tried again, with growing pauses."""

    max_retries: int = Field(default=3, ge=0)
    first_pause_s: float = Field(default=1.0, gt=0)
    longest_pause_s: float = Field(default=60.0, gt=0)


class OutboxSettings(_Section):
    """How often a card of progress may be edited, in seconds; approvals and answers never wait for it."""

    edit_interval_s: float = Field(default=1.0, ge=0)


class LogSettings(_Section):
    """What is logged to stderr."""

    level: Literal["debug", "info", "warning", "error"] = "info"


class Settings(BaseSettings):
    """All settings. Made by `load_settings`."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix=ENV_PREFIX, env_nested_delimiter="__", env_ignore_empty=True
    )

    agent: AgentSettings = AgentSettings()
    projects: dict[str, ProjectSettings] = Field(default_factory=dict)
    channels: dict[str, ChannelSettings] = Field(default_factory=dict)
    store: StoreSettings = StoreSettings()
    artifacts: ArtifactSettings = ArtifactSettings()
    planner: PlannerSettings = PlannerSettings()
    policy: PolicySettings = PolicySettings()
    retries: RetrySettings = RetrySettings()
    outbox: OutboxSettings = OutboxSettings()
    http: HttpSettings = HttpSettings()
    log: LogSettings = LogSettings()

    @property
    def artifact_folder(self) -> Path:
        """Where artifacts lie: as configured, else beside the store, else (PostgreSQL) in the current folder."""
        if self.artifacts.folder:
            return Path(self.artifacts.folder)
        return Path("bossbot.artifacts" if "://" in self.store.path else f"{self.store.path}.artifacts")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment first, then the file's values (given as arguments)."""
        return env_settings, init_settings


def default_config() -> Path | None:
    """What is used without `--config`: `bossbot.toml` or `config/bossbot.toml` here, if one exists."""
    return next((path for path in (Path("bossbot.toml"), Path("config/bossbot.toml")) if path.is_file()), None)


def load_settings(path: Path | None, values: Mapping[str, Any] | None = None) -> Settings:
    """Settings from a TOML file (or none), under the environment, with `values` as further defaults.

    Relative paths in a file are relative to the file's folder. Raises `SettingsError`.
    """
    raw: dict[str, Any] = dict(values or {})
    if path is not None:
        raw = _merged(raw, _read(path))
    where = str(path) if path is not None else "settings"
    try:
        settings = Settings(**raw)
    except ValidationError as error:
        raise SettingsError("\n".join(_mistakes(error, where))) from None
    except Exception as error:
        if type(error).__name__ != "SettingsError":
            raise
        raise SettingsError(f"environment {ENV_PREFIX}*: {error}") from None
    _check_projects(settings, where)
    return _anchored(settings, path.parent if path is not None else Path())


def _check_projects(settings: Settings, where: str) -> None:
    """A chat belongs to one project, on a platform that is there: else its messages would run somewhere else."""
    owner: dict[str, str] = {}
    for name, project in settings.projects.items():
        place = f"{where}: [projects.{name}] chats"
        if not project.chats:
            raise SettingsError(
                f'{place}: names no chat; give some, as "telegram:-1001234567890" or "slack:C0123456789"'
            )
        for chat in project.chats:
            channel, colon, chat_id = chat.partition(":")
            if not colon or not chat_id or channel not in settings.channels:
                known = " or ".join(f'"{each}:…"' for each in settings.channels) or "[channels.…] first"
                raise SettingsError(f'{place}: "{chat}" is no chat of a configured platform; write {known}')
            if owner.setdefault(chat, name) != name:
                raise SettingsError(f"{place}: {chat} already belongs to [projects.{owner[chat]}]; take it out of one")


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingsError(f"{path}: no such file; copy config/bossbot.toml there or name it with --config") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from None


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        known = merged.get(key)
        both = isinstance(known, Mapping) and isinstance(value, Mapping)
        merged[key] = _merged(known, value) if both else value  # type: ignore[arg-type]
    return merged


def _anchored(settings: Settings, folder: Path) -> Settings:
    """Relative paths become relative to the folder of the configuration file, not to where the bot was started."""
    store = settings.store.path
    if "://" not in store:
        store = str((folder / Path(store).expanduser()).absolute())
    exports = settings.store.retention_export
    exports = str((folder / Path(exports).expanduser()).absolute()) if exports else ""
    artifacts = settings.artifacts.folder
    artifacts = str((folder / Path(artifacts).expanduser()).absolute()) if artifacts else ""
    return settings.model_copy(
        update={
            "agent": settings.agent.model_copy(update=_anchored_agent(settings.agent, folder)),
            "projects": {
                name: project.model_copy(update=_anchored_agent(project, folder))
                for name, project in settings.projects.items()
            },
            "store": settings.store.model_copy(update={"path": store, "retention_export": exports}),
            "artifacts": settings.artifacts.model_copy(update={"folder": artifacts}),
        }
    )


def _anchored_agent(agent: AgentSettings | ProjectSettings, folder: Path) -> dict[str, Any]:
    command = agent.command
    if command and os.sep in command[0] and not command[0].startswith("~"):
        command = (str((folder / command[0]).absolute()), *command[1:])
    return {"workspace": (folder / agent.workspace.expanduser()).absolute(), "command": command}


def _mistakes(error: ValidationError, where: str) -> list[str]:
    return [_mistake(item["loc"], item["type"], item["msg"], where) for item in error.errors(include_input=False)]


def _mistake(loc: tuple[int | str, ...], kind: str, message: str, where: str) -> str:
    names = [str(part) for part in loc]
    table, key = ".".join(names[:-1]), names[-1] if names else ""
    place = f"[{table}] {key}" if table else f"[{key}]"
    variable = ENV_PREFIX + "__".join(names).upper()
    source = f"environment {variable}" if variable in os.environ else where
    if kind == "extra_forbidden":
        close = difflib.get_close_matches(key, _known_keys(names[:-1]), n=1)
        fix = f"did you mean {close[0]}?" if close else f"known here: {', '.join(_known_keys(names[:-1]))}"
        return f"{source}: {place}: there is no such key; {fix}"
    return f"{source}: {place}: {message}"


def _known_keys(path: list[str]) -> list[str]:
    model: type[BaseModel] = ProjectSettings if len(path) == 2 and path[0] == "projects" else Settings
    for name in path if model is Settings else []:
        field = model.model_fields.get(name)
        if field is None or not (isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)):
            return []
        model = field.annotation
    return sorted(model.model_fields)
