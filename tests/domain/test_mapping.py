"""A mapping that is changed gives another one, as a dict would be after the same change; the old one stays."""

import tracemalloc
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from bossbot.domain.mapping import newest_first, put, without

KEYS = st.integers(0, 600)


@given(known=st.sampled_from([0, 3, 250, 400]), changes=st.lists(st.tuples(KEYS, st.integers()), max_size=120))
def test_it_is_what_a_dict_would_be_and_leaves_the_old_ones_alone(known: int, changes: list[tuple[int, int]]) -> None:
    plain = {key: -key for key in range(known)}
    mapping: Mapping[int, int] = {}
    for key, value in plain.items():
        mapping = put(mapping, key, value)
    seen = [(mapping, dict(plain))]
    for key, value in changes:
        plain[key] = value
        mapping = put(mapping, key, value)
        seen.append((mapping, dict(plain)))
    for then, wanted in seen:
        assert list(then.items()) == list(wanted.items())
        assert list(then.values()) == list(newest_first(then))[::-1] == list(wanted.values())
        assert (len(then), then) == (len(wanted), wanted)
        assert all(key in then for key in wanted)
        assert 999 not in then
        assert then.get(999) is None


@given(known=st.sampled_from([0, 3, 100, 400]), key=KEYS)
def test_what_is_taken_out_is_gone_in_the_new_one_only(known: int, key: int) -> None:
    mapping: Mapping[int, int] = {}
    for number in range(known):
        mapping = put(mapping, number, number)
    assert list(without(mapping, key)) == [number for number in range(known) if number != key]
    assert list(mapping) == list(range(known))


def test_versions_of_a_large_mapping_share_what_they_have_in_common() -> None:
    """As copies, a thousand versions of ten thousand keys would take 300 MB and more."""
    mapping: Mapping[int, int] = {}
    for number in range(10_000):
        mapping = put(mapping, number, number)
    tracemalloc.start()
    versions = [mapping := put(mapping, number, -number) for number in range(1_000)]
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [version[999] for version in (versions[0], versions[-1])] == [999, -999]
    assert size < 50_000_000
