"""One message of Slack, as the Web API, the events and the state show it; and the files that hang on messages."""

from dataclasses import dataclass, field
from typing import Literal

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import SLACK_APP_ID, SLACK_BOT_NAME, SlackTeam
from bossbot.sandbox.slack_live import live


@dataclass(slots=True)
class Stream:
    """What makes a message a streamed one; `by` says who ended it other than the app."""

    task_display_mode: str
    recipient_user_id: str | None
    recipient_team_id: str | None
    state: Literal["in_progress", "completed", "errored"] = "in_progress"
    by: Literal["user", "expiry"] | None = None

    def view(self) -> Json:
        return {
            "state": self.state,
            "by": self.by,
            "task_display_mode": self.task_display_mode,
            "recipient_user_id": self.recipient_user_id,
            "recipient_team_id": self.recipient_team_id,
        }


@dataclass(frozen=True, slots=True)
class Look:
    """How a message is shown where that differs from the usual: another name and picture, texts left unread."""

    username: str = ""
    icons: Json = field(default_factory=dict)
    mrkdwn: bool = True
    links_names: bool = False


USUAL = Look()


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
    attachments: list[Json] = field(default_factory=list)
    look: Look = USUAL
    broadcast: bool = False
    stream: Stream | None = None
    _judged: tuple[object, ...] = ()
    """The content last looked at for what acts in it, and what was found; content is replaced, never mended."""

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
            body.update(self._sender(team))
        if self.broadcast:
            body["subtype"] = "thread_broadcast"
        for name, part in (("blocks", self.blocks), ("attachments", self.attachments), ("files", self.files)):
            if part:
                body[name] = part
        if self.thread_ts is not None:
            body["thread_ts"] = self.thread_ts
        if self.edited is not None:
            body["edited"] = self.edited
        if self.reactions:
            body["reactions"] = [
                {"name": name, "users": users, "count": len(users)} for name, users in self.reactions.items()
            ]
        return body

    def _sender(self, team: SlackTeam) -> Json:
        body: Json = {
            "bot_id": team.bot_id,
            "app_id": SLACK_APP_ID,
            "bot_profile": {
                "id": team.bot_id,
                "app_id": SLACK_APP_ID,
                "name": SLACK_BOT_NAME,
                "deleted": False,
                "team_id": team.id,
            },
        }
        if self.look.username or self.look.icons:
            body["subtype"] = "bot_message"
            body["username"] = self.look.username or SLACK_BOT_NAME
        if self.look.icons:
            body["icons"] = self.look.icons
        return body

    def view(self, team: SlackTeam) -> Json:
        """As `/sandbox/state` shows it."""
        body = self.wire(team)
        for name in ("type", "team", "bot_profile"):
            body.pop(name, None)
        body.setdefault("thread_ts", None)
        body["edit_count"] = self.edits
        body["live"] = self._live()
        if self.metadata is not None:
            body["metadata"] = self.metadata
        if self.ephemeral_for is not None:
            body["for_user"] = self.ephemeral_for
        if not self.look.mrkdwn:
            body["mrkdwn"] = False
        if self.stream is not None:
            body["stream"] = self.stream.view()
        return body

    def _live(self) -> object:
        content = (self.text, self.blocks, self.attachments)
        if len(self._judged) != 4 or any(old is not new for old, new in zip(self._judged, content, strict=False)):
            self._judged = (*content, live(*content, self.look.links_names))
        return self._judged[3]


@dataclass(slots=True)
class SlackFile:
    """An uploaded file; `shared` becomes true when completeUploadExternal has named it."""

    id: str
    name: str
    length: int
    created_at: int
    data: bytes | None = None
    title: str = ""
    user: str = ""
    alt_text: str = ""
    shares: dict[str, str] = field(default_factory=dict)
    """The ts of the message that shares it, by conversation; "" while that is being written."""
    shared: bool = False
