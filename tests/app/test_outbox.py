"""The outbox: order within a chat, patience with limits, and nothing posted twice that may stand only once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from bossbot.app import outbox
from bossbot.app.letters import NotDrawn
from bossbot.app.mailbox import Change
from bossbot.app.outbox import Outbox
from bossbot.channel import Ambiguous, Button, Card, ChannelRefused, Code, PostGone, RetryLater, ThreadRef, Unreachable
from bossbot.domain.state import SessionState
from bossbot.ids import SessionId
from bossbot.store.memory import MemoryData, MemoryStore
from bossbot.store.outbox import Delivery, DeliveryState, Show
from tests.app.desk import PRIVATE, Platform, note, quiet, text_of

SESSION = SessionId("ps_1")
STATE = SessionState(id=SESSION, threads=(PRIVATE,))
OTHER = ThreadRef("chat", "2")

SPOILT = "a card that cannot be drawn"


@dataclass
class Steady:
    """A clock that moves only when `pass_` is called."""

    now_s: float = 100.0
    _sleepers: list[tuple[float, asyncio.Event]] = field(default_factory=list)

    def now(self) -> float:
        return self.now_s

    async def sleep(self, seconds: float) -> None:
        until = asyncio.Event()
        self._sleepers.append((self.now_s + seconds, until))
        await until.wait()

    async def pass_(self, seconds: float) -> None:
        self.now_s += seconds
        for at_s, event in self._sleepers:
            if at_s <= self.now_s:
                event.set()
        await quiet()


class Store(MemoryStore):
    """The next claims fail with `failures`."""

    failures: list[Exception]

    async def claim(self, delivery: Delivery) -> Delivery | None:
        if getattr(self, "failures", None):
            raise self.failures.pop(0)
        return await super().claim(delivery)


@dataclass
class Bench:
    outbox: Outbox
    store: Store
    platform: Platform
    clock: Steady
    doubts: list[str]
    progress: dict[str, str]
    drawn: list[str]

    async def show(self, key: str, text: str, *, thread: ThreadRef = PRIVATE, once: bool = False) -> None:
        """As after a commit: the store holds the card, the outbox hears of it."""
        show = Show(key, thread, note(text), once)
        await self.store.append(SESSION, await self.store.version(SESSION), [], deliveries=[show])
        self.outbox.react(Change(STATE, (), STATE, (show,)))
        await quiet()

    async def move(self, key: str, text: str) -> None:
        """As after a commit of progress: its card is drawn when it is sent, and shows `text` then."""
        self.progress[key] = text
        self.outbox.react(Change(STATE, (), STATE, (), (key,)))
        await quiet()

    async def state(self, key: str) -> DeliveryState:
        found = await self.store.delivery(SESSION, PRIVATE, key)
        assert found is not None
        return found.state

    async def until_sent(self, key: str) -> None:
        for _ in range(1_000):
            if await self.state(key) is DeliveryState.SENT:
                return
            await asyncio.sleep(0.005)
        raise AssertionError(f"{key} was not sent")

    @property
    def posted(self) -> list[str]:
        return [name for what, name in self.platform.calls if what == "post"]

    @property
    def edited(self) -> list[str]:
        return [name for what, name in self.platform.calls if what == "edit"]


@asynccontextmanager
async def bench(
    data: MemoryData | None = None, platform: Platform | None = None, edit_interval_s: float = 0.0, hold_s: float = 60.0
) -> AsyncIterator[Bench]:
    store, clock, platform = Store(data), Steady(), platform or Platform()
    doubts: list[str] = []
    progress: dict[str, str] = {}
    drawn: list[str] = []

    async def draw(session_id: SessionId, thread: ThreadRef, key: str) -> None:
        drawn.append(progress[key])
        if progress[key] == SPOILT:
            raise NotDrawn("KeyError: 'agents'")
        show = Show(key, thread, note(progress[key]))
        await store.append(session_id, await store.version(session_id), [], deliveries=[show])

    async with asyncio.TaskGroup() as group:
        workers: list[asyncio.Task[None]] = []

        def spawn(*args: object, **more: object) -> "asyncio.Task[None]":
            workers.append(group.create_task(*args, **more))  # type: ignore[arg-type]
            return workers[-1]

        box = Outbox(
            store,
            {"chat": platform},
            spawn=spawn,
            now=clock.now,
            sleep=clock.sleep,
            edit_interval_s=edit_interval_s,
            doubt=lambda session_id, key: doubts.append(key),
            draw=draw,
            hold_s=hold_s,
        )
        yield Bench(box, store, platform, clock, doubts, progress, drawn)
        failed = [w for w in workers if w.done() and (not w.get_name().startswith("sending") or w.exception())]
        assert not failed, "a worker has ended"
        for worker in workers:
            worker.cancel()


async def test_a_chat_is_told_in_order_and_a_slow_one_holds_up_no_other() -> None:
    async with bench() as b:
        b.platform.open.clear()
        for number in range(3):
            await b.show(f"msg:{number}", f"line {number}")
        await b.show("msg:other", "elsewhere", thread=OTHER)
        assert b.posted == ["msg:0", "msg:other"]
        b.platform.open.set()
        await quiet()
        assert b.posted == ["msg:0", "msg:other", "msg:1", "msg:2"]


async def test_another_card_under_the_same_key_edits_the_post() -> None:
    async with bench() as b:
        await b.show("apr:1", "Run it?")
        await b.show("apr:1", "Approved")
        assert (b.posted, b.edited) == (["apr:1"], ["p1"])
        assert b.platform.texts == ["Approved"]


async def test_while_a_post_is_under_way_only_the_newest_of_the_cards_that_follow_is_sent() -> None:
    async with bench() as b:
        b.platform.open.clear()
        for text in ("one", "two", "three", "four"):
            await b.show("apr:1", text)
        b.platform.open.set()
        await quiet()
        assert (b.posted, b.edited) == (["apr:1"], ["p1"])
        assert b.platform.texts == ["four"]


async def test_progress_is_edited_once_an_interval_and_approvals_do_not_wait_for_it() -> None:
    async with bench(edit_interval_s=10.0) as b:
        await b.show("task:1", "10%")
        for percent in (20, 30, 40):
            await b.show("task:1", f"{percent}%")
        await b.show("apr:1", "Run it?")
        assert (b.posted, b.edited) == (["task:1", "apr:1"], [])
        await b.clock.pass_(10.0)
        await b.show("msg:1", "a word wakes the worker")
        assert b.edited == ["p1"]
        assert b.platform.texts[0] == "40%"


async def test_a_worker_that_is_told_to_end_as_a_card_comes_ends() -> None:
    async with asyncio.timeout(60.0), bench(edit_interval_s=10.0) as b:
        await b.show("task:1", "10%")
        await b.show("task:1", "20%")  # the worker waits for the interval
        b.outbox.react(Change(STATE, (), STATE, (Show("msg:1", PRIVATE, note("a word")),)))
    assert b.platform.texts == ["10%"]


async def test_progress_is_drawn_only_when_it_is_its_turn_and_shows_what_is_so_then() -> None:
    async with bench(edit_interval_s=10.0) as b:
        await b.move("turn:1", "1 tool call")
        for number in range(2, 30):
            await b.move("turn:1", f"{number} tool calls")
        assert (b.drawn, b.platform.texts) == (["1 tool call"], ["1 tool call"])
        await b.clock.pass_(10.0)
        await b.show("msg:1", "a word wakes the worker")
        assert b.drawn == ["1 tool call", "29 tool calls"]
        assert b.platform.texts[0] == "29 tool calls"
        await b.clock.pass_(10.0)
        await b.show("msg:2", "another")
        assert len(b.drawn) == 2


async def test_progress_that_could_not_be_drawn_keeps_its_place() -> None:
    async with bench() as b:
        b.store.failures = [OSError("the disk is gone")]
        await b.move("turn:1", "1 tool call")
        assert b.platform.calls == []
        await b.clock.pass_(1.0)
        assert b.platform.texts == ["1 tool call"]
        assert b.drawn == ["1 tool call", "1 tool call"]


async def test_progress_that_cannot_be_drawn_holds_nothing_up_and_is_drawn_anew_with_what_happens_next() -> None:
    async with bench() as b:
        await b.move("turn:1", SPOILT)
        await b.show("msg:1", "a word")
        assert (b.drawn, b.platform.texts) == ([SPOILT], ["a word"])
        await b.move("turn:1", "2 tool calls")
        assert b.platform.texts == ["a word", "2 tool calls"]


async def test_a_limit_holds_the_whole_chat_for_as_long_as_the_platform_says() -> None:
    async with bench() as b:
        b.platform.troubles = [RetryLater("slow down", 30.0)]
        await b.show("msg:1", "one")
        await b.show("msg:2", "two")
        assert b.posted == ["msg:1"]
        await b.clock.pass_(29.0)
        assert b.posted == ["msg:1"]
        await b.clock.pass_(1.0)
        assert b.posted == ["msg:1", "msg:1", "msg:2"]
        assert b.platform.texts == ["one", "two"]


async def test_a_limit_in_one_chat_does_not_hold_another() -> None:
    async with bench() as b:
        b.platform.troubles = [RetryLater("slow down", 30.0)]
        await b.show("msg:1", "one")
        await b.show("msg:2", "elsewhere", thread=OTHER)
        assert b.platform.texts == ["elsewhere"]


async def test_an_unreachable_platform_is_tried_again_with_growing_pauses_until_it_answers() -> None:
    async with bench() as b:
        b.platform.troubles = [Unreachable("no route")] * 3
        await b.show("msg:1", "one", once=True)
        for pause_s in (1.0, 2.0, 4.0):
            await b.clock.pass_(pause_s - 0.5)
            before = len(b.posted)
            await b.clock.pass_(0.5)
            assert len(b.posted) == before + 1
        assert b.platform.texts == ["one"]
        assert await b.state("msg:1") is DeliveryState.SENT


async def test_an_answer_whose_fate_is_unknown_is_not_posted_again() -> None:
    async with bench() as b:
        b.platform.troubles = [Ambiguous("no answer came")]
        await b.show("msg:1", "the answer", once=True)
        await b.clock.pass_(120.0)
        await b.show("msg:2", "the next", once=True)
        assert b.posted == ["msg:1", "msg:2"]
        assert await b.state("msg:1") is DeliveryState.AMBIGUOUS
        assert b.doubts == ["msg:1"]


async def test_a_card_whose_fate_is_unknown_is_posted_again() -> None:
    async with bench() as b:
        b.platform.troubles = [Ambiguous("no answer came")]
        await b.show("apr:1", "Run it?")
        await b.clock.pass_(1.0)
        assert b.posted == ["apr:1", "apr:1"]
        assert await b.state("apr:1") is DeliveryState.SENT


async def test_an_edit_whose_fate_is_unknown_is_repeated() -> None:
    async with bench() as b:
        await b.show("apr:1", "Run it?")
        b.platform.troubles = [Ambiguous("no answer came")]
        await b.show("apr:1", "Approved")
        await b.clock.pass_(1.0)
        assert b.edited == ["p1", "p1"]
        assert b.platform.texts == ["Approved"]


async def test_a_card_whose_post_is_gone_is_posted_anew_and_edited_there() -> None:
    async with bench() as b:
        await b.show("apr:1", "Run it?")
        b.platform.troubles = [PostGone("deleted")]
        await b.show("apr:1", "Approved")
        await b.show("apr:1", "Approved by Ada")
        assert b.edited == ["p1", "p2"]
        assert b.platform.shown["p2"] == note("Approved by Ada")


async def test_what_is_refused_for_good_is_not_repeated_and_holds_up_nothing() -> None:
    async with bench() as b:
        b.platform.troubles = [ChannelRefused("too long"), ChannelRefused("still too long")]
        await b.show("apr:1", "Run it?")
        await b.show("msg:1", "the next")
        assert b.posted == ["apr:1", "apr:1", "msg:1"]
        assert await b.state("apr:1") is DeliveryState.FAILED
        await b.show("apr:1", "a shorter one")
        assert await b.state("apr:1") is DeliveryState.SENT


async def test_a_card_that_is_refused_goes_out_in_plain_words_with_its_buttons() -> None:
    async with bench() as b:
        b.platform.troubles = [ChannelRefused("invalid blocks")]
        buttons = ((Button("Approve", "approve|apr_1"),),)
        card = Card(title="Run it?", blocks=(Code("rm -rf x"),), buttons=buttons)
        await b.store.append(SESSION, 0, [], deliveries=[Show("apr:1", PRIVATE, card)])
        b.outbox.react(Change(STATE, (), STATE, (Show("apr:1", PRIVATE, card),)))
        await quiet()
        assert b.platform.texts == ["Run it?\n│ rm -rf x"]
        assert b.platform.with_button("Approve")[1] == "approve|apr_1"
        assert await b.state("apr:1") is DeliveryState.SENT


async def test_a_call_that_hangs_holds_up_the_others_of_its_chat_only_for_a_moment() -> None:
    platform = Platform()
    async with bench(platform=platform, hold_s=0.01) as b:
        platform.open.clear()
        await b.show("task:1", "half done")
        platform.open = asyncio.Event()
        platform.open.set()
        await b.show("apr:1", "Run it?")
        await b.until_sent("apr:1")
        assert await b.state("task:1") is DeliveryState.SENDING


async def test_what_comes_for_a_card_under_way_waits_for_it_and_is_then_an_edit() -> None:
    platform = Platform()
    async with bench(platform=platform, hold_s=0.01) as b:
        held = platform.open
        held.clear()
        await b.show("task:1", "half done")
        platform.open = asyncio.Event()
        platform.open.set()
        await b.show("task:1", "nearly done")
        await b.show("apr:1", "Run it?")
        await b.until_sent("apr:1")
        assert b.posted == ["task:1", "apr:1"]
        held.set()
        await b.until_sent("task:1")
        assert (b.posted, len(b.edited)) == (["task:1", "apr:1"], 1)


async def test_an_adapters_own_mistake_costs_one_card_and_not_the_worker() -> None:
    async with bench() as b:
        b.platform.troubles = [KeyError("ts")]
        await b.show("apr:1", "Run it?")
        assert await b.state("apr:1") is DeliveryState.FAILED
        await b.show("apr:1", "Run it, please?")
        assert b.platform.texts == ["Run it, please?"]


async def test_a_store_that_is_away_for_a_moment_costs_no_card() -> None:
    async with bench() as b:
        b.store.failures = [OSError("database is locked")]
        await b.show("msg:1", "one")
        await b.show("msg:2", "two")
        assert b.posted == []
        await b.clock.pass_(1.0)
        assert b.platform.texts == ["one", "two"]


async def test_the_next_process_sends_what_waited_and_edits_what_stood() -> None:
    data, platform = MemoryData(), Platform()
    async with bench(data, platform) as b:
        await b.show("apr:1", "Run it?")
        platform.troubles = [Unreachable("no route")] * 2
        await b.show("apr:1", "Approved")
        await b.show("msg:1", "done", once=True)
    platform.troubles = []
    async with bench(data, platform) as b:
        await b.outbox.resume()
        await quiet()
        assert [text_of(card) for card in platform.shown.values()] == ["Approved", "done"]


async def test_an_answer_that_was_being_sent_when_the_process_died_is_not_posted_twice_but_a_card_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outbox, "LAST_WORDS_S", 0.0)
    data, platform = MemoryData(), Platform()
    platform.open.clear()
    async with bench(data, platform) as b:
        await b.show("msg:1", "the answer", once=True)
        await b.show("apr:1", "Run it?", thread=OTHER)
    platform.open.set()
    async with bench(data, platform) as b:
        await b.outbox.resume()
        await quiet()
        assert [key for _, key in platform.calls] == ["msg:1", "apr:1", "apr:1"]
        assert await b.state("msg:1") is DeliveryState.AMBIGUOUS


async def test_a_card_on_its_way_when_the_bot_is_told_to_end_arrives_and_is_known_to_have_arrived() -> None:
    data, platform = MemoryData(), Platform()
    async with bench(data, platform) as b:
        platform.open.clear()
        await b.show("msg:1", "the answer", once=True)
        asyncio.get_running_loop().call_later(0.1, platform.open.set)
    found = await MemoryStore(data).delivery(SESSION, PRIVATE, "msg:1")
    assert found is not None
    assert found.state is DeliveryState.SENT
    assert platform.texts == ["the answer"]


async def test_cards_for_a_channel_that_is_switched_off_wait_in_the_store() -> None:
    async with bench() as b:
        away = ThreadRef("elsewhere", "1")
        await b.show("msg:1", "one", thread=away)
        found = await b.store.delivery(SESSION, away, "msg:1")
        assert found is not None
        assert found.state is DeliveryState.PENDING


async def test_the_times_of_edits_are_forgotten_when_they_no_longer_matter() -> None:
    async with bench(edit_interval_s=1.0) as b:
        for number in range(130):
            await b.show(f"task:{number}", "10%")
            await b.clock.pass_(0.1)
        [chat] = b.outbox._chats.values()
        assert len(chat.edited_at) <= 101
