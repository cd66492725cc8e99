"""What holds after any number of kills: nothing is lost or doubled, decided twice, or run without being asked for."""

import re
from collections import Counter

from bossbot.domain import events as ev
from bossbot.store.outbox import DeliveryState
from tests.chaos import nursery
from tests.chaos.house import House

ANSWER = re.compile(r"\(answer [0-9a-f]{32}\)")


async def check_log(house: House, before: list[ev.Event]) -> list[ev.Event]:
    """The log is whole, and what stood in it before still stands at the same place; the log as it is now."""
    events = await house.events()
    session_id = await house.session_id()
    if session_id is not None:
        assert await house.store.verify(session_id) == []
    assert events[: len(before)] == before, "what was in the log has changed"
    twice = [id for id, number in Counter(event.id for event in events).items() if number > 1]
    assert not twice, f"events that stand twice in the log: {twice}"
    return events


async def check_people(house: House, events: list[ev.Event]) -> None:
    """Each message that a person wrote is in the log once, in the order in which they were written."""
    heard = [
        e.payload.content for e in events if isinstance(e.payload, ev.SessionMessageAdded) and e.payload.role == "user"
    ]
    assert heard == house.said


def check_approvals(house: House, events: list[ev.Event]) -> None:
    """No approval is decided twice, and nothing ran without its own permission, or twice with one."""
    ends = Counter(
        e.payload.id
        for e in events
        if isinstance(e.payload, ev.ApprovalApproved | ev.ApprovalRejected | ev.ApprovalWithdrawn)
    )
    assert all(number == 1 for number in ends.values()), f"decided more than once: {ends}"
    approved = {e.payload.id for e in events if isinstance(e.payload, ev.ApprovalApproved)}
    asked = [e.payload for e in events if isinstance(e.payload, ev.ApprovalRequested)]
    allowed = Counter(_job(p.detail) for p in asked if p.id in approved)
    requests = {p.request_id for p in asked if p.id in approved}
    ran = Counter(line.split()[0] for line in house.ledger)
    for job, number in ran.items():
        assert number <= allowed[job], f"job {job} ran {number} times with {allowed[job]} permissions"
    named = [line.split()[1] for line in house.ledger if " " in line]  # a real agent CLI's ledger has only numbers
    assert len(set(named)) == len(named)
    assert set(named) <= requests


async def check_answers(house: House, events: list[ev.Event]) -> int:
    """Every answer stands once in the chat, or is marked ambiguous, stands there at most once, and people were told of
    it; how many are so.
    """
    state = await house.state()
    answers = [post.text for post in await house.posts() if post.text.startswith("Job ")]
    shown = Counter(found for text in answers for found in ANSWER.findall(text))
    told = {e.payload.message_id for e in events if isinstance(e.payload, ev.SessionMessageDoubted)}
    doubtful = 0
    for event in events:
        p = event.payload
        if not isinstance(p, ev.SessionMessageAdded) or p.role != "manager":
            continue
        for thread in state.threads:
            delivery = await house.store.delivery(state.id, thread, f"msg:{p.id}")
            assert delivery is not None
            for token in ANSWER.findall(p.content):
                if delivery.state is DeliveryState.AMBIGUOUS:
                    doubtful += 1
                    assert shown[token] <= 1, f"an ambiguous answer stands {shown[token]} times: {p.content}"
                    assert p.id in told, f"nobody was told that an answer may be missing: {p.content}"
                else:
                    assert delivery.state is DeliveryState.SENT, delivery
                    assert shown[token] == 1, f"an answer stands {shown[token]} times: {p.content}"
    said = {
        t for e in events if isinstance(e.payload, ev.SessionMessageAdded) for t in ANSWER.findall(e.payload.content)
    }
    assert set(shown) <= said, "the chat shows what the log does not know"
    return doubtful


async def check_processes(house: House) -> None:
    """Of all the agents that ever ran, only the last may still be alive; a guard needs a moment to end the others."""

    async def at_most_one() -> bool:
        pids = house.folder / "workspace" / "pids"
        return not pids.exists() or sum(nursery.alive(int(line)) for line in pids.read_text().split()) <= 1

    await house.until(at_most_one, "the end of agents that outlived their bot")


def _job(detail: str) -> str:
    found = re.search(r"echo (\d+)", detail)
    return found[1] if found is not None else ""
