"""Whatever a bot sends, it is taken or refused in Telegram's words: nothing breaks the local Telegram."""

import random
from typing import Any

from bossbot.sandbox.telegram_dispatch import METHODS
from bossbot.sandbox.telegram_table import Fields, table
from tests.sandbox.wires import Wires

GROUP = -1000000000001
ODD: list[Any] = [
    0, -1, 2**31, -(2**70), 1.5, 1e300, True, None, "", "x", "😀", "5", "@a", "{", "null", "a" * 70, "<b>", "\x00",
    [], {}, [None], {"type": 5}, {"text": "x"}, "attach://f", "tg://user?id=1",
]  # fmt: skip
FITTING: dict[str, list[Any]] = {
    "Integer": [1, 2, 3, 5, 1001, "7"],
    "Boolean": [True, False],
    "Float": [0.5, -91],
    "InputFile": ["x"],
    "String": ["x", "hello @you", "bold", "danger", "", "https://a.bc", "emoji", "default", "document"],
}
WAITING = {"getUpdates", "setWebhook", "deleteWebhook"}
"""They wait, or reach for an address."""


class Garbage:
    """Values of the types that the table names, now and then of others."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def fields(self, fields: Fields, depth: int) -> dict[str, Any]:
        taken = (0.3 if depth < 3 else 0.1, 0.97)
        return {
            name: self.value(field.words, depth)
            for name, field in fields.items()
            if self.chance.random() < taken[field.required]
        }

    def value(self, words: tuple[str, ...], depth: int) -> Any:
        if self.chance.random() < 0.04 or depth > 6:
            return self.chance.choice(ODD)
        word = self.chance.choice(words)
        if word.endswith("[]"):
            return [self.value((word[:-2],), depth + 1) for _ in range(self.chance.randint(0, 3))]
        if word.startswith("="):
            return word[1:]
        if word in FITTING:
            return self.chance.choice(FITTING[word])
        if word in table().unions:
            return self.value(tuple(table().unions[word]), depth + 1)
        return self.fields(table().type(word), depth + 1)


async def test_six_hundred_calls_of_any_shape_are_answered_as_telegram_answers(wires: Wires) -> None:
    await wires.control("settings", rate_limits=False)
    garbage, statuses = Garbage(7), set()
    for method in sorted(set(METHODS) - WAITING) * 20:
        params = garbage.fields(table().method(method), 0)
        if "chat_id" in params and garbage.chance.random() < 0.9:
            params["chat_id"] = garbage.chance.choice([1001, GROUP])
        status, answer = await wires.telegram_http(method, **params)
        statuses.add(status)
        assert status == answer.get("error_code", 200), (method, params)
        assert answer["ok"] or answer["description"].split(":")[0] in (
            "Bad Request",
            "Forbidden",
            "Not Found",
            "Not Implemented",
        ), (method, params, answer)
    assert {200, 400} <= statuses <= {200, 400, 403, 404, 501}
    assert len((await wires.state("telegram"))["chats"]) >= 4
    assert len(await wires.calls("telegram")) >= 600
