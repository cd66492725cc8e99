"""docs/protocol.md has one table from frame to event: every frame and field that the decoder reads stands in it."""

import re
import typing
from pathlib import Path

import pytest
from msgspec import Struct

from bossbot.streamjson import frames as f
from tests.streamjson.recorded import ALL

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"
UNNAMED: dict[str, type[Struct]] = {
    "in `tasks`": f.BackgroundTask,
    "in `patch`": f.TaskPatch,
    "in `usage` of a task": f.TaskUsage,
    "in `message`": f.Message,
    "in `usage` of a turn": f.Usage,
    "in `permission_denials`": f.PermissionDenial,
    "in `origin`": f.Origin,
    "in `event`": f.StreamPart,
    "in `delta`": f.Delta,
    "`control_response`": f.ControlResponse,
    "any other kind": f.Unknown,
    "a line that cannot be read": f.Malformed,
    "a line above 1 MiB": f.Long,
}
BLOCKS = (f.TextBlock, f.ThinkingBlock, f.ToolUseBlock, f.ToolResultBlock)
TAGGED = (f.CanUseTool, f.McpMessage, f.WorkflowPhase, f.WorkflowAgent)
EVERYWHERE = {"(raw)", "session_id"}


def name_of(kind: type[Struct]) -> str:
    tag = kind.__struct_config__.tag
    if kind in BLOCKS:
        return f"`{tag}` block"
    return f"`system/{tag}`" if kind.__struct_config__.tag_field == "subtype" and kind not in TAGGED else f"`{tag}`"


def known() -> dict[str, set[str]]:
    """The fields of each frame, and of each part of one, by the name that the table has for it."""
    kinds = [kind for kind in typing.get_args(f.AnyFrame) if kind not in UNNAMED.values()]
    named = {name_of(kind): kind for kind in (*kinds, *BLOCKS, *TAGGED)}
    return {name: set(kind.__struct_encode_fields__) - EVERYWHERE for name, kind in (named | UNNAMED).items()}


def rows() -> list[tuple[str, list[str], str]]:
    """(frame, fields, where from) of each row; a row without a frame is of the one above."""
    text = DOCUMENT.read_text(encoding="utf-8").split("## From frame to event", 1)[1].split("\n## ", 1)[0]
    found, frame = [], ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line[1:-1].split("|")] if line.startswith("| ") else []
        if len(cells) == 4 and cells[0] != "frame":
            frame = cells[0] or frame
            found.append((frame, re.findall(r"`([^`]+)`", cells[1]), cells[3]))
    return found


def test_every_field_that_is_read_has_a_row_and_no_other_has() -> None:
    told: dict[str, list[str]] = {}
    for frame, listed, _ in rows():
        told.setdefault(frame, []).extend(listed)
    for frame, fields in known().items():
        assert sorted(set(told.get(frame, ())) - EVERYWHERE) == sorted(fields), frame
        assert len(set(told[frame])) == len(told[frame]), frame
    assert {frame for frame in told if frame not in known()} == {
        "successful `TaskCreate` `TaskUpdate`",
        "exit of the process",
    }


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[0]} {' '.join(row[1])}")
def test_every_row_says_where_it_was_seen(row: tuple[str, list[str], str]) -> None:
    source = row[2]
    names = {recording.name.replace("-", "/", 1).split("/", 1)[0]: set[str]() for recording in ALL}
    for recording in ALL:
        folder, name = recording.name.split("/")
        names[folder.split("-")[0]].add(name)
    assert "§" in source or "scripted" in source or "`" in source
    for program, name in re.findall(r"(cbc |claude )?`([a-z-]+)`", source):
        if name not in ("file-history-snapshot", "cached", "paused"):
            found = [names[program.strip()]] if program else list(names.values())
            assert all(name in each for each in found), f"{program}{name}"
