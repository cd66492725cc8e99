"""How Slack refuses: HTTP 200 with a one-word error, 429 with `Retry-After` when it is too much."""

from bossbot.sandbox.json_types import Json


class SlackError(Exception):
    """A refused call. `messages` are the lines that Slack adds under `response_metadata`."""

    def __init__(
        self, error: str, messages: tuple[str, ...] = (), status: int = 200, retry_after: int | None = None
    ) -> None:
        super().__init__(error)
        self.error = error
        self.messages = messages
        self.status = status
        self.retry_after = retry_after

    def as_json(self) -> Json:
        body: Json = {"ok": False, "error": self.error}
        if self.messages:
            body["errors"] = [message.removeprefix("[ERROR] ") for message in self.messages]
            body["response_metadata"] = {"messages": list(self.messages)}
        return body


def ratelimited(retry_after: int) -> SlackError:
    return SlackError("ratelimited", status=429, retry_after=retry_after)
