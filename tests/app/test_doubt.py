"""An answer that may not have arrived: the person is told in the chat, and may have it shown again."""

from bossbot.channel import Ambiguous
from bossbot.domain import commands as c
from bossbot.ids import MessageId
from bossbot.store.memory import MemoryData
from tests.app.desk import desk


async def test_a_lost_answer_is_told_and_shown_again_when_somebody_wants_it() -> None:
    async with desk() as d:
        await d.say("look")
        d.platform.troubles = [Ambiguous("no answer came")]
        await d.agent(c.AddManagerText(MessageId("msg_a"), "Found it."))
        assert "An answer may be missing above (it begins “Found it.”)" in d.platform.texts[-1]
        assert await d.press("Show it again") == ("Shown again.", False)
        assert "Found it." in d.platform.texts
        assert (await d.types()).count("session.message.doubted") == 1


async def test_an_answer_that_was_on_its_way_when_the_bot_died_is_told_once_after_each_start() -> None:
    data = MemoryData()
    async with desk(data) as d:
        await d.say("look")
        d.platform.open.clear()
        await d.agent(c.AddManagerText(MessageId("msg_a"), "Found it."), c.EndTurn("turn_x", "success"))
    for word in ("b", "c"):
        async with desk(data, word=word) as d:
            assert "Found it." not in d.platform.texts
            assert (await d.types()).count("session.message.doubted") == 1
