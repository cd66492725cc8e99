"""What the page is made of: no markup is parsed, nothing comes from elsewhere, and little is loaded."""

import re
from pathlib import Path

import pytest

import bossbot.sandbox

FOLDER = Path(bossbot.sandbox.__file__).parent / "page"
FILES = sorted(FOLDER.iterdir())
PARSES_MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|setHTML|"
    r"srcdoc\s*=|\beval\(|new Function"
)
OUTSIDE = re.compile(r"""(?:\bsrc=|\bhref=|\burl\(|\bfrom |\bimport\(|\bfetch\(|@import)\s*["'`]?(?:https?:)?//""")
LOAD_MAX = 300_000
"""Bytes of all files together, as they lie; they are sent compressed."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_file_parses_markup_or_fetches_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not PARSES_MARKUP.search(text)
    assert not OUTSIDE.search(text)


def test_the_html_has_no_inline_script_or_style() -> None:
    html = (FOLDER / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)", html)


def test_the_page_is_small() -> None:
    assert sum(path.stat().st_size for path in FILES) < LOAD_MAX


def test_both_languages_have_the_same_words() -> None:
    english, chinese = re.findall(r"const (?:EN|ZH) = \{(.*?)\n\};", (FOLDER / "words.js").read_text("utf-8"), re.S)
    keys = [re.findall(r"^  (\w+):", words, re.M) for words in (english, chinese)]
    assert keys[0] == keys[1]
    assert keys[0]


def test_every_word_asked_for_is_there_and_none_is_left_over() -> None:
    source = "\n".join(path.read_text("utf-8") for path in FILES if path.name != "words.js")
    words = (FOLDER / "words.js").read_text("utf-8")
    known = set(re.findall(r"^  (\w+):", words.partition("const EN = {")[2].partition("\n};")[0], re.M))
    asked = set(re.findall(r"""\bt\("(\w+)"|data-t(?:-\w+)?="(\w+)\"""", source))
    flat = {name for pair in asked for name in pair if name}
    assert flat <= known
    indirect = {name for name in known if name.startswith("forum_topic_")}
    indirect |= {name for name in known if name.startswith(("state_", "kind_"))}
    indirect |= {"owner", "approver", "stranger", "live", "offline", "themeAuto", "themeLight", "themeDark"}
    indirect |= {"new_chat_members", "migrate_to_chat_id", "migrate_from_chat_id"}
    indirect |= {"checked", "unchecked", "stoppedByUser", "streamBroken"}
    indirect |= {"photo", "video", "document", "audio", "animation", "voice_note"}
    assert known - flat <= indirect
