"""How fast lines become typed frames, next to claude-agent-sdk's parser and bare orjson, on the same captured lines.

Every contender turns the whole recorded output of both CLIs into a list of results. Ours starts from the bytes of
the pipe in chunks (framing included) and ends in typed frames; the other two are handed ready lines. Rounds are
interleaved and the best of each counts, so that a busy machine slows all three alike.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import orjson

from bossbot.streamjson.decoder import decode
from bossbot.streamjson.framing import LineFramer

CAPTURES = Path(__file__).parent.parent / "captures"
CHUNK_BYTES = 64 * 1024
ROUNDS = 80
GOAL_SDK, GOAL_ORJSON = 4.0, 1.0


def captured_lines() -> list[bytes]:
    """What both CLIs wrote to stdout, one line a frame, as compact as they write it."""
    lines = []
    for path in sorted(CAPTURES.glob("*/*.ndjson")):
        for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if record["dir"] == "out":
                lines.append(json.dumps(record["msg"], separators=(",", ":"), ensure_ascii=False).encode())
    return lines


def framing_and_decoding(chunks: list[bytes]) -> int:
    framer = LineFramer()
    return len([decode(line) for chunk in chunks for line in framer.feed(chunk) if type(line) is bytes])


def orjson_loads(lines: list[bytes]) -> int:
    return len([orjson.loads(line) for line in lines])


def sdk_parser(lines: list[bytes]) -> int:
    """As the SDK does it: json, then its message parser; control lines never reach that parser."""
    from claude_agent_sdk._internal.message_parser import parse_message

    results = []
    for line in lines:
        document = json.loads(line)
        control = document["type"].startswith("control_")
        results.append(document if control else parse_message(document))
    return len(results)


def best_seconds(contenders: list[Callable[[], int]], rounds: int = ROUNDS) -> list[float]:
    """The best time of each, measured in turns; the run before each timed one is its own warm-up."""
    best = [float("inf")] * len(contenders)
    for _ in range(rounds):
        for index, contender in enumerate(contenders):
            contender()
            start = perf_counter()
            contender()
            best[index] = min(best[index], perf_counter() - start)
    return best


def main() -> int:
    """Prints the ratios; 1 when a goal is missed."""
    lines = captured_lines()
    stream = b"".join(line + b"\n" for line in lines)
    chunks = [stream[at : at + CHUNK_BYTES] for at in range(0, len(stream), CHUNK_BYTES)]
    ours, sdk, plain = best_seconds(
        [lambda: framing_and_decoding(chunks), lambda: sdk_parser(lines), lambda: orjson_loads(lines)]
    )
    per_line = [seconds / len(lines) * 1e6 for seconds in (ours, sdk, plain)]
    print(f"decode: {len(lines)} captured lines, {len(stream) / len(lines):.0f} bytes a line")
    print("  framing + typed frames {:.2f} µs/line · sdk parser {:.2f} · orjson.loads {:.2f}".format(*per_line))
    print(f"  {sdk / ours:.2f}x claude-agent-sdk's parser (goal ≥ {GOAL_SDK:g}x)")
    print(f"  {plain / ours:.2f}x orjson.loads (goal ≥ {GOAL_ORJSON:g}x)")
    return 0 if sdk / ours >= GOAL_SDK and plain / ours >= GOAL_ORJSON else 1


if __name__ == "__main__":
    sys.exit(main())
