"""Which story a message calls for, and the stories that need nothing but words."""

import re

from .acts import Background, Story, refused
from .frames import Frame
from .plan_stories import chat_with_tasks, next_task, plan, plan_changed
from .project_stories import project
from .tools import Outcome
from .turn import AgentFailure, Turn
from .words import STORIES
from .work_stories import clean, edit, git_status, long_command, many_tools
from .workflow_stories import background_workflow, workflow

SLOW_LINES, SLOW_LINE_S = 60, 1.0


def choose(text: str, *, has_tasks: bool = False) -> str:
    """The name of the story. The last paragraph counts most: what stands before it may be a quotation."""
    paragraphs = [part for part in re.split(r"\n\s*\n", text.strip()) if part]
    for part in (*paragraphs[-1:], text):
        for name, (wanted, unwanted) in STORIES.items():
            meant = not (unwanted and re.search(unwanted, part, re.IGNORECASE))
            if meant and re.search(wanted, part, re.IGNORECASE):
                return "chat" if name == "next_task" and not has_tasks else name
    return "chat_with_tasks" if has_tasks else "chat"


def tell(name: str, turn: Turn, background: Background) -> None:
    """Plays a story. A plan change may be followed by other words, which are answered in the same turn."""
    turn.story = name
    if name != "plan_change":
        _STORIES.get(name, chat)(turn, background)
        return
    rest = plan_changed(turn)
    following = choose(rest) if rest else "chat"
    if following == "chat":
        turn.finish()
    else:
        tell(following, turn, background)


def chat(turn: Turn, _: Background) -> None:
    turn.say(turn.word("chat", folder=turn.session.folder))
    turn.finish()


def question(turn: Turn, _: Background) -> None:
    options = [
        {"label": label, "description": turn.word(f"question.{key}")}
        for label, key in (("PostgreSQL", "postgres"), ("SQLite", "sqlite"), ("Memory", "memory"))
    ]
    asked: Frame = {
        "question": turn.word("question.text"),
        "header": turn.word("question.header"),
        "multiSelect": False,
        "options": options,
    }
    call = turn.call("AskUserQuestion", {"questions": [asked]})
    decision = turn.permit(call)
    turn.show(call)
    if not decision.allowed:
        refused(turn, call, decision)
        turn.finish()
        return
    turn.init()
    answers = decision.given.get("answers")
    answer = str(answers.get(asked["question"], "")) if isinstance(answers, dict) else ""
    turn.give(call, Outcome(f" · {asked['question']} → {answer}"))
    turn.say(turn.word("question.done", answer=answer) if answer else turn.word("question.empty"))
    turn.finish()


def slow(turn: Turn, _: Background) -> None:
    """About a minute of one answer that streams in; cbc shows the whole of it only at its end."""
    lines = (turn.word("slow.line", number=number, count=SLOW_LINES) for number in range(1, SLOW_LINES + 1))
    turn.stream((f"{line}\n" for line in lines), SLOW_LINE_S)
    turn.finish()


def error(turn: Turn, _: Background) -> None:
    raise AgentFailure(turn.word("error"))


_STORIES: dict[str, Story] = {
    "chat": chat,
    "chat_with_tasks": chat_with_tasks,
    "long_command": long_command,
    "many_tools": many_tools,
    "background_workflow": background_workflow,
    "workflow": workflow,
    "slow": slow,
    "error": error,
    "git_status": git_status,
    "edit": edit,
    "clean": clean,
    "question": question,
    "project": project,
    "next_task": next_task,
    "plan": plan,
    "help": chat,
}
