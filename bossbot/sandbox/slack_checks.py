"""Would Slack take this message? Blocks by shape, and what several blocks may not do together."""

from bossbot.sandbox.json_types import Json, as_list, as_object, encode
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_params import Args
from bossbot.sandbox.slack_shape import Complaints
from bossbot.sandbox.slack_shapes import MESSAGE, VIEW

TEXT_CUT = 40_000
"""chat.postMessage cuts a longer text off (docs.slack.dev, Truncating content)."""
UPDATE_TEXT = 4_000
MARKDOWN_TEXT = 12_000
MARKDOWN_BLOCKS = 12_000
"""All markdown blocks of one message together (docs.slack.dev, markdown block)."""
ALL_BLOCKS = 13_200
"""Characters of all texts of a message's blocks, as measured by others (slackapi/bolt-js issue 2509)."""
VIEW_BYTES = 250_000


def checked_blocks(args: Args) -> list[Json]:
    """The blocks of a message as Slack would take them. Raises its refusal."""
    value = args.json("blocks", "invalid_blocks_format")
    if value is None:
        return []
    values = as_list(value)
    if values is None:
        raise SlackError("invalid_blocks_format")
    found = Complaints()
    MESSAGE(values, "/blocks", found)
    blocks = [block for block in map(as_object, values) if block is not None]
    _check_together(blocks, found)
    if found.messages:
        raise SlackError("invalid_blocks", tuple(found.messages))
    if sum(len(text) for block in blocks for text in texts(block)) > ALL_BLOCKS:
        raise SlackError("msg_blocks_too_long")
    return blocks


def checked_text(args: Args, blocks: list[Json], longest: int | None) -> str:
    """The text beside the blocks; `markdown_text` may stand in its place, alone."""
    text, markdown = args.text("text"), args.text("markdown_text")
    if markdown:
        if text or blocks:
            raise SlackError("markdown_text_conflict")
        if len(markdown) > MARKDOWN_TEXT:
            raise SlackError("msg_too_long")
        return markdown
    if longest is not None and len(text) > longest:
        raise SlackError("msg_too_long")
    if not text.strip() and not blocks and not args.has("attachments"):
        raise SlackError("no_text")
    return text[:TEXT_CUT]


def checked_view(args: Args) -> Json:
    """A modal's or a home tab's content."""
    view = as_object(args.json("view", "invalid_arguments"))
    if view is None:
        raise SlackError("invalid_arguments", ("[ERROR] missing required field: view",))
    found = Complaints()
    if view.get("type") not in ("modal", "home"):
        found.add("must be a valid enum value", "/view/type")
    if view.get("type") == "modal" and view.get("title") is None:
        found.add("missing required field: title", "/view")
    VIEW(view, "/view", found)
    if found.messages:
        raise SlackError("invalid_arguments", tuple(found.messages))
    if len(encode(view)) > VIEW_BYTES:
        raise SlackError("view_too_large")
    return view


def texts(value: object) -> list[str]:
    """Every string that a person would read in a block."""
    body, values = as_object(value), as_list(value)
    if values is not None:
        return [text for item in values for text in texts(item)]
    if body is None:
        return []
    found: list[str] = []
    for name, part in body.items():
        if isinstance(part, str):
            if name in ("text", "alt_text"):
                found.append(part)
        else:
            found.extend(texts(part))
    return found


def _check_together(blocks: list[Json], found: Complaints) -> None:
    block_ids: set[str] = set()
    for index, block in enumerate(blocks):
        at = f"/blocks/{index}"
        _check_block(block, at, found)
        block_id = block.get("block_id")
        if isinstance(block_id, str) and block_id:
            if block_id in block_ids:
                found.add(f"block_id already exists: {block_id}", f"{at}/block_id")
            block_ids.add(block_id)
    markdown = [str(block.get("text")) for block in blocks if block.get("type") == "markdown"]
    if sum(map(len, markdown)) > MARKDOWN_BLOCKS:
        found.add(f"all markdown blocks must be less than {MARKDOWN_BLOCKS + 1} characters", "/blocks")


def _check_block(block: Json, at: str, found: Complaints) -> None:
    kind = block.get("type")
    if kind == "section" and block.get("text") is None and block.get("fields") is None:
        found.add("missing required field: text or fields", at)
    if kind == "input":
        found.add("input blocks are not allowed in messages", f"{at}/type")
    if kind in ("image",) and block.get("image_url") is None and block.get("slack_file") is None:
        found.add("missing required field: image_url or slack_file", at)
    if kind == "actions":
        _check_action_ids(as_list(block.get("elements")) or [], f"{at}/elements", found)
    for child_index, child in enumerate(as_list(block.get("child_blocks")) or []):
        body = as_object(child)
        if body is not None:
            _check_block(body, f"{at}/child_blocks/{child_index}", found)


def _check_action_ids(elements: list[object], at: str, found: Complaints) -> None:
    known: set[str] = set()
    for index, element in enumerate(elements):
        action_id = (as_object(element) or {}).get("action_id")
        if not isinstance(action_id, str) or not action_id:
            continue
        if action_id in known:
            found.add(f"`action_id` already exists: {action_id}", f"{at}/{index}/action_id")
        known.add(action_id)
