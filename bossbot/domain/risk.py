"""How dangerous a tool call is, and what a person must see of it before deciding. Advice, not a gate: the policy gates.

Levels are the protocol's `low`, `medium`, `high`. The patterns name what loses data, leaves the machine or raises
rights; a command that matches none is still `medium`, because a shell can do anything.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bossbot.domain.events import Question, QuestionOption

SHELLS = frozenset({"Bash", "PowerShell", "Monitor"})
"""Monitor runs a command in the background and wakes the model by what it writes."""
FILE_TOOLS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
QUESTION_TOOL = "AskUserQuestion"
SUMMARY_CHARS = 120

_DANGERS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), reason)
    for pattern, reason in (
        (r"\brm\s+(-\S+\s+)*-\S*[rf]|\brm\s+--(recursive|force)|\brmdir\b|\bunlink\b|\bRemove-Item\b", "deletes files"),
        (r"\bfind\b.*\s-delete\b|\bfind\b.*-exec\s+rm\b|\bshred\b|\btruncate\s", "deletes files"),
        (
            r"\bgit\s+(push\b.*(--force|-f\b|--delete|--mirror)|reset\s+--hard|clean\s+-\S*[fdx])",
            "discards git history",
        ),
        (r"\bgit\s+(checkout|restore)\s+(--\s+)?\.|\bgit\s+branch\s+-D\b", "discards changes"),
        (r"\bgit\s+push\b", "publishes to a remote"),
        (r"\b(sudo|doas|su)\b|\bchmod\s+(-R\b|777)|\bchown\s+-R\b|\bsetcap\b", "raises or spreads rights"),
        (r"\b(dd|mkfs(\.\w+)?|fdisk|parted|wipefs)\b|>\s*/dev/(sd|nvme|disk)", "writes to disks"),
        (
            r"\b(curl|wget|iwr|Invoke-WebRequest)\b.*\|\s*(\w*sh|python\d?|node|perl|iex)\b",
            "runs code from the network",
        ),
        (r"\b(eval|base64\s+(-d|--decode))\b.*\|?", "runs hidden code"),
        (r"\b(shutdown|reboot|halt|poweroff|systemctl\s+(stop|disable|mask)|kill(all)?|pkill)\b", "stops programs"),
        (r"\b(drop\s+(table|database|schema)|truncate\s+table|delete\s+from)\b", "deletes data"),
        (r"\b(npm|pnpm|yarn|cargo|twine|gem)\s+publish\b|\btwine\s+upload\b", "publishes a package"),
        (
            r"\b(terraform|pulumi)\s+(apply|destroy)|\bkubectl\s+(delete|apply|drain)|\bhelm\s+(uninstall|upgrade)",
            "changes servers",
        ),
        (r"\bdocker\s+(system\s+prune|volume\s+rm|rm\s+-f)", "deletes containers"),
        (r"/\.(ssh|aws|gnupg|kube|netrc|npmrc|pypirc)\b|\bid_(rsa|ed25519)\b|\.env\b", "touches secrets"),
        (r"\bcrontab\b|/etc/|\.(bashrc|zshrc|profile)\b", "changes the system"),
        (r":\s*\(\s*\)\s*\{.*\}\s*;", "a fork bomb"),
    )
)


@dataclass(frozen=True, slots=True)
class Risk:
    """What a tool call is and how dangerous. `detail` is the whole of it, in `language`; `reasons` are short."""

    kind: str
    level: str
    summary: str
    detail: str
    language: str
    reasons: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()


def assess(tool: str, tool_input: Mapping[str, Any]) -> Risk:
    """The risk of calling `tool` with `tool_input`. Never raises: an input of unknown shape is shown as it is."""
    command = tool_input.get("command")
    if tool in SHELLS and isinstance(command, str):
        reasons = tuple(dict.fromkeys(reason for pattern, reason in _DANGERS if pattern.search(command)))
        if tool_input.get("dangerouslyDisableSandbox"):
            reasons += ("runs outside the sandbox",)
        level = "high" if reasons else "medium"
        language = "powershell" if tool == "PowerShell" else "bash"
        return Risk("dangerous_command", level, f"Run {_first_line(command)}", command, language, reasons)
    if tool in FILE_TOOLS:
        path = str(tool_input.get("file_path") or tool_input.get("notebook_path") or "a file")
        reasons = tuple(dict.fromkeys(reason for pattern, reason in _DANGERS[-3:-1] if pattern.search(path)))
        detail, language = _file_change(path, tool_input)
        return Risk(
            "file_change", "high" if reasons else "medium", f"{tool} {_first_line(path)}", detail, language, reasons
        )
    if tool == QUESTION_TOOL:
        questions = parse_questions(tool_input)
        first = questions[0].question if questions else "a question"
        return Risk("question", "low", _first_line(first), "", "", questions=questions)
    if tool == "Workflow":
        script = tool_input.get("script")
        others = {key: value for key, value in tool_input.items() if key not in ("script", "description")}
        detail = f"{script}\n\n{_json(others)}".removesuffix("\n\n{}") if isinstance(script, str) else _json(tool_input)
        return Risk("workflow", "medium", "Run a workflow of several agents", detail, "javascript")
    return Risk("tool_call", "medium", f"Use {_first_line(tool)}", _json(tool_input), "json")


def parse_questions(tool_input: Mapping[str, Any]) -> tuple[Question, ...]:
    """The questions of an AskUserQuestion input; what has no question text is left out."""
    raw = tool_input.get("questions")
    found = []
    for item in raw if isinstance(raw, list) else []:
        if not isinstance(item, Mapping) or not isinstance(item.get("question"), str):
            continue
        options = item.get("options")
        found.append(
            Question(
                question=item["question"],
                header=str(item.get("header") or ""),
                multi_select=item.get("multiSelect") is True,
                options=tuple(
                    QuestionOption(label=str(o["label"]), description=str(o.get("description") or ""))
                    for o in (options if isinstance(options, list) else [])
                    if isinstance(o, Mapping) and o.get("label")
                ),
            )
        )
    return tuple(found)


def _file_change(path: str, tool_input: Mapping[str, Any]) -> tuple[str, str]:
    """A form for reading, only where it shows everything that the call was given."""
    given = tool_input.keys() - {"description", "file_path"}
    if given == {"content"} and isinstance(tool_input["content"], str):
        return f"{path}\n\n{tool_input['content']}", ""
    old, new = tool_input.get("old_string"), tool_input.get("new_string")
    plain = given - {"replace_all"} == {"old_string", "new_string"} and tool_input.get("replace_all") in (None, False)
    if plain and isinstance(old, str) and isinstance(new, str):
        removed = "\n".join(f"-{line}" for line in old.split("\n"))
        added = "\n".join(f"+{line}" for line in new.split("\n"))
        return f"{path}\n{removed}\n{added}", "diff"
    return _json(tool_input), "json"


def _first_line(text: str) -> str:
    line = text.strip().split("\n", 1)[0]
    cut = len(line) > SUMMARY_CHARS or "\n" in text.strip()
    return line[:SUMMARY_CHARS] + ("…" if cut else "")


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)
