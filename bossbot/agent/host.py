"""The machine that an agent CLI runs on, as a worker's registration names it."""

import os
import platform
from pathlib import Path

from bossbot.domain.commands import Host

_SYSTEMS = {"Darwin": "macos"}


def this_host() -> Host:
    """This machine: its name, its system in the protocol's words, the login shell."""
    system = platform.system()
    return Host(platform.node(), _SYSTEMS.get(system, system.lower()), Path(os.environ.get("SHELL", "")).name)
