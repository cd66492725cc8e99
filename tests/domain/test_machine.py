"""The session under any commands at all, legal and not, in any order, beside a naive model of it.

It refuses with `DomainError` and nothing else, and what the model expects to happen happens; a refused command leaves
no event; replaying the log, also through its JSON, gives the live state; every prefix folds; tasks and approvals move
only along their tables, each by its arrow's own event. `BOSSBOT_MACHINE_RUNS` sets how many runs there are.
"""

import os
from datetime import UTC, datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bossbot.domain import approval, task
from bossbot.domain import commands as c
from bossbot.domain import events as ev
from bossbot.domain.approval import ApprovalStatus
from bossbot.domain.errors import DomainError
from bossbot.domain.evolve import evolve, fold
from bossbot.domain.people import DONE
from bossbot.domain.session import decide
from bossbot.domain.snapshot import AGENT, PHASE
from bossbot.domain.state import SessionState
from bossbot.domain.task import TaskStatus
from bossbot.ids import ApprovalId, DiffId, EventId, MessageId, SessionId, TaskId, WorkerId
from tests.domain.naive import Naive

SESSION = SessionId("ps_1")
BEGIN = datetime(2026, 3, 23, 12, 0, tzinfo=UTC)
WORKER = WorkerId("worker_1")
PEOPLE = st.sampled_from([("telegram:1", "Ada"), ("slack:U2", "李雷")])
WORDS = st.sampled_from(["go", "drop the cache", "先排查登录失败", "*_[`", "", "  "])
FEW = st.integers(0, 2)


def some(board: list[TaskId], *, strangers: bool) -> st.SearchStrategy[tuple[TaskId, ...]]:
    """Up to two of the board's tasks; now and then one that is not there."""
    known = [*board, TaskId("task_77")] if strangers or not board else board
    return st.lists(st.sampled_from(known), max_size=2).map(tuple)


class Sessions(RuleBasedStateMachine):
    """Commands mostly hit what exists, so that the interesting ones are common; the rest is nonsense on purpose."""

    def __init__(self) -> None:
        super().__init__()
        self.state = SessionState(id=SESSION)
        self.log: list[ev.Event] = []
        self.states = [self.state]
        self.minted = 0
        self.naive = Naive()

    def mint(self, prefix: str) -> str:
        self.minted += 1
        return f"{prefix}_{self.minted}"

    def tell(self, command: c.Command) -> None:
        before, expected = self.state, self.naive.expects(command)
        try:
            decided = decide(self.state, command)
        except DomainError as error:
            refusal = str(error)
        else:
            refusal = ""
        if expected is not None:
            assert expected is not bool(refusal), f"{command}: {refusal or 'not refused'}"
        if refusal:
            assert self.state == before
            return
        for new in decided:
            at = BEGIN + timedelta(milliseconds=len(self.log))
            event = new.sealed(EventId(f"evt_{len(self.log)}"), SESSION, at)
            following = evolve(self.state, event)
            check_moves(self.state, following, event.type)
            self.state = following
            self.log.append(event)
            self.states.append(following)
            self.naive.note(event)
        self.naive.check(self.state)

    @initialize(opened=st.sampled_from([True, True, True, False]))
    def begin(self, opened: bool) -> None:
        if opened:
            self.open()

    @precondition(lambda self: len(self.log) % 7 == 0)
    @rule()
    def open(self) -> None:
        self.tell(c.OpenSession("Fix the build", "telegram", "-100", None, "a green build"))

    # --- people ---

    @rule(words=WORDS, who=PEOPLE, plan_first=st.booleans())
    def say(self, words: str, who: tuple[str, str], plan_first: bool) -> None:
        message_id, turn = MessageId(self.mint("msg")), self.mint("turn")
        self.tell(c.AddMessage(message_id, turn, "telegram", words, *who, plan_first))

    @precondition(lambda self: self.state.live_tasks and self.state.status == "active")
    @rule(data=st.data(), again=st.booleans(), who=PEOPLE)
    def change_of_mind(self, data: st.DataObject, again: bool, who: tuple[str, str]) -> None:
        """The whole way: a message is held, judged, and its diff decided, perhaps twice."""
        message_id, diff_id = MessageId(self.mint("msg")), DiffId(self.mint("diff"))
        self.tell(c.AddMessage(message_id, self.mint("turn"), "slack", "drop it", *who, plan_first=True))
        gone = data.draw(st.sampled_from([*self.state.live_tasks]))
        cancel, pause = data.draw(st.sampled_from([((gone.id,), ()), ((), (gone.id,))]))
        turn_id = self.mint("turn")
        self.tell(c.ClassifyMessage(message_id, turn_id, diff_id, "x", True, "agent", "ship it", "why", cancel, pause))
        for _ in range(1 + again):
            self.tell(c.ApplyPlanDiff(diff_id, self.mint("turn"), *who, ()))

    @precondition(lambda self: self.state.held)
    @rule(data=st.data(), change=st.booleans(), new=st.integers(0, 2), objective=st.sampled_from(["", "ship it"]))
    def classify(self, data: st.DataObject, change: bool, new: int, objective: str) -> None:
        strangers = data.draw(st.integers(0, 5)) == 0
        named = some([t.id for t in self.state.live_tasks], strangers=strangers) if change else st.just(())
        self.tell(
            c.ClassifyMessage(
                message_id=data.draw(st.sampled_from([*self.state.held])),
                turn_id=self.mint("turn"),
                diff_id=DiffId(self.mint("diff")),
                intent="change_plan" if change else "constraint",
                objective_change=change,
                judged_by="rules",
                objective=objective,
                change_reason="a change of mind",
                cancel_tasks=data.draw(named),
                pause_tasks=data.draw(named),
                reprioritize_tasks=data.draw(named),
                create_tasks=tuple(ev.NewTask(title=f"New {i}") for i in range(new if change else 0)),
            )
        )

    @precondition(lambda self: self.state.diffs)
    @rule(data=st.data(), who=PEOPLE, keep=st.booleans(), wrong=st.sampled_from([False, False, False, True]))
    def decide_diff(self, data: st.DataObject, who: tuple[str, str], keep: bool, wrong: bool) -> None:
        diff_id = data.draw(st.sampled_from([*self.state.diffs]))
        if keep:
            self.tell(c.KeepPlan(diff_id, *who))
            return
        wanted = len(self.state.diffs[diff_id].proposal.create_tasks) + wrong
        ids = tuple(TaskId(self.mint("task")) for _ in range(wanted))
        self.tell(c.ApplyPlanDiff(diff_id, self.mint("turn"), *who, ids))

    @precondition(lambda self: self.state.approvals)
    @rule(data=st.data(), who=PEOPLE, action=st.sampled_from(["approve", "approve_for_session"]))
    def approve(self, data: st.DataObject, who: tuple[str, str], action: str) -> None:
        self.tell(c.Approve(self.some_approval(data), *who, action))

    @precondition(lambda self: self.state.approvals)
    @rule(data=st.data(), who=PEOPLE, reason=WORDS)
    def reject(self, data: st.DataObject, who: tuple[str, str], reason: str) -> None:
        self.tell(c.Reject(self.some_approval(data), *who, reason))

    @precondition(lambda self: any(a.questions for a in self.state.approvals.values()))
    @rule(data=st.data(), who=PEOPLE, index=st.integers(-1, 2), words=WORDS)
    def answer(self, data: st.DataObject, who: tuple[str, str], index: int, words: str) -> None:
        option = data.draw(st.sampled_from([None, DONE, 0, 1, 2, 9]))
        self.tell(c.AnswerQuestion(self.some_approval(data), index, *who, option, words))

    @rule(who=PEOPLE)
    def press_what_does_not_exist(self, who: tuple[str, str]) -> None:
        self.tell(c.Approve(ApprovalId("apr_77"), *who))
        self.tell(c.KeepPlan(DiffId("diff_77"), *who))

    @precondition(lambda self: self.state.approvals)
    @rule(data=st.data(), who=PEOPLE, expires=st.booleans())
    def reject_and_stop_or_expire(self, data: st.DataObject, who: tuple[str, str], expires: bool) -> None:
        approval_id = self.some_approval(data)
        if expires:
            self.tell(c.ExpireApproval(approval_id, 60.0))
        else:
            self.tell(c.Reject(approval_id, *who, "", True, self.mint("turn")))

    @precondition(lambda self: self.state.blocked is not None)
    @rule(who=PEOPLE, again=st.booleans(), old=st.booleans())
    def decide_what_failed(self, who: tuple[str, str], again: bool, old: bool) -> None:
        blocked_id = "blk_0" if old or self.state.blocked is None else self.state.blocked.id
        command = c.TryAgain if again else c.GiveUp
        self.tell(command(blocked_id, *who, self.mint("turn")))

    @precondition(lambda self: len(self.log) > 60 and len(self.log) % 5 == 0)
    @rule()
    def archive(self) -> None:
        self.tell(c.ArchiveSession("done"))

    @rule(data=st.data(), who=PEOPLE, what=st.integers(0, 3), words=WORDS)
    def small_things(self, data: st.DataObject, who: tuple[str, str], what: int, words: str) -> None:
        known = [said.id for said in self.state.recent] or [MessageId("msg_77")]
        message_id = data.draw(st.sampled_from(known))
        commands: tuple[c.Command, ...] = (
            c.RenameSession(words),
            c.DoubtMessage(message_id),
            c.RepeatMessage(message_id, *who),
            c.RecordRuling("Bash", "deny", "req_r", "ls", "ls"),
        )
        self.tell(commands[what])

    @rule(who=PEOPLE, how=st.sampled_from([*ev.Steering]), insists=st.booleans(), joins=st.booleans())
    def speak_into_a_turn(self, who: tuple[str, str], how: ev.Steering, insists: bool, joins: bool) -> None:
        """The whole way: a turn runs, a message waits for it, and is sent now or replaces it."""
        self.tell(c.UpdateCapabilities(WORKER, (), "cli-1", "claude", joins_mid_turn=joins))
        for steering in (ev.Steering.QUEUE, how):
            message_id, turn = MessageId(self.mint("msg")), self.mint("turn")
            own = insists and steering is how
            self.tell(c.AddMessage(message_id, turn, "slack", "and this", *who, False, steering, own))
        self.tell(c.SteerTurn(self.mint("turn"), how, *who))

    @rule(who=PEOPLE, failures=st.integers(1, 3), gone=st.booleans(), then=st.integers(0, 3))
    def fail_again_and_again(self, who: tuple[str, str], failures: int, gone: bool, then: int) -> None:
        """The whole way: something is asked and fails, is tried again, and a person decides."""
        self.tell(c.AddMessage(MessageId(self.mint("msg")), self.mint("turn"), "slack", "ship it", *who))
        for _ in range(failures):
            if gone:
                self.tell(c.AgentExited(WORKER, "exit code 137", self.mint("turn")))
            else:
                self.tell(c.EndTurn(self.mint("turn"), "error", errors=("529",), retryable=True))
            self.tell(c.Recover(self.mint("turn"), self.mint("blk"), "529", 1, process_gone=gone))
        blocked_id = self.state.blocked.id if self.state.blocked is not None else "blk_0"
        if then == 0:
            self.tell(c.TryAgain(blocked_id, *who, self.mint("turn")))
        elif then == 1:
            self.tell(c.GiveUp(blocked_id, *who, self.mint("turn")))

    @rule(who=PEOPLE, number=FEW, then=st.integers(0, 5))
    def a_task_asks(self, who: tuple[str, str], number: int, then: int) -> None:
        """The whole way: a task of the list runs, waits for permission, and goes on or does not."""
        task_id, approval_id = TaskId(self.mint("task")), ApprovalId(self.mint("apr"))
        self.tell(c.CreateNativeTask(task_id, self.mint("wa"), "plan_1", f"9{number}", f"Task {task_id}"))
        self.tell(c.UpdateNativeTask(f"9{number}", WORKER, self.mint("wa"), "in_progress"))
        request = c.RequestApproval(approval_id, self.mint("req"), "Bash", "tool_call", "ls", "low", "")
        self.tell(request)
        endings: tuple[tuple[c.Command, ...], ...] = (
            (c.Approve(approval_id, *who),),
            (c.Reject(approval_id, *who),),
            (c.Reject(approval_id, *who, "", True, self.mint("turn")),),
            (c.ExpireApproval(approval_id, 60.0),),
            (c.WithdrawApproval(request.request_id, "taken back"),),
            (),
        )
        for command in endings[then]:
            self.tell(command)

    @rule(who=PEOPLE)
    def interrupt(self, who: tuple[str, str]) -> None:
        self.tell(c.Interrupt(who[0], "enough", self.mint("turn")))

    @precondition(lambda self: len(self.log) > 80 and len(self.log) % 5 == 0)
    @rule()
    def close(self) -> None:
        self.tell(c.CloseSession("done"))

    def some_approval(self, data: st.DataObject) -> ApprovalId:
        late = data.draw(st.integers(0, 3)) == 0
        pending = [a.id for a in self.state.pending_approvals]
        return data.draw(st.sampled_from(pending if pending and not late else [*self.state.approvals]))

    # --- the agent ---

    @rule(model=st.sampled_from(["one", "two"]), words=WORDS)
    def speak(self, model: str, words: str) -> None:
        self.tell(c.UpdateCapabilities(WORKER, ("Bash",), "cli-1", "cbc", model))
        self.tell(c.AddManagerText(MessageId(self.mint("msg")), words))

    @rule(number=FEW, tool=st.sampled_from(["Bash", "TaskCreate"]), within=st.sampled_from([None, "tu_1"]), done=FEW)
    def tools(self, number: int, tool: str, within: str | None, done: int) -> None:
        self.tell(c.RequestToolCall(f"tu_{number}", tool, "ls", within))
        self.tell(c.FinishToolCall(f"tu_{done}", False, "ok", 2, "00"))

    @rule(number=FEW, questions=st.integers(0, 2), multi=st.booleans(), fingerprint=st.sampled_from(["", "a", "b"]))
    def ask(self, number: int, questions: int, multi: bool, fingerprint: str) -> None:
        options = tuple(ev.QuestionOption(label=label) for label in ("api", "cache"))
        self.tell(
            c.RequestApproval(
                ApprovalId(self.mint("apr")),
                f"req_{number}",
                "AskUserQuestion" if questions else "Bash",
                "question" if questions else "dangerous_command",
                "summary",
                "high",
                fingerprint,
                questions=tuple(
                    ev.Question(question=f"Which {i}?", multi_select=multi, options=options) for i in range(questions)
                ),
            )
        )

    @rule(number=FEW)
    def withdraw(self, number: int) -> None:
        self.tell(c.WithdrawApproval(f"req_{number}", "taken back"))

    @rule(number=FEW, title=st.sampled_from(["Clean the cache", "New 0", "new  0"]))
    def native(self, number: int, title: str) -> None:
        task_id, assignment = TaskId(self.mint("task")), self.mint("wa")
        self.tell(c.CreateNativeTask(task_id, assignment, "plan_1", str(number), title))

    @rule(number=FEW, word=st.sampled_from(["pending", "in_progress", "completed", "deleted", "", "other"]))
    def native_moves(self, number: int, word: str) -> None:
        self.tell(c.UpdateNativeTask(str(number), WORKER, self.mint("wa"), word))

    @rule(number=FEW, kind=st.sampled_from(["local_workflow", "local_agent"]))
    def workflow(self, number: int, kind: str) -> None:
        task_id, assignment = TaskId(self.mint("task")), self.mint("wa")
        self.tell(c.StartBackgroundTask(task_id, assignment, WORKER, f"w{number}", kind, "Gather"))

    @rule(
        number=FEW,
        agents=st.lists(st.tuples(st.integers(1, 3), st.sampled_from(["start", "done", "error", "cached"]))),
        phases=st.integers(0, 3),
        tokens=st.none() | st.integers(0, 9),
    )
    def snapshot(self, number: int, agents: list[tuple[int, str]], phases: int, tokens: int | None) -> None:
        entries = [c.SnapshotEntry(PHASE, i, label=f"Phase {i}") for i in range(1, phases + 1)]
        entries += [c.SnapshotEntry(AGENT, i, state, f"child-{i}", 1 + i % 2) for i, state in agents]
        self.tell(c.ReportSnapshot(f"w{number}", tuple(entries), tokens))

    @rule(number=FEW, word=st.sampled_from(["pending", "running", "paused", "completed", "killed"]))
    def workflow_moves(self, number: int, word: str) -> None:
        self.tell(c.UpdateBackgroundTask(f"w{number}", word))

    @rule(number=FEW, word=st.sampled_from(["completed", "failed", "stopped", "other"]), retryable=st.booleans())
    def workflow_ends(self, number: int, word: str, retryable: bool) -> None:
        self.tell(c.EndBackgroundTask(f"w{number}", word, self.mint("turn"), "summary", "out.txt", retryable))

    @rule(times=st.integers(1, 3), asked=st.booleans(), dies=st.booleans())
    def a_workflow_fails_again_and_again(self, times: int, asked: bool, dies: bool) -> None:
        """The whole way: it fails, the manager is asked to start it again, and does so or not."""
        self.speak("one", "go")
        for _ in range(times):
            ref = self.mint("w")
            self.tell(c.StartBackgroundTask(TaskId(self.mint("task")), self.mint("wa"), WORKER, ref, "x", "Retried"))
            self.tell(c.EndTurn(self.mint("turn"), "success"))
            self.tell(c.EndBackgroundTask(ref, "failed", self.mint("turn"), "529", retryable=True))
            if asked:
                self.tell(c.Recover(self.mint("turn"), self.mint("blk"), "529", 1, process_gone=False))
            if dies:
                self.tell(c.AgentExited(WORKER, "it could not be started", self.mint("turn")))

    @rule()
    def own_turn(self) -> None:
        self.tell(c.BeginOwnTurn(self.mint("turn")))

    @precondition(lambda self: self.state.turn is not None or len(self.log) % 5 == 0)
    @rule(
        outcome=st.sampled_from(["success", "error", "interrupted"]),
        cost=st.none() | st.floats(0, 9),
        retryable=st.booleans(),
    )
    def turn_ends(self, outcome: str, cost: float | None, retryable: bool) -> None:
        may_pass = retryable and outcome == "error"
        self.tell(c.EndTurn(self.mint("turn"), outcome, total_cost_usd=cost, retryable=may_pass))  # type: ignore[arg-type]

    @precondition(lambda self: len(self.log) % 5 == 0)
    @rule()
    def dies(self) -> None:
        self.tell(c.AgentExited(WORKER, "exit code 137", self.mint("turn")))

    @precondition(lambda self: len(self.log) % 5 == 0)
    @rule()
    def recover(self) -> None:
        self.tell(c.Recover(self.mint("turn"), self.mint("blk"), "restarted", max_retries=1))

    @precondition(lambda self: self.naive.cut or self.naive.again)
    @rule()
    def take_up(self) -> None:
        self.tell(c.Recover(self.mint("turn"), self.mint("blk"), "529", max_retries=1, process_gone=False))

    # --- what always holds ---

    @invariant()
    def what_is_stopped_waits_for_nothing(self) -> None:
        if self.state.status == "closed":
            assert self.state.turn is None or not self.state.turn.content

    @invariant()
    def what_is_assigned_waits_for_the_word_of_a_turn_that_runs(self) -> None:
        assigned = [t for t in self.state.tasks.values() if t.status is TaskStatus.ASSIGNED]
        assert self.state.turn is not None or not assigned

    @invariant()
    def the_board_lists_every_task_once(self) -> None:
        assert sorted(self.state.order) == sorted(self.state.tasks)

    @invariant()
    def what_is_open_is_found_without_a_search(self) -> None:
        tasks = self.state.tasks
        assert self.state.live == tuple(i for i in self.state.order if tasks[i].live)
        assert self.state.pending == tuple(i for i, asked in self.state.approvals.items() if asked.pending)
        own = [i for i, one in tasks.items() if one.origin in task.NATIVE]
        assert self.state.unplanned == tuple(i for i in own if i not in self.state.plan_tasks)

    def teardown(self) -> None:
        """Once a run, since it costs: the log alone gives the state, and each of its prefixes the state of then, which
        nothing that came later has changed.
        """
        start = SessionState(id=SESSION)
        read = [ev.Event.model_validate_json(event.model_dump_json()) for event in self.log]
        assert read == self.log
        state = start
        for event, then in zip(read, self.states[1:], strict=True):
            state = evolve(state, event)
            assert state == then
        assert state == self.state
        half = len(read) // 2
        assert fold(fold(start, read[:half]), read[half:]) == self.state


def check_moves(before: SessionState, after: SessionState, event: str) -> None:
    """Tasks and approvals moved only along their tables; a decision is never taken back; nothing disappears."""
    for task_id, old in before.tasks.items():
        new = after.tasks[task_id]
        assert new.status is old.status or task.ARROWS[old.status, new.status].event == event
    for approval_id, was in before.approvals.items():
        now = after.approvals[approval_id]
        assert now.status is was.status or approval.ARROWS[was.status, now.status].event == event
        if was.status is not ApprovalStatus.PENDING:
            assert now == was


TestSessions = Sessions.TestCase
TestSessions.settings = settings(
    max_examples=int(os.environ.get("BOSSBOT_MACHINE_RUNS", "60")), stateful_step_count=80, deadline=None
)
