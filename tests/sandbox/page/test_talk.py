"""A person writes, presses and watches cards change, in a real Chromium."""

import asyncio

import pytest

from tests.sandbox.page.desk import ADA, BEN, Desk, acknowledge, expect, next_envelope, next_post

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

CARD = "Approval needed\nrm -rf build-cache"
KEYBOARD = {
    "inline_keyboard": [
        [
            {"text": "Approve", "callback_data": "a:1:yes", "style": "success"},
            {"text": "Reject", "callback_data": "a:1:no", "style": "danger"},
        ]
    ]
}
SLACK_CARD = [
    {"type": "header", "text": {"type": "plain_text", "text": "Change of plan?"}},
    {
        "type": "actions",
        "block_id": "plan",
        "elements": [
            {
                "type": "button",
                "action_id": "apply",
                "style": "primary",
                "text": {"type": "plain_text", "text": "Apply"},
            },
            {"type": "button", "action_id": "keep", "text": {"type": "plain_text", "text": "Keep plan"}},
        ],
    },
]


async def test_what_a_person_types_reaches_the_bot_on_telegram(desk: Desk) -> None:
    field = desk.left.get_by_role("textbox")
    await field.fill("clean it <b>now</b>")
    await field.press("Enter")
    updates = await desk.updates()
    assert [(item["message"]["text"], item["message"]["from"]["id"]) for item in updates] == [
        ("clean it <b>now</b>", ADA)
    ]
    await expect(field).to_have_value("")
    await expect(desk.left.locator(".tg-message.out .tg-text")).to_have_text("clean it <b>now</b>")


async def test_what_a_person_types_reaches_the_bot_on_slack(desk: Desk) -> None:
    async with desk.slack_socket() as socket:
        field = desk.right.get_by_role("textbox")
        await field.fill("plan a < b & c")
        await field.press("Enter")
        event = await next_post(socket)
    assert (event["channel"], event["user"], event["text"]) == ("D0ADA", "U0ADA", "plan a &lt; b &amp; c")
    await expect(desk.right.locator(".sl-body")).to_have_text("plan a < b & c")


async def test_a_suggestion_types_for_the_person_and_leaves_their_draft(desk: Desk) -> None:
    await desk.left.get_by_role("textbox").fill("half a thought")
    await desk.left.get_by_role("button", name="run a workflow").click()
    assert [item["message"]["text"] for item in await desk.updates()] == ["run a workflow"]
    await expect(desk.left.get_by_role("textbox")).to_have_value("half a thought")


async def test_shift_enter_breaks_the_line_and_an_input_method_keeps_its_enter(desk: Desk) -> None:
    field = desk.left.get_by_role("textbox")
    await field.fill("one")
    await field.press("Shift+Enter")
    await field.press_sequentially("two")
    await field.dispatch_event("keydown", {"key": "Enter", "isComposing": True, "bubbles": True})
    await expect(field).to_have_value("one\ntwo")
    await field.press("Enter")
    assert [item["message"]["text"] for item in await desk.updates()] == ["one\ntwo"]


async def test_a_first_message_in_a_slack_channel_addresses_the_bot_and_its_answer_opens_the_thread(desk: Desk) -> None:
    await desk.open_channel()
    async with desk.slack_socket() as socket:
        await desk.right.get_by_role("button", name="hello", exact=True).click()
        event = await next_post(socket)
    assert event["text"] == "<@U0BOSSBOT> hello"
    await expect(desk.right.locator(".mention")).to_have_text("@bossbot")
    await desk.slack("chat.postMessage", channel="C0BOSS", thread_ts=event["ts"], text="Good morning.")
    thread = desk.right.get_by_role("complementary", name="Thread")
    await expect(thread.get_by_text("Good morning.")).to_be_visible()
    await thread.get_by_role("textbox").fill("and more")
    await thread.get_by_role("textbox").press("Enter")
    await expect(thread.get_by_text("2 replies")).to_be_visible()
    messages = (await desk.state())["slack"]["channels"][1]["messages"]
    assert (messages[-1]["text"], messages[-1]["thread_ts"]) == ("and more", event["ts"])


async def test_a_press_reaches_the_bot_and_its_answer_is_shown(desk: Desk) -> None:
    await desk.telegram("sendMessage", chat_id=ADA, text=CARD, reply_markup=KEYBOARD)
    button = desk.left.get_by_role("button", name="Approve")
    await button.click()
    await expect(button).to_be_disabled()
    await expect(desk.left.get_by_role("button", name="Reject")).to_be_disabled()
    query = (await desk.updates())[0]["callback_query"]
    assert (query["data"], query["from"]["id"]) == ("a:1:yes", ADA)
    await desk.telegram("answerCallbackQuery", callback_query_id=query["id"], text="Approved by you")
    await expect(desk.left.get_by_role("status")).to_have_text("Approved by you")
    await expect(button).to_be_enabled()


async def test_a_press_on_slack_is_disabled_until_the_app_acknowledges(desk: Desk) -> None:
    await desk.slack("chat.postMessage", channel="D0ADA", text="plan", blocks=SLACK_CARD)
    button = desk.right.get_by_role("button", name="Apply")
    async with desk.slack_socket() as socket:
        await button.click()
        envelope = await next_envelope(socket, "interactive")
        await expect(button).to_be_disabled()
        await acknowledge(socket, envelope)
        await expect(button).to_be_enabled()
    assert envelope["payload"]["actions"][0]["action_id"] == "apply"
    assert envelope["payload"]["user"]["id"] == "U0ADA"


async def test_a_press_that_no_app_hears_says_so(desk: Desk) -> None:
    await desk.slack("chat.postMessage", channel="D0ADA", text="plan", blocks=SLACK_CARD)
    await desk.right.get_by_role("button", name="Keep plan").click()
    await expect(desk.right.get_by_role("alert")).to_contain_text("did not answer")


async def test_an_edit_replaces_the_card_in_its_place(desk: Desk) -> None:
    card = await desk.telegram("sendMessage", chat_id=ADA, text=CARD, reply_markup=KEYBOARD)
    await desk.telegram("sendMessage", chat_id=ADA, text="a later message")
    messages = desk.left.locator(".tg-message")
    await expect(messages).to_have_count(2)
    later = await messages.nth(1).element_handle()
    await desk.telegram("editMessageText", chat_id=ADA, message_id=card["message_id"], text="Approved by Ada")
    await expect(messages.nth(0).locator(".tg-text")).to_have_text("Approved by Ada")
    await expect(messages.nth(0).locator(".edited")).to_have_text("edited")
    await expect(messages.nth(0)).to_contain_class("flash")
    await expect(messages.nth(0).locator(".tg-key")).to_have_count(0)
    assert later is not None
    assert await later.evaluate("node => node.isConnected && !node.classList.contains('flash')")
    await expect(messages).to_have_count(2)


async def test_an_edit_on_slack_is_marked(desk: Desk) -> None:
    card = await desk.slack("chat.postMessage", channel="D0ADA", text="plan", blocks=SLACK_CARD)
    await expect(desk.right.get_by_role("heading", name="Change of plan?")).to_be_visible()
    done = [{"type": "section", "text": {"type": "mrkdwn", "text": "*Applied* by <@U0ADA>"}}]
    await desk.slack("chat.update", channel="D0ADA", ts=card["ts"], text="done", blocks=done)
    await expect(desk.right.locator(".sl-message.flash .sl-body")).to_have_text("Applied by @ada (edited)")
    await expect(desk.right.get_by_role("button", name="Apply")).to_have_count(0)


async def test_a_message_answered_to_is_quoted(desk: Desk) -> None:
    await desk.telegram("sendMessage", chat_id=ADA, text="Which database?")
    await desk.left.locator(".tg-message").hover()
    await desk.left.get_by_role("button", name="Reply: Which database?").click()
    await desk.page.keyboard.type("SQLite")
    await desk.page.keyboard.press("Enter")
    update = (await desk.updates())[0]["message"]
    assert update["reply_to_message"]["text"] == "Which database?"
    await expect(desk.left.locator(".tg-message.out .tg-reply")).to_contain_text("Which database?")


async def test_a_stranger_has_chats_of_their_own_and_private_words_are_only_theirs(desk: Desk) -> None:
    await desk.telegram("sendMessage", chat_id=ADA, text="for Ada")
    await desk.slack("chat.postEphemeral", channel="C0BOSS", user="U0EVE", text="You may not do that.")
    await desk.open_channel()
    await expect(desk.right.get_by_text("You may not do that.")).to_have_count(0)
    await desk.left.get_by_role("radio", name="Eve, stranger").check()
    await expect(desk.left.get_by_text("for Ada")).to_have_count(0)
    await desk.left.get_by_role("textbox").fill("approve")
    await desk.left.get_by_role("textbox").press("Enter")
    assert (await desk.updates())[0]["message"]["from"]["username"] == "eve_stranger"
    await desk.right.get_by_role("radio", name="Eve, stranger").check()
    await desk.open_channel()
    await expect(desk.right.get_by_text("Only visible to you")).to_be_visible()


async def test_a_draft_survives_news_another_person_and_a_reload(desk: Desk) -> None:
    field = desk.left.get_by_role("textbox")
    await field.fill("not yet sent")
    await desk.telegram("sendMessage", chat_id=ADA, text="news")
    await expect(desk.left.locator(".tg-message")).to_have_count(1)
    await expect(field).to_have_value("not yet sent")
    await expect(field).to_be_focused()
    await desk.left.get_by_role("radio", name="Ben, approver").check()
    await expect(field).to_have_value("")
    await desk.left.get_by_role("radio", name="Ada, owner").check()
    await expect(field).to_have_value("not yet sent")
    await desk.page.reload()
    await expect(field).to_have_value("not yet sent")


async def test_what_cannot_be_sent_comes_back_into_the_field(desk: Desk) -> None:
    field = desk.left.get_by_role("textbox")
    await field.fill("x" * 4097)
    await field.press("Enter")
    await expect(desk.left.get_by_role("alert")).to_contain_text("1 to 4096 characters")
    await expect(field).to_have_value("x" * 4097)
    assert any("400" in problem for problem in desk.problems)
    desk.problems.clear()


async def test_somebody_who_reads_back_is_not_moved_and_learns_of_news(desk: Desk) -> None:
    await desk.control("settings", {"rate_limits": False})
    for number in range(40):
        await desk.telegram("sendMessage", chat_id=ADA, text=f"line {number}")
    lines = desk.left.locator(".tg-text")
    await expect(lines.nth(39)).to_be_in_viewport()
    await desk.left.get_by_role("log").hover()
    await desk.page.mouse.wheel(0, -600)
    scroller = desk.left.locator(".list-scroll")
    await expect(lines.nth(39)).not_to_be_in_viewport()
    before = await scroller.evaluate("node => node.scrollTop")
    await desk.telegram("sendMessage", chat_id=ADA, text="the newest")
    jump = desk.left.get_by_role("button", name="New messages")
    await expect(jump).to_be_visible()
    assert abs(await scroller.evaluate("node => node.scrollTop") - before) < 2
    await jump.click()
    await expect(lines.nth(40)).to_be_in_viewport()
    await expect(jump).to_be_hidden()


async def test_news_for_somebody_else_are_counted(desk: Desk) -> None:
    await desk.telegram("sendMessage", chat_id=BEN, text="Ben, please decide")
    await expect(desk.left.locator(".person", has_text="Ben").locator(".dot")).to_be_visible()
    await desk.left.get_by_role("radio", name="Ben, approver").check()
    await expect(desk.left.locator(".tg-text", has_text="please decide")).to_be_visible()
    await expect(desk.left.locator(".dot")).to_have_count(0)


async def test_typing_is_shown_and_ends_with_the_message(desk: Desk) -> None:
    await desk.telegram("sendChatAction", chat_id=ADA, action="typing")
    await expect(desk.left.get_by_text("typing…")).to_be_visible()
    await desk.telegram("sendMessage", chat_id=ADA, text="here")
    await expect(desk.left.get_by_text("typing…")).to_have_count(0)


async def test_many_changes_at_once_need_few_state_fetches(desk: Desk) -> None:
    await desk.control("settings", {"rate_limits": False})
    fetched: list[str] = []
    desk.page.on("request", lambda request: fetched.append(request.url) if "/sandbox/state" in request.url else None)
    started = asyncio.get_running_loop().time()
    for number in range(60):
        await desk.telegram("sendMessage", chat_id=ADA, text=f"burst {number}")
    await expect(desk.left.locator(".tg-text", has_text="burst 59")).to_be_visible()
    elapsed_s = asyncio.get_running_loop().time() - started
    assert 1 <= len(fetched) <= 8 * elapsed_s + 2


async def test_a_streamed_answer_is_shown_until_the_message_takes_its_place(desk: Desk) -> None:
    await desk.telegram("sendMessageDraft", chat_id=ADA, draft_id=7, text="I am look")
    draft = desk.left.locator(".draft .tg-text")
    await expect(draft).to_have_text("I am look")
    await desk.telegram("sendMessageDraft", chat_id=ADA, draft_id=7, text="I am looking at it")
    await expect(draft).to_have_text("I am looking at it")
    await desk.telegram("sendMessage", chat_id=ADA, text="I have looked at it.")
    await expect(draft).to_have_count(0)
    await expect(desk.left.locator(".tg-text")).to_have_text("I have looked at it.")


async def test_a_topic_of_a_group_is_a_place_to_write_in(desk: Desk) -> None:
    await desk.left.get_by_role("button", name="Team").click()
    team = (await desk.state())["telegram"]["chats"][1]["id"]
    topic = (await desk.telegram("createForumTopic", chat_id=team, name="API retry"))["message_thread_id"]
    await expect(desk.left.get_by_text("Topic “API retry” created")).to_be_visible()
    await desk.telegram("sendMessage", chat_id=team, text="outside of it")
    await desk.left.get_by_role("button", name="API retry", exact=True).click()
    await expect(desk.left.locator(".tg-text")).to_have_count(0)
    await desk.left.get_by_role("textbox").fill("in the topic")
    await desk.left.get_by_role("textbox").press("Enter")
    assert (await desk.updates())[0]["message"]["message_thread_id"] == topic
    await expect(desk.left.locator(".tg-text")).to_have_text("in the topic")
