"""What every frame is: one line from the agent CLI, with the bytes it came from.

Fields that nobody named are retrievable from those bytes. Statuses and states are plain strings everywhere, because
a word added tomorrow is not an error.
"""

from typing import Any

from msgspec import Raw, Struct, field

from bossbot.streamjson.lenient import loads

Number = int | float
"""What JSON gives for a number; neither CLI promises that a count or a time is whole."""
NO_RAW = Raw()


class Frame(Struct, frozen=True, gc=False, kw_only=True):
    """One line from the CLI. `gc=False` is safe: a frame is a tree and never refers back to itself."""

    raw: bytes = field(name="(raw)", default=b"")
    session_id: str | None = None

    def document(self) -> dict[str, Any]:
        """The whole line as it was, less what the decoder removes for safety."""
        document = loads(self.raw) if self.raw else {}
        return document if isinstance(document, dict) else {}

    def extra(self) -> dict[str, Any]:
        """The line's top-level fields that this class does not name."""
        named = {*self.__struct_encode_fields__, "type", "subtype"}
        return {key: value for key, value in self.document().items() if key not in named}
