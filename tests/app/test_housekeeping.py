"""Housekeeping: what ended long ago leaves the store as a whole, after its export is on the disk; nothing else does."""

from datetime import timedelta
from pathlib import Path

import pytest

from bossbot.app.housekeeping import tidy_up
from bossbot.domain import events as ev
from bossbot.settings import StoreSettings
from bossbot.store import DuplicateDelivery
from bossbot.store.memory import MemoryStore
from bossbot.store.testing import AT, OTHER, SESSION, THREAD, TOPIC, event, opening
from bossbot.store.transfer import read_export

DAY = timedelta(days=1)


@pytest.fixture
async def store() -> MemoryStore:
    """One session that was closed at AT, and one that is open since then."""
    store = MemoryStore()
    await store.append(SESSION, 0, [*opening(), event(ev.SessionClosed(reason="done"), 3)], inbox_key="old", at=AT)
    await store.append(OTHER, 0, opening(OTHER, TOPIC))
    return store


async def test_nothing_is_deleted_by_default(store: MemoryStore) -> None:
    assert await tidy_up(store, StoreSettings(), AT + 10_000 * DAY) == []
    assert len(await store.sessions()) == 2


@pytest.mark.parametrize("days", [1e6, 1e12, float("inf")])
async def test_what_is_kept_for_longer_than_there_were_days_is_kept(store: MemoryStore, days: float) -> None:
    assert await tidy_up(store, StoreSettings(retention_days=days), AT + 10_000 * DAY) == []
    assert len(await store.sessions()) == 2


async def test_a_session_that_ended_long_ago_is_deleted_and_an_open_one_stays(store: MemoryStore) -> None:
    settings = StoreSettings(retention_days=30)
    assert await tidy_up(store, settings, AT + 29 * DAY) == []
    assert [row.id for row in await tidy_up(store, settings, AT + 31 * DAY)] == [SESSION]
    assert await store.logged_sessions() == [OTHER]
    assert await store.session_of(TOPIC) == OTHER
    assert await store.session_of(THREAD) is None


async def test_an_archived_session_ends_as_a_closed_one_does(store: MemoryStore) -> None:
    await store.append(SESSION, 3, [event(ev.SessionArchived(reason="done"), 4)])
    assert [row.id for row in await tidy_up(store, StoreSettings(retention_days=1), AT + 2 * DAY)] == [SESSION]


async def test_what_is_deleted_is_exported_first_and_can_come_back(store: MemoryStore, tmp_path: Path) -> None:
    folder = tmp_path / "old" / "sessions"
    settings = StoreSettings(retention_days=30, retention_export=str(folder))
    links = await store.links(SESSION)
    await tidy_up(store, settings, AT + 31 * DAY)
    assert [path.name for path in folder.iterdir()] == ["ps_1.ndjson"]
    assert (folder / "ps_1.ndjson").stat().st_mode & 0o777 == 0o600
    await store.adopt(read_export((folder / "ps_1.ndjson").read_text(encoding="utf-8").splitlines()))
    assert await store.links(SESSION) == links


async def test_what_cannot_be_exported_is_kept(store: MemoryStore, tmp_path: Path) -> None:
    (tmp_path / "in the way").write_text("a file")
    settings = StoreSettings(retention_days=30, retention_export=str(tmp_path / "in the way"))
    assert await tidy_up(store, settings, AT + 31 * DAY) == []
    assert await store.version(SESSION) == 3


async def test_a_log_that_was_changed_is_kept_for_whoever_looks_into_it(store: MemoryStore, tmp_path: Path) -> None:
    del store.data.logs[SESSION][1]
    settings = StoreSettings(retention_days=30, retention_export=str(tmp_path))
    assert await tidy_up(store, settings, AT + 31 * DAY) == []
    assert not (tmp_path / "ps_1.ndjson").exists()
    assert len(await store.links(SESSION)) == 2


async def test_delivery_keys_are_kept_for_a_week(store: MemoryStore) -> None:
    await tidy_up(store, StoreSettings(), AT + 6 * DAY)
    with pytest.raises(DuplicateDelivery):
        await store.append(OTHER, 2, (), inbox_key="old", at=AT)
    await tidy_up(store, StoreSettings(), AT + 8 * DAY)
    assert await store.append(OTHER, 2, (), inbox_key="old", at=AT) == 2
