"""The parts the rules are made of: clauses, matching, phrases, titles."""

import pytest

from bossbot.intent import BoardTask, chinese, cues, english, moodcues
from bossbot.intent.acts import lead
from bossbot.intent.clauses import mask, split
from bossbot.intent.match import concepts, find
from bossbot.intent.mood import Mood, moods
from bossbot.intent.phrases import inflect
from bossbot.intent.templates import Phrasebook
from bossbot.intent.terms import CONCEPTS, HEADS, WEAK
from bossbot.intent.titles import new_task, title

BOARD = [
    BoardTask(str(at), name, "queued")
    for at, name in enumerate(
        ["Fix the login failure", "Rebuild the cache layer", "Fix the API retry", "Write docs for the API"]
    )
]


def said(message: str) -> list[str]:
    return [clause.norm for clause in split(message, mask(message))]


@pytest.mark.parametrize(
    ("message", "clauses"),
    [
        ("Drop the cache, fix the retry first.", ["drop the cache", "fix the retry first"]),
        ("drop the cache and fix the retry", ["drop the cache", "fix the retry"]),
        ("drop the cache and the login", ["drop the cache and the login"]),
        ("use Python 3.10 e.g. in CI", ["use python 3.10 e.g. in ci"]),
        ("缓存不做了先修重试", ["缓存不做了", "先修重试"]),
        ("缓存不做了 先修重试", ["缓存不做了", "先修重试"]),
        ("不用 Redis 了，改用队列", ["不用 redis 了", "改用队列"]),
        ("see `drop cache` here", ["see              here"]),
    ],
)
def test_a_message_is_cut_where_a_thought_ends(message: str, clauses: list[str]) -> None:
    assert said(message) == clauses


@pytest.mark.parametrize(
    ("message", "mood"),
    [
        ("drop the cache", Mood.SAID),
        ("could you drop the cache?", Mood.SAID),
        ("能不能先别弄图表了？", Mood.SAID),
        ("should we drop the cache", Mood.ASKED),
        ("how do I drop the cache", Mood.ASKED),
        ("要不要先暂停发布", Mood.ASKED),
        ("if it fails, drop it", Mood.CONDITION),
        ("如果失败就取消", Mood.CONDITION),
        ("the user said drop it", Mood.REPORTED),
        ("we won't be doing the cache", Mood.SAID),
        ("先做登录，可以吗？", Mood.SAID),
    ],
)
def test_the_mood_of_a_clause(message: str, mood: Mood) -> None:
    assert moods(split(message, mask(message)))[0] is mood


@pytest.mark.parametrize(
    ("phrase", "ids"),
    [
        ("the caching stuff", "1"),
        ("缓存那块", "1"),
        ("緩存", "1"),
        ("the cahce", "1"),
        ("sign-in", "0"),
        ("登录的报错", "0"),
        ("接口重试", "2"),
        ("API documentation", "3"),
        ("tests for the retry", ""),
        ("payments", ""),
        ("it", ""),
    ],
)
def test_a_phrase_finds_its_task_in_either_language(phrase: str, ids: str) -> None:
    assert "".join(task.id for task in find(phrase, BOARD).tasks) == ids


def test_a_phrase_that_fits_two_tasks_finds_both() -> None:
    pages = [BoardTask("a", "Redesign the login page", "queued"), BoardTask("b", "Login for partners", "queued")]
    assert [task.id for task in find("the login", pages).tasks] == ["a", "b"]


@pytest.mark.parametrize("phrase", ["the login button", "登录按钮", "the retry timer"])
def test_a_part_of_a_thing_is_no_name_for_its_task(phrase: str) -> None:
    assert find(phrase, BOARD).tasks == ()


def test_the_lexicon_is_broad_and_its_marks_name_its_concepts() -> None:
    lines = [line.partition(" = ") for line in CONCEPTS.strip().splitlines()]
    names = {english_words.split(",")[0].strip() for english_words, _, _ in lines}
    assert len(lines) >= 150
    assert all(chinese_words for _, _, chinese_words in lines)
    assert names >= WEAK
    assert names >= HEADS


@pytest.mark.parametrize("word", ["cache", "caches", "cached", "caching", "缓存", "快取"])
def test_forms_of_a_word_are_one_concept(word: str) -> None:
    assert concepts(word) == ("cache",)


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("drop", {"dropped", "dropping"}),
        ("shelve", {"shelved", "shelving"}),
        ("call_off", {"called_off", "calling_off"}),
    ],
)
def test_a_verb_is_bent_as_english_bends_it(verb: str, forms: set[str]) -> None:
    assert forms <= set(inflect(verb))


@pytest.mark.parametrize(
    ("sections", "macros"),
    [
        (english.PLAN, english.MACROS),
        (chinese.PLAN, chinese.MACROS),
        (cues.LABELS_EN, cues.MACROS),
        (cues.LABELS_ZH, cues.MACROS),
        (moodcues.EN, moodcues.MACROS),
        (moodcues.ZH, moodcues.MACROS),
    ],
    ids=["english", "chinese", "labels-en", "labels-zh", "mood-en", "mood-zh"],
)
def test_every_template_is_well_formed(sections: tuple[tuple[str, str], ...], macros: dict[str, str]) -> None:
    book = Phrasebook(sections, macros, anywhere=False)
    for template in book.templates:
        assert template.triggers, template
        for element in template.elements:
            assert element.slot or element.phrases
            for phrases in (element.phrases or {}).values():
                assert not any(set("[]{}*|_") & set(word) for phrase in phrases for word in phrase), template


def test_fillers_are_stripped_and_remembered() -> None:
    found = lead("ok so please also drop it then")
    assert found.body == "drop it"
    assert {"please also", "then"} <= found.words


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("also add tests for the export please", "Add tests for the export"),
        ("let's fix the payment webhook first", "Fix the payment webhook"),
        ("顺便写一份部署文档吧", "写一份部署文档"),
        ("先把支付超时修好", "修好支付超时"),
        ("add a task to rotate the keys", "Rotate the keys"),
        ("please", "Please"),
    ],
)
def test_a_title_is_the_clause_without_the_talk(words: str, told: str) -> None:
    assert title(words) == told


@pytest.mark.parametrize(
    ("words", "kind", "priority"),
    [
        ("add tests for the export", "test", "normal"),
        ("write a guide", "documentation", "normal"),
        ("investigate the outage asap", "investigation", "high"),
        ("修复支付回调", "implementation", "normal"),
        ("马上排查登录异常", "investigation", "high"),
    ],
)
def test_kind_and_priority_come_from_the_words(words: str, kind: str, priority: str) -> None:
    task = new_task(words)
    assert (task.kind, task.priority) == (kind, priority)
    assert new_task(words, first=True).priority == "high"
