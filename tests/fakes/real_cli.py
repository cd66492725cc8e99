"""The real agent CLIs in a clean environment, turned to a model on loopback.

`cbc_setup(home, port)` and `claude_setup(home, port)` give what a test needs to start the program
itself (`command`, `argv`, `env`) and what bossbot's configuration needs to do it (`agent.command`,
`agent.model`, `agent.args`, `agent.env`).
"""

import json
import os
import shutil
import stat
import subprocess
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

MODEL = "scripted"
STREAM_JSON = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")


@dataclass(frozen=True)
class CliSetup:
    """How to start one real CLI. `args` are the ones beyond stream-json that the tests need."""

    dialect: str
    command: Path
    model: str | None
    args: tuple[str, ...]
    env: dict[str, str]

    @property
    def argv(self) -> list[str]:
        """The whole command line of a conversation, prompts asked on stdio."""
        stdio = ("-p", *STREAM_JSON, "--permission-prompt-tool", "stdio")
        flags = stdio if self.dialect == "claude" else STREAM_JSON
        model = ("--model", self.model) if self.model else ()
        return [str(self.command), *flags, "--permission-mode", "default", *model, *self.args]

    def process_env(self) -> dict[str, str]:
        """The complete environment: nothing of the machine's own but PATH and a UTF-8 locale."""
        return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", **self.env}


@cache
def version_told(command: Path) -> str:
    """What the program says to `--version`. It is asked once: to say it takes cbc two seconds of processor time."""
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "HOME": os.devnull}
    told = subprocess.run([command, "--version"], env=env, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return told.stdout.decode().strip()


def find_cbc() -> Path | None:
    """The program inside the installed `codebuddy-agent-sdk` wheel."""
    spec = find_spec("codebuddy_agent_sdk")
    if spec is None or not spec.submodule_search_locations:
        return None
    program = Path(spec.submodule_search_locations[0]) / "bin" / "codebuddy-headless"
    if not program.is_file():
        return None
    if not os.access(program, os.X_OK):  # a wheel unpacked by hand loses the run bit
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def find_claude() -> Path | None:
    """The program that BOSSBOT_TEST_CLAUDE names, else `claude` on PATH."""
    named = os.environ.get("BOSSBOT_TEST_CLAUDE")
    found = named if named and os.access(named, os.X_OK) else shutil.which("claude")
    return Path(found) if found else None


def cbc_setup(command: Path, home: Path, port: int) -> CliSetup:
    """cbc reads its models from a file in HOME, so `home` is a folder of the test's own."""
    url = f"http://127.0.0.1:{port}"
    model = {
        "id": MODEL,
        "name": "Scripted",
        "vendor": "local",
        "apiKey": "sk-x",
        "maxInputTokens": 200_000,
        "maxOutputTokens": 8192,
        "url": f"{url}/v1/chat/completions",
        "supportsToolCall": True,
        "supportsImages": True,
    }
    folder = home / ".codebuddy"
    folder.mkdir(parents=True, exist_ok=True)
    models = {"models": [model], "availableModels": [MODEL]}
    (folder / "models.json").write_text(json.dumps(models), encoding="utf-8")
    env = {
        "HOME": str(home),
        "CODEBUDDY_API_KEY": "dummy",
        "CODEBUDDY_BASE_URL": url,
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "CODEBUDDY_CODE_ENABLE_TELEMETRY": "0",
        "CODEBUDDY_DISABLE_AUTO_MEMORY": "1",
        "CODEBUDDY_SKIP_BUILTIN_MARKETPLACE": "1",
        "CODEBUDDY_DEFER_TOOL_LOADING": "0",
        "CODEBUDDY_INTERNET_ENVIRONMENT": "public",
    }
    return CliSetup("cbc", command, MODEL, (), env)


def claude_setup(command: Path, home: Path, port: int) -> CliSetup:
    env = {
        "HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(home / "cfg"),
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        "ANTHROPIC_API_KEY": "dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_AUTOUPDATER": "1",
        "IS_SANDBOX": "1",
    }
    return CliSetup("claude", command, None, (), env)
