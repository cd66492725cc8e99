"""How fast a bot may talk: token buckets, one for each budget the platform keeps."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `burst` at once, and `per_s` a second in the long run."""

    burst: float
    per_s: float


class Budgets:
    """Buckets by name; a bucket that was never used is full."""

    def __init__(self) -> None:
        self._buckets: dict[str, tuple[float, float]] = {}

    def wait_s(self, key: str, rate: Rate, now: float) -> float:
        """Seconds until one more is allowed; 0 when it is allowed now. Takes nothing."""
        tokens = self._tokens(key, rate, now)
        return 0.0 if tokens >= 1 else (1 - tokens) / rate.per_s

    def take(self, key: str, rate: Rate, now: float) -> None:
        self._buckets[key] = (self._tokens(key, rate, now) - 1, now)

    def clear(self) -> None:
        self._buckets.clear()

    def _tokens(self, key: str, rate: Rate, now: float) -> float:
        tokens, since = self._buckets.get(key, (rate.burst, now))
        return min(rate.burst, tokens + max(0.0, now - since) * rate.per_s)


def retry_after_s(wait_s: float) -> int:
    """The wait as platforms tell it: whole seconds, at least one."""
    return max(1, math.ceil(wait_s))
