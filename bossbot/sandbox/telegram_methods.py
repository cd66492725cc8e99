"""The Bot API methods that tell of the bot itself."""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.telegram_call import Call


async def get_me(call: Call) -> Json:
    return {
        **call.bot,
        "can_join_groups": True,
        "can_read_all_group_messages": not call.world.switches.privacy_mode,
        "supports_guest_queries": False,
        "supports_inline_queries": False,
        "supports_join_request_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": True,
        "allows_users_to_create_topics": False,
        "can_manage_bots": False,
    }


METHODS = {"getMe": get_me}
