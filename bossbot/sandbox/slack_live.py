"""Which parts of a message act: mentions that notify, references that link, links that lie about where they go.

Slack reads `<…>` in a message's text, in mrkdwn objects, in markdown blocks and streamed text, and in attachments;
plain_text objects and the texts of rich_text are shown as they are. What acts by its type (a `user` element of
rich_text) counts too. Code spans do not protect: `<@U…>` inside them is read all the same.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from bossbot.sandbox.json_types import Json, as_list, as_object

_TOKEN = re.compile(r"<([^<>\n]*)>")
_KINDS = (
    ("broadcast", re.compile(r"!(?:channel|here|everyone|group)\b.*", re.IGNORECASE)),
    ("usergroup", re.compile(r"!subteam\^\w+.*", re.IGNORECASE)),
    ("user", re.compile(r"@[UWB]\w+(?:\|.*)?", re.IGNORECASE)),
    ("channel", re.compile(r"#[CG]\w+(?:\|.*)?", re.IGNORECASE)),
)
_TYPED_MENTION = re.compile(r"(?<![\w@/.])@(?:channel|here|everyone)\b")
"""What `parse=full` and `link_names` turn into a mention (docs.slack.dev, chat.postMessage, Formatting)."""
_MARKDOWN_LINK = re.compile(
    r"\[((?:[^\[\]\n]|\n(?!\n)|\[[^\[\]\n]*\]){1,3000})\]"  # brackets may stand in its label in pairs
    r"\(\s{0,9}<?([^\s<>()]{1,3000}(?:\([^\s<>()]{0,3000}\)[^\s<>()]{0,3000}){0,9})>?[^\n]{0,300}?\)"
)
_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]*://|www\.)\S+"
    r"|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|ai|edu|gov|co|me|info|eu|de|uk|cn)(?![\w-]|\.\w)(?:[/:?#]\S*)?",
    re.IGNORECASE,
)
_WRITTEN_OUT = re.compile(r"(?:https?://|\bwww\.)[^\s<>()\[\]{}]+", re.IGNORECASE)
"""An address that nobody could take for something else; it may stand anywhere in a label."""
_AROUND = "*_~`\"'([{<>)]}.,;!?\u200b\u200c\u200d\u2060\ufeff"
"""What may surround an address in a label: marks of markdown, brackets, signs that do not show."""
_RICH = {
    "broadcast": ("broadcast", "range"),
    "user": ("user", "user_id"),
    "usergroup": ("usergroup", "usergroup_id"),
    "channel": ("channel", "channel_id"),
}
_ATTACHED_TEXTS = ("text", "pretext", "fallback", "title", "footer")
_ATTACHED_LINKS = {"title": "title_link", "author_name": "author_link"}


def live(text: str, blocks: list[Json], attachments: list[Json], links_names: bool = False) -> list[Json]:
    """Everything in a message that acts, each with its kind, its words, and the place it stands at."""
    found = list(_in_mrkdwn(text, "/text"))
    if links_names:
        found += [_entry("broadcast", match[0], "/text") for match in _TYPED_MENTION.finditer(text)]
    found += _in_value(blocks, "/blocks")
    for index, attachment in enumerate(attachments):
        found += _in_attachment(attachment, f"/attachments/{index}")
    return found


def _in_attachment(attachment: Json, at: str) -> Iterator[Json]:
    for name in _ATTACHED_TEXTS:
        yield from _in_mrkdwn(attachment.get(name), f"{at}/{name}")
    for name, link in _ATTACHED_LINKS.items():
        if isinstance(attachment.get(link), str):
            yield from _in_link(str(attachment[link]), attachment.get(name), f"{at}/{name}")
    for index, field in enumerate(as_list(attachment.get("fields")) or []):
        for name in ("title", "value"):
            yield from _in_mrkdwn((as_object(field) or {}).get(name), f"{at}/fields/{index}/{name}")
    yield from _in_value(attachment.get("blocks"), f"{at}/blocks")


def _in_value(value: object, at: str) -> Iterator[Json]:
    """Blocks, elements and texts, however deep."""
    for index, item in enumerate(as_list(value) or []):
        yield from _in_value(item, f"{at}/{index}")
    body = as_object(value)
    if body is None:
        return
    kind = body.get("type")
    if kind == "mrkdwn":
        yield from _in_mrkdwn(body.get("text"), f"{at}/text")
    elif kind == "markdown":
        yield from _in_markdown(body.get("text"), f"{at}/text")
    elif kind in ("link", "url"):  # "url": a source of a task
        yield from _in_link(str(body.get("url")), body.get("text"), at)
    elif kind == "button" and isinstance(body.get("url"), str):
        yield from _in_link(str(body["url"]), (as_object(body.get("text")) or {}).get("text"), at)
    elif isinstance(kind, str) and kind in _RICH:
        name, field = _RICH[kind]
        if isinstance(body.get(field), str):
            yield _entry(name, str(body[field]), at)
    for name, part in body.items():
        if isinstance(part, dict | list):
            yield from _in_value(part, f"{at}/{name}")


def _in_markdown(text: object, at: str) -> Iterator[Json]:
    yield from _in_mrkdwn(text, at)
    if isinstance(text, str):
        for match in _MARKDOWN_LINK.finditer(text):
            yield from _in_link(match[2], match[1], at)


def _in_mrkdwn(text: object, at: str) -> Iterator[Json]:
    if not isinstance(text, str):
        return
    for match in _TOKEN.finditer(text):
        kind = next((name for name, form in _KINDS if form.fullmatch(match[1])), None)
        if kind is not None:
            yield _entry(kind, match[0], at)
        elif "|" in match[1] and match[1][:1] not in "!@#":
            url, _, label = match[1].partition("|")
            yield from _in_link(url, label, at)


def _in_link(url: str, label: object, at: str) -> Iterator[Json]:
    """A link acts when what it shows is another address than the one it leads to."""
    shown = label.strip() if isinstance(label, str) else ""
    address = _ADDRESS.match(shown.lstrip(_AROUND)) or _WRITTEN_OUT.search(shown)
    if address is not None and _host(address[0]) != _host(url):
        yield _entry("link", f"<{url}|{shown}>", at)


def _host(address: str) -> str:
    whole = unquote(address)
    try:
        parts = urlsplit(whole if "://" in whole else f"//{whole}")
    except ValueError:  # brackets that are no IPv6 address
        return whole.lower()
    return parts.netloc.rpartition("@")[2].partition(":")[0].lower().removeprefix("www.").rstrip(_AROUND)


def _entry(kind: str, what: str, where: str) -> Json:
    return {"kind": kind, "what": what, "where": where}
