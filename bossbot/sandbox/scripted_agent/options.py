"""The command line: the flags of cbc that mean something here, all others taken and ignored."""

VALUED = frozenset(
    {
        "--add-dir",
        "--agents",
        "--allowedTools",
        "--append-system-prompt",
        "--disallowedTools",
        "--effort",
        "--fallback-model",
        "--input-format",
        "--json-schema",
        "--max-turns",
        "--mcp-config",
        "--model",
        "--output-format",
        "--permission-mode",
        "--permission-prompt-tool",
        "--resume",
        "--session-id",
        "--setting-sources",
        "--settings",
        "--system-prompt",
        "--tools",
    }
)
"""Flags that are followed by a value; what is not a flag and no flag's value is the prompt of print mode."""

SHORT = {"-p": "--print", "-r": "--resume", "-v": "--version"}


class Options:
    """What was asked on the command line. `values` holds the last value of each flag that takes one."""

    def __init__(self, arguments: list[str]) -> None:
        self.values: dict[str, str] = {}
        self.flags: set[str] = set()
        self.prompt = ""
        rest = iter(arguments)
        for argument in rest:
            name, has_value, value = argument.partition("=")
            name = SHORT.get(name, name)
            if name in VALUED:
                self.values[name] = value if has_value else next(rest, "")
            elif name.startswith("-"):
                self.flags.add(name)
            else:
                self.prompt = argument

    @property
    def streams(self) -> bool:
        """A conversation on stdio, as opposed to one prompt in print mode."""
        return self.values.get("--input-format") == "stream-json"

    @property
    def model(self) -> str:
        return self.values.get("--model") or "scripted"

    @property
    def permission_mode(self) -> str:
        return self.values.get("--permission-mode") or "default"
