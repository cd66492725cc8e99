"""Intents of 289 messages written for this project: a floor below which the rules must not fall again.

The rules were written with these messages in view, so the floor guards against regressions; it says nothing of
how the rules do on strangers' messages.
"""

import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from bossbot.intent import Board, judge
from bossbot.intent.types import PRECEDENCE

FILE = Path(__file__).with_name("authored.jsonl")
NO_BOARD = Board("", ())


class Row(NamedTuple):
    text: str
    lang: str
    label: str
    told: str


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    read = (json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines())
    return [Row(r["text"], r["lang"], r["label"], judge(r["text"], NO_BOARD).intent) for r in read]


def f1(rows: list[Row], label: str) -> float:
    counts = Counter((row.label == label, row.told == label) for row in rows)
    hit, wrong = counts[True, True], counts[True, False] + counts[False, True]
    return 2 * hit / (2 * hit + wrong) if hit else 0.0


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_macro_f1_stays_above_its_floor(rows: list[Row], lang: str) -> None:
    spoken = [row for row in rows if row.lang == lang]
    assert sum(f1(spoken, label) for label in PRECEDENCE) / len(PRECEDENCE) >= 0.95


def test_objective_changes_are_found_and_nothing_else_is_taken_for_one(rows: list[Row]) -> None:
    told = [row for row in rows if row.told == "objective_change"]
    meant = [row for row in rows if row.label == "objective_change"]
    assert sum(row.label == row.told for row in told) / len(told) >= 0.95
    assert sum(row.label == row.told for row in meant) / len(meant) >= 0.95


def test_no_question_is_taken_for_a_change(rows: list[Row]) -> None:
    assert [row.text for row in rows if row.label == "question" and row.told == "objective_change"] == []
