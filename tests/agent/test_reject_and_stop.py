"""Reject and stop, and a request that expires, as the agent CLI hears them on its pipe."""

from pathlib import Path

from tests.agent.office import office


async def test_reject_and_stop_refuses_the_call_and_ends_the_turn_and_the_session_goes_on(tmp_path: Path) -> None:
    async with office(tmp_path) as o:
        await o.desk.say("please ask")
        await o.sees("rm -rf cache")
        assert await o.desk.press("Reject and stop") == ("Rejected; everything is being stopped.", False)
        await o.sees("not run: Rejected by Ada")
        await o.idle()
        assert (await o.outcomes())[0] == "interrupted"
        await o.desk.say("say hello")
        await o.sees("heard hello")
        assert len(o.notes("starts")) == 1


async def test_a_request_that_nobody_decides_is_answered_with_no(tmp_path: Path) -> None:
    async with office(tmp_path, approval_expires_s=0.05) as o:
        await o.desk.say("please ask")
        await o.sees("not run: Nobody decided within 0.05 seconds")
        await o.idle()
        await o.sees("Too late: Run rm -rf cache")
