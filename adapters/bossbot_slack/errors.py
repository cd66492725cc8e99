"""Slack's refusals and the network's failures → channel errors, named by who must act. No message holds a token."""

from collections.abc import Mapping

from aiohttp import ClientConnectorError, ClientError, ConnectionTimeoutError
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bossbot.channel import (
    Ambiguous,
    BadChannelConfig,
    ChannelError,
    ChannelForbidden,
    ChannelRefused,
    PostGone,
    RetryLater,
    Unreachable,
)
from bossbot.text import redact

WAIT_S = 30.0  # when Slack asks to wait and does not say how long
FAILURES = (SlackClientError, ClientError, TimeoutError, OSError)
"""What a call of slack_sdk's async client may raise."""

_GONE = frozenset(
    {"message_not_found", "cant_update_message", "edit_window_closed", "streaming_state_conflict", "block_mismatch"}
)
_FORBIDDEN = frozenset(
    {
        "not_in_channel", "is_archived", "channel_not_found", "missing_scope", "restricted_action",
        "restricted_action_read_only_channel", "cannot_reply_to_message", "channel_type_not_supported",
        "thread_not_found", "user_not_found",
        "messages_tab_disabled", "no_permission", "ekm_access_denied", "team_access_not_granted",
        "user_not_in_channel",
    }
)  # fmt: skip
_IDENTITY = frozenset(
    {
        "invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired",
        "not_allowed_token_type", "app_uninstalled", "org_login_required",
    }
)  # fmt: skip
_WAIT = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded"})
_UNSURE = frozenset({"fatal_error", "internal_error", "service_unavailable", "request_timeout", "team_added_to_org"})
FORMAT = frozenset(
    {
        "invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_blocks_too_many", "msg_too_long",
        "invalid_metadata_format", "invalid_metadata_schema", "metadata_too_large",
    }
)  # fmt: skip
"""Refusals of the form of a message, which a plainer form may get around."""


def reason(error: BaseException) -> str:
    """Slack's own word for a refusal (`invalid_blocks`), else ""."""
    return str(_body(error).get("error") or "")


def channel_error(error: BaseException, key: str = "bot_token") -> ChannelError:
    """The channel error for a failure of a call that used the token of configuration key `key`."""
    word = reason(error)
    if word in _WAIT or _status(error) == 429:
        after_s = _retry_after_s(error)
        return RetryLater(f"Slack asks to wait {after_s:g} s", after_s)
    if word in _IDENTITY:
        return BadChannelConfig(
            f"[channels.slack] {key}: Slack refuses this token ({word}); copy it anew from the app's settings"
        )
    if word in _GONE:
        return PostGone(word)
    if word in _FORBIDDEN:
        return ChannelForbidden(_forbidden(word, error))
    if word and word not in _UNSURE:
        return ChannelRefused(f"Slack refuses: {word}{_details(error)}")
    if isinstance(error, ClientConnectorError | ConnectionTimeoutError):
        return Unreachable(f"Slack cannot be reached: {redact(str(error))[:200]}")
    return Ambiguous(f"no clear answer from Slack: {word or type(error).__name__}")


def _body(error: BaseException) -> Mapping[str, object]:
    """What Slack answered, as far as it is an object: a proxy's answer is none."""
    response = error.response if isinstance(error, SlackApiError) else None
    body = response.data if isinstance(response, AsyncSlackResponse) else None
    return body if isinstance(body, dict) else {}


def _forbidden(word: str, error: BaseException) -> str:
    if word == "missing_scope":
        return f"{word}: add the scope {_body(error).get('needed') or '?'} to the app and install it again"
    if word == "not_in_channel":
        return f"{word}: invite the bot to the channel"
    return word


def _details(error: BaseException) -> str:
    """What `response_metadata` says about invalid blocks: it names the element."""
    metadata = _body(error).get("response_metadata")
    messages = metadata.get("messages") if isinstance(metadata, dict) else None
    return redact(f" ({'; '.join(map(str, messages))[:200]})") if isinstance(messages, list) and messages else ""


def _status(error: BaseException) -> int | None:
    response = getattr(error, "response", None)
    return getattr(response, "status_code", None) or getattr(response, "status", None)


def _retry_after_s(error: BaseException) -> float:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    for name, value in headers.items():
        if str(name).lower() == "retry-after":
            try:
                return max(float(value if isinstance(value, str) else value[0]), 1.0)
            except (ValueError, IndexError, TypeError):
                break
    return WAIT_S
