"""What holds for every test: nothing leaves this machine, and required programs are really tested.

`BOSSBOT_REQUIRE_CLAUDE=1`, `BOSSBOT_REQUIRE_CHROMIUM=1` and `BOSSBOT_REQUIRE_NODE=1` (set by `.ci/run`) turn a
skip of a test that needs the program into a failure, and fail a run in which no such test ran.
"""

import ipaddress
import os
import sys
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.postgres import Postgres

REQUIRED = {"BOSSBOT_REQUIRE_CLAUDE": "claude", "BOSSBOT_REQUIRE_CHROMIUM": "browser", "BOSSBOT_REQUIRE_NODE": "node"}
"""Environment variable → the marker of the tests that must run when it is set."""

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def is_local(host: object) -> bool:
    """Whether a socket address stays on this machine; a path or an unnamed host does."""
    if not isinstance(host, str) or host in {"", "localhost"}:
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def refuse_the_outside(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook: a test that would reach another machine fails where it tries."""
    if event == "socket.connect":
        target = arguments[1]
        host = target[0] if isinstance(target, tuple) else None
    elif event == "socket.getaddrinfo":
        host = arguments[0]
    else:
        return
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if not is_local(host):
        raise RuntimeError(f"a test tried to reach {host!r}; tests stay on 127.0.0.1")


sys.addaudithook(refuse_the_outside)


@pytest.fixture(scope="session")
def postgres() -> "Iterator[Postgres]":
    """A real PostgreSQL server, started once in each test process that needs it."""
    from tests.postgres import running_postgres

    with running_postgres() as server:
        yield server


def required_markers() -> set[str]:
    return {marker for variable, marker in REQUIRED.items() if os.environ.get(variable) == "1"}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    needed = required_markers() & {marker.name for marker in item.iter_markers()}
    if report.skipped and needed and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"skipped, but {' and '.join(sorted(needed))} is required here: {reason}"
    report.user_properties.extend(("required", marker) for marker in needed)
    return report


class RequiredRuns:
    """Counts, over all workers, the tests that a required program took part in."""

    def __init__(self, markers: set[str]) -> None:
        self.left = set(markers)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.left -= {value for name, value in report.user_properties if name == "required"}

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.left and not session.config.option.collectonly:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for marker in sorted(self.left):
            terminalreporter.write_line(f"no test marked '{marker}' ran, but it is required here", red=True)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(RequiredRuns(required_markers()))
