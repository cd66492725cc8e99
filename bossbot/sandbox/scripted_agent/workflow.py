"""A workflow in the background: its frames, its timeline of phases and agents, and its ends."""

import json
import os
import zlib
from collections.abc import Callable

from .frames import SUB_AGENT_TOOLS, Frame
from .marks import new_uuid, now_ms
from .session import Session
from .words import AGENTS

RUNNING, COMPLETED, KILLED = "running", "completed", "killed"
LATE_S = (0.1, 0.1, 0.0, 0.0)
"""How long after an interrupt the agents' errors trail in: about 0.3 s, seen in recorded streams."""


class Run:
    """One workflow. `entries` is the snapshot that every `task_progress` carries whole."""

    def __init__(self, session: Session, call_id: str, script: str, language: str) -> None:
        self._session, self._call_id, self.language = session, call_id, language
        self._finds = {name: find[language == "zh"] for name, (_, find, _) in AGENTS.items()}
        self._began_ms = now_ms()
        self.task_id = new_uuid()
        self.name = f"inline-{zlib.crc32(script.encode()):08x}"[:13]
        self.output_file = os.path.join(session.history.home, "tasks", f"{self.task_id}.output")
        self.entries: list[Frame] = []
        self.state = RUNNING

    def start(self) -> None:
        self._send("task_started", **self._about(), task_type="local_workflow", workflow_name=self.name)
        self._send("task_updated", patch={"status": RUNNING}, status=RUNNING)

    def open_gathering(self) -> None:
        """The first phase and its agents begin, one snapshot each."""
        self._phase("Gather")
        for name in ("alpha", "beta"):
            self._agent_starts(name)

    def sub_agent_init(self) -> None:
        """cbc also announces the sessions of sub-agents, which are none of the conversation's."""
        self._session.send(self._session.frames.init(new_uuid(), SUB_AGENT_TOOLS))

    def play_rest(self, pause: Callable[[float], None]) -> None:
        """Everything to the last agent's end, in about 5 s. Phase 2 shows before phase 1's last end, as cbc has it."""
        pause(1.5)
        self.sub_agent_init()
        self.sub_agent_init()
        self._agent_ends("alpha")
        pause(1.0)
        self._phase("Review")
        self._agent_starts("gamma")
        self._agent_ends("beta")
        self.sub_agent_init()
        pause(2.0)
        self.sub_agent_init()
        self._agent_ends("gamma")
        pause(0.3)

    def complete(self) -> None:
        """The end, told in three frames; the snapshot is whatever was shown last."""
        self.state = COMPLETED
        os.makedirs(os.path.dirname(self.output_file), exist_ok=True)
        with open(self.output_file, "w", encoding="utf-8") as output:
            json.dump(self._finds, output, ensure_ascii=False, indent=2)
        self._end("completed", f'Dynamic workflow "{self.name}" completed')

    def kill(self) -> None:
        self.state = KILLED
        self._end("stopped", f'Dynamic workflow "{self.name}" was stopped')

    def trail_errors(self, sleep: Callable[[float], None]) -> None:
        """After the end the agents that ran turn to errors, and so do the parallel calls around them."""
        running = [entry for entry in self.entries if entry.get("state") == "start"]
        late = [{**entry, "state": "error", "endedAt": now_ms()} for entry in running]
        lost = [self._lost(number) for number in range(len(late))] if len(late) > 1 else []
        changes = [late[:1], lost[:1], late[1:], lost[1:]]
        for wait_s, change in zip(LATE_S, changes, strict=True):
            if not change:
                continue
            sleep(wait_s)
            for entry in change:
                self._put(entry)
                self.progress()

    def progress(self) -> None:
        usage = {
            "total_tokens": sum(AGENTS[name][2] for name, state in self._states() if state == "done"),
            "tool_uses": 0,
            "duration_ms": now_ms() - self._began_ms,
        }
        self._send("task_progress", **self._about(), usage=usage, workflow_progress=[*self.entries])

    def _states(self) -> list[tuple[str, object]]:
        return [(str(e["label"]), e["state"]) for e in self.entries if e.get("label") in AGENTS]

    def _phase(self, title: str) -> None:
        index = 1 + sum(entry["type"] == "workflow_phase" for entry in self.entries)
        self.entries.append({"type": "workflow_phase", "index": index, "title": title})
        self.progress()

    def _agent_starts(self, name: str) -> None:
        import hashlib  # 10 ms that only a workflow has to pay

        phase = [entry for entry in self.entries if entry["type"] == "workflow_phase"][-1]
        self.entries.append(
            {
                "type": "workflow_agent",
                "index": 1 + len(self._states()),
                "agentId": "v2:" + hashlib.sha256(f"{self.name}/{name}".encode()).hexdigest(),
                "state": "start",
                "startedAt": now_ms(),
                "label": name,
                "phaseTitle": phase["title"],
                "phaseIndex": phase["index"],
            }
        )
        self.progress()

    def _agent_ends(self, name: str) -> None:
        started = next(entry for entry in self.entries if entry.get("label") == name)
        end: Frame = {"tokens": AGENTS[name][2], "resultPreview": self._finds[name], "endedAt": now_ms()}
        self._put({**started, "state": "done", **end})
        self.progress()

    def _put(self, entry: Frame) -> None:
        """A new value of the entry with the same label, or one more entry."""
        for place, old in enumerate(self.entries):
            if old.get("label") is not None and old.get("label") == entry["label"]:
                self.entries[place] = entry
                return
        self.entries.append(entry)

    def _lost(self, number: int) -> Frame:
        return {
            "type": "workflow_agent",
            "index": 1 + len(self._states()) + number,
            "agentId": "",
            "state": "error",
            "startedAt": 0,
            "endedAt": now_ms(),
            "label": f"parallel#{number}",
        }

    def _end(self, status: str, summary: str) -> None:
        patch = {"status": self.state, "end_time": now_ms()}
        self._send("task_updated", patch=patch, status=self.state)
        self.progress()
        ended = {"tool_use_id": self._call_id, "status": status, "summary": summary}
        self._send("task_notification", **ended, output_file=self.output_file)

    def _about(self) -> Frame:
        return {"tool_use_id": self._call_id, "description": self.name}

    def _send(self, subtype: str, **fields: object) -> None:
        self._session.send(self._session.frames.task(subtype, self.task_id, **fields))
