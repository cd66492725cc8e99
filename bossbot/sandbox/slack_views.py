"""The views.* methods: modals opened by a trigger, pushed and changed, and the home tab."""

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.slack_call import Call
from bossbot.sandbox.slack_checks import checked_view
from bossbot.sandbox.slack_elements import with_ids
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_params import Args
from bossbot.sandbox.slack_view import STACK_MAX, View
from bossbot.sandbox.world import World


def views_open(call: Call) -> Json:
    """`views.open`: a trigger opens one modal, within three seconds of its press."""
    trigger = call.world.slack.triggers.find(call.args.need("trigger_id"), call.team)
    content = modal_content(call.world, call.args)
    _check_external_id(call, content, None)
    trigger.used = True
    return _shown(call, call.world.slack.views.add(trigger.user, call.team, content))


def views_push(call: Call) -> Json:
    """`views.push`: one more view onto the modal that was pressed in."""
    views = call.world.slack.views
    trigger = call.world.slack.triggers.find(call.args.need("trigger_id"), call.team)
    content = modal_content(call.world, call.args)
    stack = views.stack(trigger.user)
    if trigger.view_id is None or not stack or trigger.view_id not in [view.id for view in stack]:
        raise SlackError("not_found")
    if not may_push(call.world, stack[-1]):
        raise SlackError("push_limit_reached")
    _check_external_id(call, content, None)
    trigger.used = True
    return _shown(call, views.add(trigger.user, call.team, content, stack[-1]))


def views_update(call: Call) -> Json:
    """`views.update`: other content in an open view; with `hash` only if nobody has changed it since."""
    views = call.world.slack.views
    if call.args.has("view_id"):
        view = views.get(call.args.text("view_id"))
    else:
        view = views.by_external_id(call.args.need("external_id"), call.team)
    if view is None or view.team is not call.team:
        raise SlackError("not_found")
    content = _content(call.world, call.args, str(view.content.get("type")))
    _check_hash(call, view)
    _check_external_id(call, content, view)
    views.change(view, content)
    return _shown(call, view)


def views_publish(call: Call) -> Json:
    """`views.publish`: the home tab of one person, new or changed."""
    views = call.world.slack.views
    user = call.args.need("user_id")
    content = _content(call.world, call.args, "home")
    if call.team.person(user) is None:
        raise _refused("unknown user", "/user_id")
    view = views.home(user)
    if view is not None:
        _check_hash(call, view)
    _check_external_id(call, content, view)
    if view is None:
        view = views.add(user, call.team, content)
    else:
        views.change(view, content)
    return _shown(call, view)


def modal_content(world: World, args: Args) -> Json:
    """The argument `view` as the content of a modal. Raises Slack's refusals."""
    return _content(world, args, "modal")


def may_push(world: World, view: View) -> bool:
    """Has the modal of this view room for one more?"""
    return sum(1 for item in world.slack.views.stack(view.user) if item.root_id == view.root_id) < STACK_MAX


def _content(world: World, args: Args, kind: str) -> Json:
    content = checked_view(args)
    if content.get("type") != kind:
        raise _refused("must be a valid enum value", "/view/type")
    blocks = [block for value in as_list(content.get("blocks")) or [] if (block := as_object(value)) is not None]
    return {**content, "blocks": with_ids(blocks, world.slack.new_id)}


def _check_hash(call: Call, view: View) -> None:
    if call.args.has("hash") and call.args.text("hash") != view.hash:
        raise SlackError("hash_conflict")


def _check_external_id(call: Call, content: Json, view: View | None) -> None:
    external_id = content.get("external_id")
    if isinstance(external_id, str) and external_id:
        other = call.world.slack.views.by_external_id(external_id, call.team)
        if other is not None and other is not view:
            raise SlackError("duplicate_external_id")


def _refused(what: str, at: str) -> SlackError:
    return SlackError("invalid_arguments", (f"[ERROR] {what} [json-pointer:{at}]",))


def _shown(call: Call, view: View) -> Json:
    call.world.feed.changed("slack")
    return {"view": view.wire()}


METHODS = {
    "views.open": views_open,
    "views.publish": views_publish,
    "views.push": views_push,
    "views.update": views_update,
}
