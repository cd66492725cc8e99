"""How updates and events reach the bot: once and in order, unless a fault says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bossbot.sandbox.clock import Timer
from bossbot.sandbox.faults import Send

if TYPE_CHECKING:
    from bossbot.sandbox.world import World


class Deliveries:
    """Every update and event passes here on its way to the bot."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._held: dict[str, list[Send]] = {"telegram": [], "slack": []}
        self._timers: list[Timer] = []

    def send(self, platform: str, event: str, send: Send, again: Send | None = None) -> None:
        """Deliver one update or event of the kind `event`; `again` delivers the same once more."""
        held = self._held[platform]
        self._held[platform] = []
        fault = self._world.faults.take_for_delivery(platform, event)
        if fault is None or fault.spec.deliver is None:
            send()
        else:
            fault.spec.deliver(self._world, fault, send, again or send)
        for late in held:
            late()

    def later(self, seconds: float, send: Send) -> None:
        """Deliver when that much of the sandbox's time has passed."""
        self._timers = [timer for timer in self._timers if timer.waits]
        self._timers.append(self._world.clock.call_later(seconds, send))

    def hold(self, platform: str, send: Send, at_most_s: float) -> None:
        """Deliver after the next one of the platform, or when `at_most_s` have passed without one."""
        waiting = Timer(send)  # runs once, by whichever comes first
        self._held[platform].append(waiting.run)
        self._timers.append(waiting)
        self.later(at_most_s, waiting.run)

    def forget(self) -> None:
        """Drop what is under way."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        for held in self._held.values():
            held.clear()
