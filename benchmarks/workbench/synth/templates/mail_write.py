"""Mail: writing to somebody, out of the blue or in answer to their latest mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.fields import SENDER, body, recipient
from benchmarks.workbench.synth.templates.slots import quoted
from benchmarks.workbench.synth.templates.steps import Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


async def _usual_headings(worker: Worker) -> Mapping[str, str]:
    """What anybody might write above a mail."""
    return {heading: heading for heading in ("For your information", "A short question")}


def _send(office: Office, values: Values) -> Sequence[Step]:
    return [steps.mail(office.people[values["recipient"]], values["subject"], values["body"])]


async def _play_send(worker: Worker) -> None:
    recipient = await find.address(worker, await worker.slot("recipient"))
    await acts.mail(worker, recipient, await worker.slot("subject"), await worker.slot("body"))


SEND_MAIL = Template(
    name="send-mail",
    domains=("email",),
    wordings=(
        'Send a mail with the subject "{subject}" to {recipient}, saying "{body}"',
        'Let {recipient} know by mail under the subject "{subject}": "{body}"',
        'Something has to go out to {recipient} today: a mail with the subject "{subject}" that says "{body}"',
    ),
    slots={
        "recipient": recipient(),
        "subject": quoted(
            "subject",
            "goal",
            "content",
            (
                "Car park closed",
                "Visitors next week",
                "New phone list",
                "Keys for the archive",
                "Photos from the open day",
                "Lost umbrella",
                "Fire drill",
                "Lunch order",
            ),
            role="subject line",
            words=_usual_headings,
            why="Nothing in the workplace tells how to head the mail.",
        ),
        "body": body(
            "Have a look when you find a minute.",
            "I will tell you more when I see you.",
            "Please pass this on to your team.",
            "Could you take care of it by Friday?",
            "There is nothing you need to do for now.",
            "Write back if you have any doubts.",
        ),
    },
    outcome=_send,
    program=_play_send,
)


def _answer_latest(office: Office, values: Values) -> Sequence[Step]:
    return steps.reply(rows.mails(office, address=office.people[values["sender"]])[-1:], values["body"])


async def _play_answer_latest(worker: Worker) -> None:
    sender = await find.address(worker, await worker.slot("sender"))
    latest = await find.latest_mail(worker, sender, sender=sender)
    await acts.reply(worker, [latest], await worker.slot("body"))


ANSWER_LATEST = Template(
    name="answer-latest",
    domains=("email",),
    wordings=(
        'I promised an answer to the latest mail from {sender}. Reply to it with "{body}"',
        'The newest mail from {sender} is waiting for me to respond. Please answer it: "{body}"',
        'A short answer to the last mail from {sender} will do: please reply to it with "{body}"',
    ),
    slots={
        "sender": SENDER,
        "body": body(
            "Got it, I will be in touch on Monday.",
            "I am fine with that.",
            "Sorry, this is not for me to decide.",
            "Please call me about this instead.",
            "I need one more day to think about it.",
            "Well spotted, I will correct it.",
        ),
    },
    outcome=_answer_latest,
    program=_play_answer_latest,
)

TEMPLATES: tuple[Template, ...] = (SEND_MAIL, ANSWER_LATEST)
