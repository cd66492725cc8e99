"""Mappings that change without being changed: each change gives a new one, and the old one stays as it was.

A large mapping is not copied for one key. What changed lies in a small layer above what did not, and the layer below
is shared by all that came from it; when the upper one has grown to the square root of the lower, both become one.
"""

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

COPIED_MAX = 256
"""A mapping of up to so many keys is copied in a microsecond or two; layers would cost more when it is read."""


def put(mapping: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    """With `key` at `value`. As in a dict, a known key keeps its place and a new one comes last."""
    if type(mapping) is _Layers:  # an isinstance of an abstract class asks around
        return mapping.put(key, value)
    if len(mapping) < COPIED_MAX:
        return {**mapping, key: value}
    return _Layers(mapping, {}, ()).put(key, value)


def without(mapping: Mapping[K, V], key: K) -> Mapping[K, V]:
    """Without `key`."""
    return {k: v for k, v in mapping.items() if k != key}


def newest_first(mapping: Mapping[K, V]) -> Iterator[V]:
    """The values, from the key that came last to the first."""
    if type(mapping) is _Layers:
        return mapping.newest_first()
    return reversed(list(mapping.values()))


class _Layers(Mapping[K, V]):
    """Two layers: a key is looked for in the upper one first. Neither is ever changed."""

    __slots__ = ("_above", "_below", "_new")

    def __init__(self, below: Mapping[K, V], above: dict[K, V], new: tuple[K, ...]) -> None:
        """`new`: the keys that only the upper layer has."""
        self._below, self._above, self._new = below, above, new

    def put(self, key: K, value: V) -> Mapping[K, V]:
        above = {**self._above, key: value}
        if len(above) ** 2 > len(self._below):
            return _Layers({**self._below, **above}, {}, ())
        return _Layers(self._below, above, self._new if key in self else (*self._new, key))

    def newest_first(self) -> Iterator[V]:
        for key in reversed(self._new):
            yield self._above[key]
        for key in reversed([*self._below]):
            yield self[key]

    def __getitem__(self, key: K) -> V:
        return self._above[key] if key in self._above else self._below[key]

    def __contains__(self, key: object) -> bool:
        return key in self._above or key in self._below

    def __iter__(self) -> Iterator[K]:
        yield from self._below
        yield from self._new

    def __len__(self) -> int:
        return len(self._below) + len(self._new)

    def items(self) -> ItemsView[K, V]:
        return self._whole().items()

    def values(self) -> ValuesView[V]:
        return self._whole().values()

    def _whole(self) -> dict[K, V]:
        return {**self._below, **self._above}

    def __repr__(self) -> str:
        return repr(self._whole())
