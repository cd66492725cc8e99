"""A modal in its person's hands: filled in, submitted, closed, and what the bot's answer makes of it."""

import asyncio
from functools import partial

from bossbot.sandbox.json_types import Json, as_object
from bossbot.sandbox.slack_envelope import Envelope
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_inputs import is_empty
from bossbot.sandbox.slack_interactions import closing, submission
from bossbot.sandbox.slack_params import Args
from bossbot.sandbox.slack_view import View
from bossbot.sandbox.slack_views import may_push, modal_content
from bossbot.sandbox.world import World

NO_ANSWER = "We had some trouble connecting. Try again?"
"""What a modal says when the app did not answer in time, or not in a way that Slack takes."""


def missing(view: View) -> list[str]:
    """The block_ids of inputs that must be filled in before a modal can be submitted."""
    found: list[str] = []
    for block in view.blocks:
        entries = view.values.get(str(block.get("block_id")), {})
        if block.get("type") == "input" and block.get("optional") is not True and any(map(is_empty, entries.values())):
            found.append(str(block.get("block_id")))
    return found


def submit(world: World, view: View) -> Envelope:
    """Send what is filled in. The bot's acknowledgement then closes the view, or does what it says."""
    view.errors, view.problem = {}, None
    envelope = submission(world, view)
    envelope.answer.add_done_callback(partial(_answered, world, view))
    return envelope


def close(world: World, view: View, whole: bool) -> list[Envelope]:
    """Its person closes a view, or the whole modal; the bot is told where it wants to know."""
    views = world.slack.views
    is_cleared = whole or view.flag("clear_on_close")
    closed = views.close_all(view) if is_cleared else [view]
    views.close(view)
    world.feed.changed("slack")
    return [closing(world, item, is_cleared) for item in closed if item.flag("notify_on_close")]


def _answered(world: World, view: View, answer: "asyncio.Future[Json | None]") -> None:
    if answer.cancelled() or world.slack.views.get(view.id) is not view:  # closed meanwhile
        return
    heard = answer.result()
    try:
        view.problem = NO_ANSWER if heard is None else _obey(world, view, heard)
    except SlackError as refusal:
        view.problem = f"{NO_ANSWER} ({refusal.error}: {'; '.join(refusal.messages)})"
    world.feed.changed("slack")


def _obey(world: World, view: View, heard: Json) -> str | None:
    """Do what the acknowledgement says; what Slack would not take of it, or None."""
    views = world.slack.views
    action = heard.get("response_action")
    if action is None:
        views.close(view)
    elif action == "clear":
        views.close_all(view)
    elif action == "errors":
        return _show_errors(view, heard)
    elif action == "update":
        views.change(view, modal_content(world, Args(heard, "")))
    elif action == "push":
        if not may_push(world, view):
            raise SlackError("push_limit_reached")
        views.add(view.user, view.team, modal_content(world, Args(heard, "")), view)
    else:
        return f"{NO_ANSWER} (there is no response_action {action!r})"
    return None


def _show_errors(view: View, heard: Json) -> str | None:
    errors = as_object(heard.get("errors")) or {}
    inputs = [str(block.get("block_id")) for block in view.blocks if block.get("type") == "input"]
    unknown = [block_id for block_id in errors if block_id not in inputs]
    if unknown or not errors or not all(isinstance(text, str) for text in errors.values()):
        named = ", ".join(unknown) or "none"
        return f"{NO_ANSWER} (errors must give texts to input blocks of the view; unknown blocks: {named})"
    view.errors = {block_id: str(text) for block_id, text in errors.items()}
    return None
