"""What an agent is hired with: its program, its settings, the rules, the secrets, and where its commands go."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bossbot.agent.discovery import Program
from bossbot.agent.live import USUAL, Patience
from bossbot.agent.longlines import LongLines
from bossbot.domain import commands as c
from bossbot.domain.own_tools import SERVER
from bossbot.domain.policy import Policy
from bossbot.domain.state import SessionState
from bossbot.ids import Mint, SessionId
from bossbot.settings import AgentSettings

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
    patience: Patience = USUAL


Hire = Callable[[SessionState], Hired]
"""What the agent of this session is hired with."""
