"""The envelope: exactly the protocol's seven keys in its order, in and out without loss."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bossbot.domain import events as ev
from bossbot.domain.events.base import time_text
from bossbot.ids import EventId, SessionId, TaskId

KEYS = ["id", "session_id", "task_id", "source", "type", "timestamp", "payload"]
NOON = datetime(2026, 3, 23, 12, 10, tzinfo=UTC)
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))

_NAMES = """
session.created session.objective.updated session.message.added
plan.created plan.updated plan.diff.generated
task.created task.assigned task.started task.progress task.blocked task.paused task.resumed task.cancelled
task.completed task.failed
worker.heartbeat worker.capabilities.updated worker.assignment.accepted worker.assignment.rejected
task.step.started task.step.finished task.step.failed tool.call.requested tool.call.finished
approval.requested approval.approved approval.rejected
"""
PROTOCOL_TYPES = _NAMES.split()


def sealed(payload: ev.Payload, at: datetime = NOON) -> ev.Event:
    return ev.NewEvent(source=ev.Source.WORKER, payload=payload, task_id=TaskId("task_002")).sealed(
        EventId("evt_001"), SessionId("ps_001"), at
    )


STEP = ev.TaskStepStarted(step="run_tests", summary="开始运行登录相关测试")


def test_the_json_has_the_seven_keys_in_the_protocols_order() -> None:
    parsed = json.loads(sealed(STEP).model_dump_json())
    assert list(parsed) == KEYS
    assert {k: v for k, v in parsed.items() if k != "payload"} == {
        "id": "evt_001",
        "session_id": "ps_001",
        "task_id": "task_002",
        "source": "worker",
        "type": "task.step.started",
        "timestamp": "2026-03-23T12:10:00.000Z",
    }
    assert parsed["payload"]["step"] == "run_tests"


def test_an_event_without_a_task_says_null() -> None:
    event = ev.NewEvent(source=ev.Source.USER, payload=ev.SessionClosed()).sealed(EventId("e"), SessionId("s"), NOON)
    assert json.loads(event.model_dump_json())["task_id"] is None


def test_all_28_events_of_the_protocol_are_known() -> None:
    assert len(PROTOCOL_TYPES) == 28
    assert set(PROTOCOL_TYPES) <= set(ev.PAYLOADS)


def test_an_event_that_the_protocol_does_not_name_says_so() -> None:
    ours = set(ev.PAYLOADS) - set(PROTOCOL_TYPES)
    unmarked = [name for name in sorted(ours) if "(ours)" not in (ev.PAYLOADS[name].__doc__ or "")]
    assert unmarked == []


def test_the_protocols_own_example_is_read() -> None:
    raw = {
        "id": "evt_001",
        "session_id": "ps_001",
        "task_id": "task_002",
        "source": "worker",
        "type": "task.step.started",
        "timestamp": "2026-03-23T12:10:00Z",
        "payload": {"step": "run_tests", "summary": "开始运行登录相关测试"},
    }
    assert ev.Event.model_validate(raw) == sealed(STEP)


def test_an_unknown_type_is_kept_whole() -> None:
    raw = {**sealed(STEP).model_dump(), "type": "task.teleported", "payload": {"to": "mars", "deep": [{"a": None}]}}
    event = ev.Event.model_validate(raw)
    assert type(event.payload) is ev.UnknownPayload
    assert event.model_dump() == raw


def test_an_unknown_field_of_a_known_type_is_kept() -> None:
    raw = sealed(STEP).model_dump()
    raw["payload"]["mood"] = "good"
    event = ev.Event.model_validate(raw)
    assert type(event.payload) is ev.TaskStepStarted
    assert event.model_dump() == raw


def test_an_eighth_key_is_refused() -> None:
    with pytest.raises(ValidationError):
        ev.Event.model_validate({**sealed(STEP).model_dump(), "hash": "00"})


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValidationError):
        sealed(STEP, NOON.replace(tzinfo=None))


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=ZONES))
def test_a_time_is_written_as_iso_8601_has_it_to_the_millisecond(at: datetime) -> None:
    in_utc = at.astimezone(UTC).isoformat(timespec="milliseconds")
    assert time_text(at) == in_utc.replace("+00:00", "Z")


def test_a_time_of_another_zone_is_written_in_utc() -> None:
    at = NOON.astimezone(timezone(timedelta(hours=8)))
    assert sealed(STEP, at).model_dump()["timestamp"] == "2026-03-23T12:10:00.000Z"


@given(st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)))
def test_an_event_read_back_is_equal_whatever_its_time(at: datetime) -> None:
    event = sealed(STEP, at)
    assert ev.Event.model_validate_json(event.model_dump_json()) == event


@given(phases=st.dictionaries(st.integers(0, 9), st.text()), summary=st.text())
def test_progress_with_its_numbered_phases_is_read_back_equal(phases: dict[int, str], summary: str) -> None:
    event = sealed(ev.TaskProgress(task_id="task_002", phases=phases, summary=summary))
    assert ev.Event.model_validate(json.loads(json.dumps(event.model_dump()))) == event
