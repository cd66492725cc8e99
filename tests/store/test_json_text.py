"""The texts that are stored and hashed are those of Python's `json`, whoever writes them: hashes stand for ever."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bossbot.replay import Replay
from bossbot.store.chain import GENESIS, link_hash, linked
from bossbot.store.json_text import as_stored, as_stored_and_canonical, canonical
from bossbot.store.testing import message

CAPTURES = sorted((Path(__file__).parents[1] / "captures").glob("*/*.ndjson"))
AT_ONCE = 4096


def by_json(value: object, *, sort_keys: bool = False) -> str:
    """What every bossbot has written."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=sort_keys)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), sort_keys=sort_keys)
    return text


numbers = st.integers() | st.floats() | st.integers(-3, 3).map(lambda off: 2**63 + off)
texts = st.text() | st.text(st.characters(categories=("Cs", "Cc", "Lu")))
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
)


@given(values)
@example({"b": 1e16, "a": 1e-7})
@example({"b": -0.0, "a": float("nan"), "": float("-inf")})
@example({"\uffff": 1, "\U00010000": 2, "\ud83d": 3, "a": {"z": [], "y": {}}})
@example([2**63, -(2**63), 2**63 - 1, -(2**63) - 1, True, 1])
def test_any_value_is_written_as_json_writes_it(value: object) -> None:
    stored, hashed = by_json(value), by_json(value, sort_keys=True).encode()
    assert as_stored(value) == stored
    assert canonical(value) == hashed
    assert as_stored_and_canonical(value) == (stored, hashed)


def test_every_character_is_written_as_json_writes_it() -> None:
    for first in range(0, sys.maxunicode + 1, AT_ONCE):
        characters = [chr(n) for n in range(first, first + AT_ONCE) if not 0xD800 <= n <= 0xDFFF]
        assert as_stored("".join(characters)) == by_json("".join(characters))
        keys = dict.fromkeys(reversed(characters))
        assert canonical(keys).decode() == by_json(keys, sort_keys=True)


@pytest.mark.parametrize("levels", [99, 100, 101, 300])
def test_what_is_deep_is_written_all_the_same(levels: int) -> None:
    value: object = "core"
    for _ in range(levels):
        value = {"in": [value]}
    assert as_stored(value) == by_json(value)


def test_a_hash_that_was_made_once_is_made_again() -> None:
    [link] = linked([message(3, 'half a \ud83d, 缓存, "\x00\x1f\x7f", \u2028')], 2, "f" * 64)
    assert link.hash == "841234c7e36aa41a7c4c442167a23362de107ae564cf6a854615ea79ce0bc211"
    assert link_hash("f" * 64, link.envelope) == link.hash


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_log_of_real_work_is_what_it_always_was(capture: Path) -> None:
    with capture.open("rb") as lines:
        events = list(Replay("").events(lines))
    links = linked(events, 0, GENESIS)
    assert [link.envelope for link in links] == [by_json(event.model_dump()) for event in events]
    before = [GENESIS, *(link.hash for link in links)]
    assert [link_hash(tip, link.envelope) for tip, link in zip(before, links, strict=False)] == before[1:]
