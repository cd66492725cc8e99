"""The account that `initialize` is answered with leaves no trace behind the decoder, whatever becomes of the line."""

import json
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bossbot.streamjson import frames as f
from bossbot.streamjson.decoder import decode, oversize
from bossbot.streamjson.framing import LineFramer, Oversize
from tests.streamjson.recorded import cbc, claude, compact

TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI0MjQyNDIifQ.c2lnbmF0dXJlLXNlY3JldA"
EMAIL = "jane.doe@example.com"
ENTERPRISE = "ent-77f3a1c9"
USER = "user-5550123"
SECRETS = (TOKEN, EMAIL, ENTERPRISE, USER, "eyJhbGci", "jane.doe", "77f3a1c9", "c2lnbmF0dXJl")

ACCOUNT: dict[str, Any] = {
    "uid": USER,
    "userName": EMAIL,
    "email": EMAIL,
    "enterpriseId": ENTERPRISE,
    "type": "personal",
    "token": TOKEN,
}


def answer(**more: object) -> dict[str, Any]:
    inner = {"commands": [{"name": "/init"}], "output_style": "default", **more}
    return {"type": "control_response", "response": {"subtype": "success", "request_id": "init", "response": inner}}


def assert_clean(frame: f.AnyFrame) -> None:
    everything = repr(frame) + repr(frame.document()) + repr(frame.extra()) + frame.raw.decode()
    if isinstance(frame, f.ControlResponse):
        everything += repr(frame.payload)
    for secret in SECRETS:
        assert secret not in everything


def test_the_account_is_gone_and_the_rest_is_there() -> None:
    frame = decode(compact(answer(account=ACCOUNT)))
    assert isinstance(frame, f.ControlResponse)
    assert_clean(frame)
    assert (frame.subtype, frame.request_id) == ("success", "init")
    assert frame.payload == {"commands": [{"name": "/init"}], "output_style": "default", "account": {}}


@pytest.mark.parametrize("recorded", [cbc("hello"), claude("hello")], ids=["cbc", "claude"])
def test_the_recorded_answers_lose_their_account_and_nothing_else(recorded: Any) -> None:
    line = recorded.lines[0]
    frame = decode(line)
    whole = json.loads(line)["response"]["response"]
    assert isinstance(frame, f.ControlResponse)
    assert frame.payload == {**whole, "account": {}}


@pytest.mark.parametrize(
    "document",
    [
        answer(account=ACCOUNT, brand_new_field={"x": 1}),
        answer(session={"account": ACCOUNT}),
        answer(user=ACCOUNT),
        answer(models=[{"id": "m", "apiKey": TOKEN}]),
        answer(account=[ACCOUNT, TOKEN]),
        answer(account=TOKEN),
        answer(note=f"signed in as {EMAIL} with {TOKEN}", userId=None),
        {**answer(), "account": ACCOUNT},
        {"type": "system", "subtype": "account_changed", "account": ACCOUNT},
        {"type": "auth_status", "accessToken": TOKEN, "email": EMAIL, "account": {"id": ENTERPRISE}},
    ],
    ids=str,
)
def test_the_account_is_found_in_other_places_and_kinds_too(document: dict[str, Any]) -> None:
    frame = decode(compact({key: value for key, value in document.items() if value is not None}))
    everything = repr(frame) + frame.raw.decode()
    for secret in (TOKEN, EMAIL, ENTERPRISE):
        assert secret not in everything


def test_the_order_of_keys_and_unknown_neighbours_hide_nothing() -> None:
    turned = {"response": {"response": {"account": ACCOUNT, "zzz": 1}, "request_id": "init", "subtype": "success"}}
    frame = decode(compact({**turned, "type": "control_response"}))
    assert_clean(frame)
    assert isinstance(frame, f.ControlResponse)
    assert frame.payload["zzz"] == 1


def test_what_is_not_secret_is_kept_also_where_the_slow_way_is_taken() -> None:
    frame = decode(compact(answer(account=ACCOUNT, tokens={"maxInputTokens": 5}, limits=[1, None])))
    assert isinstance(frame, f.ControlResponse)
    assert frame.payload["tokens"] == {"maxInputTokens": 5}
    assert frame.payload["limits"] == [1, None]


LINE = compact(answer(account=ACCOUNT, brand_new_field="x"))


@given(st.integers(0, len(LINE)), st.integers(0, len(LINE)), st.sampled_from([b"", b"{", b'"', b"xx", b"\xff", b"}}"]))
def test_no_piece_of_a_damaged_answer_shows_a_secret(start: int, end: int, glue: bytes) -> None:
    for line in (LINE[:end], LINE[start:], glue + LINE[start:end], LINE[:start] + glue + LINE[end:]):
        frame = decode(line) if line else None
        if frame is not None:
            assert_clean(frame)


@pytest.mark.parametrize("damage", [b'"type:"', b"'type':", b"{{"])
def test_broken_quoting_does_not_turn_values_into_structure(damage: bytes) -> None:
    frame = decode(LINE.replace(b'"type":', damage, 1))
    assert isinstance(frame, f.Malformed)
    assert_clean(frame)


def test_an_answer_above_the_bound_shows_no_secret() -> None:
    (line,) = LineFramer(50).feed(compact({"a": ACCOUNT, "pad": "x" * 100}) + b"\n")
    assert isinstance(line, Oversize)
    assert_clean(oversize(line))


@pytest.mark.parametrize("word", ["x", "eyJ", "eyJaaaaaaaa.", "a@", "a.b@c", "-"])
def test_a_word_of_a_megabyte_costs_no_more_than_a_text_of_one(word: str) -> None:
    """It was read anew from each of its letters: an hour for the event loop, at the price of one line."""
    line = compact({"type": "news", "token": TOKEN, "text": word * (1024 * 1024 // len(word))})
    begin = process_time()
    frame = decode(line)
    assert process_time() - begin < 20
    assert isinstance(frame, f.Unknown)
    assert "token" not in frame.document()
