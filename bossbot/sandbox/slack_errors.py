"""How Slack refuses: HTTP 200 with a one-word error, 429 with `Retry-After` when it is too much."""

from bossbot.sandbox.json_types import Json


class SlackError(Exception):
    """A refused call. `messages` are the lines that Slack adds under `response_metadata`, `more` its other fields."""

    def __init__(
        self,
        error: str,
        messages: tuple[str, ...] = (),
        status: int = 200,
        retry_after: int | None = None,
        more: Json | None = None,
    ) -> None:
        super().__init__(error)
        self.error = error
        self.messages = messages
        self.status = status
        self.retry_after = retry_after
        self.more = more or {}

    def as_json(self) -> Json:
        body: Json = {"ok": False, "error": self.error, **self.more}
        if self.messages:
            body["errors"] = [message.removeprefix("[ERROR] ") for message in self.messages]
            body["response_metadata"] = {"messages": list(self.messages)}
        return body


def ratelimited(retry_after: int) -> SlackError:
    return SlackError("ratelimited", status=429, retry_after=retry_after)


def missing_scope(needed: str, provided: str) -> SlackError:
    """Scopes are separated by commas, as Slack tells them."""
    return SlackError("missing_scope", more={"needed": needed, "provided": provided})
