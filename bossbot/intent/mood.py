"""How a clause is meant: as a command or statement, as a question, under a condition, or as others' words.

Only what is said outright may change the plan now. An indirect request ("could you stop the charts?") is said,
a suggestion or a plain question is asked, "if the tests fail, drop it" is a condition for later.
"""

import re
from collections.abc import Sequence
from enum import Enum
from functools import cache

from bossbot.intent import moodcues
from bossbot.intent.acts import Lead, lead
from bossbot.intent.clauses import Clause
from bossbot.intent.phrases import holds, made_of, phrases, vocabulary
from bossbot.intent.templates import Phrasebook


class Mood(Enum):
    SAID = "said"
    AGREED = "agreed"
    ASKED = "asked"
    CONDITION = "condition"
    REPORTED = "reported"


_POLITE = re.compile(
    r"\bif (?:you (?:can|could|have (?:the )?time|don't mind|want|like|get (?:a )?(?:chance|time)|think|wish|would"
    r"|please|agree)|possible|(?:that|it)'?s (?:ok|okay|fine|possible|not too)|needed|necessary"
    r"|time permits|time allows|there'?s time)\b[^,]*"
    r"|\b(?:when|once|after) (?:you're|you are|that's|that is|it's|this is|you've|you get)"
    r" (?:done|finished|ready|free|through|completed|a chance)\b"
    r"|(?:如果|要是)?(?:可以|有时间|有空|方便|可能|不介意|来得及|没问题)的话|如果(?:可以|方便|有空|有时间|可能)"
)
_SUBJECTS = frozenset({"i", "we", "you"})
"""After these a helper verb begins no question: "we won't be doing it"."""
_CAN_WE, _REQUESTS = vocabulary(moodcues.CAN_WE), vocabulary(moodcues.REQUESTS)
_CHECKS = frozenset(moodcues.CHECKS.split("|"))
_TAGS = frozenset(moodcues.TAGS.split("|"))
_TAG_ENDS = tuple(moodcues.TAG_ENDS.split("|"))


def moods(clauses: Sequence[Clause]) -> list[Mood]:
    """The mood of each clause, read with its sentence."""
    found: list[Mood] = []
    for number in dict.fromkeys(clause.sentence for clause in clauses):
        found.extend(_sentence([_Part(clause.norm, clause.asked) for clause in clauses if clause.sentence == number]))
    return _confirmed(clauses, found)


def polite(norm: str) -> str:
    """The clause without "if you have time" and the like, which set no condition."""
    return _POLITE.sub(" ", norm).strip()


def affirms(norm: str) -> bool:
    """ "Yeah do that": a yes to what was said before, with no content of its own."""
    return made_of(norm, phrases(moodcues.AFFIRMS))


def conditional_parts(norm: str) -> list[str]:
    """Where in a conditional clause its act may stand: before an inner "if", or from any word on."""
    inner = holds(norm, phrases(moodcues.IF_INSIDE))
    if inner:
        return [norm[:inner]]
    words = norm.split(" ")
    return [norm, *(" ".join(words[at:]) for at in range(2, min(len(words), 16)))]


class _Part:
    """A clause with what its phrases show."""

    def __init__(self, norm: str, asked: bool) -> None:
        self.norm = polite(norm)
        self.asked = asked
        self.start: Lead = lead(self.norm)
        told_by = any(word.split("'")[0].split(" ")[0] in _SUBJECTS for word in self.start.words)
        texts = (self.norm,) if told_by else (self.norm, self.start.body)
        kinds = [hit.kind for text in texts for hit in _book("en").hits(text)]
        chinese = [hit.kind for hit in _book("zh").hits(self.norm)] if _has_chinese(self.norm) else []
        self.kinds = set(kinds) | (set(chinese) - ({"asks"} if "plain" in chinese else set()))
        self.can_we = bool(self.start.words & _CAN_WE)

    @property
    def told(self) -> bool:
        return "told" in self.kinds and "bidden" not in self.kinds

    @property
    def conditional(self) -> bool:
        return "if" in self.kinds and not self.norm.startswith(("what if", "how about"))

    def requests(self, marked: bool) -> bool:
        """An order in the dress of a question: "could you drop it?", but not "can you explain it?"."""
        if self.can_we:
            return marked or not made_of(self.start.body.split(" ")[0], phrases(moodcues.ENDS))
        wished = bool(self.start.words & _REQUESTS) or "request" in self.kinds
        return wished and "tell" not in self.kinds

    @property
    def asks(self) -> bool:
        return "asks" in self.kinds or self.can_we


def _sentence(parts: list[_Part]) -> list[Mood]:
    if parts[0].asked and len(parts) > 1 and parts[-1].norm in _CHECKS:
        return [Mood.ASKED] * len(parts)
    if "wish" in parts[0].kinds and parts[-1].norm.endswith("吗"):
        return [Mood.SAID] * len(parts)
    asked, marked = parts[0].asked, any(holds(part.norm, phrases(moodcues.MARKS)) is not None for part in parts)
    tagged = (len(parts) > 1 and parts[-1].norm in _TAGS) or parts[-1].norm.endswith(_TAG_ENDS)
    if tagged and not parts[0].asks:
        asked = False
    found: list[Mood] = []
    mood = Mood.SAID
    for at, part in enumerate(parts):
        if part.told:
            mood = Mood.REPORTED
        elif mood is not Mood.CONDITION and _asked(part, parts[at + 1 :], parts, asked, tagged, marked):
            mood = Mood.ASKED
        elif part.conditional and mood is not Mood.ASKED:
            mood = Mood.CONDITION
        elif mood is Mood.ASKED and not asked:
            mood = Mood.SAID
        inner = mood is Mood.SAID and holds(part.norm, phrases(moodcues.IF_INSIDE))
        found.append(Mood.CONDITION if inner else mood)
    return found


def _asked(part: _Part, later: list[_Part], parts: list[_Part], asked: bool, tagged: bool, marked: bool) -> bool:
    if tagged and not later and len(parts) > 1:
        return True
    if part.conditional:
        supposes = any(holds(other.norm, phrases(moodcues.WHAT_IF)) is not None for other in parts)
        return supposes or (asked and not later)
    if part.requests(marked):
        return False
    if part.asks and not part.norm.endswith(_TAG_ENDS):
        return True
    if any(other.asks or other.requests(marked) for other in later):
        return False
    return asked and not any(other.requests(marked) for other in parts)


def _confirmed(clauses: Sequence[Clause], found: list[Mood]) -> list[Mood]:
    """ "What if we skipped the UI? yeah do that": the answer turns the question into a decision."""
    sentences = [clause.sentence for clause in clauses]
    for at, clause in enumerate(clauses):
        if at and found[at] is Mood.SAID and affirms(clause.norm) and sentences[at - 1] != sentences[at]:
            for back in range(at):
                if sentences[back] == sentences[at - 1] and found[back] is Mood.ASKED:
                    found[back] = Mood.AGREED
    return found


def _has_chinese(norm: str) -> bool:
    return any(char >= "\u3400" for char in norm)


@cache
def _book(language: str) -> Phrasebook:
    sections = moodcues.ZH if language == "zh" else moodcues.EN
    return Phrasebook(sections, moodcues.MACROS, anywhere=language == "zh")
