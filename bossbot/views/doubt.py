"""The card that tells of an answer whose delivery is uncertain, and offers to show it again."""

from bossbot.channel import Action, Button, Card, Note, Tone, Verb
from bossbot.domain.state import Said

EXCERPT_CHARS = 80


def doubt_card(message_id: str, said: Said | None, *, shown_again: bool) -> Card:
    """Names the answer by its beginning. Without the answer itself (long ago) there is no button."""
    begins = f" (it begins “{_excerpt(said.content)}”)" if said is not None else ""
    if shown_again:
        return Card(blocks=(Note(f"The answer was shown again{begins}."),), tone=Tone.GOOD)
    text = (
        f"An answer may be missing above{begins}: the connection broke while it was sent. It is not repeated by itself."
    )
    button = Button("Show it again", Action(Verb.SHOW_AGAIN, message_id).encode())
    return Card(
        tone=Tone.UNKNOWN,
        blocks=(Note(text),),
        buttons=((button,),) if said is not None else (),
        fallback="An answer may be missing",
    )


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT_CHARS else f"{line[: EXCERPT_CHARS - 1]}…"
