"""Pins every dependency with its hashes in requirements/, and says when pyproject.toml has moved on.

uv.lock names a registry's address on every line and so is not committed; what `uv export` prints of it
names none. The first line of each file holds a digest of the tables it was made from, so that looking
whether a file is stale needs no network, and a new release elsewhere makes nothing stale.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GROUPS = {"runtime": [], "dev": ["dev"], "bench": ["bench"]}
"""A file of requirements/ → the dependency groups in it, beside the runtime dependencies."""


def digest(pyproject: Path) -> str:
    """A digest of everything in pyproject.toml that the pins follow from."""
    tables = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    project, uv = tables["project"], tables.get("tool", {}).get("uv", {})
    sources = {
        "requires-python": project["requires-python"],
        "dependencies": project["dependencies"],
        "optional-dependencies": project.get("optional-dependencies", {}),
        "dependency-groups": tables.get("dependency-groups", {}),
        "uv": {key: value for key, value in uv.items() if key.endswith("dependencies")},
    }
    return hashlib.sha256(json.dumps(sources, sort_keys=True).encode()).hexdigest()


def first_line(pyproject: Path) -> str:
    return f"# Made by `make lock` from pyproject.toml {digest(pyproject)}"


def stale(root: Path) -> list[str]:
    """The files that were not made from pyproject.toml as it is now."""
    expected = first_line(root / "pyproject.toml")
    files = [root / "requirements" / f"{name}.txt" for name in GROUPS]
    return [
        str(file.relative_to(root))
        for file in files
        if not file.exists() or file.read_text(encoding="utf-8").partition("\n")[0] != expected
    ]


def write(root: Path, uv: str) -> None:
    """Writes the files, for all supported Pythons at once, with the newest releases allowed."""
    subprocess.run([uv, "lock", "--quiet", "--upgrade"], cwd=root, check=True)
    for name, groups in GROUPS.items():
        chosen = [word for group in groups for word in ("--group", group)]
        command = [uv, "export", "--quiet", "--frozen", "--no-emit-project", "--no-default-groups", *chosen]
        command += ["--format", "requirements-txt", "--no-header", "--no-annotate"]
        pins = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
        text = f"{first_line(root / 'pyproject.toml')}\n{pins}"
        (root / "requirements" / f"{name}.txt").write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="only say whether the files are stale")
    parser.add_argument("--uv", default="uv", help="the uv to use")
    parser.add_argument("--root", type=Path, default=ROOT, help="the project's folder")
    options = parser.parse_args()
    if not options.check:
        write(options.root, options.uv)
    left = stale(options.root)
    if left:
        print(f"{', '.join(left)}: not made from this pyproject.toml; run `make lock`", file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    raise SystemExit(main())
