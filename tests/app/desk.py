"""The whole application over the memory store, with a chat platform and an agent that tests play themselves."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count

from bossbot.app.access import Access
from bossbot.app.app import Agents as AnyAgents
from bossbot.app.app import App, Parts
from bossbot.channel import (
    ActorRef,
    ButtonPressed,
    Card,
    ChannelError,
    Identity,
    MessageReceived,
    Note,
    PostRef,
    Sink,
    ThreadRef,
)
from bossbot.domain import commands as c
from bossbot.domain.events import Event, Steering
from bossbot.domain.evolve import fold
from bossbot.domain.state import SessionState
from bossbot.ids import ApprovalId, SessionId
from bossbot.intent.planner import Planner
from bossbot.settings import ChannelSettings, RetrySettings
from bossbot.store.memory import MemoryData, MemoryStore

AT = datetime(2026, 3, 23, 12, 0, tzinfo=UTC)
OWNER, APPROVER, MEMBER, STRANGER = "1", "2", "3", "9"
NAMES = {OWNER: "Ada", APPROVER: "Ben", MEMBER: "Cleo", STRANGER: "Eve"}
PRIVATE = ThreadRef("chat", "1")
PEOPLE = ChannelSettings(owners=(OWNER,), approvers=(APPROVER,), members=(MEMBER,), listen=("loud",))


class Counter:
    """Ids that count: `task_1`, `task_2`."""

    def __init__(self, word: str = "") -> None:
        self._numbers, self._word = count(1), word

    def __call__(self, prefix: str) -> str:
        return f"{prefix}_{self._word}{next(self._numbers)}"


@dataclass
class Platform:
    """A chat platform as a `Channel`. `troubles` are raised by the next calls that post or edit, one each."""

    name: str = "chat"
    sink: Sink | None = None
    shown: dict[str, Card] = field(default_factory=dict)
    calls: list[tuple[str, str]] = field(default_factory=list)
    drafts: list[tuple[str, str]] | None = None
    answers: list[tuple[str, bool]] = field(default_factory=list)
    troubles: list[BaseException | None] = field(default_factory=list)
    runs: list[BaseException] = field(default_factory=list)
    open: asyncio.Event = field(default_factory=asyncio.Event)
    listening: asyncio.Event = field(default_factory=asyncio.Event)
    _ids: "count[int]" = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.open.set()

    async def check(self) -> Identity:
        return Identity("0", "bot")

    async def run(self, sink: Sink) -> None:
        if self.runs:
            raise self.runs.pop(0)
        self.sink = sink
        self.listening.set()
        await asyncio.Event().wait()

    async def post(self, thread: ThreadRef, card: Card, *, key: str) -> PostRef:
        self.calls.append(("post", key))
        await self._pass()
        post = PostRef(thread.channel, thread.chat, (f"p{next(self._ids)}",), thread.thread)
        self.shown[post.ids[0]] = card
        return post

    async def edit(self, post: PostRef, card: Card) -> PostRef:
        self.calls.append(("edit", post.ids[0]))
        await self._pass()
        self.shown[post.ids[0]] = card
        return post

    async def _pass(self) -> None:
        await self.open.wait()
        trouble = self.troubles.pop(0) if self.troubles else None
        if trouble is not None:
            raise trouble

    async def draft(self, thread: ThreadRef, text: str, *, key: str) -> bool:
        if self.drafts is None:
            return False
        self.drafts.append((key, text))
        return True

    async def answer(self, press: ButtonPressed, text: str, *, warn: bool = False) -> None:
        self.answers.append((text, warn))

    async def typing(self, thread: ThreadRef) -> None:
        raise ChannelError("no typing here")

    async def close(self) -> None:
        return

    @property
    def texts(self) -> list[str]:
        """What stands in the chat, oldest first: titles, or the words of cards without one."""
        return [text_of(card) for card in self.shown.values()]

    def with_button(self, label: str) -> tuple[str, str]:
        """(post id, action) of the newest post with this button."""
        for post_id, card in reversed(self.shown.items()):
            for button in (b for row in card.buttons for b in row):
                if button.label == label:
                    return post_id, button.action
        raise AssertionError(f"nobody shows {label}; there is {self.texts}")


def text_of(card: Card) -> str:
    """Title and words of a card, for tests that look for a phrase."""
    words = [getattr(block, "text", "") for block in card.blocks]
    return "\n".join(filter(None, (card.title, *words)))


@dataclass
class Agents:
    """Hears what the agents of all sessions are told."""

    heard: list[Event] = field(default_factory=list)

    def react(self, session_id: SessionId, events: Sequence[Event], state: SessionState) -> None:
        self.heard += events

    async def run(self) -> None:
        await asyncio.Event().wait()


@dataclass
class Desk:
    """A running application. What people do returns when it is committed; `quiet` waits for what follows from it."""

    app: App
    store: MemoryStore
    platform: Platform
    agents: Agents
    word: str = ""
    _deliveries: "count[int]" = field(default_factory=lambda: count(1))

    async def say(
        self,
        text: str,
        user: str = OWNER,
        thread: ThreadRef = PRIVATE,
        *,
        delivery: str = "",
        addressed: bool = True,
        private: bool = True,
        sent_at: datetime | None = None,
    ) -> None:
        assert self.platform.sink is not None
        number = next(self._deliveries)
        await self.platform.sink(
            MessageReceived(
                delivery_id=delivery or f"m{self.word}{number}",
                thread=thread,
                actor=ActorRef(thread.channel, user),
                actor_name=NAMES[user],
                message_id=f"said{number}",
                text=text,
                sent_at=sent_at or datetime.now(UTC),
                addressed=addressed,
                private=private,
            )
        )
        await quiet()

    async def press(self, label: str, user: str = OWNER, *, delivery: str = "") -> tuple[str, bool]:
        """Presses the newest button with this label; what the presser reads, and whether it is a warning."""
        return await self.press_action(*self.platform.with_button(label), user, delivery=delivery)

    async def press_action(
        self, post_id: str, action: str, user: str = OWNER, thread: ThreadRef = PRIVATE, *, delivery: str = ""
    ) -> tuple[str, bool]:
        assert self.platform.sink is not None
        pressed = ButtonPressed(
            delivery_id=delivery or f"b{self.word}{next(self._deliveries)}",
            thread=thread,
            actor=ActorRef("chat", user),
            actor_name=NAMES[user],
            post=PostRef("chat", thread.chat, (post_id,), thread.thread),
            action=action,
            press="press",
        )
        await self.platform.sink(pressed)
        await quiet()
        return self.platform.answers[-1]

    async def session(self, thread: ThreadRef = PRIVATE) -> SessionId:
        found = await self.store.session_of(thread)
        assert found is not None
        return found

    async def state(self, thread: ThreadRef = PRIVATE) -> SessionState:
        """The session's state as its log says."""
        session_id = await self.session(thread)
        return fold(SessionState(id=session_id), await self.store.load(session_id))

    async def types(self, thread: ThreadRef = PRIVATE) -> list[str]:
        return [event.type for event in await self.store.load(await self.session(thread))]

    async def agent(self, *commands: c.Command, thread: ThreadRef = PRIVATE) -> None:
        """The agent of the thread's session says something."""
        await self.app.submit(await self.session(thread), commands)
        await quiet()

    async def asks(self, number: int = 1, thread: ThreadRef = PRIVATE, *, level: str = "high") -> ApprovalId:
        """The agent asks for permission."""
        await self.agent(asking(number, level=level), thread=thread)
        return ApprovalId(f"apr_{number}")


def asking(number: int = 1, *, level: str = "high") -> c.RequestApproval:
    return c.RequestApproval(
        approval_id=ApprovalId(f"apr_{number}"),
        request_id=f"req_{number}",
        tool="Bash",
        kind="dangerous_command",
        summary=f"rm -rf cache-{number}",
        risk_level=level,
        fingerprint=f"print_{number}",
        detail=f"rm -rf cache-{number}",
    )


def note(text: str) -> Card:
    return Card(blocks=(Note(text),))


async def quiet() -> None:
    """Lets everything happen that can happen without the clock: the memory store never waits."""
    for _ in range(80):
        await asyncio.sleep(0)


@asynccontextmanager
async def desk(
    data: MemoryData | None = None,
    *,
    planner: Planner | None = None,
    platform: Platform | None = None,
    store: MemoryStore | None = None,
    word: str = "",
    hire: Callable[[App], AnyAgents] | None = None,
    steering: Steering = Steering.QUEUE,
    retries: RetrySettings | None = None,
    approval_expires_s: float = 3600.0,
) -> AsyncIterator[Desk]:
    """A desk that is open; a second one over the same data is the next process. `word` makes its ids different.

    `hire` brings agents that really work; else nobody works, and the test says what the agent says.
    """
    platform = platform or Platform()
    store = store or MemoryStore(data)
    parts = Parts(
        store,
        {"chat": platform},
        Access({"chat": PEOPLE}),
        None if planner is None else lambda state: planner,
        Counter(word),
        0.0,
        steering,
        retries=retries or RetrySettings(),
        approval_expires_s=approval_expires_s,
    )
    app, agents = App(parts), Agents()
    running = asyncio.create_task(app.run(hire(app) if hire is not None else agents))
    try:
        async with asyncio.timeout(60):
            await app.ready.wait()
            await platform.listening.wait()
        await quiet()
        yield Desk(app, store, platform, agents, word)
        assert not running.done(), "the application has ended"
    finally:
        running.cancel()
        await asyncio.wait({running})
        if not running.cancelled() and running.exception() is not None:
            running.result()
