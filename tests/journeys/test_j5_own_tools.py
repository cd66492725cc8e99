"""J5: the manager plans on the bot's board, reports how far it is, and asks; a person answers by button or word."""

import pytest

from tests.fakes.scripted_model import Script
from tests.journeys.conftest import CHANNELS, SetStage
from tests.journeys.people import see, until

TITLES = ("Read the log of the failure", "Reproduce it with a test", "Write the fix")


@pytest.mark.parametrize("channel", CHANNELS)
async def test_a_plan_goes_its_way_on_one_card_and_a_question_is_answered(set_stage: SetStage, channel: str) -> None:
    stage = await set_stage(channel, "scripted", Script([]))
    await stage.chat.say("run the project")
    board = await see(stage.chat, lambda post: "Plan" in post.text and TITLES[0] in post.text)
    assert all(title in board.text for title in TITLES)
    reported = await see(stage.chat, lambda post: post.id == board.id and "60%" in post.text)
    assert "The retry loop never ends after a 401." in reported.text
    question = await see(stage.chat, lambda post: "How large may the fix be?" in post.text)
    assert question.buttons == ("Only the retry", "The whole client")

    await stage.chat.press(question, "Only the retry")
    await see(stage.chat, lambda post: "The project is done." in post.text and "Only the retry" in post.text)
    await see(stage.chat, lambda post: post.id == question.id and not post.buttons)
    done = await see(stage.chat, lambda post: post.id == board.id and "3/3" in post.text)
    assert "A 401 is retried for ever." in done.text

    types = await stage.types()
    assert types.count("plan.created") == 1
    assert types.count("task.completed") == 3
    assert types.count("tool.call.answered") == 8
    assert types.count("approval.requested") == 1
    responses = [line["response"] for line in stage.bot.stdin() if line["type"] == "control_response"]
    assert all(response["subtype"] == "success" for response in responses)


async def test_a_question_that_waits_when_the_bot_is_killed_is_asked_again(set_stage: SetStage) -> None:
    stage = await set_stage("telegram", "scripted", Script([]))
    await stage.chat.say("run the project")
    old = await see(stage.chat, lambda post: "Only the retry" in post.buttons)
    await until(stage.bot.all_sent, "the bot knows that its card arrived")
    await stage.bot.kill()
    await stage.bot.start()
    new = await see(stage.chat, lambda post: post.id != old.id and "Only the retry" in post.buttons)
    closed = await see(stage.chat, lambda post: post.id == old.id and not post.buttons)
    assert "No longer open" in closed.text
    await stage.chat.press(new, "The whole client")
    await see(stage.chat, lambda post: "The project is done." in post.text and "The whole client" in post.text)
    types = await stage.types()
    assert types.count("task.created") == 3
    assert types.count("approval.approved") == 1


async def test_a_question_is_answered_in_a_word_of_ones_own(set_stage: SetStage) -> None:
    stage = await set_stage("telegram", "scripted", Script([]))
    await stage.chat.say("做个项目")
    await see(stage.chat, lambda post: "修复可以改多大？" in post.text)
    await stage.chat.say("先只改登录")
    await see(stage.chat, lambda post: "项目完成。" in post.text and "先只改登录" in post.text)
