"""`bossbot artifact`: prints what was kept, and nothing else."""

from pathlib import Path

import pytest

from bossbot.cli.main import main
from bossbot.store.artifacts import ArtifactFiles

CONFIG = '[store]\npath = "log.db"\n'


@pytest.fixture
def kept(tmp_path: Path) -> str:
    (tmp_path / "bossbot.toml").write_text(CONFIG)
    folder = tmp_path / "log.db.artifacts"
    files = ArtifactFiles(folder, max_file_bytes=1_000, max_total_bytes=10_000, retention_days=1)
    files.open()
    one = files.keep_text("the whole \x1b[31moutput\n")
    assert one is not None
    return one.id


def test_an_artifact_beside_the_store_is_printed_as_it_is(
    tmp_path: Path, kept: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["artifact", kept, "--config", str(tmp_path / "bossbot.toml")]) == 0
    out, err = capfdbinary.readouterr()
    assert out == b"the whole \x1b[31moutput\n"
    assert err == b""


def test_it_is_found_beside_a_store_that_is_named(
    tmp_path: Path, kept: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["artifact", kept, "--store", str(tmp_path / "log.db")]) == 0
    assert capfdbinary.readouterr().out == b"the whole \x1b[31moutput\n"


@pytest.mark.parametrize(
    ("name", "words"), [("artifact_" + "0" * 32, "is not there"), ("../../etc/passwd", "looks like artifact_")]
)
def test_what_is_not_there_is_one_line_on_stderr(
    tmp_path: Path, kept: str, capsys: pytest.CaptureFixture[str], name: str, words: str
) -> None:
    assert main(["artifact", name, "--config", str(tmp_path / "bossbot.toml")]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1
