"""The card that asks a person how it goes on after several failures, and then says how it did."""

from bossbot.channel import Action, Button, ButtonStyle, Card, Note, Plain, Tone, Verb
from bossbot.domain.state import Blocked

_DECIDED = {
    "retried": ("Tried again", Tone.RUNNING),
    "message": ("Tried again with your message", Tone.RUNNING),
    "given_up": ("Given up", Tone.STOPPED),
}


def blocked_card(blocked: Blocked) -> Card:
    """With Try again and Give up while nobody has decided."""
    reason = Plain(blocked.reason)
    if blocked.how:
        title, tone = _DECIDED[blocked.how]
        by = (Note(f"by {blocked.decided_by}"),) if blocked.decided_by else ()
        return Card(title=title, tone=tone, blocks=(reason, *by), fallback=title)
    title = f"Failed {blocked.failures} times in a row" if blocked.failures > 1 else "Failed"
    again = Button("Try again", Action(Verb.TRY_AGAIN, blocked.id).encode(), ButtonStyle.PRIMARY)
    give_up = Button("Give up", Action(Verb.GIVE_UP, blocked.id).encode(), ButtonStyle.DANGER)
    return Card(
        title=title,
        tone=Tone.BAD,
        blocks=(reason, Note("Try again, give it up, or write to the manager.")),
        buttons=((again, give_up),),
        fallback=f"{title}: try again, or give up?",
    )
