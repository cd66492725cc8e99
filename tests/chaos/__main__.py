"""`make chaos`: kills the bot hundreds of times on each store, and says what came of it.

Every finished episode is a line in the progress file; the next call goes on from there. A failed one is kept with its
folder, is no part of the figures, and is tried again by the next call: the same seed plans the same kills.
"""

import argparse
import asyncio
import json
import random
import shutil
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.chaos.episode import Figures, episode
from tests.chaos.house import house
from tests.chaos.nursery import Nursery
from tests.postgres import Postgres, running_postgres

KILLS_AN_EPISODE = 10
MAX_FAILURES = 5
STORES = ("sqlite", "postgres")


def main() -> int:
    """Runs what is missing; 1 when an episode failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=500, help="on each store (500)")
    parser.add_argument("--store", choices=STORES, help="only this one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--progress", type=Path, default=Path("build/chaos.jsonl"), metavar="FILE")
    asked = parser.parse_args()
    asked.progress.parent.mkdir(parents=True, exist_ok=True)
    stores = [asked.store] if asked.store else STORES
    failures = 0
    with ExitStack() as stack:
        for store in stores:
            postgres = stack.enter_context(running_postgres()) if store == "postgres" else None
            failures += asyncio.run(_kill(store, asked.kills, asked.seed, asked.progress, postgres))
    for store in stores:
        print(summary(store, done(asked.progress, store, asked.seed)))
    return 1 if failures else 0


async def _kill(store: str, kills: int, seed: int, progress: Path, postgres: Postgres | None) -> int:
    """How many episodes failed."""
    finished = done(progress, store, seed)
    left = kills - sum(line["kills"] for line in finished.values())
    if left <= 0:
        return 0
    nursery, failures, number = Nursery(), 0, 0
    try:
        while left > 0 and failures < MAX_FAILURES:
            number += 1
            if number in finished:
                continue
            try:
                figures = await _episode(store, seed, number, nursery, postgres)
            except AssertionError as error:
                failures += 1
                print(f"{store} episode {number} FAILED: {error}", file=sys.stderr, flush=True)
                continue
            left -= figures.kills
            line = {"store": store, "seed": seed, "episode": number, **vars(figures)}
            with progress.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(f"{store} episode {number}: {figures.kills} kills, {max(left, 0)} left", flush=True)
    finally:
        nursery.close()
    return failures


async def _episode(store: str, seed: int, number: int, nursery: Nursery, postgres: Postgres | None) -> Figures:
    folder = Path(tempfile.mkdtemp(prefix=f"bossbot-chaos-{store}-{number}-"))
    address = str(folder / "bossbot.db") if postgres is None else await postgres.fresh()
    rng = random.Random(seed * 1_000_000 + number)
    async with house(folder, nursery, address) as place:
        figures = await episode(place, KILLS_AN_EPISODE, rng)
    shutil.rmtree(folder)
    return figures


def done(progress: Path, store: str, seed: int) -> dict[int, dict[str, Any]]:
    """The finished episodes of a store, by number; a torn last line is none."""
    found = {}
    for text in progress.read_text(encoding="utf-8").splitlines() if progress.exists() else []:
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if line["store"] == store and line["seed"] == seed:
            found[line["episode"]] = line
    return found


def summary(store: str, finished: dict[int, dict[str, Any]]) -> str:
    """One line of figures, and one of the kinds of kills."""
    lines = finished.values()
    total = {key: sum(line[key] for line in lines) for key in vars(Figures()) if key != "kinds"}
    kinds: Counter[str] = Counter()
    for line in lines:
        kinds.update(line["kinds"])
    return (
        f"{store}: {total['kills']} kills ({total['in_time']} in the middle of work) in {total['seconds']:.0f} s;"
        f" {total['events']} events, none lost or doubled; {total['answers']} answers, {total['ambiguous']} of them"
        f" marked ambiguous, all others shown once; {total['commands_run']} commands run, each with its own permission,"
        f" {total['asked_again']} asked again; nothing decided twice\n"
        f"  kills: {', '.join(f'{kind} {number}' for kind, number in sorted(kinds.items()))}"
    )


if __name__ == "__main__":
    sys.exit(main())
