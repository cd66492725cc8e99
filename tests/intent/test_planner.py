"""The planner against an agent that answers well, badly, late, or not at all."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from bossbot.intent import Board, BoardTask, Planner, judge
from tests.intent.test_check import BOARD, MESSAGE, answer

GOOD = answer(cancel_tasks=["t2"], reprioritize_tasks=["t3"])


class Agent:
    """The side call's far end: gives its answers in turn and keeps what it was asked."""

    def __init__(self, *answers: object, delay_s: float = 0) -> None:
        self.answers = list(answers)
        self.delay_s = delay_s
        self.prompts: list[str] = []

    async def ask(self, prompt: str, schema: dict[str, object]) -> Mapping[str, object]:
        json.dumps(schema)
        self.prompts.append(prompt)
        await asyncio.sleep(self.delay_s)
        given: Any = self.answers.pop(0)
        if isinstance(given, Exception):
            raise given
        return given  # type: ignore[no-any-return]


async def test_without_an_agent_the_rules_judge() -> None:
    assert await Planner(None, 1).judge(MESSAGE, BOARD) == judge(MESSAGE, BOARD)


async def test_a_good_answer_is_taken() -> None:
    agent = Agent(GOOD)
    verdict = await Planner(agent.ask, 1).judge(MESSAGE, BOARD)
    assert verdict.source == "agent"
    assert len(agent.prompts) == 1


async def test_a_refused_answer_gets_one_more_try_with_the_reason() -> None:
    agent = Agent(answer(cancel_tasks=["t77"]), GOOD)
    verdict = await Planner(agent.ask, 1).judge(MESSAGE, BOARD)
    assert verdict.source == "agent"
    assert "t77" not in agent.prompts[0]
    assert "t77" in agent.prompts[1]


async def test_a_second_bad_answer_leaves_it_to_the_rules() -> None:
    agent = Agent(answer(cancel_tasks=["t77"]), answer(pause_tasks=["t77"]), GOOD)
    verdict = await Planner(agent.ask, 1).judge(MESSAGE, BOARD)
    assert verdict.source == "rules"
    assert verdict.diff == judge(MESSAGE, BOARD).diff
    assert "refused" in verdict.note
    assert len(agent.prompts) == 2


@pytest.mark.parametrize("bad", [None, [], "text", 7, {}, {"primary": []}, {"labels": {}, "primary": "chat"}])
async def test_what_is_no_answer_leaves_it_to_the_rules(bad: object) -> None:
    verdict = await Planner(Agent(bad, bad).ask, 1).judge(MESSAGE, BOARD)
    assert verdict.source == "rules"
    assert verdict.objective_change


async def test_a_late_answer_leaves_it_to_the_rules_in_time() -> None:
    agent = Agent(GOOD, delay_s=30)
    verdict = await asyncio.wait_for(Planner(agent.ask, 0.05).judge(MESSAGE, BOARD), 60)
    assert verdict.source == "rules"
    assert "0.05 s" in verdict.note


@pytest.mark.parametrize("error", [OSError("secret path"), RuntimeError("secret"), ValueError("secret")])
async def test_a_failing_side_call_leaves_it_to_the_rules_and_tells_no_details(error: Exception) -> None:
    verdict = await Planner(Agent(error).ask, 1).judge(MESSAGE, BOARD)
    assert verdict.source == "rules"
    assert "secret" not in verdict.note
    assert type(error).__name__ in verdict.note


async def test_cancelling_the_planner_is_not_swallowed() -> None:
    running = asyncio.create_task(Planner(Agent(GOOD, delay_s=30).ask, 60).judge(MESSAGE, BOARD))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


@pytest.mark.parametrize(
    ("message", "board"),
    [
        (MESSAGE, Board("", ())),
        (MESSAGE, Board("", (BoardTask("t1", "Cache", "completed"),))),
        ("thanks!", BOARD),
    ],
)
async def test_what_cannot_change_a_plan_costs_no_side_call(message: str, board: Board) -> None:
    agent = Agent(GOOD)
    assert not (await Planner(agent.ask, 1).judge(message, board)).objective_change
    assert agent.prompts == []
