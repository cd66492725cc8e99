"""What every EventStore must do, as tests to inherit: a new store is one fixture away from being checked.

    class TestMyStore(StoreConformance):
        @pytest.fixture
        async def stores(self): ...    # gives an `Open`; each call of it is the next process on the same data

Needs pytest-asyncio in automatic mode. No clock is read: times are given.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bossbot.channel import Card, Code, PostRef, Row, Rows, ThreadRef, Tone
from bossbot.domain import events as ev
from bossbot.domain.evolve import fold
from bossbot.domain.state import SessionState
from bossbot.ids import EventId, SessionId, TaskId
from bossbot.store import (
    Delivery,
    DeliveryState,
    DuplicateDelivery,
    EventStore,
    MessageRef,
    Show,
    VersionConflict,
)
from bossbot.store.transfer import event_line, header_line, read_export

Open = Callable[[], Awaitable[EventStore]]
"""Opens the store as a process would at its start; what was opened before it is as good as killed."""

SESSION, OTHER = SessionId("ps_1"), SessionId("ps_2")
THREAD, TOPIC = ThreadRef("telegram", "-100"), ThreadRef("telegram", "-100", "7")
AT = datetime(2026, 3, 23, 12, 0, tzinfo=UTC)
CARD = Card("rm -rf build-cache", Tone.WAITING, (Code("rm -rf build-cache", "bash"), Rows((Row("清理", Tone.GOOD),))))
DONE = replace(CARD, tone=Tone.GOOD)


def event(payload: ev.Payload, number: int, *, session: SessionId = SESSION, task: TaskId | None = None) -> ev.Event:
    """A sealed event; `number` makes its id and its time."""
    at = AT + timedelta(seconds=number, microseconds=123_000)
    return ev.NewEvent(source=ev.Source.USER, payload=payload, task_id=task).sealed(
        EventId(f"evt_{number}"), session, at
    )


def opening(session: SessionId = SESSION, thread: ThreadRef = THREAD) -> list[ev.Event]:
    """How a session begins."""
    bound = ev.SessionThreadBound(channel=thread.channel, chat=thread.chat, thread=thread.thread)
    return [event(ev.SessionCreated(title="Fix the build"), 1, session=session), event(bound, 2, session=session)]


def message(number: int, content: str = "clean the build cache") -> ev.Event:
    """A message of a person."""
    return event(ev.SessionMessageAdded(id=f"msg_{number}", role="user", channel="telegram", content=content), number)


async def refused(error: type[Exception], work: Awaitable[object]) -> None:
    """Fails unless `work` raises `error`."""
    try:
        await work
    except error:
        return
    raise AssertionError(f"{error.__name__} was expected")


class StoreConformance:
    """Inherit and give the fixture `stores`."""

    # --- the log ---

    async def test_what_was_appended_is_loaded_equal_and_in_order(self, stores: Open) -> None:
        store = await stores()
        task = event(ev.TaskProgress(task_id="task_1", phases={1: "Gather"}), 4, task=TaskId("task_1"))
        awkward = message(3, 'half a 😀, 缓存, a quote " and \x00 and \u2028')
        written = [*opening(), awkward, task]
        assert await store.append(SESSION, 0, written) == 4
        assert await store.load(SESSION) == written
        assert await (await stores()).load(SESSION) == written

    async def test_an_event_of_an_unknown_type_is_kept_whole(self, stores: Open) -> None:
        store = await stores()
        raw = {**opening()[0].model_dump(), "type": "tomorrows.event", "payload": {"by": "U1", "deep": {"a": [1]}}}
        await store.append(SESSION, 0, [ev.Event.model_validate(raw)])
        assert [e.model_dump() for e in await store.load(SESSION)] == [raw]

    @pytest.mark.parametrize("title", ["half a \ud83d", "nothing \x00 at all"])
    async def test_a_title_that_no_text_column_holds_costs_nothing(self, stores: Open, title: str) -> None:
        store = await stores()
        written = [event(ev.SessionCreated(title=title), 1)]
        await store.append(SESSION, 0, written)
        assert await store.load(SESSION) == written
        [row] = await store.sessions()
        assert (row.title[:5], len(row.title)) == (title[:5], len(title))

    async def test_half_a_character_in_a_payload_costs_nothing(self, stores: Open) -> None:
        store = await stores()
        raw = {**opening()[0].model_dump(), "type": "tool.call.noted", "payload": {"input": "echo \ud83d 缓存"}}
        await store.append(SESSION, 0, [ev.Event.model_validate(raw)])
        assert [e.model_dump() for e in await store.load(SESSION)] == [raw]
        assert await store.verify(SESSION) == []

    async def test_loading_can_begin_behind_a_version(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, [*opening(), message(3), message(4)])
        assert [e.id for e in await store.load(SESSION, 2)] == ["evt_3", "evt_4"]
        assert await store.load(SESSION, 4) == []

    async def test_events_can_be_picked_by_type(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, [*opening(), message(3)])
        picked = await store.events_of(SESSION, "session.message.added", "session.created")
        assert [e.id for e in picked] == ["evt_1", "evt_3"]

    async def test_an_unknown_session_is_empty_and_whole(self, stores: Open) -> None:
        store = await stores()
        assert await store.load(SESSION) == []
        assert await store.version(SESSION) == 0
        assert await store.verify(SESSION) == []

    async def test_an_append_at_another_version_writes_nothing(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening())
        for wrong in (0, 1, 3):
            late = store.append(
                SESSION,
                wrong,
                [message(3)],
                deliveries=[Show("k", THREAD, CARD)],
                inbox_key="in",
                heard=MessageRef("telegram", "-100", "5"),
                at=AT,
            )
            await refused(VersionConflict, late)
        assert await store.version(SESSION) == 2
        assert await store.due() == []
        assert await store.session_of_message(MessageRef("telegram", "-100", "5")) is None
        assert await store.append(SESSION, 2, [message(3)], inbox_key="in", at=AT) == 3

    async def test_the_chain_of_an_untouched_log_is_whole(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening())
        await store.append(SESSION, 2, [message(3), message(4)])
        await store.append(OTHER, 0, opening(OTHER, TOPIC))
        assert await store.verify(SESSION) == []
        assert await store.verify(OTHER) == []

    async def test_an_event_of_another_session_is_refused(self, stores: Open) -> None:
        store = await stores()
        await refused(ValueError, store.append(OTHER, 0, opening(SESSION)))
        assert await store.sessions() == []

    # --- sessions, threads, messages ---

    async def test_the_list_of_sessions_tells_title_status_version_and_times(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening())
        await store.append(OTHER, 0, opening(OTHER, TOPIC))
        await store.append(SESSION, 2, [event(ev.SessionClosed(reason="done"), 9)])
        first, second = await store.sessions()
        assert (first.id, first.title, first.status, first.version) == (SESSION, "Fix the build", "closed", 3)
        assert (first.created_at, first.updated_at) == (opening()[0].timestamp, event(ev.SessionClosed(), 9).timestamp)
        assert second.status == "active"
        assert await store.sessions(open_only=True) == [second]

    async def test_a_thread_belongs_to_the_session_bound_last_and_a_topic_is_a_thread_of_its_own(
        self, stores: Open
    ) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening())
        assert await store.session_of(THREAD) == SESSION
        assert await store.session_of(TOPIC) is None
        await store.append(OTHER, 0, opening(OTHER, TOPIC))
        assert (await store.session_of(THREAD), await store.session_of(TOPIC)) == (SESSION, OTHER)
        bound = ev.SessionThreadBound(channel="telegram", chat="-100")
        await store.append(OTHER, 2, [event(bound, 3, session=OTHER)])
        assert await store.session_of(THREAD) == OTHER

    async def test_a_closed_session_frees_its_threads_and_no_others(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening())
        await store.append(OTHER, 0, opening(OTHER, TOPIC))
        await store.append(SESSION, 2, [event(ev.SessionClosed(), 3)])
        assert (await store.session_of(THREAD), await store.session_of(TOPIC)) == (None, OTHER)

    async def test_a_heard_message_leads_to_its_session(self, stores: Open) -> None:
        store = await stores()
        heard = MessageRef("slack", "D1", "171.5")
        await store.append(SESSION, 0, opening(), heard=heard)
        assert await (await stores()).session_of_message(heard) == SESSION
        assert await store.session_of_message(replace(heard, chat="D2")) is None

    # --- the inbox ---

    async def test_a_delivery_is_taken_in_once_also_by_the_next_process(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening(), inbox_key="telegram:1", at=AT)
        for each in (store, await stores()):
            again = each.append(SESSION, 2, [message(3)], inbox_key="telegram:1", at=AT)
            await refused(DuplicateDelivery, again)
        assert await store.version(SESSION) == 2

    async def test_a_repeat_is_a_repeat_whatever_version_its_sender_expects(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening(), inbox_key="k", at=AT)
        await refused(DuplicateDelivery, store.append(SESSION, 0, opening(), inbox_key="k", at=AT))

    async def test_a_key_can_be_recorded_without_an_event(self, stores: Open) -> None:
        store = await stores()
        nobody = SessionId("")
        assert await store.append(nobody, 0, (), inbox_key="stranger", at=AT) == 0
        await refused(DuplicateDelivery, store.append(nobody, 0, (), inbox_key="stranger", at=AT))
        assert await store.sessions() == []

    async def test_old_inbox_keys_are_forgotten_and_young_ones_kept(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening(), inbox_key="old", at=AT - timedelta(days=8))
        await store.append(SESSION, 2, [message(3)], inbox_key="young", at=AT - timedelta(days=6))
        assert await store.forget_inbox(AT - timedelta(days=7)) == 1
        await refused(DuplicateDelivery, store.append(SESSION, 3, (), inbox_key="young", at=AT))
        assert await store.append(SESSION, 3, (), inbox_key="old", at=AT) == 3

    async def test_a_key_without_its_time_and_zone_is_refused(self, stores: Open) -> None:
        store = await stores()
        for at in (None, AT.replace(tzinfo=None)):
            await refused(ValueError, store.append(SESSION, 0, opening(), inbox_key="k", at=at))
        assert await store.version(SESSION) == 0

    # --- positions: the whole log, as feeds read it ---

    async def test_whoever_reads_on_from_a_position_misses_nothing_and_sees_nothing_twice(self, stores: Open) -> None:
        store = await stores()
        assert (await store.position(), await store.after(0, 10)) == (0, [])
        await store.append(SESSION, 0, opening())
        await store.append(OTHER, 0, opening(OTHER, TOPIC))
        await store.append(SESSION, 2, [message(3)])
        read: list[tuple[SessionId, int]] = []
        place = 0
        while page := await store.after(place, 2):
            read += [(entry.session_id, entry.link.version) for entry in page]
            place = page[-1].position
        assert read == [(SESSION, 1), (SESSION, 2), (OTHER, 1), (OTHER, 2), (SESSION, 3)]
        assert place == await store.position() == await (await stores()).position()

    async def test_one_session_can_be_read_on_from_any_position(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening())
        await store.append(OTHER, 0, opening(OTHER, TOPIC))
        await store.append(SESSION, 2, [message(3)])
        places = [entry.position for entry in await store.after(0, 10)]
        after = {place: [e.link.version for e in await store.after(place, 10, SESSION)] for place in (0, *places)}
        assert list(after.values()) == [[1, 2, 3], [2, 3], [3], [3], [3], []]
        assert [e.link.version for e in await store.after(0, 2, SESSION)] == [1, 2]
        assert {e.type for e in await store.after(places[1], 10, SESSION)} == {"session.message.added"}

    async def test_an_append_wakes_whoever_waits_for_one(self, stores: Open) -> None:
        store = await stores()
        waiting = asyncio.ensure_future(store.appended(store.appends, 30))
        await asyncio.sleep(0)
        await store.append(SESSION, 0, (), inbox_key="no event", at=AT)
        assert not waiting.done()
        before = store.appends
        await store.append(SESSION, 0, opening())
        await asyncio.wait_for(waiting, 5)
        await asyncio.wait_for(store.appended(before, 30), 5)
        await store.appended(store.appends, 0.01)

    # --- the state, and snapshots of it ---

    async def test_the_state_is_the_fold_of_the_log_with_and_without_a_snapshot(self, stores: Open) -> None:
        store = await stores()
        assert await store.state(SESSION) == (SessionState(id=SESSION), 0, 0)
        events = [*opening(), message(3), message(4)]
        await store.append(SESSION, 0, events)
        whole = fold(SessionState(id=SESSION), events)
        assert await store.state(SESSION) == (whole, 4, 0)
        await store.keep_snapshot(3, fold(SessionState(id=SESSION), events[:3]))
        assert await store.state(SESSION) == (whole, 4, 3)
        await store.append(SESSION, 4, [message(5)])
        assert await (await stores()).state(SESSION) == (fold(whole, [message(5)]), 5, 3)
        await store.keep_snapshot(5, fold(whole, [message(5)]))
        assert await store.state(SESSION) == (fold(whole, [message(5)]), 5, 5)

    async def test_a_snapshot_of_an_event_that_is_not_there_is_not_kept(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening())
        await store.keep_snapshot(3, SessionState(id=SESSION, title="from the future"))
        assert await store.state(SESSION) == (fold(SessionState(id=SESSION), opening()), 2, 0)

    # --- sessions as a whole ---

    async def test_a_session_goes_out_and_comes_into_another_store_with_its_hashes(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, [*opening(), message(3, "half a \ud83d, 缓存")])
        lines = [header_line(SESSION, *await store.head(SESSION)), *map(event_line, await store.links(SESSION))]
        links, state = await store.links(SESSION), await store.state(SESSION)
        await refused(VersionConflict, store.adopt(read_export(lines)))
        await store.forget(SESSION)
        await store.adopt(read_export(lines))
        assert (await store.links(SESSION), await store.state(SESSION)) == (links, state)
        assert await store.verify(SESSION) == []
        assert await store.session_of(THREAD) == SESSION
        assert [row.title for row in await store.sessions()] == ["Fix the build"]
        assert await store.append(SESSION, 3, [message(4)]) == 4

    async def test_a_session_that_comes_in_takes_no_thread_from_another(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening())
        lines = [header_line(SESSION, *await store.head(SESSION)), *map(event_line, await store.links(SESSION))]
        await store.forget(SESSION)
        await store.append(OTHER, 0, opening(OTHER))
        await store.adopt(read_export(lines))
        assert await store.session_of(THREAD) == OTHER

    async def test_a_forgotten_session_leaves_nothing_and_the_others_alone(self, stores: Open) -> None:
        store = await stores()
        heard = MessageRef("telegram", "-100", "5")
        await store.append(
            SESSION, 0, opening(), deliveries=[Show("k", THREAD, CARD)], inbox_key="in", heard=heard, at=AT
        )
        await store.keep_snapshot(2, fold(SessionState(id=SESSION), opening()))
        await store.append(OTHER, 0, opening(OTHER, TOPIC), deliveries=[Show("k", TOPIC, CARD)])
        last = await store.position()
        await store.forget(SESSION)
        assert [row.id for row in await store.sessions()] == [OTHER]
        assert await store.state(SESSION) == (SessionState(id=SESSION), 0, 0)
        assert [d.session_id for d in await store.due()] == [OTHER]
        assert await store.session_of(THREAD) is None
        assert await store.session_of_message(heard) is None
        assert [entry.session_id for entry in await store.after(0, 10)] == [OTHER, OTHER]
        await refused(DuplicateDelivery, store.append(SESSION, 0, opening(), inbox_key="in", at=AT))
        await store.append(SESSION, 0, opening())
        assert [entry.session_id for entry in await store.after(last, 10)] == [SESSION, SESSION]

    # --- the outbox ---

    async def test_a_shown_card_is_due_until_it_is_sent(self, stores: Open) -> None:
        store = await stores()
        delivery = await self.shown(store)
        assert (delivery.card, delivery.thread, delivery.post, delivery.doubtful) == (CARD, THREAD, None, False)
        claimed = await store.claim(delivery)
        assert claimed is not None
        assert await store.due() == []
        post = PostRef("telegram", "-100", ("11", "12"))
        await store.sent(claimed, post)
        assert await store.due() == []
        now = await store.delivery(SESSION, THREAD, "apr_1")
        assert now is not None
        assert (now.state, now.post, now.shown_revision, now.attempts) == (DeliveryState.SENT, post, 1, 0)
        for message_id in post.ids:
            assert await store.session_of_message(MessageRef("telegram", "-100", message_id)) == SESSION

    async def test_deliveries_are_due_in_order_of_creation_over_all_sessions(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening(), deliveries=[Show("b", THREAD, CARD), Show("a", THREAD, CARD)])
        await store.append(OTHER, 0, opening(OTHER, TOPIC), deliveries=[Show("b", TOPIC, CARD)])
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("b", THREAD, DONE), Show("c", THREAD, CARD)])
        due = [(d.session_id, d.key, d.revision) for d in await store.due()]
        assert due == [(SESSION, "b", 2), (SESSION, "a", 1), (OTHER, "b", 1), (SESSION, "c", 1)]

    async def test_one_key_in_two_threads_is_two_posts(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening(), deliveries=[Show("k", THREAD, CARD), Show("k", TOPIC, CARD)])
        assert [d.thread for d in await store.due()] == [THREAD, TOPIC]

    async def test_an_equal_card_changes_nothing(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.sent(claimed, PostRef("telegram", "-100", ("11",)))
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, CARD)])
        assert await store.due() == []

    async def test_another_card_under_the_key_is_due_as_an_edit(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        post = PostRef("telegram", "-100", ("11",))
        await store.sent(claimed, post)
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        [edit] = await store.due()
        assert (edit.card, edit.post, edit.revision, edit.shown_revision) == (DONE, post, 2, 1)

    async def test_a_card_that_changes_while_it_is_sent_is_due_again(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        assert await store.due() == []
        await store.sent(claimed, PostRef("telegram", "-100", ("11",)))
        [again] = await store.due()
        assert (again.card, again.revision, again.shown_revision) == (DONE, 2, 1)

    async def test_a_claim_gives_the_newest_card_and_only_once(self, stores: Open) -> None:
        store = await stores()
        delivery = await self.shown(store)
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        claimed = await store.claim(delivery)
        assert claimed is not None
        assert (claimed.card, claimed.revision, claimed.attempts) == (DONE, 2, 1)
        assert await store.claim(delivery) is None

    async def test_a_claim_needs_no_more_than_session_thread_and_key(self, stores: Open) -> None:
        store = await stores()
        delivery = await self.shown(store)
        claimed = await store.claim(replace(delivery, seq=0, card=DONE, revision=9))
        assert claimed is not None
        assert (claimed.seq, claimed.card, claimed.revision) == (delivery.seq, CARD, 1)
        assert await store.claim(replace(delivery, key="never shown")) is None

    async def test_an_attempt_that_did_not_arrive_is_due_again_without_doubt(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.released(claimed, "429: wait 3 s")
        [again] = await store.due()
        assert (again.error, again.attempts, again.doubtful) == ("429: wait 3 s", 1, False)
        second = await store.claim(again)
        assert second is not None
        assert (second.attempts, second.doubtful) == (2, False)

    async def test_a_refused_card_rests_until_another_comes_under_its_key(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.failed(claimed, "400: chat not found")
        assert await store.due() == []
        assert await (await stores()).due() == []
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        assert [d.card for d in await store.due()] == [DONE]

    async def test_a_refusal_of_an_older_card_leaves_the_newer_one_due(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        await store.failed(claimed, "400: too long")
        assert [d.card for d in await store.due()] == [DONE]

    async def test_what_a_killed_process_was_posting_is_due_in_the_next_one_as_doubtful(self, stores: Open) -> None:
        store = await stores()
        assert await store.claim(await self.shown(store, once=True)) is not None
        following = await stores()
        [left] = await following.due()
        assert (left.state, left.once) == (DeliveryState.SENDING, True)
        claimed = await following.claim(left)
        assert claimed is not None
        assert claimed.doubtful
        await following.released(claimed, "unreachable")
        [still] = await following.due()
        assert still.doubtful

    async def test_what_a_killed_process_was_editing_is_due_without_doubt(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.sent(claimed, PostRef("telegram", "-100", ("11",)))
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        [edit] = await store.due()
        assert await store.claim(edit) is not None
        following = await stores()
        [left] = await following.due()
        again = await following.claim(left)
        assert again is not None
        assert (again.doubtful, again.card) == (False, DONE)

    async def test_an_ambiguous_post_rests_here_and_is_due_doubtful_in_the_next_process(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.ambiguous(claimed, "no answer in 30 s")
        assert await store.due() == []
        following = await stores()
        [left] = await following.due()
        assert (left.state, left.error, left.doubtful) == (DeliveryState.AMBIGUOUS, "no answer in 30 s", True)

    async def test_an_ambiguous_post_with_a_newer_card_is_due_here_and_still_doubtful(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.ambiguous(claimed, "no answer")
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        [left] = await store.due()
        assert (left.card, left.doubtful) == (DONE, True)
        found = await store.claim(left)
        assert found is not None
        await store.sent(found, PostRef("telegram", "-100", ("11",)))
        assert await store.due() == []

    # --- memos ---

    async def test_a_memo_is_kept_and_replaced(self, stores: Open) -> None:
        store = await stores()
        assert await store.memo_get("telegram.offset") is None
        await store.memo_set("telegram.offset", "41")
        await store.memo_set("telegram.offset", "42")
        assert await (await stores()).memo_get("telegram.offset") == "42"

    async def shown(self, store: EventStore, *, once: bool = False) -> Delivery:
        """A session with one card to show."""
        await store.append(SESSION, 0, opening(), deliveries=[Show("apr_1", THREAD, CARD, once)])
        [delivery] = await store.due()
        return delivery
