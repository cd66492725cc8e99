"""A worker registers with the machine that it runs on."""

import platform
import socket
from pathlib import Path

from bossbot.agent.host import this_host
from bossbot.domain.events import WorkerCapabilitiesUpdated
from tests.agent.office import office


def test_this_host_has_a_name_and_one_of_the_protocols_systems() -> None:
    host = this_host()
    assert host.hostname == socket.gethostname()
    assert host.os == {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}[platform.system()]
    assert "/" not in host.shell


async def test_a_worker_registers_with_its_host(tmp_path: Path) -> None:
    async with office(tmp_path) as o:
        await o.desk.say("say hello")
        await o.sees("heard hello")
        log = await o.desk.store.load(await o.desk.session())
        [registered] = [e.payload for e in log if isinstance(e.payload, WorkerCapabilitiesUpdated)]
        assert (registered.hostname, registered.os, registered.shell) == (
            this_host().hostname,
            this_host().os,
            this_host().shell,
        )
        assert registered.capabilities == ("Bash",)
