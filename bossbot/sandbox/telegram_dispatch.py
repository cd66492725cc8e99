"""From the name of a Bot API method to what it does."""

from collections.abc import Awaitable, Callable, Mapping

from bossbot.sandbox.telegram_answers import METHODS as ANSWER_METHODS
from bossbot.sandbox.telegram_call import Call
from bossbot.sandbox.telegram_chat_methods import METHODS as CHAT_METHODS
from bossbot.sandbox.telegram_drafts import METHODS as DRAFT_METHODS
from bossbot.sandbox.telegram_errors import TelegramError
from bossbot.sandbox.telegram_forwards import METHODS as FORWARD_METHODS
from bossbot.sandbox.telegram_media import METHODS as MEDIA_METHODS
from bossbot.sandbox.telegram_messages import METHODS as MESSAGE_METHODS
from bossbot.sandbox.telegram_methods import METHODS as OTHER_METHODS
from bossbot.sandbox.telegram_pacing import pace
from bossbot.sandbox.telegram_params import Params
from bossbot.sandbox.telegram_table import table
from bossbot.sandbox.telegram_topics import METHODS as TOPIC_METHODS
from bossbot.sandbox.telegram_update_methods import METHODS as UPDATE_METHODS
from bossbot.sandbox.world import World

Method = Callable[[Call], Awaitable[object]]
METHODS: Mapping[str, Method] = {
    **MESSAGE_METHODS,
    **DRAFT_METHODS,
    **ANSWER_METHODS,
    **MEDIA_METHODS,
    **FORWARD_METHODS,
    **TOPIC_METHODS,
    **CHAT_METHODS,
    **UPDATE_METHODS,
    **OTHER_METHODS,
}


def proper_name(asked: str) -> str:
    """The method's name as the documentation writes it; the server takes any case."""
    return table().names.get(asked.lower(), asked)


async def run(world: World, bot_id: int, name: str, params: Params) -> object:
    """Carry out one call. Raises `TelegramError`."""
    world.telegram.bot_id = bot_id
    method = METHODS.get(name)
    if method is None and name.lower() in table().names:
        raise TelegramError(501, f"Not Implemented: the sandbox has no {name} yet")
    if method is None:
        raise TelegramError(404, "Not Found: method not found")
    pace(world, name, params)
    return await method(Call(world, bot_id, params))
