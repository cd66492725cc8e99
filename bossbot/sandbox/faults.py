"""Trouble on demand: which kinds there are is told by tables, and this keeps those that are still to be played.

A kind belongs to one of three phases. `call` kinds meet the bot's next calls, `delivery` kinds the next
updates or events on their way to it, `now` kinds happen at once. What a kind does is written in its own
table: `fault_kinds.py` for both platforms, `telegram_faults.py` and `slack_faults.py` for one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from bossbot.sandbox.json_types import Json

if TYPE_CHECKING:
    from bossbot.sandbox.world import World

Phase = Literal["call", "delivery", "now"]
Answer = Literal["given", "cut", "none"]
Send = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of trouble: its name, a sentence for people, and what it does.

    - `options`: the numbers it takes beyond `count`, with their defaults (`retry_after`, `seconds`);
    - `methods`: the only methods that it makes sense for; none given means every method;
    - `refusal` (call): the platform's exception that the call is refused with;
    - `before` (call): something that happens just before the call;
    - `carried_out` (call): does the call take effect all the same?
    - `answer` (call): is an answer given, is the connection cut in its place, or does none ever come?
    - `deliver` (delivery): plays the kind with `send` (deliver once) and `again` (deliver the same once more);
      a kind without it is taken by the platform's own code, with `Faults.take_for_delivery`;
    - `act` (now): does it, and returns what the control API tells of it.
    """

    name: str
    phase: Phase
    description: str
    options: Mapping[str, float] = field(default_factory=dict)
    methods: frozenset[str] = frozenset()
    refusal: Callable[[Fault], Exception] | None = None
    before: Callable[[World, Fault], None] | None = None
    carried_out: bool = False
    answer: Answer = "given"
    deliver: Callable[[World, Fault, Send, Send], None] | None = None
    act: Callable[[World, Fault], Awaitable[Json]] | None = None

    def takes(self) -> list[str]:
        """The fields of a fault of this kind, as the control API names them."""
        where = {"call": ["method"], "delivery": ["event"], "now": []}[self.phase]
        return ["count", *where, *self.options]

    def view(self) -> Json:
        """As `GET /sandbox/faults` lists it."""
        body: Json = {"kind": self.name, "phase": self.phase, "description": self.description, "takes": self.takes()}
        if self.options:
            body["defaults"] = dict(self.options)
        if self.methods:
            body["methods"] = sorted(self.methods)
        return body


@dataclass(slots=True)
class Fault:
    """`count` more of one kind on one platform; `method` or `event` (None: any) narrows what it meets."""

    platform: str
    spec: Kind
    count: int = 1
    method: str | None = None
    event: str | None = None
    retry_after: int = 1
    seconds: float = 0.0

    @property
    def kind(self) -> str:
        return self.spec.name

    def view(self) -> Json:
        body: Json = {"platform": self.platform, "kind": self.kind}
        return {**body, **{name: getattr(self, name) for name in self.spec.takes()}}

    def meets_call(self, method: str) -> bool:
        if self.spec.phase != "call":
            return False
        if self.method is not None:
            return self.method == method
        return not self.spec.methods or method in self.spec.methods

    def meets_delivery(self, event: str) -> bool:
        return self.spec.phase == "delivery" and self.event in (None, event)


class Faults:
    """The faults that are still to be played, oldest first."""

    def __init__(self) -> None:
        self._waiting: deque[Fault] = deque()

    def add(self, fault: Fault) -> None:
        self._waiting.append(fault)

    def clear(self) -> None:
        self._waiting.clear()

    def take_for_call(self, platform: str, method: str) -> Fault | None:
        """The fault to play on this call, used up by one."""
        return self._use(fault for fault in self._waiting if fault.platform == platform and fault.meets_call(method))

    def take_for_delivery(self, platform: str, event: str, kind: str | None = None) -> Fault | None:
        """The fault to play on this update or event, used up by one.

        Without `kind` one that plays itself (`Kind.deliver`), with it one of that kind.
        """
        return self._use(
            fault
            for fault in self._waiting
            if fault.platform == platform
            and fault.meets_delivery(event)
            and (fault.kind == kind if kind is not None else fault.spec.deliver is not None)
        )

    def waiting(self) -> list[Fault]:
        return list(self._waiting)

    def _use(self, found: Iterable[Fault]) -> Fault | None:
        fault = next(iter(found), None) if self._waiting else None
        if fault is None:
            return None
        fault.count -= 1
        if fault.count <= 0:
            self._waiting.remove(fault)
        return fault
