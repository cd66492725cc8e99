"""J6: a message in mid-turn waits, is sent now, or replaces the turn; what is dropped is said to both sides."""

import pytest

from tests.fakes.scripted_model import Script
from tests.journeys.conftest import CHANNELS, SetStage, Stage
from tests.journeys.people import Post, see, until


def told(stage: Stage) -> list[str]:
    return [line["message"]["content"] for line in stage.bot.stdin() if line["type"] == "user"]


def waits(post: Post) -> bool:
    return "1 message for the manager" in post.text


async def at_work(set_stage: SetStage, channel: str, **more: object) -> Stage:
    """An agent that writes for a minute, unless somebody stops it."""
    stage: Stage = await set_stage(channel, "scripted", Script([]), **more)
    await stage.chat.say("be slow")

    async def works() -> bool:
        return "session.turn.started" in await stage.types() and bool(told(stage))

    await until(works, "the slow turn")
    return stage


@pytest.mark.parametrize("channel", CHANNELS)
async def test_a_message_waits_and_a_button_replaces_the_turn_with_it(set_stage: SetStage, channel: str) -> None:
    stage = await at_work(set_stage, channel)
    await stage.chat.say("edit the notes")
    card = await see(stage.chat, waits)
    assert card.buttons == ("Send now", "Replace turn", "Stop")
    assert told(stage) == ["be slow"]

    await stage.chat.press(card, "Replace turn", who="stranger")
    assert "session.turn.steered" not in await stage.types()
    await stage.chat.press(card, "Replace turn", who="approver")
    await see(stage.chat, lambda post: "Change this file?" in post.text)
    dropped = await see(stage.chat, lambda post: post.id == card.id and "was dropped" in post.text)
    assert "a message of ben" in dropped.text.casefold()
    assert dropped.buttons == ()
    assert "be slow" in told(stage)[-1]
    assert "Do not go on with what was stopped" in told(stage)[-1]
    assert told(stage)[-1].endswith("edit the notes")


async def test_a_message_sent_now_withdraws_what_waited_and_the_card_says_so(set_stage: SetStage) -> None:
    stage = await set_stage("telegram", "scripted", Script([]))
    await stage.chat.say("clean the build cache")
    card = await see(stage.chat, lambda post: "Approve" in post.buttons)
    await stage.chat.say("!now edit the notes")
    withdrawn = await see(stage.chat, lambda post: post.id == card.id and not post.buttons)
    assert "for a message of ada" in withdrawn.text.casefold()
    await see(stage.chat, lambda post: "Change this file?" in post.text)
    assert "rm -rf build-cache" in told(stage)[-1]
    assert "take up again what was stopped" in told(stage)[-1]


async def test_what_waits_survives_a_kill_and_is_handed_over_once(set_stage: SetStage) -> None:
    stage = await at_work(set_stage, "slack")
    await stage.chat.say("edit the notes")
    await see(stage.chat, waits)
    await until(stage.bot.all_sent, "the bot knows that its card arrived")
    await stage.bot.kill()
    await stage.bot.start()
    await until(lambda: _told(stage, "edit the notes"), "the message that waited")
    assert "".join(told(stage)).count("edit the notes") == 1


async def test_the_configuration_can_make_every_message_replace_the_turn(set_stage: SetStage) -> None:
    stage = await at_work(set_stage, "telegram", agent={"steering": "replace"})
    await stage.chat.say("edit the notes")
    await see(stage.chat, lambda post: "Change this file?" in post.text)


async def test_text_in_progress_is_a_draft_in_a_private_chat_of_telegram(set_stage: SetStage) -> None:
    stage = await at_work(set_stage, "telegram", agent={"partial_messages": True})

    async def drafted() -> bool:
        calls = await stage.control.get("/sandbox/calls?platform=telegram&method=sendMessageDraft")
        return len(calls) >= 2

    await until(drafted, "a draft that grows")
    assert not [post for post in await stage.chat.posts() if "Step 1" in post.text]


async def test_text_in_progress_is_a_post_on_slack_and_what_is_not_finished_says_so(set_stage: SetStage) -> None:
    stage = await at_work(set_stage, "slack", agent={"partial_messages": True})
    live = await see(stage.chat, lambda post: "Step 2 of 60" in post.text)
    await stage.chat.say("!replace hello")
    await see(stage.chat, lambda post: "scripted agent" in post.text)
    left = await see(stage.chat, lambda post: post.id == live.id and "not finished" in post.text)
    assert "Step" not in left.text


async def _told(stage: Stage, words: str) -> bool:
    return any(words in text for text in told(stage))
