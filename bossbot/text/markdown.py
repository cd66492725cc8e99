"""Markdown of the agent → pieces, by one walk over markdown-it's tokens. Nothing that was written is lost.

Three rules differ from CommonMark, each because agents write about code: HTML is text (`Vec<String>` stays), stars and
double underscores in words, globs and names are text (see `emphasis`), and `[x]: y` lines are text, not definitions.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from bossbot.text.emphasis import guard
from bossbot.text.neutral import neutral
from bossbot.text.pieces import Fence, Piece, Rule, Span, Text
from bossbot.text.redaction import redact
from bossbot.text.table import table

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_MAX_NESTING = 100  # markdown-it drops what is nested deeper
_URL = r"https?://(?:\([^\s()<>\"`]*\)|[^\s()<>\"`'⟨⟩])+(?<![.,;:!?*_~])"
_BARE_URL = re.compile(_URL)
_LINKABLE = re.compile(r"(?i)https?://[^\s/?#@]*\w\.\w|mailto:[^\s@]+@[^\s@]+\Z")
_LOOKS_LIKE_URL = re.compile(r"(?i)\A\s*(?:https?://|www\.)?([\w-]+(?:\.[\w-]+)+)(?:[/:?#]\S*)?\s*\Z")
_WRITTEN_OUT = re.compile(r"(?i)(?:https?://|\bwww\.)([^\s/?#<>()\[\]{}⟨⟩]+)")
_SPELT_OUT = re.compile(r"⟨U\+[0-9A-F]{4,6}⟩")
"""How `neutral` shows a sign that cannot be seen."""
_AROUND = " \t*_~`\"'([{<>)]}.,;!?“”‘’«»"
"""What may surround an address in a label."""
_HOST = re.compile(r"(?i)\Ahttps?://(?:www\.)?([^/?#:]+)")
_TASK = re.compile(r"\[([ xX])\]\s+")


def parse(source: str) -> list[Piece]:
    """Pieces of a Markdown text, neutralised and with secrets redacted."""
    clean = redact(neutral(source))
    tokens = _parser().parse(clean)
    if any(token.level >= _MAX_NESTING - 2 for token in tokens):
        return [Text((Span(clean),))]
    walk = _Walk(clean.split("\n"))
    for token in tokens:
        walk.step(token)
    return walk.pieces


@lru_cache(maxsize=1)
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # 30 ms: only when the first Markdown is shown

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _MAX_NESTING})
    parser.enable(["table", "strikethrough"]).disable(["reference", "html_block", "html_inline"])
    guard(parser)
    return parser


class _Walk:
    """Where the walk stands: in which lists and quotes, and which marker the next text takes."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.pieces: list[Piece] = []
        self._lines = lines
        self._lists = 0
        self._quotes = 0
        self._heading = 0
        self._marker = ""
        self._rows: list[list[str]] | None = None
        self._table_lines: Sequence[str] = ()

    def step(self, token: "Token") -> None:
        match token.type:
            case "inline" if self._rows is not None:
                self._rows[-1].append("".join(_target_shown(span).text for span in _spans(token.children or ())))
            case "inline":
                self._add(_spans(token.children or ()))
            case "fence" | "code_block":
                self._code(token)
            case "hr":
                self._flush_marker()
                self.pieces.append(Rule())
            case "heading_open" | "heading_close":
                self._heading = int(token.tag[1]) if token.nesting == 1 else 0
            case "blockquote_open" | "blockquote_close":
                self._flush_marker()
                self._quotes += token.nesting
            case "bullet_list_open" | "bullet_list_close" | "ordered_list_open" | "ordered_list_close":
                self._flush_marker()
                self._lists += token.nesting
            case "list_item_open":
                self._marker = f"{token.info}{token.markup} " if token.info else "• "
            case "list_item_close":
                self._flush_marker()
            case "table_open":
                self._flush_marker()
                self._rows = []
                self._table_lines = self._lines[slice(*token.map)] if token.map else []
            case "tr_open" if self._rows is not None:
                self._rows.append([])
            case "table_close":
                self._table()

    def _add(self, spans: Sequence[Span]) -> None:
        marker, self._marker = self._marker, ""
        if marker == "• " and spans and (task := _TASK.match(spans[0].text)) and not spans[0].code:
            marker = "☐ " if task[1] == " " else "☑ "
            spans = [replace(spans[0], text=spans[0].text[task.end() :]), *spans[1:]]
        before = self.pieces[-1] if self.pieces else None
        self.pieces.append(
            Text(
                tuple(spans),
                heading=self._heading,
                quote=self._quotes,
                indent=max(self._lists - 1, 0) if marker else self._lists,
                marker=marker,
                tight=isinstance(before, Text) and (self._lists > 0 or before.heading > 0),
            )
        )

    def _flush_marker(self) -> None:
        """An item that begins with something else than text still shows its marker."""
        if self._marker:
            self._add(())

    def _code(self, token: "Token") -> None:
        self._flush_marker()
        text, info = token.content.removesuffix("\n"), token.info.strip()
        if len(info.split()) > 1:  # an unclosed fence may begin with prose; it must not vanish
            text, info = f"{info}\n{text}", ""
        self.pieces.append(Fence(text, info) if text.strip() else Text((Span(info or "(empty)", code=True),)))

    def _table(self) -> None:
        from markdown_it.rules_block.table import escapedSplit

        rows, self._rows = self._rows or [], None
        columns = len(rows[0]) if rows else 0
        if any(len(escapedSplit(line.strip().strip("|"))) > columns for line in self._table_lines):
            # cells beyond the head's are dropped by the parser (GFM says so): show what was written
            self.pieces.append(Fence("\n".join(self._table_lines)))
        else:
            self.pieces.append(Fence(table(rows)))


def _spans(tokens: "Sequence[Token]") -> list[Span]:
    """Inline tokens as spans; breaks are line breaks, images are links to them."""
    spans: list[Span] = []
    style = Span("")
    label_from, title = 0, ""
    for token in tokens:
        match token.type:
            case "code_inline":
                spans.append(replace(style, text=neutral(token.content), code=True))
            case "softbreak" | "hardbreak":
                spans.append(replace(style, text="\n"))
            case "strong_open" | "strong_close":
                style = replace(style, bold=token.nesting == 1)
            case "em_open" | "em_close":
                style = replace(style, italic=token.nesting == 1)
            case "s_open" | "s_close":
                style = replace(style, strike=token.nesting == 1)
            case "link_open":
                label_from, title = len(spans), neutral(str(token.attrGet("title") or ""))
                style = replace(style, url=neutral(str(token.attrGet("href") or "")))
            case "link_close":
                spans[label_from:] = _link(spans[label_from:], style.url, title)
                style = replace(style, url="")
            case "image":
                alt = "".join(span.text for span in _spans(token.children or ())) or "image"
                spans += _link([replace(style, text=alt)], neutral(str(token.attrGet("src") or "")), "")
            case _:
                spans += _with_bare_urls(replace(style, text=neutral(token.content)))
    return _merged(spans)


def _link(label: list[Span], url: str, title: str) -> list[Span]:
    """A link that can be clicked, or its label with the target behind it where it cannot, or where the label lies."""
    text = "".join(span.text for span in label)
    behind = [Span(f" ({title})")] if title else []
    if not text.strip():
        return [Span(url, url=url if _LINKABLE.match(url) else ""), *behind]
    if _LINKABLE.match(url) and not _lies(text, url):
        return [replace(span, url=url) for span in label] + behind
    target = [] if text == url else [Span(f" ({url})")]
    return [replace(span, url="") for span in label] + target + behind


def _lies(label: str, url: str) -> bool:
    """Whether a label shows an address of another host than the link leads to."""
    target = _HOST.match(url)
    host = target[1].lower() if target else ""
    return any(shown != host for shown in _hosts_shown(label))


def _hosts_shown(label: str) -> Iterator[str]:
    """The hosts of the addresses that somebody could read in a label: what is written out as one, or all of it."""
    for found in _WRITTEN_OUT.finditer(label):
        yield found[1].rpartition("@")[2].partition(":")[0].lower().removeprefix("www.").rstrip(_AROUND)
    if "@" not in label and (whole := _LOOKS_LIKE_URL.match(_SPELT_OUT.sub("", label).strip(_AROUND))):
        yield whole[1].lower().removeprefix("www.")


def _with_bare_urls(span: Span) -> list[Span]:
    """Addresses written as such become links to themselves."""
    if span.url or "://" not in span.text:
        return [span] if span.text else []
    spans, at = [], 0
    for found in _BARE_URL.finditer(span.text):
        if _LINKABLE.match(found.group()):
            spans += [
                replace(span, text=span.text[at : found.start()]),
                replace(span, text=found.group(), url=found.group()),
            ]
            at = found.end()
    return [part for part in [*spans, replace(span, text=span.text[at:])] if part.text]


def _target_shown(span: Span) -> Span:
    return replace(span, text=f"{span.text} ({span.url})") if span.url not in ("", span.text) else span


def _merged(spans: Sequence[Span]) -> list[Span]:
    """Neighbours of one style as one span."""
    merged: list[Span] = []
    for span in spans:
        if merged and replace(merged[-1], text="") == replace(span, text=""):
            merged[-1] = replace(span, text=merged[-1].text + span.text)
        elif span.text:
            merged.append(span)
    return merged
