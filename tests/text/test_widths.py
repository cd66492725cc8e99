"""Lengths are counted as platforms count them, and cuts do not split what is seen as one sign."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bossbot.text import cell_width, utf16_cut, utf16_len

SIGNS = st.lists(st.sampled_from(["a", "é", "e\u0301", "你", "😀", "👍🏽", "👨‍👩‍👧", "🇫🇷", "\n", " ", "각"])).map(
    "".join
)


@given(st.text(st.characters(codec="utf-8")))
def test_the_length_is_that_of_utf_16(text: str) -> None:
    assert utf16_len(text) == len(text.encode("utf-16-le")) // 2


@given(SIGNS, st.integers(0, 40))
def test_a_cut_fits_and_is_the_longest_that_splits_no_sign(text: str, limit: int) -> None:
    at = utf16_cut(text, limit)
    assert utf16_len(text[:at]) <= limit
    if 0 < at < len(text) and limit >= 12:
        assert text[at] not in "\u0301\u200d🏽"
        assert text[at - 1] != "\u200d"
        assert utf16_len(text[:at]) > limit - 12


def test_flags_are_cut_between_pairs() -> None:
    assert utf16_cut("🇫🇷🇩🇪", 6) == 2
    assert utf16_cut("🇫🇷🇩🇪", 4) == 2


def test_a_sign_longer_than_the_limit_is_still_cut_somewhere() -> None:
    zalgo = "e" + "\u0301" * 500
    assert utf16_cut(zalgo, 100) == 100


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("你好", 4), ("e\u0301", 1), ("😀", 2), ("", 0), ("ｱ", 1)])
def test_columns_count_wide_characters_twice(text: str, width: int) -> None:
    assert cell_width(text) == width


@given(st.text())
def test_no_text_has_a_negative_or_impossible_width(text: str) -> None:
    seen = [char for char in text if not unicodedata.combining(char)]
    assert 0 <= cell_width(text) <= 2 * len(seen)
