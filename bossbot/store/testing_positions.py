"""Part of the conformance tests of a store: positions in the whole log, states and snapshots, whole sessions."""

import asyncio

from bossbot.domain.evolve import fold
from bossbot.domain.state import SessionState
from bossbot.ids import SessionId
from bossbot.store import (
    DuplicateDelivery,
    MessageRef,
    Show,
    VersionConflict,
)
from bossbot.store.testing_samples import AT, CARD, OTHER, SESSION, THREAD, TOPIC, Open, message, opening, refused
from bossbot.store.transfer import event_line, header_line, read_export


class PositionsConformance:
    """See `bossbot.store.testing`."""

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

    async def test_a_reader_who_saw_what_is_forgotten_now_goes_on_with_what_comes(self, stores: Open) -> None:
        store = await stores()
        await store.append(OTHER, 0, opening(OTHER, TOPIC))
        await store.append(SESSION, 0, opening())
        seen = await store.position()
        await store.forget(SESSION)
        assert await store.position() == seen == await (await stores()).position()
        await store.forget(OTHER)
        assert (await store.position(), await store.after(0, 10)) == (seen, [])
        await store.append(SESSION, 0, opening())
        assert [entry.link.version for entry in await store.after(seen, 10)] == [1, 2]
        assert await store.position() == (await store.after(seen, 10))[-1].position

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
