"""Runs a channel in a test and keeps what arrives."""

import asyncio
from collections.abc import Callable

from bossbot.channel import ButtonPressed, Channel, Inbound, MessageReceived


async def until(happened: Callable[[], bool], within_s: float = 60) -> None:
    async with asyncio.timeout(within_s):
        while not happened():  # noqa: ASYNC110 - the tests look at lists
            await asyncio.sleep(0.01)


class Receiver:
    """`refuse` is how many times more the sink fails, `delay_s` how long it takes."""

    def __init__(self, channel: Channel, *, refuse: int = 0, delay_s: float = 0.0) -> None:
        self.items: list[Inbound] = []
        self.refuse, self.delay_s = refuse, delay_s
        self._channel = channel

    async def __aenter__(self) -> "Receiver":
        self.task = asyncio.create_task(self._channel.run(self.sink))
        return self

    async def __aexit__(self, *_: object) -> None:
        self.task.cancel()
        await asyncio.wait({self.task})

    async def sink(self, item: Inbound) -> None:
        if self.refuse:
            self.refuse -= 1
            raise OSError("the store is locked")
        await asyncio.sleep(self.delay_s)
        self.items.append(item)

    def texts(self) -> list[str]:
        return [item.text for item in self.items if isinstance(item, MessageReceived)]

    def presses(self) -> list[ButtonPressed]:
        return [item for item in self.items if isinstance(item, ButtonPressed)]
