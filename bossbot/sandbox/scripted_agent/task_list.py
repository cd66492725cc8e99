"""The agent's own task list, with the words and the shapes of cbc's TaskCreate, TaskUpdate and TaskList."""

from .frames import Frame
from .history import History
from .marks import now_ms
from .tools import Outcome

PENDING, IN_PROGRESS, COMPLETED, DELETED = "pending", "in_progress", "completed", "deleted"


class TaskList:
    """Lives in the session's history. Numbers count up and are never used again."""

    def __init__(self, history: History) -> None:
        self._history = history

    @property
    def tasks(self) -> list[Frame]:
        return [task for task in self._history.tasks if task["status"] != DELETED]

    @property
    def open(self) -> list[Frame]:
        return [task for task in self.tasks if task["status"] != COMPLETED]

    def create(self, given: Frame) -> Outcome:
        number = str(len(self._history.tasks) + 1)
        task: Frame = {
            "subject": given["subject"],
            "description": given["description"],
            "activeForm": given["activeForm"],
            "status": PENDING,
            "id": number,
            "createdAt": now_ms(),
            "updatedAt": now_ms(),
        }
        self._keep([*self._history.tasks, task])
        text = f"Task #{number} created successfully: {task['subject']}"
        return Outcome(text, meta=self._meta({"task": task}))

    def update(self, given: Frame) -> Outcome:
        number, status = str(given.get("taskId")), given.get("status")
        found = next((task for task in self.tasks if task["id"] == number), None)
        if found is None:
            return Outcome(f"Task not found: {number}", is_error=True, meta=self._meta({"success": False}))
        changed = {**found, "status": status, "updatedAt": now_ms()}
        self._keep([changed if task is found else task for task in self._history.tasks])
        if status == DELETED:
            return Outcome(f"Task {number} deleted successfully", meta=self._meta({"taskId": number, "deleted": True}))
        text = f"Updated task #{number} status"
        if status == COMPLETED:
            text += f"\nProgress: {self._counts()}."
        return Outcome(text, meta=self._meta({"task": changed}))

    def listing(self) -> Outcome:
        lines = [f"#{task['id']} [{task['status']}] {task['subject']}" for task in self.tasks]
        text = "\n".join([*lines, "", f"Summary: {self._counts()} ({len(self.tasks)} total)"])
        return Outcome(text, meta=self._meta({"tasks": self.tasks}))

    def find(self, number: str, title: str) -> Frame | None:
        """The task that is meant: by its number, else by its title, else by a title that holds the other."""
        wanted = title.strip().casefold()
        titles = [(task, str(task["subject"]).casefold()) for task in self.tasks]
        by_number = (task for task, _ in titles if number and task["id"] == number)
        same = (task for task, subject in titles if wanted and subject == wanted)
        alike = (task for task, subject in titles if wanted and (wanted in subject or subject in wanted))
        return next(by_number, None) or next(same, None) or next(alike, None)

    def _keep(self, tasks: list[Frame]) -> None:
        self._history.record("tasks", tasks=tasks)

    def _counts(self) -> str:
        states = [task["status"] for task in self.tasks]
        done, running, waiting = (states.count(state) for state in (COMPLETED, IN_PROGRESS, PENDING))
        return f"{done} completed, {running} in progress, {waiting} pending"

    def _meta(self, response: Frame) -> Frame:
        todos = [
            {
                "id": task["id"],
                "content": task["subject"],
                "activeForm": task["activeForm"],
                "status": task["status"],
                "createdAt": task["createdAt"],
                "updatedAt": task["updatedAt"],
            }
            for task in (self.tasks if self.open else [])
        ]
        return {"rawResponse": {**response, "todos": todos}, "renderer": {"type": "todo"}}
