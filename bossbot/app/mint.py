"""Fresh ids: a prefix of the protocol and 65 random bits. Short, because a button's action id has 64 bytes in all."""

import secrets

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_CHARS, _BITS = 13, 5


def mint(prefix: str) -> str:
    """A new id, `task_4q7x…`."""
    number = secrets.randbits(_CHARS * _BITS)  # at once: each draw asks the operating system
    return f"{prefix}_{''.join([_ALPHABET[number >> shift & 31] for shift in _SHIFTS])}"


_SHIFTS = range(0, _CHARS * _BITS, _BITS)
