"""Texts for comparing the local Telegram with TDLib: scripts, emoji and marks of all widths, in all markups.

A text is built of pieces, so that what it must become is known without any parser: the plain text, and where each
formatted piece stands, counted here in UTF-16 units.
"""

import random
from dataclasses import dataclass, field
from typing import Any

WORDS = (
    "word", "Straße", "naïve", "x", "e\u0301te\u0301", "a\u0323\u0307\u0301", "漢字", "日本語テキスト", "한국어", "ไทย",
    "नमस्ते", "العربية", "שלום", "Ελληνικά", "привет", "😀", "👩\u200d👩\u200d👧\u200d👦",
    "🏴\U000e0067\U000e0062\U000e007f",
    "🇩🇪🇯🇵", "👍🏽", "❤\ufe0f", "1\ufe0f\u20e3", "𝔘𝔫𝔦", "𠜎𠜱", "e\u200bx", "\U0001f9d1\u200d💻", "½", "ﷺ", "Z̷̡͎a̴l̵",
)  # fmt: skip
FOUND = ("@someone", "#tag", "/start", "https://example.org/a?b=c", "mail@example.org", "$USD", "+15551234567")
"""What Telegram finds by itself."""
MARKS = {
    "bold": ("b", "*"), "italic": ("i", "_"), "underline": ("u", "__"), "strikethrough": ("s", "~"),
    "spoiler": ("tg-spoiler", "||"), "code": ("code", "`"),
}  # fmt: skip
_V2 = set("_*[]()~`>#+-=|{}.!\\")


def units(text: str) -> int:
    """UTF-16 units, counted by Python's own encoder."""
    return len(text.encode("utf-16-le")) // 2


@dataclass
class Built:
    """One text in one markup, and what it must become."""

    mode: str
    source: str = ""
    plain: str = ""
    entities: list[dict[str, Any]] = field(default_factory=list)

    def add(self, words: str, mark: str | None = None) -> None:
        escaped = html(words) if self.mode == "HTML" else v2(words, in_code=mark == "code")
        if mark is None:
            self.source += escaped
        else:
            self.entities.append({"type": mark, "offset": units(self.plain), "length": units(words)})
            tag, sign = MARKS[mark]
            self.source += f"<{tag}>{escaped}</{tag}>" if self.mode == "HTML" else f"{sign}{escaped}{sign}"
        self.plain += words


def html(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def v2(words: str, in_code: bool) -> str:
    special = set("`\\") if in_code else _V2
    return "".join("\\" + character if character in special else character for character in words)


def well_formed(seed: int, with_found: bool = False) -> Built:
    """A text that every parser takes. It begins and ends with a letter, and two marks never touch."""
    chance = random.Random(seed)
    built = Built(chance.choice(("HTML", "MarkdownV2")))
    built.add("A ")
    for _ in range(chance.randint(1, 8)):
        words = " ".join(chance.choices(WORDS, k=chance.randint(1, 3)))
        built.add(words, chance.choice((None, *MARKS)))
        built.add(chance.choice((" ", "\n", " and ", " & < > ", " 字 ")))
        if with_found and chance.random() < 0.5:
            built.add(chance.choice(FOUND))
            built.add(" ")
    built.add("Z")
    return built


def wild(seed: int) -> tuple[str, str]:
    """Anything between markup and nonsense, and the mode to read it in: TDLib takes some of it and refuses the rest."""
    chance = random.Random(seed)
    mode = chance.choice(("HTML", "MarkdownV2", "Markdown"))
    signs: tuple[str, ...]
    signs = ("<b>", "</b>", "<i>", "</i>", "<code>", "</code>", "<pre>", "</pre>", '<a href="https://a.bc">', "</a>",
             "<blockquote>", "</blockquote>", "&lt;", "&#128512;", "&bad;", "<foo>", "<b", ">", "</")  # fmt: skip
    if mode != "HTML":
        signs = (
            "*",
            "_",
            "__",
            "~",
            "||",
            "`",
            "```",
            "```py\n",
            "[",
            "](https://a.bc)",
            ")",
            "\\",
            "\\*",
            ">",
            "\n>",
            ".",
            "!",
        )
    pieces = [
        chance.choice(signs if chance.random() < 0.5 else (*WORDS, " ", "\n")) for _ in range(chance.randint(1, 9))
    ]
    return "A" + "".join(pieces) + "Z", mode
