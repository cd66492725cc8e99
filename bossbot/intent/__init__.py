"""What a chat message means for the plan: a judge by rules, and a planner that asks the agent CLI and checks it."""

from bossbot.intent.check import IntentRefused, check
from bossbot.intent.planner import Ask, Planner
from bossbot.intent.rules import judge
from bossbot.intent.types import Board, BoardTask, DiffDraft, Intent, NewTask, Verdict

__all__ = [
    "Ask",
    "Board",
    "BoardTask",
    "DiffDraft",
    "Intent",
    "IntentRefused",
    "NewTask",
    "Planner",
    "Verdict",
    "check",
    "judge",
]
