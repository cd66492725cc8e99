"""What people see of the place of a store: where it is, and nothing that would let them in."""

import pytest

from bossbot.store.opening import shown_place


@pytest.mark.parametrize(
    ("where", "shown"),
    [
        ("bossbot.db", "bossbot.db"),
        ("sqlite:////srv/bossbot.db", "/srv/bossbot.db"),
        ("postgresql://boss:hunter2@h/d", "postgresql://boss@h/d"),
        ("postgresql://boss:p%40ss@h:5433/d", "postgresql://boss@h:5433/d"),
        ("postgresql://boss@h/d?password=p%40ss&sslpassword=p%2Fss&sslmode=require", "postgresql://boss@h/d"),
        (
            "postgresql://boss@/d?host=/run/postgresql&port=5433",
            "postgresql://boss@/d?host=%2Frun%2Fpostgresql&port=5433",
        ),
    ],
)
def test_a_place_is_shown_without_what_may_be_secret(where: str, shown: str) -> None:
    assert shown_place(where) == shown
