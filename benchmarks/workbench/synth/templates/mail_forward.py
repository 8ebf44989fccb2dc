"""Mail: passing on one mail, found by its sender or by its subject, to one colleague or to two."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import SlotSpec, Template, Values
from benchmarks.workbench.synth.templates.fields import SENDER, recipient
from benchmarks.workbench.synth.templates.slots import colleague, subject
from benchmarks.workbench.synth.templates.steps import Row, Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


_SUBJECT = subject(
    dimension="input",
    subdimension="identifier",
    why="Dozens of subjects are in use; without one the request reads as one for the newest mail of all.",
    complete_without=True,
)


def _latest_about(office: Office, values: Values) -> list[Row]:
    """The newest mail under the subject, whoever sent it."""
    return rows.mails(office, subject=values["subject"])[-1:]


async def _find_about(worker: Worker) -> Row:
    subject = await worker.slot("subject")
    return await find.latest_mail(worker, subject, subject=subject)


async def _pass_on(worker: Worker, mail: Row, *slots: str) -> None:
    """Forward a mail to the colleagues that the slots name."""
    for name in slots:
        await acts.forward(worker, [mail], await find.address(worker, await worker.slot(name)))


def _forward_latest(office: Office, values: Values) -> Sequence[Step]:
    received = rows.mails(office, address=office.people[values["sender"]])
    return steps.forward(received[-1:], office.people[values["recipient"]])


async def _play_forward_latest(worker: Worker) -> None:
    sender = await find.address(worker, await worker.slot("sender"))
    await _pass_on(worker, await find.latest_mail(worker, sender, sender=sender), "recipient")


FORWARD_LATEST = Template(
    name="forward-latest",
    domains=("email",),
    wordings=(
        "There is news in the most recent mail from {sender}: forward it to {recipient}.",
        "{recipient} should see the last mail that {sender} sent me. Please forward it.",
        "Please pass on to {recipient} the newest mail that {sender} wrote to me.",
    ),
    slots={"sender": SENDER, "recipient": recipient()},
    outcome=_forward_latest,
    program=_play_forward_latest,
    valid=lambda values: values["sender"] != values["recipient"],
)


def _forward_about(office: Office, values: Values) -> Sequence[Step]:
    return steps.forward(_latest_about(office, values), office.people[values["recipient"]])


async def _play_forward_about(worker: Worker) -> None:
    await _pass_on(worker, await _find_about(worker), "recipient")


FORWARD_ABOUT = Template(
    name="forward-about",
    domains=("email",),
    wordings=(
        'Forward the latest mail about "{subject}" to {recipient}.',
        '{recipient} asked for the newest mail that I have under the subject "{subject}". Please forward it.',
        'Look for the last mail with the subject "{subject}" and forward it to {recipient}, whoever sent it.',
    ),
    slots={"subject": _SUBJECT, "recipient": recipient()},
    outcome=_forward_about,
    program=_play_forward_about,
)


def _forward_to_two(office: Office, values: Values) -> Sequence[Step]:
    recipients = [office.people[values["first"]], office.people[values["second"]]]
    latest = _latest_about(office, values)
    return [step for recipient in recipients for step in steps.forward(latest, recipient)]


async def _play_forward_to_two(worker: Worker) -> None:
    await _pass_on(worker, await _find_about(worker), "first", "second")


def _one_of_two(role: str) -> SlotSpec:
    return colleague(
        role,
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
        "subject": _SUBJECT,
        "first": _one_of_two("first recipient"),
        "second": _one_of_two("second recipient"),
    },
    outcome=_forward_to_two,
    program=_play_forward_to_two,
    valid=lambda values: values["first"] != values["second"],
)

TEMPLATES: tuple[Template, ...] = (FORWARD_LATEST, FORWARD_ABOUT, FORWARD_TO_TWO)
