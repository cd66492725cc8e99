"""Deliveries under any course of events: the newest card always ends up shown, failed or ambiguous, never forgotten."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bossbot.channel import Card, PostRef
from bossbot.store import Delivery, DeliveryState, Show, outbox
from bossbot.store.testing import SESSION, THREAD

CARDS = st.sampled_from([Card("one"), Card("two"), Card("three")])
POST = PostRef("telegram", "-100", ("11",))


class Outbox(RuleBasedStateMachine):
    """One delivery, sent by processes that die at any moment. `posts` is what the platform really has."""

    @initialize(card=CARDS, once=st.booleans())
    def begin(self, card: Card, once: bool) -> None:
        self.wanted = card
        self.now = Delivery(SESSION, THREAD, "k", card, once, seq=1)
        self.owner = 1
        self.claimed: Delivery | None = None
        self.posts = 0
        self.shown: Card | None = None

    @rule(card=CARDS)
    def show(self, card: Card) -> None:
        before = self.now.revision
        self.now = outbox.shown(self.now, Show("k", THREAD, card, self.now.once))
        assert (self.now.revision > before) == (card != self.wanted)
        self.wanted = card

    @precondition(lambda self: self.claimed is None and outbox.is_due(self.now, str(self.owner)))
    @rule()
    def claim(self) -> None:
        claimed = outbox.claimed(self.now, str(self.owner))
        assert claimed is not None
        assert claimed.card == self.wanted
        self.now = self.claimed = claimed

    @precondition(lambda self: self.claimed is not None)
    @rule(outcome=st.sampled_from(["sent", "lost answer", "not arrived", "refused", "killed before", "killed after"]))
    def attempt(self, outcome: str) -> None:
        claimed = self.claimed
        assert claimed is not None
        self.claimed = None
        withheld = claimed.once and claimed.doubtful
        if not withheld and outcome in ("sent", "lost answer", "killed after"):
            self.posts += claimed.post is None
            self.shown = claimed.card
        match outcome:
            case "killed before" | "killed after":
                self.owner += 1
            case "lost answer":
                self.now = outbox.ambiguous(self.now, claimed.revision, "no answer", str(self.owner))
            case _ if withheld:
                self.now = outbox.ambiguous(self.now, claimed.revision, "in doubt", str(self.owner))
            case "sent":
                self.now = outbox.sent(self.now, claimed.revision, POST)
            case "not arrived":
                self.now = outbox.released(self.now, "429")
            case "refused":
                self.now = outbox.failed(self.now, claimed.revision, "400")

    @precondition(lambda self: self.claimed is None)
    @rule()
    def restart(self) -> None:
        self.owner += 1

    @invariant()
    def what_is_said_to_be_shown_is_shown(self) -> None:
        if self.now.state is DeliveryState.SENT:
            assert self.shown == self.wanted == self.now.card
            assert self.now.shown_revision == self.now.revision

    @invariant()
    def what_may_appear_once_appears_once(self) -> None:
        if self.now.once and self.now.state != DeliveryState.FAILED:
            assert self.posts <= 1

    @invariant()
    def the_newest_card_waits_is_shown_or_its_fate_is_told(self) -> None:
        settled = self.now.state in (DeliveryState.SENT, DeliveryState.FAILED, DeliveryState.AMBIGUOUS)
        assert self.claimed is not None or settled or outbox.is_due(self.now, str(self.owner))

    @invariant()
    def what_rests_with_nobody_is_due_in_the_next_process(self) -> None:
        if self.now.state is DeliveryState.AMBIGUOUS:
            assert outbox.is_due(self.now, "the next process")


TestOutbox = Outbox.TestCase
TestOutbox.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
