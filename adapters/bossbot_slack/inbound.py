"""A Slack event or interaction → what arrived, or None where there is nothing for us. Pure: no calls, no clock."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from bossbot.channel import ActorRef, ButtonPressed, MessageReceived, PostRef, ThreadRef

NAME = "slack"
_SPOKEN = frozenset({"", "thread_broadcast", "file_share", "me_message"})
_TOKEN = re.compile(r"<([^<>|]*)(?:\|([^<>]*))?>")

Json = Mapping[str, object]


def sender(event: Json) -> str | None:
    """Who wrote a message that may be for us; None for bots, edits, deletions, joins and the like."""
    if event.get("bot_id") or event.get("hidden") or _text(event, "subtype") not in _SPOKEN:
        return None
    return _text(event, "user") or None


def message(event: Json, bot_user: str, actor_name: str) -> MessageReceived | None:
    """A `message` or `app_mention` event; both of one message give the same delivery id."""
    user, channel, ts = sender(event), _text(event, "channel"), _text(event, "ts")
    if user is None or user == bot_user or not channel or not ts:
        return None
    private = _text(event, "channel_type") == "im" or channel.startswith("D")
    words, mentioned = _without_our_name(_text(event, "text"), bot_user)
    text = plain(words)
    if not text.strip():
        return None
    parent = _text(event, "thread_ts")
    return MessageReceived(
        delivery_id=f"sl:{channel}:{ts}",
        thread=ThreadRef(NAME, channel, parent or (None if private else ts)),
        actor=ActorRef(NAME, user),
        actor_name=actor_name,
        message_id=ts,
        text=text,
        sent_at=datetime.fromtimestamp(float(ts), UTC),
        addressed=private or mentioned,
        private=private,
        reply_to=parent if parent and parent != ts else None,
    )


def press(payload: Json) -> ButtonPressed | None:
    """A `block_actions` payload with a button of ours."""
    actions = payload.get("actions")
    action = _object(actions[0]) if isinstance(actions, list) and actions else {}
    user, channel = _object(payload.get("user")), _text(_object(payload.get("channel")), "id")
    container, shown = _object(payload.get("container")), _object(payload.get("message"))
    ts = _text(shown, "ts") or _text(container, "message_ts")
    said, actor = _text(action, "value") or _text(action, "action_id"), _text(user, "id")
    if not (said and channel and ts and actor):
        return None
    parent: str | None = _text(shown, "thread_ts") or _text(container, "thread_ts")
    if parent in ("", ts):  # a message that was answered in a thread bears its own ts: it stands at the top itself
        parent = None
    when = f"{_text(action, 'action_ts')}:{_text(action, 'action_id')}"
    return ButtonPressed(
        delivery_id=f"sl:act:{channel}:{when}:{actor}",
        thread=ThreadRef(NAME, channel, parent or (None if channel.startswith("D") else ts)),
        actor=ActorRef(NAME, actor),
        actor_name=_text(user, "name") or _text(user, "username") or actor,
        post=PostRef(NAME, channel, (ts,), parent),
        action=said,
        press=_text(payload, "trigger_id") or when,
    )


def plain(text: str) -> str:
    """What the person saw: Slack's tokens as their labels, its three entities as characters."""
    shown = _TOKEN.sub(lambda found: _shown(found[1], found[2] or ""), text)
    return shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _shown(target: str, label: str) -> str:
    kind, name = target[:1], target[1:]
    if kind in "@#":
        return f"{kind}{label.lstrip('@#') or name}"
    if kind == "!":
        return "@" + (label.lstrip("@") or name.split("^")[0]) if not name.startswith("date") else label
    if not label or label == target or target.removeprefix("mailto:") == label:
        return label or target
    return label if label in target else f"{label} ({target})"


def _without_our_name(text: str, bot_user: str) -> tuple[str, bool]:
    """The text without mentions of us, and whether there was one."""
    # Blanks around a mention are no part of the pattern: it would be tried at each of a message of 40,000 blanks.
    parts = re.split(rf"<@{re.escape(bot_user)}(?:\|[^<>]*)?>", text)
    return " ".join(part.strip(" ") for part in parts).strip(), len(parts) > 1


def _text(value: Json, key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}
