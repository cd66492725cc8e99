"""Topics: in forum supergroups, where the bot is an administrator, and in private chats.

Sources: T = tdlib/td, ForumTopicManager.cpp; S = Telegram's own server, as others saw it.
"""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.telegram_access import check_reachable
from bossbot.sandbox.telegram_call import Call, find_chat
from bossbot.sandbox.telegram_chat import GENERAL_TOPIC, Chat, Topic
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_limits import TOPIC_NAME_LENGTH
from bossbot.sandbox.telegram_message import Message
from bossbot.sandbox.telegram_publish import announce, publish_message
from bossbot.sandbox.world import World

COLOUR_MAX = 0xFFFFFF
DEFAULT_COLOUR = 7_322_096


async def create_forum_topic(call: Call) -> Json:
    """`createForumTopic`: its id is the id of the service message that announces it."""
    chat = _forum(call)
    _require_rights(chat, "create a topic")
    name = _name(call.params.text("name"))
    colour = call.params.integer("icon_color")
    if not 0 <= colour <= COLOUR_MAX:
        raise refused("Invalid icon color specified")
    return open_topic(call.world, chat, call.bot, name, colour, call.params.text("icon_custom_emoji_id")).wire()


async def edit_forum_topic(call: Call) -> bool:
    """`editForumTopic`: an empty name keeps the old one; nothing given changes nothing and is no error."""
    chat = _forum(call)
    topic = _topic(call, chat)
    if not topic.by_bot:
        _require_rights(chat, "edit the topic")
    given = call.params.text("name")
    name = _name(given) if given else ""
    edits_icon = "icon_custom_emoji_id" in call.params.values
    icon = call.params.text("icon_custom_emoji_id")
    if not name and not edits_icon:
        return True
    change = {"name": name} if name not in ("", topic.name) else {}
    if edits_icon and icon != topic.icon_custom_emoji_id:
        change["icon_custom_emoji_id"] = icon
    if not change:
        raise refused("TOPIC_NOT_MODIFIED")
    rename_topic(call.world, chat, call.bot, topic, change)
    return True


async def edit_general_forum_topic(call: Call) -> bool:
    chat = _forum(call, private=False)
    _require_rights(chat, "edit the topic")
    name = _name(call.params.text("name"))
    if name == chat.general.name:
        raise refused("TOPIC_NOT_MODIFIED")
    rename_topic(call.world, chat, call.bot, chat.general, {"name": name})
    return True


async def close_forum_topic(call: Call) -> bool:
    chat = _forum(call, private=False)
    return _toggle(call, chat, _topic(call, chat), closed=True)


async def reopen_forum_topic(call: Call) -> bool:
    chat = _forum(call, private=False)
    return _toggle(call, chat, _topic(call, chat), closed=False)


async def close_general_forum_topic(call: Call) -> bool:
    chat = _forum(call, private=False)
    return _toggle(call, chat, chat.general, closed=True)


async def reopen_general_forum_topic(call: Call) -> bool:
    chat = _forum(call, private=False)
    return _toggle(call, chat, chat.general, closed=False)


async def hide_general_forum_topic(call: Call) -> bool:
    return _hide(call, hidden=True)


async def unhide_general_forum_topic(call: Call) -> bool:
    return _hide(call, hidden=False)


async def delete_forum_topic(call: Call) -> bool:
    """`deleteForumTopic`: the topic goes with all its messages."""
    chat = _forum(call)
    topic = _topic(call, chat)
    if topic is chat.general:
        raise refused("TOPIC_ID_INVALID")  # S: General stays
    if not topic.by_bot:
        _require_rights(chat, "delete the topic")
    delete_topic(call.world, chat, topic)
    return True


def open_topic(world: World, chat: Chat, sender: Json, name: str, colour: int = 0, icon: str = "") -> Topic:
    """A new topic, by the bot or by a person, with the service message that announces it."""
    chat.next_message_id = max(chat.next_message_id, GENERAL_TOPIC + 1)
    thread_id = chat.take_message_id()
    topic = Topic(thread_id, name, colour or DEFAULT_COLOUR, icon, by_bot=sender["is_bot"] is True)
    chat.topics[thread_id] = topic
    created: Json = {key: value for key, value in topic.wire().items() if key != "message_thread_id"}
    date = int(world.clock.now())
    message = Message(thread_id, chat, sender, date, thread_id=thread_id, service={"forum_topic_created": created})
    chat.messages[thread_id] = message
    publish_message(world, message)
    return topic


def rename_topic(world: World, chat: Chat, sender: Json, topic: Topic, change: dict[str, str]) -> None:
    """Another name, another icon, or both; `change` is what `forum_topic_edited` tells."""
    topic.name = change.get("name", topic.name)
    topic.icon_custom_emoji_id = change.get("icon_custom_emoji_id", topic.icon_custom_emoji_id)
    announce(world, chat, sender, {"forum_topic_edited": change}, _thread(topic))


def close_topic(world: World, chat: Chat, sender: Json, topic: Topic, closed: bool) -> None:
    topic.is_closed = closed
    announce(world, chat, sender, {"forum_topic_closed" if closed else "forum_topic_reopened": {}}, _thread(topic))


def delete_topic(world: World, chat: Chat, topic: Topic) -> None:
    """The topic is gone with its messages; the bot is not told."""
    del chat.topics[topic.thread_id]
    for message_id in [key for key, message in chat.messages.items() if message.thread_id == topic.thread_id]:
        del chat.messages[message_id]
        chat.deleted.append(message_id)
    world.feed.changed("telegram")


def _forum(call: Call, private: bool = True) -> Chat:
    chat = find_chat(call)
    if chat.is_private and not private:
        raise refused("The chat is not a supergroup forum")  # T is_forum
    if not chat.is_private and not chat.is_forum:
        raise refused("The chat is not a forum")  # T is_forum
    check_reachable(chat, -1)
    return chat


def _topic(call: Call, chat: Chat) -> Topic:
    thread_id = call.params.integer("message_thread_id")
    if thread_id <= 0:
        raise refused("Invalid forum topic identifier specified")  # T can_be_forum_topic_id
    topic = chat.general if thread_id == GENERAL_TOPIC and chat.is_forum else chat.topics.get(thread_id)
    if topic is None:
        raise refused("TOPIC_ID_INVALID")  # S
    return topic


def _require_rights(chat: Chat, what: str) -> None:
    if not chat.is_private and chat.bot_status != "administrator":
        raise refused(f"Not enough rights to {what}")


def _name(text: str) -> str:
    """The name as it is kept: cut at 128 characters, blanks at its ends left out (T `clean_name`)."""
    name = " ".join(text.split())[:TOPIC_NAME_LENGTH].strip()
    if not name:
        raise refused("Name must be non-empty")
    return name


def _toggle(call: Call, chat: Chat, topic: Topic, closed: bool) -> bool:
    if not topic.by_bot:
        _require_rights(chat, "close or open the topic")
    if topic.is_closed == closed:
        raise refused("TOPIC_NOT_MODIFIED")
    close_topic(call.world, chat, call.bot, topic, closed)
    return True


def _hide(call: Call, hidden: bool) -> bool:
    chat = _forum(call, private=False)
    _require_rights(chat, "close or open the topic")
    if chat.general.is_hidden == hidden:
        raise refused("TOPIC_NOT_MODIFIED")
    chat.general.is_hidden = hidden
    if hidden and not chat.general.is_closed:
        chat.general.is_closed = True  # hiding closes it as well (Bot API, hideGeneralForumTopic)
    name = "general_forum_topic_hidden" if hidden else "general_forum_topic_unhidden"
    announce(call.world, chat, call.bot, {name: {}})
    return True


def _thread(topic: Topic) -> int | None:
    return None if topic.thread_id == GENERAL_TOPIC else topic.thread_id


METHODS = {
    "createForumTopic": create_forum_topic,
    "editForumTopic": edit_forum_topic,
    "closeForumTopic": close_forum_topic,
    "reopenForumTopic": reopen_forum_topic,
    "deleteForumTopic": delete_forum_topic,
    "editGeneralForumTopic": edit_general_forum_topic,
    "closeGeneralForumTopic": close_general_forum_topic,
    "reopenGeneralForumTopic": reopen_general_forum_topic,
    "hideGeneralForumTopic": hide_general_forum_topic,
    "unhideGeneralForumTopic": unhide_general_forum_topic,
}
