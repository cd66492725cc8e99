"""response_url: a press may be answered there five times within half an hour, without a token."""

from aiohttp import web

from bossbot.sandbox.faulty import answered, begun, logged_error
from bossbot.sandbox.json_types import BadJsonError, Json, as_object, decode, encode
from bossbot.sandbox.slack_call import Call
from bossbot.sandbox.slack_content import checked_content
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_message import SlackMessage
from bossbot.sandbox.slack_messages import (
    add_ephemeral,
    add_message,
    change_message,
    remove_message,
)
from bossbot.sandbox.slack_params import Args
from bossbot.sandbox.slack_state import RESPONSE_URL_LIFE_S, ResponseUrl
from bossbot.sandbox.world import WORLD, World

NAME = "response_url"
"""What these calls are called in the log and by faults."""


def routes() -> list[web.RouteDef]:
    return [web.post("/slack/response/{url_id}", respond)]


async def respond(request: web.Request) -> web.StreamResponse:
    """Replace, delete, or answer: privately unless `response_type` is `in_channel`."""
    world = request.app[WORLD]
    world.connections.note("slack", request)
    arrived_at = world.clock.now()
    fault = world.faults.take_for_call("slack", NAME)
    body: Json = {}
    refusal: SlackError | None = None
    try:
        body = await _body(request)
        if begun(world, fault):
            _answer_press(world, request.match_info["url_id"], body)
    except SlackError as error:
        refusal = error
    error_name = None if refusal is None else refusal.error
    kind = None if fault is None else fault.kind
    world.calls.add("slack", arrived_at, NAME, body, logged_error(error_name, fault), kind)
    answer = web.Response(text="ok") if refusal is None else refused(refusal)
    return await answered(request, world, fault, answer)


def refused(refusal: SlackError) -> web.Response:
    """A refusal at one of the plain addresses, whose answers tell by their status."""
    headers = {} if refusal.retry_after is None else {"Retry-After": str(refusal.retry_after)}
    status = refusal.status if refusal.status != 200 else 400
    return web.Response(status=status, body=encode(refusal.as_json()), content_type="application/json", headers=headers)


def _answer_press(world: World, url_id: str, body: Json) -> None:
    target = world.slack.response_urls.get(url_id)
    if target is None or world.clock.now() - target.made_at > RESPONSE_URL_LIFE_S:
        raise SlackError("expired_url", status=404)
    if target.uses_left == 0:
        raise SlackError("used_url", status=404)
    post_answer(Call(world, Args(body, ""), target.channel.team), target)
    target.uses_left -= 1


async def _body(request: web.Request) -> Json:
    try:
        found = as_object(decode(await request.read()))
    except (BadJsonError, web.RequestPayloadError):
        found = None
    if found is None:
        raise SlackError("invalid_payload", status=400)
    return found


def post_answer(call: Call, target: ResponseUrl) -> None:
    """Do what an answer to a press or a command says. Raises Slack's refusals."""
    original = target.message
    deletes = call.args.flag("delete_original")
    replaces = call.args.flag("replace_original") and original is not None
    if (deletes or replaces) and (original is None or not target.channel.has(original)):
        raise SlackError("message_not_found", status=404)
    if deletes and original is not None:
        remove_message(call.world, target.channel, original)
        return
    content = checked_content(call.args)
    blocks = call.named(content.blocks)
    if replaces and original is not None:
        change_message(call.world, target.channel, original, content.text, blocks, content.attachments)
        return
    message = SlackMessage(call.world.slack.new_ts(), call.team.bot_user_id, content.text, blocks, from_bot=True)
    message.attachments = content.attachments
    message.thread_ts = call.args.text("thread_ts") or None
    if call.args.text("response_type") == "in_channel":
        add_message(call.world, target.channel, message)
    else:
        message.ephemeral_for = target.user
        add_ephemeral(call.world, target.channel, message)
