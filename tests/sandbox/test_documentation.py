"""docs/sandbox.md says what there is, and nothing that there is not."""

import re
from pathlib import Path

from bossbot.sandbox import (
    control_slack,
    control_slack_admin,
    control_slack_app,
    control_slack_press,
    fault_kinds,
    slack_wire,
    telegram_dispatch,
)
from bossbot.sandbox.guards import LOCAL_NAMES
from bossbot.sandbox.people import SLACK_SECOND_TEAM, SLACK_TEAM, TELEGRAM_PEOPLE, TELEGRAM_PLACES
from tests.sandbox.wires import Wires

TEXT = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text(encoding="utf-8")


def table(heading: str) -> str:
    """The first cells of the table below a heading."""
    part = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    return "\n".join(line.split("|")[1] for line in part.splitlines() if line.startswith("|"))


def test_every_telegram_method_is_in_its_table() -> None:
    named = set(re.findall(r"\b[a-z]+[A-Z]\w+\b", table("What is judged on Telegram")))
    assert named == set(telegram_dispatch.METHODS)


def test_every_slack_method_is_in_its_table() -> None:
    named = set(re.findall(r"\b[a-z]+(?:\.[a-zA-Z]+)+\b", table("What is judged on Slack")))
    assert named == set(slack_wire.METHODS)


def test_every_act_on_slack_and_every_kind_of_fault_is_told() -> None:
    modules = (control_slack, control_slack_admin, control_slack_app, control_slack_press)
    acts = [route.path.rpartition("/")[2] for module in modules for route in module.routes()]
    part = TEXT.split("## Control API\n")[1].split("\n## ")[0]
    assert [act for act in acts if not re.search(rf"\*\*`(POST /sandbox/slack/)?{act}`\*\*", part)] == []
    kinds = {name for table in fault_kinds.KINDS.values() for name in table}
    assert [kind for kind in sorted(kinds) if f"`{kind}`" not in part] == []


def test_people_and_places_have_the_ids_that_it_tells() -> None:
    ids = [*(person.id for person in TELEGRAM_PEOPLE), *(place.id for place in TELEGRAM_PLACES)]
    assert all(str(found) in TEXT for found in ids)
    for team in (SLACK_TEAM, SLACK_SECOND_TEAM):
        people = [person.id for person in team.people]
        names = [team.id, team.bot_user_id, *people, *(place.id for place in team.places)]
        assert [name for name in names if f"`{name}`" not in TEXT] == []
    assert all(name.strip("[]") in TEXT for name in LOCAL_NAMES)


async def test_the_state_has_the_fields_that_it_tells(wires: Wires) -> None:
    for platform in ("telegram", "slack"):
        for name in await wires.state(platform):
            assert f'"{name}"' in TEXT, name
    for place in (await wires.chat(), await wires.channel()):
        for name in place:
            assert re.search(rf"\b{name}\b", TEXT), name
