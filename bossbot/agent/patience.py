"""How long to wait for what an agent may never do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for what an agent may never do, in seconds."""

    interrupt_s: float = 20.0
    """An interrupted agent that still works after so long is ended by force."""
    begin_s: float = 5.0
    """An interrupt waits so long for a sign that the turn has begun; then it is sent without one."""
    ack_s: float = 3.0
    """How long a message waits for the answer to an interrupt that was sent before it."""
    echo_s: float = 2.0
    """After the echo of an interrupt, how long to wait for the turn's result before taking the echo for its end."""
    own_turn_s: float = 30.0
    """After a background task's end the CLI begins a turn of its own; silent for so long, it begins none."""
    resume_s: float = 15.0
    """cbc, asked to resume a session that it does not have on disk, answers `initialize` and says nothing more at all;
    a good one goes on within a second."""
    start_s: float = 90.0
    """How long one may take for that answer: two seconds, on a machine with time to spare."""
    write_s: float = 60.0
    """A CLI that reads nothing for so long, while its pipe is full, will not read at all and is ended."""
    exit_s: float = 10.0
    """A CLI that has closed its stdout can say nothing more; one that lives on for so long is ended."""


USUAL = Patience()
