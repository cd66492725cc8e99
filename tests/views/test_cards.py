"""Cards, as people read them: what is asked, what runs, what became of it."""

from typing import Any

import pytest

from bossbot.channel import ACTION_ID_MAX_BYTES, Action, Plain, Verb
from bossbot.channel.card_json import card_from_json, card_to_json
from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.snapshot import AGENT, PHASE
from bossbot.ids import ApprovalId, DiffId, MessageId, TaskId
from bossbot.views.approvals import RECORD_CHARS
from bossbot.views.plain import plain
from bossbot.views.workflow import MAX_AGENT_ROWS
from tests.domain.harness import MAX_RETRIES, WORKER, Session, verdict
from tests.views.screen import Screen, drawn

APR = ApprovalId("apr_1")


@pytest.fixture
def screen() -> Screen:
    return Screen()


def ask(**changes: Any) -> c.RequestApproval:
    fields: dict[str, Any] = {
        "approval_id": APR,
        "request_id": "req_1",
        "tool": "Bash",
        "kind": "dangerous_command",
        "summary": "rm -rf build-cache",
        "risk_level": "high",
        "fingerprint": "print_1",
        "description": "Remove the build cache",
        "detail": "rm -rf build-cache\necho done",
        "risks": ("deletes files",),
    }
    return c.RequestApproval(**{**fields, **changes})


def approve(action: str = "approve") -> c.Approve:
    return c.Approve(APR, "chat:1", "Ada", action)


# --- approvals ---


def test_an_approval_shows_the_whole_command_its_risk_and_the_ways_to_decide(screen: Screen) -> None:
    screen.see(lambda s: s.tell(ask()))
    assert screen.drawn("apr:apr_1") == (
        "? Run this command?\n"
        "    rm -rf build-cache\n"
        "    echo done\n"
        "(The agent says: “Remove the build cache”)\n"
        "(Risk high: deletes files)\n"
        "[Approve] [Reject]\n"
        "[Reject and stop]"
    )


def test_the_agents_own_words_cannot_look_like_ours(screen: Screen) -> None:
    screen.see(lambda s: s.tell(ask(description="Harmless\n\nRisk low\n✅ Approved by Ada")))
    assert "(The agent says: “Harmless Risk low ✅ Approved by Ada”)\n(Risk high" in screen.drawn("apr:apr_1")


def test_only_what_is_not_dangerous_can_be_allowed_for_the_session(screen: Screen) -> None:
    screen.see(lambda s: s.tell(ask(risk_level="medium", risks=())))
    assert screen.drawn("apr:apr_1").endswith(
        "(Risk medium)\n[Approve] [Reject]\n[Allow for this session]\n[Reject and stop]"
    )


def test_an_approved_card_keeps_the_command_and_says_who_decided(screen: Screen) -> None:
    screen.see(lambda s: s.tell(ask()))
    screen.see(lambda s: s.tell(approve()))
    assert screen.drawn("apr:apr_1") == (
        "+ Approved: rm -rf build-cache\n"
        "    rm -rf build-cache\n"
        "    echo done\n"
        "(The agent says: “Remove the build cache”)\n"
        "(Risk high: deletes files)\n"
        "(Approved by Ada)"
    )


def test_a_rejected_card_says_what_the_agent_was_told(screen: Screen) -> None:
    screen.see(lambda s: s.tell(ask(description="")))
    screen.see(lambda s: s.tell(c.Reject(APR, "chat:2", "Ben", "use git clean instead")))
    card = screen.drawn("apr:apr_1")
    assert card.startswith("! Rejected: rm -rf build-cache\n")
    assert card.endswith("(Rejected by Ben. The agent was told: use git clean instead)")


def test_a_withdrawn_card_says_why_nothing_can_be_pressed_any_more(screen: Screen) -> None:
    screen.see(lambda s: (s.say("clean"), s.tell(ask())))
    screen.see(lambda s: s.tell(c.AgentExited(WORKER, "exit code 1", "t")))
    card = screen.drawn("apr:apr_1")
    assert card.startswith("# No longer open: rm -rf build-cache\n")
    assert card.endswith("(No longer open: exit code 1. If it is still needed, the manager asks again.)")
    assert "[" not in card


@pytest.mark.parametrize("kind", ["workflow", "file_change", "tool_call"])
def test_a_long_script_is_shown_whole_until_it_is_decided_and_its_record_is_short(screen: Screen, kind: str) -> None:
    script = "\n".join(f"line {number} of the script" for number in range(400))
    screen.see(lambda s: s.tell(ask(kind=kind, detail=script, risk_level="low")))
    assert all(f"    line {number} of the script" in screen.drawn("apr:apr_1") for number in range(400))
    screen.see(lambda s: s.tell(approve()))
    record = screen.drawn("apr:apr_1")
    assert len(record) < RECORD_CHARS + 300
    assert f"({len(script)} characters in all)" in record


def test_the_record_of_a_long_command_is_never_cut(screen: Screen) -> None:
    command = "echo " + "x" * 3_000 + "; rm -rf /"
    screen.see(lambda s: s.tell(ask(detail=command)))
    screen.see(lambda s: s.tell(approve()))
    assert command in screen.drawn("apr:apr_1")


def test_what_was_allowed_for_the_session_shows_no_second_card(screen: Screen) -> None:
    screen.see(lambda s: s.tell(ask(risk_level="low")))
    screen.see(lambda s: s.tell(approve("approve_for_session")))
    assert "Approved for this session by Ada" in screen.drawn("apr:apr_1")
    again = ask(approval_id=ApprovalId("apr_2"), request_id="req_2", risk_level="low")
    assert screen.see(lambda s: s.tell(again)) == []


# --- questions ---

QUESTIONS = (
    ev.Question(
        question="Which cache?",
        header="Cache",
        options=(ev.QuestionOption(label="build", description="fast to make"), ev.QuestionOption(label="pip")),
    ),
    ev.Question(question="Which tests?", multi_select=True, options=(ev.QuestionOption(label="unit"),)),
)


def question(screen: Screen) -> None:
    screen.see(lambda s: s.tell(ask(tool="AskUserQuestion", kind="question", questions=QUESTIONS, risk_level="low")))


def choose(index: int, option: int) -> c.AnswerQuestion:
    return c.AnswerQuestion(APR, index, "chat:1", "Ada", option)


def test_questions_come_one_after_the_other_and_end_in_a_record(screen: Screen) -> None:
    question(screen)
    assert screen.drawn("apr:apr_1") == (
        "? Question 1/2: Cache\n"
        "Which cache?\n"
        "  build — fast to make\n"
        "  pip\n"
        "(Choose, or write your own answer.)\n"
        "[build]\n"
        "[pip]"
    )
    screen.see(lambda s: s.tell(choose(0, 1)))
    assert screen.drawn("apr:apr_1").startswith("? Question 2/2\nWhich tests?\n  unit\n")
    assert "[Done]" not in screen.drawn("apr:apr_1")
    screen.see(lambda s: s.tell(choose(1, 0)))
    assert screen.drawn("apr:apr_1").endswith("+ unit\n(Choose, or write your own answer.)\n[unit]\n[Done]")
    screen.see(lambda s: s.tell(choose(1, -1)))
    assert screen.drawn("apr:apr_1") == (
        "+ Question answered\n+ Which cache? — pip\n+ Which tests? — unit\n(Answered by Ada)"
    )


def test_a_question_that_is_void_says_so(screen: Screen) -> None:
    screen.see(lambda s: s.say("clean"))
    question(screen)
    screen.see(lambda s: s.tell(choose(0, 0)))
    screen.see(lambda s: s.tell(c.Interrupt("chat:1", "stopped by Ada", "turn_x")))
    assert screen.drawn("apr:apr_1") == (
        "# Question closed\n+ Which cache? — build\n# Which tests?\n"
        "(No longer open: the run was stopped (stopped by Ada))"
    )


# --- workflows ---


def phase(index: int, title: str) -> c.SnapshotEntry:
    return c.SnapshotEntry(PHASE, index, label=title)


def agent(index: int, state: str, in_phase: int = 1, **more: Any) -> c.SnapshotEntry:
    return c.SnapshotEntry(AGENT, index, state, f"child-{index}", in_phase, f"Phase {in_phase}", **more)


def report(*entries: c.SnapshotEntry) -> c.ReportSnapshot:
    return c.ReportSnapshot("w1", entries, total_tokens=900)


def end(status: str, summary: str = "") -> c.EndBackgroundTask:
    return c.EndBackgroundTask("w1", status, "turn_next", summary)


def test_a_workflow_is_one_card_from_its_start_to_its_end(screen: Screen) -> None:
    screen.see(lambda s: (s.say("go"), s.start_workflow()))
    [view] = screen.see(
        lambda s: s.tell(
            report(
                phase(1, "Gather"),
                phase(2, "Write"),
                agent(1, "done", tokens=120, preview="found\n  three files"),
                agent(2, "start"),
            )
        )
    )
    assert view.key == "task:task_w1"
    assert screen.drawn(view.key) == (
        "… Workflow Gather and write · running\n"
        "… Gather — 1/2\n"
        "  + child-1 — done · 120 tokens · found three files\n"
        "  … child-2 — running\n"
        "  Write — not begun\n"
        "(50% · now: child-2 · next: Write · 900 tokens)\n"
        "[Stop]"
    )
    screen.see(lambda s: s.tell(report(phase(1, "Gather"), agent(1, "done"), agent(2, "error", error="no network"))))
    assert "  ! child-2 — failed" in screen.drawn(view.key)
    screen.see(lambda s: s.tell(end("completed", "wrote the report")))
    ended = screen.drawn(view.key)
    assert ended.startswith("+ Workflow Gather and write · completed\n")
    assert "900 tokens · wrote the report" in ended
    assert "[Stop]" not in ended


def test_an_agent_whose_end_was_never_told_is_unknown_and_no_longer_running(screen: Screen) -> None:
    screen.see(lambda s: (s.say("go"), s.start_workflow(), s.tell(report(phase(1, "Gather"), agent(1, "start")))))
    screen.see(lambda s: s.tell(end("stopped")))
    card = screen.drawn("task:task_w1")
    assert "~ Gather — 0/1" in card
    assert "  ~ child-1 — unknown" in card
    assert "running" not in card


def test_a_workflow_lost_with_its_process_says_why(screen: Screen) -> None:
    screen.see(lambda s: (s.say("go"), s.start_workflow(), s.tell(c.AgentExited(WORKER, "exit code 137", "t"))))
    assert screen.drawn("task:task_w1").startswith("! Workflow Gather and write · failed\n")
    assert "(exit code 137)" in screen.drawn("task:task_w1")


def test_of_a_crowd_those_are_shown_that_run_or_failed(screen: Screen) -> None:
    crowd = [agent(number, "done" if number % 2 else "start") for number in range(1, 3 * MAX_AGENT_ROWS)]
    screen.see(lambda s: (s.say("go"), s.start_workflow(), s.tell(report(phase(1, "Gather"), *crowd))))
    rows = [line for line in screen.drawn("task:task_w1").splitlines() if "child-" in line and "—" in line]
    assert 0 < len(rows) <= MAX_AGENT_ROWS + 1
    assert not any("done" in row for row in rows)
    assert f"— {sum(a.state == 'done' for a in crowd)}/{len(crowd)}" in screen.drawn("task:task_w1")


# --- the board and its changes ---


def plan(s: Session) -> None:
    s.say("fix the retry and add a cache")
    for number, title in ((1, "Fix the retry"), (2, "Add the cache"), (3, "Write docs")):
        s.add_task(number, title)
    s.update_task(1, "in_progress")
    s.tell(c.RequestToolCall("t9", "Bash", "ls"))


def test_the_board_shows_its_tasks_in_order_and_how_far_they_are(screen: Screen) -> None:
    screen.see(plan)
    key = next(key for key in screen.cards if key.startswith("plan:"))
    assert screen.drawn(key) == (
        "  Plan · 0/3 done\n… Fix the retry — running\n  Add the cache\n  Write docs\n(Objective: a green build)"
    )
    screen.see(lambda s: (s.update_task(1, "completed"), s.update_task(2, "in_progress")))
    assert screen.drawn(key).startswith("  Plan · 1/3 done\n+ Fix the retry — completed\n… Add the cache — running\n")


def test_on_the_board_a_task_waits_for_its_approval_and_then_goes_on(screen: Screen) -> None:
    screen.see(plan)
    key = next(key for key in screen.cards if key.startswith("plan:"))
    screen.see(lambda s: s.tell(ask()))
    assert "? Fix the retry — waiting for approval" in screen.drawn(key)
    screen.see(lambda s: s.tell(approve()))
    assert "… Fix the retry — running" in screen.drawn(key)


def test_a_change_of_plan_shows_each_task_and_what_apply_would_do(screen: Screen) -> None:
    screen.see(plan)
    screen.see(lambda s: s.say("drop the cache", 9, plan_first=True))
    changes = verdict(
        cancel_tasks=(TaskId("task_2"),),
        reprioritize_tasks=(TaskId("task_3"),),
        create_tasks=(ev.NewTask(title="Measure it", kind="testing"),),
        condition="if the tests fail, drop it",
    )
    screen.see(lambda s: s.tell(changes))
    assert screen.drawn("diff:diff_1") == (
        "? Change the plan?\n"
        "“drop the cache”\n"
        "! Add the cache — cancel\n"
        "+ Measure it — new · testing\n"
        "  Write docs — comes first\n"
        "  Fix the retry — continue\n"
        "(the cache no longer matters)\n"
        "(Noted for later, not applied: if the tests fail, drop it)\n"
        "(Apply tells the manager; nothing that runs is stopped.)\n"
        "[Apply] [Keep plan]"
    )
    applied = c.ApplyPlanDiff(DiffId("diff_1"), "turn_x", "chat:1", "Ada", (TaskId("task_new"),))
    screen.see(lambda s: s.tell(applied))
    card = screen.drawn("diff:diff_1")
    assert card.startswith("+ Plan changed\n")
    assert card.endswith("(Applied by Ada. The manager was told.)")


def test_keep_plan_leaves_a_record_without_buttons(screen: Screen) -> None:
    screen.see(plan)
    screen.see(lambda s: (s.say("drop the cache", 9, plan_first=True), s.tell(verdict(cancel_tasks=("task_2",)))))
    screen.see(lambda s: s.tell(c.KeepPlan(DiffId("diff_1"), "chat:1", "Ada")))
    card = screen.drawn("diff:diff_1")
    assert card.startswith("# Plan kept\n")
    assert card.endswith("(Plan kept by Ada. Nothing changed.)")


@pytest.mark.parametrize("background", [True, False])
def test_apply_warns_when_it_has_to_stop_what_runs(screen: Screen, background: bool) -> None:
    screen.see(plan)
    task = screen.session.start_workflow() if background else TaskId("task_1")
    screen.see(lambda s: (s.say("drop it", 9, plan_first=True), s.tell(verdict(cancel_tasks=(task,)))))
    warning = "Apply stops everything that runs" if background else "Apply interrupts the manager"
    assert warning in screen.drawn("diff:diff_1")


# --- turns ---


def tools(s: Session, number: int) -> list[list[ev.Payload]]:
    return [s.tell(c.RequestToolCall(f"t{i}", "Bash", f"make step-{i}")) for i in range(number)]


def finish(outcome: Any = "success", **more: Any) -> c.EndTurn:
    return c.EndTurn("turn_next", outcome, **more)


def test_a_short_turn_shows_no_card_of_its_own(screen: Screen) -> None:
    screen.see(lambda s: (s.say("look"), tools(s, 2), s.tell(finish())))
    assert [key for key in screen.cards if key.startswith("turn:")] == []


def test_a_long_turn_shows_what_it_does_and_in_the_end_what_it_took(screen: Screen) -> None:
    screen.see(lambda s: (s.say("look"), tools(s, 4)))
    assert screen.drawn("turn:turn_1") == "… Working…\n(4 tool calls · now: Bash make step-3)\n[Stop]"
    screen.see(lambda s: s.tell(finish(duration_ms=2500)))
    assert screen.drawn("turn:turn_1") == "(Done · 4 tool calls · 2.5 s)"


def test_a_stopped_turn_says_stopping_and_then_stopped(screen: Screen) -> None:
    screen.see(lambda s: (s.say("look"), tools(s, 3)))
    screen.see(lambda s: s.tell(c.Interrupt("chat:1", "stopped by Ada", "turn_x")))
    assert screen.drawn("turn:turn_1") == "… Stopping…\n(Waiting for the agent to stop.)"
    screen.see(lambda s: s.tell(finish("interrupted")))
    assert screen.drawn("turn:turn_1") == "# Stopped\n(3 tool calls)"


def test_a_turn_that_failed_gives_its_reason(screen: Screen) -> None:
    screen.see(lambda s: (s.say("look"), s.tell(finish("error", errors=("credit is used up",)))))
    assert screen.drawn("turn:turn_1") == "! The turn ended with an error\ncredit is used up"
    screen.see(lambda s: (s.say("again", 2), s.tell(c.AgentExited(WORKER, "exit code 1", "t"))))
    assert screen.drawn("turn:turn_2") == "! The agent's process ended during this turn\nexit code 1"


def test_a_turn_that_began_and_failed_in_one_breath_gives_its_reason_too(screen: Screen) -> None:
    screen.see(lambda s: (s.tell(c.BeginOwnTurn("turn_own")), s.tell(finish("error", errors=("no credit",)))))
    assert screen.drawn("turn:turn_own") == "! The turn ended with an error\nno credit"


def test_messages_that_wait_are_counted_and_then_handed_over(screen: Screen) -> None:
    screen.see(lambda s: s.say("look"))
    screen.see(lambda s: (s.say("and here", 2), s.say("and there", 3)))
    assert screen.drawn("queue:turn_1") == (
        "(2 messages for the manager: handed over when it has finished this turn."
        " Send now stops the turn for it, and it is taken up again; Replace turn stops it for good.)\n"
        "[Send now] [Replace turn] [Stop]"
    )
    screen.see(lambda s: s.tell(finish()))
    assert screen.drawn("queue:turn_1") == "(2 messages handed to the manager.)"


def test_an_answer_is_posted_once_and_nothing_but_itself(screen: Screen) -> None:
    screen.see(lambda s: s.say("look"))
    [view] = screen.see(lambda s: s.tell(c.AddManagerText(MessageId("msg_a"), "**Found** it.")))
    assert (view.key, view.once, drawn(view.card)) == ("msg:msg_a", True, "**Found** it.")


# --- all cards ---


def everything(screen: Screen) -> None:
    """A session in which every card is shown."""
    screen.see(plan)
    screen.see(lambda s: (s.start_workflow(), s.tell(report(phase(1, "Gather"), agent(1, "start"))), tools(s, 4)))
    screen.see(lambda s: (s.tell(ask(risk_level="low")), s.say("and here", 2)))
    screen.see(lambda s: (s.say("drop it", 9, plan_first=True), s.tell(verdict(cancel_tasks=("task_2",)))))
    screen.see(lambda s: s.tell(c.AddManagerText(MessageId("msg_a"), "Found it.")))


def too_often(session: Session) -> None:
    for number in range(MAX_RETRIES + 1):
        session.recover(number)


def test_after_several_failures_a_card_asks_and_then_says_what_was_decided(screen: Screen) -> None:
    screen.see(lambda s: s.say("look"))
    screen.see(too_often)
    assert screen.drawn("blocked:blk_3") == (
        "! Failed 4 times in a row\nthe bot was restarted\n"
        "(Try again, give it up, or write to the manager.)\n[Try again] [Give up]"
    )
    screen.see(lambda s: s.tell(c.GiveUp("blk_3", "chat:1", "Ada", "turn_x")))
    assert screen.drawn("blocked:blk_3") == "# Given up\nthe bot was restarted\n(by Ada)"


def test_an_answer_that_may_be_missing_is_told_and_can_be_shown_again(screen: Screen) -> None:
    screen.see(lambda s: (s.say("look"), s.tell(c.AddManagerText(MessageId("msg_a"), "**Found** it."))))
    screen.see(lambda s: s.tell(c.DoubtMessage(MessageId("msg_a"))))
    assert screen.drawn("doubt:msg_a") == (
        "(An answer may be missing above (it begins “**Found** it.”): the connection broke while it was sent."
        " It is not repeated by itself.)\n[Show it again]"
    )
    assert screen.see(lambda s: s.tell(c.DoubtMessage(MessageId("msg_a")))) == []
    screen.see(lambda s: s.tell(c.RepeatMessage(MessageId("msg_a"), "chat:1", "Ada")))
    assert screen.drawn("again:msg_a") == "**Found** it."
    assert screen.drawn("doubt:msg_a") == "(The answer was shown again (it begins “**Found** it.”).)"


def test_any_card_in_plain_words_says_the_same_and_keeps_its_buttons(screen: Screen) -> None:
    everything(screen)
    for card in screen.cards.values():
        words = plain(card)
        assert words.buttons == card.buttons
        [block] = words.blocks
        assert isinstance(block, Plain)
        assert card.title in block.text
    assert "    rm -rf build-cache".strip() in drawn(plain(screen.cards["apr:apr_1"]))


def test_a_request_that_nobody_decided_keeps_its_command_and_says_so(screen: Screen) -> None:
    screen.see(lambda s: s.tell(ask()))
    screen.see(lambda s: s.tell(c.ExpireApproval(APR, 60.0)))
    drawn = screen.drawn("apr:apr_1")
    assert drawn.startswith("# Too late: ")
    assert "(Nobody decided in time. The agent was told: Nobody decided within 60 seconds." in drawn
    assert "[" not in drawn


def test_a_rejection_that_stopped_everything_says_so(screen: Screen) -> None:
    screen.see(lambda s: (s.say("look"), s.tell(ask())))
    screen.see(lambda s: s.tell(c.Reject(APR, "chat:1", "Ada", "no", stop=True, turn_id="turn_s")))
    assert "(Rejected by Ada. What ran was stopped. The agent was told: no)" in screen.drawn("apr:apr_1")


def test_every_button_names_one_thing_and_fits_every_platform(screen: Screen) -> None:
    everything(screen)
    cards = [*screen.cards.values()]
    screen.see(lambda s: s.tell(c.DoubtMessage(MessageId("msg_a"))))
    screen.see(too_often)
    actions = [b.action for card in (*cards, *screen.cards.values()) for row in card.buttons for b in row]
    assert {Action.decode(action).verb for action in actions} == set(Verb) - {Verb.ANSWER}
    assert all(len(action.encode()) <= ACTION_ID_MAX_BYTES for action in actions)


def test_a_card_outlives_the_process_as_it_is(screen: Screen) -> None:
    everything(screen)
    for card in screen.cards.values():
        assert card_from_json(card_to_json(card)) == card


def test_cards_of_many_events_at_once_end_up_the_same_and_each_comes_once(screen: Screen) -> None:
    begin = len(screen.session.log)
    everything(screen)
    found = screen.as_restored(begin)
    assert len({view.key for view in found}) == len(found)
    at_once = {view.key: view.card for view in found}
    assert {key: drawn(card) for key, card in at_once.items()} == {k: drawn(card) for k, card in screen.cards.items()}
