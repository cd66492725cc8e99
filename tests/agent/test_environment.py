"""What an agent may see of our environment."""

import pytest

from bossbot.agent.environment import agent_environment
from bossbot.streamjson.dialects import CBC, CLAUDE

OURS = {
    "HOME": "/home/dev",
    "PATH": "/usr/bin",
    "LANG": "C.UTF-8",
    "LC_TIME": "de_DE",
    "XDG_CONFIG_HOME": "/home/dev/.config",
    "HTTPS_PROXY": "http://proxy:3128",
    "NODE_EXTRA_CA_CERTS": "/etc/ca.pem",
    "CODEBUDDY_API_KEY": "cb-key",
    "ANTHROPIC_API_KEY": "an-key",
    "CLAUDE_CONFIG_DIR": "/home/dev/.claude",
    "BOSSBOT_CHANNELS__TELEGRAM__TOKEN": "123456:token",
    "SLACK_BOT_TOKEN": "xoxb-1",
    "AWS_SECRET_ACCESS_KEY": "aws",
    "CLAUDECODE": "1",
    "CLAUDE_CODE_ENTRYPOINT": "cli",
    "CLAUDE_CODE_SESSION_ID": "s",
    "CODEBUDDY_SESSION_ID": "s",
    "CODEBUDDY": "1",
    "NODE_OPTIONS": "--inspect",
    "LD_PRELOAD": "/tmp/x.so",
}

COMMON = {
    "HOME",
    "PATH",
    "LANG",
    "LC_TIME",
    "XDG_CONFIG_HOME",
    "HTTPS_PROXY",
    "NODE_EXTRA_CA_CERTS",
    "MCP_TOOL_TIMEOUT",
}


def test_an_agent_gets_the_common_variables_and_its_own() -> None:
    assert set(agent_environment(CBC, OURS, {})) == COMMON | {"CODEBUDDY_API_KEY"}
    assert set(agent_environment(CLAUDE, OURS, {})) == COMMON | {"ANTHROPIC_API_KEY", "CLAUDE_CONFIG_DIR"}


def test_the_configuration_adds_and_wins() -> None:
    added = {"PATH": "/opt/bin", "CI": "1", "CLAUDE_CODE_ENTRYPOINT": "sdk"}
    environment = agent_environment(CLAUDE, OURS, added)
    assert {name: environment[name] for name in added} == added


def test_our_own_settings_never_reach_it_even_when_added() -> None:
    assert not [name for name in agent_environment(CBC, OURS, {"BOSSBOT_X": "1"}) if name.startswith("BOSSBOT_")]


@pytest.mark.parametrize("name", ["CODEBUDDY_NOTE", "HOME", "XDG_THING"])
def test_a_secret_of_ours_does_not_pass_under_another_name(name: str) -> None:
    ours = {**OURS, name: "prefix 123456:token suffix"}
    assert name not in agent_environment(CBC, ours, {}, secrets=("123456:token", ""))
