"""Artifacts: kept whole and without secrets, for the owner alone, within bounds, and ended in time."""

import hashlib
import os
import stat
from pathlib import Path

import pytest

from bossbot.store.artifacts import ArtifactFiles, Kept, NoArtifact

SECRET = "xoxb-870000000001-journeys-token"


class Clock:
    def __init__(self) -> None:
        self.now_s = 1_000_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


def files(
    folder: Path, clock: Clock, *, max_file: int = 1_000, max_total: int = 10_000, days: float = 7
) -> ArtifactFiles:
    found = ArtifactFiles(
        folder / "artifacts",
        max_file_bytes=max_file,
        max_total_bytes=max_total,
        retention_days=days,
        secrets=("hunter2hunter2",),
        now=clock,
    )
    found.open()
    return found


def kept(found: Kept | None) -> Kept:
    assert found is not None
    return found


def age(path: Path, at_s: float) -> None:
    os.utime(path, (at_s, at_s))


def test_what_is_kept_is_read_again_and_only_the_owner_can(tmp_path: Path, clock: Clock) -> None:
    artifacts = files(tmp_path, clock)
    text = "line\n" * 100
    one = kept(artifacts.keep_text(text))
    assert artifacts.read(one.id) == text.encode()
    assert one.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert (one.size_bytes, one.truncated) == (500, False)
    assert kept(artifacts.keep_text(text)) == one
    folder = tmp_path / "artifacts"
    assert stat.S_IMODE((folder / one.id).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(artifacts.incoming.stat().st_mode) == 0o700
    assert list(artifacts.incoming.iterdir()) == []


def test_no_secret_is_kept(tmp_path: Path, clock: Clock) -> None:
    artifacts = files(tmp_path, clock)
    for one in (artifacts.keep_text(f"a {SECRET} b hunter2hunter2"), artifacts.keep_bytes(f"c {SECRET}".encode())):
        data = artifacts.read(kept(one).id)
        assert SECRET.encode() not in data
        assert b"hunter2" not in data
        assert b"[redacted]" in data


def test_a_long_one_ends_at_the_bound_and_says_so(tmp_path: Path, clock: Clock) -> None:
    artifacts = files(tmp_path, clock)
    for one in (artifacts.keep_text("é" * 900), artifacts.keep_bytes(b"x" * 1_001)):
        assert kept(one).size_bytes <= 1_000
    assert kept(artifacts.keep_bytes(b"x" * 1_001)).truncated
    assert kept(artifacts.keep_text("x" * 5_000)).truncated
    assert not kept(artifacts.keep_text("x" * 1_000)).truncated


def test_bytes_that_are_no_text_are_kept_as_far_as_they_are(tmp_path: Path, clock: Clock) -> None:
    artifacts = files(tmp_path, clock)
    assert artifacts.read(kept(artifacts.keep_bytes(b"ok \xff\xfe \x00 end")).id).endswith(b"\x00 end")


def test_the_oldest_make_room_for_the_newest(tmp_path: Path, clock: Clock) -> None:
    artifacts = files(tmp_path, clock, max_total=2_500)
    ids = []
    for number in range(4):
        one = kept(artifacts.keep_text(str(number) * 1_000))
        age(tmp_path / "artifacts" / one.id, clock.now_s + number)
        ids.append(one.id)
    for gone in ids[:2]:
        with pytest.raises(NoArtifact, match="is not there"):
            artifacts.read(gone)
    assert [artifacts.read(one)[:1] for one in ids[2:]] == [b"2", b"3"]


def test_what_is_larger_than_all_the_room_is_not_kept_and_ends_nothing_else(tmp_path: Path, clock: Clock) -> None:
    artifacts = files(tmp_path, clock, max_total=600)
    small = kept(artifacts.keep_text("small"))
    assert artifacts.keep_text("x" * 1_000) is None
    assert artifacts.read(small.id) == b"small"
    assert list(artifacts.incoming.iterdir()) == []


def test_a_start_ends_what_is_too_old_and_what_was_left_over(tmp_path: Path, clock: Clock) -> None:
    artifacts = files(tmp_path, clock)
    old, new = kept(artifacts.keep_text("old")), kept(artifacts.keep_text("new"))
    folder = tmp_path / "artifacts"
    (folder / "README").write_text("mine")
    age(folder / "README", 0)
    (artifacts.incoming / "long-abc12_x9").write_text("half")
    (artifacts.incoming / "invoice.pdf").write_text("of a person whose folder this was")
    age(folder / old.id, clock.now_s - 8 * 86_400)
    age(folder / new.id, clock.now_s - 6 * 86_400)
    assert artifacts.open() == 2
    assert sorted(path.name for path in folder.iterdir()) == sorted(["README", "incoming", new.id])
    assert [path.name for path in artifacts.incoming.iterdir()] == ["invoice.pdf"]


def test_a_file_in_incoming_is_adopted_and_any_other_is_refused(tmp_path: Path, clock: Clock) -> None:
    artifacts = files(tmp_path, clock)
    waiting = artifacts.incoming / "long-1"
    waiting.write_text(f"all of it {SECRET}")
    one = kept(artifacts.adopt(waiting))
    assert b"all of it" in artifacts.read(one.id)
    assert SECRET.encode() not in artifacts.read(one.id)
    assert not waiting.exists()


@pytest.mark.parametrize(
    "name",
    ["", "artifact_", "../secret", "artifact_" + "g" * 32, "artifact_" + "a" * 33, "/etc/passwd", "incoming", "a\0b"],
)
def test_a_name_that_is_no_id_reads_nothing(tmp_path: Path, clock: Clock, name: str) -> None:
    with pytest.raises(NoArtifact, match="looks like"):
        files(tmp_path, clock).read(name)


def test_a_link_or_a_changed_file_is_not_read(tmp_path: Path, clock: Clock) -> None:
    artifacts = files(tmp_path, clock)
    one = kept(artifacts.keep_text("true"))
    path = tmp_path / "artifacts" / one.id
    path.write_text("false")
    with pytest.raises(NoArtifact, match="was changed"):
        artifacts.read(one.id)
    path.unlink()
    (tmp_path / "other").write_text("true")
    path.symlink_to(tmp_path / "other")
    with pytest.raises(NoArtifact, match="is not there"):
        artifacts.read(one.id)
