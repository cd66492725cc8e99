"""Part of the conformance tests of a store: what becomes of a delivery, also across processes."""

from dataclasses import replace

from bossbot.channel import PostRef
from bossbot.store import (
    Delivery,
    DeliveryState,
    EventStore,
    MessageRef,
    Show,
)
from bossbot.store.testing_samples import (
    CARD,
    DONE,
    OTHER,
    SESSION,
    THREAD,
    TOPIC,
    Open,
    message,
    opening,
)


class OutboxConformance:
    """See `bossbot.store.testing`."""

    # --- the outbox ---

    async def test_a_shown_card_is_due_until_it_is_sent(self, stores: Open) -> None:
        store = await stores()
        delivery = await self.shown(store)
        assert (delivery.card, delivery.thread, delivery.post, delivery.doubtful) == (CARD, THREAD, None, False)
        claimed = await store.claim(delivery)
        assert claimed is not None
        assert await store.due() == []
        post = PostRef("telegram", "-100", ("11", "12"))
        await store.sent(claimed, post)
        assert await store.due() == []
        now = await store.delivery(SESSION, THREAD, "apr_1")
        assert now is not None
        assert (now.state, now.post, now.shown_revision, now.attempts) == (DeliveryState.SENT, post, 1, 0)
        for message_id in post.ids:
            assert await store.session_of_message(MessageRef("telegram", "-100", message_id)) == SESSION

    async def test_deliveries_are_due_in_order_of_creation_over_all_sessions(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening(), deliveries=[Show("b", THREAD, CARD), Show("a", THREAD, CARD)])
        await store.append(OTHER, 0, opening(OTHER, TOPIC), deliveries=[Show("b", TOPIC, CARD)])
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("b", THREAD, DONE), Show("c", THREAD, CARD)])
        due = [(d.session_id, d.key, d.revision) for d in await store.due()]
        assert due == [(SESSION, "b", 2), (SESSION, "a", 1), (OTHER, "b", 1), (SESSION, "c", 1)]

    async def test_one_key_in_two_threads_is_two_posts(self, stores: Open) -> None:
        store = await stores()
        await store.append(SESSION, 0, opening(), deliveries=[Show("k", THREAD, CARD), Show("k", TOPIC, CARD)])
        assert [d.thread for d in await store.due()] == [THREAD, TOPIC]

    async def test_an_equal_card_changes_nothing(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.sent(claimed, PostRef("telegram", "-100", ("11",)))
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, CARD)])
        assert await store.due() == []

    async def test_half_a_character_in_a_card_costs_nothing(self, stores: Open) -> None:
        store = await stores()
        awkward = replace(CARD, title="half a \ud83d and \x00 and 缓存")
        await store.append(SESSION, 0, opening(), deliveries=[Show("apr_1", THREAD, awkward)])
        [due] = await store.due()
        claimed = await store.claim(due)
        assert claimed is not None
        assert claimed.card == awkward

    async def test_another_card_under_the_key_is_due_as_an_edit(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        post = PostRef("telegram", "-100", ("11",))
        await store.sent(claimed, post)
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        [edit] = await store.due()
        assert (edit.card, edit.post, edit.revision, edit.shown_revision) == (DONE, post, 2, 1)

    async def test_a_card_that_changes_while_it_is_sent_is_due_again(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        assert await store.due() == []
        await store.sent(claimed, PostRef("telegram", "-100", ("11",)))
        [again] = await store.due()
        assert (again.card, again.revision, again.shown_revision) == (DONE, 2, 1)

    async def test_a_claim_gives_the_newest_card_and_only_once(self, stores: Open) -> None:
        store = await stores()
        delivery = await self.shown(store)
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        claimed = await store.claim(delivery)
        assert claimed is not None
        assert (claimed.card, claimed.revision, claimed.attempts) == (DONE, 2, 1)
        assert await store.claim(delivery) is None

    async def test_a_claim_needs_no_more_than_session_thread_and_key(self, stores: Open) -> None:
        store = await stores()
        delivery = await self.shown(store)
        claimed = await store.claim(replace(delivery, seq=0, card=DONE, revision=9))
        assert claimed is not None
        assert (claimed.seq, claimed.card, claimed.revision) == (delivery.seq, CARD, 1)
        assert await store.claim(replace(delivery, key="never shown")) is None

    async def test_an_attempt_that_did_not_arrive_is_due_again_without_doubt(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.released(claimed, "429: wait 3 s")
        [again] = await store.due()
        assert (again.error, again.attempts, again.doubtful) == ("429: wait 3 s", 1, False)
        second = await store.claim(again)
        assert second is not None
        assert (second.attempts, second.doubtful) == (2, False)

    async def test_a_refused_card_rests_until_another_comes_under_its_key(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.failed(claimed, "400: chat not found")
        assert await store.due() == []
        assert await (await stores()).due() == []
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        assert [d.card for d in await store.due()] == [DONE]

    async def test_a_refusal_of_an_older_card_leaves_the_newer_one_due(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        await store.failed(claimed, "400: too long")
        assert [d.card for d in await store.due()] == [DONE]

    async def test_what_a_killed_process_was_posting_is_due_in_the_next_one_as_doubtful(self, stores: Open) -> None:
        store = await stores()
        assert await store.claim(await self.shown(store, once=True)) is not None
        following = await stores()
        [left] = await following.due()
        assert (left.state, left.once) == (DeliveryState.SENDING, True)
        claimed = await following.claim(left)
        assert claimed is not None
        assert claimed.doubtful
        await following.released(claimed, "unreachable")
        [still] = await following.due()
        assert still.doubtful

    async def test_what_a_killed_process_was_editing_is_due_without_doubt(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.sent(claimed, PostRef("telegram", "-100", ("11",)))
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        [edit] = await store.due()
        assert await store.claim(edit) is not None
        following = await stores()
        [left] = await following.due()
        again = await following.claim(left)
        assert again is not None
        assert (again.doubtful, again.card) == (False, DONE)

    async def test_an_ambiguous_post_rests_here_and_is_due_doubtful_in_the_next_process(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.ambiguous(claimed, "no answer in 30 s")
        assert await store.due() == []
        following = await stores()
        [left] = await following.due()
        assert (left.state, left.error, left.doubtful) == (DeliveryState.AMBIGUOUS, "no answer in 30 s", True)

    async def test_an_ambiguous_post_with_a_newer_card_is_due_here_and_still_doubtful(self, stores: Open) -> None:
        store = await stores()
        claimed = await store.claim(await self.shown(store))
        assert claimed is not None
        await store.ambiguous(claimed, "no answer")
        await store.append(SESSION, 2, [message(3)], deliveries=[Show("apr_1", THREAD, DONE)])
        [left] = await store.due()
        assert (left.card, left.doubtful) == (DONE, True)
        found = await store.claim(left)
        assert found is not None
        await store.sent(found, PostRef("telegram", "-100", ("11",)))
        assert await store.due() == []

    async def shown(self, store: EventStore, *, once: bool = False) -> Delivery:
        """A session with one card to show."""
        await store.append(SESSION, 0, opening(), deliveries=[Show("apr_1", THREAD, CARD, once)])
        [delivery] = await store.due()
        return delivery
