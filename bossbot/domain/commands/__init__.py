"""Commands: wishes that may be refused. People's come from chat, the agent's from its frames (`bossbot.agent`).

A command carries every id that its events will need: the domain mints nothing and knows no clock.
"""

from bossbot.domain.commands.artifact import AddArtifact
from bossbot.domain.commands.board import CreatePlan, PlanEntry, ReportProgress, UpdateTask
from bossbot.domain.commands.manager import (
    AddManagerText,
    AgentExited,
    BeginOwnTurn,
    BeginText,
    DelayTurn,
    EndTurn,
    FinishToolCall,
    Host,
    RecordRuling,
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
    ArchiveSession,
    ClassifyMessage,
    CloseSession,
    DoubtMessage,
    ExpireApproval,
    GiveUp,
    Interrupt,
    KeepPlan,
    OpenSession,
    Reject,
    RenameSession,
    RepeatMessage,
    SteerTurn,
    TryAgain,
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
    | ExpireApproval
    | DoubtMessage
    | RepeatMessage
    | RenameSession
    | ArchiveSession
    | ApplyPlanDiff
    | KeepPlan
    | Interrupt
    | TryAgain
    | GiveUp
    | CloseSession
    | UpdateCapabilities
    | AddManagerText
    | RequestToolCall
    | FinishToolCall
    | RecordRuling
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
    | AddArtifact
    | BeginOwnTurn
    | BeginText
    | DelayTurn
    | EndTurn
    | AgentExited
    | Recover
)

__all__ = [
    "AddArtifact",
    "AddManagerText",
    "AddMessage",
    "AgentExited",
    "AnswerQuestion",
    "ApplyPlanDiff",
    "Approve",
    "ArchiveSession",
    "BeginOwnTurn",
    "BeginText",
    "ClassifyMessage",
    "CloseSession",
    "Command",
    "CreateNativeTask",
    "CreatePlan",
    "DelayTurn",
    "DoubtMessage",
    "EndBackgroundTask",
    "EndTurn",
    "ExpireApproval",
    "FinishToolCall",
    "GiveUp",
    "Host",
    "Interrupt",
    "KeepPlan",
    "OpenSession",
    "PlanEntry",
    "RecordRuling",
    "Recover",
    "Reject",
    "RenameSession",
    "RepeatMessage",
    "ReportProgress",
    "ReportSnapshot",
    "RequestApproval",
    "RequestToolCall",
    "SnapshotEntry",
    "StartBackgroundTask",
    "SteerTurn",
    "TryAgain",
    "UpdateBackgroundTask",
    "UpdateCapabilities",
    "UpdateNativeTask",
    "UpdateTask",
    "WithdrawApproval",
]
