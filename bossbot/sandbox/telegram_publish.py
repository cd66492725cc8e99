"""Telling the bot what happened: every update passes here on its way into the queue."""

from bossbot.sandbox.json_types import Json
from bossbot.sandbox.world import World


def publish(world: World, kind: str, content: Json, life_s: float) -> int | None:
    """Queue an update that lives for `life_s` from now on.

    Returns its id; None when the bot did not ask for this kind, or when a fault keeps it back for now.
    """
    queue = world.telegram.queue
    dies_at = world.clock.now() + life_s
    ids: list[int | None] = []
    world.deliveries.send(
        "telegram",
        kind,
        lambda: ids.append(queue.put(kind, content, dies_at)),
        lambda: queue.put_again(ids[-1]),
    )
    return ids[-1] if ids else None
