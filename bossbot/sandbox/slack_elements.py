"""The interactive parts of blocks: where they stand, and the ids that Slack gives to what has none."""

from collections.abc import Callable, Iterator

from bossbot.sandbox.json_types import Json, as_list, as_object

ELEMENTS_AT = {
    "actions": "elements",
    "context_actions": "elements",
    "section": "accessory",
    "input": "element",
    "card": "actions",
}
"""Block type → the field that holds its interactive element or elements."""
BLOCKS_AT = {"carousel": "elements", "container": "child_blocks"}
"""Block type → the field that holds more blocks."""

Part = tuple[Json, Json]
"""An element, after the block that it stands in."""


def parts(blocks: list[Json]) -> Iterator[Part]:
    """Every interactive element of these blocks and of the blocks within them."""
    for block in blocks:
        kind = str(block.get("type"))
        for value in _as_many(block.get(ELEMENTS_AT.get(kind, ""))):
            element = as_object(value)
            if element is not None and element.get("type") != "image":
                yield block, element
        within = _as_many(block.get(BLOCKS_AT.get(kind, "")))
        yield from parts([inner for value in within if (inner := as_object(value)) is not None])


def with_ids(blocks: list[Json], new_id: Callable[[str], str]) -> list[Json]:
    """Blocks with a `block_id` each, and an `action_id` for each element."""
    return [_with_ids(block, new_id) for block in blocks]


def _with_ids(block: Json, new_id: Callable[[str], str]) -> Json:
    body = {**block, "block_id": block.get("block_id") or new_id("b")}
    kind = str(block.get("type"))
    at = ELEMENTS_AT.get(kind, "")
    value = body.get(at)
    element = as_object(value)
    if element is not None:
        body[at] = _named(element, new_id)
    elif (elements := as_list(value)) is not None:
        body[at] = [_named(as_object(item) or {}, new_id) for item in elements]
    within = as_list(body.get(BLOCKS_AT.get(kind, "")))
    if within is not None:
        body[BLOCKS_AT[kind]] = [_with_ids(as_object(inner) or {}, new_id) for inner in within]
    return body


def _named(element: Json, new_id: Callable[[str], str]) -> Json:
    if element.get("type") == "image":
        return element
    return {**element, "action_id": element.get("action_id") or new_id("a")}


def _as_many(value: object) -> list[object]:
    values = as_list(value)
    return values if values is not None else [] if value is None else [value]
