"""How long `bossbot --version` takes, from the start of the process to its end."""

import subprocess
import sys
import time
from pathlib import Path

RUNS = 15
GOAL_MS = 150.0


def main() -> None:
    """Prints the median and the slowest of several runs; the command as installed, else as a module."""
    installed = Path(sys.executable).with_name("bossbot")
    command = [str(installed)] if installed.exists() else [sys.executable, "-m", "bossbot"]
    times = sorted(_run_ms([*command, "--version"]) for _ in range(RUNS))
    print(f"bossbot --version: p50 {times[RUNS // 2]:.0f} ms, slowest {times[-1]:.0f} ms (goal ≤ {GOAL_MS:g} ms)")


def _run_ms(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return (time.perf_counter() - begin) * 1000


if __name__ == "__main__":
    main()
