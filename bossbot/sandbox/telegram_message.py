"""One Telegram message, as a bot reads it and as a script reads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bossbot.sandbox.json_types import Json, as_list, as_object

if TYPE_CHECKING:
    from bossbot.sandbox.telegram_chat import Chat
    from bossbot.sandbox.telegram_rich import RichMessage


@dataclass(slots=True)
class Message:
    """One message. What a bot reads is `wire()`, what a script reads is `view()`.

    `media` is what hangs on it (`document`, `photo`); `text` is then its caption. `service` is what it
    announces (`forum_topic_created`, `migrate_to_chat_id`), `extras` what the send asked for besides its content
    (`has_protected_content`, `link_preview_options`, `quote`). `reactions` are the bot's own, `reacted`
    those of people, by their id.
    """

    message_id: int
    chat: Chat
    sender: Json
    date: int
    text: str | None = None
    entities: list[Json] = field(default_factory=list)
    media: Json = field(default_factory=dict)
    rich: RichMessage | None = None
    extras: Json = field(default_factory=dict)
    reply_markup: Json | None = None
    thread_id: int | None = None
    reply_to: Message | None = None
    service: Json = field(default_factory=dict)
    edit_date: int | None = None
    edits: int = 0
    reactions: list[Json] = field(default_factory=list)
    reacted: dict[int, list[Json]] = field(default_factory=dict)
    past_markups: list[Json] = field(default_factory=list)
    past_rich: list[RichMessage] = field(default_factory=list)

    @property
    def from_bot(self) -> bool:
        return self.sender["is_bot"] is True

    def wire(self, with_reply: bool = True) -> Json:
        """The Bot API's `Message`."""
        body: Json = {
            "message_id": self.message_id,
            "from": self.sender,
            "chat": self.chat.wire(),
            "date": self.date,
        }
        if self.thread_id is not None:
            body["message_thread_id"] = self.thread_id
            body["is_topic_message"] = True
        answered = self.reply_to or self._opening()
        if with_reply and answered is not None and answered.message_id in self.chat.messages:
            body["reply_to_message"] = answered.wire(with_reply=False)
        if self.edit_date is not None:
            body["edit_date"] = self.edit_date
        body.update(self._content())
        if self.reply_markup is not None and "inline_keyboard" in self.reply_markup:
            body["reply_markup"] = self.reply_markup
        return body

    def view(self) -> Json:
        """As `/sandbox/state` shows it."""
        body = self.wire(with_reply=False)
        del body["chat"]
        body["edited"] = self.edits
        if self.rich is not None:
            body["rich_source"] = self.rich.source_view()
        if self.reply_markup is not None:
            body["reply_markup"] = self.reply_markup
        if self.reply_to is not None:
            body["reply_to"] = self.reply_to.message_id
        if self.reactions:
            body["reactions"] = self.reactions
        if self.reacted:
            body["reacted"] = [{"user_id": user_id, "reaction": kinds} for user_id, kinds in self.reacted.items()]
        return body

    def _opening(self) -> Message | None:
        # In a forum every message of a topic "replies" to the one that opened it (Client.cpp,
        # get_implicit_reply_to_message_id).
        if self.thread_id is None or not self.chat.is_forum or self.thread_id >= self.message_id:
            return None
        return self.chat.messages.get(self.thread_id)

    def _content(self) -> Json:
        body: Json = {**self.service, **self.media, **self.extras}
        if self.rich is not None:
            body["rich_message"] = self.rich.wire()
        if self.text:
            body["caption" if self.media else "text"] = self.text
        if self.entities:
            body["caption_entities" if self.media else "entities"] = self.entities
        return body


def buttons(markup: Json | None) -> list[Json]:
    """The inline buttons of a keyboard, row by row."""
    rows = as_list((markup or {}).get("inline_keyboard")) or []
    found = (as_object(button) for row in rows for button in as_list(row) or [])
    return [button for button in found if button is not None]
