"""An agent that has read the bot's own settings and tells them: no secret of theirs gets into chat, log or a file."""

import json
import sys
from pathlib import Path

from bossbot.sandbox.server import start_sandbox
from tests.fakes.real_cli import CliSetup
from tests.journeys.bot import SLACK_APP_TOKEN, SLACK_BOT_TOKEN, Bot, bot_settings
from tests.journeys.people import Control, SlackChat, see

FEED_TOKEN, PROVIDER_KEY, OTHER_KEY = "correct horse feed", "correct-horse-provider", "correct-horse-project"
SECRETS = (SLACK_BOT_TOKEN, SLACK_APP_TOKEN, FEED_TOKEN, PROVIDER_KEY, OTHER_KEY)

AGENT = """
import json, sys
if "--version" in sys.argv:
    sys.exit(print("2.163.0"))
def say(kind, **more):
    print(json.dumps({"type": kind, "session_id": "s", **more}), flush=True)
def speak(role, **block):
    say(role, message={"role": role, "content": [block]})
told = "\\n".join(open(sys.argv[1]))
for line in sys.stdin:
    if json.loads(line)["type"] == "user":
        say("system", subtype="init", tools=["Bash"])
        speak("assistant", type="tool_use", id="t1", name="Bash", input={"command": "cat settings"})
        speak("user", type="tool_result", tool_use_id="t1", content=(told + "\\n") * 200)
        speak("assistant", type="text", text="The settings are " + told)
        say("result", subtype="success", is_error=False, result=told)
"""


async def test_what_the_agent_tells_of_the_bots_settings_holds_no_secret_of_theirs(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "settings").write_text("\n".join(SECRETS))
    sandbox = await start_sandbox(port=0)
    control = Control(sandbox.base_url)
    settings = bot_settings(
        tmp_path,
        sandbox.base_url,
        "slack",
        CliSetup("cbc", Path(sys.executable), None, (), {"PROVIDER_API_KEY": PROVIDER_KEY}),
        http={"enabled": True, "port": 0, "token": FEED_TOKEN},
        projects={"other": {"chats": ["slack:C9"], "workspace": "workspace", "env": {"MODEL_TOKEN": OTHER_KEY}}},
    )
    settings["agent"] |= {"command": [sys.executable, str(tmp_path / "agent.py"), str(tmp_path / "settings")]}
    bot, chat = Bot(tmp_path, settings), SlackChat(control, "D0ADA")
    try:
        await bot.start()
        await chat.say("what are your settings?")
        await see(chat, lambda post: "The settings are" in post.text)
        said = json.dumps([post.text for post in await chat.posts()])
        assert await bot.stop() == 0
        kept = [path.read_bytes() for path in (tmp_path / "bossbot.db.artifacts").glob("artifact_*")]
    finally:
        print(bot.log[-3000:])  # shown with a failure
        if bot.process is not None and bot.process.returncode is None:
            await bot.kill()
        await control.close()
        await sandbox.close()
    assert len(kept) == 1
    everywhere = b"\n".join([said.encode(), (tmp_path / "bossbot.db").read_bytes(), *kept, bot.log.encode()])
    assert [secret for secret in SECRETS if secret.encode() in everywhere] == []
