"""Cards: what people see, before it belongs to a platform.

A card is a neutral tree. Every string in it is untrusted text, shown as it is: a renderer may never let it mention,
link or format. Only `Markdown` is parsed, and that by `bossbot.text`, which neutralises it.
"""

from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    """How a card or row feels; platforms choose the colour or the sign."""

    NEUTRAL = "neutral"
    RUNNING = "running"
    WAITING = "waiting"
    GOOD = "good"
    BAD = "bad"
    STOPPED = "stopped"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Markdown:
    """Text of the agent or the bot in Markdown; parsed and neutralised by `bossbot.text`."""

    text: str


@dataclass(frozen=True, slots=True)
class Plain:
    """Text shown exactly as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A command, a file or output: monospace, every character visible, never cut by a renderer."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list: a sign by tone, a label, an optional detail behind it, indented by level."""

    label: str
    tone: Tone = Tone.NEUTRAL
    detail: str = ""
    level: int = 0


@dataclass(frozen=True, slots=True)
class Rows:
    """A list or tree of rows, with an optional heading."""

    rows: tuple[Row, ...]
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Small print: who decided, how long it took, what to do next."""

    text: str


Block = Markdown | Plain | Code | Rows | Note


class ButtonStyle(StrEnum):
    PLAIN = "plain"
    PRIMARY = "primary"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """A button. `action` is an action id of `bossbot.channel.actions` (≤ 64 bytes: Telegram's callback_data)."""

    label: str
    action: str
    style: ButtonStyle = ButtonStyle.PLAIN


@dataclass(frozen=True, slots=True)
class Card:
    """One thing that is posted once and edited in place as it changes.

    `title` may be empty (an answer of the manager is a card of one `Markdown` block and nothing else).
    `fallback` is the one-line text for notifications; renderers derive it from title and first block when empty.
    """

    title: str = ""
    tone: Tone = Tone.NEUTRAL
    blocks: tuple[Block, ...] = ()
    buttons: tuple[tuple[Button, ...], ...] = ()
    fallback: str = ""
