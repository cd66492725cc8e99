"""Drafts: a message that is still being written, shown for 30 seconds, with Telegram's own Stop button.

Sources: C = tdlib/telegram-bot-api, Client.cpp (`process_send_message_draft_query`); D = Telegram's documentation;
S = Telegram's own server, as others saw it.
"""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.telegram_access import check_reachable
from bossbot.sandbox.telegram_call import Call, find_chat, find_thread
from bossbot.sandbox.telegram_chat import Chat
from bossbot.sandbox.telegram_errors import refused
from bossbot.sandbox.telegram_publish import publish
from bossbot.sandbox.telegram_rich import finished_rich, read_rich
from bossbot.sandbox.telegram_text import as_draft, parsed
from bossbot.sandbox.telegram_updates import MESSAGE_LIFE_S
from bossbot.sandbox.world import World

DRAFT_LIFE_S = 30.0
"""A draft that is not sent again ends by itself (D)."""


async def send_message_draft(call: Call) -> bool:
    """`sendMessageDraft`: private chats only; an empty text means "thinking"."""
    params = call.params
    content = parsed(params.text("text"), params.text("parse_mode"), params.lenient_json("entities"))
    chat, thread_id = _place(call)
    text, entities = as_draft(content)
    return _show(call, chat, thread_id, {"text": text, "entities": entities, "rich_message": None})


async def send_rich_message_draft(call: Call) -> bool:
    """`sendRichMessageDraft`: the only place for the block `thinking`."""
    rich = read_rich(call)
    chat, thread_id = _place(call)
    message = finished_rich(call, rich, is_draft=True)
    return _show(call, chat, thread_id, {"text": "", "entities": [], "rich_message": message.wire()})


def stop_draft(world: World, chat: Chat, draft_id: int, thread_id: int | None) -> bool:
    """A person presses Stop: the draft goes, or stays without its button, and the bot hears of it.

    Returns False when there is no such draft that shows the button. Further drafts of the same id are taken and
    not shown any more, until the bot sends a message.
    """
    key = (draft_id, thread_id)
    draft = chat.drafts.get(key)
    if draft is None or draft.ends_at <= world.clock.now() or not draft.body["can_stop"] or draft.body["stopped"]:
        return False
    if draft.body["keep_on_stop"]:
        draft.body["stopped"] = True
    else:
        del chat.drafts[key]
    chat.stopped_drafts.add(key)
    told: Json = {"chat": chat.wire(), "draft_id": draft_id}
    if thread_id is not None:
        told["message_thread_id"] = thread_id
    publish(world, "stopped_message_generation", told, MESSAGE_LIFE_S)
    world.feed.changed("telegram")
    return True


def end_drafts(chat: Chat, thread_id: int | None) -> None:
    """The bot has sent a message there: what it was writing is done."""
    if not chat.drafts and not chat.stopped_drafts:
        return
    for key in [key for key in chat.drafts if key[1] == thread_id]:
        del chat.drafts[key]
    chat.stopped_drafts = {key for key in chat.stopped_drafts if key[1] != thread_id}


def _place(call: Call) -> tuple[Chat, int | None]:
    chat = find_chat(call)
    if not chat.is_private:
        raise refused("TEXTDRAFT_PEER_INVALID")  # S
    if call.params.integer("draft_id") == 0:
        raise refused("RANDOM_ID_INVALID")  # S
    thread_id = find_thread(call, chat)
    check_reachable(chat, thread_id)
    return chat, thread_id


def _show(call: Call, chat: Chat, thread_id: int | None, content: Json) -> bool:
    params = call.params
    key = (params.integer("draft_id"), thread_id)
    if key not in chat.stopped_drafts:
        draft: Json = {
            "draft_id": key[0],
            "message_thread_id": thread_id,
            **content,
            "can_stop": params.flag("can_stop"),
            "keep_on_stop": params.flag("keep_on_stop"),
            "stopped": False,
        }
        chat.drafts[key] = call.world.clock.fleeting(draft, DRAFT_LIFE_S)
        call.world.feed.changed("telegram")
    return True


METHODS = {"sendMessageDraft": send_message_draft, "sendRichMessageDraft": send_rich_message_draft}
