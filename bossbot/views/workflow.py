"""The card of a workflow or another background task: its phases and agents as a tree, live, in one place."""

from bossbot.channel import Action, Block, Button, ButtonStyle, Card, Note, Row, Rows, Tone, Verb
from bossbot.domain.snapshot import AGENT, ENDED
from bossbot.domain.task import StepState, Task, TaskStatus
from bossbot.views.plan import TONES, status_word

MAX_AGENT_ROWS = 40
"""Beyond this many agents the card shows those that run or failed, and counts the others."""

PREVIEW_CHARS = 80

REASONED = frozenset(TaskStatus) - {TaskStatus.RUNNING, TaskStatus.WAITING_APPROVAL, TaskStatus.COMPLETED}
"""In these states the card says why."""


def task_card(task: Task) -> Card:
    """The card as the task stands. Agents whose end was never told are shown as unknown once the task has ended."""
    blocks: list[Block] = []
    rows = _rows(task)
    if rows:
        blocks.append(Rows(tuple(rows)))
    blocks.append(Note(_numbers(task)))
    if task.reason and task.status in REASONED:
        blocks.append(Note(_reason(task)))
    noun = "Workflow" if task.origin == "workflow" else "Background task"
    stop = Button("Stop", Action(Verb.STOP, task.id).encode(), ButtonStyle.DANGER)
    return Card(
        title=f"{noun} {task.title} · {status_word(task.status)}",
        tone=TONES[task.status],
        blocks=tuple(blocks),
        buttons=((stop,),) if task.live else (),
        fallback=f"{noun} {task.title}: {status_word(task.status)}",
    )


def _reason(task: Task) -> str:
    """Why it is not running; and which try comes next, where it is tried again."""
    if task.status in (TaskStatus.QUEUED, TaskStatus.ASSIGNED) and task.retry_count:
        return f"Try {task.retry_count + 1}: {task.reason}"
    return task.reason


def _rows(task: Task) -> list[Row]:
    agents = sorted((s for s in task.steps.values() if s.entry_type == AGENT), key=lambda s: s.index or 0)
    rows: list[Row] = []
    for index, title in sorted(_phases(task, agents).items()):
        inside = [a for a in agents if (a.phase_index or 0) == index]
        if title:
            rows.append(Row(title, _phase_tone(task, inside), _phase_detail(inside), 0))
        rows += _agent_rows(task, inside, level=1 if title else 0, crowded=len(agents) > MAX_AGENT_ROWS)
    return rows


def _phases(task: Task, agents: list[StepState]) -> dict[int, str]:
    found = dict(task.phases)
    for agent in agents:
        found.setdefault(agent.phase_index or 0, agent.phase_title)
    return found


def _agent_rows(task: Task, agents: list[StepState], *, level: int, crowded: bool) -> list[Row]:
    shown = [a for a in agents if a.state not in ENDED or a.state == "error"][:MAX_AGENT_ROWS] if crowded else agents
    return [Row(a.label or a.key, _tone(task, a.state), _detail(task, a), level) for a in shown]


def _tone(task: Task, state: str) -> Tone:
    match state:
        case "done" | "cached":
            return Tone.GOOD
        case "error":
            return Tone.BAD
        case _:
            return Tone.RUNNING if task.live else Tone.UNKNOWN


def _detail(task: Task, agent: StepState) -> str:
    word = {"start": "running" if task.live else "unknown", "error": "failed"}.get(agent.state, agent.state)
    tokens = f"{agent.tokens} tokens" if agent.tokens else ""
    preview = " ".join(agent.summary.split())
    if len(preview) > PREVIEW_CHARS:
        preview = preview[: PREVIEW_CHARS - 1] + "…"
    return " · ".join(part for part in (word, tokens, preview) if part)


def _phase_tone(task: Task, agents: list[StepState]) -> Tone:
    if not agents:
        return Tone.NEUTRAL
    if any(a.state not in ENDED for a in agents):
        return Tone.RUNNING if task.live else Tone.UNKNOWN
    return Tone.BAD if any(a.state == "error" for a in agents) else Tone.GOOD


def _phase_detail(agents: list[StepState]) -> str:
    if not agents:
        return "not begun"
    ended = sum(a.state in ENDED for a in agents)
    return f"{ended}/{len(agents)}"


def _numbers(task: Task) -> str:
    parts = []
    if task.progress_percent is not None:
        parts.append(f"{task.progress_percent}%")
    if task.live and task.current_step:
        parts.append(f"now: {task.current_step}")
    if task.live and task.next_step:
        parts.append(f"next: {task.next_step}")
    if task.total_tokens:
        parts.append(f"{task.total_tokens} tokens")
    if not task.live and task.summary:
        parts.append(task.summary)
    return " · ".join(parts) or status_word(task.status)
