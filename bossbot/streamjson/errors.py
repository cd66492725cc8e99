"""What can go wrong between us and the pipe. Everything here means: the agent's process is the one to act on."""


class ProtocolError(Exception):
    """The conversation on the pipe went wrong; restarting the agent is the way on."""


class NotPendingError(ProtocolError):
    """We were about to answer a control request that nobody waits for: answered, withdrawn, or never asked."""

    def __init__(self, request_id: str) -> None:
        super().__init__(f"control request {request_id!r} is not pending: answered, withdrawn or never asked")
        self.request_id = request_id
