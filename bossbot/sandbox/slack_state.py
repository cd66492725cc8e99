"""Slack's side of the world: conversations, files, views, and the tickets of presses."""

import itertools
import re
from dataclasses import dataclass

from bossbot.sandbox.clock import Clock
from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import SLACK_TEAM, SlackPerson, SlackTeam
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_inputs import Values, carried_over
from bossbot.sandbox.slack_manifest import Manifest
from bossbot.sandbox.slack_message import SlackFile, SlackMessage
from bossbot.sandbox.slack_triggers import Triggers
from bossbot.sandbox.slack_view import Views

STATUS_LIFE_S = 120.0
"""A status ends by itself when no message follows (docs.slack.dev, assistant.threads.setStatus)."""
RESPONSE_URL_LIFE_S = 1_800.0
RESPONSE_URL_USES = 5
TS = re.compile(r"[0-9]{10}\.[0-9]{6}")


@dataclass(slots=True)
class ResponseUrl:
    """Where a bot may answer: five times within half an hour. `message` is what was pressed, None for a command."""

    channel: Channel
    message: SlackMessage | None
    user: str
    made_at: float
    uses_left: int = RESPONSE_URL_USES


class SlackState:
    """All conversations and everything that hangs on them."""

    def __init__(self, clock: Clock, base_url: str) -> None:
        self.clock = clock
        self.base_url = base_url
        self.teams: dict[str, SlackTeam] = {}
        self.channels: dict[str, Channel] = {}
        self._team_of_token: dict[str, SlackTeam] = {}
        self.response_urls: dict[str, ResponseUrl] = {}
        self.triggers = Triggers(clock)
        self.files: dict[str, SlackFile] = {}
        self.views = Views(clock)
        self.suggestions: dict[tuple[str, str], list[Json]] = {}
        self._message_values: dict[tuple[str, str], Values] = {}
        self.manifest = Manifest()
        self._numbers = itertools.count(1)
        self._last_ts_us = 0
        self.reset()

    def reset(self) -> None:
        self.teams.clear()
        self.channels.clear()
        self._team_of_token.clear()
        self._add_team(SLACK_TEAM)
        self.response_urls.clear()
        self.triggers.clear()
        self.files.clear()
        self.views.clear()
        self.suggestions.clear()
        self._message_values.clear()
        self.manifest = Manifest()

    def install(self, team: SlackTeam, bot_token: str) -> None:
        """The app in one more workspace, or there with a new token: from now on the token means that workspace."""
        if team.id not in self.teams:
            self._add_team(team)
        self._team_of_token[bot_token] = team

    def team_of(self, bot_token: str) -> SlackTeam:
        """The workspace that a token was given out for; every other token belongs to the first."""
        return self._team_of_token.get(bot_token, SLACK_TEAM)

    def _add_team(self, team: SlackTeam) -> None:
        self.teams[team.id] = team
        self.channels.update({place.id: Channel(place, team) for place in team.places})

    def new_ts(self) -> str:
        """Now, as a ts that no message had before."""
        self._last_ts_us = max(int(self.clock.now() * 1_000_000), self._last_ts_us + 1)
        return f"{self._last_ts_us // 1_000_000}.{self._last_ts_us % 1_000_000:06d}"

    def new_id(self, prefix: str) -> str:
        """An id of Slack's form that was not used before: `Ev0SBX00001`."""
        return f"{prefix}0SBX{next(self._numbers):05d}"

    def message_values(self, message: SlackMessage, user: str) -> Values:
        """What somebody has chosen in a message so far; each one who looks at it chooses for themselves."""
        key = (message.ts, user)
        self._message_values[key] = carried_over(message.blocks, self._message_values.get(key, {}))
        return self._message_values[key]

    def person(self, user_id: str) -> SlackPerson | None:
        """A person of any workspace: ids are never the same in two."""
        return next((person for team in self.teams.values() if (person := team.person(user_id)) is not None), None)

    def channel(self, name: str, team: SlackTeam | None = None) -> Channel | None:
        """By id, by `#name`, or the direct conversation with a user by the user's id; in one workspace or in all."""
        found = self.channels.get(name) or next(
            (item for item in self.channels.values() if _is_called(item, name)), None
        )
        return found if found is not None and team in (None, found.team) else None

    def view(self) -> Json:
        now = self.clock.now()
        return {
            "users": [
                {
                    "id": person.id,
                    "name": person.name,
                    "role": person.role,
                    "real_name": person.real_name,
                    "team_id": team.id,
                }
                for team in self.teams.values()
                for person in team.people
            ],
            "channels": [channel.view(now) for channel in self.channels.values()],
            "views": [view.view() for view in self.views.all()],
            "bot_user_id": SLACK_TEAM.bot_user_id,
            "bot_id": SLACK_TEAM.bot_id,
            "team_id": SLACK_TEAM.id,
            "scopes": sorted(self.manifest.scopes),
            "teams": [
                {"id": team.id, "name": team.name, "bot_user_id": team.bot_user_id, "bot_id": team.bot_id}
                for team in self.teams.values()
            ],
        }


def _is_called(channel: Channel, name: str) -> bool:
    if channel.place.is_im:
        return name == channel.place.members[0]
    return name == f"#{channel.place.name}"
