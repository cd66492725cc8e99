"""The protocol's objects, as its text prints them, are read as ours without loss; the document lists every event."""

import re
from pathlib import Path

import pytest

from bossbot.domain import events as ev

from .harness import Session
from .test_events import PROTOCOL_TYPES

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")

OBJECTS = [
    ("approval.requested", {
        "id": "apr_001", "session_id": "ps_001", "task_id": "task_009", "kind": "dangerous_command",
        "summary": "准备执行 rm -rf build-cache", "risk_level": "high", "status": "pending",
        "request_id": "r", "tool": "Bash",
    }),
    ("worker.capabilities.updated", {
        "worker_id": "worker_mac_001", "hostname": "mac-studio", "os": "macos", "shell": "zsh",
        "capabilities": ["git", "terminal", "playwright", "xcode"],
    }),
    ("worker.heartbeat", {"worker_id": "worker_mac_001", "status": "idle", "current_task_id": None, "load": 0.25}),
    ("task.progress", {
        "task_id": "task_102", "summary": "已定位到接口重试在 401 时进入死循环", "progress_percent": 60,
        "current_step": "analyze_retry_logic", "next_step": "补充最小修复方案并跑测试", "risk": "medium",
    }),
    ("plan.diff.generated", {
        "id": "diff_1", "session_id": "ps_001", "change_reason": "用户要求先修接口重试，不处理缓存",
        "cancel_tasks": ["task_cache_001"], "pause_tasks": ["task_ui_003"], "continue_tasks": ["task_api_002"],
        "create_tasks": [{"title": "修复接口重试逻辑", "kind": "implementation", "priority": "high"}],
    }),
    ("task.created", {
        "title": "定位登录失败根因", "kind": "investigation", "status": "planning", "priority": "high",
        "risk_level": "medium", "parent_task_id": None, "execution_mode": "collaborative",
        "shared_context_refs": ["artifact_001", "task_202.summary"], "handoff_expected": True,
    }),
    ("task.assigned", {
        "assignment_id": "wa_001", "worker_id": "worker_win_a", "status": "assigned",
        "execution_request": {
            "task_id": "task_102", "session_id": "ps_001",
            "workspace": {
                "repo": "git@github.com:org/repo.git", "branch": "boss/task-102",
                "worktree_path": "/workers/worktrees/task-102",
            },
            "execution_mode": "independent", "goal": "排查登录失败，输出根因和修复建议",
            "constraints": ["先不要改代码", "优先跑测试和读日志"],
        },
    }),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "printed"), OBJECTS, ids=[kind for kind, _ in OBJECTS])
def test_an_object_as_the_protocol_prints_it_is_read_and_written_alike(kind: str, printed: dict[str, object]) -> None:
    payload = ev.PAYLOADS[kind].model_validate(printed)
    assert not payload.model_extra
    written = payload.model_dump(mode="json")
    assert {key: written[key] for key in printed} == printed


def test_a_kind_that_nobody_thought_of_is_kept() -> None:
    assert ev.TaskCreated(title="Dance", kind="choreography").kind == "choreography"


def test_the_document_names_every_event_and_marks_ours_as_ours() -> None:
    named = set(re.findall(r"`([a-z]+(?:[._][a-z]+)+)`", PAGE))
    assert set(ev.PAYLOADS) <= named
    ours = {kind for kind, cls in ev.PAYLOADS.items() if (cls.__doc__ or "").startswith("(ours)")}
    assert ours == set(ev.PAYLOADS) - set(PROTOCOL_TYPES)


def test_a_session_begins_active_and_a_message_has_its_author_and_channel() -> None:
    session = Session()
    session.say("先排查登录失败，不要急着改代码")
    created, message = session.log[0].payload, session.log[2].payload
    assert isinstance(created, ev.SessionCreated)
    assert (created.status, created.title, created.active_objective) == ("active", "Fix the build", "a green build")
    assert isinstance(message, ev.SessionMessageAdded)
    assert (message.role, message.channel, message.content) == ("user", "telegram", "先排查登录失败，不要急着改代码")
