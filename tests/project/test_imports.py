"""The import rules see every package and can fail; the pure packages read no clock even through datetime."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.project.tree import ROOT, project_files, pyproject

CONTRACTS = pyproject()["tool"]["importlinter"]["contracts"]
LAYERS = next(contract for contract in CONTRACTS if contract["type"] == "layers")
PURE = next(contract for contract in CONTRACTS if contract["name"].startswith("The pure packages"))
IMPURE_FILES = {Path("bossbot/channel/registry.py"), Path("bossbot/channel/testing.py")}

CLOCKS = {"now", "utcnow", "today"}
BUILTINS = {"open", "print", "input", "breakpoint", "exec", "eval", "__import__"}

PLANTED = {
    "bossbot/domain/planted.py": "import time",
    "bossbot/views/planted.py": "import bossbot.app",
    "bossbot/app/planted.py": "import aiogram",
    "bossbot/sandbox/planted.py": "import bossbot.domain",
    "bossbot/unplaced/__init__.py": "",
    "adapters/bossbot_slack/planted.py": "import bossbot.ids",
    "adapters/bossbot_telegram/planted.py": "import bossbot_slack",
}
"""A file that must not be → what it imports. One for each contract."""


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    program = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"
    paths = f"sys.path[:0] = [{str(root)!r}, {str(root / 'adapters')!r}]"
    command = [sys.executable, "-P", "-c", f"import sys; {paths}; {program}", "--no-cache"]
    return subprocess.run(command, cwd=root, check=False, capture_output=True, text=True)


def test_the_import_rules_hold() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


def test_each_import_rule_can_fail(tmp_path: Path) -> None:
    for path in project_files("bossbot", "adapters", "pyproject.toml"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    for name, text in PLANTED.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    result = lint(tmp_path)

    assert result.returncode == 1
    assert f"Contracts: 0 kept, {len(CONTRACTS)} broken." in result.stdout
    for name in PLANTED:
        module = name.removeprefix("adapters/").removesuffix(".py").removesuffix("/__init__")
        assert module.replace("/", ".") in result.stdout


def test_every_package_has_a_layer() -> None:
    assert LAYERS["exhaustive"] is True
    listed = {name.strip(" ()") for layer in LAYERS["layers"] for name in layer.split("|")}
    present = {path.parts[1].removesuffix(".py") for path in project_files("bossbot") if path.suffix == ".py"}
    assert present - {"__init__", "__main__"} <= listed


def pure_files() -> list[Path]:
    folders = [name.replace(".", "/") for name in PURE["source_modules"]]
    return [path for path in project_files(*folders) if path.suffix == ".py" and path not in IMPURE_FILES]


def reaches_outside(tree: ast.AST) -> Iterator[str]:
    """The calls that ask the machine something without an import that would show it."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in BUILTINS:
                yield f"{node.lineno}: {name}()"
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in CLOCKS:
                if "date" in ast.unparse(owner):
                    yield f"{node.lineno}: {ast.unparse(owner)}.{name}()"


def test_a_clock_behind_datetime_is_seen() -> None:
    calls = [
        "datetime.now(UTC)",
        "dt.date.today()",
        "open('x')",
        "event.now()",
        "plan.open()",
        "datetime.fromtimestamp(t)",
    ]
    found = reaches_outside(ast.parse("\n".join(calls)))
    assert [line.partition(":")[0] for line in found] == ["1", "2", "3"]


def test_pure_packages_read_no_clock_and_no_file() -> None:
    files = pure_files()
    assert files
    trees = {path: ast.parse((ROOT / path).read_text(encoding="utf-8")) for path in files}
    assert [f"{path}:{what}" for path, tree in trees.items() for what in reaches_outside(tree)] == []
