"""Our tools in the hands of both real CLIs: offered, called, refused with a reason, and answered by a person."""

import asyncio
import json

from bossbot.domain import events as ev
from bossbot.domain.task import TaskStatus
from tests.agent.live_desk import LiveDesk, drawn, live_desk
from tests.agent.stage import Stage
from tests.app.desk import Platform
from tests.fakes.scripted_model import Rule, Script, Text, ToolCall, Turn

PLAN = {
    "objective": "Login works again",
    "tasks": [
        {"title": "Find the cause", "kind": "investigation", "priority": "high"},
        {"title": "Fix it", "depends_on": ["Find the cause"]},
    ],
}
ASK = {
    "question": "Which store?",
    "options": [{"label": "SQLite"}, {"label": "PostgreSQL", "description": "needs a server"}],
}


def boss(tool: str, **given: object) -> ToolCall:
    return ToolCall(f"mcp__boss__{tool}", given)


WORK = Rule(
    "plan the work",
    [
        boss("plan_create", tasks=[]),
        boss("plan_create", **PLAN),
        boss("task_update", task="Find the cause", status="running", note="reading the log"),
        boss("report_progress", summary="The loop is in retry()", progress_percent=60, next_step="write a fix"),
        boss("task_update", task="Sleep", status="running"),
        boss("ask_user", **ASK),
        Text("All is set."),
    ],
)


HOLD_BACK = {"ENABLE_TOOL_SEARCH": "true", "CODEBUDDY_DEFER_TOOL_LOADING": "1"}
"""As with an account: of most tools both CLIs show the model nothing until it searches for them."""


async def test_the_model_plans_reports_and_asks_and_reads_every_answer(stage: Stage) -> None:
    async with live_desk(stage, Script([WORK]), env=HOLD_BACK) as d:
        await d.desk.say("plan the work")
        await d.sees("Which store?")
        board = await d.sees("Plan · 0/2 done")
        assert "60% · The loop is in retry()" in repr(board)
        assert "after Find the cause" in repr(board)
        await d.desk.press("PostgreSQL")
        await d.sees("All is set.")
        await d.idle()

        refused, planned = d.results("plan_create")
        assert "tasks:" in refused
        assert "“Find the cause” (queued)" in planned
        assert "is running" in d.results("task_update")[0]
        assert "no task “Sleep”" in d.results("task_update")[1]
        assert "Shown at “Find the cause”" in d.results("report_progress")[0]
        assert "Ada answered: PostgreSQL" in d.results("ask_user")[0]

        state = await d.desk.state()
        assert state.objective == "Login works again"
        assert [task.status for task in state.tasks.values()] == [TaskStatus.RUNNING, TaskStatus.QUEUED]
        assert [payload.kind for payload in await d.payloads(ev.ApprovalRequested)] == ["question"]
        [first] = [turn for turn in d.model.turns if turn.text == "plan the work" and not turn.rounds]
        ours = {f"mcp__boss__{name}" for name in ("plan_create", "task_update", "report_progress", "ask_user")}
        assert ours | {"ToolSearch"} <= first.tools
        assert "NotebookEdit" not in first.tools


async def test_text_is_shown_while_it_is_written_and_questions_are_answered_in_words_or_withdrawn(stage: Stage) -> None:
    words = " ".join(f"word{number}" for number in range(12))
    rules = [
        Rule("tell me", [Text(words, word_delay_s=0.1)]),
        Rule("ask me", [boss("ask_user", question="How loud?"), Text("I see.")]),
        Rule("hello", [Text("Hello.")]),
    ]
    platform = Platform(drafts=[])
    async with live_desk(stage, Script(rules), platform, partial_messages=True) as d:
        await d.desk.say("tell me")
        await d.sees("word11")
        await d.idle()
        assert platform.drafts
        assert all(words.startswith(text) and text != words for _, text in platform.drafts)
        assert [drawn(card) for card in d.cards] == [words]

        await d.desk.say("ask me")
        await d.sees("How loud?")
        await d.desk.say("very, please")
        await d.sees("I see.")
        assert "Ada answered: very, please" in d.results("ask_user")[0]
        await d.idle()

        await d.desk.say("ask me again")
        await d.until(lambda: sum("How loud?" in str(card) for card in d.cards) == 2, "the second question")
        await d.desk.say("/stop")
        await d.idle()
        assert len(await d.payloads(ev.ApprovalWithdrawn)) == 1
        await d.desk.say("hello")
        await d.sees("Hello.")


def long_work_done(turn: Turn, hold: asyncio.Event) -> Text:
    """A message that joined the turn stands beside the tool's result; without one the model goes on for long."""
    joined = "fix the login" in json.dumps(turn.request)
    return Text("The login is fixed.") if joined else Text("Long work done.", hold=hold)


def working(name: str) -> ToolCall:
    """A command that ends a moment after it is told to."""
    return ToolCall("Bash", {"command": f"touch {name}; until [ -e {name}-ends ]; do sleep 0.1; done; sleep 1"})


async def begin(d: LiveDesk, stage: Stage, name: str) -> None:
    """The manager is in the middle of a command."""
    await d.desk.say(f"long {name}")
    await d.sees(f"touch {name}")
    await d.desk.press("Approve")
    await d.until((stage.workspace / name).exists, f"the long {name}")


async def test_a_message_in_mid_turn_is_read_at_once_and_the_person_gets_the_same_on_both(stage: Stage) -> None:
    """Claude reads one that is sent now on the way; cbc's turn is stopped for it, and it is told what was stopped."""
    hold = asyncio.Event()
    rules = [
        Rule("fix the login", [Text("The login is fixed.")]),
        Rule("fix the cache", [Text("The cache is fixed.")]),
        Rule("long work", [working("work"), lambda turn: long_work_done(turn, hold)]),
        Rule("long haul", [working("haul"), Text("Long haul done.", hold=hold)]),
    ]
    joins = stage.dialect.name == "claude"
    async with live_desk(stage, Script(rules)) as d:
        await begin(d, stage, "work")
        await d.desk.say("!now fix the login")
        (stage.workspace / "work-ends").touch()
        await d.sees("The login is fixed.")
        await d.idle()
        told = [content for content in await d.told() if content]
        assert len(told) == (1 if joins else 2)
        if not joins:
            assert "You had been asked:\nlong work" in told[-1]
            assert "take up again what was stopped" in told[-1]
            assert told[-1].endswith("fix the login")
            await d.sees("The running turn was dropped for a message of Ada")

        await begin(d, stage, "haul")
        await d.desk.say("!replace fix the cache")
        await d.sees("The cache is fixed.")
        await d.idle()
        assert "long haul" in (await d.told())[-1]
        assert "Do not go on with what was stopped" in (await d.told())[-1]
        await d.sees("Replaced by a message")
        hold.set()
        how = [payload.how for payload in await d.payloads(ev.SessionTurnSteered)]
        assert how == ["joined" if joins else "stopped", "replaced"]
        assert (await d.payloads(ev.SessionTurnFinished))[-1].outcome == "success"
