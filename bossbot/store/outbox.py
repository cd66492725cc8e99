"""What a thread shall show, and how far that has come: the states of a delivery.

A delivery is keyed by session, thread and key: showing another card under the same key edits the post. The functions
here are the whole behaviour, pure; the stores only keep what they return.

    pending → sending → sent          it stands
                      → failed        the platform refused this card
                      → ambiguous     no answer came: a post may or may not exist

Another card makes each of the three pending again, and one that comes while sending makes it pending afterwards.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from bossbot.channel import Card, PostRef, ThreadRef
from bossbot.ids import SessionId


class DeliveryState(StrEnum):
    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    AMBIGUOUS = "ambiguous"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Show:
    """This thread shall show this card under this key.

    `once`: the post may not appear twice (a final answer): while it is doubtful whether an attempt arrived, the outbox
    leaves it ambiguous and does not post it again. Other cards may be posted again.
    """

    key: str
    thread: ThreadRef
    card: Card
    once: bool = False


@dataclass(frozen=True, slots=True)
class Delivery:
    """A `Show` and its fate. `revision` counts the cards under the key, `shown_revision` is what people see (0: none).

    `seq` is the order of creation. `attempts` counts since the last success. `owner` is the process that is sending,
    or that was when the answer failed to come; empty: nobody.
    """

    session_id: SessionId
    thread: ThreadRef
    key: str
    card: Card
    once: bool
    seq: int
    revision: int = 1
    shown_revision: int = 0
    state: DeliveryState = DeliveryState.PENDING
    post: PostRef | None = None
    attempts: int = 0
    error: str = ""
    owner: str = field(default="", repr=False)
    doubtful: bool = False
    """An earlier attempt may have arrived, and no post is known: do not post it again blindly. Sure when claimed."""


def shown(old: Delivery, show: Show) -> Delivery:
    """The delivery after another `Show` of its key. An equal card changes nothing."""
    if old.card == show.card and old.once == show.once:
        return old
    state = DeliveryState.SENDING if old.state is DeliveryState.SENDING else DeliveryState.PENDING
    return replace(old, card=show.card, once=show.once, revision=old.revision + 1, state=state)


def is_due(delivery: Delivery, owner: str) -> bool:
    """True when it waits to be sent, or its fate is unknown and it is not in the hands of `owner` already."""
    match delivery.state:
        case DeliveryState.PENDING:
            return True
        case DeliveryState.SENDING | DeliveryState.AMBIGUOUS:
            return delivery.owner != owner
        case _:
            return False


def claimed(delivery: Delivery, owner: str) -> Delivery | None:
    """The delivery in the hands of `owner`, or None if there is nothing to send or `owner` is sending it already."""
    if not is_due(delivery, owner) and delivery.state is not DeliveryState.AMBIGUOUS:
        return None
    unknown = delivery.state in (DeliveryState.SENDING, DeliveryState.AMBIGUOUS)
    return replace(
        delivery,
        state=DeliveryState.SENDING,
        owner=owner,
        attempts=delivery.attempts + 1,
        doubtful=delivery.doubtful or (unknown and delivery.post is None),
    )


def sent(now: Delivery, revision: int, post: PostRef) -> Delivery:
    """`revision` stands at `post`. If a newer card came meanwhile, it is due."""
    shown_revision = max(now.shown_revision, revision)
    state = DeliveryState.SENT if shown_revision == now.revision else DeliveryState.PENDING
    return replace(
        now, state=state, shown_revision=shown_revision, post=post, attempts=0, error="", owner="", doubtful=False
    )


def released(now: Delivery, error: str) -> Delivery:
    """The attempt certainly did not arrive (wait, or unreachable): it is due again, with the doubt it had before."""
    return replace(now, state=DeliveryState.PENDING, error=error, owner="")


def failed(now: Delivery, revision: int, error: str) -> Delivery:
    """The platform refused `revision` for good. A newer card that came meanwhile is due."""
    state = DeliveryState.FAILED if now.revision == revision else DeliveryState.PENDING
    return replace(now, state=state, error=error, owner="", doubtful=False)


def ambiguous(now: Delivery, revision: int, error: str, owner: str) -> Delivery:
    """No answer came. It rests until the process ends or a newer card comes; `doubtful` if it was not an edit."""
    state = DeliveryState.AMBIGUOUS if now.revision == revision else DeliveryState.PENDING
    return replace(now, state=state, error=error, owner=owner, doubtful=now.doubtful or now.post is None)
