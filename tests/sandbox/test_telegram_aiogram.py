"""A bot written with aiogram, as bots are written: it meets the sandbox as it would meet Telegram."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiogram import Bot, Dispatcher, F
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import TelegramBadRequest, TelegramRetryAfter, TelegramServerError, TelegramUnauthorizedError
from aiogram.filters import Command
from aiogram.types import (
    BotCommand,
    BufferedInputFile,
    CallbackQuery,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputRichBlockButtons,
    InputRichBlockParagraph,
    InputRichBlockThinking,
    InputRichMessage,
    Message,
    MessageGenerationStopped,
    ReactionTypeEmoji,
    RichMessageButton,
    RichTextBold,
)

from bossbot.sandbox.server import RunningSandbox
from tests.sandbox.wires import TOKEN, Wires, until

GROUP = -1000000000001


def make_bot(sandbox: RunningSandbox, token: str = TOKEN) -> Bot:
    return Bot(token, session=AiohttpSession(api=TelegramAPIServer.from_base(sandbox.telegram_api_base)))


@pytest.fixture
async def bot(sandbox: RunningSandbox) -> AsyncIterator[Bot]:
    made = make_bot(sandbox)
    yield made
    await made.session.close()


def keyboard(*labels: str) -> InlineKeyboardMarkup:
    row = [InlineKeyboardButton(text=label, callback_data=label.lower()) for label in labels]
    return InlineKeyboardMarkup(inline_keyboard=[row])


@contextlib.asynccontextmanager
async def polling(bot: Bot, dispatcher: Dispatcher) -> AsyncIterator[None]:
    running = asyncio.create_task(dispatcher.start_polling(bot, handle_signals=False, polling_timeout=5))
    await asyncio.sleep(0.05)
    yield
    await dispatcher.stop_polling()
    await running


def approval_bot() -> Dispatcher:
    dispatcher = Dispatcher()

    @dispatcher.message(Command("run"))
    async def ask(message: Message) -> None:
        await message.reply("Run `rm -rf build`?", reply_markup=keyboard("Approve", "Reject"))

    @dispatcher.callback_query(F.data == "approve")
    async def approve(query: CallbackQuery) -> None:
        assert isinstance(query.message, Message)
        await query.answer("Approved", show_alert=query.from_user.username == "ben_approver")
        await query.message.edit_text(f"{query.from_user.first_name} approved")

    @dispatcher.message()
    async def echo(message: Message) -> None:
        await message.answer(message.text or "?")

    return dispatcher


async def test_it_echoes_asks_and_edits(bot: Bot, wires: Wires) -> None:
    async with polling(bot, approval_bot()):
        await wires.control("telegram/say", chat_id=1001, user_id=1001, text="hello 你好 😀")
        await wires.control("telegram/say", chat_id=GROUP, user_id=1003, text="/run")

        async def asked() -> bool:
            return len((await wires.chat(GROUP))["messages"]) == 2 and len((await wires.chat())["messages"]) == 2

        await until(asked)
        assert (await wires.chat())["messages"][1]["text"] == "hello 你好 😀"
        question = (await wires.chat(GROUP))["messages"][1]
        assert question["reply_to"] == 1
        press = {"chat_id": GROUP, "message_id": question["message_id"], "user_id": 1002}
        pressed = await wires.control("telegram/press", **press, label="approve", wait_s=60)
        assert pressed["answer"] == {"text": "Approved", "show_alert": True}

        async def edited() -> bool:
            return str((await wires.chat(GROUP))["messages"][1]["text"]) == "Ben approved"

        await until(edited)
        assert "reply_markup" not in (await wires.chat(GROUP))["messages"][1]


async def test_what_was_said_while_it_was_down_is_handled_once_after_its_start(
    sandbox: RunningSandbox, wires: Wires
) -> None:
    await wires.control("telegram/say", chat_id=1001, user_id=1001, text="early")
    for expected in (["early", "early"], ["early", "early"]):
        bot = make_bot(sandbox)
        async with polling(bot, approval_bot()):

            async def answered(expected: list[str] = expected) -> bool:
                texts: list[str] = [message["text"] for message in (await wires.chat())["messages"]]
                return texts == expected

            await until(answered)
            await asyncio.sleep(0.2)
            assert await answered()
        await bot.session.close()


async def test_a_second_instance_makes_the_first_ones_poll_end_with_409(
    sandbox: RunningSandbox, bot: Bot, wires: Wires
) -> None:
    other = make_bot(sandbox)
    async with polling(bot, Dispatcher()), polling(other, Dispatcher()):

        async def refused() -> bool:
            return any("terminated by other getUpdates" in str(call["error"]) for call in await wires.calls("telegram"))

        await until(refused)
    await other.session.close()


async def test_its_objects_are_complete_enough_for_strict_models(bot: Bot, wires: Wires) -> None:
    me = await bot.get_me()
    assert (me.id, me.is_bot, me.has_topics_enabled) == (123456789, True, True)
    await bot.set_my_commands([BotCommand(command="plan", description="The plan")])
    topic = await bot.create_forum_topic(GROUP, "Work")
    sent = await bot.send_message(GROUP, "<b>x</b>", message_thread_id=topic.message_thread_id, parse_mode="HTML")
    assert (sent.chat.is_forum, sent.is_topic_message, sent.from_user and sent.from_user.id) == (True, True, me.id)
    file = await bot.send_document(1001, BufferedInputFile(b"log line\n" * 1000, "run.log"), caption="the *log*")
    assert file.document is not None
    downloaded = await bot.download(file.document)
    assert downloaded is not None
    assert downloaded.read() == b"log line\n" * 1000
    assert await bot.set_message_reaction(1001, file.message_id, [ReactionTypeEmoji(emoji="👀")]) is True
    assert await bot.send_chat_action(1001, "typing") is True
    assert await bot.send_message_draft(1001, 1, text="so far") is True
    assert await bot.delete_message(1001, file.message_id) is True
    info = await bot.get_webhook_info()
    assert info.url == ""
    chat = await bot.get_chat(GROUP)
    assert (chat.type, chat.is_forum, chat.max_reaction_count) == ("supergroup", True, 11)
    assert [member.status for member in await bot.get_chat_administrators(GROUP)] == ["creator", "administrator"]


async def test_every_update_is_what_its_models_ask_for(bot: Bot, wires: Wires) -> None:
    everything = ["message", "edited_message", "callback_query", "message_reaction", "my_chat_member"]
    await bot.get_updates(allowed_updates=[*everything, "stopped_message_generation"])
    ada = {"chat_id": 1001, "user_id": 1001}
    said = await wires.control("telegram/say", **ada, text="hello /start")
    await wires.control("telegram/edit", **ada, message_id=said["message_id"], text="hello @ada_owner")
    await wires.control("telegram/react", **ada, message_id=said["message_id"], emoji="👍")
    await wires.control("telegram/send_file", **ada, name="a.txt", content_base64="aGk=", caption="x")
    asked = await bot.send_message(1001, "?", reply_markup=keyboard("Go"))
    await wires.control("telegram/press", **ada, message_id=asked.message_id, label="Go")
    await bot.send_message_draft(1001, 1, text="so far", can_stop=True)
    await wires.control("telegram/stop", **ada, draft_id=1)
    await wires.control("telegram/membership", chat_id=1001, bot_status="kicked")
    await wires.control("telegram/topic", chat_id=GROUP, user_id=1002, name="Ideas")
    await bot.close_general_forum_topic(GROUP)
    await bot.hide_general_forum_topic(GROUP)
    group = await wires.control("telegram/chat", title="Crew", type="group", members=[1001], bot_status="administrator")
    await wires.control("telegram/migrate", chat_id=group["chat_id"])
    updates = await bot.get_updates(offset=1)
    assert {update.event_type for update in updates} == {*everything, "stopped_message_generation"}
    kinds = {update.message.content_type for update in updates if update.message is not None}
    assert kinds >= {
        "text", "document", "forum_topic_created", "forum_topic_closed", "general_forum_topic_hidden",
        "new_chat_members", "migrate_to_chat_id", "migrate_from_chat_id",
    }  # fmt: skip


async def test_it_streams_a_rich_answer_and_hears_of_the_stop_button(bot: Bot, wires: Wires) -> None:
    dispatcher = Dispatcher()

    @dispatcher.message()
    async def write(message: Message) -> None:
        thinking = InputRichMessage(blocks=[InputRichBlockThinking(text="Reading the files")])
        await bot.send_rich_message_draft(message.chat.id, 7, rich_message=thinking, can_stop=True)

    @dispatcher.stopped_message_generation()
    async def stopped(event: MessageGenerationStopped) -> None:
        text = InputRichBlockParagraph(text=[RichTextBold(text="Stopped"), f" ({event.draft_id})"])
        buttons = InputRichBlockButtons(buttons=[RichMessageButton(text="Go on", callback_data="go", style="success")])
        sent = await bot.send_rich_message(event.chat.id, rich_message=InputRichMessage(blocks=[text, buttons]))
        assert sent.rich_message is not None

    @dispatcher.callback_query(F.data == "go")
    async def go_on(query: CallbackQuery) -> None:
        assert isinstance(query.message, Message)
        await query.answer()
        await bot.edit_message_text(
            chat_id=query.message.chat.id,
            message_id=query.message.message_id,
            rich_message=InputRichMessage(markdown="# Done\n\n- [x] all of it"),
        )

    async with polling(bot, dispatcher):
        await wires.control("telegram/say", chat_id=1001, user_id=1001, text="what is there?")
        (draft,) = await until(lambda: drafts(wires))
        assert draft["rich_message"]["blocks"] == [{"type": "thinking", "text": "Reading the files"}]
        await wires.control("telegram/stop", chat_id=1001, user_id=1001, draft_id=7)
        message = await until(lambda: last_rich(wires, "paragraph"))
        assert message["rich_message"]["blocks"][0]["text"] == [{"type": "bold", "text": "Stopped"}, " (7)"]
        press = {"chat_id": 1001, "message_id": message["message_id"], "user_id": 1001, "label": "Go on"}
        await wires.control("telegram/press", **press, wait_s=60)
        done = await until(lambda: last_rich(wires, "heading"))
    assert [block["type"] for block in done["rich_message"]["blocks"]] == ["heading", "list"]


async def drafts(wires: Wires) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await wires.chat())["drafts"]
    return found


async def last_rich(wires: Wires, first_block: str) -> dict[str, Any]:
    """The chat's last message, once it is a rich one that begins so."""
    message: dict[str, Any] = (await wires.chat())["messages"][-1]
    blocks = message.get("rich_message", {"blocks": [{"type": ""}]})["blocks"]
    return message if blocks[0]["type"] == first_block else {}


async def test_its_exceptions_are_aiograms_own(bot: Bot, sandbox: RunningSandbox, wires: Wires) -> None:
    with pytest.raises(TelegramBadRequest, match="message text is empty"):
        await bot.send_message(1001, "")
    await wires.control("faults", platform="telegram", kind="429", retry_after=4, method="sendMessage")
    with pytest.raises(TelegramRetryAfter) as waiting:
        await bot.send_message(1001, "x")
    assert waiting.value.retry_after == 4
    await wires.control("faults", platform="telegram", kind="500", method="sendMessage")
    with pytest.raises(TelegramServerError):
        await bot.send_message(1001, "x")
    stranger = make_bot(sandbox, "123:tooshort")
    with pytest.raises(TelegramUnauthorizedError):
        await stranger.get_me()
    await stranger.session.close()
