"""Triggers: what a press hands to the bot so that it may open one modal for who pressed, at once."""

import itertools
from dataclasses import dataclass

from bossbot.sandbox.clock import Clock
from bossbot.sandbox.people import SlackTeam
from bossbot.sandbox.slack_errors import SlackError

TRIGGER_LIFE_S = 3.0
"""docs.slack.dev, handling user interaction: a trigger expires three seconds after it was made."""
KEPT = 10_000


@dataclass(slots=True)
class Trigger:
    """Who pressed, where; `view_id` is the modal or home tab that was pressed in. It may be used once."""

    made_at: float
    user: str
    team: SlackTeam
    view_id: str | None = None
    used: bool = False


class Triggers:
    """The triggers that were made; the oldest are forgotten."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._numbers = itertools.count(1)
        self._made: dict[str, Trigger] = {}

    def clear(self) -> None:
        self._made.clear()

    def new(self, user: str, team: SlackTeam, view_id: str | None = None) -> str:
        if len(self._made) >= KEPT:
            del self._made[next(iter(self._made))]
        number = next(self._numbers)
        now = self._clock.now()
        trigger_id = f"{number}.{int(now * 1_000)}.{number:032x}"
        self._made[trigger_id] = Trigger(now, user, team, view_id)
        return trigger_id

    def find(self, trigger_id: str, team: SlackTeam) -> Trigger:
        """A trigger that may be used now. Raises Slack's refusals."""
        trigger = self._made.get(trigger_id)
        if trigger is None or trigger.team is not team:
            raise SlackError("invalid_trigger_id")
        if trigger.used:
            raise SlackError("exchanged_trigger_id")
        if self._clock.now() - trigger.made_at > TRIGGER_LIFE_S:
            raise SlackError("expired_trigger_id")
        return trigger
