"""A bot as python-telegram-bot's own examples are written. It knows of the sandbox by two addresses, no more.

Started as a program: `python ptb_bot.py <address> polling`, or `… webhook <port>`.
"""

import asyncio
import io
import signal
import sys
from typing import Any

from aiohttp import web
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, InputMediaDocument, Update
from telegram.constants import ChatAction
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    ChatMemberHandler,
    CommandHandler,
    ContextTypes,
    MessageHandler,
    MessageReactionHandler,
    filters,
)

PATIENCE_S = 60.0
TOKEN = "123456789:AAbbccddeeffgghhiijjkkllmmnnooppqqr"
SECRET = "only-telegram"
Context = ContextTypes.DEFAULT_TYPE


async def ask(update: Update, _: Context) -> None:
    keyboard = [[InlineKeyboardButton(label, callback_data=label.lower()) for label in ("Yes", "No")]]
    assert update.effective_message
    await update.effective_message.reply_html("<b>Ready?</b>", reply_markup=InlineKeyboardMarkup(keyboard))


async def choose(update: Update, _: Context) -> None:
    query = update.callback_query
    assert query
    await query.answer(f"noted: {query.data}")
    await query.edit_message_text(f"{query.from_user.first_name} chose {query.data}")


async def echo(update: Update, context: Context) -> None:
    message = update.message
    assert message
    await context.bot.send_chat_action(message.chat_id, ChatAction.TYPING, message_thread_id=message.message_thread_id)
    await message.reply_text(f"echo: {message.text}", do_quote=True)


async def saw_edit(update: Update, _: Context) -> None:
    assert update.edited_message
    await update.edited_message.reply_text(f"edited: {update.edited_message.text}")


async def use_topic(update: Update, context: Context) -> None:
    assert update.effective_chat
    chat_id = update.effective_chat.id
    topic = await context.bot.create_forum_topic(chat_id, "Draft")
    thread_id = topic.message_thread_id
    sent = await context.bot.send_message(chat_id, "in the topic", message_thread_id=thread_id)
    await context.bot.edit_forum_topic(chat_id, thread_id, name="Final")
    await context.bot.close_forum_topic(chat_id, thread_id)
    await context.bot.reopen_forum_topic(chat_id, thread_id)
    await sent.reply_text(f"topic {sent.is_topic_message}", message_thread_id=thread_id)


async def louder(update: Update, context: Context) -> None:
    message = update.message
    assert message
    assert message.document
    file = await message.document.get_file()
    data = bytes(await file.download_as_bytearray())
    await message.reply_document(io.BytesIO(data.upper()), filename="LOUD.txt", caption=f"{len(data)} bytes")


async def picture(update: Update, _: Context) -> None:
    message = update.message
    assert message
    size = message.photo[-1]
    data = await (await size.get_file()).download_as_bytearray()
    await message.reply_photo(bytes(data), caption=f"{size.width}x{size.height}")


async def album(update: Update, context: Context) -> None:
    assert update.effective_chat
    media = [InputMediaDocument(text.encode(), filename=f"{text}.txt", caption=text) for text in ("one", "two")]
    await context.bot.send_media_group(update.effective_chat.id, media)


async def reacted(update: Update, context: Context) -> None:
    change = update.message_reaction
    assert change
    emoji = getattr(change.new_reaction[0], "emoji", "?") if change.new_reaction else "nothing"
    await context.bot.send_message(change.chat.id, f"reaction: {emoji}")


async def welcomed(update: Update, context: Context) -> None:
    change = update.my_chat_member
    assert change
    if change.new_chat_member.status in ("member", "administrator"):
        await context.bot.send_message(change.chat.id, f"hello {change.chat.title}")


def build(base: str) -> Application[Any, Any, Any, Any, Any, Any]:
    builder = Application.builder().token(TOKEN).base_url(f"{base}/bot").base_file_url(f"{base}/file/bot")
    builder = builder.connect_timeout(PATIENCE_S).read_timeout(PATIENCE_S).pool_timeout(PATIENCE_S)
    builder = builder.get_updates_connect_timeout(PATIENCE_S).get_updates_read_timeout(PATIENCE_S)
    app: Application[Any, Any, Any, Any, Any, Any] = builder.build()
    app.add_handler(CommandHandler("ask", ask))
    app.add_handler(CommandHandler("topic", use_topic))
    app.add_handler(CommandHandler("album", album))
    app.add_handler(CallbackQueryHandler(choose))
    app.add_handler(MessageReactionHandler(reacted))
    app.add_handler(ChatMemberHandler(welcomed, ChatMemberHandler.MY_CHAT_MEMBER))
    app.add_handler(MessageHandler(filters.UpdateType.EDITED_MESSAGE & filters.TEXT, saw_edit))
    app.add_handler(MessageHandler(filters.Document.ALL, louder))
    app.add_handler(MessageHandler(filters.PHOTO, picture))
    app.add_handler(MessageHandler(filters.TEXT & ~filters.COMMAND, echo))
    return app


async def serve(app: Application[Any, Any, Any, Any, Any, Any], port: int) -> None:
    """A web server of one's own in place of the library's, as its example `customwebhookbot` has one."""

    async def take(request: web.Request) -> web.Response:
        if request.headers.get("X-Telegram-Bot-Api-Secret-Token") != SECRET:
            return web.Response(status=403)
        await app.update_queue.put(Update.de_json(await request.json(), app.bot))
        return web.Response()

    server = web.Application()
    server.router.add_post("/hook", take)
    runner = web.AppRunner(server)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    url = f"http://127.0.0.1:{port}/hook"
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with app:
        await app.bot.set_webhook(url, secret_token=SECRET, allowed_updates=Update.ALL_TYPES)
        await app.start()
        await stop.wait()
        await app.bot.delete_webhook()
        await app.stop()
    await runner.cleanup()


def main() -> None:
    app, mode = build(sys.argv[1]), sys.argv[2]
    if mode == "polling":
        app.run_polling(allowed_updates=Update.ALL_TYPES, timeout=5)
    else:
        asyncio.run(serve(app, int(sys.argv[3])))


if __name__ == "__main__":
    main()
