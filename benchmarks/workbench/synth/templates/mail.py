"""Mail: passing on a correspondence, and answering the latest of a thread."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.fields import recipient
from benchmarks.workbench.synth.templates.slots import colleague, period, quoted, subject
from benchmarks.workbench.synth.templates.steps import Row, Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)

_SUBJECT = subject(
    dimension="input",
    subdimension="identifier",
    why="Every colleague writes about five subjects.",
    complete_without=True,
)


def _thread(office: Office, values: Values) -> list[Row]:
    """Mails from the sender under the subject, oldest first."""
    sender = office.people[values["sender"]]
    return rows.mails(office, address=sender, subject=values["subject"])


def _forward_thread(office: Office, values: Values) -> Sequence[Step]:
    since = office.ago(values["period"])
    recent = [mail for mail in _thread(office, values) if mail["sent_datetime"] >= since]
    return steps.forward(recent, office.people[values["recipient"]])


async def _play_forward_thread(worker: Worker) -> None:
    sender = await find.address(worker, await worker.slot("sender"))
    subject = await worker.slot("subject")
    found = await find.mails(worker, f"{sender} {subject}", await worker.slot("period"))
    wanted = [m for m in found if m["sender/recipient"] == sender and m["subject"].casefold() == subject.casefold()]
    if wanted:
        await acts.forward(worker, wanted, await find.address(worker, await worker.slot("recipient")))


FORWARD_THREAD = Template(
    name="forward-thread",
    domains=("email",),
    wordings=(
        'Forward every mail that {sender} sent me about "{subject}" during the last {period} to {recipient}.',
        '{recipient} needs what {sender} wrote to me under the subject "{subject}" in the past {period}. '
        "Please forward each of those mails.",
        'Could you go through the last {period}, pick out the mails from {sender} with the subject "{subject}", '
        "and forward them all to {recipient}?",
    ),
    slots={
        "sender": colleague(
            "sender",
            dimension="input",
            subdimension="source",
            why="Several colleagues write under one subject, and nothing says whose mails are meant.",
            complete_without=True,
        ),
        "subject": _SUBJECT,
        "period": period(
            (7, 10, 14, 21, 28, 42),
            dimension="constraint",
            subdimension="temporal",
            why="Without it the request reads as one for all mails there are.",
            complete_without=True,
        ),
        "recipient": recipient("is to get the mails"),
    },
    outcome=_forward_thread,
    program=_play_forward_thread,
    idle=1,
    valid=lambda values: values["sender"] != values["recipient"],
)


def _reply_latest(office: Office, values: Values) -> Sequence[Step]:
    return steps.reply(_thread(office, values)[-1:], values["body"])


async def _play_reply_latest(worker: Worker) -> None:
    subject = await worker.slot("subject")
    sender = await find.address(worker, await worker.slot("sender"))
    mail = await find.latest_mail(worker, f"{sender} {subject}", subject=subject, sender=sender)
    await acts.reply(worker, [mail], await worker.slot("body"))


async def _last_sender(worker: Worker) -> str:
    """Who wrote last under the subject."""
    subject = await worker.slot("subject")
    mail = await find.latest_mail(worker, subject, subject=subject)
    return str(mail["sender/recipient"]).partition(".")[0]


REPLY_LATEST = Template(
    name="reply-latest",
    domains=("email",),
    wordings=(
        'Reply to {sender}\'s latest mail about "{subject}" with "{body}"',
        'I still owe {sender} an answer to the most recent mail with the subject "{subject}". '
        'Please reply to it: "{body}"',
        'Find the last mail that {sender} sent me about "{subject}" and answer it with "{body}"',
    ),
    slots={
        "sender": colleague(
            "sender",
            dimension="input",
            subdimension="source",
            guessability=0.5,
            why="Often, but not always, it is whoever wrote last under the subject.",
            explore=_last_sender,
            complete_without=True,
        ),
        "subject": _SUBJECT,
        "body": quoted(
            "body",
            "goal",
            "content",
            (
                "Thank you, I will read it on the train tonight.",
                "Agreed, please go ahead as you propose.",
                "Let me check with finance before we decide.",
                "Can you send me the figures behind this?",
                "This has to wait until after the site tour.",
                "Good work, pass my thanks to everyone involved.",
            ),
            why="The wording of an answer is the user's own.",
        ),
    },
    outcome=_reply_latest,
    program=_play_reply_latest,
)

TEMPLATES = (FORWARD_THREAD, REPLY_LATEST)
