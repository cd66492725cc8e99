"""The card of an approval: the whole command to read, two buttons, and afterwards the record of what was decided."""

from bossbot.channel import Action, Block, Button, ButtonStyle, Card, Code, Note, Plain, Row, Rows, Tone, Verb
from bossbot.domain.approval import QUESTION, Approval, ApprovalStatus
from bossbot.domain.people import DONE

RECORD_CHARS = 240
DESCRIPTION_CHARS = 200

_TITLES = {
    "dangerous_command": "Run this command?",
    "file_change": "Change this file?",
    "workflow": "Start this workflow?",
    "tool_call": "Use this tool?",
}
_DECIDED = {
    ApprovalStatus.APPROVED: ("Approved", Tone.GOOD),
    ApprovalStatus.REJECTED: ("Rejected", Tone.BAD),
    ApprovalStatus.EXPIRED: ("Too late", Tone.STOPPED),
    ApprovalStatus.WITHDRAWN: ("No longer open", Tone.STOPPED),
}


def approval_card(approval: Approval) -> Card:
    """The card as the approval stands now. A decided one keeps the command and loses its buttons."""
    if approval.kind == QUESTION:
        return _question_card(approval)
    blocks: list[Block] = []
    if approval.kind == "tool_call":
        blocks.append(Plain(f"Tool: {approval.tool}"))

    blocks.append(Code(_shown_detail(approval), approval.detail_language))
    if approval.description:
        blocks.append(Note(f"The agent says: “{_one_line(approval.description)}”"))
    blocks.append(Note(_risk(approval)))
    if not approval.pending:
        title, tone = _DECIDED[approval.status]
        return Card(
            title=f"{title}: {approval.summary}",
            tone=tone,
            blocks=(*blocks, Note(_record(approval))),
            fallback=f"{title}: {approval.summary}",
        )
    return Card(
        title=_TITLES.get(approval.kind, "Allow this?"),
        tone=Tone.WAITING,
        blocks=tuple(blocks),
        buttons=_buttons(approval),
        fallback=f"{_TITLES.get(approval.kind, 'Allow this?')} {approval.summary}",
    )


def _one_line(text: str) -> str:
    """The agent's own words about it: in one line, so that they cannot look like ours."""
    line = " ".join(text.split())
    return line if len(line) <= DESCRIPTION_CHARS else f"{line[: DESCRIPTION_CHARS - 1]}…"


def _shown_detail(approval: Approval) -> str:
    """The whole of it until it is decided, and of a command for good; the record of a long script or file is cut."""
    if approval.pending or approval.kind == "dangerous_command" or len(approval.detail) <= RECORD_CHARS:
        return approval.detail
    return f"{approval.detail[:RECORD_CHARS]}…\n({len(approval.detail)} characters in all)"


def _buttons(approval: Approval) -> tuple[tuple[Button, ...], ...]:
    approve = Button("Approve", Action(Verb.APPROVE, approval.id).encode(), ButtonStyle.PRIMARY)
    reject = Button("Reject", Action(Verb.REJECT, approval.id).encode(), ButtonStyle.DANGER)
    stop = Button("Reject and stop", Action(Verb.REJECT_AND_STOP, approval.id).encode(), ButtonStyle.DANGER)
    if approval.risk_level == "high":
        return ((approve, reject), (stop,))
    always = Button("Allow for this session", Action(Verb.APPROVE_FOR_SESSION, approval.id).encode())
    return ((approve, reject), (always,), (stop,))


def _risk(approval: Approval) -> str:
    reasons = f": {', '.join(approval.risks)}" if approval.risks else ""
    return f"Risk {approval.risk_level}{reasons}"


def _record(approval: Approval) -> str:
    match approval.status:
        case ApprovalStatus.APPROVED:
            scope = " for this session" if approval.action == "approve_for_session" else ""
            return f"Approved{scope} by {approval.decided_by}"
        case ApprovalStatus.REJECTED:
            stopped = " What ran was stopped." if approval.action == "reject_and_stop" else ""
            return f"Rejected by {approval.decided_by}.{stopped} The agent was told: {approval.reason}"
        case ApprovalStatus.EXPIRED:
            return f"Nobody decided in time. The agent was told: {approval.reason}"
        case _:
            return f"No longer open: {approval.reason}. If it is still needed, the manager asks again."


def _question_card(approval: Approval) -> Card:
    index = approval.next_question()
    if not approval.pending or index is None:
        return _answered_card(approval)
    question = approval.questions[index]
    number = f" {index + 1}/{len(approval.questions)}" if len(approval.questions) > 1 else ""
    chosen = approval.choices.get(index, ())
    rows = tuple(
        Row(option.label, Tone.GOOD if option.label in chosen else Tone.NEUTRAL, option.description)
        for option in question.options
    )
    blocks: list[Block] = [Plain(question.question)]
    if rows:
        blocks.append(Rows(rows))
    blocks.append(Note("Choose, or write your own answer."))
    buttons = [
        (Button(option.label, Action(Verb.ANSWER, approval.id, f"{index}.{i}").encode()),)
        for i, option in enumerate(question.options)
    ]
    if question.multi_select and chosen:
        done = Action(Verb.ANSWER, approval.id, f"{index}.{DONE}").encode()
        buttons.append((Button("Done", done, ButtonStyle.PRIMARY),))
    return Card(
        title=f"Question{number}: {question.header}" if question.header else f"Question{number}",
        tone=Tone.WAITING,
        blocks=tuple(blocks),
        buttons=tuple(buttons),
        fallback=question.question,
    )


def _answered_card(approval: Approval) -> Card:
    rows = tuple(
        Row(q.question, Tone.GOOD if approval.answers.get(i) else Tone.STOPPED, ", ".join(approval.answers.get(i, ())))
        for i, q in enumerate(approval.questions)
    )
    approved = approval.status is ApprovalStatus.APPROVED
    word = f"Answered by {approval.decided_by}" if approved else f"No longer open: {approval.reason}"
    if approval.status is ApprovalStatus.EXPIRED:
        word = "Nobody answered in time"
    if approval.status is ApprovalStatus.REJECTED:
        word = f"Turned down by {approval.decided_by}"
    return Card(
        title="Question answered" if approved else "Question closed",
        tone=Tone.GOOD if approved else Tone.STOPPED,
        blocks=(Rows(rows), Note(word)),
        fallback=word,
    )
