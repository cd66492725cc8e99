"""The state tables: the protocol's diagram as it is, every state reachable, every live state can end."""

from collections.abc import Mapping

import pytest

from bossbot.domain import approval, task
from bossbot.domain.approval import ApprovalStatus
from bossbot.domain.errors import IllegalTransition
from bossbot.domain.events import PAYLOADS
from bossbot.domain.task import ARROWS, LIVE, TERMINAL, TRANSITIONS, Task, TaskStatus
from bossbot.ids import TaskId

DIAGRAM = """
planning --> queued
queued --> assigned
assigned --> running
running --> blocked
running --> paused
running --> waiting_approval
running --> completed
running --> failed
running --> cancelled
blocked --> running
paused --> running
waiting_approval --> running
waiting_approval --> cancelled
failed --> queued
"""
"""The arrows of the Boss protocol's state diagram, as it prints them."""


def reachable(start: TaskStatus) -> set[TaskStatus]:
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        following = {new for old, new in TRANSITIONS if old is here} - seen
        seen |= following
        waiting.extend(following)
    return seen


def test_the_arrows_without_a_reason_are_exactly_the_diagrams() -> None:
    drawn = {(TaskStatus(a), TaskStatus(b)) for a, _, b in (line.split() for line in DIAGRAM.strip().splitlines())}
    assert drawn == {way for way, arrow in ARROWS.items() if not arrow.reason}


def test_an_arrow_beyond_the_diagram_has_a_reason() -> None:
    assert all(len(arrow.reason.split()) > 3 for arrow in ARROWS.values() if arrow.reason)


@pytest.mark.parametrize("arrows", [task.ARROWS, approval.ARROWS])
def test_every_arrow_names_an_event_that_exists(arrows: Mapping[object, task.Arrow]) -> None:
    assert {arrow.event for arrow in arrows.values()} <= set(PAYLOADS)


def test_every_state_is_reached_from_planning() -> None:
    assert reachable(TaskStatus.PLANNING) == set(TaskStatus)


@pytest.mark.parametrize("status", sorted(LIVE))
def test_every_live_state_can_end_be_cancelled_and_be_put_off(status: TaskStatus) -> None:
    assert reachable(status) & TERMINAL
    assert (status, TaskStatus.CANCELLED) in TRANSITIONS
    assert status is TaskStatus.PAUSED or (status, TaskStatus.PAUSED) in TRANSITIONS


@pytest.mark.parametrize("status", sorted(TERMINAL - {TaskStatus.FAILED}))
def test_what_has_ended_stays_ended(status: TaskStatus) -> None:
    assert not [new for old, new in TRANSITIONS if old is status]


def test_what_failed_is_tried_again_or_raised_to_blocked_and_nothing_else() -> None:
    assert {new for old, new in TRANSITIONS if old is TaskStatus.FAILED} == {TaskStatus.QUEUED, TaskStatus.BLOCKED}


def test_no_arrow_leads_from_a_state_to_itself() -> None:
    assert not [old for old, new in TRANSITIONS if old is new]


@pytest.mark.parametrize("wanted", sorted(TaskStatus))
def test_a_task_goes_along_arrows_and_nowhere_else(wanted: TaskStatus) -> None:
    for status in TaskStatus:
        now = Task(TaskId("task_1"), "Clean the cache", "implementation", status)
        if (status, wanted) in TRANSITIONS:
            now.check(wanted)
        else:
            with pytest.raises(
                IllegalTransition, match=f"“Clean the cache”.*is {status.value} and cannot become {wanted.value}"
            ):
                now.check(wanted)


def test_an_approval_leaves_pending_once_and_for_good() -> None:
    ends = set(ApprovalStatus) - {ApprovalStatus.PENDING}
    assert {(ApprovalStatus.PENDING, end) for end in ends} == approval.TRANSITIONS


def test_live_and_ended_states_are_all_states() -> None:
    assert set(TaskStatus) == task.LIVE | task.TERMINAL
    assert not task.LIVE & task.TERMINAL
