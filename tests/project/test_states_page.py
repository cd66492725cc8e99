"""The page of state machines is what the tables say."""

import re
from pathlib import Path

import pytest

from bossbot.domain import task
from scripts import draw_states


def test_the_page_is_up_to_date() -> None:
    assert draw_states.main(["--check"]) == 0


def test_the_page_lists_every_arrow_of_a_task_with_its_event() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| `([\w.]+)` \|", draw_states.PAGE.read_text(encoding="utf-8"), re.M)
    listed = {(old, new): event for old, new, event in rows}
    assert {(old.value, new.value): arrow.event for (old, new), arrow in task.ARROWS.items()}.items() <= listed.items()


def test_a_stale_page_is_told_with_the_fix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stale = tmp_path / "states.md"
    stale.write_text(draw_states.PAGE.read_text(encoding="utf-8").replace("task.queued", "task.lost"), encoding="utf-8")
    assert draw_states.main(["--check"], stale) == 1
    assert "run: python scripts/draw_states.py" in capsys.readouterr().err
    assert draw_states.main([], stale) == 0
    assert draw_states.main(["--check"], stale) == 0
