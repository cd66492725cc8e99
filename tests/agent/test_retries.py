"""Trouble that may pass, as an agent CLI tells it on the pipe: tried again by itself, and after several times asked."""

from pathlib import Path

from bossbot.domain.events import SessionTurnFinished
from tests.agent.office import QUICK, Office, office, until


async def finished(o: Office) -> list[tuple[str, bool]]:
    log = await o.desk.store.load(await o.desk.session())
    return [(e.payload.outcome, e.payload.retryable) for e in log if isinstance(e.payload, SessionTurnFinished)]


async def test_an_overloaded_provider_is_tried_again_in_the_same_process_until_it_answers(tmp_path: Path) -> None:
    (tmp_path / "troubles").write_text("2")
    async with office(tmp_path, retries=QUICK) as o:
        await o.desk.say("please overload")
        await o.sees("heard overload")
        await o.idle()
        assert await finished(o) == [("error", True), ("error", True), ("success", False)]
        assert len(o.notes("starts")) == 1
        assert ["529 Overloaded" in told for told in o.notes("told")] == [False, True, True]
        assert all("please overload" in told for told in o.notes("told"))


async def test_after_several_failures_a_card_asks_and_try_again_is_one_more_try(tmp_path: Path) -> None:
    (tmp_path / "troubles").write_text("3")
    async with office(tmp_path, retries=QUICK) as o:
        await o.desk.say("please overload")
        await o.sees("Failed 3 times in a row")
        assert len(o.notes("tries")) == QUICK.max_retries + 1
        assert await o.desk.press("Try again") == ("Trying again.", False)
        await o.sees("heard overload")


async def test_a_wrong_key_is_told_at_once_and_not_tried_again(tmp_path: Path) -> None:
    (tmp_path / "troubles").write_text("9")
    async with office(tmp_path, retries=QUICK) as o:
        await o.desk.say("please unpaid")
        await o.sees("The turn ended with an error")
        await o.idle()
        assert await finished(o) == [("error", False)]
        assert len(o.notes("tries")) == 1


async def test_a_process_that_dies_is_begun_again_so_often_and_giving_up_drops_what_was_asked(tmp_path: Path) -> None:
    async with office(tmp_path, retries=QUICK) as o:
        await o.desk.say("please die")
        await until(lambda: len(o.notes("starts")) == QUICK.max_retries + 1, "it was begun again so often")
        await o.sees("Failed 3 times in a row")
        assert await o.desk.press("Give up") == ("Given up.", False)
        state = await o.desk.state()
        assert (state.cut, state.lost_turns) == (None, 0)
