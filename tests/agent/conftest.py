"""The real agent CLIs, each a parameter of its own."""

from pathlib import Path

import pytest

from tests.agent.stage import Stage, real_stage


@pytest.fixture(params=[pytest.param(name, marks=getattr(pytest.mark, name)) for name in ("cbc", "claude")])
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Stage:
    return real_stage(request.param, tmp_path)
