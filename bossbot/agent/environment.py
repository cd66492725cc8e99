"""What of our environment an agent CLI gets to see: little, and never a token of ours."""

from collections.abc import Iterable, Mapping

from bossbot.streamjson.dialects import Dialect

PASSED_ON = frozenset(
    {
        "HOME", "PATH", "LANG", "LANGUAGE", "TERM", "COLORTERM", "TMPDIR", "USER", "LOGNAME", "SHELL", "TZ",
        "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
        "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
    }
)  # fmt: skip
PASSED_ON_PREFIXES = ("LC_", "XDG_")

NESTING_MARKERS = frozenset(
    {
        "CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_EXECPATH",
        "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_REMOTE_SESSION_ID", "CLAUDE_CODE_SSE_PORT", "CLAUDE_EFFORT",
        "CLAUDE_PID",
        "CODEBUDDY_ARTIFACTS", "CODEBUDDY_CONVERSATION_MESSAGE_ID", "CODEBUDDY_CONVERSATION_REQUEST_ID",
        "CODEBUDDY_CURRENT_MODEL_ID", "CODEBUDDY_PROJECT_DIR", "CODEBUDDY_ROOT_REQUEST_ID",
        "CODEBUDDY_SERVICE_PROXY_URL", "CODEBUDDY_SESSION_ID",
    }
)  # fmt: skip
"""What the CLIs set for the commands they run. A bot that was started from within an agent must not hand it down: a
CLI that believes itself nested behaves differently, or talks to the wrong session."""

WAITING = {"MCP_TOOL_TIMEOUT": str(7 * 24 * 3_600 * 1_000)}
"""In milliseconds. A person may take days to answer a question of our tool `ask_user`; cbc gives a tool an hour."""

OUR_PREFIX = "BOSSBOT_"


def agent_environment(
    dialect: Dialect, ours: Mapping[str, str], added: Mapping[str, str], secrets: Iterable[str] = ()
) -> dict[str, str]:
    """The agent's whole environment: the few variables that every program needs, the CLI's own, and what is `added`.

    `added` comes from the configuration and wins. A variable whose value holds one of our `secrets` is left out,
    whatever its name.
    """
    prefixes = (*PASSED_ON_PREFIXES, *dialect.env_prefixes)
    known = [secret for secret in secrets if secret]
    environment = {
        name: value
        for name, value in ours.items()
        if (name in PASSED_ON or name.startswith(prefixes))
        and name not in NESTING_MARKERS
        and not any(secret in value for secret in known)
    }
    environment = {**WAITING, **environment, **added}
    return {name: value for name, value in environment.items() if not name.startswith(OUR_PREFIX)}
