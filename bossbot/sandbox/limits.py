"""How fast a bot may talk: token buckets, one for each budget the platform keeps."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `burst` at once, and `per_s` a second in the long run."""

    burst: float
    per_s: float


UNDER_WAY_S = 0.5
"""Calls this soon after the first refusal were sent before it was heard."""
WAIT_MAX_S = 3_600.0


@dataclass(slots=True)
class Wait:
    """How long to stay away; each call during the wait makes it `step_s` longer."""

    began_at: float
    ends_at: float
    step_s: float


class Budgets:
    """Buckets by name; a bucket that was never used is full."""

    def __init__(self) -> None:
        self._buckets: dict[str, tuple[float, float]] = {}
        self._waits: dict[str, Wait] = {}

    def wait_s(self, key: str, rate: Rate, now: float) -> float:
        """Seconds until one more is allowed; 0 when it is allowed now. Takes nothing."""
        tokens = self._tokens(key, rate, now)
        return 0.0 if tokens >= 1 else (1 - tokens) / rate.per_s

    def take(self, key: str, rate: Rate, now: float) -> None:
        self._buckets[key] = (self._tokens(key, rate, now) - 1, now)

    def punished_wait_s(self, key: str, now: float) -> float:
        """Seconds that a wait still lasts; 0 when there is none."""
        wait = self._waits.get(key)
        return 0.0 if wait is None else max(0.0, wait.ends_at - now)

    def punish(self, key: str, wait_s: float, now: float) -> float:
        """A call was refused: begin a wait, or make the one that goes on longer. Returns its seconds."""
        wait = self._waits.get(key)
        if wait is None or wait.ends_at <= now:
            wait = self._waits[key] = Wait(now, now + retry_after_s(wait_s), retry_after_s(wait_s))
        elif now - wait.began_at > UNDER_WAY_S:
            wait.ends_at = min(wait.ends_at + wait.step_s, now + WAIT_MAX_S)
        return wait.ends_at - now

    def clear(self) -> None:
        self._buckets.clear()
        self._waits.clear()

    def _tokens(self, key: str, rate: Rate, now: float) -> float:
        tokens, since = self._buckets.get(key, (rate.burst, now))
        return min(rate.burst, tokens + max(0.0, now - since) * rate.per_s)


def retry_after_s(wait_s: float) -> int:
    """The wait as platforms tell it: whole seconds, at least one."""
    return max(1, math.ceil(wait_s))
