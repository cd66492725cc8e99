"""What a bot may ask about a chat and its members, and leaving it.

Sources: C = tdlib/telegram-bot-api, Client.cpp; T = tdlib/td. The first member of a group is its owner.
"""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import bot_user
from bossbot.sandbox.telegram_call import Call, find_chat
from bossbot.sandbox.telegram_chat import GIFTS, Chat
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_membership import change_bot_status, member_of

PERMISSIONS = (
    "can_send_messages", "can_send_media_messages", "can_send_audios", "can_send_documents", "can_send_photos",
    "can_send_videos", "can_send_video_notes", "can_send_voice_notes", "can_send_polls", "can_send_other_messages",
    "can_add_web_page_previews", "can_react_to_messages", "can_edit_tag", "can_change_info", "can_invite_users",
    "can_pin_messages", "can_manage_topics",
)  # fmt: skip
"""C `json_store_permissions`: a group's own, all given."""


async def get_chat(call: Call) -> Json:
    """`getChat`: the chat with what nothing in the sandbox ever changes."""
    chat = find_chat(call, "read")
    body: Json = {
        **chat.wire(),
        "accent_color_id": abs(chat.id) % 7,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(GIFTS, False),
    }
    if not chat.is_private:
        return {**body, "permissions": dict.fromkeys(PERMISSIONS, True)}
    usernames = [body["username"]] if "username" in body else []
    return {**body, "can_send_gift": True, **({"active_usernames": usernames} if usernames else {})}


async def get_chat_member(call: Call) -> Json:
    user_id = max(call.params.integer("user_id"), 0)
    if user_id == 0:
        raise refused("Invalid user_id specified")  # C get_user_id
    chat = find_chat(call)
    if user_id == call.bot_id:
        return member_of(call.bot, chat.bot_status)
    person = call.world.telegram.person(user_id)
    if person is None:
        raise refused("user not found")  # C TdOnCheckUserCallback
    return _member(chat, person.wire())


async def get_chat_administrators(call: Call) -> list[Json]:
    """`getChatAdministrators`: people only, and the bot itself when it is one."""
    chat = find_chat(call)
    if chat.is_private:
        raise refused("there are no administrators in the private chat")  # C process_get_chat_administrators_query
    owner = call.world.telegram.person(chat.members[0])
    found = [] if owner is None else [_member(chat, owner.wire())]
    return [*found, member_of(call.bot, "administrator")] if chat.bot_status == "administrator" else found


async def get_chat_member_count(call: Call) -> int:
    chat = find_chat(call)
    return len(chat.members) + 1


async def leave_chat(call: Call) -> bool:
    """`leaveChat`: the bot is told of its own leaving."""
    chat = find_chat(call)
    if chat.is_private:
        raise refused("Can't leave private chats")  # T leave_dialog
    change_bot_status(call.world, chat, "left", bot_user(call.bot_id))
    return True


def _member(chat: Chat, user: Json) -> Json:
    if not chat.is_private and user["id"] == chat.members[0]:
        return {"user": user, "status": "creator", "is_anonymous": False}
    return {"user": user, "status": "member" if user["id"] in chat.members else "left"}


METHODS = {
    "getChat": get_chat,
    "getChatMember": get_chat_member,
    "getChatAdministrators": get_chat_administrators,
    "getChatMemberCount": get_chat_member_count,
    "leaveChat": leave_chat,
}
