"""A long line made short: what is cut is cut between words, so that no secret is left in half."""

import json

import pytest

from bossbot.streamjson.abridge import SHORT_BYTES, abridge

SECRET = "hunter2/hunter2-hunter2.hunter2"


def shortened(text: str) -> str:
    line = json.dumps({"type": "assistant", "text": text, "rest": "y" * 2 * SHORT_BYTES}).encode()
    short = abridge(line)
    assert len(short) <= SHORT_BYTES
    found: str = json.loads(short)["text"]
    return found


@pytest.mark.parametrize("before", range(39_870, 39_900, 7))
def test_a_text_is_cut_between_words(before: int) -> None:
    text = "x " * (before // 2) + f'"{SECRET}"' + " z" * 50_000
    kept = shortened(text)
    told = f"… ({len(text)} characters in all)"
    assert kept.endswith(told)
    assert SECRET[:4] not in kept.replace(SECRET, "")
    assert len(kept) > 39_800


def test_one_word_that_is_longer_than_what_is_kept_is_cut_anywhere() -> None:
    assert shortened("x" * 50_000) == "x" * 39_900 + "… (50000 characters in all)"


def test_a_short_text_stays_whole() -> None:
    assert shortened(SECRET) == SECRET
