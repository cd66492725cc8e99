"""What the rules say of a tool call: allow, ask or deny. Deny wins; without a rule a person is asked.

A rule is a tool's name (`Read`), or a name with a pattern for what it is called with (`Bash(git status*)`): `*` stands
for any text. A shell command that holds more than one command never matches a pattern, only its exact text: otherwise
`git status*` would allow `git status; rm -rf /`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bossbot.domain.own_tools import OWN_TOOLS
from bossbot.domain.risk import QUESTION_TOOL, SHELLS, assess

_RULE = re.compile(r"(?P<tool>[\w.-]+)(?:\((?P<pattern>.*)\))?", re.DOTALL)
_SEVERAL_COMMANDS = re.compile(r"[;&|<>`$\n\r\\(){}]")


class Ruling(StrEnum):
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class BadRule(ValueError):
    """A rule that cannot be read. The text names it and says how a rule looks."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, parsed."""

    tool: str
    pattern: str | None

    @staticmethod
    def parse(text: str) -> "Rule":
        """`Tool` or `Tool(pattern)`; anything else raises `BadRule`."""
        match = _RULE.fullmatch(text.strip())
        if match is None:
            raise BadRule(f"{text!r} is not a rule; write Tool or Tool(pattern), for example Bash(git status*)")
        return Rule(match["tool"], match["pattern"])

    def matches(self, tool: str, detail: str) -> bool:
        """True if the rule speaks of this call."""
        if self.tool != tool:
            return False
        if self.pattern is None or self.pattern == detail:
            return True
        if tool in SHELLS and _SEVERAL_COMMANDS.search(detail):
            return False
        glob = ".*".join(re.escape(part) for part in self.pattern.split("*"))
        return re.fullmatch(glob, detail, re.DOTALL) is not None


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of the configuration."""

    allow: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()

    @staticmethod
    def parse(allow: tuple[str, ...], deny: tuple[str, ...]) -> "Policy":
        """Reads both lists; raises `BadRule`."""
        return Policy(tuple(map(Rule.parse, allow)), tuple(map(Rule.parse, deny)))

    def rule(self, tool: str, tool_input: Mapping[str, Any]) -> Ruling:
        """What is to be done with this call. Our own tools need no permission; a question always goes to a person."""
        detail = assess(tool, tool_input).detail
        if any(self._denies(rule, tool, detail) for rule in self.deny):
            return Ruling.DENY
        if tool in OWN_TOOLS:
            return Ruling.ALLOW
        if tool == QUESTION_TOOL:
            return Ruling.ASK
        if tool_input.get("dangerouslyDisableSandbox"):
            return Ruling.ASK
        if any(rule.matches(tool, detail) for rule in self.allow):
            return Ruling.ALLOW
        return Ruling.ASK

    @staticmethod
    def _denies(rule: Rule, tool: str, detail: str) -> bool:
        """A denial also matches inside a longer command: it may err on the safe side, an allowance may not."""
        if rule.tool != tool:
            return False
        if rule.pattern is None:
            return True
        glob = ".*".join(re.escape(part) for part in rule.pattern.split("*"))
        return re.search(glob, detail, re.DOTALL) is not None
