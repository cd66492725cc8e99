"""`verify` finds a changed, a missing and an inserted event, and says where; it finds nothing in a whole log."""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bossbot.ids import SessionId
from bossbot.store import Flaw, Problem
from bossbot.store.chain import GENESIS, envelope_json, event_from_json, flaws, link_hash
from bossbot.store.opening import open_store
from bossbot.store.records import Link
from bossbot.store.testing import SESSION, message, opening

LENGTH = 6


def log(length: int = LENGTH) -> list[Link]:
    links: list[Link] = []
    for number in range(1, length + 1):
        envelope = envelope_json(message(number))
        previous = links[-1].hash if links else GENESIS
        links.append(Link(number, envelope, link_hash(previous, envelope)))
    return links


def renumbered(links: list[Link]) -> list[Link]:
    return [Link(number, link.envelope, link.hash) for number, link in enumerate(links, 1)]


def found(links: list[Link], *, was: int = LENGTH) -> list[tuple[Flaw, int]]:
    return [(problem.flaw, problem.version) for problem in flaws(links, was, log(was)[-1].hash)]


def forged(link: Link, previous: str, *, content: str = "forged") -> Link:
    """Another event in the place of `link`, with a hash that fits behind `previous`."""
    envelope = envelope_json(message(link.version, content))
    return Link(link.version, envelope, link_hash(previous, envelope))


@pytest.mark.parametrize("length", [0, 1, 2, LENGTH])
def test_a_whole_log_has_no_flaw(length: int) -> None:
    links = log(length)
    assert flaws(links, length, links[-1].hash if links else GENESIS) == []


@pytest.mark.parametrize("at", range(1, LENGTH + 1))
def test_a_changed_event_is_found_where_it_is(at: int) -> None:
    links = log()
    old = links[at - 1]
    links[at - 1] = Link(at, old.envelope.replace("build cache", "whole disk"), old.hash)
    assert found(links) == [(Flaw.CHANGED, at)]


@pytest.mark.parametrize("at", range(1, LENGTH))
def test_an_event_that_was_changed_with_its_hash_is_found_by_its_successor(at: int) -> None:
    links = log()
    links[at - 1] = forged(links[at - 1], links[at - 2].hash if at > 1 else GENESIS)
    assert found(links) == [(Flaw.CHANGED, at + 1)]


def test_the_last_event_changed_with_its_hash_is_not_the_one_recorded_last() -> None:
    links = log()
    links[-1] = forged(links[-1], links[-2].hash)
    assert found(links) == [(Flaw.CHANGED, LENGTH)]


@pytest.mark.parametrize("envelope", ["{", "[" * 100_000, "1" * 5_000], ids=["torn", "deep", "huge"])
def test_an_envelope_that_cannot_be_read_is_changed(envelope: str) -> None:
    links = log()
    links[2] = Link(3, envelope, links[2].hash)
    assert found(links) == [(Flaw.CHANGED, 3)]


@pytest.mark.parametrize("at", range(1, LENGTH + 1))
@pytest.mark.parametrize("count", [1, 2])
def test_missing_events_are_found_where_they_were(at: int, count: int) -> None:
    links = log()
    del links[at - 1 : at - 1 + count]
    assert found(links) == [(Flaw.MISSING, at)]


@pytest.mark.parametrize("at", range(1, LENGTH))
def test_a_log_that_was_closed_up_over_a_missing_event_is_found_there(at: int) -> None:
    links = log()
    del links[at - 1]
    assert found(renumbered(links)) == [(Flaw.MISSING, at)]


@pytest.mark.parametrize("at", range(1, LENGTH - 1))
def test_a_change_and_a_missing_end_are_two_flaws(at: int) -> None:
    links = log()[:-1]
    links[at - 1] = Link(at, links[at].envelope, links[at - 1].hash)
    assert found(links) == [(Flaw.CHANGED, at), (Flaw.MISSING, LENGTH)]


def test_a_whole_log_that_is_gone_is_missing_from_its_beginning() -> None:
    assert found([]) == [(Flaw.MISSING, 1)]


@pytest.mark.parametrize("at", range(1, LENGTH + 1))
def test_an_inserted_event_is_found_where_it_is(at: int) -> None:
    links = log()
    links.insert(at - 1, forged(Link(at, "", ""), links[at - 2].hash if at > 1 else GENESIS))
    flawed = found(renumbered(links))
    assert flawed[0] == (Flaw.INSERTED, at)


def test_an_event_behind_the_recorded_end_is_inserted() -> None:
    assert found(log(LENGTH + 1), was=LENGTH) == [(Flaw.INSERTED, LENGTH + 1)]


def test_a_problem_reads_as_a_sentence() -> None:
    links = log()
    del links[1:3]
    assert flaws(links, LENGTH, links[-1].hash) == [Problem(Flaw.MISSING, 2, "2 events are missing before version 4")]


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(payload=st.dictionaries(st.text(), VALUES, max_size=4), indent=st.integers(0, 2))
def test_any_payload_is_kept_and_its_hash_is_of_its_meaning_not_of_its_bytes(
    payload: dict[str, object], indent: int
) -> None:
    raw = {**message(1).model_dump(), "type": "tomorrows.event", "payload": payload}
    envelope = json.dumps(raw, ensure_ascii=indent == 0, indent=indent, sort_keys=indent == 1)
    event = event_from_json(envelope)
    assert event_from_json(envelope_json(event)) == event
    assert link_hash(GENESIS, envelope) == link_hash(GENESIS, envelope_json(event))
    envelope_json(event).encode()


async def test_a_database_that_somebody_has_edited_says_where(tmp_path: Path, empty_database: Path) -> None:
    path = tmp_path / "bossbot.db"
    shutil.copy(empty_database, path)
    store = await open_store(path)
    await store.append(SESSION, 0, [*opening(), *(message(number) for number in range(3, 9))])
    with sqlite3.connect(path) as editor:
        editor.execute("UPDATE events SET envelope = replace(envelope, 'build', 'whole') WHERE version = 4")
        editor.execute("DELETE FROM events WHERE version = 6")
    assert [(p.flaw, p.version) for p in await store.verify(SESSION)] == [(Flaw.CHANGED, 4), (Flaw.MISSING, 6)]
    await store.close()


EDITS = {
    "UPDATE events SET envelope = x'ff' WHERE version = 4": [(Flaw.CHANGED, 4)],
    "UPDATE events SET hash = x'ff' WHERE version = 4": [(Flaw.CHANGED, 4), (Flaw.CHANGED, 5)],
    "UPDATE events SET version = 'four' WHERE version = 4": [(Flaw.MISSING, 4)],
    "UPDATE events SET type = 'worker.heartbeat' WHERE version = 4": [(Flaw.CHANGED, 4)],
    "UPDATE events SET task_id = 'task_9' WHERE version = 4": [(Flaw.CHANGED, 4)],
}


@pytest.mark.parametrize(("edit", "flaws_found"), EDITS.items(), ids=[edit.split(" SET ")[1] for edit in EDITS])
async def test_what_no_bot_would_store_and_what_is_filed_wrongly_are_found(
    tmp_path: Path, empty_database: Path, edit: str, flaws_found: list[tuple[Flaw, int]]
) -> None:
    path = tmp_path / "bossbot.db"
    shutil.copy(empty_database, path)
    store = await open_store(path)
    await store.append(SESSION, 0, [*opening(), *(message(number) for number in range(3, 7))])
    with sqlite3.connect(path) as editor:
        editor.execute(edit)
    assert [(p.flaw, p.version) for p in await store.verify(SESSION)] == flaws_found
    await store.close()


async def test_a_log_under_another_sessions_name_is_not_whole(tmp_path: Path, empty_database: Path) -> None:
    path = tmp_path / "bossbot.db"
    shutil.copy(empty_database, path)
    store = await open_store(path)
    await store.append(SESSION, 0, opening())
    with sqlite3.connect(path) as editor:
        editor.execute("UPDATE sessions SET id = 'ps_9'")
        editor.execute("UPDATE events SET session_id = 'ps_9'")
    assert [(p.version, p.text) for p in await store.verify(SessionId("ps_9"))] == [
        (number, f"the event's session '{SESSION}' is filed as 'ps_9'") for number in (1, 2)
    ]
    await store.close()
