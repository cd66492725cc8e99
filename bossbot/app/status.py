"""Cards that answer a question about the bot itself: `/status`, `/artifacts` and `/help`."""

from bossbot.channel import Block, Card, Markdown, Note, Row, Rows, Tone
from bossbot.domain.events import ArtifactCreated
from bossbot.domain.giving_up import waits_for_retry
from bossbot.domain.state import SessionState
from bossbot.views.plan import TONES, status_word
from bossbot.views.turn import delay

_HELP = """Write what you want done; the manager works on it and answers here.

- `approve` or `reject: reason` — decide what waits (the buttons do the same)
- `reject and stop` — reject it, and stop everything that runs
- `stop` — stop everything that runs in this session
- `!now …` — read this at once, also in the middle of a turn · `!replace …` — stop the turn, do this instead
- `!queue …` — wait for the end of the turn (what happens to every other message, unless configured)
- `!status` — what is going on (on Telegram `/` does as well as `!`)
- `!artifacts` — the newest outputs that were kept whole in files
- `!new` — close this session; your next message starts another
- `!rename Fix the login` — another title for this session; `!archive` — close it and put it away
- change your mind in your own words: “drop the cache, fix the retry first” shows a change of plan to apply or not"""


def help_card() -> Card:
    """What one can say here."""
    return Card(title="bossbot", blocks=(Markdown(_HELP),))


def artifacts_card(state: SessionState) -> Card:
    """The newest whole outputs, by the ids under which they can be read where the bot runs."""
    if not state.artifacts:
        return Card(blocks=(Note("No output was kept in a file yet: all were short enough for the log."),))
    rows = tuple(
        Row(artifact.name, Tone.UNKNOWN if artifact.truncated else Tone.NEUTRAL, _size(artifact))
        for artifact in reversed(state.artifacts)
    )
    return Card(title="Artifacts", blocks=(Rows(rows), Note("Read one where the bot runs: bossbot artifact ID")))


def _size(artifact: ArtifactCreated) -> str:
    cut = ", cut at the bound" if artifact.truncated else ""
    return f"{artifact.id} · {artifact.size_bytes:,} bytes{cut}"


def status_card(state: SessionState) -> Card:
    """What is going on in the session."""
    blocks: list[Block] = []
    rows = tuple(Row(t.title, TONES[t.status], status_word(t.status)) for t in state.live_tasks)
    if rows:
        blocks.append(Rows(rows))
    waiting = len(state.pending_approvals)
    lines = [
        f"Manager: {_doing(state)}",
        f"Waiting for a decision: {waiting}" if waiting else "",
        f"Messages that wait: {len(state.queue)}" if state.queue else "",
        f"Objective: {state.objective}" if state.objective else "",
        _worker(state),
    ]
    blocks.append(Note("\n".join(line for line in lines if line)))
    return Card(title=state.title, tone=Tone.RUNNING if state.busy else Tone.NEUTRAL, blocks=tuple(blocks))


def _doing(state: SessionState) -> str:
    if state.turn is not None and state.turn.delayed is not None:
        return f"waiting: {delay(state.turn.delayed)}"
    if state.turn is not None:
        tool = f", now {state.turn.current_tool[:80]}" if state.turn.current_tool else ""
        return f"working ({state.turn.tool_calls} tool calls{tool})"
    if state.running_background:
        return "a background task runs"
    if state.asks_how_to_go_on:
        return "waits for your decision: try again, or give up"
    return "idle, and tries again what failed" if waits_for_retry(state) else "idle"


def _worker(state: SessionState) -> str:
    worker = state.worker
    if worker is None:
        return "Agent: not started yet"
    workflows = "" if worker.workflows else " · workflows are off"
    return f"Agent: {worker.dialect} {worker.model} · {worker.status}{workflows}"
