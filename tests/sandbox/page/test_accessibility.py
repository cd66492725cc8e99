"""axe-core finds nothing serious on the page: full and empty, light and dark, wide and narrow, in both languages."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox.page.desk import ADA, Desk, expect

pytestmark = [pytest.mark.browser, pytest.mark.node, pytest.mark.asyncio(loop_scope="session")]

RUN = """async () => {
  const moving = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(moving.map((one) => one.finished));
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
}"""
"""What comes fades in; axe would read its contrast in the middle of that. What turns for ever is not waited for."""

KEYBOARD = [
    [{"text": "Approve", "callback_data": "y", "style": "success"}, {"text": "Reject", "callback_data": "n"}],
    [
        {"text": "Gone", "callback_data": "g", "disabled": {}},
        {"text": "Danger", "callback_data": "d", "style": "danger"},
    ],
]


def axe() -> str:
    """axe-core's own program text."""
    folder = os.environ.get("BOSSBOT_TEST_NODE_MODULES")
    path = Path(folder or "node_modules") / "axe-core" / "axe.min.js"
    if not path.is_file():
        pytest.skip("no axe-core: BOSSBOT_TEST_NODE_MODULES names no folder that has it")
    return path.read_text(encoding="utf-8")


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


async def fill(desk: Desk) -> None:
    """Some of everything."""
    marks = [{"type": "bold", "offset": 0, "length": 3}, {"type": "pre", "offset": 4, "length": 5, "language": "sh"}]
    await desk.telegram(
        "sendMessage", chat_id=ADA, text="May rm -r?", entities=marks, reply_markup={"inline_keyboard": KEYBOARD}
    )
    rich = [
        {"type": "heading", "text": "Report", "size": 1},
        {"type": "details", "summary": "More", "blocks": [{"type": "paragraph", "text": "inside"}]},
    ]
    await desk.telegram("sendRichMessage", chat_id=ADA, rich_message={"blocks": rich})
    await desk.telegram("sendMessageDraft", chat_id=ADA, draft_id=3, text="half", can_stop=True)
    tasks = [
        {"type": "task_card", "task_id": status, "title": status, "status": status}
        for status in ("pending", "in_progress", "complete", "error")
    ]
    option = {"text": plain("One"), "value": "1"}
    elements = [
        {"type": "button", "action_id": "a", "style": "primary", "text": plain("Apply")},
        {"type": "button", "action_id": "b", "style": "danger", "text": plain("Drop")},
        {"type": "static_select", "action_id": "c", "placeholder": plain("Which?"), "options": [option]},
        {"type": "checkboxes", "action_id": "d", "options": [option]},
        {"type": "overflow", "action_id": "e", "options": [option, {"text": plain("Two"), "value": "2"}]},
    ]
    blocks = [
        {"type": "header", "text": plain("Plan")},
        {"type": "plan", "title": "Release", "tasks": tasks},
        {"type": "actions", "elements": elements},
    ]
    await desk.slack("chat.postMessage", channel="D0ADA", text="plan", blocks=blocks)
    await desk.telegram_answer("sendMessage", chat_id=4711, text="nobody")
    await expect(desk.right.locator(".b-plan")).to_be_visible()
    await expect(desk.left.locator(".rich")).to_be_visible()


async def test_axe_finds_nothing_serious(desk: Desk) -> None:
    program = axe()
    await desk.page.evaluate(program)
    assert await desk.page.evaluate(RUN) == [], "empty"
    await fill(desk)
    for scheme in ("light", "dark"):
        await desk.page.emulate_media(color_scheme=scheme)
        for view in ("calls", "tools", "events"):
            await desk.page.locator(f"[data-view={view}]").click()
            assert await desk.page.evaluate(RUN) == [], f"{scheme}, {view}"
    await desk.page.set_viewport_size({"width": 360, "height": 740})
    await desk.page.get_by_role("button", name="切换到中文").click()
    for tab in ("telegram", "slack", "console"):
        await desk.page.locator(f"#tab-{tab}").click()
        assert await desk.page.evaluate(RUN) == [], f"phone, {tab}"
