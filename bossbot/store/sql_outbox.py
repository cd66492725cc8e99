"""Deliveries in SQL. What becomes of one is decided by `bossbot.store.outbox`; here it is read and written."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.json import decode, encode
from sqlalchemy import bindparam, case, or_, select, update

from bossbot.channel import Card, PostRef, ThreadRef, card_from_json, card_to_json
from bossbot.ids import SessionId
from bossbot.store import outbox, sql_state
from bossbot.store.database import Sql
from bossbot.store.outbox import Delivery, DeliveryState, Show
from bossbot.store.records import MessageRef
from bossbot.store.sql_insert import fixed, insert_for
from bossbot.store.statement import Made, Statement
from bossbot.store.tables import deliveries, unsettled

d = deliveries.c
_KEY = ("session_id", "channel", "chat", "thread", "key")
_CHANGED = ("shown_revision", "state", "doubtful", "owner", "post", "attempts", "error")
"""What becomes of a delivery once it is wanted. What is to be shown is changed by `show` alone."""

_this = [d[name] == bindparam(name) for name in _KEY]


def _shown(dialect: str) -> Made:
    statement = insert_for(deliveries, dialect, _NEW)
    new = statement.excluded
    return statement.on_conflict_do_update(
        index_elements=list(_KEY),
        set_={
            "card": new.card,
            "once": new.once,
            "revision": d.revision + fixed(1),
            "state": case((d.state == fixed(DeliveryState.SENDING.value), d.state), else_=fixed(_NEW["state"])),
        },
        where=or_(d.card != new.card, d.once != new.once),
    )


_SHOW = Statement(_shown)
_FIND = Statement(select(deliveries).where(*_this))
_FIND_LOCKED = Statement(select(deliveries).where(*_this).with_for_update())
_FIND_LOCKED_CARDLESS = Statement(
    select(*(column for column in d if column is not d.card)).where(*_this).with_for_update()
)
_DUE = Statement(select(deliveries).where(unsettled).order_by(d.seq))
_CHANGE = Statement(
    update(deliveries).where(d.seq == bindparam("the_seq")).values({name: bindparam(name) for name in _CHANGED})
)


def show(sql: Sql, session_id: SessionId, wanted: Sequence[Show]) -> None:
    """New deliveries, or other cards of those with these keys: `outbox.shown`, for many in one statement."""
    new = [
        {
            **_named(session_id, show.thread, show.key),
            "card": card_to_json(show.card),
            "once": int(show.once),
        }
        for show in wanted
    ]
    sql.change_each(_SHOW, new)


def due(sql: Sql, owner: str) -> list[Delivery]:
    """As `EventStore.due`."""
    found = [_delivery(row, card_from_json(row.card)) for row in sql.rows(_DUE)]
    return [delivery for delivery in found if outbox.is_due(delivery, owner)]


def claim(sql: Sql, wanted: Delivery, owner: str) -> Delivery | None:
    """As `EventStore.claim`."""
    row = sql.row(_FIND_LOCKED, _named(wanted.session_id, wanted.thread, wanted.key))
    if row is None:
        return None
    now = _delivery(row, card_from_json(row.card))
    claimed = outbox.claimed(now, owner)
    if claimed is not None:
        _write(sql, now, claimed)
    return claimed


def sent(sql: Sql, delivery: Delivery, post: PostRef) -> None:
    """As `EventStore.sent`."""
    change(sql, delivery, lambda now: outbox.sent(now, delivery.revision, post))
    messages = [MessageRef(post.channel, post.chat, message_id) for message_id in post.ids]
    sql_state.remember_messages(sql, delivery.session_id, messages)


def change(sql: Sql, delivery: Delivery, what: Callable[[Delivery], Delivery]) -> None:
    """Writes what `what` makes of the delivery as it is now, but for its card, which stays."""
    row = sql.row(_FIND_LOCKED_CARDLESS, _named(delivery.session_id, delivery.thread, delivery.key))
    if row is not None:
        now = _delivery(row, delivery.card)
        _write(sql, now, what(now))


def find(sql: Sql, session_id: SessionId, thread: ThreadRef, key: str) -> Delivery | None:
    """As `EventStore.delivery`."""
    row = sql.row(_FIND, _named(session_id, thread, key))
    return None if row is None else _delivery(row, card_from_json(row.card))


def _named(session_id: SessionId, thread: ThreadRef, key: str) -> dict[str, object]:
    return {
        "session_id": session_id,
        "channel": thread.channel,
        "chat": thread.chat,
        "thread": thread.thread or "",
        "key": key,
    }


def _write(sql: Sql, old: Delivery, new: Delivery) -> None:
    if new != old:
        sql.change(_CHANGE, {"the_seq": old.seq, **_fate(new)})


def _fate(delivery: Delivery) -> dict[str, str | int | None]:
    return {
        "shown_revision": delivery.shown_revision,
        "state": delivery.state.value,
        "doubtful": int(delivery.doubtful),
        "owner": delivery.owner,
        "post": encode(delivery.post).decode() if delivery.post else None,
        "attempts": delivery.attempts,
        "error": delivery.error,
    }


_NEW = _fate(Delivery(SessionId(""), ThreadRef("", ""), "", Card(), False, seq=0)) | {"revision": 1}
"""A delivery of which nothing has become yet."""


def _delivery(row: Any, card: Card) -> Delivery:
    return Delivery(
        session_id=SessionId(row.session_id),
        thread=ThreadRef(row.channel, row.chat, row.thread or None),
        key=row.key,
        card=card,
        once=bool(row.once),
        seq=row.seq,
        revision=row.revision,
        shown_revision=row.shown_revision,
        state=DeliveryState(row.state),
        post=None if row.post is None else decode(row.post, type=PostRef),
        attempts=row.attempts,
        error=row.error,
        owner=row.owner,
        doubtful=bool(row.doubtful),
    )
