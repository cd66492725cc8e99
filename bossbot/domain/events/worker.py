"""The worker's events: the agent CLI as the session sees it."""

from pydantic import Field

from bossbot.domain.events.base import Payload


class WorkerHeartbeat(Payload):
    """`status` is `idle`, `busy` or `offline`."""

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


class WorkerAssignmentAccepted(Payload):
    TYPE = "worker.assignment.accepted"
    assignment_id: str
    worker_id: str


class WorkerAssignmentRejected(Payload):
    TYPE = "worker.assignment.rejected"
    assignment_id: str
    worker_id: str
    reason: str = ""
