"""J5: the model's provider is overloaded for a while: the real agent CLI says so, and the work goes on by itself."""

from dataclasses import dataclass

import pytest

from bossbot.domain.events import SessionTurnFinished
from tests.fakes.script import Fail
from tests.fakes.scripted_model import Rule, Script, Text, Turn
from tests.journeys.conftest import SetStage, Stage
from tests.journeys.people import see, until


@dataclass
class Provider:
    overloaded: bool = True

    def answer(self, turn: Turn) -> Fail | Text:
        return Fail(529, "Overloaded") if self.overloaded else Text("The build is green.")


@pytest.mark.cbc
async def test_an_overloaded_provider_is_waited_for_and_the_answer_comes_by_itself(set_stage: SetStage) -> None:
    provider = Provider()
    script = Script([Rule("look at the build", [provider.answer])])
    stage: Stage = await set_stage("telegram", "cbc", script, retries={"max_retries": 9, "longest_pause_s": 2.0})
    await stage.chat.say("look at the build")

    async def failed() -> bool:
        return any(end.retryable for end in await ends(stage))

    await until(failed, "the first try fails")
    provider.overloaded = False
    await see(stage.chat, lambda post: "The build is green." in post.text)
    assert (await ends(stage))[0].outcome == "error"
    assert any("529 Overloaded" in line["message"]["content"] for line in stage.bot.stdin() if line["type"] == "user")


async def ends(stage: Stage) -> list[SessionTurnFinished]:
    return [e.payload for e in await stage.bot.events() if isinstance(e.payload, SessionTurnFinished)]
