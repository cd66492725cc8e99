"""What every channel adapter promises, as checks that run against its platform or a sandbox of it.

    class MyPlatform: ...                        # a `Platform`: the channel, and eyes and hands on its other side

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    async def test_the_adapter_keeps_the_promises_of_a_channel(check: Check, platform: MyPlatform) -> None:
        await check(platform)

A check fails with AssertionError. Each begins with a channel that does not receive yet and a thread without posts.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from bossbot.channel.actions import Action, Verb
from bossbot.channel.card import Button, ButtonStyle, Card, Code, Markdown, Note, Plain, Row, Rows, Tone
from bossbot.channel.errors import Ambiguous, PostGone, RetryLater
from bossbot.channel.inbound import ButtonPressed, Inbound, MessageReceived
from bossbot.channel.protocol import Channel
from bossbot.ids import ThreadRef

WITHIN_S = 15.0


@dataclass(frozen=True, slots=True)
class Shown:
    """A message of ours as people see it: all its text, and its buttons as (label, action)."""

    text: str
    buttons: tuple[tuple[str, str], ...] = ()


class Platform(Protocol):
    """The other side of a channel. `thread` is a private conversation, `member` the platform's id of who is in it."""

    thread: ThreadRef
    member: str

    @property
    def channel(self) -> Channel: ...

    async def shown(self) -> Sequence[tuple[str, Shown]]:
        """Our messages that stand in `thread`, in order, with their ids."""
        ...

    async def receiving(self) -> None:
        """Returns once the channel, whose `run` was started, is connected: some platforms forget presses before."""
        ...

    async def say(self, text: str) -> None:
        """`member` writes in `thread`."""
        ...

    async def press(self, message_id: str, label: str) -> None:
        """`member` presses a button."""
        ...

    async def answers(self) -> Sequence[str]:
        """What `member` alone was told as answers to presses, in order."""
        ...

    async def remove(self, message_id: str) -> None:
        """A message of ours is deleted by somebody else."""
        ...

    async def limit_next(self, after_s: int, *, skip: int = 0) -> None:
        """The next call that posts or edits, after `skip` more that succeed, is refused for `after_s` seconds."""
        ...

    async def swallow_next(self) -> None:
        """The next call that posts takes effect, but its answer never comes."""
        ...


Check = Callable[[Platform], Awaitable[None]]

APPROVE = Action(Verb.APPROVE, "apr_1").encode()
REJECT = Action(Verb.REJECT, "apr_1").encode()
BUTTONS = ((Button("Approve", APPROVE, ButtonStyle.PRIMARY), Button("Reject", REJECT, ButtonStyle.DANGER)),)
LONG_COMMAND = (
    "".join(f"echo step {number}: build the parts of the project\n" for number in range(900)) + "rm -rf build"
)


@dataclass
class _Received:
    """What a sink was given. While `refuse` is positive it raises instead of storing."""

    items: list[Inbound] = field(default_factory=list)
    refuse: int = 0

    async def sink(self, item: Inbound) -> None:
        if self.refuse > 0:
            self.refuse -= 1
            raise OSError("the store is locked")
        self.items.append(item)

    async def until(self, count: int) -> Sequence[Inbound]:
        await _until(lambda: len({item.delivery_id for item in self.items}) >= count)
        return list({item.delivery_id: item for item in self.items}.values())


async def _until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not happened():  # noqa: ASYNC110 - what we wait for is a list, not an event
            await asyncio.sleep(0.02)


@asynccontextmanager
async def _receiving(platform: Platform) -> AsyncIterator[_Received]:
    received = _Received()
    task = asyncio.create_task(platform.channel.run(received.sink))
    try:
        async with asyncio.timeout(WITHIN_S):
            await platform.receiving()
        yield received
        assert not task.done(), "run() ended by itself"
    finally:
        task.cancel()
        await asyncio.wait({task})


async def check_says_who_we_are(platform: Platform) -> None:
    identity = await platform.channel.check()
    assert identity.user_id
    assert identity.name
    assert platform.channel.name == platform.thread.channel


async def a_message_arrives_as_it_was_written(platform: Platform) -> None:
    async with _receiving(platform) as received:
        await platform.say("if a < b & c > d: *x* _y_ `z` 你好 😀")
        (item,) = await received.until(1)
    assert isinstance(item, MessageReceived)
    assert item.text == "if a < b & c > d: *x* _y_ `z` 你好 😀"
    assert item.thread == platform.thread
    assert item.actor.user == platform.member
    assert item.actor.channel == platform.channel.name
    assert item.addressed
    assert item.private
    assert item.sent_at.tzinfo is not None


async def messages_arrive_in_their_order(platform: Platform) -> None:
    words = [f"word {number}" for number in range(8)]
    async with _receiving(platform) as received:
        for word in words:
            await platform.say(word)
        items = await received.until(len(words))
    assert [item.text for item in items if isinstance(item, MessageReceived)] == words


async def what_the_core_could_not_store_comes_again(platform: Platform) -> None:
    async with _receiving(platform) as received:
        received.refuse = 1
        await platform.say("again")
        (item,) = await received.until(1)
    assert isinstance(item, MessageReceived)
    assert item.text == "again"


async def what_came_while_we_were_away_is_not_lost(platform: Platform) -> None:
    async with _receiving(platform) as received:
        await platform.say("one")
        await received.until(1)
    await platform.say("two")
    async with _receiving(platform) as received:
        await _until(lambda: "two" in [item.text for item in received.items if isinstance(item, MessageReceived)])


async def a_card_stands_where_it_was_posted(platform: Platform) -> None:
    post = await platform.channel.post(platform.thread, Card("Build", Tone.GOOD, (Plain("all is well"),)), key="k")
    assert (post.channel, post.chat, post.thread) == (
        platform.thread.channel,
        platform.thread.chat,
        platform.thread.thread,
    )
    ((message_id, shown),) = await platform.shown()
    assert post.ids == (message_id,)
    assert "✅ Build" in shown.text
    assert "all is well" in shown.text
    assert shown.buttons == ()


async def every_kind_of_block_is_shown(platform: Platform) -> None:
    rows = Rows((Row("Fetch", Tone.GOOD), Row("agent 7", Tone.RUNNING, "reading", 1)), "Phases")
    card = Card("T", blocks=(Markdown("**bold** text"), Plain("*plain*"), Code("ls -l", "bash"), rows, Note("by Ada")))
    await platform.channel.post(platform.thread, card, key="k")
    ((_, shown),) = await platform.shown()
    for part in ("bold text", "*plain*", "ls -l", "Phases", "✅ Fetch", "⏳ agent 7", "reading", "by Ada"):
        assert part in shown.text, part


async def untrusted_text_is_shown_and_does_nothing(platform: Platform) -> None:
    nasty = "<!channel> <@U1> @all [x](http://localhost:1) <b>&amp; _*[`"
    await platform.channel.post(platform.thread, Card(nasty, blocks=(Plain(nasty), Code(nasty), Note(nasty))), key="k")
    ((_, shown),) = await platform.shown()
    assert shown.text.count(nasty) >= 3


async def a_long_command_is_all_there_with_the_buttons_under_its_end(platform: Platform) -> None:
    post = await platform.channel.post(
        platform.thread, Card("Run?", Tone.WAITING, (Code(LONG_COMMAND),), BUTTONS), key="k"
    )
    messages = await platform.shown()
    assert len(messages) > 1
    assert post.ids == tuple(message_id for message_id, _ in messages)
    text = "\n".join(shown.text for _, shown in messages)
    for line in LONG_COMMAND.split("\n"):
        assert line in text, line
    for number, (_, shown) in enumerate(messages, 1):
        assert f"Part {number} of {len(messages)}" in shown.text
    assert all(shown.buttons == () for _, shown in messages[:-1])
    assert messages[-1][1].buttons == (("Approve", APPROVE), ("Reject", REJECT))


async def an_edit_shows_the_new_card_in_the_old_place(platform: Platform) -> None:
    post = await platform.channel.post(platform.thread, Card("Run?", blocks=(Code("ls"),), buttons=BUTTONS), key="k")
    edited = await platform.channel.edit(post, Card("Approved", Tone.GOOD, (Code("ls"),)))
    ((message_id, shown),) = await platform.shown()
    assert edited.ids == post.ids == (message_id,)
    assert "✅ Approved" in shown.text
    assert shown.buttons == ()


async def an_edit_that_changes_nothing_succeeds(platform: Platform) -> None:
    card = Card("Same", blocks=(Plain("same"),), buttons=BUTTONS)
    post = await platform.channel.post(platform.thread, card, key="k")
    assert await platform.channel.edit(post, card) == post


async def a_card_grows_and_shrinks_in_place(platform: Platform) -> None:
    channel = platform.channel
    post = await channel.post(platform.thread, Card("Small", buttons=BUTTONS), key="k")
    grown = await channel.edit(post, Card("Big", blocks=(Code(LONG_COMMAND),), buttons=BUTTONS))
    messages = await platform.shown()
    assert grown.ids[0] == post.ids[0]
    assert grown.ids == tuple(message_id for message_id, _ in messages)
    assert [bool(shown.buttons) for _, shown in messages] == [False] * (len(messages) - 1) + [True]
    shrunk = await channel.edit(grown, Card("Small again"))
    ((message_id, shown),) = await platform.shown()
    assert shrunk.ids == (message_id,)
    assert shown.text == "Small again"


async def an_edit_of_a_post_that_is_gone_says_so(platform: Platform) -> None:
    post = await platform.channel.post(platform.thread, Card("Here"), key="k")
    await platform.remove(post.ids[0])
    try:
        await platform.channel.edit(post, Card("Where?"))
    except PostGone:
        return
    raise AssertionError("edit() of a deleted post did not raise PostGone")


async def a_post_of_which_a_part_is_gone_leaves_nothing_behind(platform: Platform) -> None:
    post = await platform.channel.post(platform.thread, Card("Long", blocks=(Code(LONG_COMMAND),)), key="k")
    await platform.remove(post.ids[-1])
    try:
        await platform.channel.edit(post, Card("Long", blocks=(Code(LONG_COMMAND + " more"),)))
    except PostGone:
        assert await platform.shown() == []
        return
    raise AssertionError("edit() of a post with a deleted part did not raise PostGone")


async def a_press_arrives_with_its_action_and_is_answered(platform: Platform) -> None:
    channel = platform.channel
    post = await channel.post(platform.thread, Card("Run?", buttons=BUTTONS), key="k")
    async with _receiving(platform) as received:
        await platform.press(post.ids[0], "Reject")
        (item,) = await received.until(1)
        assert isinstance(item, ButtonPressed)
        assert item.action == REJECT
        assert item.actor.user == platform.member
        assert item.post.ids == post.ids
        assert item.thread == platform.thread
        await channel.answer(item, "Only approvers may <decide> & press", warn=True)
        (said,) = await platform.answers()
    assert "Only approvers may <decide> & press" in said


async def two_presses_are_two_deliveries(platform: Platform) -> None:
    post = await platform.channel.post(platform.thread, Card("Run?", buttons=BUTTONS), key="k")
    async with _receiving(platform) as received:
        await platform.press(post.ids[0], "Approve")
        await platform.press(post.ids[0], "Reject")
        items = await received.until(2)
    assert {item.action for item in items if isinstance(item, ButtonPressed)} == {APPROVE, REJECT}


async def a_press_does_not_wait_behind_a_slow_message(platform: Platform) -> None:
    post = await platform.channel.post(platform.thread, Card("Run?", buttons=BUTTONS), key="k")
    release, heard, pressed = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def sink(item: Inbound) -> None:
        if isinstance(item, ButtonPressed):
            pressed.set()
            return
        heard.set()
        await release.wait()

    task = asyncio.create_task(platform.channel.run(sink))
    try:
        async with asyncio.timeout(WITHIN_S):
            await platform.receiving()
            await platform.say("slow")
            await platform.press(post.ids[0], "Approve")
            await heard.wait()
            await pressed.wait()
    finally:
        release.set()
        task.cancel()
        await asyncio.wait({task})


async def a_limit_says_how_long_to_wait(platform: Platform) -> None:
    post = await platform.channel.post(platform.thread, Card("One"), key="k")
    await platform.limit_next(7)
    try:
        await platform.channel.edit(post, Card("Two"))
    except RetryLater as error:
        after_s = error.after_s
    else:
        raise AssertionError("a limited edit did not raise RetryLater")
    assert after_s == 7
    await platform.channel.edit(post, Card("Three"))
    assert [shown.text for _, shown in await platform.shown()] == ["Three"]


async def a_post_that_failed_midway_goes_on_from_there(platform: Platform) -> None:
    card = Card("Long", blocks=(Code(LONG_COMMAND),), buttons=BUTTONS)
    await platform.limit_next(1, skip=1)
    try:
        await platform.channel.post(platform.thread, card, key="k")
    except RetryLater:
        assert len(await platform.shown()) == 1
    else:
        raise AssertionError("a limited post did not raise RetryLater")
    post = await platform.channel.post(platform.thread, card, key="k")
    messages = await platform.shown()
    assert post.ids == tuple(message_id for message_id, _ in messages)
    assert len({shown.text for _, shown in messages}) == len(messages), "a part stands there twice"


async def an_answer_that_never_came_is_ambiguous(platform: Platform) -> None:
    await platform.swallow_next()
    try:
        await platform.channel.post(platform.thread, Card("Once"), key="k")
    except Ambiguous:
        assert len(await platform.shown()) == 1, "the adapter repeated a post by itself"
        return
    raise AssertionError("a post without an answer did not raise Ambiguous")


async def typing_never_fails_for_want_of_a_place(platform: Platform) -> None:
    await platform.channel.typing(platform.thread)
    await platform.channel.typing(ThreadRef(platform.thread.channel, platform.thread.chat, platform.thread.thread))
    assert await platform.shown() == []


async def a_draft_leaves_no_post_and_the_answer_stands_alone(platform: Platform) -> None:
    for text in ("It is", "It is **almost** done, <b> & `so`", ""):
        drafted = await platform.channel.draft(platform.thread, text, key="msg:draft")
        assert isinstance(drafted, bool)
        assert await platform.shown() == []
    await platform.channel.post(platform.thread, Card(blocks=(Markdown("It is done."),)), key="msg:draft")
    ((_, shown),) = await platform.shown()
    assert shown.text.strip() == "It is done."


CHECKS: tuple[Check, ...] = (
    check_says_who_we_are,
    a_message_arrives_as_it_was_written,
    messages_arrive_in_their_order,
    what_the_core_could_not_store_comes_again,
    what_came_while_we_were_away_is_not_lost,
    a_card_stands_where_it_was_posted,
    every_kind_of_block_is_shown,
    untrusted_text_is_shown_and_does_nothing,
    a_long_command_is_all_there_with_the_buttons_under_its_end,
    an_edit_shows_the_new_card_in_the_old_place,
    an_edit_that_changes_nothing_succeeds,
    a_card_grows_and_shrinks_in_place,
    an_edit_of_a_post_that_is_gone_says_so,
    a_post_of_which_a_part_is_gone_leaves_nothing_behind,
    a_press_arrives_with_its_action_and_is_answered,
    two_presses_are_two_deliveries,
    a_press_does_not_wait_behind_a_slow_message,
    a_limit_says_how_long_to_wait,
    a_post_that_failed_midway_goes_on_from_there,
    an_answer_that_never_came_is_ambiguous,
    typing_never_fails_for_want_of_a_place,
    a_draft_leaves_no_post_and_the_answer_stands_alone,
)
