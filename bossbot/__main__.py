"""`python -m bossbot` is the command `bossbot`."""

from bossbot.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
