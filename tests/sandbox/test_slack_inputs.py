"""Menus, boxes and dates in messages and modals: what a choice tells the bot, and what cannot be chosen."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.sandbox.slack_app import SocketApp, field_block, modal, opened, option, plain
from tests.sandbox.wires import Wires

OPTIONS = [option("red"), option("green"), option("blue")]


@pytest.fixture
async def app(wires: Wires) -> AsyncIterator[SocketApp]:
    async with SocketApp(wires) as made:
        yield made


async def post(wires: Wires, *elements: dict[str, Any]) -> dict[str, Any]:
    """A message with these elements, and how the control API is told of Ada's acts in it."""
    blocks = [{"type": "actions", "block_id": "row", "elements": list(elements)}]
    posted = await wires.slack("chat.postMessage", channel="C0BOSS", text="?", blocks=blocks)
    assert posted["ok"], posted
    return {"channel": "C0BOSS", "ts": posted["ts"], "user": "U0ADA"}


@pytest.mark.parametrize(
    ("element", "values", "field", "told"),
    [
        ({"type": "static_select", "options": OPTIONS}, ["green"], "selected_option", OPTIONS[1]),
        ({"type": "static_select", "options": OPTIONS}, ["Green"], "selected_option", OPTIONS[1]),
        (
            {"type": "multi_static_select", "option_groups": [{"label": plain("g"), "options": OPTIONS}]},
            ["red", "blue"],
            "selected_options",
            [OPTIONS[0], OPTIONS[2]],
        ),
        ({"type": "checkboxes", "options": OPTIONS}, ["red"], "selected_options", [OPTIONS[0]]),
        ({"type": "checkboxes", "options": OPTIONS}, [], "selected_options", []),
        ({"type": "radio_buttons", "options": OPTIONS}, ["blue"], "selected_option", OPTIONS[2]),
        ({"type": "users_select"}, ["U0EVE"], "selected_user", "U0EVE"),
        ({"type": "multi_users_select"}, ["U0EVE", "U0BEN"], "selected_users", ["U0EVE", "U0BEN"]),
        ({"type": "conversations_select"}, ["C0BOSS"], "selected_conversation", "C0BOSS"),
        ({"type": "multi_conversations_select"}, ["C0BOSS", "D0ADA"], "selected_conversations", ["C0BOSS", "D0ADA"]),
        ({"type": "channels_select"}, ["C0BOSS"], "selected_channel", "C0BOSS"),
        ({"type": "multi_channels_select"}, ["C0BOSS"], "selected_channels", ["C0BOSS"]),
        ({"type": "datepicker"}, ["2026-11-30"], "selected_date", "2026-11-30"),
        ({"type": "timepicker"}, ["09:30"], "selected_time", "09:30"),
        ({"type": "datetimepicker"}, [1_800_000_000], "selected_date_time", 1_800_000_000),
    ],
)
async def test_a_choice_in_a_message_is_told_as_an_action_and_in_the_state(
    wires: Wires, app: SocketApp, element: dict[str, Any], values: list[Any], field: str, told: Any
) -> None:
    act = await post(wires, {**element, "action_id": "pick"})
    assert (await wires.control("slack/select", **act, action_id="pick", values=values, wait_s=60))["acked"] is True
    sent = await app.last("block_actions")
    (action,) = sent["actions"]
    assert (action["type"], action["block_id"], action["action_id"], action[field]) == (
        element["type"],
        "row",
        "pick",
        told,
    )
    assert sent["state"]["values"] == {"row": {"pick": {"type": element["type"], field: told}}}


async def test_an_overflow_menu_is_chosen_from_and_has_no_state(wires: Wires, app: SocketApp) -> None:
    act = await post(wires, {"type": "overflow", "action_id": "more", "options": OPTIONS})
    await wires.control("slack/select", **act, action_id="more", values=["red"], wait_s=60)
    sent = await app.last("block_actions")
    assert sent["actions"][0]["selected_option"] == OPTIONS[0]
    assert sent["state"] == {"values": {}}


async def test_a_press_carries_what_its_person_has_chosen_and_nobody_elses(wires: Wires, app: SocketApp) -> None:
    button = {"type": "button", "text": plain("Go"), "action_id": "go"}
    menu = {"type": "static_select", "action_id": "pick", "options": OPTIONS, "initial_option": OPTIONS[2]}
    act = await post(wires, menu, button)
    await wires.control("slack/select", **act, action_id="pick", values=["green"])
    for user, chosen in (("U0ADA", OPTIONS[1]), ("U0BEN", OPTIONS[2])):
        await wires.control("slack/press", **{**act, "user": user}, label="Go", wait_s=60)
        state = (await app.last("block_actions"))["state"]["values"]
        assert state["row"]["pick"]["selected_option"] == chosen


@pytest.mark.parametrize(
    ("element", "values", "words"),
    [
        ({"type": "static_select", "options": OPTIONS}, ["pink"], "'red', 'green', 'blue'"),
        ({"type": "static_select", "options": OPTIONS}, ["red", "blue"], "one value"),
        ({"type": "multi_users_select", "max_selected_items": 1}, ["U0ADA", "U0BEN"], "no more than 1"),
        ({"type": "users_select"}, ["U0NONE"], "U0NONE"),
        ({"type": "channels_select"}, ["C0NONE"], "C0NONE"),
        ({"type": "datepicker"}, ["30.11.2026"], "2026-11-30"),
        ({"type": "datepicker"}, ["2026-02-30"], "2026-11-30"),
        ({"type": "timepicker"}, ["9:30"], "09:30"),
        ({"type": "datetimepicker"}, ["soon"], "seconds since the epoch"),
    ],
)
async def test_what_nobody_could_choose_is_refused_with_what_they_could(
    wires: Wires, app: SocketApp, element: dict[str, Any], values: list[Any], words: str
) -> None:
    act = await post(wires, {**element, "action_id": "pick"})
    status, answer = await wires.try_control("slack/select", **act, action_id="pick", values=values)
    assert (status, words in answer["error"]) == (400, True), answer
    status, answer = await wires.try_control("slack/select", **act, action_id="other", values=[])
    assert (status, "'pick'" in answer["error"]) == (404, True)


async def test_an_external_select_offers_what_the_app_suggests_for_what_was_typed(wires: Wires, app: SocketApp) -> None:
    """docs.slack.dev, block_suggestion: action_id, block_id and value go out, options come back."""
    act = await post(wires, {"type": "external_select", "action_id": "repo"})
    ask = {**act, "action_id": "repo"}
    assert (await wires.try_control("slack/select", **ask, values=["red"]))[0] == 400
    status, answer = await wires.try_control("slack/suggest", **ask, typed="re")
    assert (status, "3 characters" in answer["error"]) == (400, True)
    app.answers = [{"options": OPTIONS}, {"option_groups": [{"label": plain("g"), "options": OPTIONS[:1]}]}]
    assert (await wires.control("slack/suggest", **ask, typed="red"))["options"] == OPTIONS
    sent = await app.last("block_suggestion")
    assert (sent["value"], sent["block_id"], sent["action_id"]) == ("red", "row", "repo")
    assert (sent["container"]["message_ts"], "trigger_id" in sent) == (act["ts"], False)
    assert (await wires.control("slack/suggest", **ask, typed="redder"))["options"] == OPTIONS[:1]
    await wires.control("slack/select", **ask, values=["red"], wait_s=60)
    assert (await app.last("block_actions"))["actions"][0]["selected_option"] == OPTIONS[0]
    app.answers = [{"options": [1]}]
    assert (await wires.control("slack/suggest", **ask, typed="nothing"))["options"] == []
    other = await post(wires, {"type": "users_select", "action_id": "who"})
    status, answer = await wires.try_control("slack/suggest", **other, action_id="who", typed="ada")
    assert (status, "own options" in answer["error"]) == (400, True)


@pytest.mark.parametrize(
    ("kind", "fields", "good", "bad"),
    [
        ("plain_text_input", {"min_length": 3}, "abc", "ab"),
        ("email_text_input", {}, "a@b.cd", "a@b"),
        ("url_text_input", {}, "https://a.bc", "a.bc"),
        ("number_input", {"is_decimal_allowed": False}, "12", "1.5"),
        ("number_input", {"is_decimal_allowed": True}, "1.5", "x"),
        ("number_input", {"is_decimal_allowed": False, "min_value": "9"}, "10", "8"),
        ("number_input", {"is_decimal_allowed": True, "max_value": "-1.5"}, "-2", "-1.4"),
    ],
)
async def test_what_is_typed_into_a_modal_must_be_of_its_kind(
    wires: Wires, app: SocketApp, kind: str, fields: dict[str, Any], good: str, bad: str
) -> None:
    view = await opened(wires, app, modal(field_block("it", kind, **fields)))
    act = {"view_id": view["id"], "user": "U0ADA"}
    assert (await wires.try_control("slack/submit", **act, values={"it": bad}))[0] == 400
    assert (await wires.control("slack/submit", **act, values={"it": good}))["open"] is False
    sent = (await app.last("view_submission"))["view"]["state"]["values"]
    assert sent == {"b-it": {"it": {"type": kind, "value": good}}}


async def test_an_input_is_told_at_once_only_when_it_dispatches(wires: Wires, app: SocketApp) -> None:
    """docs.slack.dev, input block: `dispatch_action` makes the element send block_actions."""
    loud = {**field_block("loud"), "dispatch_action": True}
    view = await opened(wires, app, modal(field_block("quiet"), loud))
    act = {"view_id": view["id"], "user": "U0ADA"}
    quiet = await wires.control("slack/select", **act, action_id="quiet", values=["a"], wait_s=1)
    assert (quiet["delivered"], app.heard[-1]["type"]) == (False, "shortcut")
    assert (await wires.control("slack/select", **act, action_id="loud", values=["b"], wait_s=60))["acked"] is True
    sent = await app.last("block_actions")
    assert sent["actions"][0]["value"] == "b"
    assert sent["view"]["state"]["values"]["b-quiet"]["quiet"]["value"] == "a"


async def test_a_select_of_conversations_can_bring_an_address_to_answer_at(wires: Wires, app: SocketApp) -> None:
    """docs.slack.dev, conversations_select in modals: `response_url_enabled` brings `response_urls`."""
    where = field_block("where", "conversations_select", response_url_enabled=True)
    view = await opened(wires, app, modal(where, field_block("other", "conversations_select")))
    values = {"where": "C0BOSS", "other": "C0BOSS"}
    await wires.control("slack/submit", view_id=view["id"], user="U0ADA", values=values)
    (found,) = (await app.last("view_submission"))["response_urls"]
    assert (found["channel_id"], found["block_id"], found["action_id"]) == ("C0BOSS", "b-where", "where")
    async with wires.session.post(
        found["response_url"], json={"text": "done", "response_type": "in_channel"}
    ) as answer:
        assert answer.status == 200
    assert [message["text"] for message in (await wires.channel("C0BOSS"))["messages"]] == ["done"]


async def test_buttons_are_found_in_cards_containers_and_feedback(wires: Wires, app: SocketApp) -> None:
    button = {"type": "button", "text": plain("Inner"), "action_id": "inner"}
    halves = {
        "positive_button": {"text": plain("Good"), "value": "1"},
        "negative_button": {"text": plain("Bad"), "value": "0"},
    }
    blocks = [
        {"type": "container", "title": plain("C"), "child_blocks": [{"type": "actions", "elements": [button]}]},
        {"type": "context_actions", "elements": [{"type": "feedback_buttons", "action_id": "vote", **halves}]},
    ]
    posted = await wires.slack("chat.postMessage", channel="D0ADA", text="?", blocks=blocks)
    assert posted["ok"], posted
    act = {"channel": "D0ADA", "ts": posted["ts"], "user": "U0ADA", "wait_s": 60}
    for label, action_id, value in (("Inner", "inner", None), ("Bad", "vote", "0")):
        await wires.control("slack/press", **act, label=label)
        (action,) = (await app.last("block_actions"))["actions"]
        assert (action["action_id"], action.get("value")) == (action_id, value)


async def test_a_button_for_some_is_not_there_for_others(wires: Wires, app: SocketApp) -> None:
    button = {"type": "button", "text": plain("Go"), "action_id": "go", "visible_to_user_ids": ["U0BEN"]}
    act = await post(wires, button)
    status, answer = await wires.try_control("slack/press", **act, label="Go")
    assert (status, "U0BEN" in answer["error"]) == (400, True)
    assert (await wires.control("slack/press", **{**act, "user": "U0BEN"}, label="Go", wait_s=60))["acked"] is True
