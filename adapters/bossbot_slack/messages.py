"""Single messages on Slack: sent with their key, edited, deleted, found again; in the best form that Slack takes."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bossbot.channel import Card, ChannelError, ChannelRefused, PostGone, PostRef
from bossbot_slack.errors import FORMAT, reason
from bossbot_slack.render import UPDATE_TEXT_MAX, Part, bare, render, unformatted
from bossbot_slack.webapi import WebApi

EVENT_TYPE = "bossbot_card"
LOOKED_AT = 100  # messages that are searched for a post whose answer never came
CLOCKS_APART_S = 120.0  # Slack's clock may be this far from ours
_T = TypeVar("_T")

log = logging.getLogger("bossbot.slack")


class SlackMessages:
    """The `Messages` of one app."""

    def __init__(self, web: WebApi) -> None:
        self._web = web

    def render(self, card: Card) -> Sequence[Part]:
        return render(card)

    async def send(self, post: PostRef, part: Part, key: str) -> PostRef:
        """Sends a message; key and number stand in its metadata, where `find` looks for them."""
        payload = {"key": key, "part": len(post.ids)}
        metadata = {"event_type": EVENT_TYPE, "event_payload": payload} if key else None

        async def send(form: Part) -> AsyncSlackResponse:
            return await self._web.call(
                lambda web: web.chat_postMessage(
                    channel=post.chat,
                    thread_ts=post.thread,
                    text=form.text,
                    blocks=list(form.blocks) or None,
                    metadata=metadata,
                    unfurl_links=False,
                    unfurl_media=False,
                )
            )

        said = await self._in_best_form(part, send)
        return replace(post, ids=(*post.ids, str(said.get("ts"))))

    async def change(self, post: PostRef, message_id: str, part: Part) -> None:
        async def edit(form: Part) -> AsyncSlackResponse:
            if not form.blocks and len(form.text) > UPDATE_TEXT_MAX:
                raise PostGone("too long for chat.update without blocks")
            return await self._web.call(
                lambda web: web.chat_update(channel=post.chat, ts=message_id, text=form.text, blocks=list(form.blocks))
            )

        await self._in_best_form(part, edit)

    async def delete(self, post: PostRef, message_id: str) -> None:
        await self._web.call(lambda web: web.chat_delete(channel=post.chat, ts=message_id))

    async def find(self, post: PostRef, key: str, since: float) -> PostRef:
        """The post with this key, as far as it stands in its place since then; `post` where we may not look."""
        method = "conversations.replies" if post.thread else "conversations.history"
        params = {
            "channel": post.chat,
            "oldest": f"{since - CLOCKS_APART_S:.6f}",
            "limit": LOOKED_AT,
            "include_all_metadata": True,
            **({"ts": post.thread} if post.thread else {}),
        }
        try:
            said = await self._web.call(lambda web: web.api_call(method, params=params))
        except ChannelRefused as error:
            log.warning("a post may stand twice, for it could not be looked up: %s", error)
            return post
        standing: dict[int, str] = {}
        for message in said.get("messages") or []:
            metadata = message.get("metadata") or {}
            payload = metadata.get("event_payload") or {}
            if metadata.get("event_type") == EVENT_TYPE and payload.get("key") == key:
                standing[int(payload.get("part", 0))] = str(message["ts"])
        return replace(post, ids=tuple(standing[at] for at in sorted(standing)))

    async def _in_best_form(self, part: Part, call: Callable[[Part], Awaitable[_T]]) -> _T:
        """Calls with the part; where Slack refuses its form, in plain blocks, then as bare text: no text is lost."""
        plainer = [unformatted(part), bare(part)]
        form = part
        while True:
            try:
                return await call(form)
            except ChannelError as error:
                if reason(error.__cause__ or error) not in FORMAT or not plainer:
                    raise
                log.warning("Slack refused the form of a message, it goes out plainer: %s", error)
                form = plainer.pop(0)
