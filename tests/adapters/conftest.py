"""aiogram is imported as the bot imports it: quickly."""

from bossbot_telegram.quick_import import import_aiogram

import_aiogram()
