"""Which task a phrase means: words become concepts (stems and a bilingual lexicon), concepts are compared.

English and Chinese meet in the lexicon; what it lacks is compared by stems and by pairs of characters.
"""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import lru_cache

from bossbot.intent.terms import CONCEPTS, HEADS, WEAK
from bossbot.intent.types import BoardTask
from bossbot.intent.words import STOP_EN, STOP_ZH, TO_SIMPLIFIED

ENOUGH = 0.5
"""Share of a phrase's weight that a title must hold to be meant by it."""
CLEAR = 0.15
"""How far the best title must lead the next; closer is ambiguous."""

MISSPELT_LENGTH = 4
"""Shorter words have too many neighbours to be read as misspelt."""

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[\u3400-\u9fff]+")
_PREPOSITION = re.compile(
    r"(?<![-\w])(?:for|in|on|of|from|with|to|by|about|that|which|because|until|when|over|than|instead|before|after|into|at|while|so"
    r"|is|are|was|were|isn't|aren't|keeps|takes)(?![-\w])"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Found:
    """The tasks a phrase may mean: one is clear, several are ambiguous, none is unknown to the board."""

    tasks: tuple[BoardTask, ...] = ()
    score: float = 0.0

    @property
    def clear(self) -> bool:
        return len(self.tasks) == 1


def find(phrase: str, tasks: Iterable[BoardTask]) -> Found:
    """The live tasks that best fit the phrase."""
    wanted = concepts(phrase)
    board = [(task, concepts(task.title)) for task in tasks]
    weights = _weights(wanted, [have for _, have in board])
    if not weights:
        return Found()
    zone = _zone(phrase)
    scored = [(_score(weights, have) if _about(zone, have) else 0.0, task) for task, have in board]
    best = max((score for score, _ in scored), default=0.0)
    if best < ENOUGH:
        return Found()
    return Found(tuple(task for score, task in scored if score > best - CLEAR), best)


def _zone(phrase: str) -> tuple[str, ...]:
    """The telling words that say what a phrase is about: those before its first preposition, if any."""
    before = concepts(_PREPOSITION.split(phrase)[0]) or concepts(phrase)
    return tuple(word for word in before if word not in WEAK)


def _about(zone: tuple[str, ...], have: tuple[str, ...]) -> bool:
    """Whether a title is about the same thing. A "login button" is a button: no name for "fix the login"."""
    if not zone:
        return True
    head_known = zone[-1] in _SPELLINGS
    return zone[-1] in have if head_known else any(_near(word, have) for word in zone)


def covers(title: str, phrase: str) -> bool:
    """True when the title says all that the phrase says: the phrase is no new task then."""
    wanted, have = concepts(phrase), concepts(title)
    strong = {c for c in wanted if c not in WEAK}
    return bool(strong) and all(_near(c, have) >= 0.8 for c in strong) and not (set(have) & HEADS) - strong


def bare_name(phrase: str, titles: Iterable[str]) -> bool:
    """True when the phrase says nothing but what the titles say, a telling word among it: "the login thing"."""
    words = concepts(phrase)
    have = tuple(dict.fromkeys(concept for title in titles for concept in concepts(title)))
    return all(w in WEAK or _near(w, have) for w in words) and any(w not in WEAK for w in words)


def opens_with(phrase: str, titles: Iterable[str]) -> bool:
    """True when the phrase's first word of content is the titles' own: "clear the cache" opens with another verb."""
    words = concepts(phrase)
    have = tuple(dict.fromkeys(concept for title in titles for concept in concepts(title)))
    return (
        not words or words[0] in WEAK or words[0] >= "\u3400" or words[0] in _SPELLINGS or bool(_near(words[0], have))
    )


@lru_cache(maxsize=2048)
def concepts(text: str) -> tuple[str, ...]:
    """The concepts of a phrase in order, each once; stop words carry none."""
    found: dict[str, None] = {}
    plain = _CAMEL.sub(" ", text[:600]).lower().translate(TO_SIMPLIFIED).replace("_", " ")
    latin: list[str] = []
    for word in _WORD.findall(plain):
        if word[0] >= "\u3400":
            _latin(latin, found)
            latin = []
            _chinese(word, found)
        else:
            latin.append(word)
    _latin(latin, found)
    return tuple(found)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A crude English stem: enough to let caching, cached and caches meet."""
    word = word.split("'")[0]
    for ending in ("ing", "ers", "ed", "er", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    if len(word) > 3 and word[-1] in "ey":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] == "i" else word


def _weights(wanted: Iterable[str], titles: list[tuple[str, ...]]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for concept in wanted:
        if concept in WEAK:
            weights[concept] = 0.25
        elif len(concept) == 2 and concept >= "\u3400":
            weights[concept] = 0.6 if any(concept in title for title in titles) else 0.25
        else:
            weights[concept] = 1.0 if any(_near(concept, title) for title in titles) else 0.5
    return weights


def _score(weights: dict[str, float], have: tuple[str, ...]) -> float:
    hit = sum(weight * _near(concept, have) for concept, weight in weights.items())
    foreign_head = HEADS & (set(weights) - set(have))
    own_head = HEADS & (set(have) - set(weights))
    if foreign_head:
        return 0.0
    share = hit / sum(weights.values())
    told = sum(1 for concept in have if concept in weights) / (len(have) or 1)
    return share - (0.2 if own_head else 0.0) + 0.1 * told


@lru_cache(maxsize=8192)
def _near(concept: str, have: tuple[str, ...]) -> float:
    """1 for the same concept, 0.8 for a likely misspelling, 0 otherwise."""
    if concept in have:
        return 1.0
    if len(concept) < MISSPELT_LENGTH or concept >= "\u3400" or concept in _SPELLINGS:
        return 0.0
    alike = any(_one_edit(concept, word) for other in have for word in _SPELLINGS.get(other, (other,)))
    return 0.8 if alike else 0.0


def _one_edit(one: str, other: str) -> bool:
    """True when a single letter added, lost, changed or swapped with its neighbour parts the two words."""
    if abs(len(one) - len(other)) > 1 or one[0] != other[0]:
        return False
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    if one[at + 1 :] == other[at + 1 :] or one[at:] == other[at + 1 :] or one[at + 1 :] == other[at:]:
        return True
    return one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]


def _latin(words: list[str], found: dict[str, None]) -> None:
    stems = [stem(word) for word in words]
    at = 0
    while at < len(words):
        for length in (3, 2, 1):
            concept = _PHRASES.get(tuple(stems[at : at + length])) if at + length <= len(words) else None
            if concept and not (length == 1 and words[at] in STOP_EN):
                found[concept] = None
                break
        else:
            length = 1
            if words[at] not in STOP_EN and (len(words[at]) > 1 or words[at].isdigit()):
                found[stems[at]] = None
        at += length


def _chinese(run: str, found: dict[str, None]) -> None:
    at = left = 0
    while at < len(run):
        term = _longest(run, at, _TERMS)
        stop = _longest(run, at, STOP_ZH)
        if not term and not stop:
            at += 1
            continue
        _pairs(run[left:at], found)
        if len(term) >= len(stop):
            found[_TERMS[term]] = None
        at += max(len(term), len(stop))
        left = at
    _pairs(run[left:], found)


def _pairs(rest: str, found: dict[str, None]) -> None:
    for at in range(len(rest) - 1):
        found[rest[at : at + 2]] = None


def _longest(run: str, at: int, words: Container[str]) -> str:
    sizes = range(min(6, len(run) - at), 0, -1)
    return next((run[at : at + size] for size in sizes if run[at : at + size] in words), "")


def _lexicon() -> tuple[dict[tuple[str, ...], str], dict[str, str], dict[str, tuple[str, ...]]]:
    phrases: dict[tuple[str, ...], str] = {}
    terms: dict[str, str] = {}
    spellings: dict[str, tuple[str, ...]] = {}
    for line in CONCEPTS.strip().splitlines():
        english, _, chinese = line.partition(" = ")
        words = [part.strip() for part in english.split(",")]
        for word in words:
            phrases.setdefault(tuple(stem(piece) for piece in _WORD.findall(word)), words[0])
        for term in chinese.split(","):
            terms.setdefault(term.strip(), words[0])
        spellings[words[0]] = tuple({stem(word) for word in words if " " not in word})
    return phrases, terms, spellings


_PHRASES, _TERMS, _SPELLINGS = _lexicon()
