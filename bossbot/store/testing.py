"""What every EventStore must do, as tests to inherit: a new store is one fixture away from being checked.

    class TestMyStore(StoreConformance):
        @pytest.fixture
        async def stores(self): ...    # gives an `Open`; each call of it is the next process on the same data

Needs pytest-asyncio in automatic mode. No clock is read: times are given.
"""

from dataclasses import replace
from datetime import timedelta

import pytest

from bossbot.domain import events as ev
from bossbot.ids import SessionId, TaskId
from bossbot.store import (
    DuplicateDelivery,
    MessageRef,
    Show,
    VersionConflict,
)
from bossbot.store.testing_outbox import OutboxConformance
from bossbot.store.testing_positions import PositionsConformance
from bossbot.store.testing_samples import (
    AT,
    CARD,
    DONE,
    OTHER,
    SESSION,
    THREAD,
    TOPIC,
    Open,
    event,
    message,
    opening,
    refused,
)

__all__ = [
    "AT",
    "CARD",
    "DONE",
    "OTHER",
    "SESSION",
    "THREAD",
    "TOPIC",
    "Open",
    "StoreConformance",
    "event",
    "message",
    "opening",
    "refused",
]


class StoreConformance(PositionsConformance, OutboxConformance):
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

    # --- memos ---

    async def test_a_memo_is_kept_and_replaced(self, stores: Open) -> None:
        store = await stores()
        assert await store.memo_get("telegram.offset") is None
        await store.memo_set("telegram.offset", "41")
        await store.memo_set("telegram.offset", "42")
        assert await (await stores()).memo_get("telegram.offset") == "42"
