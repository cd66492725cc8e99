"""When the CLI may be told something: at once, or some moments after a turn's end."""

import asyncio
from dataclasses import replace

import pytest

from bossbot.agent.readiness import MOST_SLOWNESS, Readiness
from bossbot.streamjson.dialects import CBC, CLAUDE


async def test_it_waits_for_the_rest_of_the_moment_only() -> None:
    loop = asyncio.get_running_loop()
    readiness = Readiness(replace(CBC, settle_s=0.1), 60.0)
    begun_s = loop.time()
    readiness.turn_ended()
    await asyncio.sleep(0.04)
    await readiness.settled()
    assert loop.time() - begun_s >= 0.1 * 0.99


async def test_before_the_first_turns_end_it_is_ready() -> None:
    readiness = Readiness(replace(CBC, settle_s=600.0), 60.0)
    waiting = {asyncio.create_task(readiness.settled()), asyncio.create_task(readiness.free())}
    _, waits_on = await asyncio.wait(waiting, timeout=60)
    assert waits_on == set()


async def test_a_turn_that_it_begins_by_itself_is_waited_for_but_not_for_a_stop() -> None:
    loop = asyncio.get_running_loop()
    readiness = Readiness(replace(CBC, settle_s=0.1), 60.0)
    readiness.turn_ended()
    waiting = asyncio.create_task(readiness.free())
    await asyncio.sleep(0.02)
    readiness.turn_begun()
    await readiness.settled()
    await asyncio.sleep(0.05)
    assert not waiting.done()
    ended_s = loop.time()
    readiness.turn_ended()
    await waiting
    assert loop.time() - ended_s >= 0.1 * 0.99


async def test_a_turn_that_does_not_end_is_not_waited_for_without_end() -> None:
    readiness = Readiness(CBC, 0.05)
    readiness.turn_begun()
    _, waits_on = await asyncio.wait({asyncio.create_task(readiness.free())}, timeout=60)
    assert waits_on == set()


@pytest.mark.parametrize(
    ("usual_start_s", "slowness"),
    [pytest.param(60.0, 1.0, id="never shorter"), pytest.param(1e-9, MOST_SLOWNESS, id="bounded")],
)
async def test_the_moment_is_as_long_as_the_machine_is_slow(usual_start_s: float, slowness: float) -> None:
    readiness = Readiness(replace(CBC, usual_start_s=usual_start_s), 60.0)
    await asyncio.sleep(0.001)
    readiness.started()
    assert readiness.settle_s == CBC.settle_s * slowness


async def test_between_its_bounds_it_grows_with_the_time_that_the_start_took() -> None:
    readiness = Readiness(replace(CBC, usual_start_s=0.1), 60.0)
    await asyncio.sleep(0.2)
    readiness.started()
    assert CBC.settle_s * 2 * 0.99 <= readiness.settle_s <= CBC.settle_s * MOST_SLOWNESS


async def test_claude_is_ready_at_once() -> None:
    readiness = Readiness(CLAUDE, 60.0)
    readiness.started()
    assert readiness.settle_s == 0
