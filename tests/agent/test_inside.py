"""A file that the agent names is read only where such files lie, and only if it is one."""

import os
from pathlib import Path

import pytest

from bossbot.agent.inside import read_inside


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "tasks"
    (inside / "deep").mkdir(parents=True)
    (inside / "deep" / "w1.output").write_bytes(b"x" * 100)
    (tmp_path / "secret").write_text("secret")
    return inside


def test_a_file_inside_is_read_up_to_the_bound(folder: Path) -> None:
    name = str(folder / "deep" / "w1.output")
    assert read_inside(name, [folder], 100) == (b"x" * 100, False)
    assert read_inside(name, [folder / "elsewhere", folder], 99) == (b"x" * 99, True)
    assert read_inside(name.replace("/deep/", "//./deep/"), [folder], 100) == (b"x" * 100, False)


def test_the_folder_may_itself_be_reached_by_a_link(folder: Path) -> None:
    link = folder.parent / "link"
    link.symlink_to(folder)
    assert read_inside(str(link / "deep" / "w1.output"), [link], 100) is not None
    assert read_inside(str(folder / "deep" / "w1.output"), [link], 100) is not None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "deep/w1.output",
        "{folder}",
        "{folder}/",
        "{folder}/deep",
        "{folder}/missing",
        "{folder}/../secret",
        "{folder}/deep/../../secret",
        "{folder}/deep/../deep/w1.output",
        "{folder}x/deep/w1.output",
        "{folder}/deep/w1.output\0",
        "{folder}/deep/w1.output/more",
        "{folder}/" + "a/" * 3_000,
        "/etc/passwd",
    ],
)
def test_a_name_that_leads_elsewhere_reads_nothing(folder: Path, name: str) -> None:
    assert read_inside(name.replace("{folder}", str(folder)), [folder], 100) is None


def test_links_pipes_and_devices_are_no_files(folder: Path) -> None:
    (folder / "out").symlink_to(folder.parent / "secret")
    (folder / "in").symlink_to(folder / "deep" / "w1.output")
    (folder / "way").symlink_to(folder.parent)
    os.mkfifo(folder / "pipe")
    for name in ("out", "in", "way/secret", "pipe"):
        assert read_inside(str(folder / name), [folder], 100) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_somebody_elses_file_is_not_read(folder: Path) -> None:
    os.chown(folder / "deep" / "w1.output", 12_345, -1)
    assert read_inside(str(folder / "deep" / "w1.output"), [folder], 100) is None
