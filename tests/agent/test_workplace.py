"""Where an agent works: folder, repository and branch, from git's files alone, and no password among them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from bossbot.agent.workplace import workplace
from bossbot.domain.events import TaskAssigned
from tests.agent.office import office

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def repository(folder: Path, address: str = "git@github.com:org/repo.git") -> Path:
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "remote", "add", "origin", address)
    return folder


def test_a_folder_without_a_repository_is_a_folder(tmp_path: Path) -> None:
    if any((parent / ".git").exists() for parent in tmp_path.parents):
        pytest.skip("the folder for temporary files lies in a repository")
    found = workplace(tmp_path)
    assert (found.repo, found.branch, found.worktree_path) == ("", "", str(tmp_path))


@needs_git
def test_a_repository_has_its_address_and_branch_also_from_a_folder_inside(tmp_path: Path) -> None:
    inside = repository(tmp_path / "repo") / "src"
    inside.mkdir()
    found = workplace(inside)
    assert (found.repo, found.branch) == ("git@github.com:org/repo.git", "main")
    assert found.worktree_path == str(inside)


@needs_git
def test_another_worktree_has_its_own_branch(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    git(repo, "commit", "-q", "--allow-empty", "-m", "first")
    git(repo, "worktree", "add", "-q", "-b", "boss/task-102", str(tmp_path / "other"))
    found = workplace(tmp_path / "other")
    assert (found.repo, found.branch) == ("git@github.com:org/repo.git", "boss/task-102")


@needs_git
@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("https://ada:hunter22@example.org/repo.git", "https://example.org/repo.git"),
        ("https://ghp_0123456789abcdefghijklmnopqrstuvwxyzAB@example.org/repo.git", "https://example.org/repo.git"),
        ("ssh://git@example.org/repo.git", "ssh://example.org/repo.git"),
        ("/srv/git/repo.git", "/srv/git/repo.git"),
    ],
)
def test_no_password_stands_in_the_address(tmp_path: Path, address: str, told: str) -> None:
    assert workplace(repository(tmp_path / "repo", address)).repo == told


@needs_git
def test_a_known_secret_is_taken_out_wherever_it_stands(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", "https://example.org/s3cr3t-t0ken/repo.git")
    assert "s3cr3t-t0ken" not in str(workplace(repo, ["s3cr3t-t0ken"]))


@pytest.mark.parametrize(
    "content", ["", "gitdir: /nowhere", "\0\xff", "gitdir:", "gitdir: \0", f"gitdir: {'x' * 5000}"]
)
def test_a_broken_repository_is_no_reason_to_fail(tmp_path: Path, content: str) -> None:
    (tmp_path / ".git").write_text(content, encoding="latin-1")
    assert workplace(tmp_path).worktree_path == str(tmp_path)


def test_a_config_that_is_none_is_left_out(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("0123456789abcdef\n")
    (tmp_path / ".git" / "config").write_text("url = nobody's\n[[[")
    found = workplace(tmp_path)
    assert (found.repo, found.branch) == ("", "")


async def test_what_a_worker_is_asked_to_do_says_where(tmp_path: Path) -> None:
    async with office(tmp_path) as o:
        await o.desk.say("be stubborn")
        await o.sees("Background task S")
        log = await o.desk.store.load(await o.desk.session())
        [assigned] = [e.payload for e in log if isinstance(e.payload, TaskAssigned)]
        assert assigned.execution_request is not None
        assert assigned.execution_request.workspace.worktree_path == str(tmp_path)
