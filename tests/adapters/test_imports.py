"""Naming an adapter costs nothing: SDKs are imported when a channel is loaded, not before."""

import subprocess
import sys

import pytest

SDKS = {"bossbot_telegram": ("aiogram",), "bossbot_slack": ("slack_bolt", "slack_sdk")}


@pytest.mark.parametrize("package", SDKS)
def test_importing_an_adapter_imports_no_sdk(package: str) -> None:
    unwanted = (*SDKS[package], "aiohttp", "markdown_it")
    code = f"import sys, {package}; print([name for name in {unwanted} if name in sys.modules])"
    path = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=path)
    assert done.stdout.strip() == "[]"


TYPES = ("Update", "Message", "CallbackQuery", "Chat", "MessageEntity", "InlineKeyboardMarkup", "ReplyParameters")
SHOW = f"""
from aiogram import types
for type_ in [getattr(types, name) for name in {TYPES}]:
    type_.model_rebuild()
    for name, field in type_.model_fields.items():
        print(name, str(field.annotation).partition(" at 0x")[0], field.is_required())
user, chat = {{"id": 7, "is_bot": False, "first_name": "Ada"}}, {{"id": 7, "type": "private"}}
message = {{"message_id": 1, "date": 2, "chat": chat, "from": user, "text": "ab", "reply_markup": {{
    "inline_keyboard": [[{{"text": "Yes", "callback_data": "y"}}]]}},
    "entities": [{{"type": "bold", "offset": 0, "length": 1}}]}}
press = {{"id": "9", "from": user, "chat_instance": "1", "data": "y", "message": message}}
print(repr(types.Update.model_validate({{"update_id": 3, "callback_query": press}})))
"""
QUICK = """
from bossbot_telegram.quick_import import import_aiogram
import_aiogram()
from aiogram import types
assert not types.Message.__pydantic_complete__, "schemas wait until they are used"
"""


def test_types_of_a_quickly_imported_aiogram_are_those_of_a_plain_one() -> None:
    quick = _python(QUICK + SHOW)
    assert "InlineKeyboardButton(text='Yes'" in quick
    assert quick == _python(SHOW)


def _python(code: str) -> str:
    path = {"PYTHONPATH": ":".join(sys.path)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=path).stdout
