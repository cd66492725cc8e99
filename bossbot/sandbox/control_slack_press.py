"""People on Slack at work with buttons, menus and modals, played by a script."""

import asyncio

import msgspec
from aiohttp import web

from bossbot.sandbox.control import ControlError, answer, read_body
from bossbot.sandbox.control_slack_lookups import find_shown, find_view
from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.labels import match_label
from bossbot.sandbox.slack_elements import Part, parts
from bossbot.sandbox.slack_envelope import Envelope
from bossbot.sandbox.slack_inputs import EXTERNAL, INPUTS, UNSTATED, Values, WrongValueError, chosen
from bossbot.sandbox.slack_interactions import press_in_message, press_in_view, pressable
from bossbot.sandbox.slack_modals import close, missing, submit
from bossbot.sandbox.slack_suggestions import Where, ask, shortest, with_suggestions
from bossbot.sandbox.slack_view import View
from bossbot.sandbox.world import WORLD, World

WAIT_MAX_S = 60.0


class PressBody(msgspec.Struct, forbid_unknown_fields=True):
    user: str
    channel: str | None = None
    ts: str | None = None
    view_id: str | None = None
    label: str | None = None
    action_id: str | None = None
    wait_s: float = 0.0
    stale: bool = False


class SelectBody(msgspec.Struct, forbid_unknown_fields=True):
    user: str
    action_id: str
    values: list[object]
    channel: str | None = None
    ts: str | None = None
    view_id: str | None = None
    wait_s: float = 0.0


class SuggestBody(msgspec.Struct, forbid_unknown_fields=True):
    user: str
    action_id: str
    typed: str
    channel: str | None = None
    ts: str | None = None
    view_id: str | None = None
    wait_s: float = 3.5


class SubmitBody(msgspec.Struct, forbid_unknown_fields=True):
    user: str
    view_id: str
    values: dict[str, object] = {}
    wait_s: float = 3.5


class CloseBody(msgspec.Struct, forbid_unknown_fields=True):
    user: str
    view_id: str
    whole: bool = False


def routes() -> list[web.RouteDef]:
    return [
        web.post("/sandbox/slack/press", press),
        web.post("/sandbox/slack/select", select),
        web.post("/sandbox/slack/suggest", suggest),
        web.post("/sandbox/slack/submit", submit_view),
        web.post("/sandbox/slack/close", close_view),
    ]


async def press(request: web.Request) -> web.Response:
    """A person presses; `answer` is the payload of the ack, null while there is none."""
    world = request.app[WORLD]
    body = await read_body(request, PressBody)
    if (body.label is None) == (body.action_id is None):
        raise ControlError(400, "give either label or action_id")
    if body.view_id is not None:
        view = find_view(world, body.view_id, body.user)
        envelope = press_in_view(world, view, _button(f"view {view.id}", [view.blocks], body))
    else:
        channel, message = find_shown(world, body.channel, body.ts, body.user)
        layers = [message.blocks, *reversed(message.past_blocks)] if body.stale else [message.blocks]
        part = _button(f"message {message.ts}", layers, body)
        envelope = press_in_message(world, channel, message, body.user, part)
    return await outcome(envelope, body.wait_s)


async def select(request: web.Request) -> web.Response:
    """A person chooses or types: options by value or label, people and conversations by id, dates, texts."""
    world = request.app[WORLD]
    body = await read_body(request, SelectBody)
    if body.view_id is not None:
        view = find_view(world, body.view_id, body.user)
        part, entry = _choice(world, view, body.action_id, body.values)
        _keep(view.values, part, entry)
        told = part[0].get("type") != "input" or part[0].get("dispatch_action") is True
        if not told:  # an input keeps its value to itself until the modal is submitted
            world.feed.changed("slack")
            return answer({"ok": True, "delivered": False, "acked": False, "answer": None, "failure": None})
        envelope = press_in_view(world, view, part, entry)
    else:
        channel, message = find_shown(world, body.channel, body.ts, body.user)
        part, entry = _choice(world, (channel, message), body.action_id, body.values)
        _keep(world.slack.message_values(message, body.user), part, entry)
        envelope = press_in_message(world, channel, message, body.user, part, entry)
    world.feed.changed("slack")
    return await outcome(envelope, body.wait_s)


async def suggest(request: web.Request) -> web.Response:
    """A person types into an external select; `options` are those that the app suggests and Slack would show."""
    world = request.app[WORLD]
    body = await read_body(request, SuggestBody)
    where: Where = (
        find_shown(world, body.channel, body.ts, body.user)
        if body.view_id is None
        else find_view(world, body.view_id, body.user)
    )
    part = _input(where, body.action_id)
    if part[1].get("type") not in EXTERNAL:
        raise ControlError(400, f"{body.action_id} is a {part[1].get('type')}, which has its own options")
    if len(body.typed) < shortest(part[1]):
        raise ControlError(400, f"{body.action_id} asks once {shortest(part[1])} characters are typed")
    result = await waited(ask(world, where, body.user, part, body.typed), body.wait_s)
    return answer({"ok": True, **result, "options": with_suggestions(world, where, part[1])["options"]})


async def submit_view(request: web.Request) -> web.Response:
    """A person fills in `values` (by action_id or block_id) and submits the modal."""
    world = request.app[WORLD]
    body = await read_body(request, SubmitBody)
    view = find_view(world, body.view_id, body.user)
    if not view.is_modal or view.content.get("submit") is None:
        raise ControlError(400, f"view {view.id} has no submit button")
    _require_on_top(world, view)
    for name, value in body.values.items():
        values = as_list(value)
        _keep(view.values, *_choice(world, view, name, [value] if values is None else values))
    if blanks := missing(view):
        raise ControlError(400, f"these inputs of view {view.id} must be filled in: {', '.join(blanks)}")
    envelope = submit(world, view)
    result = await waited(envelope, body.wait_s)
    is_open = world.slack.views.get(view.id) is view
    return answer({"ok": True, **result, "open": is_open, "errors": view.errors, "problem": view.problem})


async def close_view(request: web.Request) -> web.Response:
    """A person closes the view that shows, or with `whole` the modal and all views in it."""
    world = request.app[WORLD]
    body = await read_body(request, CloseBody)
    view = find_view(world, body.view_id, body.user)
    if not view.is_modal:
        raise ControlError(400, f"view {view.id} is a home tab, which cannot be closed")
    _require_on_top(world, view)
    return answer({"ok": True, "told": len(close(world, view, body.whole))})


async def outcome(envelope: Envelope, wait_s: float) -> web.Response:
    """What came of an interaction so far, after waiting for it."""
    return answer({"ok": True, **await waited(envelope, wait_s)})


async def waited(envelope: Envelope, wait_s: float) -> Json:
    """The same, as an object."""
    if wait_s > 0:
        await asyncio.wait((envelope.answer,), timeout=min(wait_s, WAIT_MAX_S))
    heard = envelope.answer.result() if envelope.answer.done() else None
    failure = envelope.reason if envelope.answer.done() and heard is None else None
    return {"delivered": envelope.delivered, "acked": heard is not None, "answer": heard or None, "failure": failure}


def _require_on_top(world: World, view: View) -> None:
    shown = world.slack.views.stack(view.user)[-1]
    if shown is not view:
        raise ControlError(400, f"view {view.id} lies under view {shown.id}, which must go first")


def _button(where: str, layers: list[list[Json]], body: PressBody) -> Part:
    found = [part for blocks in layers for part in pressable(blocks)]
    part = _named(where, found, body)
    seen_by = as_list(part[1].get("visible_to_user_ids"))
    if seen_by is not None and body.user not in seen_by:
        raise ControlError(400, f"this button of {where} is shown to {', '.join(map(str, seen_by))} only")
    return part


def _named(where: str, found: list[Part], body: PressBody) -> Part:
    if body.label is not None:
        labelled = [(str((as_object(part[1].get("text")) or {}).get("text")), part) for part in found]
        return match_label(body.label, labelled, where, first=body.stale)
    named = [part for part in found if part[1].get("action_id") == body.action_id]
    if not named or (len(named) > 1 and not body.stale):
        there = ", ".join(repr(element.get("action_id")) for _, element in found) or "none"
        problem = "several buttons" if named else "no button"
        raise ControlError(404, f"{where} has {problem} with action_id {body.action_id!r}; there are: {there}")
    return named[0]


def _choice(world: World, where: Where, name: str, values: list[object]) -> tuple[Part, Json]:
    """The element called `name` (its action_id, or its block's block_id) and the value that it gets."""
    part = _input(where, name)
    try:
        shown = with_suggestions(world, where, part[1])
        return part, chosen(shown, values, lambda kind, key: _exists(world, kind, key))
    except WrongValueError as error:
        raise ControlError(400, f"{name}: {error}") from None


def _input(where: Where, name: str) -> Part:
    blocks = where.blocks if isinstance(where, View) else where[1].blocks
    there = [part for part in parts(blocks) if part[1].get("type") in INPUTS]
    found = [part for part in there if part[1].get("action_id") == name]
    found = found or [part for part in there if part[0].get("block_id") == name]
    if len(found) != 1:
        names = ", ".join(repr(element.get("action_id")) for _, element in there) or "none"
        problem = "several inputs" if found else "no input"
        place = f"view {where.id}" if isinstance(where, View) else f"message {where[1].ts}"
        raise ControlError(404, f"{place} has {problem} called {name!r}; there are: {names}")
    return found[0]


def _exists(world: World, kind: str, name: str) -> bool:
    return name in world.slack.channels if kind == "channel" else world.slack.person(name) is not None


def _keep(values: Values, part: Part, entry: Json) -> None:
    block, element = part
    if element.get("type") not in UNSTATED:
        values.setdefault(str(block.get("block_id")), {})[str(element.get("action_id"))] = entry
