"""What only TDLib can refuse, when the package tdjson is installed. `telegram_refusals.py` tells how a row is read."""

from tests.sandbox.telegram_refusals import inline, send

LINK = "LinkManager.cpp check_link"
TDLIB = [
    send("can't parse entities: Can't find end tag corresponding to start tag \"b\"", "MessageEntity.cpp do_parse_html",
         text="<b>x", parse_mode="HTML"),
    send('can\'t parse entities: Unsupported start tag "foo" at byte offset 0', "MessageEntity.cpp do_parse_html",
         text="<foo>x</foo>", parse_mode="html"),
    send('can\'t parse entities: Unmatched end tag at byte offset 4, expected "</b>", found "</i>"',
         "MessageEntity.cpp do_parse_html", text="<b>x</i>", parse_mode="html"),
    send("can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
         "MessageEntity.cpp do_parse_markdown_v2", text="a.b", parse_mode="MarkdownV2"),
    send("can't parse entities: Can't find end of Bold entity at byte offset 0",
         "MessageEntity.cpp do_parse_markdown_v2", text="*x", parse_mode="MarkdownV2"),
    send("can't parse entities: Can't find end of the entity starting at byte offset 0",
         "MessageEntity.cpp parse_markdown", text="*x", parse_mode="Markdown"),
    send("entity begins in a middle of a UTF-16 symbol at byte offset 4", "MessageEntity.cpp fix_entities",
         text="😀", entities=[{"type": "bold", "offset": 1, "length": 1}]),
    send("entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 9",
         "MessageEntity.cpp fix_entities", entities=[{"type": "bold", "offset": 0, "length": 9}]),
    send("entity URL 'http://localhost:1' is invalid: Wrong HTTP URL", LINK,
         entities=[{"type": "text_link", "offset": 0, "length": 1, "url": "http://localhost:1"}]),
    send("inline keyboard button URL 'http://localhost:1' is invalid: Wrong HTTP URL", LINK,
         reply_markup=inline(url="http://localhost:1")),
    send("inline keyboard button Web App URL 'http://a.bc/' is invalid: Only HTTPS links are allowed", LINK,
         reply_markup=inline(web_app={"url": "http://a.bc/"})),
    send("inline keyboard button login URL 'http://a.bc/' is invalid: Only HTTPS links are allowed", LINK,
         reply_markup=inline(login_url={"url": "http://a.bc/"})),
]  # fmt: skip
