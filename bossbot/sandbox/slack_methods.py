"""The Web API methods that are not about messages: who and where, threads, statuses, modals, sockets."""

from bossbot.sandbox.json_types import Json, as_list
from bossbot.sandbox.people import (
    SLACK_APP_ID,
    SLACK_BOT_NAME,
    SlackPerson,
)
from bossbot.sandbox.slack_call import Call, find_channel
from bossbot.sandbox.slack_checks import checked_view
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_state import STATUS_LIFE_S, TRIGGER_LIFE_S, TS, Channel, SlackMessage

PAGE = 100
PAGE_MAX = 999
LOADING_MESSAGES = 10


def auth_test(call: Call) -> Json:
    return {
        "url": f"https://{call.team.domain}.slack.com/",
        "team": call.team.name,
        "user": SLACK_BOT_NAME,
        "team_id": call.team.id,
        "user_id": call.team.bot_user_id,
        "bot_id": call.team.bot_id,
        "is_enterprise_install": False,
    }


def connections_open(call: Call) -> Json:
    """`apps.connections.open`: the address of one socket, good for one connection."""
    ticket = call.world.sockets.new_ticket()
    base = call.world.base_url.replace("http://", "ws://", 1)
    return {"url": f"{base}/slack/socket?ticket={ticket}&app_id={SLACK_APP_ID}"}


def conversations_info(call: Call) -> Json:
    return {"channel": _channel(find_channel(call))}


def conversations_open(call: Call) -> Json:
    """`conversations.open` with one user: the direct conversation that is there already."""
    users = call.args.text("users").split(",")
    channel = call.world.slack.channel(users[0]) if len(users) == 1 else None
    if channel is None or not channel.place.is_im:
        raise SlackError("user_not_found")
    return {"no_op": True, "already_open": True, "channel": {"id": channel.id}}


def conversations_members(call: Call) -> Json:
    channel = find_channel(call)
    return {"members": [*channel.place.members, call.team.bot_user_id], "response_metadata": {"next_cursor": ""}}


def conversations_history(call: Call) -> Json:
    """`conversations.history`: newest first; answers in threads are not part of it."""
    channel = find_channel(call)
    found = [item for item in channel.messages.values() if item.thread_ts in (None, item.ts)]
    page, more, cursor = _page(call, found[::-1])
    return {
        "messages": [channel.wire_message(message, call.args.flag("include_all_metadata")) for message in page],
        "has_more": more,
        "response_metadata": {"next_cursor": cursor},
    }


def conversations_replies(call: Call) -> Json:
    """`conversations.replies`: a thread from its beginning, oldest first."""
    channel = find_channel(call)
    named = channel.messages.get(call.args.need("ts"))
    if named is None:
        raise SlackError("thread_not_found")
    first = channel.messages.get(named.thread_ts or named.ts, named)
    page, more, cursor = _page(call, [first, *channel.replies(first.ts)])
    return {
        "messages": [channel.wire_message(message, call.args.flag("include_all_metadata")) for message in page],
        "has_more": more,
        "response_metadata": {"next_cursor": cursor},
    }


def users_info(call: Call) -> Json:
    user_id = call.args.text("user")
    if user_id == call.team.bot_user_id:
        return {"user": _user(call, SlackPerson(user_id, SLACK_BOT_NAME, SLACK_BOT_NAME, "bot"), is_bot=True)}
    person = call.team.person(user_id)
    if person is None:
        raise SlackError("user_not_found")
    return {"user": _user(call, person)}


def set_status(call: Call) -> Json:
    """`assistant.threads.setStatus`: gone with the next message, with an empty status, or after two minutes."""
    channel = find_channel(call, "channel_id")
    thread_ts = call.args.need("thread_ts")
    if not TS.fullmatch(thread_ts):
        raise SlackError("invalid_thread_ts")
    status = call.args.text("status")
    loading = as_list(call.args.json("loading_messages", "invalid_arguments")) or []
    if len(loading) > LOADING_MESSAGES:
        raise SlackError(
            "invalid_arguments", ("[ERROR] no more than 10 items allowed [json-pointer:/loading_messages]",)
        )
    channel.statuses.pop(thread_ts, None)
    if status:
        shown: Json = {"thread_ts": thread_ts, "status": status, "loading_messages": loading}
        channel.statuses[thread_ts] = call.world.clock.fleeting(shown, STATUS_LIFE_S)
    call.world.feed.changed("slack")
    return {}


def views_open(call: Call) -> Json:
    """`views.open`: a trigger opens one modal, within three seconds of its press."""
    trigger_id = call.args.need("trigger_id")
    trigger = call.world.slack.triggers.get(trigger_id)
    if trigger is None:
        raise SlackError("invalid_trigger_id")
    made_at, used = trigger
    if used:
        raise SlackError("exchanged_trigger_id")
    if call.world.clock.now() - made_at > TRIGGER_LIFE_S:
        raise SlackError("expired_trigger_id")
    view = checked_view(call.args)
    call.world.slack.triggers[trigger_id] = (made_at, True)
    view_id = call.world.slack.new_id("V")
    opened: Json = {
        **view,
        "id": view_id,
        "team_id": call.team.id,
        "app_id": SLACK_APP_ID,
        "bot_id": call.team.bot_id,
        "state": {"values": {}},
        "hash": f"{made_at}.{view_id}",
        "root_view_id": view_id,
        "previous_view_id": None,
    }
    call.world.slack.views[view_id] = opened
    call.world.feed.changed("slack")
    return {"view": opened}


def _channel(channel: Channel) -> Json:
    if channel.place.is_im:
        return {"id": channel.id, "is_im": True, "user": channel.place.members[0], "is_archived": False}
    return {
        "id": channel.id,
        "name": channel.place.name,
        "name_normalized": channel.place.name,
        "is_channel": True,
        "is_group": False,
        "is_im": False,
        "is_mpim": False,
        "is_private": False,
        "is_archived": False,
        "is_general": False,
        "is_member": True,
        "num_members": len(channel.place.members) + 1,
    }


def _user(call: Call, person: SlackPerson, is_bot: bool = False) -> Json:
    return {
        "id": person.id,
        "team_id": call.team.id,
        "name": person.name,
        "real_name": person.real_name,
        "deleted": False,
        "is_bot": is_bot,
        "is_app_user": False,
        "is_admin": person.role == "owner",
        "is_owner": person.role == "owner",
        "is_restricted": False,
        "is_ultra_restricted": False,
        "tz": "Etc/UTC",
        "tz_label": "Coordinated Universal Time",
        "tz_offset": 0,
        "profile": {
            "real_name": person.real_name,
            "real_name_normalized": person.real_name,
            "display_name": person.name,
            "display_name_normalized": person.name,
            "team": call.team.id,
        },
    }


def _page(call: Call, found: list[SlackMessage]) -> tuple[list[SlackMessage], bool, str]:
    oldest, latest = call.args.text("oldest") or "0", call.args.text("latest")
    inclusive = call.args.flag("inclusive")
    kept = [item for item in found if _within(item.ts, oldest, latest, inclusive)]
    cursor = call.args.text("cursor")
    if cursor and not cursor.isdigit():
        raise SlackError("invalid_cursor")
    begin = int(cursor or 0)
    end = begin + call.args.integer("limit", PAGE, 1, PAGE_MAX)
    return kept[begin:end], end < len(kept), str(end) if end < len(kept) else ""


def _within(ts: str, oldest: str, latest: str, inclusive: bool) -> bool:
    value = float(ts)
    try:
        if inclusive:
            return float(oldest) <= value and (not latest or value <= float(latest))
        return float(oldest) < value and (not latest or value < float(latest))
    except ValueError:
        raise SlackError("invalid_ts_oldest") from None


METHODS = {
    "auth.test": auth_test,
    "apps.connections.open": connections_open,
    "assistant.threads.setStatus": set_status,
    "conversations.history": conversations_history,
    "conversations.info": conversations_info,
    "conversations.members": conversations_members,
    "conversations.open": conversations_open,
    "conversations.replies": conversations_replies,
    "users.info": users_info,
    "views.open": views_open,
}
