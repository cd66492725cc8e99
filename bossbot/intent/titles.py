"""A task's title, kind and priority from the words in which a person asked for it."""

import re

from bossbot.intent import english
from bossbot.intent.phrases import trim, vocabulary
from bossbot.intent.types import NewTask

TITLE_LIMIT = 80
"""Characters of a title: one line of a card on a phone."""

_FRONT = vocabulary(
    english.LEAD
    + "|priority|priority is|new priority|top priority|the priority is|the new priority is|the top priority is|focus"
    "|focus on|focus only on|concentrate on|prioritize|prioritise|start with|begin with|switch to|switch over to"
    "|move on to|make sure"
    "|need|want|a task to|a task for|a new task to|a new task for|add a task to|add a task for|add a task"
    "|new task"
    "|add a ticket to|add a ticket for|open a ticket to|open a ticket for|create a task to"
    "|create a task for|create a ticket to"
    "|create a ticket for|create a task|another task|another issue|new requirement|new feature|new request"
    "|next task|great job|the"
    "|好的|好|行|可以|嗯|那|那么|然后|接着|接下来|接下来要|下一步|另外|此外|除此之外|顺便|顺带|顺手|同时"
    "|还有|麻烦|请|帮我|帮忙|帮|给我"
    "|我们|咱们|你|我|要|想|想要|需要|得|应该|必须|先去|先|首先|优先|最优先|马上|立刻|立即|赶紧|赶快|尽快"
    "|现在|改做|改为|转去|转到|改去"
    "|直接|重点|专注|集中精力|集中|全力|还是|再帮我|再|也|就|都|去|来|当务之急是|最重要的是|最紧急的是"
    "|计划有变|新需求|新增一个需求"
    "|新增需求|新增任务|加个任务|加一个任务|建个任务|建一个任务|开个任务|一个需求|还要|还需要|还得|能不能"
    "|可不可以"
)
_BACK = vocabulary(
    english.TAIL
    + "|first|first thing|now|next|asap|immediately|right away|right now|straight away|at once|urgently|to the board"
    "|to the list|to the plan|to the backlog|to the queue|on the board|on the list|before anything else"
    "|before everything else"
    "|before the rest|before the others|ahead of everything|comes first|come first|has to come first"
    "|goes first|is first"
    "|is next|is the top priority|is top priority|is the priority|takes precedence|takes priority"
    "|吧|了|啊|呀|哦|哈|呢|嘛|先|优先|一下|即可|再说|放到最前|放到最前面|提到最前|提到最前面|排到最前"
    "|排到最前面|排进去|加进去|加进来|排上"
)
_BA = re.compile(
    r"^[把将](?P<x>.+?)(?P<v>修复好?|修[好掉]?|解决掉?|做[完好]|做|搞[定好]|弄好|处理[掉好]?|补[上齐]?|加上|排?查[清明]?楚?|完成|上线"
    r"|写[好完]?|改好|改成.*|优化一?下?|重构|实现|加固|迁移完?|升级|跑通|测一?遍)(?:吧|了|掉)?$"
)
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "investigation",
        re.compile(
            r"\b(?:investigat\w*|look into|dig into|find out|figure out|root cause|diagnos\w*|research|explore|why)\b"
            r"|排查|调查|查明|查一下|查查|看看|定位|调研|为什么|原因"
        ),
    ),
    ("review", re.compile(r"\b(?:review|audit)\b|评审|审查|审计")),
    ("test", re.compile(r"\b(?:tests?|testing|e2e|coverage)\b|测试|单测|用例")),
    (
        "documentation",
        re.compile(r"\b(?:docs?|documentation|readme|guide|manual|changelog|release notes)\b|文档|手册|说明|指南"),
    ),
)
_URGENT = re.compile(
    r"\b(?:urgent(?:ly)?|asap|immediately|right away|right now|critical|prod is down|top priority)\b"
    r"|紧急|马上|立刻|立即|赶紧|尽快"
)


def new_task(words: str, *, first: bool = False) -> NewTask:
    """The task that a clause asks for; one that is to come first is of high priority."""
    said = words.lower()
    kind = next((kind for kind, pattern in _KINDS if pattern.search(said)), "implementation")
    return NewTask(title(words), kind, "high" if first or _URGENT.search(said) else "normal")


def title(words: str) -> str:
    """The clause without the talk around it: "also add tests please" is "Add tests"."""
    text = " ".join(words.split())
    left = trim(text, _FRONT, _BACK)
    bare = text[left.start : left.end] or text
    turned = _BA.match(bare)
    if turned:
        bare = turned["v"] + turned["x"]
    bare = bare.lstrip("把将") if bare[:1] in "把将" else bare
    if len(bare) > TITLE_LIMIT:
        bare = bare[: TITLE_LIMIT - 1].rstrip() + "…"
    return bare[:1].upper() + bare[1:]
