"""A message as clauses: foreign text (code, quotes, logs) blanked out, the rest cut where one thought ends.

Everything keeps its place: the masked text is as long as the message, so a clause can show its own words.
"""

import re
from dataclasses import dataclass

READ_LIMIT = 4000
"""Characters read of one message: more is pasted material, and judging must stay under 2 ms."""

CLAUSES = 40
"""Clauses read of one message, for the same reason."""

_QUOTES = "\"'“”„「」『』«»‘’`"
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<code>.*?(?:</code>|\Z)", re.S | re.I)
_INLINE = re.compile(r"`[^`\n]{1,400}`|https?://\S+")
_QUOTED = re.compile(
    r"“[^”]{1,800}”|„[^“”]{1,800}[“”]|「[^」]{1,800}」|『[^』]{1,800}』|«[^»]{1,800}»|\"[^\"]{1,800}\"|‘[^’]{1,800}’(?!\w)"
    r"|(?<![\w'])'[^'\n]{1,400}'(?![\w'])",
    re.S,
)
_PASTED_LINE = re.compile(
    r"^[ \t]*(?:>|\$ |# |\+\+\+|---|@@|at .{1,120}[(:]\d*|File \"|Traceback|\[?\d{4}-\d\d-\d\d[T ]\d\d:|\d\d:\d\d:\d\d"
    r"|(?:[a-z]\w*\.)*[A-Z]\w*(?:Error|Exception)\b|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b[\]: ]).*$",
    re.M,
)
_COMMAND_IN_QUOTES = re.compile(
    r"\b(?:drop|cancel|stop|pause|abort|forget|abandon|kill|skip|first|hold|scrap|delete|please|prioriti[sz]e)\b"
    r"|取消|停|放弃|砍|先|优先|不做|别做|不要|暂停|删除|中止",
    re.I,
)
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|vs|etc|no)|\b[a-z])$", re.I)
_SENTENCE_END = re.compile(r"[.!?;]+(?=[\s)\"'\]]|$)|[。！？；…]+|\n+")
_CJK = "\u3400-\u9fff"
_NAMING = (
    "next",
    "priority",
    "task",
    "issue",
    "problem",
    "request",
    "feature",
    "ticket",
    "goal",
    "focus",
    "thing",
    "todo",
    "pivot",
)
_NAMING_ZH = ("需求", "任务", "优先级", "目标", "问题")
"""Words whose colon belongs to what follows: "next: rate limiting"."""
# `(?<!\s)`: blanks are tried where they begin, once; at each of a long run they would take seconds.
_CUT = re.compile(
    r"(?<!\s)\s*(?:,|，|、(?=先|再|把|将|优先|暂停|取消|不|别)|\s[-–—]+\s?|——+|\s->\s|[()（）]"
    rf"|{''.join(rf'(?<!{word})' for word in _NAMING)}:\s|{''.join(rf'(?<!{word})' for word in _NAMING_ZH)}：)\s*"
    rf"|(?<=[{_CJK}])\s+(?=[{_CJK}])|(?<=[A-Za-z0-9])\s+(?=(?:先|优先|不|别|暂停|取消)[{_CJK}])"
    r"|(?<=[了吧])(?=先|再|去|优先|改做|转|马上|赶紧|接着|然后|其他|其余|直接|把)"
    rf"|(?<=[{_CJK}])(?=(?:然后|但是?|接着|而是|同时|顺便|另外)(?!后))"
)
_VERBS = (
    "drop|scrap|ditch|axe|kill|cancel|abandon|forget|skip|ignore|leave|put|park|pause|shelve|postpone|defer|hold|stop"
    "|fix|do|get|make|start|focus|work|prioriti[sz]e|move|bump|switch|go|look|investigate|check|add|write|create|build"
    "|implement|finish|continue|resume|keep|bring|run|commit|push|merge|deploy|ship|tackle|handle|take|pick|dig|review"
    "|update|document|open|set|use|concentrate|begin|return|come|suspend|delay|freeze|remove|delete|ask|wait|tell|show"
    "|let'?s|let|don'?t|do not|please|i|we|you|then|also|instead|first|just|revert|test|only|never|make|try|rotate"
    "|clean|rename|rebuild|rewrite|refactor|migrate|upgrade|postpone|tell|finish|solve|sort|concentrate|give|call|close"
)
_NOT_ALL_BUT = "".join(rf"(?<!{word})" for word in (r"\ball", "everything", "anything", "nothing"))
_CONJOINED = re.compile(
    rf"{_NOT_ALL_BUT}(?<!\s)\s+(?:and|&|but|so|plus|while|whereas|yet|or)"
    rf"(?=\s+(?:(?:also|then|please|just|instead|rather|now|first)\s+)*(?:{_VERBS})\b)"
    r"|(?<!\s)\s+(?:and|&|but|while|whereas)(?=\s+(?:[a-z-]+\s+){1,5}?"
    r"(?:first|next|last|later|can wait|goes|comes?|has|needs|should|is|are|must|stays?|on hold)\b)"
    r"|(?<!\s)\s+(?:and|&)(?=\s+[a-z]+ing\b|\s+[a-z]+\s+(?:it|them|that|this|those|these|the|a|an|our|my|on|up)\b)"
    rf"|{_NOT_ALL_BUT}(?<!\s)\s+but(?=\s)|(?<!\s)\s+(?=(?:and\s+)?then\s+[a-z])"
    r"|(?<!\s)\s+(?=(?:because|since|as (?:it|they|we|the)|so that|even though|although)\b)"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One thought: `text` as written, `norm` lower-cased with foreign text blanked, `[start, end)` its place."""

    text: str
    norm: str
    start: int
    end: int
    sentence: int
    asked: bool = False


def fold(text: str) -> str:
    """Lower case and plain punctuation, character for character, so that places stay valid."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lowered.translate(_PLAIN)


def mask(message: str, names: tuple[str, ...] = ()) -> str:
    """The message with code, quotes and pasted lines blanked; a quoted short name, or one of `names`, stays."""
    masked = message[:READ_LIMIT]
    known = {fold(name).strip() for name in names}
    masked = _FENCE.sub(_blank, masked)
    masked = _INLINE.sub(lambda m: _unless_name(m, known), masked)
    masked = _QUOTED.sub(lambda m: _unless_name(m, known), masked)
    return _PASTED_LINE.sub(_blank, masked)


def split(message: str, masked: str) -> list[Clause]:
    """Cut into clauses, CLAUSES at most; the last character of a sentence tells whether it asks."""
    folded = fold(masked)
    clauses: list[Clause] = []
    for number, (start, end, asked) in enumerate(_sentences(folded)):
        for left, right in _pieces(folded, start, end):
            norm = folded[left:right]
            if norm.strip():
                clauses.append(Clause(message[left:right].strip(), norm.strip(), left, right, number, asked))
    return clauses[:CLAUSES]


def outside(message: str, evidence: str, names: tuple[str, ...] = ()) -> bool:
    """True when `evidence` stands word for word in the message, none of it inside a quote, code or a pasted line."""
    wanted = evidence.strip()
    masked = mask(message, names)
    at = message.find(wanted) if wanted else -1
    while at >= 0:
        pairs = zip(wanted, masked[at : at + len(wanted)], strict=False)
        if at + len(wanted) <= len(masked) and all(a == b or a in _QUOTES for a, b in pairs):
            return any(char.isalnum() for char in wanted)
        at = message.find(wanted, at + 1)
    return False


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found.group())


def _unless_name(found: re.Match[str], known: set[str]) -> str:
    inner = found.group()[1:-1]
    if fold(inner).strip() in known:
        return f" {inner} "
    short = len(inner.split()) <= 4 and len(inner) <= 32 and not re.search(r"[={}();/\\$|<>!?。！？，]", inner)
    return f" {inner} " if short and not _COMMAND_IN_QUOTES.search(inner) else _blank(found)


def _sentences(folded: str) -> list[tuple[int, int, bool]]:
    found: list[tuple[int, int, bool]] = []
    start = 0
    for end in _SENTENCE_END.finditer(folded):
        if end.group() == "." and _ABBREVIATED.search(folded[max(start, end.start() - 6) : end.start()]):
            continue
        found.append((start, end.start(), "?" in end.group() or "？" in end.group()))
        start = end.end()
    found.append((start, len(folded), False))
    return [part for part in found if folded[part[0] : part[1]].strip()]


def _pieces(folded: str, start: int, end: int) -> list[tuple[int, int]]:
    cuts = sorted(
        (m.start() + start, m.end() + start)
        for pattern in (_CUT, _CONJOINED)
        for m in pattern.finditer(folded[start:end])
    )
    pieces: list[tuple[int, int]] = []
    left = start
    for cut_start, cut_end in cuts:
        if cut_start >= left:
            pieces.append((left, cut_start))
            left = cut_end
    pieces.append((left, end))
    return pieces


_PLAIN = str.maketrans("’‘＇，；：！？（）【】　", "'''，；：！？（）[] ")
