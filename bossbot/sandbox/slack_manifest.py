"""What the app was allowed to do and asked to hear of: its scopes and its event subscriptions."""

from dataclasses import dataclass, field

SCOPES = (
    "app_mentions:read", "assistant:write", "channels:history", "channels:read", "chat:write", "chat:write.customize",
    "commands", "files:read", "files:write", "groups:history", "groups:read", "im:history", "im:read", "im:write",
    "mpim:history", "mpim:read", "reactions:read", "reactions:write", "usergroups:read", "users:read",
)  # fmt: skip
"""What an app has unless a script takes it away."""
EVENTS = (
    "agent_session_stopped", "agent_session_title_changed", "app_context_changed", "app_home_opened", "app_mention",
    "assistant_thread_context_changed", "assistant_thread_started", "message.channels", "message.groups",
    "message.im", "message.mpim", "file_shared", "reaction_added", "reaction_removed",
)  # fmt: skip


@dataclass(slots=True)
class Manifest:
    """The app's settings and those of its workspaces, the same in all of them."""

    scopes: set[str] = field(default_factory=lambda: set(SCOPES))
    events: set[str] = field(default_factory=lambda: set(EVENTS))
    is_agent: bool = True
    """Declared as an agent: agent sessions and suggested prompts are for such apps only."""
    edit_window_s: float | None = None
    """How long the workspaces let messages be edited; None: for ever."""
