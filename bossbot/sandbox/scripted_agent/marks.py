"""Ids and times as cbc writes them."""

import os
import time


def new_uuid() -> str:
    """A version 7 UUID like cbc's: 48 bits of milliseconds, then chance. (`import uuid` alone costs 10 ms.)"""
    chance = bytearray(os.urandom(10))
    chance[0] = chance[0] & 0x0F | 0x70
    chance[2] = chance[2] & 0x3F | 0x80
    digits = now_ms().to_bytes(6, "big").hex() + chance.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def new_id() -> str:
    return new_uuid().replace("-", "")


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def timestamp() -> str:
    seconds, ms = divmod(now_ms(), 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{ms:03d}Z"
