"""Commands: wishes that may be refused. People's come from chat, the agent's from its frames (`bossbot.agent`).

A command carries every id that its events will need: the domain mints nothing and knows no clock.
"""

from bossbot.domain.commands.board import CreatePlan, PlanEntry, ReportProgress, UpdateTask
from bossbot.domain.commands.manager import (
    AddManagerText,
    AgentExited,
    BeginOwnTurn,
    EndTurn,
    FinishToolCall,
    Recover,
    RequestApproval,
    RequestToolCall,
    UpdateCapabilities,
    WithdrawApproval,
)
from bossbot.domain.commands.people import (
    AddMessage,
    AnswerQuestion,
    ApplyPlanDiff,
    Approve,
    ClassifyMessage,
    CloseSession,
    Interrupt,
    KeepPlan,
    OpenSession,
    Reject,
    SteerTurn,
)
from bossbot.domain.commands.work import (
    CreateNativeTask,
    EndBackgroundTask,
    ReportSnapshot,
    SnapshotEntry,
    StartBackgroundTask,
    UpdateBackgroundTask,
    UpdateNativeTask,
)

Command = (
    OpenSession
    | AddMessage
    | SteerTurn
    | ClassifyMessage
    | Approve
    | Reject
    | AnswerQuestion
    | ApplyPlanDiff
    | KeepPlan
    | Interrupt
    | CloseSession
    | UpdateCapabilities
    | AddManagerText
    | RequestToolCall
    | FinishToolCall
    | RequestApproval
    | WithdrawApproval
    | CreateNativeTask
    | UpdateNativeTask
    | StartBackgroundTask
    | ReportSnapshot
    | UpdateBackgroundTask
    | EndBackgroundTask
    | CreatePlan
    | UpdateTask
    | ReportProgress
    | BeginOwnTurn
    | EndTurn
    | AgentExited
    | Recover
)

__all__ = [
    "AddManagerText",
    "AddMessage",
    "AgentExited",
    "AnswerQuestion",
    "ApplyPlanDiff",
    "Approve",
    "BeginOwnTurn",
    "ClassifyMessage",
    "CloseSession",
    "Command",
    "CreateNativeTask",
    "CreatePlan",
    "EndBackgroundTask",
    "EndTurn",
    "FinishToolCall",
    "Interrupt",
    "KeepPlan",
    "OpenSession",
    "PlanEntry",
    "Recover",
    "Reject",
    "ReportProgress",
    "ReportSnapshot",
    "RequestApproval",
    "RequestToolCall",
    "SnapshotEntry",
    "StartBackgroundTask",
    "SteerTurn",
    "UpdateBackgroundTask",
    "UpdateCapabilities",
    "UpdateNativeTask",
    "UpdateTask",
    "WithdrawApproval",
]
