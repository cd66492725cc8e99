"""A tiny agent CLI: it speaks the protocol and does what the person's words say. Run as a bare script.

Each start appends its arguments to `starts`, each user message to `told`, and each interrupt how long after the last
result it came to `interrupts`, and how long after the last of those a message came to `since`, all in its working
folder. Words: `hello` answers · `wait` works until it is interrupted · `deaf` works and hears no interrupt · `mute`
says nothing at all · `die` ends with code 3 · `ask` asks for permission · `background` starts a task that ends a moment
later, and then works by itself, once there is no file `hold` · `overload` fails as at an overloaded provider, until it
has failed as often as the file `troubles` says · `unpaid` fails for good · `garbage` writes lines that make no sense,
then answers · `hush` closes its output and lives on · `late` ends its turn only when another message has come, without
having read that; it dies then if the file `mortal` is there, else it answers · `stubborn` starts a task that never
tells its end · `flaky` starts one that fails as at an overloaded provider as often as `troubles` says, and starts it
again when it is told to · `brusque` works until it is interrupted, says that without a result, and works by itself once
there is no file `hold`, until it is interrupted · `unseen` has its answer lost, beside a turn that it begins by itself.
`--resume` is refused while the file `refuse` is there, and met with silence while `ignore` is there. While `numb` is
there, nothing is read at all.
"""

import json
import os
import sys
import time

session = next((a.split("=", 1)[1] for a in sys.argv if a.startswith("--resume=")), "")
resumed = bool(session)
working = ""
shown = False
ended = interrupted = 0.0


def out(frame: dict) -> None:  # type: ignore[type-arg]
    sys.stdout.write(json.dumps({"session_id": session, **frame}) + "\n")
    sys.stdout.flush()


def note(name: str, text: str) -> None:
    with open(name, "a", encoding="utf-8") as file:
        file.write(json.dumps(text) + "\n")


def say(text: str) -> None:
    out({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}})


def result(**more: object) -> None:
    global ended
    ended = time.monotonic()
    out({"type": "result", "subtype": "success", "is_error": False, "result": "", **more})


def show_session() -> None:
    global session, shown
    session = session or f"session-{os.getpid()}"
    if not shown:
        tells = {"capabilities": ["msg_lifecycle_v1"]}
        out({"type": "system", "subtype": "init", "tools": ["Bash"], "model": "tiny", **tells})
    shown = True
    out({"type": "system", "subtype": "status", "status": None})


def read_late(uuid: str) -> None:
    """The message was written into a turn that had nothing more to read."""
    say("that was it")
    out({"type": "command_lifecycle", "command_uuid": uuid, "state": "queued"})
    result()
    if os.path.exists("mortal"):
        os._exit(3)
    out({"type": "command_lifecycle", "command_uuid": uuid, "state": "started"})


def flaky() -> None:
    """A workflow that is told its end in the turn that began it."""
    with open("flaky", "a+", encoding="utf-8") as file:
        file.write("x")
        file.seek(0)
        times = len(file.read())
    with open("troubles", encoding="utf-8") as troubles:
        fails = times <= int(troubles.read())
    task = {"task_id": f"f{times}", "tool_use_id": f"t{times}"}
    end = ("failed", "API Error: 529 Overloaded") if fails else ("completed", "ok")
    out({"type": "system", "subtype": "task_started", "task_type": "local_workflow", "description": "F", **task})
    out({"type": "system", "subtype": "task_notification", "status": end[0], "summary": end[1], **task})
    result()


def go_on_by_itself() -> str:
    """As cbc, stopped in a tool: the echo is the last word. What works after that is to be stopped with `wait`."""
    echo = [{"type": "text", "text": "Interrupted by user"}]
    out({"type": "user", "message": {"role": "user", "content": echo}})
    while os.path.exists("hold"):
        time.sleep(0.02)
    say("there is more to do")
    return "wait"


def told(text: str) -> None:
    note("told", text)
    note("since", f"{time.monotonic() - interrupted:f}")
    word = "flaky" if "Start it again" in text else text.split()[-1]
    if word == "mute":
        return
    show_session()
    if word == "die":
        sys.stderr.write("the tiny agent fell over\n")
        sys.stderr.flush()
        os._exit(3)
    if word == "hush":
        os.close(1)
        time.sleep(60)
    if word == "ask":
        call = {"command": "rm -rf cache"}
        request = {"subtype": "can_use_tool", "tool_name": "Bash", "input": call, "tool_use_id": "t1"}
        out({"type": "control_request", "request_id": "ask-1", "request": request})
    elif word == "background":
        task = {"task_id": "b1", "tool_use_id": "t2"}
        out({"type": "system", "subtype": "task_started", "task_type": "local_workflow", "description": "W", **task})
        result()
        time.sleep(0.4)
        out({"type": "system", "subtype": "task_notification", "status": "completed", "summary": "ok", **task})
        time.sleep(0.6)
        while os.path.exists("hold"):
            time.sleep(0.02)
        say("the background task is done")
        result(origin={"kind": "task-notification"})
    elif word in ("overload", "unpaid"):
        note("tries", text)
        with open("tries", encoding="utf-8") as tries, open("troubles", encoding="utf-8") as troubles:
            over = len(tries.readlines()) > int(troubles.read())
        if over:
            say("heard overload")
            result()
        else:
            error = "529 Overloaded" if word == "overload" else "401 invalid x-api-key"
            say(error)
            known = {"errors": [error], "errors_info": [{"status": int(error[:3]), "code": 0}]}
            result(**{"subtype": "error_during_execution", "is_error": True, **known})
    elif word == "stubborn":
        task = {"task_id": "b2", "tool_use_id": "t3"}
        out({"type": "system", "subtype": "task_started", "task_type": "local_bash", "description": "S", **task})
        result()
    elif word == "unseen":
        say("of its own accord")
        result()
        for _ in range(2):
            out({"type": "system", "subtype": "init", "tools": ["Bash"], "model": "tiny"})
    elif word == "flaky":
        flaky()
    elif word == "garbage":
        sys.stdout.write('nonsense\n{"type": "assistant", "message": 7}\n[[[\n{"type": "result"\n')
        say("heard garbage")
        result()
    elif word not in ("wait", "deaf", "late", "brusque"):
        say(f"heard {word}")
        result()


def main() -> None:
    global working, interrupted
    note("starts", " ".join(sys.argv[1:]))
    while os.path.exists("numb"):
        time.sleep(0.05)
    for line in sys.stdin:
        frame = json.loads(line)
        match frame["type"]:
            case "user":
                if resumed and os.path.exists("ignore"):
                    continue
                if resumed and os.path.exists("refuse"):
                    out({"type": "error", "error": f"No conversation found with session ID: {session}"})
                    continue
                late, working = working.endswith("late"), frame["message"]["content"]
                if late and "uuid" in frame:
                    read_late(frame["uuid"])
                told(working)
            case "control_request":
                kind = frame["request"]["subtype"]
                if kind == "interrupt" and working.endswith(("deaf", "mute")):
                    continue
                answer = {"subtype": "success", "request_id": frame["request_id"], "response": {}}
                out({"type": "control_response", "response": answer})
                if kind == "interrupt":
                    note("interrupts", f"{time.monotonic() - ended:f}")
                    interrupted = time.monotonic()
                if kind == "interrupt" and working.endswith(("wait", "late", "ask")):  # between turns it ends nothing
                    working = ""
                    result(terminal_reason="aborted_streaming")
                elif kind == "interrupt" and working.endswith("brusque"):
                    working = go_on_by_itself()
            case "control_response":
                working = ""
                allowed = frame["response"]["response"].get("allowed")
                say("it ran" if allowed else f"not run: {frame['response']['response'].get('reason')}")
                result()


main()
