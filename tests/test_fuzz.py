"""A short run of `python -m tests.fuzz`: damaged and invented lines end nothing."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import run


@settings(max_examples=8)
@given(st.integers(0, 2**32 - 1))
def test_damaged_lines_end_nothing_and_leave_nothing(seed: int) -> None:
    told: list[str] = []
    assert run(100, seed, told.append) == 0, told
    assert told[-1].startswith("no crash")
