"""What is kept of stderr is bounded and holds no secret, however the stream is cut."""

from bossbot.agent.tail import CHARS, KEPT_BYTES, Tail

TOKEN = "7123456789:AAF-abcdefghijklmnopqrstuvwxyz12345"


def tail_of(*chunks: bytes, secrets: tuple[str, ...] = ()) -> Tail:
    tail = Tail(secrets)
    for chunk in chunks:
        tail.add(chunk)
    return tail


def test_the_last_lines_become_one() -> None:
    assert tail_of(b"one\n\ntwo  words\nthr", b"ee\n", b"four\n").last_lines() == "two words; three; four"


def test_nothing_said_is_nothing_told() -> None:
    assert tail_of().last_lines() == ""


def test_secrets_are_taken_out_also_when_they_come_in_two_chunks() -> None:
    half = len(TOKEN) // 2
    tail = tail_of(b"bad token " + TOKEN[:half].encode(), TOKEN[half:].encode() + b" and hunter2-hunter2\n")
    assert TOKEN not in tail.text()
    assert "hunter2" not in tail_of(b"bad hunter2-hunter2\n", secrets=("hunter2-hunter2",)).text()


def test_a_secret_that_the_bound_cuts_shows_no_rest() -> None:
    tail = tail_of(TOKEN.encode() + b" " + b"x" * (KEPT_BYTES - 20) + b"\nlast words\n")
    assert tail.text() == "last words\n"


def test_much_is_cut_short() -> None:
    tail = tail_of(*[b"word " * 100 + b"\n"] * 1000)
    assert len(tail.text()) <= KEPT_BYTES
    assert len(tail.last_lines()) <= CHARS


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert tail_of(b"\xff\xfe broken\n").last_lines() == "\ufffd\ufffd broken"
