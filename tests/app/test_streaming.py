"""Streaming: a text is shown while it is written, and its whole takes its place exactly once."""

import asyncio
from dataclasses import dataclass, field

from bossbot.channel import Card, RetryLater
from bossbot.domain import commands as c
from bossbot.ids import MessageId, SessionId
from bossbot.store.memory import MemoryData
from tests.app.desk import Desk, Platform, desk, quiet, text_of


@dataclass
class Growing:
    """A text that the test writes on."""

    message_id: MessageId = field(default_factory=lambda: MessageId("msg_w"))
    text: str = ""


async def writes(d: Desk, growing: Growing, text: str) -> None:
    growing.text = text
    d.app.write(await d.session(), growing)
    for _ in range(5):
        await asyncio.sleep(0)
        await quiet()


def standing(d: Desk) -> list[str]:
    return [text_of(card) for card in d.platform.shown.values()]


async def test_where_there_are_drafts_a_draft_grows_and_the_answer_is_posted_once() -> None:
    async with desk(platform=Platform(drafts=[])) as d:
        await d.say("hello")
        growing = Growing()
        await writes(d, growing, "Hel lo")
        await writes(d, growing, "Hello, how are")
        assert d.platform.drafts == [("msg_w", "Hel lo"), ("msg_w", "Hello, how are")]
        assert standing(d) == []
        await d.agent(c.AddManagerText(MessageId("msg_w"), "Hello, how are you?"))
        assert standing(d) == ["Hello, how are you?"]
        assert "session.message.started" not in await d.types()
        await writes(d, growing, "late words")
        assert len(d.platform.drafts) == 2


async def test_elsewhere_a_post_grows_and_the_answer_is_its_last_edit() -> None:
    async with desk() as d:
        await d.say("hello")
        growing = Growing()
        await writes(d, growing, "Hel lo")
        assert standing(d) == ["Hel lo\n✍️ …"]
        await writes(d, growing, "Hello, how are")
        assert standing(d) == ["Hello, how are\n✍️ …"]
        await d.agent(c.AddManagerText(MessageId("msg_w"), "Hello, how are you?"))
        assert standing(d) == ["Hello, how are you?"]
        assert [call for call, _ in d.platform.calls] == ["post", "edit", "edit"]
        await writes(d, growing, "late words")
        assert standing(d) == ["Hello, how are you?"]


async def test_the_pieces_stand_in_no_log() -> None:
    async with desk() as d:
        await d.say("hello")
        growing = Growing()
        for number in range(5):
            await writes(d, growing, f"word {number}")
        await d.agent(c.AddManagerText(MessageId("msg_w"), "word by word"))
        types = await d.types()
        assert types.count("session.message.started") == 1
        log = await d.store.load(await d.session())
        assert "word 4" not in "".join(event.model_dump_json() for event in log)


async def test_an_answer_that_is_not_finished_says_so() -> None:
    async with desk() as d:
        await d.say("hello")
        await writes(d, Growing(), "Hel lo")
        await d.say("/stop")
        await d.agent(c.EndTurn("turn_next", "interrupted"))
        assert standing(d)[0] == "An answer was begun here and not finished."
        await writes(d, Growing(), "after the end")
        assert "after the end" not in "".join(standing(d))


async def test_two_texts_of_a_turn_are_two_posts() -> None:
    async with desk() as d:
        await d.say("hello")
        await writes(d, Growing(), "one is")
        await d.agent(c.AddManagerText(MessageId("msg_w"), "one is done"))
        await writes(d, Growing(MessageId("msg_x")), "two is")
        await d.agent(c.AddManagerText(MessageId("msg_x"), "two is done"))
        assert standing(d) == ["one is done", "two is done"]


async def test_after_a_restart_the_text_that_nobody_goes_on_with_says_so() -> None:
    data = MemoryData()
    platform = Platform()
    async with desk(data, platform=platform) as d:
        await d.say("hello")
        await writes(d, Growing(), "Hel lo")
    async with desk(data, platform=platform, word="b") as d:
        await quiet()
        assert standing(d)[0] == "An answer was begun here and not finished."


async def test_a_platform_that_asks_to_wait_is_not_asked_again_at_once_and_loses_no_answer() -> None:
    class Limited(Platform):
        asked = 0

        async def draft(self, thread: object, text: str, *, key: str) -> bool:
            self.asked += 1
            raise RetryLater("slow down", 30.0)

    platform = Limited()
    async with desk(platform=platform) as d:
        await d.say("hello")
        growing = Growing()
        for number in range(5):
            await writes(d, growing, f"word {number} and")
        assert platform.asked == 1
        await d.agent(c.AddManagerText(MessageId("msg_w"), "the answer"))
        assert standing(d) == ["the answer"]


async def test_of_a_long_text_its_growing_end_is_shown() -> None:
    async with desk() as d:
        await d.say("hello")
        await writes(d, Growing(), "x" * 10_000 + " the end")
        [card] = d.platform.shown.values()
        assert isinstance(card, Card)
        assert text_of(card).startswith("…")
        assert "the end" in text_of(card)
        assert len(text_of(card)) < 4_000


async def test_a_session_that_nobody_knows_hurts_nobody() -> None:
    async with desk() as d:
        d.app.write(SessionId("ps_unknown"), Growing(text="a b"))
        await quiet()
        await d.say("hello")
        assert "session.turn.started" in await d.types()
