"""Fresh ids: a prefix of the protocol and 65 random bits. Short, because a button's action id has 64 bytes in all."""

import secrets

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_CHARS = 13


def mint(prefix: str) -> str:
    """A new id, `task_4q7x…`."""
    return f"{prefix}_{''.join(secrets.choice(_ALPHABET) for _ in range(_CHARS))}"
