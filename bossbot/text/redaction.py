"""Keeps secrets out of what people and logs see, by the forms that secrets have."""

import re
from collections.abc import Iterable

REDACTED = "[redacted]"

_GAP = r"(?:\s|\\[nr])*"
_KEY_HEAD = r"(?:Proc-Type: 4,ENCRYPTED|DEK-Info: [A-Z0-9-]{1,40},[0-9A-F]{1,64})(?![^\s\\])"
_MIXED = r"(?=[a-z0-9+/]*[A-Z])(?=[A-Z0-9+/]*[a-z])"
_KEY_LINE = rf"{_MIXED}(?=[A-Za-z+/]*\d)[A-Za-z0-9+/]{{40,}}={{0,2}}(?![^\s\\\"'-])"
_KEY_TAIL = rf"{_MIXED}[A-Za-z0-9+/]{{1,39}}={{0,2}}(?={_GAP}-----END )"

_SECRETS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?:(?<![A-Za-z0-9])|(?<=/bot))\d{6,12}:[A-Za-z0-9_-]{30,50}(?![A-Za-z0-9_-])"), REDACTED),  # Telegram
    (re.compile(r"(?<![A-Za-z0-9])(xox[a-z]|xapp)-[A-Za-z0-9-]{8,}"), rf"\1-{REDACTED}"),  # Slack
    (re.compile(r"(?<![A-Za-z0-9])(sk|rk|pk)-[A-Za-z0-9_-]{12,}"), rf"\1-{REDACTED}"),  # OpenAI, Anthropic and alike
    (re.compile(r"(?<![A-Za-z0-9])(sk|rk)_(live|test)_[A-Za-z0-9]{12,}"), rf"\1_\2_{REDACTED}"),  # Stripe
    (re.compile(r"(?<![A-Za-z0-9])(gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_)[A-Za-z0-9_-]{16,}"), rf"\1{REDACTED}"),
    (re.compile(r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}"), f"AIza{REDACTED}"),  # Google
    (re.compile(r"(?<![A-Za-z0-9])(AKIA|ASIA|AGPA|AROA|AIDA)[A-Z0-9]{12,}"), rf"\1{REDACTED}"),  # AWS key id
    (
        re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
        f"eyJ{REDACTED}",
    ),  # JWT
    (
        re.compile(r"(?i)(?<![A-Za-z0-9])(bearer|basic)(\s+)(?=[A-Za-z0-9._~+/-]*\d)[A-Za-z0-9._~+/-]{8,}=*"),
        rf"\1\2{REDACTED}",
    ),
    (
        re.compile(
            r"(?i)((?<![A-Za-z0-9])authorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+)(?!\[)[A-Za-z0-9._~+/=-]+"
        ),
        rf"\1{REDACTED}",
    ),
    (  # user:password@host
        re.compile(r"(?<![A-Za-z0-9+.-])([a-z][a-z0-9+.-]{0,20}://[A-Za-z0-9._~%-]{0,200}:)[A-Za-z0-9._~%!*+=-]+(?=@)"),
        rf"\1{REDACTED}",
    ),
    (
        re.compile(
            r"(?i)((?:secret|passw(?:or)?d|token|api[_-]?key|access[_-]?key)[a-z_]{0,20}[\"']?\s*[:=]\s*[\"']?)"
            r"(?=[A-Za-z0-9/+_.-]*\d)(?=[0-9/+_.-]*[A-Za-z])[A-Za-z0-9/+_.-]{16,}=*"
        ),
        rf"\1{REDACTED}",
    ),
    (  # only lines that can be nothing but a key: the words of a command below a false beginning stay
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
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text
