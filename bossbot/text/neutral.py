"""Makes untrusted text harmless: nothing hidden, nothing that moves the cursor.

Two degrees. `neutral` is for prose: terminal escapes go away, what could deceive the eye is spelled out. `visible` is
for commands, which a person judges: every character that does not show itself is spelled out, nothing is removed.
"""

import re
import unicodedata

from bossbot.text.widths import utf16_cut, utf16_len

_ANSI = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # operating system command: titles, links
    r"|\x1b[PX^_][^\x1b]*\x1b\\"  # device control and other strings
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # control sequence: colours, cursor
    r"|\x1b[ -/]*[0-~]"  # two-character escapes
)
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_ZERO_WIDTH = frozenset(
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u2800\u3164\ufeff\uffa0"
)
_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), 0x180B, 0x180C, 0x180D, 0x180F)))
"""Choose the form of the sign before them; emoji in prose are written with them."""
_JOINERS = frozenset("\u200c\u200d")
_NOT_PLAIN = re.compile(r"[^\n\t -~]")
_LINE_BREAKS = re.compile("\r\n|[\r\u0085\u2028\u2029]")


def strip_ansi(text: str) -> str:
    """Removes terminal escape sequences (colours, titles, cursor movements), as a terminal would have eaten them."""
    return _ANSI.sub("", text)


def neutral(text: str) -> str:
    """Prose as it may be shown: no terminal escapes, one kind of line break, deceptive characters spelled out.

    Joiners inside words and emoji (Persian, families) stay: they are how these are written.
    """
    text = _LINE_BREAKS.sub("\n", strip_ansi(text))
    return _NOT_PLAIN.sub(lambda found: _prose(found.group(), text, found.start()), text)


def visible(text: str) -> str:
    """A command as it may be judged: every character that does not show itself is spelled out, none is removed."""
    text = text.replace("\r\n", "\n")
    return _NOT_PLAIN.sub(lambda found: _spelled(found.group()) if _is_unseen(found.group()) else found.group(), text)


def one_line(text: str, limit: int) -> str:
    """Neutral text on one line, at most `limit` UTF-16 units; a cut is marked with an ellipsis."""
    line = " ".join(neutral(text).split())
    return line if utf16_len(line) <= limit else line[: utf16_cut(line, limit - 1)].rstrip() + "…"


def _prose(char: str, text: str, at: int) -> str:
    if char in _JOINERS:
        around = text[at - 1 : at] + text[at + 1 : at + 2]
        joins = len(around) == 2 and all(unicodedata.category(c)[0] in "LMS" and not c.isascii() for c in around)
        return char if joins else _spelled(char)
    return _spelled(char) if _deceives(char) else char


def _deceives(char: str) -> bool:
    """Controls, direction overrides, zero-width characters, tags, lone surrogates and noncharacters."""
    category = unicodedata.category(char)
    return (
        category in ("Cc", "Cs")
        or char in _BIDI
        or char in _ZERO_WIDTH
        or 0xE0000 <= ord(char) <= 0xE0FFF
        or ord(char) & 0xFFFE == 0xFFFE
    )


def _is_unseen(char: str) -> bool:
    """What `_deceives`, joiners, selectors, unassigned ones, separators, and spaces but U+0020 and the wide U+3000."""
    return char != "\u3000" and (
        _deceives(char) or char in _SELECTORS or unicodedata.category(char) in ("Cf", "Cn", "Zs", "Zl", "Zp")
    )


def _spelled(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)  # the control pictures block: ␀ … ␟
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"
