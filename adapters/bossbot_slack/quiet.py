"""The SDK's log: one line where it would print a stack for every lost connection, and no secret in it."""

import logging
import re

from bossbot.text import redact

_TICKET = re.compile(r"(ticket=)[^&\s'\"]+")


def _brief(record: logging.LogRecord) -> bool:
    record.msg, record.args = _TICKET.sub(r"\1[redacted]", redact(record.getMessage())), ()
    record.exc_info = None
    return True


sdk_log = logging.getLogger("bossbot.slack.sdk")
sdk_log.addFilter(_brief)
