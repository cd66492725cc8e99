"""`python -m tests.bench [WORD …]`: runs the measurements here whose names hold one of the words, or all.

A measurement is a module of this folder with a function `main()` that prints its lines and returns nothing,
or an exit code that is not 0 when a goal is missed. Each runs in an interpreter of its own, so that one
cannot warm up or slow down another.
"""

import ast
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def measurements(folder: Path) -> list[str]:
    """The names of the modules of `folder` that define `main()`, found without importing them."""
    return sorted(
        file.stem
        for file in folder.glob("*.py")
        if not file.stem.startswith("_")
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name == "main"
    )


def run(name: str) -> bool:
    """Whether the measurement ended well."""
    print(f"\n{name}", flush=True)
    program = f"import sys; from tests.bench.{name} import main; sys.exit(main())"
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


def main(words: list[str]) -> int:
    chosen = [name for name in measurements(HERE) if not words or any(word in name for word in words)]
    if not chosen:
        print(f"no measurement is called {' or '.join(words) or 'anything'} in {HERE}", file=sys.stderr)
        return 2
    failed = [name for name in chosen if not run(name)]
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
