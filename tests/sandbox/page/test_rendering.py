"""How what a bot sends is drawn: entities, mrkdwn, blocks, and nothing that is not text by construction."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.sandbox.page.desk import ADA, Desk, acknowledge, expect, next_envelope

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

INJECTION = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script><b>bold</b>'
Json = dict[str, Any]


def entity(text: str, part: str, kind: str, **more: str) -> Json:
    """An entity over the first `part` of `text`, counted in UTF-16 units as Telegram counts."""
    return {"type": kind, "offset": utf16_len(text[: text.index(part)]), "length": utf16_len(part), **more}


def utf16_len(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


async def drawn(lab: "Page", module: str, call: str, *arguments: object) -> str:
    """What a function of the page draws, as HTML: the nodes are put into an element that is in no document."""
    script = """async ([module, call, args]) => {
      const made = (await import(`/page/${module}`))[call](...args, {
        user: (id) => ({U1: "ada"})[id] ?? id, channel: (id) => ({C1: "boss"})[id] ?? id });
      const box = document.createElement("div");
      box.append(...[made].flat(Infinity));
      return box["inner" + "HTML"];
    }"""
    html: str = await lab.evaluate(script, [module, call, list(arguments)])
    return html


async def entities(lab: "Page", text: str, *marks: Json) -> str:
    return await drawn(lab, "entities.js", "renderEntities", text, list(marks))


async def test_offsets_count_utf_16_units(lab: "Page") -> None:
    text = "😀👨‍👩‍👧 粗体 bold"
    marks = [entity(text, "粗体", "bold"), entity(text, "bold", "code")]
    assert await entities(lab, text, *marks) == "😀👨‍👩‍👧 <strong>粗体</strong> <code>bold</code>"


async def test_entities_nest_and_overlap(lab: "Page") -> None:
    bold = {"type": "bold", "offset": 0, "length": 6}
    inside = {"type": "italic", "offset": 2, "length": 2}
    crossing = {"type": "underline", "offset": 4, "length": 4}
    assert await entities(lab, "abcdefghij", inside, crossing, bold) == (
        "<strong>ab<em>cd</em><u>ef</u></strong><u>gh</u>ij"
    )


async def test_entities_that_do_not_fit_the_text_are_clipped_or_dropped(lab: "Page") -> None:
    marks: list[Json] = [
        {"type": "bold", "offset": 2, "length": 99},
        {"type": "italic", "offset": 50, "length": 3},
        {"type": "code", "offset": -1, "length": 0},
        {"type": "code"},
    ]
    assert await entities(lab, "abcd", *marks) == "ab<strong>cd</strong>"


async def test_a_block_swallows_the_line_break_behind_it(lab: "Page") -> None:
    text = "run:\nrm -rf x\nplease"
    html = await entities(lab, text, entity(text, "rm -rf x", "pre", language="bash"))
    assert html == 'run:\n<pre class="code"><span class="code-language">bash</span><code>rm -rf x</code></pre>please'


@pytest.mark.parametrize(
    ("address", "is_link"),
    [
        ("https://example.org/a?b=c", True),
        ("http://127.0.0.1:8700/", True),
        ("mailto:ada@example.org", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        ("data:text/html,<b>x", False),
        ("file:///etc/passwd", False),
        ("//example.org", False),
        ("tg://user?id=1", False),
    ],
)
async def test_only_web_and_mail_addresses_become_links(lab: "Page", address: str, is_link: bool) -> None:
    by_entity = await entities(lab, "label", {"type": "text_link", "offset": 0, "length": 5, "url": address})
    by_token = await drawn(lab, "mrkdwn.js", "renderMrkdwn", f"<{address}|label>")
    by_markdown = await drawn(lab, "markdown.js", "renderMarkdown", f"[label]({address})")
    for html in (by_entity, by_token, by_markdown):
        assert ("href=" in html) is is_link
        assert "label" in html
        assert ('target="_blank" rel="noopener noreferrer"' in html) is is_link


async def test_mrkdwn(lab: "Page") -> None:
    text = "*bold* _it_ ~no~ `a*b*` &lt;b&gt; &amp;amp; <@U1> <#C1> <!channel> snake_case_name 2*3*4 :rocket: :none:"
    assert await drawn(lab, "mrkdwn.js", "renderMrkdwn", text) == (
        "<strong>bold</strong> <em>it</em> <s>no</s> <code>a*b*</code> &lt;b&gt; &amp;amp; "
        '<span class="mention">@ada</span> <span class="mention">#boss</span> '
        '<span class="mention broadcast">@channel</span> snake_case_name 2*3*4 🚀 :none:'
    )


async def test_mrkdwn_fences_and_quotes(lab: "Page") -> None:
    text = "before\n```\nrm *x* &lt;y\n```\nafter\n> one\n> two\nend ``` open"
    assert await drawn(lab, "mrkdwn.js", "renderMrkdwn", text) == (
        'before<pre class="code"><code>rm *x* &lt;y</code></pre>after<blockquote>one\ntwo</blockquote>end ``` open'
    )


async def test_markdown_blocks(lab: "Page") -> None:
    text = "# Title\n\nA **b** and *c*\nwith `d` ~~e~~\n\n- one\n  - deep\n- [x] two\n\n"
    text += "3. three\n\n> quoted\n\n~~~py\nx < 1\n~~~"
    assert await drawn(lab, "markdown.js", "renderMarkdown", text) == (
        '<p class="heading level-1" role="heading" aria-level="3">Title</p>'
        "<p>A <strong>b</strong> and <em>c</em>\nwith <code>d</code> <s>e</s></p>"
        "<ul><li>one<ul><li>deep</li></ul></li><li>☑ two</li></ul>"
        '<ol start="3"><li>three</li></ol><blockquote><p>quoted</p></blockquote>'
        '<pre class="code"><span class="code-language">py</span><code>x &lt; 1</code></pre>'
    )


async def test_markdown_tables(lab: "Page") -> None:
    html = await drawn(lab, "markdown.js", "renderMarkdown", "| a | b |\n|---|:-:|\n| 1 | `x` |\nend")
    assert html == (
        '<div class="table-wrap"><table><thead><tr><th>a</th><th>b</th></tr></thead>'
        "<tbody><tr><td>1</td><td><code>x</code></td></tr></tbody></table></div><p>end</p>"
    )


async def test_rich_text(lab: "Page") -> None:
    block = {
        "elements": [
            {
                "type": "rich_text_section",
                "elements": [
                    {"type": "text", "text": "*kept* ", "style": {"bold": True, "strike": True}},
                    {"type": "user", "user_id": "U1"},
                    {"type": "emoji", "name": "unknown", "unicode": "1f44d-1f3fd"},
                    {"type": "link", "url": "javascript:alert(1)", "text": "no"},
                ],
            },
            {"type": "rich_text_list", "style": "ordered", "indent": 1, "elements": [
                {"type": "rich_text_section", "elements": [{"type": "text", "text": "first"}]}]},
            {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "<!channel>"}]},
        ]
    }  # fmt: skip
    assert await drawn(lab, "richtext.js", "renderRichText", block) == (
        '<div class="r-section"><s><strong>*kept* </strong></s><span class="mention">@ada</span>👍🏽'
        '<span class="dead-link">no</span></div>'
        '<ol class="r-list indent-1"><li><div class="r-section">first</div></li></ol>'
        '<pre class="code"><code>&lt;!channel&gt;</code></pre>'
    )


async def test_a_block_that_the_page_cannot_draw_is_shown_as_json(lab: "Page") -> None:
    blocks = [{"type": "constructor", "x": "<b>"}, {"type": "auth_provider", "value": "<i>"}]
    script = """async (blocks) => {
      const { renderBlocks } = await import("/page/blocks.js");
      return renderBlocks(blocks, { names: {}, isBusy: () => false }).map((node) => [node.tagName, node.textContent]);
    }"""
    drawn_blocks = await lab.evaluate(script, blocks)
    assert [tag for tag, _ in drawn_blocks] == ["DETAILS", "DETAILS"]
    assert '"x": "<b>"' in drawn_blocks[0][1]
    assert '"value": "<i>"' in drawn_blocks[1][1]


async def test_markup_in_telegram_text_names_and_buttons_stays_text(desk: Desk) -> None:
    keyboard = {"inline_keyboard": [[{"text": INJECTION[:60], "callback_data": INJECTION[:60]}]]}
    await desk.telegram("sendMessage", chat_id=ADA, text=INJECTION, reply_markup=keyboard)
    await expect(desk.left.locator(".tg-text")).to_have_text(INJECTION)
    await expect(desk.left.locator(".tg-key")).to_have_text(INJECTION[:60])
    await desk.left.locator(".tg-key").click()
    query = (await desk.updates())[0]["callback_query"]
    await desk.telegram("answerCallbackQuery", callback_query_id=query["id"], text=INJECTION)
    await expect(desk.left.get_by_role("status")).to_have_text(INJECTION)
    assert await hurt(desk) == [0, False]


async def test_markup_in_slack_blocks_stays_text(desk: Desk) -> None:
    plain = {"type": "plain_text", "text": INJECTION}
    escaped = INJECTION.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": INJECTION}]}
    blocks: list[Json] = [
        {"type": "header", "text": plain},
        {"type": "section", "text": {"type": "mrkdwn", "text": escaped}},
        {"type": "section", "fields": [plain]},
        {"type": "context", "elements": [plain]},
        {"type": "markdown", "text": INJECTION},
        {"type": "rich_text", "elements": [section]},
        {"type": "actions", "elements": [
            {"type": "button", "action_id": "x", "text": {"type": "plain_text", "text": INJECTION[:75]}}]},
    ]  # fmt: skip
    await desk.slack("chat.postMessage", channel="D0ADA", text="x", blocks=blocks)
    await expect(desk.right.locator(".sl-message")).to_be_visible()
    for place in (".b-header", ".b-section .b-text", ".field", ".b-context span", ".b-markdown p", ".r-section"):
        await expect(desk.right.locator(place)).to_have_text(INJECTION)
    await expect(desk.right.locator(".sl-button")).to_have_text(INJECTION[:75])
    assert await hurt(desk) == [0, False]


async def hurt(desk: Desk) -> list[object]:
    """How many nodes came of the injection, and whether its script ran."""
    script = "[document.querySelectorAll('img, .window script, .window b').length, 'hurt' in window]"
    found: list[object] = await desk.page.evaluate(script)
    return found


async def test_what_a_person_opened_stays_open_when_the_message_is_edited(desk: Desk) -> None:
    lines = "\n".join(f"line {number}" for number in range(9))
    marks = [{"type": "expandable_blockquote", "offset": 0, "length": len(lines)}]
    message = await desk.telegram("sendMessage", chat_id=ADA, text=lines, entities=marks)
    quote = desk.left.locator("blockquote")
    height = "node => node.getBoundingClientRect().height"
    await expect(quote).to_be_visible()
    folded = await quote.evaluate(height)
    await quote.get_by_role("button", name="Show more or less").click()
    assert await quote.evaluate(height) > folded * 2
    await desk.telegram(
        "editMessageText", chat_id=ADA, message_id=message["message_id"], text=lines + "!", entities=marks
    )
    await expect(desk.left.locator(".edited")).to_be_visible()
    assert await quote.evaluate(height) > folded * 2


async def test_a_spoiler_is_hidden_until_it_is_pressed(desk: Desk) -> None:
    mark = [{"type": "spoiler", "offset": 0, "length": 6}]
    await desk.telegram("sendMessage", chat_id=ADA, text="secret word", entities=mark)
    spoiler = desk.left.get_by_role("button", name="secret", exact=True)
    assert await spoiler.evaluate("node => getComputedStyle(node).color") == "rgba(0, 0, 0, 0)"
    await spoiler.press("Enter")
    assert await spoiler.evaluate("node => getComputedStyle(node).color") != "rgba(0, 0, 0, 0)"


async def test_a_confirmation_is_asked_before_the_press(desk: Desk) -> None:
    said = {"title": "Sure?", "text": "It deletes files.", "confirm": "Do it", "deny": "Leave it"}
    words = {key: {"type": "plain_text", "text": text} for key, text in said.items()}
    button = {"type": "button", "action_id": "go", "confirm": words, "text": {"type": "plain_text", "text": "Go"}}
    blocks = [{"type": "actions", "elements": [button]}]
    await desk.slack("chat.postMessage", channel="D0ADA", text="x", blocks=blocks)
    async with desk.slack_socket() as socket:
        await desk.right.get_by_role("button", name="Go", exact=True).click()
        await desk.page.get_by_role("dialog").get_by_role("button", name="Leave it").click()
        await desk.right.get_by_role("button", name="Go", exact=True).click()
        await desk.page.get_by_role("dialog").get_by_role("button", name="Do it").click()
        envelope = await next_envelope(socket, "interactive")
        await acknowledge(socket, envelope)
    assert envelope["payload"]["actions"][0]["action_id"] == "go"
