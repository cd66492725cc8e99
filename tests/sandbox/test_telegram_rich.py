"""Rich messages: what comes back of blocks, Markdown and HTML, and how they are edited."""

import json
from typing import Any

import pytest
from aiogram.types import Message, RichMessage
from aiohttp import FormData

from bossbot.sandbox.telegram_rich_markup import html_blocks, markdown_blocks
from bossbot.sandbox.telegram_rich_measure import measured
from tests.sandbox.test_telegram_people import PNG
from tests.sandbox.wires import TOKEN, Wires

P = {"type": "paragraph", "text": "x"}
CARD: list[dict[str, Any]] = [
    {"type": "heading", "text": ["Build ", {"type": "code", "text": "42"}], "size": 2},
    {"type": "pre", "text": "x = 1", "language": "python"},
    {"type": "list", "items": [{"blocks": [P], "has_checkbox": True, "is_checked": True}, {"blocks": []}]},
    {"type": "list", "items": [{"blocks": [P], "type": "i", "value": 4}, {"blocks": [P], "type": "a", "value": 28}]},
    {
        "type": "table",
        "is_bordered": True,
        "is_striped": False,
        "cells": [
            [{"text": "File", "is_header": True}, {"text": "±", "align": "right"}],
            [{"text": "a.py", "colspan": 2}],
        ],
    },
    {"type": "details", "summary": "Log", "blocks": [P, {"type": "divider"}], "is_open": True},
    {"type": "buttons", "buttons": [{"text": "Approve", "style": "success", "callback_data": "a"}], "align": "center"},
]


async def send(wires: Wires, **message: Any) -> dict[str, Any]:
    answer = await wires.telegram("sendRichMessage", chat_id=1001, rich_message=message)
    assert answer["ok"], answer
    result: dict[str, Any] = answer["result"]
    return result


async def test_blocks_come_back_with_labels_and_defaults_and_without_what_is_empty(wires: Wires) -> None:
    sent = await send(wires, blocks=CARD, is_rtl=True)
    blocks = sent["rich_message"]["blocks"]
    assert (sent["rich_message"]["is_rtl"], "text" in sent) == (True, False)
    assert [block["type"] for block in blocks] == ["heading", "pre", "list", "list", "table", "details", "buttons"]
    assert blocks[2]["items"] == [
        {"label": "•", "blocks": [P], "has_checkbox": True, "is_checked": True},
        {"label": "•", "blocks": [{"type": "paragraph", "text": ""}]},
    ]
    assert [(item["label"], item["value"]) for item in blocks[3]["items"]] == [("iv.", 4), ("ab.", 28)]
    assert blocks[4] == {
        "type": "table",
        "is_bordered": True,
        "cells": [
            [
                {"text": "File", "is_header": True, "align": "center", "valign": "middle"},
                {"text": "±", "align": "right", "valign": "middle"},
            ],
            [{"text": "a.py", "colspan": 2, "align": "left", "valign": "middle"}],
        ],
    }
    assert Message.model_validate(sent).rich_message is not None


async def test_the_first_of_blocks_markdown_and_html_counts(wires: Wires) -> None:
    sent = await send(wires, html="<b>c</b>", markdown="*b*", blocks=[P])
    assert sent["rich_message"] == {"blocks": [P]}
    sent = await send(wires, html="<b>c</b>", markdown="*b*")
    assert sent["rich_message"]["blocks"] == [{"type": "paragraph", "text": {"type": "italic", "text": "b"}}]
    shown = [message["rich_source"] for message in (await wires.chat())["messages"]]
    assert shown == [{"kind": "blocks"}, {"kind": "markdown", "text": "*b*"}]


async def test_the_limits_are_reached_before_they_are_passed(wires: Wires) -> None:
    await send(wires, blocks=[P] * 500)
    await send(wires, blocks=[{"type": "paragraph", "text": "字" * 32_768}])
    await send(wires, blocks=[{"type": "table", "cells": [[{"text": "x"}] * 20]}])
    await send(wires, blocks=[{"type": "buttons", "buttons": [{"text": "x", "callback_data": "批" * 21}] * 8}])
    text: Any = "x"
    for _ in range(15):
        text = {"type": "bold", "text": text}
    await send(wires, blocks=[{"type": "paragraph", "text": text}])


async def test_a_text_can_become_rich_and_a_rich_message_a_text(wires: Wires) -> None:
    sent = (await wires.telegram("sendMessage", chat_id=1001, text="working"))["result"]
    edit = {"chat_id": 1001, "message_id": sent["message_id"]}
    rich = await wires.telegram("editMessageText", **edit, rich_message={"blocks": CARD})
    assert ("text" in rich["result"], len(rich["result"]["rich_message"]["blocks"])) == (False, len(CARD))
    same = await wires.telegram("editMessageText", **edit, rich_message=json.dumps({"blocks": CARD}))
    assert same["description"].startswith("Bad Request: message is not modified")
    plain = (await wires.telegram("editMessageText", **edit, text="done"))["result"]
    assert (plain["text"], "rich_message" in plain) == ("done", False)
    (shown,) = (await wires.chat())["messages"]
    assert (shown["edited"], shown["text"]) == (2, "done")


async def test_a_photo_that_comes_with_the_call_stands_in_a_rich_message(wires: Wires) -> None:
    photo = {"type": "photo", "photo": {"type": "photo", "media": "attach://picture"}}
    form = FormData({"chat_id": "1001", "rich_message": json.dumps({"blocks": [photo]})})
    form.add_field("picture", PNG, filename="a.png")
    async with wires.session.post(f"{wires.base_url}/telegram/bot{TOKEN}/sendRichMessage", data=form) as response:
        (block,) = (await response.json())["result"]["rich_message"]["blocks"]
    assert [(size["width"], size["height"]) for size in block["photo"]] == [(3, 2)]


async def test_a_document_stands_in_a_rich_message(wires: Wires) -> None:
    body = (
        b'--x\r\nContent-Disposition: form-data; name="chat_id"\r\n\r\n1001\r\n'
        b'--x\r\nContent-Disposition: form-data; name="rich_message"\r\n\r\n'
        + json.dumps(
            {
                "blocks": [
                    {
                        "type": "document",
                        "document": {"type": "document", "media": "attach://log"},
                        "caption": {"text": "c"},
                    }
                ]
            }
        ).encode()
        + b'\r\n--x\r\nContent-Disposition: form-data; name="log"; filename="a.log"\r\n\r\ndata\r\n--x--\r\n'
    )
    url = f"{wires.base_url}/telegram/bot{TOKEN}/sendRichMessage"
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    async with wires.session.post(url, data=body, headers=headers) as response:
        (block,) = (await response.json())["result"]["rich_message"]["blocks"]
    assert (block["document"]["file_name"], block["caption"]) == ("a.log", {"text": "c"})
    sent = await send(
        wires, blocks=[{"type": "document", "document": {"type": "document", "media": block["document"]["file_id"]}}]
    )
    assert sent["rich_message"]["blocks"] == [{"type": "document", "document": block["document"]}]
    refused = await wires.telegram(
        "sendRichMessage",
        chat_id=1001,
        rich_message={"blocks": [{"type": "video", "video": {"type": "video", "media": "x"}}]},
    )
    assert refused["error_code"] == 501


MARKDOWN = """# Title

Some **bold**, `code` and [a link](https://a.bc).

- [x] done
- [ ] open
  1. inner

```py
x = "<b>"
```

| a | b |
|---|--:|
| 1 | 2 |

> said

<details open><summary>More</summary>

inside

</details>

---
"""


def test_markdown_becomes_blocks() -> None:
    blocks = markdown_blocks(MARKDOWN)
    kinds = ["heading", "paragraph", "list", "pre", "table", "blockquote", "details", "divider"]
    assert [block["type"] for block in blocks] == kinds
    assert blocks[1]["text"] == [
        "Some ",
        {"type": "bold", "text": "bold"},
        ", ",
        {"type": "code", "text": "code"},
        " and ",
        {"type": "url", "text": "a link", "url": "https://a.bc"},
        ".",
    ]
    items: Any = blocks[2]["items"]
    assert [(item.get("has_checkbox"), item.get("is_checked")) for item in items] == [(True, True), (True, None)]
    assert items[1]["blocks"][1]["items"][0]["label"] == "1."
    assert (blocks[3]["text"], blocks[3]["language"]) == ('x = "<b>"', "py")
    assert blocks[6] == {
        "type": "details",
        "summary": "More",
        "blocks": [{"type": "paragraph", "text": "inside"}],
        "is_open": True,
    }
    assert RichMessage.model_validate({"blocks": blocks}).blocks


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ("a<br>b", [{"type": "paragraph", "text": "a\nb"}]),
        ("<p>a <b>b </b>c</p>", [{"type": "paragraph", "text": ["a ", {"type": "bold", "text": "b "}, "c"]}]),
        ("<unknown>a</unknown> & b", [{"type": "paragraph", "text": "a & b"}]),
        ("</p><b>a", [{"type": "paragraph", "text": {"type": "bold", "text": "a"}}]),
        (
            "<footer>f</footer><tg-thinking>t</tg-thinking>",
            [{"type": "footer", "text": "f"}, {"type": "thinking", "text": "t"}],
        ),
        ("<blockquote expandable>q</blockquote>", [{"type": "expandable_blockquote", "text": "q"}]),
        ("", []),
    ],
)
def test_html_becomes_blocks_whatever_it_is(source: str, blocks: list[dict[str, Any]]) -> None:
    assert html_blocks(source) == blocks


def test_deep_html_ends_and_is_measured() -> None:
    assert measured(html_blocks("<blockquote>" * 500 + "x")).depth > 16
    assert measured(markdown_blocks("> " * 500 + "x")).blocks > 0
