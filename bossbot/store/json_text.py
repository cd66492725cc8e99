"""Events as JSON text: as they are stored, and in the canonical form, which the hashes of all logs are over.

Both are what Python's `json` writes without spaces and without escaping what UTF-8 can hold, for ever. msgspec writes
the same bytes in a tenth of the time, except of floats (`1e16` for `1e+16`) and very large numbers: those are left to
`json`, and so is text that UTF-8 cannot hold.
"""

import json

import msgspec

_DEEPEST = 100
"""Lists and objects within each other; no event has ten. What goes deeper is left to `json`, and to its limit."""

_PLAIN = frozenset({str, bool, type(None)})


def as_stored(value: object) -> str:
    """Compact JSON that UTF-8 can hold, keys in their order."""
    return _STORED.written(value, quick=_alike(value, _DEEPEST)).decode()


def canonical(value: object) -> bytes:
    """Compact JSON with sorted keys, as it is hashed."""
    return _CANONICAL.written(value, quick=_alike(value, _DEEPEST))


def as_stored_and_canonical(value: object) -> tuple[str, bytes]:
    """Both."""
    quick = _alike(value, _DEEPEST)
    return _STORED.written(value, quick=quick).decode(), _CANONICAL.written(value, quick=quick)


class _Form:
    """One form: by msgspec, by `json`, and by `json` with everything escaped that is not ASCII."""

    def __init__(self, *, sort_keys: bool) -> None:
        self._quick = msgspec.json.Encoder(order="sorted" if sort_keys else None).encode
        self._plain = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=sort_keys).encode
        self._escaped = json.JSONEncoder(separators=(",", ":"), sort_keys=sort_keys).encode

    def written(self, value: object, *, quick: bool) -> bytes:
        try:
            return self._quick(value) if quick else self._plain(value).encode()
        except UnicodeEncodeError:
            # A program's output may hold half a character (a lone surrogate), which UTF-8 cannot: it stays escaped.
            return self._escaped(value).encode()


_STORED, _CANONICAL = _Form(sort_keys=False), _Form(sort_keys=True)


def _alike(value: object, levels: int) -> bool:
    """Whether msgspec and `json` certainly write the same."""
    if type(value) is dict:
        for key, each in value.items():
            if type(key) is not str or not (type(each) in _PLAIN or _alike(each, levels - 1)):
                return False
        return levels > 0
    if type(value) is list:
        for each in value:
            if not (type(each) in _PLAIN or _alike(each, levels - 1)):
                return False
        return levels > 0
    if type(value) is int:
        return -(2**63) <= value < 2**63
    return type(value) in _PLAIN
