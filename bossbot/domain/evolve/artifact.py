"""How an artifact changes the session: the newest can be named in chat."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from bossbot.domain import events as ev
from bossbot.domain.state import RECENT_ARTIFACTS, SessionState


def _created(state: SessionState, p: ev.ArtifactCreated) -> SessionState:
    return replace(state, artifacts=(*state.artifacts, p)[-RECENT_ARTIFACTS:])


CHANGES: Mapping[type[ev.Payload], Callable[[SessionState, Any], SessionState]] = {ev.ArtifactCreated: _created}
