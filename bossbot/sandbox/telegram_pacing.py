"""How fast a bot may send on Telegram, and what becomes of one that does not listen.

Sends and edits of one chat share one budget (platform staff: tdlib/td issue 3034): one a second with short
bursts, in groups 20 a minute; all chats together 30 a second (Telegram's bots FAQ). Who goes on during the
wait makes it longer, as bots have seen on Telegram; calls that were under way when it began do not count.
"""

from bossbot.sandbox.limits import Rate, retry_after_s
from bossbot.sandbox.telegram_errors import too_many_requests
from bossbot.sandbox.telegram_params import Params
from bossbot.sandbox.world import World

PACED = frozenset(
    {
        "sendMessage", "sendDocument", "sendPhoto", "sendMediaGroup", "sendRichMessage",
        "forwardMessage", "forwardMessages", "copyMessage", "copyMessages",
        "editMessageText", "editMessageReplyMarkup", "editMessageCaption", "editMessageMedia",
    }
)  # fmt: skip
MANY = {"sendMediaGroup": "media", "forwardMessages": "message_ids", "copyMessages": "message_ids"}
"""Methods that send as many messages as this list is long."""
PRIVATE_RATE = Rate(burst=20, per_s=1.0)
GROUP_RATE = Rate(burst=20, per_s=20 / 60)
OVERALL_RATE = Rate(burst=30, per_s=30.0)


def pace(world: World, method: str, params: Params) -> None:
    """Take this call's share of the budgets. Raises 429 when there is none left."""
    if method not in PACED or not world.switches.rate_limits:
        return
    chat_id, now, budgets = params.integer("chat_id"), world.clock.now(), world.budgets
    key, rate = f"telegram:{chat_id}", PRIVATE_RATE if chat_id > 0 else GROUP_RATE
    wait_s = max(
        budgets.punished_wait_s(key, now),
        budgets.wait_s(key, rate, now),
        budgets.wait_s("telegram", OVERALL_RATE, now),
    )
    if wait_s > 0:
        wait_s = budgets.punish(key, wait_s, now)
        raise too_many_requests(retry_after_s(wait_s))
    for _ in range(max(1, _count(params, MANY[method])) if method in MANY else 1):
        budgets.take(key, rate, now)
        budgets.take("telegram", OVERALL_RATE, now)


def _count(params: Params, name: str) -> int:
    return len(params.json_array(name) or [])
