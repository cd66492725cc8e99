"""Redaction of long texts, a piece at a time, finds what redaction of the whole finds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bossbot.text.redaction import redact, redact_long

PIECE_CHARS = 400

KEY = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    + ("MIIEpAIBAAKCAQEA7bq3Zs0x9YkD2uVw5tqL8hGf4JrNcXvB1mPz\n" * 12)
    + "-----END RSA PRIVATE KEY-----\n"
)
SECRETS = (
    "xoxb-870000000001-journeys-token",
    "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawq",
    "Authorization:\n  Bearer abc123def456ghi789",
    "api_key = \n 'ab12cd34ef56gh78ij90'",
    "https://ada:pass1word@example.org/",
    "ghp_abcdefghijklmnop1234",
    KEY,
)

filler = st.sampled_from(
    ["ok\n", "line of a log 12:00 ok\n", "x" * 500 + "\n", "word " * 60, "\n", "basic\n", "key:\n"]
)
parts = st.lists(st.one_of(filler, st.sampled_from(SECRETS)), max_size=20)


@settings(max_examples=60, deadline=None)
@given(parts)
def test_pieces_lose_no_secret(words: list[str]) -> None:
    text = "\n".join(words)
    assert "".join(redact_long(text, ("hunter2",), piece_chars=PIECE_CHARS)) == redact(text, ("hunter2",))


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_on_the_edge_of_a_piece_is_found(secret: str) -> None:
    for before in range(PIECE_CHARS - len(secret) - 3, PIECE_CHARS + 3, max(1, len(secret) // 7)):
        text = "a b\n" * (before // 4) + "." * (before % 4) + "\n" + secret + "\n" + "c d\n" * 100
        assert "".join(redact_long(text, piece_chars=PIECE_CHARS)) == redact(text)


def test_a_text_without_any_blank_is_still_cut_into_pieces_and_kept_whole() -> None:
    text = "=" * (PIECE_CHARS * 5)
    pieces = list(redact_long(text, piece_chars=PIECE_CHARS))
    assert len(pieces) > 1
    assert "".join(pieces) == text


def test_keys_that_never_end_do_not_make_one_piece_of_everything() -> None:
    text = "-----BEGIN RSA PRIVATE KEY-----\nno key at all\n" * 200
    assert max(map(len, redact_long(text, piece_chars=PIECE_CHARS))) < PIECE_CHARS * 5


def test_a_long_s_hides_no_secret() -> None:
    assert "ab12cd34ef56gh78" not in redact("paſsword = ab12cd34ef56gh78ij")
