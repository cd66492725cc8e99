"""Phrase templates: how people word a thing, as data that a person can read and add to.

A template is a row of tokens. `a|b` is a choice, `_` a space inside a choice, `[a|b]` may be missing, `drop*` stands
for all forms of the verb, `{be}` for a named choice, `X` and `Y` for the things spoken of, `$` for the end,
`+ing` for any word ending so. An indented line goes on with the line before it.
English is matched word by word from the start of the clause, Chinese character by character anywhere in it.
Plain tables instead of regular expressions: the same data as patterns took 0.3 s to compile.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bossbot.intent.phrases import Phrases, at_place, inflected, starting, tokens

WORDS = 60
"""Words of a clause that are looked at: a longer one is pasted, and two slots make the search quadratic."""


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
        self.templates = [
            _template(kind, line, macros) for kind, lines in sections for line in _unwrapped(lines).splitlines()
        ]
        self._by_word: dict[str, list[int]] = {}
        for number, template in enumerate(self.templates):
            for word in template.triggers:
                self._by_word.setdefault(word, []).append(number)

    def hits(self, clause: str) -> Iterator[Hit]:
        """The templates that fit the clause, most telling first."""
        words, spans = tokens(clause)
        words = words[:WORDS]
        numbers = {number for word in words for number in self._by_word.get(word, ())}
        for number in sorted(numbers):
            template = self.templates[number]
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
        open_end = all(after.optional for after in elements[at + 1 :])
        for end in range(len(words) if open_end else place + 1, len(words) + 1):
            after = _fit(elements, at + 1, words, end, taken) if end > place else None
            if after is not None:
                taken[element.slot] = (place, end)
                return after
        return None
    for phrase in starting(element.phrases or {}, words[place]) if place < len(words) else ():
        if at_place(words, place, phrase):
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
        phrases = inflected(macros[bare[1:-1]] if named else bare)
        elements.append(Element(phrases=phrases, optional=token.startswith("[")))
        if not token.startswith("[") and "+ing" not in phrases:
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
