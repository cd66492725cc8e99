"""How the two agent CLIs differ, one row each. Code elsewhere asks the row, never which CLI it is.

Every entry was seen on the real programs (cbc 2.163.0, Claude Code 2.1.220); the tests run them again.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from bossbot.streamjson.control import CanUseTool

Json = dict[str, Any]


class SessionAllow(Enum):
    """Who remembers "allow for this session"."""

    OURS = auto()
    """The CLI asks again each time: the rule must live on our side."""
    SUGGESTED = auto()
    """The request suggests permissions; one of them, sent back, keeps the CLI from asking again."""


class MidTurn(Enum):
    """What a user message does that is written while a turn runs."""

    BREAKS = auto()
    """It starts a second turn beside the first, whose tools still run while its words and end are lost."""
    JOINS = auto()
    """It is read by the running turn at its next tool call, or answered after it."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One CLI's way of speaking.

    `wheel` and `wheel_program`: the Python package that brings the program along, and where in it.
    `version` matches what the program prints for `--version`; `tested` is the version that the tests run against,
    and before `oldest` it did not speak this protocol.
    `permission_modes` and `efforts` are the words that its flags take; cbc hangs on any other.
    `nowhere` turns it to a model endpoint that does not exist, so that it can be looked at without a cost.
    `advice`: what its own error texts mean for the person who runs the bot.
    `settle_s`: how long after a `result` a user message or an interrupt may be lost, or done twice, or run into a turn
    that begins by itself; on a machine on which `initialize` is answered in `usual_start_s`.
    `turn_sign`: the `system` line with which a turn begins; an interrupt before it is answered and then forgotten.
    `interrupt_also`: what an interrupt must say so that it stops everything, also what waits to be read.
    `echoes` are texts that the CLI puts into the model's mouth, or the person's, when interrupted.
    `echo_ends_turn`: after an interrupt, such an echo may be the last word; no `result` follows it.
    `withdraws`: an interrupt takes waiting requests back by `control_cancel_request`; else they expire in silence.
    `goes_through`: a tool that runs another, and the names of its two fields: the other tool's name, and its input.
    `output_folder`: in the folder for temporary files, with the user's number behind it, where outputs of tasks lie.
    """

    name: str
    title: str
    program_names: tuple[str, ...]
    wheel: str
    wheel_program: str
    env_prefixes: tuple[str, ...]
    conversation_flags: tuple[str, ...]
    side_call_flags: tuple[str, ...]
    hooks: Json | None
    session_allow: SessionAllow
    mid_turn: MidTurn
    settle_s: float
    usual_start_s: float
    turn_sign: str
    interrupt_also: Json
    echoes: frozenset[str]
    echo_ends_turn: bool
    withdraws: bool
    goes_through: tuple[str, str, str] | None
    output_folder: str
    allow: Callable[[Json, Sequence[Json]], Json]
    deny: Callable[[str, bool], Json]
    version: re.Pattern[str]
    tested: str
    oldest: tuple[int, ...]
    permission_modes: frozenset[str]
    efforts: frozenset[str]
    nowhere: Mapping[str, str]
    advice: tuple[tuple[re.Pattern[str], str], ...]

    def explained(self, told: str) -> str:
        """The CLI's own error text, behind what to do about it if that is known."""
        found = next((advice for pattern, advice in self.advice if pattern.search(told)), "")
        return f"{found} ({self.title} says: {told})" if found else told

    def is_older(self, version: str, than: str | tuple[int, ...]) -> bool:
        """Whether a version comes before another; the numbers count, not what is behind them."""
        other = _numbers(than) if isinstance(than, str) else than
        return _numbers(version) < other

    def meant(self, tool: str, tool_input: Json) -> tuple[str, Json]:
        """The tool that a call is for, and what that is given: a call may go through another tool."""
        if self.goes_through is None or tool != self.goes_through[0]:
            return tool, tool_input
        name, given = (tool_input.get(field) for field in self.goes_through[1:])
        if isinstance(name, str) and name and name != tool and isinstance(given, dict):
            return name, given
        return tool, tool_input

    def conversation(
        self,
        *,
        model: str = "",
        effort: str = "",
        permission_mode: str = "",
        resume: str = "",
        partial: bool = False,
        extra: Sequence[str] = (),
    ) -> list[str]:
        """The arguments for a conversation on stdio that asks us for permissions; `partial`: texts also in pieces."""
        arguments = list(self.conversation_flags)
        if permission_mode:
            arguments += ["--permission-mode", permission_mode]
        if model:
            arguments += ["--model", model]
        if effort:
            arguments += ["--effort", effort]
        if partial:
            arguments.append("--include-partial-messages")
        if resume:
            arguments.append(f"--resume={resume}")  # one word, so that no id can be taken for a flag
        return [*arguments, *extra]

    def side_call(self, schema: Mapping[str, object], *, model: str = "") -> list[str]:
        """The arguments for one structured answer; the prompt goes to stdin."""
        chosen = ["--model", model] if model else []
        return [*self.side_call_flags, *chosen, "--json-schema", json.dumps(schema, ensure_ascii=False)]


def _numbers(version: str) -> tuple[int, ...]:
    match = re.match(r"v?(\d+(?:\.\d+)*)", version)
    return tuple(map(int, match[1].split("."))) if match is not None else ()


_NOWHERE = "http://127.0.0.1:9"
"""The port of the discard service: nobody listens."""

_FLAGS = (
    re.compile(r"unknown option|error: option '"),
    "The agent CLI refuses its arguments: correct [agent] args, or what the named option is set by.",
)

_STREAM = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
_ONE_ANSWER = ("-p", "--output-format", "json", "--strict-mcp-config", "--no-session-persistence", "--tools")


def _cbc_allow(updated_input: Json, permissions: Sequence[Json]) -> Json:
    return {"allowed": True, "updatedInput": updated_input}


def _cbc_deny(reason: str, interrupt: bool) -> Json:
    return {"allowed": False, "reason": reason, "interrupt": interrupt}


def _claude_allow(updated_input: Json, permissions: Sequence[Json]) -> Json:
    allow: Json = {"behavior": "allow", "updatedInput": updated_input}
    return {**allow, "updatedPermissions": list(permissions)} if permissions else allow


def _claude_deny(reason: str, interrupt: bool) -> Json:
    return {"behavior": "deny", "message": reason, "interrupt": interrupt}


CBC = Dialect(
    name="cbc",
    title="CodeBuddy",
    program_names=("cbc", "codebuddy"),
    wheel="codebuddy_agent_sdk",
    wheel_program="bin/codebuddy-headless",
    env_prefixes=("CODEBUDDY_",),
    conversation_flags=_STREAM,
    side_call_flags=(*_ONE_ANSWER, "StructuredOutput"),  # with no tools at all it has no way to give the answer
    hooks=None,
    session_allow=SessionAllow.OURS,
    mid_turn=MidTurn.BREAKS,
    settle_s=0.5,
    usual_start_s=2.0,
    turn_sign="status",  # it sends `init` at any time
    interrupt_also={},
    echoes=frozenset({"Interrupted by user"}),
    echo_ends_turn=True,
    withdraws=False,
    goes_through=("DeferExecuteTool", "toolName", "params"),  # for the tools that it does not show the model at once
    output_folder="codebuddy",
    allow=_cbc_allow,
    deny=_cbc_deny,
    version=re.compile(r"codebuddy|^v?\d+\.\d+\.\d+\S*$", re.IGNORECASE),  # 2.163.0 prints its number alone
    tested="2.163.0",
    oldest=(2,),
    permission_modes=frozenset({"default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto"}),
    efforts=frozenset({"minimal", "low", "medium", "high", "xhigh", "max"}),
    nowhere={"CODEBUDDY_BASE_URL": _NOWHERE},
    advice=(
        (
            re.compile(r"Authentication required|use /login"),
            "CodeBuddy is not logged in. As the user that runs the bot, start cbc once and use /login, or set"
            " CODEBUDDY_API_KEY in [agent.env]; then write again.",
        ),
        (
            re.compile(r"No response received from model"),
            "The model gave no answer. If [agent] model is set, it may be a name that CodeBuddy does not know:"
            " cbc --help lists those it does; else look at the connection of the machine.",
        ),
        _FLAGS,
    ),
)

CLAUDE = Dialect(
    name="claude",
    title="Claude Code",
    program_names=("claude",),
    wheel="claude_agent_sdk",
    wheel_program="_bundled/claude",
    env_prefixes=("ANTHROPIC_", "CLAUDE_"),
    conversation_flags=("-p", *_STREAM, "--permission-prompt-tool", "stdio"),
    side_call_flags=(*_ONE_ANSWER, ""),
    hooks={},
    session_allow=SessionAllow.SUGGESTED,
    mid_turn=MidTurn.JOINS,
    settle_s=0.0,
    usual_start_s=1.0,
    turn_sign="init",
    interrupt_also={"cancel_queued": True},  # else it goes on with a message that joined the turn and was not read yet
    echoes=frozenset({"[Request interrupted by user]", "[Request interrupted by user for tool use]"}),
    echo_ends_turn=False,
    withdraws=True,
    goes_through=None,
    output_folder="claude",
    allow=_claude_allow,
    deny=_claude_deny,
    version=re.compile(r"claude", re.IGNORECASE),
    tested="2.1.220",
    oldest=(2,),
    permission_modes=frozenset({"default", "manual", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto"}),
    efforts=frozenset({"low", "medium", "high", "xhigh", "max"}),
    nowhere={"ANTHROPIC_BASE_URL": _NOWHERE},
    advice=(
        (
            re.compile(r"Not logged in|run /login|Invalid API key"),
            "Claude Code is not logged in, or its key is not accepted. As the user that runs the bot, start claude once"
            " and use /login, or set ANTHROPIC_API_KEY in [agent.env]; then write again.",
        ),
        (
            re.compile(r"issue with the selected model"),
            "Claude Code has no such model, or your account may not use it: correct [agent] model.",
        ),
        _FLAGS,
    ),
)

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (CBC, CLAUDE)}


def session_permissions(request: CanUseTool) -> list[Json]:
    """The suggestion that means "this, for this session", ready to be sent back; empty when none fits.

    A rule is kept for the session, wherever the CLI meant to write it. Suggestions that open more than was asked
    about (a whole mode, a directory, a whole tool, a pattern) are left alone: nobody has seen how far they reach.
    """
    for suggestion in request.permission_suggestions or ():
        rules = suggestion.get("rules")
        if suggestion.get("type") != "addRules" or suggestion.get("behavior") != "allow" or not isinstance(rules, list):
            continue
        if rules and all(_is_exact(rule, request.tool_name) for rule in rules):
            return [{**suggestion, "destination": "session"}]
    return []


def _is_exact(rule: object, tool: str) -> bool:
    if not isinstance(rule, dict) or rule.get("toolName") != tool:
        return False
    content = rule.get("ruleContent")
    return isinstance(content, str) and bool(content) and "*" not in content
