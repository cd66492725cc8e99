"""A conversation's agent CLI as a process."""

import os
from collections.abc import Iterable
from typing import Self

from bossbot.agent.discovery import Program
from bossbot.agent.environment import agent_environment
from bossbot.agent.guarded import Guarded
from bossbot.settings import AgentSettings


class AgentProcess(Guarded):
    """The CLI that one session talks to."""

    _grace_s = 5.0

    @classmethod
    async def start(
        cls, program: Program, settings: AgentSettings, *, resume: str = "", secrets: Iterable[str] = ()
    ) -> Self:
        """Starts the CLI in the workspace, to go on with the session `resume` if one is named. Raises OSError."""
        secrets = tuple(secrets)
        arguments = program.dialect.conversation(
            model=settings.model,
            effort=settings.effort,
            permission_mode=settings.permission_mode,
            resume=resume,
            partial=settings.partial_messages,
            extra=settings.args,
        )
        process = await cls.spawn(
            [*program.command, *arguments],
            cwd=settings.workspace,
            env=agent_environment(program.dialect, os.environ, settings.env, secrets),
            secrets=secrets,
        )
        process._grace_s = settings.close_grace_s
        return process

    async def close(self, grace_s: float | None = None) -> int:
        """The ladder, with the grace of the settings."""
        return await super().close(self._grace_s if grace_s is None else grace_s)
