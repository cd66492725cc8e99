"""Keeps secrets out of what people and logs see, by the forms that secrets have."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

REDACTED = "[redacted]"

_GAP = r"(?:\s|\\[nr])*"
_KEY_HEAD = r"(?:Proc-Type: 4,ENCRYPTED|DEK-Info: [A-Z0-9-]{1,40},[0-9A-F]{1,64})(?![^\s\\])"
_MIXED = r"(?=[a-z0-9+/]*[A-Z])(?=[A-Z0-9+/]*[a-z])"
_KEY_LINE = rf"{_MIXED}(?=[A-Za-z+/]*\d)[A-Za-z0-9+/]{{40,}}={{0,2}}(?![^\s\\\"'-])"
_KEY_TAIL = rf"{_MIXED}[A-Za-z0-9+/]{{1,39}}={{0,2}}(?={_GAP}-----END )"

# Each with what a text must hold, case folded, for the pattern to be worth its time: looking for that is a hundred
# times cheaper.
_SECRETS: tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...] = (
    (
        (":",),
        re.compile(r"(?:(?<![A-Za-z0-9])|(?<=/bot))\d{6,12}:[A-Za-z0-9_-]{30,50}(?![A-Za-z0-9_-])"),
        REDACTED,
    ),  # Telegram
    (("xox", "xapp-"), re.compile(r"(?<![A-Za-z0-9])(xox[a-z]|xapp)-[A-Za-z0-9-]{8,}"), rf"\1-{REDACTED}"),  # Slack
    (
        ("sk-", "rk-", "pk-"),
        re.compile(r"(?<![A-Za-z0-9])(sk|rk|pk)-[A-Za-z0-9_-]{12,}"),
        rf"\1-{REDACTED}",
    ),  # OpenAI, Anthropic and alike
    (
        ("sk_", "rk_"),
        re.compile(r"(?<![A-Za-z0-9])(sk|rk)_(live|test)_[A-Za-z0-9]{12,}"),
        rf"\1_\2_{REDACTED}",
    ),  # Stripe
    (
        ("gh", "github_pat_", "glpat-", "npm_", "pypi-", "hf_"),
        re.compile(r"(?<![A-Za-z0-9])(gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_)[A-Za-z0-9_-]{16,}"),
        rf"\1{REDACTED}",
    ),
    (("aiza",), re.compile(r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}"), f"AIza{REDACTED}"),  # Google
    (
        ("akia", "asia", "agpa", "aroa", "aida"),
        re.compile(r"(?<![A-Za-z0-9])(AKIA|ASIA|AGPA|AROA|AIDA)[A-Z0-9]{12,}"),
        rf"\1{REDACTED}",
    ),  # AWS key id
    (
        ("eyj",),
        re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
        f"eyJ{REDACTED}",
    ),  # JWT
    (
        ("bearer", "basic"),
        re.compile(r"(?i)(?<![A-Za-z0-9])(bearer|basic)(\s+)(?=[A-Za-z0-9._~+/-]*\d)[A-Za-z0-9._~+/-]{8,}=*"),
        rf"\1\2{REDACTED}",
    ),
    (
        ("authorization",),
        re.compile(
            r"(?i)((?<![A-Za-z0-9])authorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+)(?!\[)[A-Za-z0-9._~+/=-]+"
        ),
        rf"\1{REDACTED}",
    ),
    (  # user:password@host
        ("://",),
        re.compile(r"(?<![A-Za-z0-9+.-])([a-z][a-z0-9+.-]{0,20}://[A-Za-z0-9._~%-]{0,200}:)[A-Za-z0-9._~%!*+=-]+(?=@)"),
        rf"\1{REDACTED}",
    ),
    (
        ("secret", "passw", "token", "key"),
        re.compile(
            r"(?i)((?:secret|passw(?:or)?d|token|api[_-]?key|access[_-]?key)[a-z_]{0,20}[\"']?\s*[:=]\s*[\"']?)"
            r"(?=[A-Za-z0-9/+_.-]*\d)(?=[0-9/+_.-]*[A-Za-z])[A-Za-z0-9/+_.-]{16,}=*"
        ),
        rf"\1{REDACTED}",
    ),
    (  # only lines that can be nothing but a key: the words of a command below a false beginning stay
        ("private key-----",),
        re.compile(
            rf"(-----BEGIN [A-Z ]{{0,30}}PRIVATE KEY-----)"
            rf"(?:(?:{_GAP}(?:{_KEY_HEAD}|{_KEY_LINE}))+(?:{_GAP}{_KEY_TAIL})?|{_GAP}{_KEY_TAIL})"
            rf"(?:{_GAP}(?=-----END ))?"
        ),
        rf"\1{REDACTED}",
    ),
)


def redact(text: str, known: Iterable[str] = ()) -> str:
    """Replaces what looks like a secret, and every one of the `known` secrets, by `[redacted]`.

    The patterns take no space, quote, `$`, `;`, `|` or `(`, so that no second command can hide in what is replaced.
    """
    for secret in known:
        if len(secret) >= 4:
            text = text.replace(secret, REDACTED)
    folded = text.casefold()  # as (?i) compares: also the long s and the Kelvin sign
    for anchors, pattern, replacement in _SECRETS:
        if any(anchor in folded for anchor in anchors):
            text = pattern.sub(replacement, text)
    return text


PIECE_CHARS = 16_384
"""A piece takes a few milliseconds, and whatever else the program does comes in between two."""

LONGEST_KEY_CHARS = 16_384
_KEY = re.compile(
    rf"-----BEGIN [A-Z ]{{0,30}}PRIVATE KEY-----[^-]{{0,{LONGEST_KEY_CHARS}}}(?:-----END [A-Z ]{{0,30}}-----)?"
)
_GOES_ON = re.compile(
    r"(?:[:=]|(?:bearer|basic|authorization|secret|passw(?:or)?d|token|key)[a-z_]{0,20})[\"']?\s*\Z", re.IGNORECASE
)
"""What a secret may follow, with blanks between."""


def redact_long(text: str, known: Iterable[str] = (), *, piece_chars: int = PIECE_CHARS) -> Iterator[str]:
    """`redact` for a text of any length, a piece at a time. A secret is never cut: pieces end where a line does that
    announces none, outside private keys; only within a line longer than two pieces they end at a blank.
    """
    known = tuple(known)
    keys = [match.span() for match in _KEY.finditer(text)]
    at = 0
    while at < len(text):
        end = _end_of_piece(text, at, keys, piece_chars)
        yield redact(text[at:end], known)
        at = end


def _end_of_piece(text: str, at: int, keys: list[tuple[int, int]], piece_chars: int) -> int:
    end = at + piece_chars
    while end < len(text):
        end = _after_key(end, keys)
        if _ends_well(text, at, end):
            return end
        newline = text.find("\n", end, end + piece_chars)
        blank = text.find(" ", end, end + piece_chars) if newline < 0 else newline
        end = blank + 1 if blank >= 0 else end + piece_chars
        if blank < 0 and _after_key(end, keys) == end:
            break
    return min(end, len(text))


def _after_key(end: int, keys: list[tuple[int, int]]) -> int:
    """Here, or behind the private key that this lies in."""
    index = bisect_left(keys, (end, 0)) - 1
    return keys[index][1] if index >= 0 and keys[index][1] > end else end


def _ends_well(text: str, at: int, end: int) -> bool:
    """Behind a blank, and nothing before it says that a secret follows."""
    return text[end - 1].isspace() and _GOES_ON.search(text[max(at, end - 40) : end]) is None
