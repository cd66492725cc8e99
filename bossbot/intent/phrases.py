"""Text as words: English words, Chinese characters and signs, and the phrases made of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

_PIECE = re.compile(
    r"'s\b|[a-z0-9#]+(?:-[a-z0-9]+)*(?:'(?!s\b)[a-z]+)?|别的|别人|别处|特别|区别|性别|分别|类别|级别|不过|先生|先前|预先|事先|原先|再说|[\u3400-\u9fff]|[^\s\w]"
)
_CONTRACTED = frozenset({"it", "that", "let", "there", "what", "he", "she", "who", "here", "where", "how"})
_VOWEL_END = re.compile(r"[^aeiou][aeiou][bdgklmnpt]$")

Phrases = Mapping[str, tuple[tuple[str, ...], ...]]
"""The phrases of a choice by their first word, longest first."""


@lru_cache(maxsize=512)
def tokens(clause: str) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    """Words, Chinese characters and signs, with their places; "cache's" is two words, "it's" one."""
    words: list[str] = []
    spans: list[tuple[int, int]] = []
    for found in _PIECE.finditer(clause):
        if found.group() == "'s" and words and words[-1] in _CONTRACTED and spans[-1][1] == found.start():
            words[-1] += "'s"
            spans[-1] = (spans[-1][0], found.end())
        else:
            words.append(found.group())
            spans.append(found.span())
    return tuple(words), tuple(spans)


def phrases(choice: str) -> Phrases:
    """A choice as data for `made_of` and `holds`; `|` parts the phrases."""
    return inflected(choice.replace(" ", "_"))


def vocabulary(choice: str) -> frozenset[str]:
    """Phrases as a set, for `trim`; `|` parts them."""
    return frozenset(" ".join(tokens(phrase)[0]) for phrase in choice.split("|"))


@dataclass(frozen=True, slots=True)
class Trimmed:
    """What is left of a text between the phrases taken from its ends."""

    start: int
    end: int
    found: frozenset[str]


def trim(text: str, front: frozenset[str], back: frozenset[str]) -> Trimmed:
    """Take phrases of `front` and `back` from the ends, the longest first, and the signs beside them."""
    words, spans = tokens(text.lower() if len(text.lower()) == len(text) else text)
    found: set[str] = set()
    left, right = 0, len(words)
    while left < right:
        size = next((n for n in range(min(7, right - left), 0, -1) if " ".join(words[left : left + n]) in front), 0)
        if not size and words[left][0].isalnum():
            break
        found.add(" ".join(words[left : left + size]))
        left += size or 1
    while right > left:
        size = next((n for n in range(min(7, right - left), 0, -1) if " ".join(words[right - n : right]) in back), 0)
        if not size and words[right - 1][0].isalnum():
            break
        found.add(" ".join(words[right - size : right]))
        right -= size or 1
    place = (spans[left][0], spans[right - 1][1]) if left < right else (0, 0)
    return Trimmed(*place, frozenset(found - {""}))


def made_of(text: str, vocabulary: Phrases) -> bool:
    """True when the text consists of phrases of the vocabulary and signs only."""
    words, _ = tokens(text)
    at = 0
    while at < len(words):
        size = next((len(phrase) for phrase in vocabulary.get(words[at], ()) if at_place(words, at, phrase)), 0)
        if not size and words[at][0].isalnum():
            return False
        at += size or 1
    return any(word[0].isalnum() or word in vocabulary for word in words)


def holds(text: str, vocabulary: Phrases) -> int | None:
    """Where in the text the first phrase of the vocabulary stands, or None."""
    words, spans = tokens(text)
    for at, word in enumerate(words):
        if any(at_place(words, at, phrase) for phrase in vocabulary.get(word, ())):
            return spans[at][0]
    return None


def at_place(words: tuple[str, ...], at: int, phrase: tuple[str, ...]) -> bool:
    return words[at : at + len(phrase)] == phrase


def starting(vocabulary: Phrases, word: str) -> tuple[tuple[str, ...], ...]:
    """The phrases that may begin with the word; `+ing` in a choice stands for any word that ends so."""
    listed = vocabulary.get(word, ())
    return (*listed, (word,)) if "+ing" in vocabulary and word.endswith("ing") else listed


def inflect(verb: str) -> tuple[str, ...]:
    """drop → drop, drops, dropping, dropped; a phrasal verb bends its first word."""
    head, _, rest = verb.partition("_")
    tail = f"_{rest}" if rest else ""
    stem = head[:-1] if head.endswith("e") else head
    double = head + head[-1] if _VOWEL_END.search(head) else stem
    past = stem[:-1] + "ied" if re.search(r"[^aeiou]y$", head) else double + "ed"
    forms = {head, head + "s", double + "ing", past, stem + "ing", stem + "ed"}
    return tuple(form + tail for form in sorted(forms))


@lru_cache(maxsize=1024)
def inflected(choice: str) -> Phrases:
    found: dict[str, list[tuple[str, ...]]] = {}
    for word in dict.fromkeys(choice.split("|")):
        for form in inflect(word.replace("*", "")) if "*" in word else (word,):
            phrase = ("+ing",) if form == "+ing" else tokens(form.replace("_", " "))[0]
            found.setdefault(phrase[0], []).append(phrase)
    return {first: tuple(sorted(phrases, key=len, reverse=True)) for first, phrases in found.items()}
