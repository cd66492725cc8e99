"""Modals and home tabs: one view, and all that are open, each person's modals in a stack."""

import itertools
from dataclasses import dataclass, field

from bossbot.sandbox.clock import Clock
from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.people import SLACK_APP_ID, SlackTeam
from bossbot.sandbox.slack_inputs import Values, carried_over, first_values
from bossbot.sandbox.slack_live import live

STACK_MAX = 3
"""Views in one modal, one over the other (docs.slack.dev, views.push)."""


@dataclass(slots=True)
class View:
    """One view of one person. `errors` stand under its fields and `problem` over all, until they act again."""

    id: str
    user: str
    team: SlackTeam
    content: Json
    root_id: str
    previous_id: str | None
    hash: str
    values: Values
    errors: dict[str, str] = field(default_factory=dict)
    problem: str | None = None

    @property
    def is_modal(self) -> bool:
        return self.content.get("type") == "modal"

    @property
    def external_id(self) -> str:
        return str(self.content.get("external_id") or "")

    @property
    def blocks(self) -> list[Json]:
        return [block for value in as_list(self.content.get("blocks")) or [] if (block := as_object(value)) is not None]

    def flag(self, name: str) -> bool:
        return self.content.get(name) is True

    def text(self, name: str) -> str | None:
        """What is written on its `title`, `submit` or `close`; None when it has none."""
        found = as_object(self.content.get(name))
        return None if found is None else str(found.get("text"))

    def wire(self) -> Json:
        """As the Web API and the interactions show it."""
        return {
            "id": self.id,
            "team_id": self.team.id,
            "type": self.content.get("type"),
            "blocks": self.blocks,
            "private_metadata": self.content.get("private_metadata") or "",
            "callback_id": self.content.get("callback_id") or "",
            "state": {"values": self.values},
            "hash": self.hash,
            "title": self.content.get("title"),
            "clear_on_close": self.flag("clear_on_close"),
            "notify_on_close": self.flag("notify_on_close"),
            "close": self.content.get("close"),
            "submit": self.content.get("submit"),
            "previous_view_id": self.previous_id,
            "root_view_id": self.root_id,
            "app_id": SLACK_APP_ID,
            "external_id": self.external_id,
            "app_installed_team_id": self.team.id,
            "bot_id": self.team.bot_id,
        }

    def view(self) -> Json:
        """As `/sandbox/state` shows it."""
        acts = live("", self.blocks, [])
        return {**self.wire(), "user": self.user, "errors": self.errors, "problem": self.problem, "live": acts}


class Views:
    """The open views by id, oldest first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._numbers = itertools.count(1)
        self._open: dict[str, View] = {}

    def clear(self) -> None:
        self._open.clear()

    def all(self) -> list[View]:
        return list(self._open.values())

    def get(self, view_id: str) -> View | None:
        return self._open.get(view_id)

    def by_external_id(self, external_id: str, team: SlackTeam) -> View | None:
        return next((view for view in self.all() if view.external_id == external_id and view.team is team), None)

    def home(self, user: str) -> View | None:
        return next((view for view in self.all() if view.user == user and not view.is_modal), None)

    def stack(self, user: str) -> list[View]:
        """A person's modals, the one that shows last."""
        return [view for view in self.all() if view.user == user and view.is_modal]

    def add(self, user: str, team: SlackTeam, content: Json, below: View | None = None) -> View:
        """A new view, `below` being the modal that it is pushed onto."""
        view_id = f"V0SBX{next(self._numbers):05d}"
        root_id, previous_id = (view_id, None) if below is None else (below.root_id, below.id)
        view = View(view_id, user, team, content, root_id, previous_id, self._new_hash(), {})
        view.values = first_values(view.blocks)
        self._open[view_id] = view
        return view

    def change(self, view: View, content: Json) -> None:
        """Other content in the same view; what stands under the same ids keeps its value."""
        view.content = content
        view.values = carried_over(view.blocks, view.values)
        view.hash = self._new_hash()
        view.errors, view.problem = {}, None

    def close(self, view: View) -> None:
        self._open.pop(view.id, None)

    def close_all(self, view: View) -> list[View]:
        """Close a whole modal, the view and all that it stands on; returns them, the one that showed first."""
        closed = [item for item in reversed(self.stack(view.user)) if item.root_id == view.root_id]
        for item in closed:
            self.close(item)
        return closed

    def _new_hash(self) -> str:
        return f"{int(self._clock.now())}.{next(self._numbers):08x}"
