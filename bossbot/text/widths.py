"""How long a text is, as the platforms count, and where it may be cut.

Telegram counts entity offsets in UTF-16 code units and text in code points (TDLib `utf8_length`); Slack does not say.
UTF-16 is never less than either, so every limit here is counted in it.
"""

import unicodedata


def utf16_len(text: str) -> int:
    """Length in UTF-16 code units: characters beyond U+FFFF count twice."""
    return len(text) + sum(1 for char in text if ord(char) > 0xFFFF) if not text.isascii() else len(text)


def utf16_cut(text: str, limit: int) -> int:
    """The largest index whose prefix has at most `limit` UTF-16 units and does not end inside what is seen as one sign.

    A single sign that is longer than the limit is cut between its code points, so that something always fits;
    0 only when not even one code point does.
    """
    if len(text) * 2 <= limit or utf16_len(text) <= limit:
        return len(text)
    hard = _hard_cut(text, limit)
    at = hard
    while 0 < at < len(text) and not _breakable(text, at) and hard - at < 64:
        at -= 1
    return at if at > 0 and _breakable(text, at) else hard


def _hard_cut(text: str, limit: int) -> int:
    units = 0
    for at, char in enumerate(text):
        units += 2 if ord(char) > 0xFFFF else 1
        if units > limit:
            return at
    return len(text)


def _breakable(text: str, at: int) -> bool:
    """Whether a reader would see the characters around `at` as two signs (combining marks, joiners, flags)."""
    before, after = text[at - 1], text[at]
    if before == "\r" and after == "\n":
        return False
    if unicodedata.combining(after) or unicodedata.category(after) in ("Mn", "Me", "Mc"):
        return False
    if "\u200d" in (before, after) or "\U0001f3fb" <= after <= "\U0001f3ff":  # joiner, skin tone
        return False
    return not (_is_flag(before) and _is_flag(after) and _flags_before(text, at) % 2 == 1)


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, at: int) -> int:
    count = 0
    while count < at and _is_flag(text[at - 1 - count]):
        count += 1
    return count


def cell_width(text: str) -> int:
    """Columns in a monospace font: 2 for wide characters (CJK, emoji), 0 for combining ones."""
    return sum(_cells(char) for char in text)


def _cells(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
