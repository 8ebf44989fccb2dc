"""Mail: passing on one mail, found by its sender or by its subject, to one colleague or to two."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import SlotSpec, Template, Values
from benchmarks.workbench.synth.templates.mail_sender import latest_received, received, sender
from benchmarks.workbench.synth.templates.slots import person, subject
from benchmarks.workbench.synth.templates.steps import Row, Step, forward
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


def _recipient() -> SlotSpec:
    return person(
        "recipient",
        lambda office: list(office.people),
        dimension="goal",
        subdimension="target",
        why="Nothing in the workplace tells who is to get the mail.",
    )


def _subject() -> SlotSpec:
    return subject(
        dimension="input",
        subdimension="identifier",
        why="Dozens of subjects are in use; without one the request reads as one for the newest mail of all.",
        complete_without=True,
    )


def _latest_about(office: Office, values: Values) -> list[Row]:
    """The newest mail under the subject, whoever sent it."""
    return [mail for mail in office.mails if mail["subject"] == values["subject"]][-1:]


async def _pass_on(worker: Worker, mail: Row, *slots: str) -> None:
    """Forward a mail to the colleagues that the slots name."""
    for name in slots:
        recipient = await find.address(worker, await worker.slot(name))
        await worker.call("gmail", "forward_email", email_id=mail["email_id"], recipient=recipient)


def _forward_latest(office: Office, values: Values) -> Sequence[Step]:
    return [forward(mail, office.people[values["recipient"]]) for mail in received(office, values)[-1:]]


async def _play_forward_latest(worker: Worker) -> None:
    await _pass_on(worker, await latest_received(worker), "recipient")


FORWARD_LATEST = Template(
    name="forward-latest",
    domains=("email",),
    wordings=(
        "There is news from {sender}: forward the most recent mail they sent me to {recipient}.",
        "{recipient} should see the last mail that {sender} sent me. Please forward it.",
        "Please pass on to {recipient} the newest mail that {sender} wrote to me.",
    ),
    slots={"sender": sender(), "recipient": _recipient()},
    outcome=_forward_latest,
    program=_play_forward_latest,
    valid=lambda values: values["sender"] != values["recipient"],
)


def _forward_about(office: Office, values: Values) -> Sequence[Step]:
    return [forward(mail, office.people[values["recipient"]]) for mail in _latest_about(office, values)]


async def _play_forward_about(worker: Worker) -> None:
    subject = await worker.slot("subject")
    await _pass_on(worker, await find.latest_mail(worker, subject, subject), "recipient")


FORWARD_ABOUT = Template(
    name="forward-about",
    domains=("email",),
    wordings=(
        'Forward the latest mail about "{subject}" to {recipient}.',
        '{recipient} asked for the newest mail that I have under the subject "{subject}". Please forward it.',
        'Look for the last mail with the subject "{subject}" and forward it to {recipient}, whoever sent it.',
    ),
    slots={"subject": _subject(), "recipient": _recipient()},
    outcome=_forward_about,
    program=_play_forward_about,
)


def _forward_to_two(office: Office, values: Values) -> Sequence[Step]:
    recipients = [office.people[values["first"]], office.people[values["second"]]]
    return [forward(mail, recipient) for mail in _latest_about(office, values) for recipient in recipients]


async def _play_forward_to_two(worker: Worker) -> None:
    subject = await worker.slot("subject")
    await _pass_on(worker, await find.latest_mail(worker, subject, subject), "first", "second")


def _one_of_two(role: str) -> SlotSpec:
    return person(
        role,
        lambda office: list(office.people),
        dimension="goal",
        subdimension="target",
        why="Any colleague might be meant; with the other one alone the request reads as a whole one.",
        complete_without=True,
    )


FORWARD_TO_TWO = Template(
    name="forward-to-two",
    domains=("email",),
    wordings=(
        'Forward the latest mail about "{subject}" to {first} and {second}.',
        '{first} and {second} both need the most recent mail with the subject "{subject}". Please forward it to each '
        "of them.",
        'Take the newest of my mails about "{subject}". Forward it to {first}, and forward it to {second} as well.',
    ),
    slots={
        "subject": _subject(),
        "first": _one_of_two("first recipient"),
        "second": _one_of_two("second recipient"),
    },
    outcome=_forward_to_two,
    program=_play_forward_to_two,
    valid=lambda values: values["first"] != values["second"],
)

TEMPLATES: tuple[Template, ...] = (FORWARD_LATEST, FORWARD_ABOUT, FORWARD_TO_TWO)
