"""May the bot do this in this chat? The checks of the Bot API server, and then those of Telegram itself.

Sources: C = tdlib/telegram-bot-api, Client.cpp (`check_chat_access`); T = tdlib/td, MessagesManager.cpp
(`process_send_message_fail_error`); S = Telegram's own server, as others saw it.
"""

from typing import Literal

from bossbot.sandbox.telegram_chat import Chat
from bossbot.sandbox.telegram_errors import TelegramError, refused
from bossbot.sandbox.world import World

Access = Literal["read", "edit", "write"]


def check_access(world: World, chat: Chat, access: Access) -> None:
    """What the Bot API server knows by itself: is the bot in the chat, and does the chat still live?"""
    if chat.is_private:
        if not chat.started and not world.telegram.has_met(chat.id):
            raise refused("chat not found")
    elif chat.type == "group":
        _check_group(chat, access)
    elif chat.bot_status == "kicked":
        raise refused("bot was kicked from the supergroup chat", 403)
    elif chat.bot_status == "left":
        raise refused("bot is not a member of the supergroup chat", 403)


def _check_group(chat: Chat, access: Access) -> None:
    if chat.migrate_to_chat_id is not None:
        if access == "write":
            raise TelegramError(
                400,
                "Bad Request: group chat was upgraded to a supergroup chat",
                {"migrate_to_chat_id": chat.migrate_to_chat_id},
            )
    elif access != "read" and chat.bot_status == "kicked":
        raise refused("bot was kicked from the group chat", 403)
    elif access != "read" and chat.bot_status == "left":
        raise refused("bot is not a member of the group chat", 403)


def check_reachable(chat: Chat, thread_id: int | None = None) -> None:
    """What only Telegram itself knows: it answers so after everything else was found right."""
    if chat.is_private and not chat.started:
        raise refused("Bot can't initiate conversation with a user", 403)  # T PEER_ID_INVALID
    if chat.is_private and chat.bot_status == "kicked":
        raise refused("bot was blocked by the user", 403)  # C USER_IS_BLOCKED
    topic = chat.topics.get(thread_id) if thread_id is not None else chat.general
    if topic is not None and topic.is_closed and chat.bot_status != "administrator":
        raise refused("TOPIC_CLOSED")  # S
