"""`python -m bossbot.sandbox.scripted_agent`: the command line of the scripted agent."""

import json
import os
import sys

from .agent import Agent
from .frames import Frames
from .marks import new_uuid
from .options import Options
from .results import Totals

VERSION = "2.163.0 (bossbot scripted agent)"
"""The version whose stream it speaks."""

NO_MODEL = "The scripted agent has no model: it plays conversations on stdio and answers no single prompts."


def main(arguments: list[str]) -> int:
    options = Options(arguments)
    if "--version" in options.flags:
        print(VERSION)
        return 0
    if options.streams:
        Agent(options, os.getcwd()).run()
        return 0
    if "--print" not in options.flags:
        print("usage: python -m bossbot.sandbox.scripted_agent --input-format stream-json", file=sys.stderr)
        return 2
    print(json.dumps([Totals().failure(Frames(new_uuid(), os.getcwd(), options.model, "default"), NO_MODEL)]))
    return 1


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)  # turns that still wait are threads: nothing they could say has a reader any more
