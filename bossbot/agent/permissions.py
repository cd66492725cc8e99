"""May this tool run? The rules answer first; what they leave open becomes a request that waits for a person."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec import structs

from bossbot.agent.context import Context
from bossbot.agent.reading import Allow, Deny, Reading
from bossbot.domain import commands as c
from bossbot.domain.events import Question, QuestionOption
from bossbot.domain.policy import Policy, Ruling
from bossbot.domain.risk import FILE_TOOLS, QUESTION_TOOL, SHELLS, Risk, assess, parse_questions
from bossbot.ids import ApprovalId
from bossbot.streamjson import frames as f

RULED_CHARS = 2_000
"""Of a call that the rules decided so much is recorded: nobody had to read it, and a file's content may be large."""


_DESCRIBED = SHELLS | FILE_TOOLS | {"Workflow"}


@dataclass(slots=True)
class Permissions:
    """Reads `can_use_tool`.

    `pending` holds the requests that wait for a person, by request id, as the CLI sent them: their input never leaves
    this process.
    """

    context: Context
    policy: Policy
    pending: dict[str, f.ControlRequest] = field(default_factory=dict)

    def asked(self, frame: f.ControlRequest, asked: f.CanUseTool, out: Reading) -> None:
        """The rules, else a person. They read of the tool that will run, which the CLI may call through another."""
        tool, given = self.context.meant(asked.tool_name, asked.input)
        request = structs.replace(asked, tool_name=tool, input=given)
        if request.tool_use_id is not None:
            self.context.calls.setdefault(request.tool_use_id, (request.tool_name, request.input))
        match self._ruling(asked, request):
            case Ruling.ALLOW:
                out.replies.append(Allow(frame))
                out.commands.append(self._ruled(frame, request, "allow"))
            case Ruling.DENY:
                out.replies.append(Deny(frame, f"{request.tool_name} is denied by the rules of this bot"))
                out.commands.append(self._ruled(frame, request, "deny"))
            case Ruling.ASK if request.tool_name == QUESTION_TOOL and not parse_questions(request.input):
                # Nobody could answer it: the card would show nothing, and the agent would wait for ever.
                out.replies.append(Deny(frame, "no question could be read; ask again, with a question and options"))
            case Ruling.ASK:
                self.pending[frame.request_id] = frame
                out.commands.append(self._approval(frame, request))

    def _ruling(self, asked: f.CanUseTool, request: f.CanUseTool) -> Ruling:
        """A denial of the tool that it goes through counts as well, an allowance does not."""
        if self.policy.rule(asked.tool_name, asked.input) is Ruling.DENY:
            return Ruling.DENY
        return self.policy.rule(request.tool_name, request.input)

    def cancelled(self, request_id: str, out: Reading) -> None:
        """`control_cancel_request`: nobody waits for the decision any more."""
        self.pending.pop(request_id, None)
        out.commands.append(c.WithdrawApproval(request_id, "the agent took the request back"))

    def as_asked(self, request: f.ControlRequest, answers: Mapping[str, str]) -> dict[str, str]:
        """Answers with the questions and labels as the CLI wrote them: the log has them without secrets."""
        if not isinstance(request.request, f.CanUseTool):
            return dict(answers)
        clean, found = self.context.clean, dict(answers)
        for question in parse_questions(request.request.input):
            told = found.pop(clean(question.question), None)
            if told is None:
                continue
            for option in question.options:
                told = told.replace(clean(option.label), option.label)
            found[question.question] = told
        return found

    def _ruled(
        self, frame: f.ControlRequest, request: f.CanUseTool, ruling: Literal["allow", "deny"]
    ) -> c.RecordRuling:
        risk = assess(request.tool_name, request.input)
        return c.RecordRuling(
            tool=request.tool_name,
            ruling=ruling,
            request_id=frame.request_id,
            summary=self._summary(request, risk),
            detail=self.context.clip(risk.detail, RULED_CHARS),
            tool_use_id=request.tool_use_id,
        )

    def _approval(self, frame: f.ControlRequest, request: f.CanUseTool) -> c.RequestApproval:
        clean = self.context.clean
        risk = assess(request.tool_name, request.input)
        description = request.input.get("description") or request.description or ""
        return c.RequestApproval(
            approval_id=ApprovalId(self.context.mint("apr")),
            request_id=frame.request_id,
            tool=request.tool_name,
            kind=risk.kind,
            summary=self._summary(request, risk),
            risk_level=risk.level,
            fingerprint=fingerprint(request.tool_name, request.input),
            tool_use_id=request.tool_use_id,
            description=clean(str(description)),
            detail=clean(risk.detail),
            detail_language=risk.language,
            questions=tuple(self._shown(question) for question in risk.questions),
            risks=risk.reasons,
        )

    def _summary(self, request: f.CanUseTool, risk: Risk) -> str:
        """A summary that was cut is made again of the call without secrets: it may end within one."""
        if not risk.summary.endswith("…"):
            return self.context.clean(risk.summary)
        return assess(request.tool_name, self._cleaned(request.input)).summary

    def _cleaned(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.context.clean(value)
        if isinstance(value, list):
            return [self._cleaned(inner) for inner in value]
        return {key: self._cleaned(inner) for key, inner in value.items()} if isinstance(value, dict) else value

    def _shown(self, question: Question) -> Question:
        """What a person reads, without secrets."""
        clean = self.context.clean
        return Question(
            question=clean(question.question),
            header=clean(question.header),
            multi_select=question.multi_select,
            options=tuple(
                QuestionOption(label=clean(option.label), description=clean(option.description))
                for option in question.options
            ),
        )


def fingerprint(tool: str, tool_input: Mapping[str, Any]) -> str:
    """Tells one tool call from another by the whole of its input, less the model's own words about it.

    `description` is that for some tools of the CLIs; for any other it is something that the tool works with.
    """
    said = {key: value for key, value in tool_input.items() if key != "description" or tool not in _DESCRIBED}
    canonical = json.dumps([tool, said], ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()
