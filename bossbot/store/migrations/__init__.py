"""Alembic's scripts, run by `bossbot.store.migrate`. A script never imports `tables`: it says what was true then."""
