"""Settings: one frozen value, and every mistake names its place and its fix."""

import os
import re
import tomllib
from pathlib import Path

import pytest
from pydantic import BaseModel

from bossbot.settings import ChannelSettings, ProjectSettings, Settings, SettingsError, load_settings

EXAMPLE = Path(__file__).parents[1] / "config" / "bossbot.toml"


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("BOSSBOT_")]:
        monkeypatch.delenv(name)


def load(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "bossbot.toml"
    path.write_text(text, encoding="utf-8")
    return load_settings(path)


def mistake(tmp_path: Path, text: str) -> str:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, text)
    return str(caught.value)


# --- defaults and the example ---


def keys_of(model: BaseModel, path: tuple[str, ...] = ()) -> dict[str, object]:
    """Every key of the sections, as `agent.model`, with its default."""
    found: dict[str, object] = {}
    for name, value in model:
        here = (*path, name)
        if isinstance(value, BaseModel):
            found |= keys_of(value, here)
        elif name not in ("channels", "projects"):
            found[".".join(here)] = value
    return found


def test_the_example_holds_every_key_with_its_default() -> None:
    raw = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    listed = {f"{table}.{key}" for table, values in raw.items() for key in values}
    assert listed == set(keys_of(Settings()))
    loaded = keys_of(load_settings(EXAMPLE))
    for key, default in keys_of(Settings()).items():
        if key not in ("agent.workspace", "store.path"):  # relative to the file
            assert loaded[key] == default, key
    assert raw["agent"]["workspace"] == str(Settings().agent.workspace)
    assert raw["store"]["path"] == Settings().store.path


def test_the_example_shows_every_key_of_a_channel_with_its_default() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    for table in ("telegram", "slack"):
        lines = text.split(f"# [channels.{table}]", 1)[1].split("\n\n", 1)[0].split("\n#\n", 1)[0].splitlines()
        shown = tomllib.loads("\n".join(re.sub(r"^# ?", "", line) for line in lines if " = " in line))
        assert set(ChannelSettings.model_fields) <= set(shown)
        fitting = ChannelSettings.model_validate(shown)
        assert fitting.owners != ()
        defaults = ChannelSettings()
        assert (fitting.enabled, fitting.approvers) == (defaults.enabled, defaults.approvers)
        assert (fitting.members, fitting.listen) == (defaults.members, defaults.listen)


def test_the_example_of_a_project_fits() -> None:
    text = EXAMPLE.read_text(encoding="utf-8").split("# [projects.website]", 1)[1].split("\n\n", 1)[0]
    lines = [re.sub(r"^# ?", "", line) for line in text.splitlines()]
    shown = tomllib.loads("\n".join(lines).replace("[projects.website.env]", "[env]"))
    project = ProjectSettings.model_validate(shown)
    assert project.chats == ("telegram:-1001234567890", "slack:C0123456789")
    assert project.env == {"NODE_ENV": "development"}


def test_an_empty_file_is_all_defaults_and_enables_no_channel(tmp_path: Path) -> None:
    settings = load(tmp_path, "")
    assert settings.channels == {}
    assert settings.agent.permission_mode == "default"
    assert settings.policy.allow == ()


# --- values ---


def test_relative_paths_belong_to_the_folder_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    settings = load(tmp_path, '[agent]\nworkspace = "code"\n[store]\npath = "log.db"')
    assert settings.agent.workspace == tmp_path / "code"
    assert settings.store.path == str(tmp_path / "log.db")


def test_a_database_address_is_no_path(tmp_path: Path) -> None:
    assert load(tmp_path, '[store]\npath = "postgresql://me@db/boss"').store.path == "postgresql://me@db/boss"


def test_ids_may_be_numbers_or_text_and_one_alone_needs_no_list(tmp_path: Path) -> None:
    channel = load(tmp_path, '[channels.telegram]\nowners = 7\napprovers = [8, "9"]').channels["telegram"]
    assert (channel.owners, channel.approvers) == (("7",), ("8", "9"))


def test_the_agents_command_may_be_one_word_or_a_list(tmp_path: Path) -> None:
    assert load(tmp_path, '[agent]\ncommand = "cbc"').agent.command == ("cbc",)
    assert load(tmp_path, '[agent]\ncommand = ["node", "cli.js"]').agent.command == ("node", "cli.js")
    assert load(tmp_path, '[agent]\ncommand = ""').agent.command == ()


def test_settings_cannot_be_changed(tmp_path: Path) -> None:
    settings = load(tmp_path, "[channels.slack]\nowners = ['U1']")
    with pytest.raises(ValueError, match="frozen"):
        settings.channels["slack"].owners = ("U2",)


# --- the environment ---


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSSBOT_AGENT__MODEL", "from-environment")
    monkeypatch.setenv("BOSSBOT_CHANNELS__TELEGRAM__TOKEN", "123:abc")
    monkeypatch.setenv("BOSSBOT_CHANNELS__TELEGRAM__OWNERS", "[5, 6]")
    monkeypatch.setenv("BOSSBOT_AGENT__ARGS", '["--a", "b"]')
    monkeypatch.setenv("BOSSBOT_AGENT__COMMAND", "cbc")
    settings = load(tmp_path, '[agent]\nmodel = "from-file"\n[channels.telegram]\nowners = [1]\ntoken = "x"')
    telegram = settings.channels["telegram"]
    assert settings.agent.model == "from-environment"
    assert settings.agent.args == ("--a", "b")
    assert settings.agent.command == ("cbc",)
    assert telegram.options["token"] == "123:abc"
    assert telegram.owners == ("5", "6")


def test_an_empty_variable_is_no_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSSBOT_AGENT__MODEL", "")
    assert load(tmp_path, '[agent]\nmodel = "m"').agent.model == "m"


def test_a_mistake_in_the_environment_names_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSSBOT_LOG__LEVEL", "loud")
    text = mistake(tmp_path, "")
    assert "environment BOSSBOT_LOG__LEVEL" in text
    assert "'debug', 'info', 'warning' or 'error'" in text


def test_a_variable_that_is_no_json_where_it_must_be_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSSBOT_CHANNELS", "{xoxb-secret-0000000000")
    text = mistake(tmp_path, "")
    assert "BOSSBOT_" in text
    assert "channels" in text
    assert "xoxb-secret" not in text


def test_a_key_that_does_not_exist_in_the_environment_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSSBOT_AGENT__MODLE", "x")
    text = mistake(tmp_path, "")
    assert "environment BOSSBOT_AGENT__MODLE" in text
    assert "did you mean model?" in text


# --- mistakes ---


@pytest.mark.parametrize(
    ("text", "place", "fix"),
    [
        ("[agent]\nmodle = 'x'", "[agent] modle", "did you mean model?"),
        ("[agnet]\nmodel = 'x'", "[agnet]", "did you mean agent?"),
        ("[outbox]\nzzz = 1", "[outbox] zzz", "known here: edit_interval_s"),
        ("[agent]\ndialect = 'gpt'", "[agent] dialect", "'auto', 'cbc' or 'claude'"),
        ("[agent]\nidle_close_s = 0", "[agent] idle_close_s", "greater than 0"),
        ("[agent]\nidle_close_s = 'long'", "[agent] idle_close_s", "valid number"),
        ("[agent]\nclose_grace_s = -1", "[agent] close_grace_s", "greater than 0"),
        ("[agent.env]\nKEY = 1", "[agent.env] KEY", "valid string"),
        ("[planner]\nmode = 'ai'", "[planner] mode", "'auto', 'rules' or 'off'"),
        ("[planner]\ntimeout_s = 0", "[planner] timeout_s", "greater than 0"),
        ("[outbox]\nedit_interval_s = -1", "[outbox] edit_interval_s", "greater than or equal to 0"),
        ("[policy]\nallow = 1.5", "[policy] allow", "valid tuple"),
        ("[log]\nlevel = 'loud'", "[log] level", "'debug', 'info', 'warning' or 'error'"),
        ("[channels.slack]\nowners = 1.5", "[channels.slack] owners", "valid tuple"),
        ("[channels]\nslack = 1", "[channels] slack", "valid dictionary"),
        ("agent = 1", "[agent]", "valid dictionary"),
        ("[store]\npath = 5", "[store] path", "valid string"),
    ],
)
def test_a_mistake_names_file_key_and_fix(tmp_path: Path, text: str, place: str, fix: str) -> None:
    said = mistake(tmp_path, text)
    assert said.startswith(f"{tmp_path / 'bossbot.toml'}: {place}: "), said
    assert fix in said, said
    assert "\n" not in said


def test_several_mistakes_are_told_together_a_line_each(tmp_path: Path) -> None:
    said = mistake(tmp_path, "[agent]\nmodle = 'x'\n[log]\nlevel = 'loud'")
    assert len(said.splitlines()) == 2


def test_a_file_that_is_not_there_names_the_fix(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.toml: no such file; copy config/bossbot\.toml there"):
        load_settings(tmp_path / "nowhere.toml")


def test_a_file_that_is_no_toml_names_the_line(tmp_path: Path) -> None:
    assert re.search(r"bossbot\.toml: not valid TOML: .*line 2", mistake(tmp_path, "[agent]\nmodel = \n"))


def test_a_folder_and_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(tmp_path)
    (tmp_path / "bossbot.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(tmp_path / "bossbot.toml")


# --- secrets ---


def test_no_secret_stands_in_a_mistake_or_in_what_settings_print(tmp_path: Path) -> None:
    secret = "xoxb-1234567890-abcdef"
    said = mistake(tmp_path, f"[channels.slack]\nbot_token = '{secret}'\nowners = 1.5\n[agent.env]\nKEY = ['{secret}']")
    assert secret not in said
    settings = load(tmp_path, f"[channels.slack]\nbot_token = '{secret}'\n[agent.env]\nKEY = '{secret}'")
    assert secret not in repr(settings)
    assert secret not in str(settings)


# --- projects ---

AGENT = """
[agent]
model = "big"
args = ["--one"]
env = { A = "1", B = "1" }
[channels.slack]
owners = "U1"
"""


def test_a_project_changes_what_it_says_and_inherits_the_rest(tmp_path: Path) -> None:
    project = '[projects.web]\nchats = "slack:C1"\nworkspace = "web"\neffort = "high"\nenv = { B = "2" }\n'
    settings = load(tmp_path, AGENT + project)
    agent = settings.projects["web"].over(settings.agent)
    assert agent.workspace == tmp_path / "web"
    assert (agent.model, agent.effort, agent.args) == ("big", "high", ("--one",))
    assert agent.env == {"A": "1", "B": "2"}
    assert settings.agent.workspace == tmp_path
    assert settings.agent.effort == ""


@pytest.mark.parametrize(
    ("project", "place", "fix"),
    [
        ('chats = []\nworkspace = "."', "[projects.web] chats", "give some"),
        ('chats = ["C1"]\nworkspace = "."', '"C1" is no chat', 'write "slack:…"'),
        ('chats = ["telegram:1"]\nworkspace = "."', '"telegram:1" is no chat', 'write "slack:…"'),
        ('chats = ["slack:C1"]', "[projects.web] workspace", "Field required"),
        ('chats = ["slack:C1"]\nworkspace = "."\nmodle = "x"', "[projects.web] modle", "did you mean model?"),
    ],
)
def test_a_mistake_in_a_project_names_its_place(tmp_path: Path, project: str, place: str, fix: str) -> None:
    told = mistake(tmp_path, AGENT + "[projects.web]\n" + project)
    assert place in told
    assert fix in told


def test_a_chat_belongs_to_one_project(tmp_path: Path) -> None:
    both = "".join(f'[projects.{name}]\nchats = "slack:C1"\nworkspace = "."\n' for name in ("web", "api"))
    told = mistake(tmp_path, AGENT + both)
    assert "[projects.api] chats: slack:C1 already belongs to [projects.web]" in told
