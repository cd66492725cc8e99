"""Housekeeping: what is no longer needed leaves the store. Old delivery keys, and sessions that ended long ago.

Of a session everything goes or nothing: a log with holes could not be verified. With a folder for exports, a session
goes only after its file is on the disk there.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bossbot.settings import StoreSettings
from bossbot.store.errors import StoreError
from bossbot.store.export_file import NotWhole, export_to
from bossbot.store.protocol import INBOX_KEPT_DAYS, EventStore
from bossbot.store.records import SessionRow

log = logging.getLogger(__name__)

EVERY_S = 6 * 3600.0
ENDED = ("closed", "archived")


async def housekeep(
    store: EventStore, settings: StoreSettings, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> None:
    """Tidies up now and every few hours, until cancelled."""
    while True:
        try:
            await tidy_up(store, settings, datetime.now(UTC))
        except StoreError as error:
            log.warning("housekeeping is put off: %s", error)
        await sleep(EVERY_S)


async def tidy_up(store: EventStore, settings: StoreSettings, now: datetime) -> list[SessionRow]:
    """Does it once; the sessions that were deleted."""
    await store.forget_inbox(now - timedelta(days=INBOX_KEPT_DAYS))
    if settings.retention_days <= 0:
        return []
    try:
        before = now - timedelta(days=settings.retention_days)
    except OverflowError:  # before all time
        return []
    old = [row for row in await store.sessions() if row.status in ENDED and row.updated_at < before]
    folder = Path(settings.retention_export) if settings.retention_export else None
    return [row for row in old if await _deleted(store, row, folder)]


async def _deleted(store: EventStore, row: SessionRow, folder: Path | None) -> bool:
    if folder is not None:
        try:
            await asyncio.to_thread(folder.mkdir, mode=0o700, parents=True, exist_ok=True)
            await export_to(store, row.id, folder / f"{row.id}.ndjson")
        except (NotWhole, OSError) as error:
            log.error("session %s is kept, since it could not be exported: %s", row.id, error)
            return False
    await store.forget(row.id)
    log.info("session %s (%s) ended on %s and was deleted", row.id, row.title, row.updated_at.date())
    return True
