"""Telegram for bossbot. Importing this imports no SDK: aiogram takes seconds and is loaded by `MANIFEST.load`."""

from collections.abc import Mapping

from bossbot.channel import Channel, Manifest


def _load(options: Mapping[str, object]) -> Channel:
    from bossbot_telegram.quick_import import import_aiogram

    import_aiogram()
    from bossbot_telegram.runtime import load

    return load(options)


MANIFEST = Manifest(name="telegram", secrets=("token",), load=_load)
