"""A person's typing as Slack's own clients send it: escaped text, and the same as a rich_text block."""

import html
import re

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import SLACK_BOT_NAME, SlackTeam

_TOKEN = re.compile(r"<([@#!]?)([^<>|\s]+)(?:\|([^<>\n]*))?>")
_REFERENCE = re.compile(r"(<[@#][UC][A-Z0-9]+>)")
_AT_NAME = re.compile(r"(?<![\w@<])@(\w+)")
_ADDRESS = re.compile(r"(?<![\w<|])(https?://[^\s<>|]+[^\s<>|.,;:!?)\]'\"])")


def typed_text(text: str, team: SlackTeam) -> str:
    """`@ada` and addresses in angle brackets, everything else with `&`, `<` and `>` escaped."""
    names = {person.name: person.id for person in team.people} | {SLACK_BOT_NAME: team.bot_user_id}
    parts = _REFERENCE.split(text)
    return "".join(part if index % 2 else _typed_part(part, names) for index, part in enumerate(parts))


def rich_text(text: str, block_id: str) -> Json:
    """The block that says the same as the text, its `<…>` read as Slack reads them."""
    elements: list[Json] = []
    end = 0
    for found in _TOKEN.finditer(text):
        elements.extend(_plain(text[end : found.start()]))
        elements.append(_reference(found[1], found[2], found[3] or ""))
        end = found.end()
    elements.extend(_plain(text[end:]))
    section: Json = {"type": "rich_text_section", "elements": elements}
    return {"type": "rich_text", "block_id": block_id, "elements": [section]}


def _typed_part(text: str, names: dict[str, str]) -> str:
    escaped = _ADDRESS.sub(r"<\1>", html.escape(text, quote=False))
    return _AT_NAME.sub(lambda found: f"<@{names[found[1]]}>" if found[1] in names else found[0], escaped)


def _plain(text: str) -> list[Json]:
    return [{"type": "text", "text": html.unescape(text)}] if text else []


def _reference(sign: str, name: str, label: str) -> Json:
    if sign == "@":
        return {"type": "user", "user_id": name}
    if sign == "#":
        return {"type": "channel", "channel_id": name}
    if sign == "!" and name in ("channel", "everyone", "here"):
        return {"type": "broadcast", "range": name}
    if sign == "!" and name.startswith("subteam^"):
        return {"type": "usergroup", "usergroup_id": name.removeprefix("subteam^")}
    if sign == "!":
        return {"type": "text", "text": html.unescape(label or name)}
    link: Json = {"type": "link", "url": html.unescape(name)}
    return {**link, "text": html.unescape(label)} if label else link
