"""What is streamed into a message: chunks of text, tasks, plans and blocks, and the blocks they become."""

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.slack_checks import ALL_BLOCKS, check_blocks, length
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_params import Args
from bossbot.sandbox.slack_shape import Check, Complaints, by_type, items, shape, string
from bossbot.sandbox.slack_shapes import MARKDOWN, MESSAGE_BLOCKS, SOURCE, STATUS
from bossbot.sandbox.slack_typing import rich_text

CHUNKS = 1_000
TASK_TEXT = 40_000
"""The documented 256 characters are not enforced (vercel/chat pull 886, tried on a live workspace)."""


def _blocks(value: object, at: str, found: Complaints) -> None:
    values = as_list(value)
    if not values:
        found.add("must be an array" if values is None else "no fewer than 1 items allowed", at)
    check_blocks(values or [], at, found)


KINDS: dict[str, Check] = {
    "markdown_text": shape({"text": string(MARKDOWN, 1)}),
    "task_update": shape(
        {"id": string(TASK_TEXT, 1), "title": string(TASK_TEXT, 1), "status": STATUS},
        {"details": string(TASK_TEXT), "output": string(TASK_TEXT), "sources": items(SOURCE, 100)},
    ),
    "plan_update": shape({"title": string(TASK_TEXT, 1)}),
    "blocks": shape({"blocks": _blocks}),
}
_CHUNKS = items(by_type(KINDS), CHUNKS)


def checked_chunks(args: Args) -> list[Json]:
    """`chunks`, or `markdown_text` as a chunk; never both."""
    values = as_list(args.json("chunks", "invalid_chunks")) or []
    markdown = args.text("markdown_text")
    if markdown and values:
        raise SlackError("invalid_arguments", ("[ERROR] only one of markdown_text or chunks is allowed",))
    if len(markdown) > MARKDOWN:
        raise SlackError("msg_too_long")
    if markdown:
        return [{"type": "markdown_text", "text": markdown}]
    found = Complaints()
    _CHUNKS(values, "/chunks", found)
    if found.messages:
        raise SlackError("invalid_chunks", tuple(found.messages))
    return [chunk for chunk in map(as_object, values) if chunk is not None]


def streamed(blocks: list[Json], chunks: list[Json], as_plan: bool) -> list[Json]:
    """The blocks of a message after these chunks. Raises what Slack says when they are too much for one message."""
    result = list(blocks)
    for chunk in chunks:
        match chunk["type"]:
            case "markdown_text":
                _add_text(result, str(chunk["text"]))
            case "task_update":
                _set_task(result, chunk, as_plan)
            case "plan_update":
                _set_plan(result, {"title": chunk["title"]})
            case _:
                result += [block for block in map(as_object, as_list(chunk["blocks"]) or []) if block is not None]
    check_size(result)
    return result


def check_size(blocks: list[Json]) -> None:
    """One streamed message holds 12,000 characters of markdown in all (CopilotKit pull 6064, tried live)."""
    if len(blocks) > MESSAGE_BLOCKS:
        raise SlackError("msg_blocks_too_many")
    markdown = [block for block in blocks if block["type"] == "markdown"]
    if length(markdown) > MARKDOWN:
        raise SlackError("msg_too_long")
    if length([block for block in blocks if block["type"] not in ("markdown", "task_card", "plan")]) > ALL_BLOCKS:
        raise SlackError("msg_blocks_too_long")


def markdown_of(blocks: list[Json]) -> str:
    """The text of a streamed message."""
    return "".join(str(block["text"]) for block in blocks if block["type"] == "markdown")


def _add_text(blocks: list[Json], text: str) -> None:
    if blocks and blocks[-1]["type"] == "markdown":
        blocks[-1] = {**blocks[-1], "text": f"{blocks[-1]['text']}{text}"}
    else:
        blocks.append({"type": "markdown", "text": text})


def _set_task(blocks: list[Json], chunk: Json, as_plan: bool) -> None:
    if not as_plan:
        _put(blocks, chunk)
        return
    plan = next((block for block in blocks if block["type"] == "plan"), {})
    tasks = [task for task in map(as_object, as_list(plan.get("tasks")) or []) if task is not None]
    _put(tasks, chunk)
    _set_plan(blocks, {"tasks": tasks})


def _put(cards: list[Json], chunk: Json) -> None:
    """A task's new state in the place of its old one, or at the end."""
    card: Json = {"type": "task_card", "task_id": chunk["id"], "title": chunk["title"], "status": chunk["status"]}
    for name in ("details", "output"):
        if isinstance(chunk.get(name), str) and chunk[name]:
            card[name] = rich_text(str(chunk[name]), f"{chunk['id']}-{name}")
    if chunk.get("sources"):
        card["sources"] = chunk["sources"]
    for index, known in enumerate(cards):
        if known["type"] == "task_card" and known["task_id"] == chunk["id"]:
            cards[index] = {**known, **card}
            return
    cards.append(card)


def _set_plan(blocks: list[Json], change: Json) -> None:
    for index, block in enumerate(blocks):
        if block["type"] == "plan":
            blocks[index] = {**block, **change}
            return
    blocks.append({"type": "plan", "title": "", "tasks": [], **change})
