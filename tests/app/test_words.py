"""Words with a meaning of their own, in English and Chinese; everything else is a message."""

import pytest

from bossbot.app.words import Rejection, Rename, Said, Steered, Word, read_word
from bossbot.domain.events import Steering


@pytest.mark.parametrize(
    ("text", "steering", "rest"),
    [
        ("/now skip the tests", Steering.NOW, "skip the tests"),
        ("!now skip the tests", Steering.NOW, "skip the tests"),
        ("  !NOW: skip\nthe tests ", Steering.NOW, "skip\nthe tests"),
        ("/now", Steering.NOW, ""),
        ("/replace\nfix the login", Steering.REPLACE, "fix the login"),
        ("!replace", Steering.REPLACE, ""),
        ("!queue and the logs", Steering.QUEUE, "and the logs"),
        ("立即：先修登录", Steering.NOW, "先修登录"),
        ("马上: 先修登录", Steering.NOW, "先修登录"),
        ("!立即先修登录", Steering.NOW, "先修登录"),
        ("改做：先修登录", Steering.REPLACE, "先修登录"),
        ("!替换：先修登录", Steering.REPLACE, "先修登录"),
        ("！改做 先修登录", Steering.REPLACE, "先修登录"),
        ("!排队：看看日志", Steering.QUEUE, "看看日志"),
        ("!now stop", Steering.NOW, "stop"),
    ],
)
def test_a_message_may_say_itself_what_becomes_of_it(text: str, steering: Steering, rest: str) -> None:
    assert read_word(text) == Steered(steering, rest)


@pytest.mark.parametrize(
    "text",
    [
        "now skip the tests",
        "replace the cache",
        "/nowhere to go",
        "!replaced it",
        "/queues are full",
        "马上就好",
        "替换缓存模块",
        "替换：把 A 换成 B",
        "排队：一、二、三",
        "稍后再说",
        "do it /now",
        "",
    ],
)
def test_ordinary_words_steer_nothing(text: str) -> None:
    assert read_word(text) is None


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("/stop", Word.STOP),
        ("停止。", Word.STOP),
        ("Approve!", Word.APPROVE),
        ("reject: not here", Rejection("not here")),
        ("拒绝：换个办法", Rejection("换个办法")),
        ("reject and stop", Rejection("", stop=True)),
        ("Reject and stop: wrong folder", Rejection("wrong folder", stop=True)),
        ("拒绝并停止：目录错了", Rejection("目录错了", stop=True)),
        ("/rename Fix the login", Rename("Fix the login")),
        ("!rename", Rename("")),
        ("/改名：修复登录", Rename("修复登录")),
        ("/archive", Word.ARCHIVE),
        ("reject and stop it all", None),
        ("rename the function", None),
        ("archive the old logs", None),
    ],
)
def test_the_other_words_are_what_they_were(text: str, word: Said | None) -> None:
    assert read_word(text) == word
