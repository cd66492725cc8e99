"""What of a tool's input tells most, for events and cards, and how much of it is shown."""

import json
import re
from collections.abc import Mapping
from typing import Any

INPUT_CHARS = 300
OUTPUT_CHARS = 2_000
_META_NAME = re.compile(r"""\bname\s*:\s*(['"`])(?P<name>[^'"`\n]{1,80})\1""")
_TELLING = ("command", "file_path", "notebook_path", "path", "pattern", "url", "query", "subject", "description")


def told_input(tool: str, tool_input: Mapping[str, Any]) -> str:
    """The one field that tells most of what the tool will do, else the whole input as JSON. Not cut."""
    for key in _TELLING:
        value = tool_input.get(key)
        if isinstance(value, str) and value:
            return " ".join(value.split())
    if tool == "Workflow":
        return script_name(tool_input)
    return json.dumps(tool_input, ensure_ascii=False, default=str) if tool_input else ""


def script_name(tool_input: Mapping[str, Any]) -> str:
    """The name that a workflow script gives itself (`meta.name`), or nothing. The script is read as text, never run."""
    script = tool_input.get("script")
    match = _META_NAME.search(script[:5_000]) if isinstance(script, str) else None
    return match["name"] if match is not None else ""
