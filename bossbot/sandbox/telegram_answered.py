"""A webhook may answer an update with a call: `method` and its parameters, whose outcome nobody hears."""

from bossbot.sandbox.telegram_dispatch import proper_name, run
from bossbot.sandbox.telegram_errors import TelegramError
from bossbot.sandbox.telegram_params import Params, Upload
from bossbot.sandbox.telegram_request import read_body
from bossbot.sandbox.telegram_table import table
from bossbot.sandbox.telegram_webhook import Answered, Hook
from bossbot.sandbox.world import World

FORBIDDEN = frozenset({"deletewebhook", "setwebhook", "close", "logout"})
"""These, and all that begin with "get", are not taken from an answer (WebhookActor.cpp `handle`)."""


def carry_out(world: World) -> Answered:
    """What the webhook does with the body of a 2xx answer."""

    async def answered(hook: Hook, content_type: str, body: bytes) -> None:
        values: dict[str, str] = {}
        files: dict[str, Upload] = {}
        try:
            read_body(body, content_type, values, files)
        except TelegramError:
            return
        asked = values.pop("method", "")
        if not asked or asked.lower() in FORBIDDEN or asked.lower().startswith("get"):
            return
        await _call(world, hook.bot_id, proper_name(asked), values, files)

    return answered


async def _call(world: World, bot_id: int, name: str, values: dict[str, str], files: dict[str, Upload]) -> None:
    arrived_at, error = world.clock.now(), None
    params = Params(name, table().method(name), values, files)
    try:
        await run(world, bot_id, name, params)
    except TelegramError as refusal:
        error = refusal.description
    world.calls.add("telegram", arrived_at, name, {**params.payload(), "by_webhook": True}, error)
