"""Fresh ids: a prefix of the protocol and 65 random bits. Short, because a button's action id has 64 bytes in all."""

from secrets import token_bytes

_ALPHABET = b"0123456789abcdefghjkmnpqrstvwxyz"
_CHARS = 13
_OF_BYTE = bytes(_ALPHABET[byte % len(_ALPHABET)] for byte in range(256))
"""Each byte's character: 32 of them, so that every one is as likely as the others."""


def mint(prefix: str) -> str:
    """A new id, `task_4q7x…`."""
    return f"{prefix}_{token_bytes(_CHARS).translate(_OF_BYTE).decode()}"
