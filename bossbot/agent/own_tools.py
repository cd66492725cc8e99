"""The tools that we serve to the manager: what each takes, as models; their JSON schemas are made from these.

The descriptions are read by the model: they say when to call the tool. Lengths keep cards readable and the log small.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from bossbot.domain.own_tools import ASK_USER, PLAN_CREATE, REPORT_PROGRESS, TASK_UPDATE
from bossbot.domain.task import KINDS

MAX_TASKS = 50
MAX_OPTIONS = 20


def _text(most: int, least: int = 0) -> Any:
    return StringConstraints(strip_whitespace=True, min_length=least, max_length=most)


Title = Annotated[str, _text(200, 1)]
Line = Annotated[str, _text(200)]
Words = Annotated[str, _text(2_000)]


class BadArguments(ValueError):
    """What a call was given does not fit. The text says each place and what is wrong there; the model reads it."""


class _OwnTool(BaseModel):
    """Arguments of one of our tools. The docstring is the description that the model reads."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class PlanItem(BaseModel):
    """A task of the plan."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    title: Title = Field(description="Short and unique within the plan.")
    kind: Line = Field(
        default="implementation",
        description=f"What sort of work: {', '.join(KINDS)}, or a word of your own.",
    )
    priority: Literal["low", "normal", "high"] = "normal"
    depends_on: tuple[Title, ...] = Field(
        default=(), max_length=MAX_TASKS, description="Titles (or ids) of the tasks that must be done before it."
    )
    parent: Line = Field(default="", description="Title (or id) of the task that it is a part of, listed before it.")
    risk_level: Literal["low", "medium", "high"] = Field(default="low", description="What can go wrong in it.")
    execution_mode: Literal["independent", "collaborative", "research_only"] = Field(
        default="independent", description="research_only changes nothing; collaborative shares with other tasks."
    )
    shared_context_refs: tuple[Title, ...] = Field(
        default=(),
        max_length=MAX_TASKS,
        description="For collaborative: the tasks (title or id) or artifacts (id) whose results it builds on.",
    )
    handoff_expected: bool = Field(default=False, description="For collaborative: others build on its result.")


class PlanCreate(_OwnTool):
    """Put your plan on the board that the people in the chat see. Call it when a job has several steps, before you
    begin them, with all its tasks in order; call it again with the whole list when the plan grows. Tasks that are on
    the board under the same title keep their state."""

    objective: Annotated[str, _text(500)] = Field(default="", description="What the plan is for, in one sentence.")
    tasks: tuple[PlanItem, ...] = Field(min_length=1, max_length=MAX_TASKS)


class TaskUpdate(_OwnTool):
    """Move a task of the board, or say how far it is: when you begin it (running), cannot go on (blocked), finish it
    (completed), give up (failed) or drop it (cancelled)."""

    task: Title = Field(description="The task's id or title.")
    status: Literal["", "running", "blocked", "paused", "completed", "failed", "cancelled"] = Field(
        default="", description="Empty: it stays as it is."
    )
    progress_percent: int | None = Field(default=None, ge=0, le=100)
    note: Words = Field(default="", description="One or two sentences for the people: what was found, why it waits.")


class ReportProgress(_OwnTool):
    """Tell the people in the chat how far you are, in a structured summary. Call it at turning points of long work,
    not after every step; it does not end your turn."""

    task: Line = Field(default="", description="The task's id or title; empty: the one that runs, or the whole turn.")
    summary: Words = Field(description="What has been found or done so far.")
    progress_percent: int | None = Field(default=None, ge=0, le=100)
    current_step: Line = ""
    next_step: Line = ""
    risk: Literal["", "low", "medium", "high"] = ""


class Option(BaseModel):
    """An answer to choose."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    label: Annotated[str, _text(75, 1)]
    description: Line = ""


class AskUser(_OwnTool):
    """Ask the people in the chat a question and wait for the answer: a choice by button, or words of their own. Ask
    only what you cannot find out yourself."""

    question: Annotated[str, _text(2_000, 1)]
    header: Annotated[str, _text(40)] = Field(default="", description="One or two words: what it is about.")
    options: tuple[Option, ...] = Field(default=(), max_length=MAX_OPTIONS)
    multi_select: bool = Field(default=False, description="Several options may be chosen.")


OwnTool = PlanCreate | TaskUpdate | ReportProgress | AskUser

SHOWN_AT_ONCE = {"anthropic/alwaysLoad": True}
"""Claude Code with an account shows the model the tools of servers only when it searches for them; not these. cbc
holds back its own tools alone."""

OWN_TOOLS: Mapping[str, type[OwnTool]] = {
    PLAN_CREATE: PlanCreate,
    TASK_UPDATE: TaskUpdate,
    REPORT_PROGRESS: ReportProgress,
    ASK_USER: AskUser,
}


def parse_arguments(tool: type[OwnTool], arguments: object) -> OwnTool:
    """The arguments as the tool's model. Raises `BadArguments`."""
    try:
        return tool.model_validate(arguments)
    except ValidationError as error:
        found = error.errors(include_input=False, include_url=False, include_context=False)
        raise BadArguments("; ".join(f"{_place(item['loc'])}: {item['msg']}" for item in found[:5])) from None


def _place(loc: tuple[int | str, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).lstrip(".") or "arguments"


def tool_list() -> list[dict[str, Any]]:
    """What `tools/list` answers."""
    return [
        {
            "name": name,
            "description": " ".join((tool.__doc__ or "").split()),
            "inputSchema": _schema(tool),
            "_meta": SHOWN_AT_ONCE,
        }
        for name, tool in OWN_TOOLS.items()
    ]


def _schema(tool: type[BaseModel]) -> dict[str, Any]:
    """The model's schema without references and titles: model endpoints differ in what they follow."""
    schema = tool.model_json_schema()
    plain = _plain(schema, schema.pop("$defs", {}))
    plain.pop("description", None)
    assert isinstance(plain, dict)
    return plain


def _plain(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_plain(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _plain(definitions[str(node["$ref"]).rsplit("/", 1)[-1]], definitions)
    kept = {key: value for key, value in node.items() if key != "title" or not isinstance(value, str)}
    return {key: _plain(value, definitions) for key, value in kept.items()}
