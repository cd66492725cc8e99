"""The driver with a real process, guarded as in life: what is started, told, stopped and lost."""

import asyncio
import time
from pathlib import Path

import pytest

from bossbot.agent.discovery import Program
from bossbot.agent.hired import Hired
from bossbot.agent.longlines import LongLines
from bossbot.agent.patience import Patience
from bossbot.agent.pool import AgentPool
from bossbot.app.app import App
from bossbot.domain.policy import Policy
from bossbot.ids import ThreadRef
from bossbot.settings import AgentSettings
from bossbot.store.memory import MemoryData
from bossbot.streamjson.dialects import CBC, CLAUDE
from tests.agent.office import Office, office, tiny_ones, until, until_async
from tests.app.desk import APPROVER, Counter, desk


async def test_a_message_is_told_and_its_answer_stands_in_the_chat(tmp_path: Path) -> None:
    async with office(tmp_path) as o:
        await o.desk.say("say hello")
        await o.sees("heard hello")
        await o.idle()
        assert o.notes("told") == ["say hello"]
        assert await o.outcomes() == ["success"]


async def test_four_messages_at_once_start_one_process_and_none_is_lost(tmp_path: Path) -> None:
    async with office(tmp_path) as o:
        await asyncio.gather(*(o.desk.say(f"{number} hello") for number in range(4)))
        await until(lambda: "3 hello" in " ".join(o.notes("told")), "all four are told")
        await o.idle()
        assert len(o.notes("starts")) == 1
        told = "\n\n".join(o.notes("told"))
        assert [told.count(f"{number} hello") for number in range(4)] == [1, 1, 1, 1]


async def test_a_message_waits_a_moment_after_a_result(tmp_path: Path) -> None:
    async with office(tmp_path) as o:
        await o.desk.say("say hello")
        await o.sees("heard hello")
        await o.idle()
        begun = time.monotonic()
        await o.desk.say("once more")
        await o.sees("heard more")
        assert time.monotonic() - begun > CBC.settle_s * 0.6


async def test_a_stop_waits_a_moment_after_a_result(tmp_path: Path) -> None:
    """cbc may begin a turn by itself otherwise, and lose the answer to what it is told beside that."""
    async with office(tmp_path, patience=Patience(interrupt_s=0.5)) as o:
        await o.desk.say("be stubborn")
        await o.sees("Background task S")
        await o.desk.say("/stop")
        await o.idle()
        (waited_s,) = map(float, o.notes("interrupts"))
        assert waited_s > CBC.settle_s * 0.9


async def test_two_threads_have_two_agents(tmp_path: Path) -> None:
    other = ThreadRef("chat", "2")
    async with office(tmp_path) as o:
        await o.desk.say("say hello")
        await o.desk.say("say goodbye", APPROVER, other)
        await o.sees("heard hello")
        await o.sees("heard goodbye")
        assert len(o.notes("starts")) == 2


@pytest.mark.parametrize(("label", "words"), [("Approve", "it ran"), ("Reject", "not run: Rejected by Ada")])
async def test_a_decision_reaches_the_process_that_asked(tmp_path: Path, label: str, words: str) -> None:
    async with office(tmp_path) as o:
        await o.desk.say("please ask")
        await o.sees("Run this command?")
        await o.desk.press(label)
        await o.sees(words)


@pytest.mark.parametrize(
    ("allow", "deny", "words"), [(("Bash(rm -rf cache)",), (), "it ran"), ((), ("Bash",), "not run: Bash is denied")]
)
async def test_what_the_rules_decide_asks_nobody(
    tmp_path: Path, allow: tuple[str, ...], deny: tuple[str, ...], words: str
) -> None:
    async with office(tmp_path, policy=Policy.parse(allow, deny)) as o:
        await o.desk.say("please ask")
        await o.sees(words)
        assert "approval.requested" not in await o.desk.types()


async def test_stop_ends_the_turn_and_the_process_lives_on(tmp_path: Path) -> None:
    async with office(tmp_path) as o:
        await o.desk.say("please wait")
        await until(lambda: o.notes("told") != [], "it is told")
        await o.desk.say("/stop")
        await o.idle()
        assert await o.outcomes() == ["interrupted"]
        await o.desk.say("say hello")
        await o.sees("heard hello")
        assert len(o.notes("starts")) == 1


async def test_a_turn_that_begins_by_itself_after_a_stop_without_a_result_can_be_stopped_too(tmp_path: Path) -> None:
    (tmp_path / "hold").touch()
    async with office(tmp_path, patience=Patience(echo_s=0.2)) as o:
        await o.desk.say("be brusque")
        await until(lambda: o.notes("told") != [], "it is told")
        await o.desk.say("/stop")
        await o.idle()
        (tmp_path / "hold").unlink()
        await o.sees("there is more to do")
        await o.desk.say("/stop")
        await o.idle()
        assert len(o.notes("interrupts")) == 2
        assert await o.outcomes() == ["interrupted", "interrupted"]


@pytest.mark.parametrize("word", ["deaf", "mute"])
async def test_an_agent_that_does_not_stop_is_ended_and_what_waited_is_told_to_the_next(
    tmp_path: Path, word: str
) -> None:
    """`mute` never even shows its session: an interrupt cannot be sent to it."""
    async with office(tmp_path, patience=Patience(interrupt_s=0.5)) as o:
        await o.desk.say(f"be {word}")
        await until(lambda: o.notes("told") != [], "it is told")
        await o.desk.say("/stop")
        await o.desk.say("say hello")
        await o.sees("heard hello")
        await o.idle()
        assert (await o.outcomes())[0] == "interrupted"
        assert [text for text in o.notes("told") if word in text] == [f"be {word}"]


async def test_an_agent_that_dies_is_told_with_its_last_words_and_started_again(tmp_path: Path) -> None:
    async with office(tmp_path) as o:
        await o.desk.say("please die")
        await o.sees("the tiny agent fell over")
        await until(lambda: len(o.notes("starts")) >= 2, "a second start")
        assert "--resume=session-" in o.notes("starts")[1]
        assert (await o.outcomes())[0] == "lost"


async def test_an_agent_that_does_not_read_is_ended_and_the_next_is_told(tmp_path: Path) -> None:
    (tmp_path / "numb").touch()
    async with office(tmp_path, patience=Patience(write_s=3.0)) as o:  # the next one must have begun to read by then
        await o.desk.say("x" * 400_000 + " hello")
        await until(lambda: o.notes("starts") != [], "a start")
        await o.lost()
        (tmp_path / "numb").unlink()
        await o.sees("heard hello")
        assert (await o.outcomes())[0] == "lost"


async def test_an_agent_that_closes_its_output_and_lives_on_is_ended(tmp_path: Path) -> None:
    async with office(tmp_path, patience=Patience(exit_s=0.3)) as o:
        await o.desk.say("please hush")
        await until(lambda: len(o.notes("starts")) >= 2, "a second start")
        assert (await o.outcomes())[0] == "lost"


async def test_a_message_after_a_restart_resumes_the_agents_session(tmp_path: Path) -> None:
    data = MemoryData()
    async with office(tmp_path, data) as o:
        await o.desk.say("say hello")
        await o.sees("heard hello")
        await o.idle()
    async with office(tmp_path, data, word="b") as o:
        assert len(o.notes("starts")) == 1
        await o.desk.say("say goodbye")
        await o.sees("heard goodbye")
        assert "--resume=session-" in o.notes("starts")[1]
        assert o.notes("told") == ["say hello", "say goodbye"]


@pytest.mark.parametrize("way", ["refuse", "ignore"])
async def test_a_session_that_cannot_be_resumed_goes_on_from_a_recap(tmp_path: Path, way: str) -> None:
    data = MemoryData()
    async with office(tmp_path, data, patience=Patience(resume_s=0.5)) as o:
        await o.desk.say("say hello")
        await o.sees("heard hello")
        await o.idle()
    (tmp_path / way).touch()
    async with office(tmp_path, data, word="b", patience=Patience(resume_s=0.5)) as o:
        await o.desk.say("say goodbye")
        await o.sees("heard goodbye")
        assert ["--resume" in start for start in o.notes("starts")] == [False, True, False]
        assert "[recap]" in o.notes("told")[-1]
        assert "heard hello" in o.notes("told")[-1]


async def test_what_was_stopped_while_the_agent_was_resuming_is_not_told_to_a_new_one(tmp_path: Path) -> None:
    data = MemoryData()
    async with office(tmp_path, data, patience=Patience(interrupt_s=0.5)) as o:
        await o.desk.say("say hello")
        await o.sees("heard hello")
        await o.idle()
    (tmp_path / "ignore").touch()
    async with office(tmp_path, data, word="b", patience=Patience(interrupt_s=0.5)) as o:
        await o.desk.say("delete everything")
        await until(lambda: len(o.notes("starts")) == 2, "the second start")
        await o.desk.say("/stop")
        await o.idle()
        await asyncio.sleep(0.5)
        assert len(o.notes("starts")) == 2
        assert o.notes("told") == ["say hello"]
        assert await o.outcomes() == ["success", "interrupted"]


async def test_after_a_background_task_the_agent_speaks_first_and_a_persons_message_waits(tmp_path: Path) -> None:
    (tmp_path / "hold").touch()
    async with office(tmp_path) as o:
        await o.desk.say("in the background")
        await o.sees("Workflow W · completed")
        await o.desk.say("say hello")
        assert [said.content for said in (await o.desk.state()).queue] == ["say hello"]
        (tmp_path / "hold").unlink()
        await o.sees("heard hello")
        texts = o.desk.platform.texts
        assert texts.index("the background task is done") < texts.index("heard hello")


async def test_an_agents_own_turn_that_does_not_come_holds_nobody_up(tmp_path: Path) -> None:
    async with office(tmp_path, patience=Patience(own_turn_s=0.1)) as o:
        await o.desk.say("in the background")
        await o.sees("Workflow W · completed")
        await o.desk.say("say hello")
        await o.sees("heard hello")


async def test_lines_that_make_no_sense_end_nothing(tmp_path: Path) -> None:
    async with office(tmp_path) as o:
        await o.desk.say("write garbage")
        await o.sees("heard garbage")
        await o.idle()
        assert await o.outcomes() == ["success"]


async def test_an_idle_agent_is_ended_and_resumed_by_the_next_message(tmp_path: Path) -> None:
    async with office(tmp_path, idle_s=0.3) as o:
        await o.desk.say("say hello")
        await o.sees("heard hello")
        await until(lambda: not tiny_ones(), "its end")
        await o.desk.say("say goodbye")
        await o.sees("heard goodbye")
        assert "--resume=session-" in o.notes("starts")[1]
        await o.idle()
        assert await o.outcomes() == ["success", "success"]


async def test_an_agent_that_cannot_be_started_is_told_and_ends_nothing(tmp_path: Path) -> None:
    def hire(app: App) -> AgentPool:
        program, settings = Program((str(tmp_path / "nowhere"),), CBC), AgentSettings(workspace=tmp_path)
        hired = Hired(program, settings, Policy(), (), Counter("a"), app.submit, LongLines())
        return AgentPool(lambda _: hired)

    async with desk(hire=hire) as d:
        await d.say("say hello")
        await until(lambda: any("could not be started" in t for t in d.platform.texts), "the reason in the chat")
        await d.say("/status")
        assert "Manager" in d.platform.texts[-1]


async def test_a_task_that_an_interrupt_does_not_end_is_ended_with_its_process(tmp_path: Path) -> None:
    """Claude Code lets a background command run on; whoever pressed Stop meant that too."""
    async with office(tmp_path, patience=Patience(interrupt_s=0.5)) as o:
        await o.desk.say("be stubborn")
        await o.sees("Background task S")
        await o.desk.say("/stop")
        await o.idle()
        types = await o.desk.types()
        ends = [kind for kind in types if kind in ("task.completed", "task.failed", "task.cancelled")]
        assert ends == ["task.cancelled"]
        assert "task.retried" not in types
        assert len(o.notes("starts")) == 1


async def test_the_end_of_the_agents_own_turn_is_not_the_end_of_what_it_was_told_and_is_to_stop(tmp_path: Path) -> None:
    """It was told while a background task ran, whose end it tells the model first, in a turn of its own."""
    async with office(tmp_path, dialect=CLAUDE, patience=Patience(interrupt_s=3.0, begin_s=0.3)) as o:
        await o.desk.say("in the background")
        await until_async(o.outcomes, ["success"])
        await o.desk.say("be deaf")
        await o.desk.say("/stop")
        await o.sees("the background task is done")
        await o.desk.say("say hello")
        await o.sees("heard hello")
        await o.idle()
        assert await o.outcomes() == ["success", "interrupted", "success"]
        assert len(o.notes("starts")) == 2


async def joined_too_late(o: Office) -> None:
    """A message joins a turn that has nothing more to read."""
    await o.desk.say("be late")
    await until(lambda: o.notes("told") != [], "it is told")
    await until_async(o.joins_mid_turn, wanted=True)
    await o.desk.say("!now say hello")


async def test_a_message_that_came_too_late_for_the_turn_it_joined_is_answered_in_it(tmp_path: Path) -> None:
    async with office(tmp_path, dialect=CLAUDE) as o:
        await joined_too_late(o)
        await o.sees("heard hello")
        await o.idle()
        assert await o.outcomes() == ["success"]
        assert o.notes("told") == ["be late", "say hello"]


async def test_a_message_that_joined_a_turn_is_told_again_when_the_agent_dies_before_it_was_read(
    tmp_path: Path,
) -> None:
    (tmp_path / "mortal").touch()
    async with office(tmp_path, dialect=CLAUDE) as o:
        await joined_too_late(o)
        await until(lambda: len(o.notes("starts")) == 2, "a second start")
        await o.sees("heard hello")
        await o.idle()
        assert await o.outcomes() == ["lost", "success"]
        [again] = [text for text in o.notes("told") if "say hello" in text]
        assert "be late" in again
