"""What the bot is in a chat, and how it learns that this has changed; a group that becomes a supergroup."""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import bot_user
from bossbot.sandbox.telegram_chat import BotStatus, Chat
from bossbot.sandbox.telegram_publish import announce, publish
from bossbot.sandbox.telegram_updates import MESSAGE_LIFE_S
from bossbot.sandbox.world import World

RIGHTS = (
    "can_be_edited", "is_anonymous", "can_manage_chat", "can_delete_messages", "can_manage_video_chats",
    "can_restrict_members", "can_promote_members", "can_change_info", "can_invite_users", "can_post_stories",
    "can_edit_stories", "can_delete_stories", "can_pin_messages", "can_manage_topics",
    "can_manage_tags", "can_send_welcome_messages",
)  # fmt: skip
WITHHELD = frozenset({"can_be_edited", "is_anonymous", "can_promote_members"})


def change_bot_status(world: World, chat: Chat, status: BotStatus, by: Json) -> None:
    """Somebody adds, promotes, removes or blocks the bot: it gets `my_chat_member`, also when it must go."""
    was, bot = chat.bot_status, bot_user(world.telegram.bot_id)
    chat.bot_status = status
    content: Json = {
        "chat": chat.wire(),
        "from": by,
        "date": int(world.clock.now()),
        "old_chat_member": member_of(bot, was),
        "new_chat_member": member_of(bot, status),
    }
    publish(world, "my_chat_member", content, MESSAGE_LIFE_S)
    if not chat.is_private and status in ("administrator", "member") and was in ("left", "kicked"):
        announce(world, chat, by, {"new_chat_members": [bot]})
    world.feed.changed("telegram")


def migrate(world: World, group: Chat, by: Json) -> Chat:
    """The group goes on as a supergroup: both get a service message that names the other."""
    new = world.telegram.add_group("supergroup", group.title, list(group.members), is_forum=False)
    new.bot_status = group.bot_status
    announce(world, group, by, {"migrate_to_chat_id": new.id})
    group.migrate_to_chat_id = new.id
    announce(world, new, by, {"migrate_from_chat_id": group.id})
    return new


def member_of(bot: Json, status: BotStatus) -> Json:
    """The bot as a `ChatMember`."""
    body: Json = {"user": bot, "status": status}
    if status == "administrator":
        body.update({name: name not in WITHHELD for name in RIGHTS})
    if status == "kicked":
        body["until_date"] = 0
    return body
