"""Telling the bot what happened: every update passes here on its way into the queue.

Which queue of the webhook an update stands in decides what it must wait for: the server sends the updates
of one chat, and of one person's presses, one after the other (Client.cpp, `webhook_queue_id`).
"""

from bossbot.sandbox.json_types import Json, as_object
from bossbot.sandbox.telegram_chat import Chat
from bossbot.sandbox.telegram_message import Message
from bossbot.sandbox.telegram_updates import MESSAGE_LIFE_S
from bossbot.sandbox.world import World


def publish(world: World, kind: str, content: Json, life_s: float) -> int | None:
    """Queue an update that lives for `life_s` from now on.

    Returns its id; None when the bot did not ask for this kind, or when a fault keeps it back for now.
    """
    queue = world.telegram.queue
    dies_at = world.clock.now() + life_s
    ids: list[int | None] = []
    world.deliveries.send(
        "telegram",
        kind,
        lambda: ids.append(queue.put(kind, content, dies_at, _line(kind, content))),
        lambda: queue.put_again(ids[-1]),
    )
    return ids[-1] if ids else None


def publish_message(world: World, message: Message, kind: str = "message") -> int | None:
    """Tell of a message, unless the bot is not there or its privacy mode keeps the message from it."""
    world.feed.changed("telegram")
    if not message.chat.has_bot or not hears(world, message):
        return None
    return publish(world, kind, message.wire(), MESSAGE_LIFE_S)


def hears(world: World, message: Message) -> bool:
    """Does the bot get to see it?

    With privacy mode a bot that is no administrator sees, in groups, only commands, mentions of itself,
    replies to its messages, and service messages (core.telegram.org/bots/features, "Privacy mode").
    """
    chat = message.chat
    if chat.is_private or chat.bot_status == "administrator" or not world.switches.privacy_mode:
        return True
    if message.service or (message.reply_to is not None and message.reply_to.from_bot):
        return True
    return world.telegram.speaks_to_bot(message.text or "", message.entities)


def announce(world: World, chat: Chat, sender: Json, service: Json, thread_id: int | None = None) -> Message:
    """Post a service message, and tell the bot of it, even of those that it caused itself.

    (Client.cpp `need_skip_update_message` leaves topics out of what a bot is not told of its own doing.)
    """
    message = Message(
        chat.take_message_id(), chat, sender, int(world.clock.now()), thread_id=thread_id, service=service
    )
    chat.messages[message.message_id] = message
    publish_message(world, message)
    return message


def _line(kind: str, content: Json) -> tuple[str, object]:
    """What orders updates among each other."""
    if kind == "callback_query":
        return kind, (as_object(content["from"]) or {}).get("id")
    line = "message" if kind == "edited_message" else kind
    return line, (as_object(content.get("chat")) or {}).get("id")
