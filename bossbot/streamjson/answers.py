"""The CLI's answers to our control requests: the one kind of line that carries account data.

An answer in a shape that the CLIs are known to send is read strictly: every field has a known name, so with the
account blanked nothing secret is left and the bytes can be kept as they are (re-encoding a whole command catalogue
to lose one object would be the slowest thing the decoder does). Any other shape takes the slow way: decode, drop
what looks secret by name or form, encode again.
"""

import msgspec
from msgspec import Raw, Struct

from bossbot.streamjson.frames import ControlResponse
from bossbot.streamjson.redaction import scrub


class _Command(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    name: str
    description: str | None = None
    argumentHint: str | None = None


class _Model(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    id: str | None = None
    name: str | None = None
    value: str | None = None
    resolvedModel: str | None = None
    displayName: str | None = None
    description: str | None = None
    supportsEffort: bool | None = None
    supportedEffortLevels: Raw = Raw()
    supportsAdaptiveThinking: bool | None = None
    supportsFastMode: bool | None = None
    supportsAutoMode: bool | None = None


class _Answer(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    account: Raw = Raw()
    commands: tuple[_Command, ...] = ()
    agents: tuple[_Command, ...] = ()
    models: tuple[_Model, ...] = ()
    currentModelId: str | None = None
    output_style: str | None = None
    available_output_styles: Raw = Raw()
    pid: int | None = None
    remote_control_auto_enable: bool | None = None
    remote_control_auto_on_by_default: bool | None = None
    ide_rc_auto_enable_gate: bool | None = None
    fast_mode_state: str | None = None
    fast_mode_disabled_reason: str | None = None
    session_id: str | None = None
    interrupted: bool | None = None
    reason: str | None = None
    still_queued: Raw = Raw()
    cancelled: Raw = Raw()


class _Response(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    subtype: str
    request_id: str
    response: _Answer = _Answer()


class KnownAnswer(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="control_response", tag_field="type"):
    """A whole line in a known shape: the strict reading."""

    response: _Response


class _LooseResponse(Struct, frozen=True, gc=False):
    subtype: str
    request_id: str
    error: str | None = None


class _LooseLine(Struct, frozen=True, gc=False):
    response: _LooseResponse


_read_loosely = msgspec.json.Decoder(_LooseLine).decode
_loads = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


def known_answer(answer: KnownAnswer, line: bytes) -> ControlResponse:
    """The frame of a line that the strict reading accepted: the line with its account blanked."""
    response = answer.response
    account = bytes(response.response.account)
    raw = line.replace(account, b"{}") if len(account) > 2 else line
    signed_in = _signed_in(account) if account else None
    return ControlResponse(raw=raw, subtype=response.subtype, request_id=response.request_id, signed_in=signed_in)


def any_answer(line: bytes) -> ControlResponse:
    """The frame of any other answer. Raises msgspec's errors on what does not fit at all."""
    document = _loads(line)
    raw = _encode(scrub(document))
    answer = _read_loosely(raw).response
    inner = document["response"].get("response")
    known = isinstance(inner, dict) and "account" in inner
    return ControlResponse(
        raw=raw,
        subtype=answer.subtype,
        request_id=answer.request_id,
        error=answer.error,
        signed_in=_signed_in(_encode(inner["account"])) if known else None,
    )


class _Account(Struct, frozen=True, gc=False):
    tokenSource: str = ""
    apiKeySource: str = ""


_read_account = msgspec.json.Decoder(_Account | None).decode


def _signed_in(account: bytes) -> bool:
    """cbc has no account (`null`) without a login, Claude Code one without any source of a token."""
    try:
        found = _read_account(account)
    except msgspec.DecodeError:
        return False
    return found is not None and (found.tokenSource != "none" or bool(found.apiKeySource))
