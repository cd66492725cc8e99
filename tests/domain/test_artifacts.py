"""Artifacts in the log: what lies where, of which task, told once."""

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.state import RECENT_ARTIFACTS
from tests.domain.harness import Session, kinds


def artifact(number: int = 1, **more: str) -> c.AddArtifact:
    given = {"kind": "tool_output", "tool_use_id": f"t{number}", **more}
    return c.AddArtifact(f"artifact_{number}", name="Bash cat log", size_bytes=9, sha256="ab" * 32, **given)  # type: ignore[arg-type]


def test_an_artifact_of_a_tool_is_told_once_and_belongs_to_the_task_that_runs() -> None:
    session = Session()
    session.say("go")
    task_id = session.add_task(1)
    session.update_task(1, "in_progress")
    assert kinds(session.tell(artifact())) == ["artifact.created"]
    assert session.log[-1].task_id == task_id
    assert session.log[-1].source == "system"
    assert session.tell(artifact()) == []
    assert kinds(session.tell(artifact(1, tool_use_id="t9"))) == ["artifact.created"]


def test_an_artifact_of_a_workflow_belongs_to_it_also_after_its_end() -> None:
    session = Session()
    session.say("go")
    task_id = session.start_workflow("w1")
    session.tell(c.EndBackgroundTask("w1", "completed", "turn_2", "done"))
    [created] = session.tell(artifact(1, kind="task_output", ref="w1"))
    assert isinstance(created, ev.ArtifactCreated)
    assert created.task_id == task_id


def test_only_the_newest_are_at_hand() -> None:
    session = Session()
    for number in range(RECENT_ARTIFACTS + 5):
        session.tell(artifact(number))
    assert len(session.state.artifacts) == RECENT_ARTIFACTS
    assert session.state.artifacts[-1].id == f"artifact_{RECENT_ARTIFACTS + 4}"
