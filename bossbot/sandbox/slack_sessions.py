"""What an agent says of a thread: its status, title, suggested prompts, and its session with the native Stop."""

from bossbot.sandbox.json_types import Json, as_list
from bossbot.sandbox.slack_call import Call, find_channel
from bossbot.sandbox.slack_channel import AgentSession, Channel
from bossbot.sandbox.slack_delivery import send_event
from bossbot.sandbox.slack_envelope import Envelope
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_params import invalid_arguments
from bossbot.sandbox.slack_shape import Check, Complaints, items, shape, string
from bossbot.sandbox.slack_state import STATUS_LIFE_S, TS
from bossbot.sandbox.world import World

STATUSES = ("active", "processing", "suspended", "closed")
STOPPED = "agent_session_stopped"
UNSUBSCRIBED = "missing_agent_session_stopped_event_subscription"
TITLE = 200
LOADING_MESSAGES = items(string(3000, 1), 10)
PROMPTS = items(shape({"title": string(3000, 1), "message": string(3000, 1)}), 4, 1)
"""docs.slack.dev, assistant.threads.setSuggestedPrompts: one to four."""


class NoSessionError(LookupError):
    """No agent is at work in this thread, so no Stop is shown."""


def set_status(call: Call) -> Json:
    """`assistant.threads.setStatus`: gone with the next message, with an empty status, or after two minutes."""
    channel = find_channel(call, "channel_id")
    thread_ts = _thread_ts(call)
    status = call.args.text("status")
    loading = _listed(call, "loading_messages")
    _judge(LOADING_MESSAGES, loading, "/loading_messages")
    channel.statuses.pop(thread_ts, None)
    if status:
        shown: Json = {"thread_ts": thread_ts, "status": status, "loading_messages": loading}
        if call.args.has("username"):
            shown["username"] = call.args.text("username")
        channel.statuses[thread_ts] = call.world.clock.fleeting(shown, STATUS_LIFE_S)
    call.world.feed.changed("slack")
    return {}


def set_title(call: Call) -> Json:
    """`assistant.threads.setTitle`."""
    channel = find_channel(call, "channel_id")
    channel.titles[_thread_ts(call)] = call.args.need("title")
    call.world.feed.changed("slack")
    return {}


def set_prompts(call: Call) -> Json:
    """`assistant.threads.setSuggestedPrompts`, of a thread or of the conversation itself."""
    channel = find_channel(call, "channel_id")
    if not call.world.slack.manifest.is_agent:
        raise SlackError("not_agent_app")
    thread_ts = _thread_ts(call) if call.args.has("thread_ts") else ""
    prompts = _listed(call, "prompts")
    _judge(PROMPTS, prompts, "/prompts")
    channel.prompts[thread_ts] = {"title": call.args.text("title") or None, "prompts": prompts}
    call.world.feed.changed("slack")
    return {}


def set_session_status(call: Call) -> Json:
    """`agents.sessions.setStatus`: begins a session when there is none; title and initiator count only then."""
    channel = _session_channel(call)
    status = call.args.text("status")
    if status not in STATUSES:
        raise SlackError("invalid_status")
    thread_ts = _session_thread(call)
    initiator = call.args.text("initiator_user_id") or None
    if initiator is not None and initiator not in channel.place.members:
        raise SlackError("user_not_found")
    title = call.args.text("title") or None
    if title is not None and len(title) > TITLE:
        raise invalid_arguments(f"must be less than {TITLE + 1} characters [json-pointer:/title]")
    session = channel.sessions.setdefault(thread_ts, AgentSession(status, title, initiator))
    session.status = status
    session.username = call.args.text("username") or session.username
    session.can_stop = STOPPED in call.world.slack.manifest.events
    call.world.feed.changed("slack")
    answer: Json = {"status": status, "title": session.title}
    return answer if session.can_stop else {**answer, "warning": UNSUBSCRIBED}


def rename(call: Call) -> Json:
    """`agents.sessions.rename`."""
    channel = _session_channel(call)
    if channel.is_archived:
        raise SlackError("is_archived")
    session = channel.sessions.get(_session_thread(call))
    if session is None:
        raise SlackError("session_not_found")
    title = call.args.text("title")
    if not title.strip() or len(title) > TITLE:
        raise SlackError("invalid_name")
    session.title = title
    call.world.feed.changed("slack")
    return {"title": title}


def press_stop(world: World, channel: Channel, thread_ts: str, user_id: str) -> list[Envelope]:
    """A person presses the native Stop: Slack ends the app's streams in the thread and tells the app.

    The session stays in `processing` until the app says otherwise. Raises `NoSessionError` when no Stop is shown.
    """
    session = channel.sessions.get(thread_ts)
    if session is None or session.status != "processing" or not session.can_stop:
        raise NoSessionError(f"no session is processing in thread {thread_ts} of {channel.id}")
    stopped: list[str] = []
    for message in channel.replies(thread_ts):
        if message.stream is not None and message.stream.state == "in_progress" and message.stream.by is None:
            message.stream.by = "user"
            stopped.append(message.ts)
    world.feed.changed("slack")
    event: Json = {
        "type": STOPPED,
        "channel": channel.id,
        "thread_ts": thread_ts,
        "user": user_id,
        "streaming_message_ts": stopped,
        "event_ts": world.slack.new_ts(),
    }
    return send_event(world, channel.team, event)


def _session_channel(call: Call) -> Channel:
    if not call.world.slack.manifest.is_agent:
        raise SlackError("feature_disabled")
    channel = find_channel(call, "channel_id")
    if not channel.has_bot:
        raise SlackError("not_authorized")
    return channel


def _session_thread(call: Call) -> str:
    if not call.args.has("thread_ts"):
        raise SlackError("thread_ts_required")
    thread_ts = call.args.text("thread_ts")
    if TS.fullmatch(thread_ts) is None:
        raise invalid_arguments("must be a message's ts [json-pointer:/thread_ts]")
    return thread_ts


def _thread_ts(call: Call) -> str:
    thread_ts = call.args.need("thread_ts")
    if TS.fullmatch(thread_ts) is None:
        raise SlackError("invalid_thread_ts")
    return thread_ts


def _listed(call: Call, name: str) -> list[object]:
    return as_list(call.args.json(name, "invalid_arguments")) or []


def _judge(check: Check, value: object, at: str) -> None:
    found = Complaints()
    check(value, at, found)
    if found.messages:
        raise SlackError("invalid_arguments", tuple(found.messages))


METHODS = {
    "agents.sessions.rename": rename,
    "agents.sessions.setStatus": set_session_status,
    "assistant.threads.setStatus": set_status,
    "assistant.threads.setSuggestedPrompts": set_prompts,
    "assistant.threads.setTitle": set_title,
}
