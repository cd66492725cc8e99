"""External selects: the app suggests options for what somebody types, and these can be chosen then."""

import asyncio

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_elements import Part
from bossbot.sandbox.slack_envelope import Envelope
from bossbot.sandbox.slack_inputs import EXTERNAL, options
from bossbot.sandbox.slack_interactions import question
from bossbot.sandbox.slack_message import SlackMessage
from bossbot.sandbox.slack_shape import Complaints, items
from bossbot.sandbox.slack_shape_parts import CHOICES, OPTION, OPTION_GROUP
from bossbot.sandbox.slack_view import View
from bossbot.sandbox.world import World

QUERY_LENGTH = 3
"""Characters that must be typed before the app is asked, unless the select says otherwise (external_select)."""

Where = tuple[Channel, SlackMessage] | View


def ask(world: World, where: Where, user: str, part: Part, typed: str) -> Envelope:
    """Ask the app; what it suggests replaces what it has suggested before."""
    key = _key(where, part[1])
    world.slack.suggestions[key] = []
    envelope = question(world, where, user, part, typed)

    def answered(answer: "asyncio.Future[Json | None]") -> None:
        if not answer.cancelled() and key in world.slack.suggestions:
            world.slack.suggestions[key] = _suggested(answer.result() or {})

    envelope.answer.add_done_callback(answered)
    return envelope


def shortest(element: Json) -> int:
    """How much must be typed before this select asks."""
    length = element.get("min_query_length")
    return length if isinstance(length, int) else QUERY_LENGTH


def with_suggestions(world: World, where: Where, element: Json) -> Json:
    """An element as its person sees it: an external select has the options that were suggested last."""
    if element.get("type") not in EXTERNAL:
        return element
    return {**element, "options": world.slack.suggestions.get(_key(where, element), [])}


def _key(where: Where, element: Json) -> tuple[str, str]:
    return where.id if isinstance(where, View) else where[1].ts, str(element.get("action_id"))


def _suggested(heard: Json) -> list[Json]:
    """The options of an answer, of their groups too; none when Slack would not take them."""
    found = Complaints()
    items(OPTION, CHOICES)(as_list(heard.get("options")) or [], "/options", found)
    items(OPTION_GROUP, CHOICES)(as_list(heard.get("option_groups")) or [], "/option_groups", found)
    return [] if found.messages else [option for value in options(heard) if (option := as_object(value)) is not None]
