"""A local Telegram and a local Slack, for trying and testing a bot without an account.

The servers stand alone: they meet a bot over HTTP and WebSocket only, as the platforms do.
"""
