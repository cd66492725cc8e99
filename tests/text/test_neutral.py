"""Untrusted text is harmless: nothing hidden, nothing deceptive, no secret."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bossbot.text import REDACTED, neutral, one_line, redact, strip_ansi, utf16_len, visible

UNSEEN = (
    "\x00\x07\x08\x1b\x7f\x9b\u00ad\u061c\u200b\u200d\u200e\u202e\u2028\u2060\u2066\u3164\ufeff\ufffe\U000e0041\ud83d"
)
NASTY = st.text(st.sampled_from(UNSEEN + "ab \n\t\r[m;0é你👍\u00a0\u3000") | st.characters(exclude_categories=()))


@given(NASTY)
def test_neutral_prose_holds_no_control_override_or_zero_width_character(text: str) -> None:
    shown = neutral(text)
    assert not set(shown) & set(UNSEEN.replace("\u200d", ""))
    assert all(unicodedata.category(char) not in ("Cc", "Cs") or char in "\n\t" for char in shown)
    shown.encode()


@given(NASTY)
def test_a_visible_command_has_only_characters_that_show_and_keeps_all_that_did(text: str) -> None:
    shown = visible(text)
    assert all(unicodedata.category(char) not in ("Cc", "Cf", "Cs") or char in "\n\t" for char in shown)
    left = iter(shown)
    fillers = "\u115f\u1160\u3164\uffa0"  # letters by their category, and yet nothing to see
    assert all(char in left for char in text if char.isalnum() and char not in fillers)


@given(st.text(st.characters(codec="ascii", exclude_characters="\x1b\r", categories=("L", "N", "P", "S", "Zs"))))
def test_ordinary_text_is_shown_as_it_is(text: str) -> None:
    assert neutral(text) == visible(text) == text


def test_a_hidden_direction_override_in_a_command_is_spelled_out() -> None:
    assert visible("rm \u202etxt.exe") == "rm ⟨U+202E⟩txt.exe"
    assert neutral("rm \u202etxt.exe") == "rm ⟨U+202E⟩txt.exe"


def test_a_carriage_return_cannot_paint_over_a_command() -> None:
    assert visible("rm -rf ~\rls       ") == "rm -rf ~␍ls       "


def test_a_space_that_is_not_the_space_shows_in_a_command() -> None:
    assert visible("rm\u00a0-rf\u2003x") == "rm⟨U+00A0⟩-rf⟨U+2003⟩x"
    assert visible("写入\u3000文件") == "写入\u3000文件"


def test_signs_that_nobody_sees_show_in_commands() -> None:
    assert visible("a\ufe0f\u180b\u2065\ufff0") == "a⟨U+FE0F⟩⟨U+180B⟩⟨U+2065⟩⟨U+FFF0⟩"


def test_terminal_colours_titles_and_links_go_away_in_prose_and_show_in_commands() -> None:
    coloured = "\x1b[1;31mred\x1b[0m \x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \x9b31mc1"
    assert strip_ansi(coloured) == neutral(coloured) == "red link c1"
    assert visible("\x1b[2Kx") == "␛[2Kx"


def test_joiners_stay_where_words_and_emoji_are_written_with_them() -> None:
    for written in ("👨‍👩‍👧", "می‌خواهم", "क्‍ष"):
        assert neutral(written) == written
    assert neutral("pass\u200dword") == "pass⟨U+200D⟩word"


def test_all_line_breaks_become_one_kind() -> None:
    assert neutral("a\r\nb\rc\u2028d\u2029e\u0085f") == "a\nb\nc\nd\ne\nf"


@given(NASTY, st.integers(1, 80))
def test_one_line_is_one_line_within_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert "\n" not in line
    assert utf16_len(line) <= limit


SECRETS = [
    "123456789:AAF1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
    "xoxb-1234567890-abcdefGHIJKL",
    "xapp-1-A0123-456-abcdef0123456789",
    "sk-ant-api03-abcDEF123_456-789",
    "sk-proj-abcdefghijklmnop",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "github_pat_11ABCDEFG0abcdefghijkl",
    "glpat-abcdefghij0123456789",
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyA1234567890abcdefghijklmnopqrstuv",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF_123-xyz",
]


def test_a_bot_token_in_an_address_never_gets_through() -> None:
    assert SECRETS[0] not in redact(f"GET https://api.telegram.org/bot{SECRETS[0]}/getMe failed")


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("around", ["{}", "export TOKEN={}", "curl -H 'X: {}' https://x", "见{}。", '{{"a":"{}"}}'])
def test_a_secret_of_a_known_form_never_gets_through(secret: str, around: str) -> None:
    shown = redact(around.format(secret))
    assert secret not in shown
    assert REDACTED in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("curl -H 'Authorization: Bearer abc123def456' x", "curl -H 'Authorization: Bearer [redacted]' x"),
        ("Authorization: Basic dXNlcjpwYXNz x", "Authorization: Basic [redacted] x"),
        ("git clone https://me:s3cr3t@host/x", "git clone https://me:[redacted]@host/x"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "AWS_SECRET_ACCESS_KEY=[redacted]"),
        ('{"api_key": "0123456789abcdefghij"}', '{"api_key": "[redacted]"}'),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc+/=\n-----END RSA PRIVATE KEY-----\nrm -rf x",
            "-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\nrm -rf x",
        ),
    ],
)
def test_what_is_named_a_secret_is_replaced_and_the_rest_stays(text: str, shown: str) -> None:
    assert redact(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "rm -rf build-cache",
        "token = settings.access_token",
        "the bearer of this letter",
        "git checkout 3f2a9c1d7e5b8a604f1c2d3e4f5a6b7c8d9e0f12",
        "http://localhost:8700/path@x",
        "task-skeleton-of-the-application",
        "10:30 12345678:short",
    ],
)
def test_ordinary_words_are_not_taken_for_secrets(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("start", ["Bearer ", "sk-", "https://me:", "password=", "eyJhbGciOi."])
@pytest.mark.parametrize("command", ["; rm -rf ~", " && rm -rf ~", "$(rm -rf ~)", "|sh", "`rm -rf ~`", "\nrm -rf ~"])
def test_no_second_command_hides_behind_a_secret(start: str, command: str) -> None:
    assert command in redact(f"curl {start}abcdef0123456789abcdef{command}")


@pytest.mark.parametrize("end", ["", "\n-----END PRIVATE KEY-----"])
@pytest.mark.parametrize("hidden", ["rm -rf /home/ada", "/usr/sbin/reboot", "Make -f evil"])
def test_no_command_hides_below_a_false_private_key(hidden: str, end: str) -> None:
    command = f": -----BEGIN PRIVATE KEY-----\n{hidden}{end}"
    assert redact(command) == command


@pytest.mark.parametrize("line_break", ["\n", "\\n", "\r\n"])
def test_a_private_key_goes_whole_also_when_its_end_is_missing(line_break: str) -> None:
    line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
    head = "-----BEGIN RSA PRIVATE KEY-----"
    whole = line_break.join([head, "Proc-Type: 4,ENCRYPTED", "", line, line, "AbC1=", "-----END RSA PRIVATE KEY-----"])
    assert redact(whole) == f"{head}{REDACTED}-----END RSA PRIVATE KEY-----"
    assert redact(line_break.join([head, line, line])) == f"{head}{REDACTED}"


def test_known_secrets_are_replaced_wherever_they_are() -> None:
    assert redact("x=opensesame!", known=("opensesame", "")) == "x=[redacted]!"


@pytest.mark.parametrize(
    "unit",
    ["a", "eyJ-", "secret", "=token", "a://b:", "-----BEGIN PRIVATE KEY-----a", "Bearer ", "1:", "\x1b]", "sk-a "],
)
def test_redaction_and_neutralising_take_time_in_proportion_to_the_text(unit: str) -> None:
    text = unit * (200_000 // len(unit)) + "#"
    start = time.process_time()
    neutral(redact(text))
    assert time.process_time() - start < 20
