"""What people see of a session under test: its cards by key, each as the text that a renderer would draw from it."""

from collections.abc import Callable
from typing import NamedTuple

from bossbot.channel import Card, Code, Markdown, Note, Plain, Row, Rows, Tone
from bossbot.domain.evolve import fold, happened
from bossbot.domain.state import SessionState
from bossbot.views.views import progress_card, views
from tests.domain.harness import SESSION, Session

SIGNS = {
    Tone.NEUTRAL: " ",
    Tone.RUNNING: "…",
    Tone.WAITING: "?",
    Tone.GOOD: "+",
    Tone.BAD: "!",
    Tone.STOPPED: "#",
    Tone.UNKNOWN: "~",
}


class Seen(NamedTuple):
    """A view with its card."""

    key: str
    card: Card
    once: bool


class Screen:
    """A session and its cards. `see` does something and gives the views that it caused."""

    def __init__(self) -> None:
        self.session = Session()
        self.cards: dict[str, Card] = {}

    def see(self, act: Callable[[Session], object]) -> list[Seen]:
        before, begin = self.session.state, len(self.session.log)
        act(self.session)
        found = self._views(before, begin)
        self.cards |= {seen.key: seen.card for seen in found}
        return found

    def _views(self, before: SessionState, begin: int) -> list[Seen]:
        """With the cards of progress as they are when they are sent at once."""
        after = self.session.state
        found = views(list(happened(before, self.session.log[begin:])), after)
        cards = [(view, view.card or progress_card(after, view.key)) for view in found]
        return [Seen(view.key, card, view.once) for view, card in cards if card is not None]

    def drawn(self, key: str) -> str:
        return drawn(self.cards[key])

    def as_restored(self, length: int) -> list[Seen]:
        """The views of everything behind the first `length` events, all at once, as after a slow start."""
        before = fold(SessionState(id=SESSION), self.session.log[:length])
        return self._views(before, length)


def drawn(card: Card) -> str:
    """A card as text: title behind the sign of its tone, blocks, and buttons in brackets."""
    lines = [f"{SIGNS[card.tone]} {card.title}"] if card.title else []
    for block in card.blocks:
        match block:
            case Rows():
                lines += [block.heading] if block.heading else []
                lines += [_row(row) for row in block.rows]
            case Code():
                lines += [f"    {line}" for line in block.text.split("\n")]
            case Note():
                lines += [f"({block.text})"]
            case Markdown() | Plain():
                lines += [block.text]
    lines += [" ".join(f"[{button.label}]" for button in row) for row in card.buttons]
    return "\n".join(lines)


def _row(row: Row) -> str:
    return f"{'  ' * row.level}{SIGNS[row.tone]} {row.label}" + (f" — {row.detail}" if row.detail else "")
