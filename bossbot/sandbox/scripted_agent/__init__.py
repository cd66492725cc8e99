"""An agent CLI without a model, for the demo: it speaks cbc's stream-json on stdio and plays stories from a table.

It really works in its folder: an approved command runs, an approved file is written. It is a program of its own
(`python -m bossbot.sandbox.scripted_agent`) and imports nothing of bossbot's, so that a bot meets it only through
the pipe. Threads instead of asyncio, and no dataclasses: those imports alone would take longer than it may start.
"""
