"""The plan's events: the board of tasks, and the changes of mind that wait for a decision."""

from pydantic import BaseModel, ConfigDict

from bossbot.domain.events.base import Payload


class PlannedTask(BaseModel):
    """A task as a plan lists it."""

    model_config = ConfigDict(frozen=True, extra="allow")
    id: str
    title: str
    kind: str = "implementation"
    priority: str = "normal"


class PlanCreated(Payload):
    """The first set of tasks."""

    TYPE = "plan.created"
    plan_id: str
    tasks: tuple[PlannedTask, ...]


class PlanUpdated(Payload):
    """The plan lists more tasks, or another order. `order` is the whole order, first comes next."""

    TYPE = "plan.updated"
    plan_id: str
    added: tuple[PlannedTask, ...] = ()
    order: tuple[str, ...] = ()
    reason: str = ""


class NewTask(BaseModel):
    """A task that a plan diff would create."""

    model_config = ConfigDict(frozen=True, extra="allow")
    title: str
    kind: str = "implementation"
    priority: str = "normal"


class PlanDiffGenerated(Payload):
    """A change of mind as a diff on the board, in the protocol's form. It waits for a decision."""

    TYPE = "plan.diff.generated"
    id: str
    session_id: str
    change_reason: str
    cancel_tasks: tuple[str, ...] = ()
    pause_tasks: tuple[str, ...] = ()
    continue_tasks: tuple[str, ...] = ()
    reprioritize_tasks: tuple[str, ...] = ()
    create_tasks: tuple[NewTask, ...] = ()
    message_id: str | None = None
    judged_by: str = "rules"
    condition: str | None = None


class PlanDiffApplied(Payload):
    """(ours) A person pressed Apply. `interrupts` says that a running workflow or turn is stopped for it."""

    TYPE = "plan.diff.applied"
    id: str
    actor: str
    actor_name: str = ""
    interrupts: bool = False


class PlanDiffRejected(Payload):
    """(ours) A person pressed Keep plan; nothing changes."""

    TYPE = "plan.diff.rejected"
    id: str
    actor: str
    actor_name: str = ""
    reason: str = ""
