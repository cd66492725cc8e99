"""Which reading of a clause holds on this board: the first that names something there, or is firm by itself."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bossbot.intent import chinese, english
from bossbot.intent.acts import Act, Kind, lead, readings
from bossbot.intent.clauses import Clause
from bossbot.intent.match import bare_name, concepts, covers, opens_with
from bossbot.intent.mood import polite
from bossbot.intent.targets import Meant, meant, names_nothing, without_numbers
from bossbot.intent.terms import WEAK
from bossbot.intent.types import Board, BoardTask
from bossbot.intent.words import STOP_EN

_CHANGED_MIND = re.compile(r"\bon second thoughts?\b|\bscratch that\b|\bchanged my mind\b|算了|想了想|改主意")
_BARE_END = re.compile(
    r"\b(?:drop|cancel|scrap|forget|abort|stop|kill|halt|pause|abandon|ditch)\b|取消|停|中止|终止|放弃|暂停"
)
_DOES = re.compile(r"(?:do|finish|fix|build|tackle|handle|ship|implement) ")
_PLAN_PLACE = re.compile(r"\b(?:list|queue|board|backlog|priority|line|tasks?)\b|deprioriti|优先级|往后|任务|最后")
_STEP = re.compile(
    r"(?:ask|show|tell|check|read|run|let|give|explain|plan|propose|list|think|confirm|see|wait|make sure|commit"
    r"|push|try|start|verify|look|send|discuss|talk|double|get m[ey]|stash|pull|save|back ?up|understand"
    r"|write (?:the |a |some )?(?:failing )?tests?|write (?:down|up|out)|review (?:the )?(?:plan|code)"
    r"|finish th[ai][ts]|do (?:that|this|it)|with|you|i|me|one|at|use|restart|install|build$|come up|analy[sz]e|print"
    r"|log|type|press|click)\b"
)
"""What "first" makes a step of one task, not a place among tasks."""
_NO_TASK = re.compile(
    r"^(?:show|tell|explain|describe|summari[sz]e|list|ask|give me|let me|walk me|make sure|run|commit"
    r"|push(?! notif))\b"
    r"|先(?:解释|说|等|讲|告诉|给我|让|问|列|总结|跑|读|提交|备份|确认)|先看.*(?:日志|代码|报错|配置|文件)"
    r"|先(?:清|刷新|删|备份|点|打开|关|启动|重启|装|拉|编译|构建)|就会|就报错|就能|就好了"
)
"""Steps even when they name a task: "show me the retry code first"."""
_STATEMENT = re.compile(r"\b(?:is|are|was|were|has been|isn't|aren't)\b")
_MAJOR = re.compile(
    r"^(?:fix|solve|resolve|repair|debug|refactor|rebuild|rewrite|migrate|upgrade|improve|optimi[sz]e|redesign"
    r"|stabili[sz]e|support|unblock|tackle)\b|修复|修好|修掉|修|解决|重构|重建|重写|优化|迁移|升级|改造|搭建|设计"
    r"|开发|实现|调研|排查"
)
_OF_EVERY_TASK = frozenset({"test", "lint", "type", "build", "pipeline", "log", "style", "comment", "branch"})
"""Concepts that are part of any work: to fix the tests is no new task."""
_CODE_EN, _CODE_ZH = frozenset(english.CODE.split("|")), tuple(chinese.CODE.split("|"))
_QUALIFIED = re.compile(r" (?:for|in|to|on|from) ")
_PLACE = re.compile(r"\W*(?:the\W+)?(?:before|after|around|between|at) ")
"""A place in the text or code: "drop the '-' before each commit"."""


def act_of(
    clause: Clause, board: Board, topic: Sequence[BoardTask], before: Sequence[Act], *, decided: bool = False
) -> tuple[Act | None, Meant]:
    """What the clause asks, and of which tasks; `decided` says that a question was answered with a yes."""
    for act in readings(replace(clause, norm=polite(clause.norm))):
        act = replace(act, firm=act.firm or decided or bool(_CHANGED_MIND.search(clause.norm)))
        if topic and act.behind and names_nothing(act.behind):
            act = replace(act, behind=topic[0].title)
        found = meant(act.target, board, topic)
        if _makes_sense(act, found, board):
            return _as_meant(act, found, before), found
    return None, Meant()


def major(act: Act) -> bool:
    """Work large enough for a card of its own, by its verb: "refactor the parser", not "look at the parser"."""
    strong = {concept for concept in concepts(act.target) if concept not in WEAK}
    verb = _MAJOR.search(lead(act.clause.norm).body)
    return bool(verb) and bool(strong - _OF_EVERY_TASK) and not _in_code(act.target)


def _makes_sense(act: Act, found: Meant, board: Board) -> bool:
    known = bool(found.tasks)
    match act.kind:
        case "keep" | "goal" | "task":
            return True
        case "cancel" | "pause":
            return (known and (act.firm or _plain(act.target, found))) or (
                act.firm and not known and _ends_something(act)
            )
        case "last":
            return known or (bool(_PLAN_PLACE.search(act.clause.norm)) and bool(concepts(act.target)))
        case "order" if not known and act.firm and _DOES.match(lead(act.clause.norm).body):
            return _creatable(act)
        case "swap" | "order" | "after":
            behind = meant(act.behind, board)
            apart = set(found.tasks).isdisjoint(behind.tasks)
            return known and bool(behind.tasks) and apart and _plain(act.target, found) and _plain(act.behind, behind)
        case "first":
            return not _NO_TASK.search(lead(act.clause.norm).body) and (
                opens_with(without_numbers(act.target), _titles(found)) if known else act.firm and _creatable(act)
            )
        case "add" | "work":
            return not _STATEMENT.search(act.target) and (known or _creatable(act))


def _plain(target: str, found: Meant) -> bool:
    """True when the words name the tasks and nothing else: "skip the cache when idle" is about the code."""
    return found.scope != "named" or bare_name(without_numbers(target), _titles(found)) or not concepts(target)


def _titles(found: Meant) -> list[str]:
    return [f"{task.title} {task.id}" for task in found.tasks]


def _ends_something(act: Act) -> bool:
    if names_nothing(act.target):
        return bool(_BARE_END.search(act.clause.norm))
    return not _PLACE.match(act.target) and not _in_code(act.target)


def _as_meant(act: Act, found: Meant, before: Sequence[Act]) -> Act:
    """An addition that the board already has is work on it; "next" and "also" tell bare work apart."""
    kind: Kind = act.kind
    if kind in {"add", "task"} and found.clear and any(covers(task.title, act.target) for task in found.tasks):
        kind = "work"
    if kind == "work":
        follows = act.then and any(earlier.kind == "first" for earlier in before)
        if (act.next or follows) and not _NO_TASK.search(lead(act.clause.norm).body):
            kind = "first"
        elif act.also and not any(covers(task.title, act.target) for task in found.tasks):
            kind = "add"
    return replace(act, kind=kind)


def _creatable(act: Act) -> bool:
    """A thing that could be a card of its own: it has a name, and is no step of the work nor a detail of the code."""
    words = act.target.strip() or act.clause.norm
    telling = [concept for concept in concepts(words) if concept not in WEAK and not concept.isdigit()]
    if not telling or (act.kind == "add" and concepts(words)[-1] == "fix"):
        return False
    return not _STEP.match(words) if act.kind == "first" else not _in_code(words)


def _in_code(words: str) -> bool:
    """Whether the thing named is a detail of the code: "a log line", but not "the review comments"."""
    nouns = [noun for noun in re.findall(r"[a-z]+", _QUALIFIED.split(words)[0]) if noun not in STOP_EN]
    english_detail = bool(nouns) and nouns[-1] in _CODE_EN and not {"review", "pr"} & set(nouns)
    return english_detail or any(word in words for word in _CODE_ZH)
