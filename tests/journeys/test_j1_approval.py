"""J1: a dangerous command becomes a card with the whole command; the press decides; the answer arrives."""

import pytest

from tests.fakes.scripted_model import Rule, Script, Text, ToolCall
from tests.journeys.conftest import CHANNELS, CLIS, PAIRS, SetStage, Stage
from tests.journeys.people import see, until

COMMAND = "rm -rf build-cache"


def cleaning() -> Script:
    call = ToolCall("Bash", {"command": COMMAND, "description": "Remove the build cache"}, say="I will clean it.")
    return Script([Rule("clean the build cache", [call, Text("The build cache is clean.")])])


def cache(stage: Stage) -> bool:
    return (stage.workspace / "build-cache").is_dir()


def decisions(stage: Stage) -> list[dict[str, object]]:
    """The answers to permission requests, as the CLI read them from its stdin."""
    lines = [line["response"] for line in stage.bot.stdin() if line["type"] == "control_response"]
    return [line["response"] for line in lines if "mcp_response" not in line.get("response", {})]


async def begin(set_stage: SetStage, channel: str, dialect: str) -> Stage:
    stage: Stage = await set_stage(channel, dialect, cleaning())
    (stage.workspace / "build-cache").mkdir()
    (stage.workspace / "build-cache" / "object.o").write_text("x")
    await stage.chat.say("clean the build cache")
    return stage


@pytest.mark.parametrize("dialect", CLIS)
@pytest.mark.parametrize("channel", CHANNELS)
async def test_an_approved_command_runs_once_and_its_answer_arrives(
    set_stage: SetStage, channel: str, dialect: str
) -> None:
    stage = await begin(set_stage, channel, dialect)
    card = await see(stage.chat, lambda post: "Approve" in post.buttons)
    assert COMMAND in card.text
    assert "Reject" in card.buttons
    assert cache(stage)
    assert decisions(stage) == []

    await stage.chat.press(card, "Approve")
    await see(stage.chat, lambda post: "The build cache is clean." in post.text)
    assert not cache(stage)
    decided = await see(stage.chat, lambda post: post.id == card.id and not post.buttons)
    assert COMMAND in decided.text
    assert "approved by ada" in decided.text.casefold()

    answer = decisions(stage)
    assert len(answer) == 1
    expected = {"allowed": True} if dialect == "cbc" else {"behavior": "allow"}
    assert expected.items() <= answer[0].items()
    assert answer[0]["updatedInput"]["command"] == COMMAND  # type: ignore[index]
    types = await stage.types()
    assert types.count("approval.requested") == types.count("approval.approved") == 1
    assert types.index("session.message.added") < types.index("approval.requested")


@pytest.mark.parametrize(("channel", "dialect"), PAIRS)
async def test_a_rejected_command_does_not_run_and_the_agent_reads_the_reason(
    set_stage: SetStage, channel: str, dialect: str
) -> None:
    stage = await begin(set_stage, channel, dialect)
    card = await see(stage.chat, lambda post: "Reject" in post.buttons)
    await stage.chat.say("reject: use git clean instead")

    await until(lambda: _has_read(stage, "use git clean instead"), "the model reads the reason")
    assert cache(stage)
    answer = decisions(stage)
    assert len(answer) == 1
    expected = (
        {"allowed": False, "reason": "use git clean instead"}
        if dialect == "cbc"
        else {"behavior": "deny", "message": "use git clean instead"}
    )
    assert expected.items() <= answer[0].items()
    decided = await see(stage.chat, lambda post: post.id == card.id and not post.buttons)
    assert "rejected by ada" in decided.text.casefold()
    assert "approval.rejected" in await stage.types()


@pytest.mark.parametrize(("channel", "dialect"), PAIRS)
async def test_a_stranger_decides_nothing_by_button_or_by_word(set_stage: SetStage, channel: str, dialect: str) -> None:
    stage = await begin(set_stage, channel, dialect)
    card = await see(stage.chat, lambda post: "Approve" in post.buttons)
    await stage.chat.press(card, "Approve", who="stranger")
    await stage.chat.say("approve", who="stranger")
    await stage.chat.press(card, "Reject", who="approver")
    await see(stage.chat, lambda post: post.id == card.id and "rejected by ben" in post.text.casefold())
    assert cache(stage)
    assert "approval.approved" not in await stage.types()


async def _has_read(stage: Stage, words: str) -> bool:
    return any(words in result.content for result in stage.model.tool_results())
