"""A stand-in for the agent CLI that only measures: it asks for permission and notes when it wrote and read what.

Speaks just enough cbc to be the agent of a real bot. Started as `python clock_agent.py TIMES.ndjson`; each line of that
file is `{"what": "asked"|"answered", "n": …, "t": seconds since the epoch}`. Writes with one system call a line, so
that the time is the line's own.
"""

import json
import os
import sys
import time

SESSION = "00000000-0000-4000-8000-000000000001"


def main() -> None:
    if "--version" in sys.argv:
        print("2.163.0")
        return
    with open(sys.argv[1], "a", encoding="utf-8", buffering=1) as times:
        count = 0
        for line in sys.stdin:
            now = time.time()
            message = json.loads(line)
            if message["type"] == "control_request" and message["request"]["subtype"] == "initialize":
                say(
                    {
                        "type": "control_response",
                        "response": {"subtype": "success", "request_id": message["request_id"]},
                    }
                )
            elif message["type"] == "user":
                count += 1
                say({"type": "system", "subtype": "init", "session_id": SESSION, "tools": ["Bash"], "cwd": "/"})
                ask(count, times)
            elif message["type"] == "control_response":
                note(times, "answered", count, now)
                say({"type": "result", "subtype": "success", "is_error": False, "result": "", "session_id": SESSION})


def ask(count: int, times: "object") -> None:
    command = {"command": f"rm -rf build-cache-{count}", "description": "Remove a build cache"}
    request = {"subtype": "can_use_tool", "tool_name": "Bash", "input": command, "tool_use_id": f"call_{count}"}
    note(times, "asked", count, time.time())
    say({"type": "control_request", "request_id": f"perm_{count}", "request": request})


def say(message: "dict[str, object]") -> None:
    os.write(1, json.dumps(message, separators=(",", ":")).encode() + b"\n")


def note(times: "object", what: str, n: int, t: float) -> None:
    times.write(json.dumps({"what": what, "n": n, "t": t}) + "\n")  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
