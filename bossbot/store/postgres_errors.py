"""What an error of PostgreSQL or its driver means: whether the connection is gone, and the sentence for people."""

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

_GONE_STATES = ("08", "57P01", "57P02", "57P03", "53300")
"""Connection errors; the server is being shut down, has crashed, or starts; it has no connection left."""

_FIXES = {
    "28P01": "correct the password",
    "28000": "let this user in (pg_hba.conf)",
    "3D000": "make the database (CREATE DATABASE), or name another",
    "42501": "give this user the right to make and write tables there (GRANT)",
    "55P03": "another bossbot writes to it; stop that one first",
}
"""SQLSTATE → what to do."""


def state_of(error: BaseException) -> str:
    """The SQLSTATE, or an empty text."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(origin, "sqlstate", None) or "")


def is_gone(error: BaseException) -> bool:
    """Whether it says that the connection is gone, and nothing against what was asked."""
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or state_of(error).startswith(_GONE_STATES) or _is_closed(error)
    return isinstance(error, OSError | TimeoutError) or state_of(error).startswith(_GONE_STATES)


def _is_closed(error: DBAPIError) -> bool:
    """The driver has no state for a connection that it finds closed, or that was lost in the middle."""
    return not state_of(error) and any(
        word in str(error.orig) for word in ("connection is closed", "connection was closed", "connection has been")
    )


def reason_of(error: BaseException) -> str:
    """What happened, and the fix, in one line."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    text = " ".join(str(origin).split()) or type(origin).__name__
    # SQLAlchemy writes the driver's class before the driver's words.
    text = text.rpartition(">: ")[2] if text.startswith("<class") else text
    if isinstance(error, TypeError):
        return f"an option behind ? is not known ({text}); leave it out"
    return f"{text}; {_FIXES.get(state_of(error), 'see that the server runs and lets this user in')}"


def shown_address(url: URL) -> str:
    """The address without what may be secret: neither the password nor the options behind `?`."""
    shown = url._replace(password=None).set(query={key: url.query[key] for key in ("host", "port") if key in url.query})
    return shown.render_as_string()
