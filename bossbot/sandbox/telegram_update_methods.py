"""How a bot gets its updates: getUpdates, or a webhook.

Sources: C = tdlib/telegram-bot-api, Client.cpp; W = its WebhookActor.cpp; T = tdlib/td, HttpUrl.cpp.
"""

import re
import ssl
from urllib.parse import SplitResult, urlsplit

from bossbot.sandbox.guards import LOCAL_NAMES
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.telegram_call import Call, Described
from bossbot.sandbox.telegram_errors import TelegramError, conflict, refused, too_many_requests
from bossbot.sandbox.telegram_updates import BY_WEBHOOK
from bossbot.sandbox.telegram_webhook import Hook

SECRET_LENGTH = 256
_SECRET = re.compile(r"[A-Za-z0-9_-]*")
_HOST = re.compile(r"[\w.!$,~*'();&+=%-]+|\[[0-9a-fA-F:.]+\]")
PORTS = (443, 80, 88, 8443)
CERTIFICATE_BYTES = 3 << 20
WEBHOOK_ACTIVE = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"


async def get_updates(call: Call) -> list[Json]:
    """`getUpdates`: asking with an offset confirms everything before it."""
    if call.world.telegram.webhook.hook is not None:
        raise conflict(WEBHOOK_ACTIVE)  # C process_get_updates_query
    queue = call.world.telegram.queue
    queue.allow(call.params.lenient_json("allowed_updates"))
    offset = call.params.integer("offset")
    return await queue.poll(offset, call.params.integer("limit"), call.params.integer("timeout"))


async def set_webhook(call: Call) -> Described:
    """`setWebhook`: the old webhook is gone even when the new one is refused, as on the official server."""
    webhook, queue, params = call.world.telegram.webhook, call.world.telegram.queue, call.params
    if not params.text("url"):
        return await delete_webhook(call)
    now = call.world.clock.now()
    if now < webhook.next_set_at:
        raise too_many_requests(1)  # C process_set_webhook_query: one a second
    webhook.next_set_at = now + 1
    upload = params.files.get(params.text("certificate").removeprefix("attach://") or "certificate")
    hook = Hook(
        params.text("url"), call.bot_id, params.text("secret_token"), params.integer("max_connections"),
        b"" if upload is None else upload.data,
    )  # fmt: skip
    drops = params.flag("drop_pending_updates")
    if hook == webhook.hook and not hook.certificate and not drops:
        queue.allow(params.lenient_json("allowed_updates"))
        return Described(True, "Webhook is already set")
    queue.end_poll(BY_WEBHOOK)
    await webhook.remove()
    if drops:
        queue.drop_all()
    _check(hook)
    queue.allow(params.lenient_json("allowed_updates"))
    await webhook.set(hook)
    return Described(True, "Webhook was set")


async def delete_webhook(call: Call) -> Described:
    webhook = call.world.telegram.webhook
    was_set = webhook.hook is not None
    await webhook.remove()
    if call.params.flag("drop_pending_updates"):
        call.world.telegram.queue.drop_all()
    return Described(True, "Webhook was deleted" if was_set else "Webhook is already deleted")


async def get_webhook_info(call: Call) -> Json:
    return call.world.telegram.webhook.info()


def _check(hook: Hook) -> None:
    url = _parsed(hook.url)
    if len(hook.secret_token) > SECRET_LENGTH:
        raise refused("secret token is too long")  # C do_set_webhook
    if not _SECRET.fullmatch(hook.secret_token):
        raise refused("secret token contains unallowed characters")  # C do_set_webhook
    if len(hook.certificate) > CERTIFICATE_BYTES:
        raise refused(f"certificate size is too big ({len(hook.certificate)} bytes)")  # C do_set_webhook
    if hook.certificate:
        _check_certificate(hook.certificate)
    if url.hostname not in LOCAL_NAMES:
        raise _bad(_why_not(url))


def _why_not(url: SplitResult) -> str:
    if url.scheme == "http":
        return "An HTTPS URL must be provided for webhook"  # W start_up
    if (url.port or 443) not in PORTS:
        return "Webhook can be set up only on ports 80, 88, 443 or 8443"  # W start_up
    return f"the sandbox sends to this machine only, not to {url.hostname}: use 127.0.0.1"  # the sandbox's own


def _check_certificate(certificate: bytes) -> None:
    try:
        ssl.create_default_context(cadata=certificate.decode("ascii"))
    except (ssl.SSLError, UnicodeError, ValueError):
        raise _bad("Can't create an SSL context: the certificate is no PEM certificate") from None


def _parsed(text: str) -> SplitResult:
    """The address (T `parse_url`); without a scheme it is https. Raises the server's refusal."""
    try:
        url = urlsplit(text if "://" in text else f"https://{text}")
        if (
            url.scheme in ("http", "https")
            and url.port != 0
            and _HOST.fullmatch(url.netloc.rpartition("@")[2].removesuffix(f":{url.port}"))
        ):
            return url
    except ValueError:
        pass
    raise refused("invalid webhook URL specified")  # C do_set_webhook


def _bad(words: str) -> TelegramError:
    return refused(f"bad webhook: {words}")  # C on_webhook_closed


METHODS = {
    "getUpdates": get_updates,
    "setWebhook": set_webhook,
    "deleteWebhook": delete_webhook,
    "getWebhookInfo": get_webhook_info,
}
