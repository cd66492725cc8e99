"""What a long line means: what its frame means, with the sizes and hashes of the whole."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bossbot.agent.keeping import Output
from bossbot.agent.reading import Deny, NotServed, Reading
from bossbot.agent.translate import Translator
from bossbot.domain import commands as c
from bossbot.streamjson import frames as f


def read_long(translator: Translator, frame: f.Long, at_s: float) -> Reading:
    """As `Translator.read`. A request is refused: what it asks came abridged, and the whole nobody could read.

    Every file of the line is among the outputs, whatever became of its frame: it is kept once, and left nowhere.
    """
    calls = {text.tool_use_id: translator.called(text.tool_use_id) for text in frame.texts}
    reading = _read(translator, frame, at_s)
    taken = {output.path for output in reading.outputs}
    for text in frame.texts:
        if text.path and Path(text.path) not in taken:
            name = calls[text.tool_use_id] or "a tool"
            reading.outputs.append(Output("tool_output", name, text.tool_use_id, path=Path(text.path)))
    return reading


def _read(translator: Translator, frame: f.Long, at_s: float) -> Reading:
    inner = frame.frame
    if isinstance(inner, f.ControlRequest):
        reason = f"this request is {frame.length} bytes long, more than anybody can read; ask in smaller parts"
        if isinstance(inner.request, f.CanUseTool):
            return Reading(replies=[Deny(inner, reason)])
        return Reading(replies=[NotServed(inner.request_id, reason)])
    reading = translator.read(inner, at_s)
    whole = {text.tool_use_id: text for text in frame.texts}
    for index, command in enumerate(reading.commands):
        if isinstance(command, c.FinishToolCall) and command.tool_use_id in whole:
            text = whole[command.tool_use_id]
            reading.commands[index] = replace(command, output_bytes=text.size_bytes, output_sha256=text.sha256)
    reading.outputs = [_whole(output, whole) for output in reading.outputs]
    return reading


def _whole(output: Output, texts: Mapping[str, f.LongText]) -> Output:
    """The output as the file that holds all of it; what came abridged is not kept in its place."""
    text = texts.get(output.tool_use_id or "")
    return replace(output, text="", path=Path(text.path)) if text is not None and text.path else output
