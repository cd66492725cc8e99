"""What the store refuses, named by who must act: the app retries or drops; the operator mends the configuration."""

from bossbot.ids import SessionId


class StoreError(Exception):
    """The database cannot be used. The text names the configuration key and the fix."""


class StoreUnavailable(StoreError):
    """Nobody's work can be done now: the server is away, or another process has the database in its hands."""


class VersionConflict(Exception):
    """Somebody else has written to the session: load what is new and decide again. Nothing was written."""

    def __init__(self, session_id: SessionId, expected: int, actual: int) -> None:
        super().__init__(f"session {session_id} is at version {actual}, not {expected}")
        self.session_id, self.expected, self.actual = session_id, expected, actual


class DuplicateDelivery(Exception):
    """This inbound delivery was taken in before. Nothing was written; the caller drops it."""

    def __init__(self, inbox_key: str) -> None:
        super().__init__(f"delivery {inbox_key} was taken in before")
        self.inbox_key = inbox_key
