"""Which errors of a turn or a background task may be gone at the next try: trouble of the network, or of the provider.

The CLIs name the provider's HTTP status (cbc 2.163.0 in `errors_info`, Claude Code 2.1.220 in `api_error_status`), and
only when no provider answered nothing but words. A quota that is used up is told with status 429 too, and comes back
in hours, not in a minute: a person should know.
"""

import re
from collections.abc import Iterable

from bossbot.streamjson import frames as f

_MAY_PASS = frozenset({408, 409, 425, 429})
_NOT_SOON = re.compile(r"quota|billing|credit|limit reached|hit your limit|usage limit", re.IGNORECASE)
_STATUS = re.compile(r"(?:^|\bAPI Error: )(?P<status>[45]\d\d)\b")
_TROUBLE = re.compile(
    r"overloaded|rate.?limit|timed? ?out|connection (?:error|reset|refused|closed)|network error|fetch failed"
    r"|socket hang up|\bE(?:CONNRESET|CONNREFUSED|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH)\b",
    re.IGNORECASE,
)


def retryable(frame: f.Result) -> bool:
    """Whether the error that this result tells may be gone at the next try; False when there is none."""
    if not frame.is_error and frame.subtype == "success":
        return False
    text = "\n".join(filter(None, (*(frame.errors or ()), frame.result)))
    told = [frame.api_error_status, *(info.status for info in frame.errors_info or ())]
    return _may_pass(text, next((int(status) for status in told if status), None))


def task_retryable(frame: f.TaskNotification, errors: Iterable[str] = ()) -> bool:
    """The same of a background task's end, which has nothing but words, and those of its agents."""
    return frame.status == "failed" and _may_pass("\n".join((frame.summary or "", *errors)))


def _may_pass(text: str, status: int | None = None) -> bool:
    if _NOT_SOON.search(text):
        return False
    found = _STATUS.search(text)
    status = status or (int(found["status"]) if found is not None else None)
    if status is not None:
        return status >= 500 or status in _MAY_PASS
    return _TROUBLE.search(text) is not None
