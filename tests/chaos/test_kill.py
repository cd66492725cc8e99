"""The bot is killed with -9 in the middle of its work, at random times and at the worst moments, and goes on.

Each kill is checked: no event is lost or doubled, nothing is decided twice or run unasked, and every answer stands in
the chat once or is marked ambiguous. `make chaos` does the same hundreds of times.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.episode import Figures, episode
from tests.chaos.house import house
from tests.chaos.nursery import Nursery
from tests.chaos.real import job_script, real_agent
from tests.fakes.scripted_model import ScriptedModel
from tests.postgres import Postgres

KILLS = 20
KILLS_OF_A_REAL_CLI = 5


pytestmark = pytest.mark.xdist_group("kill")


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    opened = Nursery()
    yield opened
    opened.close()


def check(figures: Figures, kills: int) -> None:
    """Everything else was checked after each kill."""
    assert figures.kills >= kills
    assert figures.in_time > kills // 2, "most kills must come in the middle of work"
    assert figures.answers >= kills // 2


async def test_twenty_kills_on_sqlite_lose_and_double_nothing(tmp_path: Path, nursery: Nursery) -> None:
    async with house(tmp_path / "house", nursery, str(tmp_path / "bossbot.db")) as place:
        check(await episode(place, KILLS, random.Random(20)), KILLS)


async def test_twenty_kills_on_postgresql_lose_and_double_nothing(
    tmp_path: Path, nursery: Nursery, postgres: Postgres
) -> None:
    async with house(tmp_path / "house", nursery, await postgres.fresh()) as place:
        check(await episode(place, KILLS, random.Random(21)), KILLS)


@pytest.mark.cbc
async def test_five_kills_of_a_bot_with_the_real_cbc_lose_and_double_nothing(tmp_path: Path, nursery: Nursery) -> None:
    async with ScriptedModel(job_script()) as model:
        agent = real_agent(tmp_path / "home", model.port)
        async with house(tmp_path / "house", nursery, str(tmp_path / "bossbot.db"), agent) as place:
            check(await episode(place, KILLS_OF_A_REAL_CLI, random.Random(5)), KILLS_OF_A_REAL_CLI)
