"""A session's own life: it gets another title, is closed, and is put away."""

from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.people import TITLE_CHARS

from .harness import Session, kinds


def test_a_new_title_is_recorded_with_the_old_one_and_the_objective_stays() -> None:
    session = Session()
    told = session.tell(c.RenameSession("  Fix the\nlogin "))
    assert told == [ev.SessionRenamed(title="Fix the login", previous="Fix the build")]
    assert (session.state.title, session.state.objective) == ("Fix the login", "a green build")


def test_a_title_is_as_short_as_that_of_a_first_message() -> None:
    session = Session()
    session.tell(c.RenameSession("x" * 4_000))
    assert session.state.title == "x" * TITLE_CHARS + "…"


def test_a_title_without_a_word_is_refused_with_an_example() -> None:
    assert "/rename Fix the login" in Session().refuses(c.RenameSession(" \n"))


def test_archiving_closes_what_is_open_and_ends_for_good() -> None:
    session = Session()
    assert kinds(session.tell(c.ArchiveSession("done"))) == ["session.closed", "session.archived"]
    assert session.state.status == "archived"
    assert "already archived" in session.refuses(c.ArchiveSession("done"))
    assert "closed" in session.refuses(c.RenameSession("another"))
    session.refuses(c.CloseSession("done"))


def test_a_closed_session_can_be_archived_later() -> None:
    session = Session()
    session.tell(c.CloseSession("done"))
    assert kinds(session.tell(c.ArchiveSession("tidy"))) == ["session.archived"]


def test_what_works_is_not_archived() -> None:
    session = Session()
    session.say("look")
    assert "working" in session.refuses(c.ArchiveSession("done"))


def test_what_was_never_opened_cannot_be_archived() -> None:
    assert "no session" in Session(opened=False).refuses(c.ArchiveSession("done"))
