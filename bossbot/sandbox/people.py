"""Who lives in the sandbox, and where: three people and one bot on each platform.

The same three play the same parts on both: Ada owns the project, Ben may approve, Eve is a stranger.
"""

from dataclasses import dataclass

from bossbot.sandbox.json_types import Json


@dataclass(frozen=True, slots=True)
class TelegramPerson:
    """A Telegram account; `role` is the part it plays in tests and on the page."""

    id: int
    first_name: str
    last_name: str
    username: str
    role: str

    def wire(self) -> Json:
        """The Bot API's `User`."""
        return {
            "id": self.id,
            "is_bot": False,
            "first_name": self.first_name,
            "last_name": self.last_name,
            "username": self.username,
            "language_code": "en",
        }


@dataclass(frozen=True, slots=True)
class TelegramPlace:
    """A Telegram chat. A private chat has the id of its person; groups are forum supergroups."""

    id: int
    title: str
    members: tuple[int, ...]

    @property
    def type(self) -> str:
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


SLACK_PEOPLE = (
    SlackPerson("U0ADA", "ada", "Ada Owner", "owner"),
    SlackPerson("U0BEN", "ben", "Ben Approver", "approver"),
    SlackPerson("U0EVE", "eve", "Eve Stranger", "stranger"),
)
SLACK_PLACES = (
    SlackPlace("D0ADA", "ada", ("U0ADA",)),
    SlackPlace("C0BOSS", "boss", ("U0ADA", "U0BEN", "U0EVE")),
    SlackPlace("D0BEN", "ben", ("U0BEN",)),
    SlackPlace("D0EVE", "eve", ("U0EVE",)),
)
SLACK_BOT_USER_ID = "U0BOSSBOT"
SLACK_BOT_ID = "B0BOSSBOT"
SLACK_BOT_NAME = "bossbot"
SLACK_APP_ID = "A0BOSSBOT"
SLACK_TEAM_ID = "T0SANDBOX"
SLACK_TEAM_NAME = "Sandbox"
SLACK_TEAM_DOMAIN = "sandbox"
