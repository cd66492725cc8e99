"""A session is opened from what its events say; that is what reading them whole gives, where it is not quick too."""

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from bossbot.domain.events import UnknownPayload
from bossbot.domain.evolve import fold
from bossbot.domain.state import SessionState
from bossbot.ids import SessionId
from bossbot.replay import Replay
from bossbot.store.chain import GENESIS, event_from_json, linked
from bossbot.store.facts import fact
from bossbot.store.records import Link
from bossbot.store.testing import message, opening

CAPTURES = sorted((Path(__file__).parents[1] / "captures").glob("*/*.ndjson"))
ASKED = {"id": "a", "session_id": "s", "kind": "tool_call", "summary": "x", "risk_level": "low", "request_id": "r"}


def link(kind: str, payload: object, written: int = 1) -> Link:
    envelope = {"id": "evt_1", "session_id": "ps_1", "task_id": None, "source": "system", "type": kind}
    whole = {**envelope, "timestamp": "2026-03-23T12:00:00.000Z", "payload": payload}
    return Link(1, json.dumps(whole), GENESIS, written)


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_real_work_folds_to_the_same_state(capture: Path) -> None:
    with capture.open("rb") as lines:
        events = list(Replay("").events(lines))
    start = SessionState(id=SessionId("ps_replay"))
    assert fold(start, map(fact, linked(events, 0, GENESIS))) == fold(start, events) != start


def test_what_a_program_wrote_with_half_a_character_is_read() -> None:
    events = [*opening(), message(3, "half a \ud83d")]
    facts = [fact(link) for link in linked(events, 0, GENESIS)]
    assert [(fact.payload, fact.task_id) for fact in facts] == [(event.payload, event.task_id) for event in events]


def test_the_form_of_an_older_program_is_read_in_todays() -> None:
    payload = {**ASKED, "tool": "Bash", "tool_input": {"command": "export TOKEN=x"}}
    older = link("approval.requested", payload)
    assert fact(older).payload == event_from_json(older.envelope, 1).payload
    assert "tool_input" not in fact(older).payload.model_dump()


@pytest.mark.parametrize("payload", [{"status": "danced"}, {}, 7, None, [1]])
def test_what_a_newer_program_says_in_a_field_that_we_know_is_read_as_it_always_was(payload: object) -> None:
    newer = link("task.created", payload)
    try:
        wanted = event_from_json(newer.envelope).payload
    except ValidationError:
        with pytest.raises(ValidationError):
            fact(newer)
    else:
        assert fact(newer).payload == wanted


def test_an_unknown_event_changes_nothing() -> None:
    unknown = fact(link("session.danced", {"steps": 3}))
    state = SessionState(id=SessionId("ps_1"))
    assert isinstance(unknown.payload, UnknownPayload)
    assert fold(state, [unknown]) == state


@pytest.mark.parametrize("text", ["", "{", '{"type": "session.closed"}', '{"type": 7, "payload": {}}'])
def test_what_is_no_event_is_an_error(text: str) -> None:
    with pytest.raises((json.JSONDecodeError, ValidationError)):
        fact(Link(1, text, GENESIS))
