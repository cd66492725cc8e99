"""A text that the model is still writing: its words so far, to be shown until the whole of it comes."""

from collections.abc import Callable
from dataclasses import dataclass, field

from bossbot.ids import MessageId

LONGEST_CHARS = 16_000
"""Looking for secrets in so much takes ten milliseconds, once a second."""


@dataclass(slots=True)
class Writing:
    """`message_id` will be that of the whole text. `add` costs nothing; `text` is made when somebody looks."""

    message_id: MessageId
    clean: Callable[[str], str]
    _parts: list[str] = field(default_factory=list)
    _chars: int = 0

    def add(self, part: str) -> None:
        """A few more characters; beyond the bound nobody sees them before the whole comes."""
        if self._chars < LONGEST_CHARS:
            self._chars += len(part)
            self._parts.append(part)

    @property
    def text(self) -> str:
        """The whole words so far, without secrets: a secret has no blanks, so none is shown while it is spelled."""
        written = "".join(self._parts)
        self._parts = [written]
        end = max(written.rfind(blank) for blank in " \n\t")
        return self.clean(written[:end]) if end > 0 else ""
