"""One conversation of Slack: its messages and threads, and what is shown beside them."""

from dataclasses import dataclass, field

from bossbot.sandbox.clock import Fleeting
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import SlackPlace, SlackTeam
from bossbot.sandbox.slack_message import SlackMessage


@dataclass(slots=True)
class AgentSession:
    """What the agent is doing in one thread, and whether its person can press Stop."""

    status: str
    title: str | None = None
    initiator_user_id: str | None = None
    username: str | None = None
    can_stop: bool = False

    def view(self) -> Json:
        return {
            "status": self.status,
            "title": self.title,
            "initiator_user_id": self.initiator_user_id,
            "username": self.username,
            "can_stop": self.can_stop and self.status == "processing",
        }


@dataclass(slots=True)
class Channel:
    """One conversation with its history, oldest message first. `threads` holds the answers to a message by its ts."""

    place: SlackPlace
    team: SlackTeam
    messages: dict[str, SlackMessage] = field(default_factory=dict)
    threads: dict[str, dict[str, SlackMessage]] = field(default_factory=dict)
    ephemerals: dict[str, SlackMessage] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    statuses: dict[str, Fleeting] = field(default_factory=dict)
    sessions: dict[str, AgentSession] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    prompts: dict[str, Json] = field(default_factory=dict)
    is_archived: bool = False
    has_bot: bool = True

    @property
    def id(self) -> str:
        return self.place.id

    @property
    def channel_type(self) -> str:
        return "im" if self.place.is_im else "channel"

    def has(self, message: SlackMessage) -> bool:
        """Does it still stand here, for everybody or for one?"""
        return message.ts in self.messages or message.ts in self.ephemerals

    def add(self, message: SlackMessage) -> None:
        self.messages[message.ts] = message
        if message.thread_ts is not None and message.thread_ts != message.ts:
            self.threads.setdefault(message.thread_ts, {})[message.ts] = message

    def remove(self, message: SlackMessage) -> None:
        self.messages.pop(message.ts, None)
        self.threads.get(message.thread_ts or "", {}).pop(message.ts, None)
        self.deleted.append(message.ts)

    def replies(self, thread_ts: str) -> list[SlackMessage]:
        """The answers in a thread, its first message left out."""
        return list(self.threads.get(thread_ts, {}).values())

    def wire_message(self, message: SlackMessage, with_metadata: bool = False) -> Json:
        """A message with what its thread adds to it, and the metadata for who asked for that."""
        body = message.wire(self.team)
        if with_metadata and message.metadata is not None:
            body["metadata"] = message.metadata
        replies = self.replies(message.ts)
        if replies:
            users = sorted({reply.user for reply in replies})
            body["thread_ts"] = message.ts
            body["reply_count"] = len(replies)
            body["reply_users"] = users
            body["reply_users_count"] = len(users)
            body["latest_reply"] = replies[-1].ts
        return body

    def view(self, now: float) -> Json:
        return {
            "id": self.id,
            "name": self.place.name,
            "type": self.channel_type,
            "team_id": self.team.id,
            "is_archived": self.is_archived,
            "members": list(self.place.members),
            "messages": [self._view_message(message) for message in self.messages.values()],
            "ephemerals": [message.view(self.team) for message in self.ephemerals.values()],
            "deleted_ts": self.deleted,
            "statuses": [status.view() for status in self.statuses.values() if status.ends_at > now],
            "threads": [self._view_thread(ts) for ts in sorted({*self.titles, *self.prompts, *self.sessions})],
        }

    def _view_message(self, message: SlackMessage) -> Json:
        body = message.view(self.team)
        count = len(self.threads.get(message.ts, {}))
        return {**body, "reply_count": count} if count else body

    def _view_thread(self, thread_ts: str) -> Json:
        """What an agent says of a thread; "" is the thread that the next message begins."""
        session = self.sessions.get(thread_ts)
        return {
            "thread_ts": thread_ts,
            "title": self.titles.get(thread_ts),
            "prompts": self.prompts.get(thread_ts),
            "session": None if session is None else session.view(),
        }
