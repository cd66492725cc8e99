"""The methods that tell who and where: the app itself, people, user groups, conversations."""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.people import SLACK_APP_ID, SLACK_BOT_NAME, SlackPerson
from bossbot.sandbox.slack_call import Call, find_channel
from bossbot.sandbox.slack_channel import Channel
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_history import page
from bossbot.sandbox.slack_scopes import TYPES


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
    return {"channel": _channel(find_channel(call), call.args.flag("include_num_members"))}


def conversations_list(call: Call) -> Json:
    """`conversations.list`: public channels unless `types` says otherwise."""
    types = (call.args.text("types") or "public_channel").split(",")
    if any(name not in TYPES for name in types):
        raise SlackError("invalid_types")
    skips_archived = call.args.flag("exclude_archived")
    found = [
        channel
        for channel in call.world.slack.channels.values()
        if channel.team == call.team
        and ("im" if channel.place.is_im else "public_channel") in types
        and not (skips_archived and channel.is_archived)
    ]
    kept, cursor = page(call, found)
    shown = [_channel(channel, with_count=not channel.place.is_im) for channel in kept]
    return {"channels": shown, "response_metadata": {"next_cursor": cursor}}


def conversations_open(call: Call) -> Json:
    """`conversations.open` with one user: the direct conversation that is there already."""
    if not call.args.has("users") and not call.args.has("channel"):
        raise SlackError("users_list_not_supplied")
    users = call.args.text("users").split(",") if call.args.has("users") else [call.args.text("channel")]
    channel = call.world.slack.channel(users[0], call.team) if len(users) == 1 else None
    if channel is None or not channel.place.is_im:
        raise SlackError("user_not_found" if call.args.has("users") else "channel_not_found")
    shown = _channel(channel, with_count=False) if call.args.flag("return_im") else {"id": channel.id}
    return {"no_op": True, "already_open": True, "channel": shown}


def conversations_members(call: Call) -> Json:
    channel = find_channel(call)
    members = [*channel.place.members, *([call.team.bot_user_id] if channel.has_bot else [])]
    kept, cursor = page(call, members)
    return {"members": list(kept), "response_metadata": {"next_cursor": cursor}}


def users_info(call: Call) -> Json:
    user_id = call.args.text("user")
    person = _bot(call) if user_id == call.team.bot_user_id else call.team.person(user_id)
    if person is None:
        raise SlackError("user_not_found")
    return {"user": _user(call, person)}


def users_list(call: Call) -> Json:
    kept, cursor = page(call, [*call.team.people, _bot(call)])
    return {
        "members": [_user(call, person) for person in kept],
        "cache_ts": int(call.world.clock.now()),
        "response_metadata": {"next_cursor": cursor},
    }


def usergroups_users_list(call: Call) -> Json:
    users = call.team.usergroups.get(call.args.text("usergroup"))
    if users is None:
        raise SlackError("no_such_subteam")
    return {"users": list(users)}


def _bot(call: Call) -> SlackPerson:
    return SlackPerson(call.team.bot_user_id, SLACK_BOT_NAME, SLACK_BOT_NAME, "bot")


def _channel(channel: Channel, with_count: bool) -> Json:
    if channel.place.is_im:
        user = channel.place.members[0]
        return {"id": channel.id, "is_im": True, "user": user, "is_archived": channel.is_archived}
    body: Json = {
        "id": channel.id,
        "name": channel.place.name,
        "name_normalized": channel.place.name,
        "is_channel": True,
        "is_group": False,
        "is_im": False,
        "is_mpim": False,
        "is_private": False,
        "is_archived": channel.is_archived,
        "is_general": False,
        "is_member": channel.has_bot,
        "context_team_id": channel.team.id,
    }
    if with_count:
        body["num_members"] = len(channel.place.members) + channel.has_bot
    return body


def _user(call: Call, person: SlackPerson) -> Json:
    body: Json = {
        "id": person.id,
        "team_id": call.team.id,
        "name": person.name,
        "real_name": person.real_name,
        "deleted": False,
        "is_bot": person.role == "bot",
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
    return {**body, "locale": "en-US"} if call.args.flag("include_locale") else body


METHODS = {
    "apps.connections.open": connections_open,
    "auth.test": auth_test,
    "conversations.info": conversations_info,
    "conversations.list": conversations_list,
    "conversations.members": conversations_members,
    "conversations.open": conversations_open,
    "usergroups.users.list": usergroups_users_list,
    "users.info": users_info,
    "users.list": users_list,
}
