"""Which story a message calls for, and how a plan change is read."""

import string

import pytest

from bossbot.sandbox.scripted_agent.stories import choose
from bossbot.sandbox.scripted_agent.words import STORIES, WORDS, language_of


@pytest.mark.parametrize(
    ("text", "story"),
    [
        ("hi there", "help"),
        ("what is the weather?", "chat"),
        ("Clean the build cache", "clean"),
        ("please DELETE it", "clean"),
        ("清理一下缓存", "clean"),
        ("把构建目录清空", "clean"),
        ("delete the cache task", "plan"),
        ("ask me something", "question"),
        ("问我一个问题", "question"),
        ("do some research", "workflow"),
        ("做个调研", "workflow"),
        ("run a background workflow", "background_workflow"),
        ("后台工作流", "background_workflow"),
        ("make a plan", "plan"),
        ("拆成几个任务", "plan"),
        ("many tools", "many_tools"),
        ("200 calls, please", "many_tools"),
        ("a long command", "long_command"),
        ("edit something", "edit"),
        ("be slow", "slow"),
        ("the login is slow", "chat"),
        ("error", "error"),
        ("there is an error in the login", "chat"),
        ("git status", "git_status"),
        ("go on", "chat"),
    ],
)
def test_a_message_calls_for_one_story(text: str, story: str) -> None:
    assert choose(text) == story


def test_with_a_plan_an_ordinary_message_is_noted_and_go_on_takes_the_next_task() -> None:
    assert choose("the cache can wait, the retry comes first", has_tasks=True) == "chat_with_tasks"
    assert choose("继续", has_tasks=True) == "next_task"


def test_what_stands_before_the_last_paragraph_is_no_more_than_context() -> None:
    quoted = "Ada wrote “delete the build cache” and then decided to keep the plan as it is.\n\nask me a question"
    assert choose(quoted) == "question"


def test_chinese_is_answered_in_chinese() -> None:
    assert language_of("please 清理") == "zh"
    assert language_of("clean “it”…") == "en"


@pytest.mark.parametrize("key", sorted(WORDS))
def test_both_languages_of_a_text_have_the_same_blanks(key: str) -> None:
    blanks = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in WORDS[key]]
    assert blanks[0] == blanks[1]


def test_every_story_of_the_table_is_played_by_something() -> None:
    from bossbot.sandbox.scripted_agent import stories

    assert set(STORIES) <= set(stories._STORIES)
