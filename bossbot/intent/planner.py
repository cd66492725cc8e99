"""The planner: asks the agent CLI what a message means for the plan, and answers by the rules when that fails."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from bossbot.intent.check import IntentRefused, check
from bossbot.intent.prompt import SCHEMA, build_prompt, repair_prompt
from bossbot.intent.rules import judge, nothing_to_change
from bossbot.intent.types import Board, Verdict

Ask = Callable[[str, dict[str, object]], Awaitable[Mapping[str, object]]]
"""A side call: prompt and JSON schema in, the structured answer out. May raise; the planner then does without."""


class Planner:
    """Judges messages; with `ask=None` by the rules alone. `timeout_s` is for the whole question, repair included."""

    def __init__(self, ask: Ask | None, timeout_s: float) -> None:
        self._ask = ask
        self._timeout_s = timeout_s

    async def judge(self, message: str, board: Board) -> Verdict:
        """The agent's checked verdict, else the rules' with a note why. Raises nothing but cancellation."""
        by_rules = judge(message, board)
        if self._ask is None or nothing_to_change(board) or by_rules.intent == "chat":
            return by_rules
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._asked(self._ask, message, board)
        except TimeoutError:
            return _without(by_rules, f"the agent gave no answer within {self._timeout_s:g} s")
        except IntentRefused as refused:
            return _without(by_rules, f"the agent's answer was refused: {refused}")
        except Exception as error:  # noqa: BLE001 - whatever the side call dies of, the message needs a verdict
            return _without(by_rules, f"the agent could not be asked ({type(error).__name__})")

    async def _asked(self, ask: Ask, message: str, board: Board) -> Verdict:
        try:
            return check(await ask(build_prompt(message, board), SCHEMA), message, board)
        except IntentRefused as refused:
            again = await ask(repair_prompt(message, board, str(refused)), SCHEMA)
            return check(again, message, board)


def _without(verdict: Verdict, reason: str) -> Verdict:
    return replace(verdict, note="; ".join(part for part in (verdict.note, reason) if part))
