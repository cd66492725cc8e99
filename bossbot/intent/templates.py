"""Phrase templates: how people word a thing, as data that a person can read and add to.

A template is a row of tokens. `a|b` is a choice, `_` a space inside a choice, `[a|b]` may be missing, `drop*` stands
for all forms of the verb, `{be}` for a named choice, `X` and `Y` for the things spoken of, `$` for the end. An
indented line goes on with the line before it.
English is matched word by word from the start of the clause, Chinese character by character anywhere in it.
Plain tables instead of regular expressions: the same data as patterns took 0.3 s to compile.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

_PIECE = re.compile(
    r"'s\b|[a-z0-9#]+(?:-[a-z0-9]+)*(?:'(?!s\b)[a-z]+)?|别的|别人|别处|特别|区别|性别|分别|类别|级别|不过|先生|先前|预先|事先|原先|再说|[\u3400-\u9fff]|[^\s\w]"
)
_CONTRACTED = frozenset({"it", "that", "let", "there", "what", "he", "she", "who", "here", "where", "how"})
_VOWEL_END = re.compile(r"[^aeiou][aeiou][bdgklmnpt]$")

Phrases = Mapping[str, tuple[tuple[str, ...], ...]]
"""The phrases of a choice by their first word, longest first."""


@dataclass(frozen=True, slots=True)
class Element:
    """One token of a template: a slot, the end, or a choice of phrases."""

    slot: str = ""
    phrases: Phrases | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    kind: str
    elements: tuple[Element, ...]
    triggers: frozenset[str]
    openings: frozenset[str] | None
    """Words it can start with; None when it starts with a slot."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A template that fits: its kind, the things named, and the characters it took."""

    kind: str
    x: str | None
    y: str | None
    start: int
    end: int


class Phrasebook:
    """Templates in order of precedence, looked up by the words of a clause."""

    def __init__(self, sections: Iterable[tuple[str, str]], macros: Mapping[str, str], *, anywhere: bool) -> None:
        self._anywhere = anywhere
        self._templates = [
            _template(kind, line, macros) for kind, lines in sections for line in _unwrapped(lines).splitlines()
        ]
        self._by_word: dict[str, list[int]] = {}
        for number, template in enumerate(self._templates):
            for word in template.triggers:
                self._by_word.setdefault(word, []).append(number)

    def hits(self, clause: str) -> Iterator[Hit]:
        """The templates that fit the clause, most telling first."""
        words, spans = tokens(clause)
        numbers = {number for word in words for number in self._by_word.get(word, ())}
        for number in sorted(numbers):
            template = self._templates[number]
            for start in self._starts(template, words):
                taken: dict[str, tuple[int, int]] = {}
                end = _fit(template.elements, 0, words, start, taken)
                if end is not None:
                    x, y = (_slice(clause, spans, taken.get(name)) for name in "XY")
                    last = spans[end - 1][1] if end > start else spans[start][0]
                    yield Hit(template.kind, x, y, spans[start][0], last)
                    break

    def _starts(self, template: Template, words: tuple[str, ...]) -> Iterable[int]:
        if template.openings is None or not self._anywhere:
            return (0,)
        return (at for at, word in enumerate(words) if word in template.openings)

    def first(self, clause: str) -> Hit | None:
        return next(self.hits(clause), None)


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
    return _phrases(choice.replace(" ", "_"))


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
        size = next((len(phrase) for phrase in vocabulary.get(words[at], ()) if _at(words, at, phrase)), 0)
        if not size and words[at][0].isalnum():
            return False
        at += size or 1
    return any(word[0].isalnum() or word in vocabulary for word in words)


def holds(text: str, vocabulary: Phrases) -> int | None:
    """Where in the text the first phrase of the vocabulary stands, or None."""
    words, spans = tokens(text)
    for at, word in enumerate(words):
        if any(_at(words, at, phrase) for phrase in vocabulary.get(word, ())):
            return spans[at][0]
    return None


def _at(words: tuple[str, ...], at: int, phrase: tuple[str, ...]) -> bool:
    return words[at : at + len(phrase)] == phrase


def inflect(verb: str) -> tuple[str, ...]:
    """drop → drop, drops, dropping, dropped; a phrasal verb bends its first word."""
    head, _, rest = verb.partition("_")
    tail = f"_{rest}" if rest else ""
    stem = head[:-1] if head.endswith("e") else head
    double = head + head[-1] if _VOWEL_END.search(head) else stem
    past = stem[:-1] + "ied" if re.search(r"[^aeiou]y$", head) else double + "ed"
    forms = {head, head + "s", double + "ing", past, stem + "ing", stem + "ed"}
    return tuple(form + tail for form in sorted(forms))


def _fit(
    elements: tuple[Element, ...], at: int, words: tuple[str, ...], place: int, taken: dict[str, tuple[int, int]]
) -> int | None:
    """The place after the last word that the elements from `at` on take, or None."""
    if at == len(elements):
        return place
    element = elements[at]
    if element.slot == "$":
        return place if all(not word[0].isalnum() for word in words[place:]) else None
    if element.slot:
        last = at + 1 == len(elements)
        for end in range(len(words) if last else place + 1, len(words) + 1):
            after = _fit(elements, at + 1, words, end, taken) if end > place else None
            if after is not None:
                taken[element.slot] = (place, end)
                return after
        return None
    for phrase in (element.phrases or {}).get(words[place], ()) if place < len(words) else ():
        if _at(words, place, phrase):
            after = _fit(elements, at + 1, words, place + len(phrase), taken)
            if after is not None:
                return after
    return _fit(elements, at + 1, words, place, taken) if element.optional else None


def _slice(clause: str, spans: tuple[tuple[int, int], ...], taken: tuple[int, int] | None) -> str | None:
    return clause[spans[taken[0]][0] : spans[taken[1] - 1][1]] if taken else None


def _unwrapped(lines: str) -> str:
    return re.sub(r"(?<=\|)\n[ \t]+|(?<=\|) ", "", re.sub(r"\n[ \t]+", " ", lines.strip()))


def _template(kind: str, line: str, macros: Mapping[str, str]) -> Template:
    elements: list[Element] = []
    telling: frozenset[str] = frozenset()
    broad: frozenset[str] = frozenset()
    for token in line.split():
        bare = token.strip("[]")
        if bare in {"X", "Y", "$"}:
            elements.append(Element(slot=bare))
            continue
        named = bare.startswith("{")
        phrases = _phrases(macros[bare[1:-1]] if named else bare)
        elements.append(Element(phrases=phrases, optional=token.startswith("[")))
        if not token.startswith("["):
            broad = frozenset(phrases)
            telling = telling or (frozenset() if named else broad)
    return Template(kind, tuple(elements), telling or broad, _openings(elements))


def _openings(elements: list[Element]) -> frozenset[str] | None:
    words: set[str] = set()
    for element in elements:
        if element.slot:
            return None
        words.update(element.phrases or ())
        if not element.optional:
            break
    return frozenset(words)


@lru_cache(maxsize=1024)
def _phrases(choice: str) -> Phrases:
    found: dict[str, list[tuple[str, ...]]] = {}
    for word in dict.fromkeys(choice.split("|")):
        for form in inflect(word.replace("*", "")) if "*" in word else (word,):
            phrase = tokens(form.replace("_", " "))[0]
            found.setdefault(phrase[0], []).append(phrase)
    return {first: tuple(sorted(phrases, key=len, reverse=True)) for first, phrases in found.items()}
