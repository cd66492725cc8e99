"""Slack's side of the world: conversations, messages, files, views, and the tickets of presses."""

import itertools
import re
from dataclasses import dataclass, field

from bossbot.sandbox.clock import Clock, Fleeting
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import (
    SLACK_APP_ID,
    SLACK_BOT_ID,
    SLACK_BOT_NAME,
    SLACK_BOT_USER_ID,
    SLACK_PEOPLE,
    SLACK_PLACES,
    SLACK_TEAM_ID,
    SlackPerson,
    SlackPlace,
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

    def wire(self) -> Json:
        """The message as the Web API and the events show it."""
        body: Json = {
            "type": "message",
            "user": self.user,
            "text": self.text,
            "ts": self.ts,
            "team": SLACK_TEAM_ID,
        }
        if self.from_bot:
            body["bot_id"] = SLACK_BOT_ID
            body["app_id"] = SLACK_APP_ID
            body["bot_profile"] = {
                "id": SLACK_BOT_ID,
                "app_id": SLACK_APP_ID,
                "name": SLACK_BOT_NAME,
                "deleted": False,
                "team_id": SLACK_TEAM_ID,
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

    def view(self) -> Json:
        """As `/sandbox/state` shows it."""
        body = self.wire()
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
        body = message.wire()
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
            "members": list(self.place.members),
            "messages": [self._view_message(message) for message in self.messages.values()],
            "ephemerals": [message.view() for message in self.ephemerals.values()],
            "deleted_ts": self.deleted,
            "statuses": [status.view() for status in self.statuses.values() if status.ends_at > now],
        }

    def _view_message(self, message: SlackMessage) -> Json:
        body = message.view()
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
    shared: bool = False


class SlackState:
    """All conversations and everything that hangs on them."""

    def __init__(self, clock: Clock, base_url: str) -> None:
        self.clock = clock
        self.base_url = base_url
        self.channels: dict[str, Channel] = {}
        self.response_urls: dict[str, ResponseUrl] = {}
        self.triggers: dict[str, tuple[float, bool]] = {}
        self.files: dict[str, SlackFile] = {}
        self.views: dict[str, Json] = {}
        self._numbers = itertools.count(1)
        self._last_ts_us = 0
        self.reset()

    def reset(self) -> None:
        self.channels = {place.id: Channel(place) for place in SLACK_PLACES}
        self.response_urls.clear()
        self.triggers.clear()
        self.files.clear()
        self.views.clear()

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
        return next((person for person in SLACK_PEOPLE if person.id == user_id), None)

    def channel(self, name: str) -> Channel | None:
        """By id, by `#name`, or the direct conversation with a user by the user's id."""
        if name in self.channels:
            return self.channels[name]
        for channel in self.channels.values():
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
                }
                for person in SLACK_PEOPLE
            ],
            "channels": [channel.view(now) for channel in self.channels.values()],
            "views": list(self.views.values()),
            "bot_user_id": SLACK_BOT_USER_ID,
            "bot_id": SLACK_BOT_ID,
            "team_id": SLACK_TEAM_ID,
        }
