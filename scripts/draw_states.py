"""Draws the state machines into docs/states.md from the tables that the program obeys.

`python scripts/draw_states.py` writes; `--check` says whether the page is up to date (exit code 1 when it is not).
"""

import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from bossbot.domain import approval, task
from bossbot.domain.approval import ApprovalStatus
from bossbot.domain.task import Arrow, TaskStatus

PAGE = Path(__file__).parents[1] / "docs" / "states.md"
S = TypeVar("S", bound=StrEnum)


def main(arguments: list[str], path: Path = PAGE) -> int:
    """Writes, or checks with `--check`."""
    page = path.read_text(encoding="utf-8")
    fresh = drawn(page)
    if "--check" in arguments:
        if page != fresh:
            print("docs/states.md is not what the tables say; run: python scripts/draw_states.py", file=sys.stderr)
        return int(page != fresh)
    path.write_text(fresh, encoding="utf-8")
    return 0


def drawn(page: str) -> str:
    """The page with what stands between its markers drawn anew."""
    page = _between(page, "task", _machine(task.ARROWS, TaskStatus.PLANNING, task.TERMINAL))
    ends = frozenset(ApprovalStatus) - {ApprovalStatus.PENDING}
    return _between(page, "approval", _machine(approval.ARROWS, ApprovalStatus.PENDING, ends))


def _between(page: str, name: str, lines: Iterator[str]) -> str:
    begin, end = f"<!-- {name}: drawn by scripts/draw_states.py -->\n", f"<!-- end of {name} -->"
    head, _, rest = page.partition(begin)
    _, _, tail = rest.partition(end)
    return head + begin + "\n" + "\n".join(lines) + "\n\n" + end + tail


def _machine(arrows: Mapping[tuple[S, S], Arrow], first: S, ends: frozenset[S]) -> Iterator[str]:
    yield "```mermaid"
    yield "stateDiagram-v2"
    yield f"    [*] --> {first}"
    yield from (f"    {old} --> {new}" for (old, new), arrow in arrows.items() if not arrow.reason)
    yield from (f"    {old} --> {new}: extra" for (old, new), arrow in arrows.items() if arrow.reason)
    leaving = {old for old, _ in arrows}
    yield from (f"    {end} --> [*]" for end in sorted(ends) if end not in leaving)
    yield "```"
    yield ""
    yield "| from | to | event | why it is there |"
    yield "|---|---|---|---|"
    for (old, new), arrow in arrows.items():
        yield f"| `{old}` | `{new}` | `{arrow.event}` | {arrow.reason or 'the protocol'} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
