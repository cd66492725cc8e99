"""The worker's events: the agent CLI as the session sees it."""

from pydantic import Field

from bossbot.domain.events.base import Payload
from bossbot.domain.events.task import NOWHERE, Workspace


class WorkerHeartbeat(Payload):
    """`status` is `idle`, `busy` or `offline`. `load`: how much of the worker is taken, 0 to 1; none when offline."""

    TYPE = "worker.heartbeat"
    worker_id: str
    status: str
    current_task_id: str | None = None
    load: float | None = None
    reason: str = ""


class WorkerCapabilitiesUpdated(Payload):
    """What the agent CLI of this session can do. `agent_session_id` is the CLI's own, for interrupt and resume."""

    TYPE = "worker.capabilities.updated"
    worker_id: str
    hostname: str = ""
    os: str = ""
    shell: str = ""
    capabilities: tuple[str, ...] = ()
    agent_session_id: str = ""
    dialect: str = ""
    model: str = ""
    workflows: bool = False
    joins_mid_turn: bool = Field(default=False, description="(ours) a message in mid-turn is read by that turn")
    workspace: Workspace = Field(default=NOWHERE, description="(ours) where it works")


class WorkerAssignmentAccepted(Payload):
    TYPE = "worker.assignment.accepted"
    assignment_id: str
    worker_id: str


class WorkerAssignmentRejected(Payload):
    """The worker does not take the task: `reason` says why. The task is queued again, `task.queued`."""

    TYPE = "worker.assignment.rejected"
    assignment_id: str
    worker_id: str
    reason: str = ""
