"""What arrives from a chat platform, in words that are the same for all of them."""

from dataclasses import dataclass, field
from datetime import datetime

from bossbot.ids import ActorRef, PostRef, ThreadRef


@dataclass(frozen=True, slots=True)
class MessageReceived:
    """A person wrote something.

    `delivery_id` is the same when the platform delivers the same message twice (also as two kinds of event), and
    different for different messages: the inbox drops repeats by it. `addressed` says that the person speaks to us: a
    private chat, a mention (already removed from `text`), a reply to us, or a thread that we are part of.
    """

    delivery_id: str
    thread: ThreadRef
    actor: ActorRef
    actor_name: str
    message_id: str
    text: str
    sent_at: datetime
    addressed: bool = True
    private: bool = False
    reply_to: str | None = None


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A person pressed a button of one of our posts. `action` is the action id that the button carried.

    `press` is what the adapter needs to answer this press (a callback query id, a response URL); opaque to the core.
    """

    delivery_id: str
    thread: ThreadRef
    actor: ActorRef
    actor_name: str
    post: PostRef
    action: str
    press: str = field(repr=False)


Inbound = MessageReceived | ButtonPressed
