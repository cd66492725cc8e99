"""Slack's side of the world: conversations, messages, files, views, and the tickets of presses."""

import itertools
import re
from dataclasses import dataclass, field

from bossbot.sandbox.clock import Clock, Fleeting
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import (
    SLACK_APP_ID,
    SLACK_BOT_NAME,
    SLACK_TEAM,
    SlackPerson,
    SlackPlace,
    SlackTeam,
)

STATUS_LIFE_S = 120.0
"""A status ends by itself when no message follows (docs.slack.dev, assistant.threads.setStatus)."""
TRIGGER_LIFE_S = 3.0
RESPONSE_URL_LIFE_S = 1_800.0
RESPONSE_URL_USES = 5
TS = re.compile(r"\d{10}\.\d{6}")


@dataclass(slots=True)
class SlackMessage:
    """One message; its `ts` is its name in its channel."""

    ts: str
    user: str
    text: str
    blocks: list[Json] = field(default_factory=list)
    thread_ts: str | None = None
    from_bot: bool = False
    edited: Json | None = None
    edits: int = 0
    reactions: dict[str, list[str]] = field(default_factory=dict)
    files: list[Json] = field(default_factory=list)
    metadata: Json | None = None
    past_blocks: list[list[Json]] = field(default_factory=list)
    ephemeral_for: str | None = None

    def wire(self, team: SlackTeam) -> Json:
        """The message as the Web API and the events of its workspace show it."""
        body: Json = {
            "type": "message",
            "user": self.user,
            "text": self.text,
            "ts": self.ts,
            "team": team.id,
        }
        if self.from_bot:
            body["bot_id"] = team.bot_id
            body["app_id"] = SLACK_APP_ID
            body["bot_profile"] = {
                "id": team.bot_id,
                "app_id": SLACK_APP_ID,
                "name": SLACK_BOT_NAME,
                "deleted": False,
                "team_id": team.id,
            }
        if self.blocks:
            body["blocks"] = self.blocks
        if self.thread_ts is not None:
            body["thread_ts"] = self.thread_ts
        if self.edited is not None:
            body["edited"] = self.edited
        if self.files:
            body["files"] = self.files
        if self.reactions:
            body["reactions"] = [
                {"name": name, "users": users, "count": len(users)} for name, users in self.reactions.items()
            ]
        return body

    def view(self, team: SlackTeam) -> Json:
        """As `/sandbox/state` shows it."""
        body = self.wire(team)
        for name in ("type", "team", "bot_profile"):
            body.pop(name, None)
        body.setdefault("thread_ts", None)
        body["edit_count"] = self.edits
        if self.metadata is not None:
            body["metadata"] = self.metadata
        if self.ephemeral_for is not None:
            body["for_user"] = self.ephemeral_for
        return body


@dataclass(slots=True)
class Channel:
    """One conversation with its history, oldest message first."""

    place: SlackPlace
    team: SlackTeam
    messages: dict[str, SlackMessage] = field(default_factory=dict)
    ephemerals: dict[str, SlackMessage] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    statuses: dict[str, Fleeting] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.place.id

    @property
    def channel_type(self) -> str:
        return "im" if self.place.is_im else "channel"

    def replies(self, thread_ts: str) -> list[SlackMessage]:
        """The answers in a thread, its first message left out."""
        return [item for item in self.messages.values() if item.thread_ts == thread_ts and item.ts != thread_ts]

    def wire_message(self, message: SlackMessage, with_metadata: bool = False) -> Json:
        """A message with what its thread adds to it, and the metadata for who asked for that."""
        body = message.wire(self.team)
        if with_metadata and message.metadata is not None:
            body["metadata"] = message.metadata
        replies = self.replies(message.ts)
        if replies:
            body["thread_ts"] = message.ts
            body["reply_count"] = len(replies)
            body["reply_users"] = sorted({reply.user for reply in replies})
            body["reply_users_count"] = len({reply.user for reply in replies})
            body["latest_reply"] = replies[-1].ts
        return body

    def view(self, now: float) -> Json:
        return {
            "id": self.id,
            "name": self.place.name,
            "type": self.channel_type,
            "team_id": self.team.id,
            "members": list(self.place.members),
            "messages": [self._view_message(message) for message in self.messages.values()],
            "ephemerals": [message.view(self.team) for message in self.ephemerals.values()],
            "deleted_ts": self.deleted,
            "statuses": [status.view() for status in self.statuses.values() if status.ends_at > now],
        }

    def _view_message(self, message: SlackMessage) -> Json:
        body = message.view(self.team)
        replies = self.replies(message.ts)
        if replies:
            body["reply_count"] = len(replies)
        return body


@dataclass(slots=True)
class ResponseUrl:
    """Where a bot may answer a press: five times within half an hour."""

    channel: Channel
    message: SlackMessage
    user: str
    made_at: float
    uses_left: int = RESPONSE_URL_USES


@dataclass(slots=True)
class SlackFile:
    """An uploaded file; `shared` becomes true when completeUploadExternal has named it."""

    id: str
    name: str
    length: int
    data: bytes | None = None
    title: str = ""
    user: str = ""
    shared: bool = False


class SlackState:
    """All conversations and everything that hangs on them."""

    def __init__(self, clock: Clock, base_url: str) -> None:
        self.clock = clock
        self.base_url = base_url
        self.teams: dict[str, SlackTeam] = {}
        self.channels: dict[str, Channel] = {}
        self._team_of_token: dict[str, SlackTeam] = {}
        self.response_urls: dict[str, ResponseUrl] = {}
        self.triggers: dict[str, tuple[float, bool]] = {}
        self.files: dict[str, SlackFile] = {}
        self.views: dict[str, Json] = {}
        self._numbers = itertools.count(1)
        self._last_ts_us = 0
        self.reset()

    def reset(self) -> None:
        self.teams.clear()
        self.channels.clear()
        self._team_of_token.clear()
        self._add_team(SLACK_TEAM)
        self.response_urls.clear()
        self.triggers.clear()
        self.files.clear()
        self.views.clear()

    def install(self, team: SlackTeam, bot_token: str) -> None:
        """The app in one more workspace, or there with a new token: from now on the token means that workspace."""
        if team.id not in self.teams:
            self._add_team(team)
        self._team_of_token[bot_token] = team

    def team_of(self, bot_token: str) -> SlackTeam:
        """The workspace that a token was given out for; every other token belongs to the first."""
        return self._team_of_token.get(bot_token, SLACK_TEAM)

    def _add_team(self, team: SlackTeam) -> None:
        self.teams[team.id] = team
        self.channels.update({place.id: Channel(place, team) for place in team.places})

    def new_ts(self) -> str:
        """Now, as a ts that no message had before."""
        self._last_ts_us = max(int(self.clock.now() * 1_000_000), self._last_ts_us + 1)
        return f"{self._last_ts_us // 1_000_000}.{self._last_ts_us % 1_000_000:06d}"

    def new_id(self, prefix: str) -> str:
        """An id of Slack's form that was not used before: `Ev0SBX00001`."""
        return f"{prefix}0SBX{next(self._numbers):05d}"

    def new_trigger(self) -> str:
        number = next(self._numbers)
        trigger_id = f"{number}.{self._last_ts_us}.{number:032x}"
        self.triggers[trigger_id] = (self.clock.now(), False)
        return trigger_id

    def person(self, user_id: str) -> SlackPerson | None:
        """A person of any workspace: ids are never the same in two."""
        return next((person for team in self.teams.values() if (person := team.person(user_id)) is not None), None)

    def channel(self, name: str, team: SlackTeam | None = None) -> Channel | None:
        """By id, by `#name`, or the direct conversation with a user by the user's id; in one workspace or in all."""
        channels = {key: found for key, found in self.channels.items() if team in (None, found.team)}
        if name in channels:
            return channels[name]
        for channel in channels.values():
            if channel.place.is_im and channel.place.members[0] == name:
                return channel
            if not channel.place.is_im and name == f"#{channel.place.name}":
                return channel
        return None

    def view(self) -> Json:
        now = self.clock.now()
        return {
            "users": [
                {
                    "id": person.id,
                    "name": person.name,
                    "role": person.role,
                    "real_name": person.real_name,
                    "team_id": team.id,
                }
                for team in self.teams.values()
                for person in team.people
            ],
            "channels": [channel.view(now) for channel in self.channels.values()],
            "views": list(self.views.values()),
            "bot_user_id": SLACK_TEAM.bot_user_id,
            "bot_id": SLACK_TEAM.bot_id,
            "team_id": SLACK_TEAM.id,
            "teams": [
                {"id": team.id, "name": team.name, "bot_user_id": team.bot_user_id, "bot_id": team.bot_id}
                for team in self.teams.values()
            ],
        }
