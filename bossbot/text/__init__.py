"""Text that people read: made harmless, formatted for no platform yet, measured and cut as platforms count."""

from bossbot.text.markdown import parse
from bossbot.text.neutral import neutral, one_line, strip_ansi, visible
from bossbot.text.pieces import Fence, Piece, Rule, Span, Text, joined, part_label, plain_text, separator
from bossbot.text.redaction import REDACTED, redact
from bossbot.text.split import split
from bossbot.text.widths import cell_width, utf16_cut, utf16_len

__all__ = [
    "REDACTED",
    "Fence",
    "Piece",
    "Rule",
    "Span",
    "Text",
    "cell_width",
    "joined",
    "neutral",
    "one_line",
    "parse",
    "part_label",
    "plain_text",
    "redact",
    "separator",
    "split",
    "strip_ansi",
    "utf16_cut",
    "utf16_len",
    "visible",
]
