"""Workflows: snapshots replace each other, repeats say nothing, the notification is the one end, nothing reopens."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.snapshot import AGENT, PHASE
from bossbot.domain.task import TaskStatus
from bossbot.ids import TaskId

from .harness import BEGUN, WORKER, Session, kinds, of_type

TASK = TaskId("task_w1")


def phase(index: int, title: str = "") -> c.SnapshotEntry:
    return c.SnapshotEntry(PHASE, index, label=title or f"Phase {index}")


def agent(index: int, state: str, in_phase: int = 1, error: str = "") -> c.SnapshotEntry:
    return c.SnapshotEntry(AGENT, index, state, f"child-{index}", in_phase, f"Phase {in_phase}", error=error)


@pytest.fixture
def session() -> Session:
    session = Session()
    session.say("gather and write")
    session.start_workflow()
    return session


def report(session: Session, *entries: c.SnapshotEntry) -> list[ev.Payload]:
    return session.tell(c.ReportSnapshot("w1", entries))


def end(session: Session, status: str, summary: str = "") -> list[ev.Payload]:
    return session.tell(c.EndBackgroundTask("w1", status, "turn_next", summary))


def steps(payloads: list[ev.Payload]) -> list[tuple[str, str]]:
    return [(p.TYPE.rpartition(".")[2], p.step) for p in payloads if isinstance(p, ev.Step)]


def test_a_workflow_begins_as_the_protocol_says(session: Session) -> None:
    assert [e.type for e in session.log[-5:]] == ["task.created", "task.queued", *BEGUN]
    assert {e.task_id for e in session.log[-3:]} == {TASK}
    task = session.state.tasks[TASK]
    assert (task.kind, task.origin, task.status) == ("workflow", "workflow", TaskStatus.RUNNING)


def test_a_workflow_that_is_announced_twice_is_one(session: Session) -> None:
    before = len(session.log)
    session.start_workflow()
    assert len(session.log) == before


def test_another_background_task_keeps_the_clis_word_as_its_kind() -> None:
    session = Session()
    session.start_workflow("b1", "local_agent")
    task = session.state.tasks[TaskId("task_b1")]
    assert (task.kind, task.origin) == ("local_agent", "background")


def test_a_phase_starts_before_the_agents_in_it(session: Session) -> None:
    told = report(session, phase(1), phase(2), agent(1, "start"), agent(2, "start"))
    assert steps(told) == [
        ("started", "workflow_phase:1"),
        ("started", "workflow_agent:1"),
        ("started", "workflow_agent:2"),
    ]


def test_a_repeated_snapshot_says_nothing(session: Session) -> None:
    entries = (phase(1), agent(1, "done"), agent(2, "start"))
    assert report(session, *entries) != []
    assert report(session, *entries) == []


def test_a_stale_snapshot_says_nothing_of_its_steps(session: Session) -> None:
    report(session, phase(1), agent(1, "done"), agent(2, "error"))
    assert steps(report(session, phase(1), agent(1, "start"), agent(2, "start"))) == []
    assert steps(report(session)) == []
    states = {key: step.state for key, step in session.state.tasks[TASK].steps.items()}
    assert (states["workflow_agent:1"], states["workflow_agent:2"]) == ("done", "error")


def test_an_agent_first_heard_of_at_its_end_has_begun_and_ended(session: Session) -> None:
    told = report(session, phase(1), agent(1, "done"), agent(2, "error", error="boom"), agent(3, "cached"))
    assert steps(told)[1:] == [
        ("started", "workflow_agent:1"),
        ("finished", "workflow_agent:1"),
        ("started", "workflow_agent:2"),
        ("failed", "workflow_agent:2"),
        ("started", "workflow_agent:3"),
        ("finished", "workflow_agent:3"),
    ]
    [failed] = of_type(told, ev.TaskStepFailed)
    assert isinstance(failed, ev.TaskStepFailed)
    assert failed.error == "boom"
    assert session.state.tasks[TASK].steps["workflow_agent:3"].state == "cached"


def test_a_phase_is_over_when_a_later_one_has_begun_and_its_agents_have_ended(session: Session) -> None:
    report(session, phase(1), phase(2), agent(1, "start"))
    assert ("finished", "workflow_phase:1") not in steps(report(session, phase(1), phase(2), agent(1, "done")))
    second = report(session, phase(1), phase(2), agent(1, "done"), agent(2, "start", 2))
    assert steps(second) == [
        ("started", "workflow_phase:2"),
        ("started", "workflow_agent:2"),
        ("finished", "workflow_phase:1"),
    ]


def test_a_phase_whose_agents_lag_behind_the_next_phase_ends_when_they_do(session: Session) -> None:
    early = report(session, phase(1), phase(2), agent(1, "start"), agent(2, "start", 2))
    assert ("finished", "workflow_phase:1") not in steps(early)
    late = report(session, phase(1), phase(2), agent(1, "done"), agent(2, "start", 2))
    assert steps(late) == [("finished", "workflow_agent:1"), ("finished", "workflow_phase:1")]


def test_the_sum_of_a_snapshot_is_the_protocols_structured_summary(session: Session) -> None:
    told = report(session, phase(1, "Gather"), phase(2, "Write"), agent(1, "done"), agent(2, "start"))
    [progress] = of_type(told, ev.TaskProgress)
    assert isinstance(progress, ev.TaskProgress)
    assert (progress.task_id, progress.summary, progress.progress_percent) == (TASK, "1/2 agents", 50)
    assert (progress.current_step, progress.next_step, progress.risk) == ("child-2", "Write", "low")


def test_all_agents_done_is_not_all_while_a_phase_is_to_come(session: Session) -> None:
    [progress] = of_type(report(session, phase(1), phase(2), agent(1, "done")), ev.TaskProgress)
    assert isinstance(progress, ev.TaskProgress)
    assert progress.progress_percent == 99


@pytest.mark.parametrize(
    ("word", "status"),
    [("completed", TaskStatus.COMPLETED), ("failed", TaskStatus.FAILED), ("stopped", TaskStatus.CANCELLED)],
)
def test_the_notification_is_the_end(session: Session, word: str, status: TaskStatus) -> None:
    end(session, word)
    assert session.state.tasks[TASK].status is status
    assert end(session, "failed" if word != "failed" else "completed") == []
    assert session.state.tasks[TASK].status is status


@pytest.mark.parametrize("word", ["completed", "failed", "killed"])
def test_a_terminal_update_waits_for_the_notification(session: Session, word: str) -> None:
    assert session.tell(c.UpdateBackgroundTask("w1", word)) == []
    assert session.state.tasks[TASK].status is TaskStatus.RUNNING


def test_a_pause_and_its_end_are_events_and_a_repeat_is_none(session: Session) -> None:
    words = [kinds(session.tell(c.UpdateBackgroundTask("w1", w))) for w in ("paused", "paused", "running", "running")]
    assert words == [["task.paused"], [], ["task.resumed"], []]


def test_completed_over_agents_at_start_leaves_them_as_last_told(session: Session) -> None:
    """cbc is silent after an early result: `completed` comes while the last snapshot still says start."""
    report(session, phase(1), agent(1, "start"), agent(2, "start"))
    told = end(session, "completed")
    assert kinds(told) == ["task.completed"]
    task = session.state.tasks[TASK]
    assert task.status is TaskStatus.COMPLETED
    assert [s.state for s in task.steps.values() if s.entry_type == AGENT] == ["start", "start"]


def test_late_errors_of_agents_are_kept_and_reopen_nothing(session: Session) -> None:
    """cbc turns the agents of a stopped workflow to `error` after its notification."""
    report(session, phase(1), agent(1, "start"))
    end(session, "stopped", "user cancel")
    told = report(session, phase(1), agent(1, "error"))
    assert steps(told) == [("failed", "workflow_agent:1")]
    assert of_type(told, ev.TaskProgress) == []
    assert session.state.tasks[TASK].status is TaskStatus.CANCELLED
    for word in ("running", "paused"):
        assert session.tell(c.UpdateBackgroundTask("w1", word)) == []
    session.start_workflow()
    assert session.state.tasks[TASK].status is TaskStatus.CANCELLED


def test_reports_of_an_unknown_task_change_nothing(session: Session) -> None:
    assert session.tell(c.ReportSnapshot("w77", (phase(1), agent(1, "start")))) == []
    assert session.tell(c.UpdateBackgroundTask("w77", "paused")) == []
    assert session.tell(c.EndBackgroundTask("w77", "completed", "turn_x")) == []


def test_the_end_of_the_last_thing_that_runs_voids_what_still_waits(session: Session) -> None:
    session.end_turn()
    session.ask()
    assert kinds(end(session, "stopped")) == ["task.cancelled", "approval.withdrawn"]


def test_the_death_of_the_agent_ends_its_workflow_as_failed(session: Session) -> None:
    session.tell(c.AgentExited(WORKER, "exit code 137", "turn_9"))
    task = session.state.tasks[TASK]
    assert (task.status, task.reason) == (TaskStatus.FAILED, "exit code 137")


ENTRIES = st.lists(
    st.one_of(
        st.builds(phase, st.integers(1, 3)),
        st.builds(agent, st.integers(1, 4), st.sampled_from(["start", "done", "error", "cached"]), st.integers(1, 3)),
    ),
    max_size=6,
)


@given(snapshots=st.lists(ENTRIES, max_size=6))
def test_whatever_snapshots_come_each_step_starts_once_and_ends_at_most_once(
    snapshots: list[list[c.SnapshotEntry]],
) -> None:
    session = Session()
    session.start_workflow()
    told = [payload for entries in snapshots for payload in report(session, *entries)]
    seen: dict[str, list[str]] = {}
    for word, key in steps(told):
        seen.setdefault(key, []).append(word)
    for words in seen.values():
        assert words in (["started"], ["started", "finished"], ["started", "failed"])
    for entries in snapshots[-1:]:
        assert steps(report(session, *entries)) == []


CAPTURES = Path(__file__).parent.parent / "captures"


def recorded() -> Iterator[Path]:
    yield from sorted(CAPTURES.glob("*/workflow*.ndjson"))
    yield from sorted(CAPTURES.glob("*/interrupt*.ndjson"))


@pytest.mark.parametrize("path", list(recorded()), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_recorded_workflow_ends_as_its_notification_says_and_tells_each_step_once(path: Path) -> None:
    session = Session()
    told: dict[str, list[ev.Payload]] = {}
    ends: dict[str, str] = {}
    for frame in (json.loads(line)["msg"] for line in path.read_text().splitlines() if '"out"' in line):
        if not isinstance(frame, dict) or frame.get("type") != "system" or "task_id" not in frame:
            continue
        ref = frame["task_id"]
        if frame["subtype"] == "task_started":
            session.start_workflow(ref, frame["task_type"])
            told[ref] = []
        elif frame["subtype"] == "task_progress":
            told[ref] += session.tell(c.ReportSnapshot(ref, tuple(map(_entry, frame.get("workflow_progress", ())))))
        elif frame["subtype"] == "task_notification":
            ends.setdefault(ref, frame["status"])
            told[ref] += session.tell(c.EndBackgroundTask(ref, frame["status"], "turn_next"))
    assert ends
    words = {"completed": TaskStatus.COMPLETED, "failed": TaskStatus.FAILED, "stopped": TaskStatus.CANCELLED}
    for ref, word in ends.items():
        assert session.state.tasks[TaskId(f"task_{ref}")].status is words[word]
    assert any(map(steps, told.values()))
    for of_task in told.values():
        assert len(steps(of_task)) == len(set(steps(of_task)))


def _entry(raw: dict[str, object]) -> c.SnapshotEntry:
    title = raw.get("title") or raw.get("label") or ""
    index, in_phase = raw["index"], raw.get("phaseIndex")
    assert isinstance(index, int)
    assert in_phase is None or isinstance(in_phase, int)
    return c.SnapshotEntry(str(raw["type"]), index, str(raw.get("state", "")), str(title), in_phase)
