"""What blocks may not do together: in one message or view, and in one block."""

from bossbot.sandbox.json_types import Json, as_list, as_object, encode
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_params import Args, invalid_arguments
from bossbot.sandbox.slack_shape import Complaints
from bossbot.sandbox.slack_shapes import MARKDOWN, MESSAGE, VIEW

ALL_BLOCKS = 13_200
"""Characters of all texts of a message's blocks, as measured by others (slackapi/bolt-js issue 2509)."""
VIEW_BYTES = 250_000
MESSAGES_ONLY = frozenset({"context_actions", "markdown", "plan", "table", "task_card"})
"""Blocks that no modal and no home tab may have (docs.slack.dev, "Available in surfaces")."""


def checked_blocks(args: Args, name: str = "blocks") -> list[Json]:
    """The blocks of a message as Slack would take them. Raises its refusal."""
    value = args.json(name, "invalid_blocks_format")
    if value is None:
        return []
    values = as_list(value)
    if values is None:
        raise SlackError("invalid_blocks_format")
    return judged_blocks(values, f"/{name}")


def judged_blocks(values: list[object], at: str) -> list[Json]:
    """The same for blocks that stand at `at`."""
    found = Complaints()
    blocks = check_blocks(values, at, found)
    if found.messages:
        raise SlackError("invalid_blocks", tuple(found.messages))
    if length(blocks) > ALL_BLOCKS:
        raise SlackError("msg_blocks_too_long")
    return blocks


def check_blocks(values: list[object], at: str, found: Complaints) -> list[Json]:
    """Complains of what is wrong with a message's blocks, each by itself and all together."""
    MESSAGE(values, at, found)
    blocks = [block for block in map(as_object, values) if block is not None]
    _check_together(blocks, at, found)
    _forbid(blocks, frozenset({"input"}), "{} blocks are not allowed in messages", at, found)
    markdown = sum(len(str(block.get("text"))) for block in blocks if block.get("type") == "markdown")
    if markdown > MARKDOWN:
        found.add(f"all markdown blocks must be less than {MARKDOWN + 1} characters", at)
    return blocks


def length(value: object) -> int:
    """Characters of every string that a person would read in blocks."""
    if isinstance(value, list):
        return sum(map(length, value))
    if not isinstance(value, dict):
        return 0
    total = 0
    for name, part in value.items():
        if isinstance(part, str):
            if name in ("text", "alt_text"):
                total += len(part)
        elif isinstance(part, dict | list):
            total += length(part)
    return total


def checked_view(args: Args) -> Json:
    """A modal's or a home tab's content."""
    view = as_object(args.json("view", "invalid_arguments"))
    if view is None:
        raise invalid_arguments("missing required field: view")
    found = Complaints()
    check_view(view, found)
    if found.messages:
        raise SlackError("invalid_arguments", tuple(found.messages))
    if len(encode(view)) > VIEW_BYTES:
        raise SlackError("view_too_large")
    return view


def check_view(view: Json, found: Complaints) -> None:
    """Complains of what is wrong with a view."""
    blocks = [block for block in map(as_object, as_list(view.get("blocks")) or []) if block is not None]
    if view.get("type") not in ("modal", "home"):
        found.add("must be a valid enum value", "/view/type")
    if view.get("type") == "modal":
        for name in ("title", "submit"):
            needed = name == "title" or any(block.get("type") == "input" for block in blocks)
            if needed and view.get(name) is None:
                found.add(f"missing required field: {name}", "/view")
    VIEW(view, "/view", found)
    _check_together(blocks, "/view/blocks", found)
    _forbid(blocks, MESSAGES_ONLY, "{} blocks are not allowed in views", "/view/blocks", found)


def _check_together(blocks: list[Json], at: str, found: Complaints) -> None:
    block_ids: set[str] = set()
    for index, block in enumerate(blocks):
        block_id = block.get("block_id")
        if isinstance(block_id, str) and block_id:
            if block_id in block_ids:
                found.add(f"block_id already exists: {block_id}", f"{at}/{index}/block_id")
            block_ids.add(block_id)
        if block.get("type") in ("actions", "context_actions"):
            _check_action_ids(as_list(block.get("elements")) or [], f"{at}/{index}/elements", found)
        if block.get("type") == "card":
            _check_action_ids(as_list(block.get("actions")) or [], f"{at}/{index}/actions", found)
        if block.get("type") == "carousel":
            cards = [card for card in map(as_object, as_list(block.get("elements")) or []) if card is not None]
            _check_together(cards, f"{at}/{index}/elements", found)
        if "child_blocks" in block:
            _check_together(_children(block), f"{at}/{index}/child_blocks", found)


def _forbid(blocks: list[Json], kinds: frozenset[str], words: str, at: str, found: Complaints) -> None:
    for index, block in enumerate(blocks):
        kind = block.get("type")
        if isinstance(kind, str) and kind in kinds:
            found.add(words.format(kind), f"{at}/{index}/type")
        if "child_blocks" in block:
            _forbid(_children(block), kinds, words, f"{at}/{index}/child_blocks", found)


def _children(block: Json) -> list[Json]:
    return [child for child in map(as_object, as_list(block.get("child_blocks")) or []) if child is not None]


def _check_action_ids(elements: list[object], at: str, found: Complaints) -> None:
    known: set[str] = set()
    for index, element in enumerate(elements):
        action_id = (as_object(element) or {}).get("action_id")
        if not isinstance(action_id, str) or not action_id:
            continue
        if action_id in known:
            found.add(f"`action_id` already exists: {action_id}", f"{at}/{index}/action_id")
        known.add(action_id)
