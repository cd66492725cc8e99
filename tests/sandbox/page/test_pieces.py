"""The larger pieces of both platforms as a person meets them: plans, fields, modals, drafts, rich messages."""

import base64
from typing import Any

import pytest

from tests.sandbox.page.desk import ADA, Desk, acknowledge, expect, next_envelope

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
Json = dict[str, Any]


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def rich(text: str) -> Json:
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
    return {"type": "rich_text", "elements": [section]}


def task(number: int, title: str, status: str, **more: Json) -> Json:
    return {"type": "task_card", "task_id": f"t{number}", "title": title, "status": status, **more}


async def test_a_plan_shows_its_tasks_and_changes_in_place(desk: Desk) -> None:
    tasks = [task(1, "Fix the <b>retry</b>", "in_progress"), task(2, "Cache", "pending", details=rich("what for"))]
    blocks = [{"type": "plan", "title": "Release", "tasks": tasks}]
    posted = await desk.slack("chat.postMessage", channel="D0ADA", text="plan", blocks=blocks)
    plan = desk.right.locator(".b-plan")
    await expect(plan.locator(".b-plan-head")).to_have_text("Release0/2")
    await expect(plan.locator(".task-title")).to_have_text(["Fix the <b>retry</b>", "Cache"])
    await expect(plan.get_by_role("img", name="running")).to_have_count(1)
    await plan.get_by_text("Cache").click()
    await expect(plan.get_by_text("what for")).to_be_visible()
    blocks = [{"type": "plan", "title": "Release", "tasks": [task(1, "Fix the retry", "complete"), tasks[1]]}]
    await desk.slack("chat.update", channel="D0ADA", ts=posted["ts"], text="plan", blocks=blocks)
    await expect(plan.locator(".b-plan-head")).to_have_text("Release1/2")
    await expect(plan.get_by_role("img", name="done")).to_have_count(1)
    await expect(plan.get_by_text("what for")).to_be_visible()


async def test_a_menu_tells_the_bot_what_was_chosen(desk: Desk) -> None:
    options = [{"text": plain(name), "value": name.lower()} for name in ("Red", "Green")]
    menu = {"type": "static_select", "action_id": "colour", "placeholder": plain("Which colour?"), "options": options}
    blocks = [{"type": "actions", "block_id": "b", "elements": [menu]}]
    await desk.slack("chat.postMessage", channel="D0ADA", text="x", blocks=blocks)
    async with desk.slack_socket() as socket:
        await desk.right.get_by_label("Which colour?").select_option("green")
        envelope = await next_envelope(socket, "interactive")
        await acknowledge(socket, envelope)
    assert envelope["payload"]["actions"][0]["selected_option"]["value"] == "green"


async def test_a_modal_is_filled_in_and_its_mistakes_are_shown(desk: Desk) -> None:
    button = {"type": "button", "action_id": "open", "text": plain("Open")}
    await desk.slack("chat.postMessage", channel="D0ADA", text="x", blocks=[{"type": "actions", "elements": [button]}])
    field = {"type": "plain_text_input", "action_id": "why"}
    view = {
        "type": "modal", "title": plain("Reject"), "submit": plain("Send"), "close": plain("Leave"),
        "blocks": [{"type": "input", "block_id": "reason", "label": plain("Reason"), "element": field}],
    }  # fmt: skip
    modal = desk.page.get_by_role("dialog", name="Reject")
    async with desk.slack_socket() as socket:
        await desk.right.get_by_role("button", name="Open", exact=True).click()
        pressed = await next_envelope(socket, "interactive")
        await acknowledge(socket, pressed)
        await desk.slack("views.open", trigger_id=pressed["payload"]["trigger_id"], view=view)
        await expect(modal.get_by_label("Reason")).to_be_focused()
        await modal.get_by_label("Reason").fill("too <b>risky</b>")
        await modal.get_by_role("button", name="Send").click()
        sent = await next_envelope(socket, "interactive")
        errors = {"response_action": "errors", "errors": {"reason": "Say more"}}
        await socket.send_json({"envelope_id": sent["envelope_id"], "payload": errors})
        await expect(modal.get_by_role("alert")).to_have_text("Say more")
        await expect(modal.get_by_label("Reason")).to_have_value("too <b>risky</b>")
        await modal.get_by_role("button", name="Send").click()
        await acknowledge(socket, await next_envelope(socket, "interactive"))
        await expect(modal).to_be_hidden()
    assert sent["payload"]["view"]["state"]["values"]["reason"]["why"]["value"] == "too <b>risky</b>"


async def test_a_streamed_answer_grows_and_says_when_it_is_done(desk: Desk) -> None:
    first = await desk.slack("chat.postMessage", channel="D0ADA", text="question")
    begun = await desk.slack("chat.startStream", channel="D0ADA", thread_ts=first["ts"], markdown_text="**Half**")
    await desk.right.get_by_role("button", name="1 reply").click()
    thread = desk.right.locator(".thread")
    await expect(thread.locator("strong", has_text="Half")).to_be_visible()
    await expect(thread.get_by_role("img", name="being written")).to_be_visible()
    await desk.slack("chat.appendStream", channel="D0ADA", ts=begun["ts"], markdown_text=" and half")
    await expect(thread.locator(".b-markdown").last).to_contain_text("Half and half")
    await desk.slack("chat.stopStream", channel="D0ADA", ts=begun["ts"])
    await expect(thread.get_by_role("img", name="being written")).to_be_hidden()


async def test_words_that_would_notify_people_are_pointed_at(desk: Desk) -> None:
    await desk.slack("chat.postMessage", channel="D0ADA", text="hey <!channel>")
    await expect(desk.right.get_by_role("note")).to_contain_text("<!channel>")


async def test_a_draft_shows_and_its_stop_button_reaches_the_bot(desk: Desk) -> None:
    await desk.telegram("sendMessageDraft", chat_id=ADA, draft_id=5, text="so far <i>", can_stop=True)
    draft = desk.left.locator(".tg-message.draft")
    await expect(draft.locator(".tg-text")).to_have_text("so far <i>")
    await draft.get_by_role("button", name="Stop").click()
    stopped = [update for update in await desk.updates() if "stopped_message_generation" in update]
    assert stopped[0]["stopped_message_generation"]["draft_id"] == 5
    await expect(draft).to_be_hidden()


async def test_a_rich_message_is_drawn_with_its_buttons(desk: Desk) -> None:
    button = {"text": "Go <on>", "callback_data": "go"}
    blocks: list[Json] = [
        {"type": "heading", "text": "Report <h1>", "size": 2},
        {"type": "paragraph", "text": ["plain ", {"type": "bold", "text": "bold"}]},
        {"type": "list", "items": [
            {"blocks": [{"type": "paragraph", "text": "tests"}], "has_checkbox": True, "is_checked": True}]},
        {"type": "details", "summary": "More", "blocks": [{"type": "paragraph", "text": "hidden"}]},
        {"type": "buttons", "buttons": [button]},
    ]  # fmt: skip
    await desk.telegram("sendRichMessage", chat_id=ADA, rich_message={"blocks": blocks})
    message = desk.left.locator(".tg-message")
    await expect(message.get_by_role("heading")).to_have_text("Report <h1>")
    await expect(message.locator("strong")).to_have_text("bold")
    await expect(message.get_by_role("img", name="done", exact=True)).to_have_text("☑")
    await expect(message.get_by_text("hidden")).to_be_hidden()
    await message.get_by_text("More").click()
    await expect(message.get_by_text("hidden")).to_be_visible()
    await message.get_by_role("button", name="Go <on>").click()
    query = (await desk.updates())[0]["callback_query"]
    assert query["data"] == "go"
    await desk.telegram("answerCallbackQuery", callback_query_id=query["id"])
    await expect(desk.left.locator(".place-last").first).to_contain_text("Report")


async def test_a_slash_goes_to_the_bot_as_a_command(desk: Desk) -> None:
    async with desk.slack_socket() as socket:
        await desk.right.get_by_role("textbox").fill("/deploy now")
        await desk.right.get_by_role("textbox").press("Enter")
        envelope = await next_envelope(socket, "slash_commands")
        await acknowledge(socket, envelope)
    assert (envelope["payload"]["command"], envelope["payload"]["text"]) == ("/deploy", "now")


PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


async def test_a_person_attaches_a_file_and_the_bot_can_read_it(desk: Desk) -> None:
    file = {"name": "notes <1>.txt", "mimeType": "text/plain", "buffer": b"hello"}
    await desk.left.get_by_role("textbox").fill("look")
    await desk.left.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    message = (await desk.updates())[0]["message"]
    assert (message["document"]["file_name"], message["caption"]) == ("notes <1>.txt", "look")
    link = desk.left.get_by_role("link", name="notes <1>.txt")
    async with desk.http.get(str(await link.get_attribute("href"))) as response:
        assert await response.read() == b"hello"
        assert response.headers["Content-Disposition"].startswith("attachment")
    async with desk.slack_socket():
        await desk.right.locator(".room:not(.thread) input[type=file]").set_input_files(file)  # type: ignore[arg-type]
        await expect(desk.right.get_by_role("link", name="notes <1>.txt")).to_be_visible()


async def test_a_picture_shows_and_what_only_claims_to_be_one_does_not_run(desk: Desk) -> None:
    for name, content in (("dot.png", PNG), ("evil.png", b"<svg onload=alert(1)>")):
        body = {"chat_id": ADA, "user_id": ADA, "name": name, "content_base64": base64.b64encode(content).decode()}
        await desk.control("telegram/send_file", {**body, "mime_type": "image/svg+xml"})
    links = desk.left.locator("a.file")
    await expect(links).to_have_count(2)
    kinds = []
    for number in range(2):
        async with desk.http.get(str(await links.nth(number).get_attribute("href"))) as response:
            kinds.append((response.content_type, response.headers["X-Content-Type-Options"]))
    assert kinds == [("image/png", "nosniff"), ("application/octet-stream", "nosniff")]


async def test_reactions_are_counted(desk: Desk) -> None:
    message = await desk.telegram("sendMessage", chat_id=ADA, text="done")
    await desk.telegram(
        "setMessageReaction", chat_id=ADA, message_id=message["message_id"], reaction=[{"type": "emoji", "emoji": "👍"}]
    )
    await desk.control(
        "telegram/react", {"chat_id": ADA, "user_id": ADA, "message_id": message["message_id"], "emoji": "👍"}
    )
    await expect(desk.left.locator(".reaction")).to_have_text("👍 2")
