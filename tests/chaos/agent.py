"""An agent CLI for kill tests, without a model: it does numbered jobs, and keeps a ledger of what it really ran.

Run as a bare script; speaks cbc's stream-json on stdio. A message names jobs: `job 7: run` asks for permission and
appends a line to `ledger`, `job 7: say` only answers. What it has done it remembers in its session's file, as the real
CLIs do, so that `--resume` goes on from there: what ran and is remembered is not run again; what was cut off before
that is asked for again. Its process ids stand in `pids`.
"""

import json
import os
import re
import sys
import uuid

JOB = re.compile(r"job (\d+): (run|say)")
HOME = ".agent"


def out(frame: dict) -> None:  # type: ignore[type-arg]
    sys.stdout.write(json.dumps({"session_id": session, **frame}) + "\n")
    sys.stdout.flush()


def append(name: str, line: str) -> None:
    """Durable before anything is said of it."""
    with open(name, "a", encoding="utf-8") as file:
        file.write(line + "\n")
        file.flush()
        os.fsync(file.fileno())


def block(kind: str, role: str, **fields: object) -> None:
    out({"type": role, "message": {"role": role, "content": [{"type": kind, **fields}]}})


def permitted(request_id: str, command: str) -> bool:
    """Asks, and waits as long as it takes."""
    call = {"command": command, "description": "Write the ledger"}
    block("tool_use", "assistant", id=f"tool-{request_id}", name="Bash", input=call)
    asked = {"subtype": "can_use_tool", "tool_name": "Bash", "input": call, "tool_use_id": f"tool-{request_id}"}
    out({"type": "control_request", "request_id": request_id, "request": asked})
    for line in sys.stdin:
        frame = json.loads(line)
        if frame["type"] == "control_response" and frame["response"]["request_id"] == request_id:
            return frame["response"]["response"].get("allowed") is True
        control(frame)
    os._exit(0)  # the bot is gone


def control(frame: dict) -> None:  # type: ignore[type-arg]
    if frame["type"] == "control_request":
        answer = {"subtype": "success", "request_id": frame["request_id"], "response": {}}
        out({"type": "control_response", "response": answer})


def do(number: str, kind: str) -> None:
    outcome = "was said"
    if kind == "run" and number not in remembered:
        request_id = uuid.uuid4().hex
        allowed = permitted(request_id, f"echo {number} >> ledger")
        if allowed:
            append("ledger", f"{number} {request_id}")
        result = {"tool_use_id": f"tool-{request_id}", "content": "ok" if allowed else "refused", "is_error": False}
        remembered[number] = "ran" if allowed else "was refused"
        append(memory, json.dumps([number, remembered[number]]))
        block("tool_result", "user", **result)
    outcome = remembered.get(number, outcome)
    block("text", "assistant", text=f"Job {number} {outcome}. (answer {uuid.uuid4().hex})")


def turn(text: str) -> None:
    if not os.path.exists(memory):
        append(memory, "")
    out({"type": "system", "subtype": "init", "tools": ["Bash"], "model": "ledger"})
    for number, kind in dict(JOB.findall(text)).items():
        do(number, kind)
    out({"type": "result", "subtype": "success", "is_error": False, "result": ""})


if "--version" in sys.argv:
    print("2.163.0")
    sys.exit(0)
resumed = next((a.split("=", 1)[1] for a in sys.argv if a.startswith("--resume=")), "")
session = resumed or str(uuid.uuid4())
os.makedirs(HOME, exist_ok=True)
memory = os.path.join(HOME, session)
remembered: dict[str, str] = {}
append("pids", str(os.getpid()))
if resumed and not os.path.exists(memory):
    out({"type": "error", "error": f"No conversation found with session ID: {session}"})
if os.path.exists(memory):
    with open(memory, encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n") and line.strip():
                remembered.update([json.loads(line)])
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "user":
        turn(frame["message"]["content"])
    else:
        control(frame)
