"""Modals and home tabs: opened, pushed, changed, filled in, submitted and closed. Errors as docs.slack.dev has them."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.sandbox.slack_app import SocketApp, field_block, modal, opened, option, plain, receive, trigger
from tests.sandbox.wires import Wires, until

HOME = {"type": "home", "blocks": [{"type": "divider"}]}


@pytest.fixture
async def app(wires: Wires) -> AsyncIterator[SocketApp]:
    async with SocketApp(wires) as made:
        yield made


async def shown(wires: Wires) -> list[dict[str, Any]]:
    views: list[dict[str, Any]] = (await wires.state("slack"))["views"]
    return views


async def test_an_opened_modal_has_ids_an_empty_state_and_its_person(wires: Wires, app: SocketApp) -> None:
    view = await opened(wires, app, modal(field_block("why"), private_metadata="m", callback_id="c"), "U0BEN")
    assert (view["root_view_id"], view["previous_view_id"], view["team_id"]) == (view["id"], None, "T0SANDBOX")
    assert (view["private_metadata"], view["callback_id"], view["bot_id"]) == ("m", "c", "B0BOSSBOT")
    assert view["state"] == {"values": {"b-why": {"why": {"type": "plain_text_input", "value": None}}}}
    (found,) = await shown(wires)
    assert (found["id"], found["user"], found["errors"], found["problem"]) == (view["id"], "U0BEN", {}, None)


async def test_a_trigger_is_good_for_three_seconds_and_one_view(wires: Wires, app: SocketApp) -> None:
    """views.open: `expired_trigger_id` "The trigger_id is expired.", `exchanged_trigger_id` "already exchanged in a
    previous call", `invalid_trigger_id` "The trigger_id is invalid."."""
    trigger_id = await trigger(wires, app)
    assert (await wires.slack("views.open", trigger_id=trigger_id, view=modal()))["ok"] is True
    assert (await wires.slack("views.open", trigger_id=trigger_id, view=modal()))["error"] == "exchanged_trigger_id"
    late = await trigger(wires, app)
    await wires.control("clock", advance_s=3.5)
    for method in ("views.open", "views.push"):
        assert (await wires.slack(method, trigger_id=late, view=modal()))["error"] == "expired_trigger_id"
        assert (await wires.slack(method, trigger_id="1.2.x", view=modal()))["error"] == "invalid_trigger_id"


async def test_a_refused_view_leaves_the_trigger_unused(wires: Wires, app: SocketApp) -> None:
    trigger_id = await trigger(wires, app)
    for wrong in ({"type": "modal"}, HOME, modal(title=plain("x" * 25)), modal(field_block("a"), submit=None)):
        assert (await wires.slack("views.open", trigger_id=trigger_id, view=wrong))["error"] == "invalid_arguments"
    large = modal(*[{"type": "section", "text": plain("y" * 3000)}] * 99)
    assert (await wires.slack("views.open", trigger_id=trigger_id, view=large))["error"] == "view_too_large"
    assert (await wires.slack("views.open", trigger_id=trigger_id, view=modal()))["ok"] is True


async def test_a_modal_holds_three_views(wires: Wires, app: SocketApp) -> None:
    """views.push: `push_limit_reached` "Currently the limit is 3."; `not_found` when there is no modal to push onto."""
    outside = await trigger(wires, app)
    assert (await wires.slack("views.push", trigger_id=outside, view=modal()))["error"] == "not_found"
    button = {"type": "actions", "elements": [{"type": "button", "text": plain("More"), "action_id": "more"}]}
    view = await opened(wires, app, modal(button))
    root = view["id"]
    for number in range(3):
        await wires.control("slack/press", view_id=view["id"], user="U0ADA", label="More", wait_s=60)
        press = await app.last("block_actions")
        assert (press["container"], press["view"]["id"]) == ({"type": "view", "view_id": view["id"]}, view["id"])
        assert not {"message", "channel", "response_url"} & set(press)
        pushed = await wires.slack("views.push", trigger_id=press["trigger_id"], view=modal(button))
        if number == 2:
            assert pushed["error"] == "push_limit_reached"
        else:
            assert (pushed["view"]["previous_view_id"], pushed["view"]["root_view_id"]) == (view["id"], root)
            view = pushed["view"]
    status, answer = await wires.try_control("slack/submit", view_id=root, user="U0ADA")
    assert (status, view["id"] in answer["error"]) == (400, True)


async def test_an_update_needs_the_hash_that_it_was_read_with(wires: Wires, app: SocketApp) -> None:
    """views.update: `hash_conflict` "the provided `hash` doesn't match the current stored value", `not_found` "the
    given `view_id` or `external_id` doesn't exist"."""
    view = await opened(wires, app, modal(field_block("a"), field_block("b"), external_id="form"))
    await wires.control("slack/select", view_id=view["id"], user="U0ADA", action_id="a", values=["kept"])
    first = await wires.slack("views.update", view_id=view["id"], hash=view["hash"], view=modal(field_block("a")))
    assert first["view"]["hash"] != view["hash"]
    assert first["view"]["state"]["values"] == {"b-a": {"a": {"type": "plain_text_input", "value": "kept"}}}
    again = await wires.slack("views.update", view_id=view["id"], hash=view["hash"], view=modal())
    assert again["error"] == "hash_conflict"
    assert (await wires.slack("views.update", view_id="V0NONE", view=modal()))["error"] == "not_found"
    assert (await wires.slack("views.update", external_id="form", view=modal()))["error"] == "not_found"
    assert (await wires.slack("views.update", view=modal()))["error"] == "invalid_arguments"


async def test_an_external_id_names_one_view_of_a_workspace(wires: Wires, app: SocketApp) -> None:
    """views.open: `duplicate_external_id` "the given `external_id` has already be used"."""
    await opened(wires, app, modal(external_id="form"))
    trigger_id = await trigger(wires, app)
    twice = await wires.slack("views.open", trigger_id=trigger_id, view=modal(external_id="form"))
    assert twice["error"] == "duplicate_external_id"
    by_name = await wires.slack("views.update", external_id="form", view=modal(external_id="form", callback_id="new"))
    assert by_name["view"]["callback_id"] == "new"


async def test_a_home_tab_is_published_for_one_person_and_comes_with_its_opening(wires: Wires, app: SocketApp) -> None:
    await wires.control("slack/open", user="U0ADA", tab="home")
    assert "view" not in (await app.event("app_home_opened"))["event"]
    published = await wires.slack("views.publish", user_id="U0ADA", view=HOME)
    again = await wires.slack("views.publish", user_id="U0ADA", view=HOME, hash=published["view"]["hash"])
    assert again["view"]["id"] == published["view"]["id"]
    stale = await wires.slack("views.publish", user_id="U0ADA", view=HOME, hash=published["view"]["hash"])
    assert stale["error"] == "hash_conflict"
    for user, view in (("U0NONE", HOME), ("U0ADA", modal())):
        assert (await wires.slack("views.publish", user_id=user, view=view))["error"] == "invalid_arguments"
    app.events.clear()
    await wires.control("slack/open", user="U0ADA", tab="home")
    event = (await app.event("app_home_opened"))["event"]
    assert (event["tab"], event["channel"], event["view"]["id"]) == ("home", "D0ADA", published["view"]["id"])


async def test_a_submission_carries_what_was_filled_in_and_closes_the_view(wires: Wires, app: SocketApp) -> None:
    plan = field_block("plan", "static_select", options=[option("big"), option("small")])
    view = await opened(wires, app, modal(field_block("why", max_length=10), plan, callback_id="form"))
    submit = {"view_id": view["id"], "user": "U0ADA"}
    for values, words in (
        ({}, "b-why, b-plan"),
        ({"why": "x" * 11}, "10 characters"),
        ({"plan": "huge"}, "'big', 'small'"),
        ({"who": "x"}, "'why', 'plan'"),
    ):
        status, answer = await wires.try_control("slack/submit", **submit, values=values)
        assert (status in (400, 404), words in answer["error"]) == (True, True), answer
    assert app.heard[-1]["type"] == "shortcut"
    done = await wires.control("slack/submit", **submit, values={"why": "because", "b-plan": "Small"})
    assert (done["acked"], done["open"], done["errors"], done["problem"]) == (True, False, {}, None)
    sent = await app.last("view_submission")
    assert (sent["view"]["callback_id"], sent["user"]["id"], sent["response_urls"]) == ("form", "U0ADA", [])
    assert sent["view"]["state"]["values"] == {
        "b-why": {"why": {"type": "plain_text_input", "value": "because"}},
        "b-plan": {"plan": {"type": "static_select", "selected_option": option("small")}},
    }
    assert await shown(wires) == []


async def test_errors_stand_under_their_inputs_until_the_next_submission(wires: Wires, app: SocketApp) -> None:
    """docs.slack.dev, modals: `response_action: errors` with `errors` by the block_id of input blocks."""
    view = await opened(wires, app, modal(field_block("why")))
    submit = {"view_id": view["id"], "user": "U0ADA", "values": {"why": "no"}}
    app.answers = [{"response_action": "errors", "errors": {"b-why": "Say more."}}]
    refused = await wires.control("slack/submit", **submit)
    assert (refused["open"], refused["errors"], refused["problem"]) == (True, {"b-why": "Say more."}, None)
    assert (await shown(wires))[0]["errors"] == {"b-why": "Say more."}
    app.answers = [{"response_action": "errors", "errors": {"b-other": "?"}}]
    wrong = await wires.control("slack/submit", **submit)
    assert (wrong["errors"], "b-other" in wrong["problem"]) == ({}, True)
    app.answers = [{"response_action": "errors", "errors": {"b-why": None}}]
    silent = await wires.control("slack/submit", **submit)
    assert (silent["errors"], "texts" in silent["problem"]) == ({}, True)
    assert (await wires.control("slack/submit", **submit))["open"] is False


async def test_an_answer_can_update_push_and_clear(wires: Wires, app: SocketApp) -> None:
    view = await opened(wires, app, modal(callback_id="one"))
    app.answers = [{"response_action": "update", "view": modal(callback_id="two")}]
    await wires.control("slack/submit", view_id=view["id"], user="U0ADA")
    app.answers = [{"response_action": "push", "view": modal(callback_id="three")}]
    await wires.control("slack/submit", view_id=view["id"], user="U0ADA")
    below, top = await shown(wires)
    assert (below["callback_id"], top["callback_id"], top["previous_view_id"]) == ("two", "three", below["id"])
    app.answers = [{"response_action": "clear"}]
    await wires.control("slack/submit", view_id=top["id"], user="U0ADA")
    assert await shown(wires) == []


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "trouble connecting"),
        ({"response_action": "dance"}, "'dance'"),
        ({"response_action": "update"}, "missing required field: view"),
        ({"response_action": "update", "view": {"type": "modal"}}, "invalid_arguments"),
        ({"response_action": "push", "view": HOME}, "invalid_arguments"),
    ],
)
async def test_what_slack_would_not_take_as_an_answer_leaves_the_view_with_a_problem(
    wires: Wires, app: SocketApp, answer: dict[str, Any] | None, words: str
) -> None:
    view = await opened(wires, app, modal())
    app.answers = [answer]
    if answer is None:
        await wires.control("slack/submit", view_id=view["id"], user="U0ADA", wait_s=0)
        await wires.control("clock", advance_s=3)
    else:
        await wires.control("slack/submit", view_id=view["id"], user="U0ADA")

    async def told() -> Any:
        return (await shown(wires))[0]["problem"]

    assert words in await until(told)


async def test_closing_is_told_to_who_wants_to_know(wires: Wires, app: SocketApp) -> None:
    """docs.slack.dev, view_closed: sent with `notify_on_close`; `is_cleared` when all of it was."""
    quiet = await opened(wires, app, modal())
    assert (await wires.control("slack/close", view_id=quiet["id"], user="U0ADA"))["told"] == 0
    view = await opened(wires, app, modal(notify_on_close=True))
    app.answers = [{"response_action": "push", "view": modal(notify_on_close=True)}]
    await wires.control("slack/submit", view_id=view["id"], user="U0ADA")
    top = (await shown(wires))[-1]
    await wires.control("slack/close", view_id=top["id"], user="U0ADA")
    closed = await app.last("view_closed")
    assert (closed["view"]["id"], closed["is_cleared"]) == (top["id"], False)
    assert [item["id"] for item in await shown(wires)] == [view["id"]]
    await wires.control("slack/close", view_id=view["id"], user="U0ADA", whole=True)

    async def cleared() -> bool:
        return (await app.last("view_closed"))["is_cleared"] is True

    await until(cleared)


async def test_an_answer_to_a_modal_that_was_closed_meanwhile_opens_nothing(wires: Wires) -> None:
    ws = await wires.socket()
    await wires.control("slack/shortcut", user="U0ADA", callback_id="go")
    trigger_id = (await receive(ws))["payload"]["trigger_id"]
    view = (await wires.slack("views.open", trigger_id=trigger_id, view=modal()))["view"]
    await wires.control("slack/submit", view_id=view["id"], user="U0ADA", wait_s=0)
    submission = await receive(ws, ack=False)
    await wires.control("slack/close", view_id=view["id"], user="U0ADA")
    push = {"response_action": "push", "view": modal()}
    await ws.send_json({"envelope_id": submission["envelope_id"], "payload": push})
    await wires.control("slack/shortcut", user="U0ADA", callback_id="go")
    await receive(ws)  # what was sent before has been read by now
    assert await shown(wires) == []


async def test_nobody_else_sees_somebodys_modal(wires: Wires, app: SocketApp) -> None:
    view = await opened(wires, app, modal(field_block("why", optional=True)))
    for path, more in (
        ("submit", {}),
        ("close", {}),
        ("press", {"label": "x"}),
        ("select", {"action_id": "why", "values": []}),
    ):
        status, answer = await wires.try_control(f"slack/{path}", view_id=view["id"], user="U0EVE", **more)
        assert (status, "U0ADA" in answer["error"]) == (400, True)
        status, answer = await wires.try_control(f"slack/{path}", view_id="V0NONE", user="U0ADA", **more)
        assert (status, view["id"] in answer["error"]) == (404, True)
