"""May this tool run? The rules answer first; what they leave open becomes a request that waits for a person."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bossbot.agent.context import Context
from bossbot.agent.reading import Allow, Deny, Reading
from bossbot.domain import commands as c
from bossbot.domain.policy import Policy, Ruling
from bossbot.domain.risk import QUESTION_TOOL, assess, parse_questions
from bossbot.ids import ApprovalId
from bossbot.streamjson import frames as f


@dataclass(slots=True)
class Permissions:
    """Reads `can_use_tool`.

    `pending` holds the requests that wait for a person, by request id, as the CLI sent them: their input never leaves
    this process.
    """

    context: Context
    policy: Policy
    pending: dict[str, f.ControlRequest] = field(default_factory=dict)

    def asked(self, frame: f.ControlRequest, request: f.CanUseTool, out: Reading) -> None:
        """The rules, else a person."""
        if request.tool_use_id is not None:
            self.context.calls.setdefault(request.tool_use_id, (request.tool_name, request.input))
        match self.policy.rule(request.tool_name, request.input):
            case Ruling.ALLOW:
                out.replies.append(Allow(frame))
            case Ruling.DENY:
                out.replies.append(Deny(frame, f"{request.tool_name} is denied by the rules of this bot"))
            case Ruling.ASK if request.tool_name == QUESTION_TOOL and not parse_questions(request.input):
                # Nobody could answer it: the card would show nothing, and the agent would wait for ever.
                out.replies.append(Deny(frame, "no question could be read; ask again, with a question and options"))
            case Ruling.ASK:
                self.pending[frame.request_id] = frame
                out.commands.append(self._approval(frame, request))

    def cancelled(self, request_id: str, out: Reading) -> None:
        """`control_cancel_request`: nobody waits for the decision any more."""
        self.pending.pop(request_id, None)
        out.commands.append(c.WithdrawApproval(request_id, "the agent took the request back"))

    def _approval(self, frame: f.ControlRequest, request: f.CanUseTool) -> c.RequestApproval:
        clean = self.context.clean
        risk = assess(request.tool_name, request.input)
        description = request.input.get("description") or request.description or ""
        return c.RequestApproval(
            approval_id=ApprovalId(self.context.mint("apr")),
            request_id=frame.request_id,
            tool=request.tool_name,
            kind=risk.kind,
            summary=clean(risk.summary),
            risk_level=risk.level,
            fingerprint=fingerprint(request.tool_name, request.input),
            tool_use_id=request.tool_use_id,
            description=clean(str(description)),
            detail=clean(risk.detail),
            detail_language=risk.language,
            questions=risk.questions,
            risks=risk.reasons,
        )


def fingerprint(tool: str, tool_input: Mapping[str, Any]) -> str:
    """Tells one tool call from another by the whole of its input, less the model's own words about it."""
    said = {key: value for key, value in tool_input.items() if key != "description"}
    canonical = json.dumps([tool, said], ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()
