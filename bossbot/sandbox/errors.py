"""What a sandbox that cannot start says; apart from the server, so that a bot that catches it loads no sandbox."""


class SandboxPortInUseError(OSError):
    """Somebody else listens on the port."""

    def __init__(self, port: int) -> None:
        super().__init__(
            f"port {port} is in use by another program; choose another one with --port (0 takes a free one)"
        )
        self.port = port
