"""A turn that nobody sees is noticed by what the CLI says around it, and by nothing else."""

import asyncio

from bossbot.agent.unseen import Unseen

SOON_S = 0.01


async def noticed(*signs: str, after_stop: bool = True) -> int:
    """How often an answer is taken for lost when these signs follow a message."""
    times: list[None] = []
    unseen = Unseen(lambda: times.append(None))
    unseen.told(after_stop=after_stop)
    for sign in signs:
        match sign:
            case "init":
                unseen.init(SOON_S)
            case "status":
                unseen.shown()
            case "result":
                unseen.ended()
    await asyncio.sleep(SOON_S * 10)
    return len(times)


async def test_two_inits_after_a_result_with_nothing_between_are_a_lost_answer() -> None:
    assert await noticed("init", "init", "status", "init", "result", "init", "init") == 1


async def test_turns_that_are_shown_are_not() -> None:
    assert await noticed("init", "status", "result") == 0
    assert await noticed("init", "status", "init", "result", "init") == 0
    assert await noticed("init", "status", "init", "result", "init", "status", "init", "result", "init") == 0
    assert await noticed("result", "init", "init", "status", "result") == 0


async def test_only_what_is_told_after_a_stop_of_tasks_is_watched() -> None:
    assert await noticed("init", "status", "result", "init", "init", after_stop=False) == 0


async def test_it_is_noticed_once() -> None:
    assert await noticed("result", "init", "init", "init", "init") == 1
