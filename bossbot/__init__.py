"""bossbot: steer a coding-agent CLI from Telegram and Slack.

Nothing is imported here, so that `bossbot --version` stays instant.
"""

__version__ = "0.1.0"
