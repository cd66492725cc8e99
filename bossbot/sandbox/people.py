"""Who lives in the sandbox, and where: three people and one bot on each platform.

The same three play the same parts on both: Ada owns the project, Ben may approve, Eve is a stranger.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bossbot.sandbox.json_types import Json


@dataclass(frozen=True, slots=True)
class TelegramPerson:
    """A Telegram account; `role` is the part it plays in tests and on the page."""

    id: int
    first_name: str
    last_name: str
    username: str
    role: str

    @property
    def full_name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    def names(self) -> Json:
        """The names that `User` and `Chat` have in common; those that are empty are left out."""
        names = {"first_name": self.first_name, "last_name": self.last_name, "username": self.username}
        return {key: name for key, name in names.items() if name}

    def wire(self) -> Json:
        """The Bot API's `User`."""
        return {"id": self.id, "is_bot": False, **self.names(), "language_code": "en"}

    def view(self) -> Json:
        """As `/sandbox/state` shows it."""
        return {
            "id": self.id,
            "name": self.first_name,
            "role": self.role,
            "username": self.username,
            "full_name": self.full_name,
        }


@dataclass(frozen=True, slots=True)
class TelegramPlace:
    """A Telegram chat. A private chat has the id of its person; groups are forum supergroups."""

    id: int
    title: str
    members: tuple[int, ...]

    @property
    def type(self) -> Literal["private", "supergroup"]:
        return "private" if self.id > 0 else "supergroup"


TELEGRAM_PEOPLE = (
    TelegramPerson(1001, "Ada", "Owner", "ada_owner", "owner"),
    TelegramPerson(1002, "Ben", "Approver", "ben_approver", "approver"),
    TelegramPerson(1003, "Eve", "Stranger", "eve_stranger", "stranger"),
)
TELEGRAM_GROUP_ID = -1_000_000_000_001
TELEGRAM_PLACES = (
    TelegramPlace(1001, "Ada Owner", (1001,)),
    TelegramPlace(TELEGRAM_GROUP_ID, "Team", (1001, 1002, 1003)),
    TelegramPlace(1002, "Ben Approver", (1002,)),
    TelegramPlace(1003, "Eve Stranger", (1003,)),
)
TELEGRAM_BOT_USERNAME = "bossbot_sandbox_bot"
TELEGRAM_BOT_NAME = "bossbot"


def bot_user(bot_id: int) -> Json:
    """The bot as a `User`."""
    return {"id": bot_id, "is_bot": True, "first_name": TELEGRAM_BOT_NAME, "username": TELEGRAM_BOT_USERNAME}


@dataclass(frozen=True, slots=True)
class SlackPerson:
    """A Slack member; `name` is the handle that follows an @."""

    id: str
    name: str
    real_name: str
    role: str


@dataclass(frozen=True, slots=True)
class SlackPlace:
    """A Slack conversation: `D…` is a direct message with the bot, `C…` a public channel."""

    id: str
    name: str
    members: tuple[str, ...]

    @property
    def is_im(self) -> bool:
        return self.id.startswith("D")


@dataclass(frozen=True, slots=True)
class SlackTeam:
    """A workspace: its people and places, and who the bot is in it. The app is the same in all of them."""

    id: str
    name: str
    domain: str
    bot_user_id: str
    bot_id: str
    people: tuple[SlackPerson, ...]
    places: tuple[SlackPlace, ...]
    usergroups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The ids of a user group's members, by the group's id."""

    def person(self, user_id: str) -> SlackPerson | None:
        return next((person for person in self.people if person.id == user_id), None)

    def has(self, user_id: str) -> bool:
        """Is this one of its people, or the bot?"""
        return user_id == self.bot_user_id or self.person(user_id) is not None


SLACK_BOT_NAME = "bossbot"
SLACK_APP_ID = "A0BOSSBOT"
SLACK_TEAM = SlackTeam(
    id="T0SANDBOX",
    name="Sandbox",
    domain="sandbox",
    bot_user_id="U0BOSSBOT",
    bot_id="B0BOSSBOT",
    people=(
        SlackPerson("U0ADA", "ada", "Ada Owner", "owner"),
        SlackPerson("U0BEN", "ben", "Ben Approver", "approver"),
        SlackPerson("U0EVE", "eve", "Eve Stranger", "stranger"),
    ),
    places=(
        SlackPlace("D0ADA", "ada", ("U0ADA",)),
        SlackPlace("C0BOSS", "boss", ("U0ADA", "U0BEN", "U0EVE")),
        SlackPlace("D0BEN", "ben", ("U0BEN",)),
        SlackPlace("D0EVE", "eve", ("U0EVE",)),
    ),
    usergroups={"S0APPROVERS": ("U0ADA", "U0BEN")},
)
"""The workspace that is always there."""
SLACK_SECOND_TEAM = SlackTeam(
    id="T0NORTH",
    name="North",
    domain="north",
    bot_user_id="U0NORTHBOT",
    bot_id="B0NORTHBOT",
    people=(SlackPerson("U0FAY", "fay", "Fay Owner", "owner"), SlackPerson("U0GUS", "gus", "Gus Stranger", "stranger")),
    places=(
        SlackPlace("D0FAY", "fay", ("U0FAY",)),
        SlackPlace("C0NORTH", "north", ("U0FAY", "U0GUS")),
        SlackPlace("D0GUS", "gus", ("U0GUS",)),
    ),
)
"""Another company's workspace; it is there once the app was installed in it."""
