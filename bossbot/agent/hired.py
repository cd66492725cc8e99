"""What an agent is hired with: its program, its settings, the rules, the secrets, and where its commands go."""

import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bossbot.agent.discovery import Program
from bossbot.agent.keeping import Output
from bossbot.agent.longlines import LongLines
from bossbot.agent.patience import USUAL, Patience
from bossbot.agent.writing import Writing
from bossbot.domain import commands as c
from bossbot.domain.own_tools import SERVER
from bossbot.domain.policy import Policy
from bossbot.domain.state import SessionState
from bossbot.ids import Mint, SessionId
from bossbot.settings import AgentSettings

Keep = Callable[[SessionId, Output, Sequence[Path]], None]
Write = Callable[[SessionId, Writing], None]
Submit = Callable[[SessionId, Sequence[c.Command]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Hired:
    """The same for all sessions of a project. `tool_servers`: the tool servers that we play for the agent."""

    program: Program
    settings: AgentSettings
    policy: Policy
    secrets: tuple[str, ...]
    mint: Mint
    submit: Submit
    long_lines: LongLines
    tool_servers: tuple[str, ...] = (SERVER,)
    keep: Keep | None = None
    """Where whole outputs go, if anywhere."""
    write: Write | None = None
    """Where a text goes while it is written, if anywhere."""
    patience: Patience = USUAL

    @property
    def output_folders(self) -> tuple[Path, ...]:
        """Where this agent CLI puts the outputs of its background tasks."""
        temporary = self.settings.env.get("TMPDIR") or os.environ.get("TMPDIR") or "/tmp"  # as both CLIs do
        return (Path(temporary) / f"{self.program.dialect.output_folder}-{os.getuid()}",)


Hire = Callable[[SessionState], Hired]
"""What the agent of this session is hired with."""
