"""Deliveries in SQL. What becomes of one is decided by `bossbot.store.outbox`; here it is read and written."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, bindparam, case, or_, select, update

from bossbot.channel import PostRef, ThreadRef, card_from_json, card_to_json
from bossbot.ids import SessionId
from bossbot.store import outbox, sql_state
from bossbot.store.outbox import Delivery, DeliveryState, Show
from bossbot.store.records import MessageRef
from bossbot.store.sql_insert import insert_for
from bossbot.store.tables import deliveries, unsettled

d = deliveries.c
_KEY = ("session_id", "channel", "chat", "thread", "key")

# Statements are made once: making one costs more than SQLite takes to run it.
_FIND = select(deliveries).where(*(d[name] == bindparam(f"the_{name}") for name in _KEY))
_FIND_LOCKED = _FIND.with_for_update()
_DUE = select(deliveries).where(unsettled).order_by(d.seq)
_CHANGE = update(deliveries).where(d.seq == bindparam("the_seq"))


def show(c: Connection, session_id: SessionId, wanted: Sequence[Show]) -> None:
    """New deliveries, or other cards of those with these keys: `outbox.shown`, for many in one statement."""
    if wanted:
        rows = [_row(Delivery(session_id, show.thread, show.key, show.card, show.once, seq=0)) for show in wanted]
        c.execute(_shown(c.dialect.name), rows)


@cache
def _shown(dialect: str) -> Any:
    statement = insert_for(deliveries, dialect)
    new = statement.excluded
    return statement.on_conflict_do_update(
        index_elements=list(_KEY),
        set_={
            "card": new.card,
            "once": new.once,
            "revision": d.revision + 1,
            "state": case((d.state == DeliveryState.SENDING.value, d.state), else_=DeliveryState.PENDING.value),
        },
        where=or_(d.card != new.card, d.once != new.once),
    )


def due(c: Connection, owner: str) -> list[Delivery]:
    """As `EventStore.due`."""
    return [delivery for delivery in map(_delivery, c.execute(_DUE)) if outbox.is_due(delivery, owner)]


def claim(c: Connection, wanted: Delivery, owner: str) -> Delivery | None:
    """As `EventStore.claim`."""
    now = find(c, wanted.session_id, wanted.thread, wanted.key, lock=True)
    claimed = outbox.claimed(now, owner) if now else None
    if now is not None and claimed is not None:
        _write(c, now, claimed)
    return claimed


def sent(c: Connection, delivery: Delivery, post: PostRef) -> None:
    """As `EventStore.sent`."""
    change(c, delivery, lambda now: outbox.sent(now, delivery.revision, post))
    messages = [MessageRef(post.channel, post.chat, message_id) for message_id in post.ids]
    sql_state.remember_messages(c, delivery.session_id, messages)


def change(c: Connection, delivery: Delivery, what: Callable[[Delivery], Delivery]) -> None:
    """Writes what `what` makes of the delivery as it is now."""
    now = find(c, delivery.session_id, delivery.thread, delivery.key, lock=True)
    if now is not None:
        _write(c, now, what(now))


def find(c: Connection, session_id: SessionId, thread: ThreadRef, key: str, *, lock: bool = False) -> Delivery | None:
    """As `EventStore.delivery`."""
    where = {f"the_{name}": value for name, value in _named(session_id, thread, key).items()}
    row = c.execute(_FIND_LOCKED if lock else _FIND, where).one_or_none()
    return _delivery(row) if row else None


def _named(session_id: SessionId, thread: ThreadRef, key: str) -> dict[str, str]:
    values = (session_id, thread.channel, thread.chat, thread.thread or "", key)
    return dict(zip(_KEY, values, strict=True))


def _row(delivery: Delivery) -> dict[str, object]:
    return {**_named(delivery.session_id, delivery.thread, delivery.key), **_columns(delivery)}


def _write(c: Connection, old: Delivery, new: Delivery) -> None:
    if new != old:
        c.execute(_CHANGE, {"the_seq": old.seq, **_columns(new)})


def _columns(delivery: Delivery) -> dict[str, object]:
    return {
        "card": card_to_json(delivery.card),
        "once": int(delivery.once),
        "revision": delivery.revision,
        "shown_revision": delivery.shown_revision,
        "state": delivery.state.value,
        "doubtful": int(delivery.doubtful),
        "owner": delivery.owner,
        "post": json.dumps(asdict(delivery.post), ensure_ascii=False) if delivery.post else None,
        "attempts": delivery.attempts,
        "error": delivery.error,
    }


def _delivery(row: "Row[Any]") -> Delivery:
    return Delivery(
        session_id=SessionId(row.session_id),
        thread=ThreadRef(row.channel, row.chat, row.thread or None),
        key=row.key,
        card=card_from_json(row.card),
        once=bool(row.once),
        seq=row.seq,
        revision=row.revision,
        shown_revision=row.shown_revision,
        state=DeliveryState(row.state),
        post=_post(row.post),
        attempts=row.attempts,
        error=row.error,
        owner=row.owner,
        doubtful=bool(row.doubtful),
    )


def _post(text: str | None) -> PostRef | None:
    if text is None:
        return None
    raw = json.loads(text)
    return PostRef(raw["channel"], raw["chat"], tuple(raw["ids"]), raw["thread"])
