"""What is remembered: events, and in the same transaction what must not part from them.

`bossbot.store.opening.open_store` opens one; it is not imported here, since SQLAlchemy takes its time.
"""

from bossbot.store.errors import DuplicateDelivery, StoreError, VersionConflict
from bossbot.store.outbox import Delivery, DeliveryState, Show
from bossbot.store.protocol import INBOX_KEPT_DAYS, EventStore
from bossbot.store.records import Flaw, MessageRef, Problem, SessionRow

__all__ = [
    "INBOX_KEPT_DAYS",
    "Delivery",
    "DeliveryState",
    "DuplicateDelivery",
    "EventStore",
    "Flaw",
    "MessageRef",
    "Problem",
    "SessionRow",
    "Show",
    "StoreError",
    "VersionConflict",
]
