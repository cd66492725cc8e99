"""What acts in a message is told, wherever it stands; what is only shown is not."""

from typing import Any

import pytest

from bossbot.sandbox.slack_live import live
from tests.sandbox.wires import Wires

Json = dict[str, Any]


def mrkdwn(text: str) -> Json:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def plain(text: str) -> Json:
    return {"type": "section", "text": {"type": "plain_text", "text": text}}


def markdown(text: str) -> Json:
    return {"type": "markdown", "text": text}


def rich(*elements: Json, part: str = "rich_text_section") -> Json:
    return {"type": "rich_text", "elements": [{"type": part, "elements": list(elements)}]}


def kinds(*blocks: Json, text: str = "") -> list[tuple[str, str]]:
    return [(str(found["kind"]), str(found["where"])) for found in live(text, list(blocks), [])]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<!channel>", "broadcast"),
        ("see <!here> now", "broadcast"),
        ("<!everyone|everyone>", "broadcast"),
        ("`<!channel>`", "broadcast"),
        ("<@U0ADA>", "user"),
        ("<@W0ADA|ada>", "user"),
        ("<!subteam^S0APPROVERS>", "usergroup"),
        ("<#C0BOSS|boss>", "channel"),
        ("<https://evil.example|https://good.example>", "link"),
        ("<https://evil.example|good.com>", "link"),
        ("<https://evil.example/good.com|www.good.com/login>", "link"),
        ("<https://good.com@evil.example|https://good.com>", "link"),
        ("<https://[evil|https://good.com>", "link"),
    ],
)
def test_what_acts_in_a_text_is_told_in_every_place_that_is_parsed(text: str, kind: str) -> None:
    assert kinds(text=text) == [(kind, "/text")]
    assert kinds(mrkdwn(text)) == [(kind, "/blocks/0/text/text")]
    assert kinds(markdown(text)) == [(kind, "/blocks/0/text")]
    assert kinds({"type": "context", "elements": [{"type": "mrkdwn", "text": text}]}) == [
        (kind, "/blocks/0/elements/0/text")
    ]
    assert kinds(plain(text), rich({"type": "text", "text": text})) == []


@pytest.mark.parametrize(
    "text",
    [
        "&lt;!channel&gt;", "< !channel>", "a < b > c", "Vec<String>", "<https://a.bc>", "<https://a.bc|read this>",
        "<https://a.bc/x|https://a.bc/x?y>", "<mailto:a@b.cd|a@b.cd>", "@channel", "<!date^1^{date}|x>", "<https://a.bc|setup.py>",
    ],
)  # fmt: skip
def test_what_only_shows_is_not_told(text: str) -> None:
    assert kinds(mrkdwn(text), markdown(text), text=text) == []


def test_a_plain_mention_acts_when_names_are_linked() -> None:
    found = live("@here and a@here.example", [], [], links_names=True)
    assert [entry["what"] for entry in found] == ["@here"]


def test_markdowns_own_links_are_judged_too() -> None:
    assert kinds(markdown("[https://good.example](https://evil.example)")) == [("link", "/blocks/0/text")]
    assert kinds(markdown("[good.com](<https://evil.example> 'x')")) == [("link", "/blocks/0/text")]
    assert kinds(markdown("[docs](https://a.bc) [a.bc](https://www.a.bc/)")) == []


@pytest.mark.parametrize(
    "text",
    [
        "[**https://good.example**](https://evil.example)",
        "[see https://good.example](https://evil.example)",
        "[\u200bhttps://good.example](https://evil.example)",
        "[[https://good.example]](https://evil.example)",
        "[good.com](https://evil.example/a_(b))",
        "[the\nhttps://good.example](https://evil.example)",
        "[good.com](https://evil.example 'x (y)')",
    ],
)
def test_a_label_shows_its_address_wherever_that_stands_in_it(text: str) -> None:
    assert kinds(markdown(text)) == [("link", "/blocks/0/text")]


@pytest.mark.parametrize(
    "text",
    [
        "[**https://a.bc**](https://a.bc/d)",
        "[see https://a.bc.](https://a.bc)",
        "[node.communication](https://a.bc)",
        "[good.com.a.example](https://good.com.a.example)",
        "[good.com:8080](https://good.com)",
    ],
)
def test_a_label_that_shows_its_own_address_is_no_lie(text: str) -> None:
    assert kinds(markdown(text)) == []


def test_what_leads_elsewhere_by_an_address_of_its_own_is_judged_like_a_link() -> None:
    url, shown = "https://evil.example", "https://good.example"
    button = {"type": "button", "text": {"type": "plain_text", "text": shown}, "url": url}
    source = {"type": "url", "url": url, "text": shown}
    task = {"type": "task_card", "task_id": "1", "title": "x", "status": "complete", "sources": [source]}
    assert kinds({"type": "actions", "elements": [button]}, task) == [
        ("link", "/blocks/0/elements/0"),
        ("link", "/blocks/1/sources/0"),
    ]
    found = live("", [], [{"title": shown, "title_link": url, "author_name": "Ada", "author_link": url}])
    assert [(entry["kind"], entry["where"]) for entry in found] == [("link", "/attachments/0/title")]


def test_rich_texts_mentions_and_links_act_by_their_type() -> None:
    elements = [
        {"type": "broadcast", "range": "here"},
        {"type": "user", "user_id": "U0ADA"},
        {"type": "usergroup", "usergroup_id": "S1"},
        {"type": "channel", "channel_id": "C1"},
        {"type": "link", "url": "https://evil.example", "text": "https://good.example"},
        {"type": "link", "url": "https://a.bc", "text": "a.bc"},
        {"type": "link", "url": "https://a.bc%7Cd", "text": "https://a.bc|d"},
        {"type": "emoji", "name": "eyes"},
    ]
    assert [kind for kind, _ in kinds(rich(*elements))] == ["broadcast", "user", "usergroup", "channel", "link"]


def test_attachments_are_read() -> None:
    attachment: Json = {"text": "<!here>", "fields": [{"title": "t", "value": "<@U1>"}], "blocks": [mrkdwn("<#C1>")]}
    found = [(entry["kind"], entry["where"]) for entry in live("", [], [attachment])]
    assert found == [
        ("broadcast", "/attachments/0/text"),
        ("user", "/attachments/0/fields/0/value"),
        ("channel", "/attachments/0/blocks/0/text/text"),
    ]


async def test_the_state_tells_it_of_posts_edits_ephemerals_and_streams(wires: Wires) -> None:
    ts = (await wires.slack("chat.postMessage", channel="D0ADA", text="<!channel>"))["ts"]
    await wires.slack("chat.postEphemeral", channel="D0ADA", user="U0ADA", text="<@U0ADA>")
    await wires.slack("chat.postMessage", channel="D0ADA", text="@channel", parse="full")
    task = {"type": "task_update", "id": "1", "title": "x", "status": "pending", "details": "ask <!here>"}
    await wires.slack("chat.startStream", channel="D0ADA", chunks=[task])
    channel = await wires.channel()
    found = [[entry["kind"] for entry in message["live"]] for message in channel["messages"]]
    assert found == [["broadcast"], ["broadcast"], ["broadcast"]]
    assert [entry["what"] for entry in channel["ephemerals"][0]["live"]] == ["<@U0ADA>"]
    await wires.slack("chat.update", channel="D0ADA", ts=ts, text="fine")
    assert (await wires.channel())["messages"][0]["live"] == []
    await wires.slack("chat.update", channel="D0ADA", ts=ts, text="@here", link_names=True)
    assert [entry["what"] for entry in (await wires.channel())["messages"][0]["live"]] == ["@here"]
    home = {"type": "home", "blocks": [mrkdwn("<@U0ADA>")]}
    await wires.slack("views.publish", user_id="U0ADA", view=home)
    assert [entry["kind"] for entry in (await wires.state("slack"))["views"][0]["live"]] == ["user"]
