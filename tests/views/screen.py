"""What people see of a session under test: its cards by key, each as the text that a renderer would draw from it."""

from collections.abc import Callable

from bossbot.channel import Card, Code, Markdown, Note, Plain, Row, Rows, Tone
from bossbot.domain.evolve import fold
from bossbot.domain.state import SessionState
from bossbot.views.views import View, views
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


class Screen:
    """A session and its cards. `see` does something and gives the views that it caused."""

    def __init__(self) -> None:
        self.session = Session()
        self.cards: dict[str, Card] = {}

    def see(self, act: Callable[[Session], object]) -> list[View]:
        before, begin = self.session.state, len(self.session.log)
        act(self.session)
        found = views(before, self.session.log[begin:], self.session.state)
        self.cards |= {view.key: view.card for view in found}
        return found

    def drawn(self, key: str) -> str:
        return drawn(self.cards[key])

    def as_restored(self, length: int) -> list[View]:
        """The views of everything behind the first `length` events, all at once, as after a slow start."""
        before = fold(SessionState(id=SESSION), self.session.log[:length])
        return views(before, self.session.log[length:], self.session.state)


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
