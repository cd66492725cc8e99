"""What holds of every message and every board."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bossbot.intent import Board, BoardTask, judge
from bossbot.intent.clauses import fold, mask, outside, split
from bossbot.intent.titles import TITLE_LIMIT, title
from tests.intent.plan_cases import BOARDS, CASES, QUESTIONS

STATES = [
    "planning",
    "queued",
    "assigned",
    "running",
    "blocked",
    "paused",
    "waiting_approval",
    "completed",
    "failed",
    "cancelled",
]
TITLES = sorted({name for titles in BOARDS.values() for name in titles})
WORDS = [
    "drop",
    "cancel",
    "pause",
    "forget",
    "skip",
    "stop",
    "the",
    "cache",
    "retry",
    "login",
    "API",
    "first",
    "before",
    "after",
    "and",
    ",",
    ".",
    "?",
    "!",
    "if",
    "when",
    "not",
    "don't",
    '"',
    "`",
    "```",
    "'",
    "“",
    "”",
    "everything",
    "rest",
    "task",
    "2",
    "#3",
    "task_a",
    "it",
    "that",
    "also",
    "add",
    "tests",
    "please",
    "取消",
    "缓存",
    "重试",
    "先",
    "不做了",
    "别",
    "暂停",
    "登录",
    "优先",
    "如果",
    "就",
    "吗",
    "？",
    "，",
    "。",
    "全部",
    "其他",
    "除了",
    "加",
    "\n",
    "→",
    "\x00",
    "\u2028",
    "İ",
    "😀",
]
phrases = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join) | st.lists(
    st.sampled_from(WORDS), max_size=25
).map("".join)
messages = st.text(max_size=200) | phrases | st.sampled_from([case[0] for rows in CASES.values() for case in rows])
tasks = st.lists(
    st.builds(
        BoardTask,
        id=st.sampled_from(["task_a", "task_b", "t3", "7", "x-1", "ü"]) | st.text(min_size=1, max_size=5),
        title=st.sampled_from(TITLES) | st.text(max_size=40) | phrases,
        status=st.sampled_from(STATES),
    ),
    max_size=7,
    unique_by=lambda task: task.id,
)
boards = st.builds(
    Board,
    objective=st.text(max_size=20),
    tasks=tasks.map(tuple),
    pending_question=st.none() | st.just("Shall I?"),
    last_manager_line=st.text(max_size=20),
)


@given(messages, boards)
@example("", Board("", ()))
@example("``` drop the cache", Board("", (BoardTask("a", "cache", "queued"),)))
@settings(max_examples=400, deadline=None)
def test_a_verdict_names_live_tasks_once_and_hangs_together(message: str, board: Board) -> None:
    verdict = judge(message, board)
    live = {task.id for task in board.live}
    assert verdict.objective_change == (verdict.intent == "objective_change" and bool(live))
    if verdict.diff is None:
        assert not verdict.objective_change
        return
    diff = verdict.diff
    named = [*diff.cancel_tasks, *diff.pause_tasks, *diff.reprioritize_tasks]
    assert set(named) <= live
    assert len(named) == len(set(named))
    assert verdict.intent in {"objective_change", "control"}
    assert verdict.objective_change == (verdict.objective is not None)
    assert all(0 < len(task.title) <= TITLE_LIMIT and "\n" not in task.title for task in diff.create_tasks)


@given(st.sampled_from(QUESTIONS), boards)
@settings(deadline=None)
def test_a_plain_question_yields_no_diff_on_any_board(question: str, board: Board) -> None:
    assert judge(question, board).diff is None


@given(
    st.sampled_from(
        ["should we {}?", "what if we {}?", "why did you {}?", "do you want me to {}?", "要不要{}？", "是不是该{}？"]
    ),
    st.sampled_from(["drop the cache", "pause the login", "do the retry first", "取消缓存", "先做重试"]),
    boards,
)
@settings(deadline=None)
def test_a_command_inside_a_question_yields_no_diff(frame: str, command: str, board: Board) -> None:
    assert judge(frame.format(command), board).diff is None


@given(
    st.sampled_from(['the log says "{}"', "the user wrote “{}”", "```\n{}\n```", "> {}", "日志里有一句“{}”"]),
    st.sampled_from(["drop the cache first", "cancel everything", "取消缓存，先修重试"]),
    boards,
)
@settings(deadline=None)
def test_a_quoted_command_yields_no_diff(frame: str, command: str, board: Board) -> None:
    assert judge(frame.format(command), board).diff is None


@given(st.text(max_size=300) | phrases)
@settings(deadline=None)
def test_masking_and_folding_keep_every_place(text: str) -> None:
    masked = mask(text)
    assert len(masked) == len(text)
    assert len(fold(text)) == len(text)
    assert all(a == b or a.isspace() for a, b in zip(masked, text, strict=True))
    for clause in split(text, masked):
        assert text[clause.start : clause.end].strip() == clause.text


@given(st.text(max_size=100), st.text(max_size=20))
@settings(deadline=None)
def test_evidence_is_only_what_really_stands_there(message: str, evidence: str) -> None:
    if outside(message, evidence):
        assert evidence.strip() in message


@given(messages)
@settings(deadline=None)
def test_a_title_is_one_short_line_of_the_words_given(words: str) -> None:
    told = title(words)
    assert len(told) <= TITLE_LIMIT
    assert told == " ".join(told.split())
    assert bool(told) or not words.strip()


@pytest.mark.parametrize(
    "piece",
    [
        "drop the cache and ",
        "“",
        "if ",
        "先缓存",
        "a",
        "```",
        "' ",
        "the retry before ",
        "不做，",
        "\n",
        pytest.param("x" + 3_900 * " ", id="blanks"),
    ],
)
def test_a_huge_message_is_judged_in_a_blink(piece: str) -> None:
    """A few hundredths of a second; what grows with the square of the length takes minutes."""
    board = Board("", tuple(BoardTask(f"t{n}", TITLES[n], "queued") for n in range(12)))
    started = time.process_time()
    judge(piece * (60_000 // len(piece)), board)
    assert time.process_time() - started < 3
