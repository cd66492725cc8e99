"""A message walked clause by clause: what is done to which tasks, what waits for a condition, what was named."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bossbot.intent.acts import Act, lead
from bossbot.intent.choose import act_of, major
from bossbot.intent.clauses import Clause
from bossbot.intent.match import bare_name
from bossbot.intent.mood import Mood, affirms, conditional_parts
from bossbot.intent.targets import Meant, meant, names_nothing
from bossbot.intent.types import Board, BoardTask

OUTRIGHT = (Mood.SAID, Mood.AGREED)
"""Only what is said outright, or agreed to, changes the plan now."""

_LIFECYCLE = re.compile(
    r"^(?:pause|stop|halt|suspend|hold|freeze|kill|interrupt|abort)\b|暂停|停掉|停下|停止|停一下|停了|停"
)
_RUN = re.compile(
    r"\b(?:run|build|job|process|command|session|turn|step|last|current|running)\b"
    r"|刚才|刚刚|这次|上次|上一个|运行|命令"
)
_AND = re.compile(r"\band\b|&|和|还有|以及|也|、")
_PLEASE = frozenset({"please", "pls", "plz", "now", "instead", "only", "just"})
_BOTH = re.compile(r"\b(?:both|all|are)\b|都")
_TOUCH = re.compile(r"\btouch|(?:别|不要|不能|不许|不用)(?:再|去)?(?:碰|动|改)")


@dataclass(slots=True)
class Plan:
    """What a message asks of the plan, in the order it was said."""

    acts: list[tuple[Act, Meant]] = field(default_factory=list)
    evidence: list[Clause] = field(default_factory=list)
    conditions: list[Clause] = field(default_factory=list)
    spoken: set[BoardTask] = field(default_factory=set)
    """Tasks the person named: "the rest" is all the others."""

    @property
    def changes(self) -> bool:
        return any(act.kind != "keep" for act, _ in self.acts) or bool(self.conditions)

    @property
    def control(self) -> bool:
        """A lone lifecycle verb with its task: the run is told to stop, the goal stays."""
        acts = [pair for pair in self.acts if pair[0].kind != "keep"]
        return len(acts) == 1 and not self.conditions and _lifecycle(*acts[0])


def read(clauses: Sequence[Clause], moods: Sequence[Mood], board: Board) -> Plan:
    """Walk the clauses, remember what was spoken of last, gather what is said outright."""
    plan, topic, work = Plan(), tuple[BoardTask, ...](), list[tuple[Act, Meant]]()
    for clause, mood in zip(clauses, moods, strict=True):
        act, found = _outright(clause, mood, board, topic, plan)
        if mood is Mood.CONDITION:
            _hold(plan, clause, board, topic, [c for c, m in zip(clauses, moods, strict=True) if m is mood])
        elif act is None:
            _continue(plan, clause, mood, board)
            work.extend(filter(None, [_wanted(clause, mood, board)]))
        elif act.kind == "work":
            work.append((act, found))
        else:
            taken = {task for _, earlier in plan.acts for task in earlier.tasks}
            named = _named_before(clause, act, clauses, board)
            plan.acts.extend((act, name) for name in named if taken.isdisjoint(name.tasks))
            _take(plan, act, found)
        topic = _topic(clause, found, board) or topic
        plan.spoken.update(topic if mood in OUTRIGHT else ())
    _promote(plan, work)
    return plan


def _outright(
    clause: Clause, mood: Mood, board: Board, topic: Sequence[BoardTask], plan: Plan
) -> tuple[Act | None, Meant]:
    if mood not in OUTRIGHT or affirms(clause.norm):
        return None, Meant()
    act, found = act_of(clause, board, topic, [act for act, _ in plan.acts], decided=mood is Mood.AGREED)
    files = found.scope in {"rest", "all"} and _TOUCH.search(clause.norm)
    return (None, Meant()) if files else (act, found)


def _take(plan: Plan, act: Act, found: Meant) -> None:
    plan.acts.append((act, found))
    plan.evidence.append(act.clause)


def _hold(plan: Plan, clause: Clause, board: Board, topic: Sequence[BoardTask], conditional: list[Clause]) -> None:
    """Keep the whole conditional sentence for later when some part of it would change the plan."""
    for part in conditional_parts(clause.norm):
        act, found = act_of(replace(clause, norm=part), board, topic, [act for act, _ in plan.acts])
        if act and act.kind not in {"keep", "work"} and (act.firm or found.tasks):
            same = [c for c in conditional if c.sentence == clause.sentence]
            plan.conditions.extend(c for c in same if c not in plan.conditions)
            return


def _continue(plan: Plan, clause: Clause, mood: Mood, board: Board) -> None:
    """A bare name goes on with the act before it: "drop the cache, the login and the docs", "order: login, docs"."""
    named = _bare(clause, board)
    if mood is not Mood.SAID or named is None or not plan.acts or plan.evidence[-1].sentence != clause.sentence:
        return
    act, _ = plan.acts[-1]
    if act.kind in {"cancel", "pause"} and _AND.search(clause.norm):
        _take(plan, replace(act, clause=clause), named)
    elif act.kind in {"goal", "first"} and any(earlier.kind == "goal" for earlier, _ in plan.acts):
        _take(plan, replace(act, kind="first", clause=clause, target=clause.norm, behind=""), named)


def _wanted(clause: Clause, mood: Mood, board: Board) -> tuple[Act, Meant] | None:
    """ "Retries please": beside a removal, a bare name is what is wanted."""
    now = clause.norm.removesuffix(" now")
    named = _bare(replace(clause, norm=now), board)
    pleads = now != clause.norm or bool(_PLEASE & lead(clause.norm).words)
    if mood is not Mood.SAID or named is None or not pleads:
        return None
    return Act("work", clause.norm, "", clause, firm=False), named


def _bare(clause: Clause, board: Board) -> Meant | None:
    found = meant(clause.norm, board)
    named = found.clear and found.scope == "named" and not clause.norm.startswith(("not ", "不是"))
    return found if named and bare_name(clause.norm, [task.title for task in found.tasks]) else None


def _named_before(clause: Clause, act: Act, clauses: Sequence[Clause], board: Board) -> list[Meant]:
    """ "The redesign and the guide are both cancelled": the name before "and" shares what is said of both."""
    at = clauses.index(clause)
    if not at or clauses[at - 1].sentence != clause.sentence:
        return []
    shared = act.kind in {"cancel", "pause"} and _BOTH.search(clause.norm)
    listed = act.kind == "first" and (act.then or clause.start - clauses[at - 1].end >= 4)
    named = _bare(clauses[at - 1], board)
    return [named] if named and (shared or listed) else []


def _topic(clause: Clause, found: Meant, board: Board) -> tuple[BoardTask, ...]:
    if found.clear and found.scope == "named":
        return found.tasks
    spoken = meant(clause.norm, board)
    return spoken.tasks if spoken.clear and spoken.scope == "named" else ()


def _promote(plan: Plan, work: list[tuple[Act, Meant]]) -> None:
    """Work named beside a removal is what is wanted instead; large new work alone is an addition."""
    instead = any(act.kind in {"cancel", "pause", "goal"} for act, _ in plan.acts)
    for act, found in work:
        if instead:
            _take(plan, replace(act, kind="first"), found)
        elif not found.tasks and major(act):
            _take(plan, replace(act, kind="add"), found)
    plan.evidence.sort(key=lambda clause: clause.start)


def _lifecycle(act: Act, found: Meant) -> bool:
    if act.kind == "cancel" and not found.tasks:
        return names_nothing(_RUN.sub(" ", act.target))
    return act.kind in {"pause", "cancel"} and bool(_LIFECYCLE.search(lead(act.clause.norm).body or act.clause.norm))
