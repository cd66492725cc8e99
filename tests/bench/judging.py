"""What the rules cost that judge whether a message changes the plan, and how that grows with the message.

Every message that comes while tasks are live passes them on the event loop, before it is told to the agent.
"""

import sys
from time import process_time

from bossbot.intent import Board, BoardTask, judge
from tests.intent.plan_cases import BOARDS, CASES

TIMES, ROUNDS = 10, 3
GOAL_GROWTH = 1.5
"""A message so many times as long may take so many times more than that."""


def main() -> int:
    """Prints the time of a usual message and of a longer one; 1 when it grows faster than the goal allows."""
    usual, longer = cost_us(1), cost_us(TIMES)
    growth = longer / usual / TIMES
    print(f"  a usual message: {usual:.0f} µs; {TIMES} times as long: {longer:.0f} µs")
    print(f"  {growth:.2f}x the time per word (goal ≤ {GOAL_GROWTH:g}x)")
    return 0 if growth <= GOAL_GROWTH else 1


def cost_us(times: int) -> float:
    """Microseconds of processor time for one message, said `times` times over: the best of some rounds."""
    boards = {name: Board("", tuple(BoardTask(t, t, "queued") for t in titles)) for name, titles in BOARDS.items()}
    rows = [("\n".join([case[0]] * times), boards[name]) for name, cases in CASES.items() for case in cases]
    rounds = []
    for _ in range(ROUNDS):
        begin = process_time()
        for message, board in rows:
            judge(message, board)
        rounds.append((process_time() - begin) / len(rows))
    return min(rounds) * 1e6


if __name__ == "__main__":
    sys.exit(main())
