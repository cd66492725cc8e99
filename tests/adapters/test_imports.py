"""Naming an adapter costs nothing: SDKs are imported when a channel is loaded, not before."""

import subprocess
import sys

import pytest

SDKS = {"bossbot_telegram": ("aiogram",), "bossbot_slack": ("slack_bolt", "slack_sdk")}


@pytest.mark.parametrize("package", SDKS)
def test_importing_an_adapter_imports_no_sdk(package: str) -> None:
    unwanted = (*SDKS[package], "aiohttp", "markdown_it")
    code = f"import sys, {package}; print([name for name in {unwanted} if name in sys.modules])"
    path = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=path)
    assert done.stdout.strip() == "[]"
