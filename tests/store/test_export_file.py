"""A session's file: written whole, or not at all."""

import pytest

from bossbot.store.export_file import NotWhole, export_lines
from bossbot.store.memory import MemoryStore
from bossbot.store.testing import SESSION, opening


async def test_a_session_that_is_deleted_while_it_is_exported_ends_the_export() -> None:
    store = MemoryStore()
    await store.append(SESSION, 0, opening())
    lines = export_lines(store, SESSION)
    assert '"events":2' in await anext(lines)
    await store.forget(SESSION)
    with pytest.raises(NotWhole, match="it was deleted meanwhile"):
        await anext(lines)
