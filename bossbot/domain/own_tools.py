"""The names of the tools that we ourselves serve to the manager, as the agent CLI and the model spell them.

They touch nothing but this session's own board and questions, so no person is asked before they run.
"""

SERVER = "boss"
PLAN_CREATE, TASK_UPDATE, REPORT_PROGRESS, ASK_USER = "plan_create", "task_update", "report_progress", "ask_user"


def qualified(tool: str) -> str:
    """The name under which the model calls it."""
    return f"mcp__{SERVER}__{tool}"


OWN_TOOLS: frozenset[str] = frozenset(map(qualified, (PLAN_CREATE, TASK_UPDATE, REPORT_PROGRESS, ASK_USER)))
