"""A snapshot is used only when it is certainly what the log says; otherwise the log is read from its beginning."""

import shutil
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bossbot.domain.evolve import evolve, fold
from bossbot.domain.state import SessionState
from bossbot.ids import SessionId
from bossbot.replay import Replay
from bossbot.store.opening import open_store
from bossbot.store.snapshots import decode, digest, encode
from bossbot.store.sql import SqlStore
from bossbot.store.testing import SESSION, message, opening

CAPTURES = sorted((Path(__file__).parents[1] / "captures").glob("*/*.ndjson"))
EVENTS = [*opening(), *(message(number) for number in range(3, 11))]
WHOLE = fold(SessionState(id=SESSION), EVENTS)


@pytest.fixture
async def path(tmp_path: Path, empty_database: Path) -> Path:
    shutil.copy(empty_database, tmp_path / "bossbot.db")
    return tmp_path / "bossbot.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqlStore]:
    """Ten events, and a snapshot after the eighth."""
    opened = await open_store(path)
    await opened.append(SESSION, 0, EVENTS)
    await opened.keep_snapshot(8, fold(SessionState(id=SESSION), EVENTS[:8]))
    assert await opened.state(SESSION) == (WHOLE, 10, 8)
    yield opened
    await opened.close()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE snapshots SET digest = 'another program'",
        "UPDATE snapshots SET hash = 'another log'",
        "UPDATE snapshots SET version = 7",
        "UPDATE snapshots SET version = 99",
        "UPDATE snapshots SET state = '{'",
        "UPDATE snapshots SET state = '{\"id\": 7}'",
        "DELETE FROM snapshots",
    ],
)
async def test_a_snapshot_that_does_not_fit_is_passed_over(store: SqlStore, path: Path, change: str) -> None:
    with sqlite3.connect(path) as editor:
        editor.execute(change)
    assert await store.state(SESSION) == (WHOLE, 10, 0)
    await store.keep_snapshot(10, WHOLE)
    assert await store.state(SESSION) == (WHOLE, 10, 10)


async def test_a_log_that_was_changed_before_the_snapshot_is_not_opened_from_it(store: SqlStore, path: Path) -> None:
    """The event under the snapshot was replaced, with a hash that fits to what was changed."""
    with sqlite3.connect(path) as editor:
        editor.execute(
            "UPDATE events SET hash = (SELECT hash FROM events WHERE version = 7), envelope ="
            " (SELECT envelope FROM events WHERE version = 7) WHERE version = 8"
        )
    state, version, begun = await store.state(SESSION)
    assert (version, begun) == (10, 0)
    assert state.held.keys() == WHOLE.held.keys() - {"msg_8"}


def test_the_digest_is_of_the_program_and_stays_while_that_stays() -> None:
    assert len(digest()) == 64
    assert digest() == digest()


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_state_of_real_work_comes_back_equal_from_any_moment(capture: Path) -> None:
    with capture.open("rb") as lines:
        events = list(Replay("").events(lines))
    state = SessionState(id=SessionId("ps_replay"))
    every = max(1, len(events) // 25)
    for number, event in enumerate(events):
        state = evolve(state, event)
        if number % every == 0 or number == len(events) - 1:
            assert decode(encode(state)) == state
    assert state != SessionState(id=SessionId("ps_replay"))


async def test_half_a_character_costs_nothing(path: Path) -> None:
    store = await open_store(path)
    await store.append(SESSION, 0, [*opening(), message(3, "half a \ud83d")])
    state, version, _ = await store.state(SESSION)
    await store.keep_snapshot(version, state)
    assert await store.state(SESSION) == (state, 3, 3)
    await store.close()
