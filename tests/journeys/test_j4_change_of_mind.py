"""J4: a change of mind becomes a plan diff: flagged, in the log, on a card; Apply moves tasks, Keep plan nothing."""

import json
from typing import Any

import pytest

from bossbot.domain.events import PlanDiffGenerated, SessionObjectiveUpdated, TaskCreated
from tests.fakes.scripted_model import Rule, Script, Text, ToolCall
from tests.journeys.conftest import CLIS, PAIRS, SetStage, Stage
from tests.journeys.people import Post, see, until

ENGLISH = ("Fix the login failure", "Rebuild the cache layer", "Fix the API retry")
CHINESE = ("排查登录失败", "重写缓存模块", "修好接口重试")


def planning(titles: tuple[str, ...], structured: Any = None) -> Script:
    """The manager lists three tasks and begins with the first."""
    creates = [ToolCall("TaskCreate", {"subject": t, "description": t, "activeForm": t}) for t in titles]
    begins = ToolCall("TaskUpdate", {"taskId": "1", "status": "in_progress"})
    rules = [
        Rule("plan the work", [*creates, begins, Text("Three tasks are on the board.")]),
        Rule("plan change", [Text("The plan is changed.")]),
        Rule("what is", [Text("That is a plain question.")]),
    ]
    return Script(rules, structured)


async def begin(set_stage: SetStage, channel: str, dialect: str, script: Script, planner: str) -> Stage:
    stage: Stage = await set_stage(channel, dialect, script, planner={"mode": planner, "timeout_s": 120})
    await stage.chat.say("plan the work")
    await see(stage.chat, lambda post: "Three tasks are on the board." in post.text)
    await see(stage.chat, lambda post: "Plan" in post.text and "0/3" in post.text)
    return stage


async def task_ids(stage: Stage) -> dict[str, str]:
    """Title → id."""
    return {e.payload.title: e.task_id or "" for e in await stage.bot.events() if isinstance(e.payload, TaskCreated)}


async def diffs(stage: Stage) -> list[PlanDiffGenerated]:
    return [e.payload for e in await stage.bot.events() if isinstance(e.payload, PlanDiffGenerated)]


def is_diff(post: Post) -> bool:
    return "Apply" in post.buttons and "Keep plan" in post.buttons


def told(stage: Stage) -> list[str]:
    """What the manager was told, in order."""
    return [line["message"]["content"] for line in stage.bot.stdin() if line["type"] == "user"]


def asks_the_model(titles: tuple[str, ...], reason: str) -> Any:
    """A structured answer that finds the ids in the prompt, as a model would: by the titles that it reads there."""

    def answer(prompt: str) -> dict[str, Any]:
        ids = ids_by_title(prompt)
        return {
            "labels": [{"intent": "objective_change", "evidence": reason}],
            "primary": "objective_change",
            "abstain": False,
            "objective": None,
            "plan_diff": {
                "change_reason": reason,
                "cancel_tasks": [ids[titles[1]]],
                "pause_tasks": [],
                "reprioritize_tasks": [ids[titles[2]]],
                "create_tasks": [],
                "condition": None,
            },
        }

    return answer


def ids_by_title(prompt: str) -> dict[str, str]:
    """The board as the prompt shows it."""
    line = next(line for line in prompt.splitlines() if line.startswith("tasks: "))
    return {task["title"]: task["id"] for task in json.loads(line.removeprefix("tasks: "))}


def case(channel: str, dialect: str, titles: tuple[str, ...], message: str, planner: str) -> Any:
    """A row of the table below; its CLI marks it."""
    return pytest.param(channel, dialect, titles, message, planner, marks=getattr(pytest.mark, dialect))


@pytest.mark.parametrize(
    ("channel", "dialect", "titles", "message", "planner"),
    [
        case("telegram", "cbc", ENGLISH, "Drop the cache work, the API retry comes first.", "rules"),
        case("slack", "claude", CHINESE, "缓存不用做了，先把接口重试修好", "rules"),
        case("slack", "cbc", ENGLISH, "Forget the cache, get the retry working first.", "auto"),
        case("telegram", "claude", CHINESE, "不处理缓存了，先修接口重试", "auto"),
    ],
)
async def test_apply_moves_the_tasks_and_tells_the_manager(
    set_stage: SetStage, channel: str, dialect: str, titles: tuple[str, ...], message: str, planner: str
) -> None:
    stage = await begin(set_stage, channel, dialect, planning(titles, asks_the_model(titles, message)), planner)
    ids = await task_ids(stage)
    await stage.chat.say(message)
    card = await see(stage.chat, is_diff)
    assert titles[1] in card.text
    assert titles[2] in card.text
    diff = (await diffs(stage))[0]
    assert diff.cancel_tasks == (ids[titles[1]],)
    assert diff.reprioritize_tasks[0] == ids[titles[2]]
    assert set(diff.continue_tasks) == {ids[titles[0]], ids[titles[2]]}
    assert diff.judged_by == ("agent" if planner == "auto" else "rules")
    assert "session.objective.updated" in await stage.types()
    assert "task.cancelled" not in await stage.types()
    assert message not in told(stage)

    await stage.chat.press(card, "Apply")
    await see(stage.chat, lambda post: "The plan is changed." in post.text)
    cancelled = [e.task_id for e in await stage.bot.events() if e.type == "task.cancelled"]
    assert cancelled == [ids[titles[1]]]
    assert message in told(stage)[-1]
    assert titles[1] in told(stage)[-1]
    await see(stage.chat, lambda post: post.id == card.id and not post.buttons)


@pytest.mark.parametrize(("channel", "dialect"), PAIRS)
async def test_keep_plan_changes_nothing_and_loses_no_words(set_stage: SetStage, channel: str, dialect: str) -> None:
    stage = await begin(set_stage, channel, dialect, planning(ENGLISH), "rules")
    before = told(stage)
    await stage.chat.say("cancel the cache rebuild please")
    card = await see(stage.chat, is_diff)
    await stage.chat.press(card, "Keep plan")
    await see(stage.chat, lambda post: post.id == card.id and not post.buttons)
    types = await stage.types()
    assert "task.cancelled" not in types
    assert "plan.diff.rejected" in types
    assert told(stage) == before
    objectives = [e.payload for e in await stage.bot.events() if isinstance(e.payload, SessionObjectiveUpdated)]
    assert objectives[-1].active_objective == objectives[0].previous

    await stage.chat.say("what is a retry?")
    await see(stage.chat, lambda post: "That is a plain question." in post.text)
    assert "cancel the cache rebuild please" in told(stage)[-1]


@pytest.mark.parametrize("dialect", CLIS)
async def test_a_plain_question_produces_no_diff(set_stage: SetStage, dialect: str) -> None:
    def answer(prompt: str) -> dict[str, Any]:
        return {
            "labels": [{"intent": "question", "evidence": "what is"}],
            "primary": "question",
            "abstain": False,
            "objective": None,
            "plan_diff": None,
        }

    stage = await begin(set_stage, "telegram", dialect, planning(ENGLISH, answer), "auto")
    await stage.chat.say("what is the cache layer good for?")
    await see(stage.chat, lambda post: "That is a plain question." in post.text)
    assert await diffs(stage) == []
    classified = [e.payload for e in await stage.bot.events() if e.type == "session.message.classified"]
    verdict = json.loads(classified[-1].model_dump_json())
    assert verdict["judged_by"] == "agent", verdict


@pytest.mark.claude
async def test_a_stranger_applies_nothing(set_stage: SetStage) -> None:
    stage = await begin(set_stage, "slack", "claude", planning(ENGLISH), "rules")
    await stage.chat.say("drop the cache layer")
    card = await see(stage.chat, is_diff)
    await stage.chat.press(card, "Apply", who="stranger")
    await stage.chat.press(card, "Apply", who="approver")
    await until(lambda: _has(stage, "plan.diff.applied"), "the approver's press counts")
    applied = [e.payload for e in await stage.bot.events() if e.type == "plan.diff.applied"]
    assert json.loads(applied[0].model_dump_json())["actor"] == "slack:U0BEN"


async def _has(stage: Stage, event_type: str) -> bool:
    return event_type in await stage.types()
