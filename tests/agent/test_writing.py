"""A text that is still being written: whole words, no secret half spelled, and the id of the message to come."""

import json
from typing import Any

from bossbot.agent.reading import Reading
from bossbot.agent.translate import Translator
from bossbot.agent.writing import LONGEST_CHARS
from bossbot.domain import commands as c
from bossbot.domain.policy import Policy
from bossbot.ids import WorkerId
from bossbot.streamjson.decoder import decode
from bossbot.streamjson.dialects import CBC, CLAUDE
from tests.app.desk import Counter

TOKEN = "xoxb-870000000001-writing"


class Pipe:
    def __init__(self) -> None:
        self.translator = Translator(Counter(), Policy(), WorkerId("worker_1"), "cbc", secrets=("hunter2hunter2",))
        self.read(type="system", subtype="init", tools=[])
        self.translator.told()

    def read(self, **frame: Any) -> Reading:
        return self.translator.read(decode(json.dumps({"session_id": "main", **frame}).encode()), 0.0)

    def event(self, kind: str, text: str | None = None, **more: Any) -> Reading:
        delta = {"delta": {"type": "text_delta", "text": text}} if text is not None else {}
        return self.read(type="stream_event", event={"type": kind, "index": 0, **delta}, **more)

    def piece(self, text: str, **more: Any) -> Reading:
        return self.event("content_block_delta", text, **more)

    def whole(self, text: str) -> c.AddManagerText:
        message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
        [said] = [x for x in self.read(type="assistant", message=message).commands if isinstance(x, c.AddManagerText)]
        return said


def test_whole_words_are_shown_and_the_whole_text_has_their_id() -> None:
    pipe = Pipe()
    pipe.event("message_start")
    pipe.event("content_block_start")
    first = pipe.piece("Hello, my na").writing
    assert first is not None
    assert first.text == "Hello, my"
    assert pipe.piece("me is ").writing is first
    assert first.text == "Hello, my name is"
    assert pipe.whole("Hello, my name is Boss.").message_id == first.message_id


def test_the_next_text_is_another_message() -> None:
    pipe = Pipe()
    one = pipe.piece("one ").writing
    pipe.whole("one")
    two = pipe.piece("two ").writing
    assert one is not None
    assert two is not None
    assert one.message_id != two.message_id
    pipe.event("content_block_start")
    three = pipe.piece("three ").writing
    assert three is not None
    assert pipe.whole("three").message_id == three.message_id != two.message_id


def test_no_secret_is_shown_while_it_is_spelled() -> None:
    pipe = Pipe()
    shown = ""
    for character in f"The tokens: {TOKEN} and hunter2hunter2 are secret. ":
        writing = pipe.piece(character).writing
        shown += writing.text if writing is not None else ""
    for secret in (TOKEN, "hunter2hunter2"):
        assert not any(secret[:length] in shown for length in range(9, len(secret) + 1))
    assert "[redacted] are secret." in shown


def test_a_text_that_never_ends_takes_no_more_time_and_memory() -> None:
    pipe = Pipe()
    writing = None
    for number in range(3_000):
        writing = pipe.piece(f"word{number} of many ").writing or writing
    assert writing is not None
    assert LONGEST_CHARS - 100 < len(writing.text) < LONGEST_CHARS + 100


def test_what_a_sub_agent_writes_or_thinks_is_not_shown() -> None:
    pipe = Pipe()
    assert pipe.piece("within ", parent_tool_use_id="t1").writing is None
    assert pipe.piece("elsewhere ", session_id="other").writing is None
    thinking = {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm "}}
    assert pipe.read(type="stream_event", event=thinking).writing is None


def test_pieces_are_asked_for_only_when_they_are_wanted() -> None:
    for dialect in (CBC, CLAUDE):
        assert "--include-partial-messages" in dialect.conversation(partial=True)
        assert "--include-partial-messages" not in dialect.conversation()
