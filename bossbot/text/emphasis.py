"""Which `*` and `_` are emphasis: a guard in front of CommonMark's rule, for people and agents who write about code.

Text stays literal where a star stands between two word characters of a spaced script (`2*3*4`), where it belongs to a
glob or path (`*.py`, `src/**/x`, `/tmp/*`), and in dunder names (`__init__`). Chinese and Japanese have no spaces
between words, so there a star inside a word may well be emphasis.
"""

import re
from typing import TYPE_CHECKING

from bossbot.text.widths import cell_width

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline

_DUNDER = re.compile(r"__[A-Za-z0-9]\w*?__(?![A-Za-z0-9_])")
_GLOB_AFTER = frozenset("./\\,;:)]}")
_GLOB_BEFORE = frozenset("/\\")


def guard(parser: "MarkdownIt") -> None:
    """Puts the guard in place of the parser's own emphasis rule."""
    parser.inline.ruler.at("emphasis", _tokenize)


def _tokenize(state: "StateInline", silent: bool) -> bool:
    from markdown_it.rules_inline.state_inline import Delimiter

    marker = state.src[state.pos]
    if silent or marker not in "_*":
        return False
    if marker == "_" and _dunder(state):
        return True
    run = state.scanDelims(state.pos, marker == "*")
    may_open, may_close = _allowed(state.src, state.pos, state.pos + run.length, marker)
    for _ in range(run.length):
        token = state.push("text", "", 0)
        token.content = marker
        state.delimiters.append(
            Delimiter(
                marker=ord(marker),
                length=run.length,
                token=len(state.tokens) - 1,
                end=-1,
                open=run.can_open and may_open,
                close=run.can_close and may_close,
            )
        )
    state.pos += run.length
    return True


def _dunder(state: "StateInline") -> bool:
    name = _DUNDER.match(state.src, state.pos)
    if name is None or _is_word(state.src[state.pos - 1 : state.pos]):
        return False
    state.pending += name.group()
    state.pos = name.end()
    return True


def _allowed(source: str, start: int, end: int, marker: str) -> tuple[bool, bool]:
    """Whether the run of markers at `start:end` may open and may close emphasis."""
    if marker == "_":
        return True, True
    before, after = source[start - 1 : start] if start else "", source[end : end + 1]
    if _is_spaced_word(before) and _is_spaced_word(after):
        return False, False
    return after not in _GLOB_AFTER and before not in _GLOB_BEFORE, before not in _GLOB_BEFORE


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _is_spaced_word(char: str) -> bool:
    return _is_word(char) and cell_width(char) == 1
