"""Mail: deleting what somebody sent, the latest alone or all of some days."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.fields import SENDER
from benchmarks.workbench.synth.templates.slots import period
from benchmarks.workbench.synth.templates.steps import Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


def _delete_latest(office: Office, values: Values) -> Sequence[Step]:
    return steps.discard(rows.mails(office, address=office.people[values["sender"]])[-1:])


async def _play_delete_latest(worker: Worker) -> None:
    sender = await find.address(worker, await worker.slot("sender"))
    await acts.discard(worker, [await find.latest_mail(worker, sender, sender=sender)])


DELETE_LATEST = Template(
    name="delete-latest",
    domains=("email",),
    wordings=(
        "The last mail that I got from {sender} is out of date. Delete it.",
        "The newest mail from {sender} is just noise by now, so please delete it.",
        "There is a mistake in the most recent mail from {sender}: please remove it from my inbox.",
    ),
    slots={"sender": SENDER},
    outcome=_delete_latest,
    program=_play_delete_latest,
)


def _delete_recent(office: Office, values: Values) -> Sequence[Step]:
    since = office.ago(values["period"])
    received = rows.mails(office, address=office.people[values["sender"]])
    return steps.discard(mail for mail in received if mail["sent_datetime"] >= since)


async def _play_delete_recent(worker: Worker) -> None:
    sender = await find.address(worker, await worker.slot("sender"))
    found = await find.mails(worker, sender, await worker.slot("period"))
    await acts.discard(worker, [mail for mail in found if mail["sender/recipient"] == sender])


DELETE_RECENT = Template(
    name="delete-recent",
    domains=("email",),
    wordings=(
        "I am clearing up after a mix-up. Delete all the mails that {sender} sent me during the last {period}.",
        "My inbox is too full. Please get rid of everything that {sender} wrote to me in the past {period}.",
        "Nothing that {sender} sent me over the last {period} was meant for me. Please delete each of those mails.",
    ),
    slots={
        "sender": SENDER,
        "period": period(
            (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14),
            dimension="constraint",
            subdimension="temporal",
            why="Without it the request reads as one for all mails there are.",
            complete_without=True,
        ),
    },
    outcome=_delete_recent,
    program=_play_delete_recent,
    idle=2,
)

TEMPLATES: tuple[Template, ...] = (DELETE_LATEST, DELETE_RECENT)
