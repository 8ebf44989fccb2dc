"""Mail: deleting what somebody sent, the latest alone or all of some days."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.mail_sender import latest_received, received, sender
from benchmarks.workbench.synth.templates.slots import period
from benchmarks.workbench.synth.templates.steps import Row, Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


def _remove(mail: Row) -> Step:
    return Step("gmail", "delete_email", {"email_id": mail["id"]}, "delete", "emails", mail["id"])


def _delete_latest(office: Office, values: Values) -> Sequence[Step]:
    return [_remove(mail) for mail in received(office, values)[-1:]]


async def _play_delete_latest(worker: Worker) -> None:
    mail = await latest_received(worker)
    await worker.call("gmail", "delete_email", email_id=mail["email_id"])


DELETE_LATEST = Template(
    name="delete-latest",
    domains=("email",),
    wordings=(
        "I hear from {sender} that the last mail they sent me is out of date. Delete it.",
        "I am done with the questions from {sender}: please delete their most recent mail to me.",
        "There was a mistake in what I got from {sender}: please remove the newest mail they sent me from my inbox.",
    ),
    slots={"sender": sender()},
    outcome=_delete_latest,
    program=_play_delete_latest,
)


def _delete_recent(office: Office, values: Values) -> Sequence[Step]:
    since = office.ago(values["period"])
    return [_remove(mail) for mail in received(office, values) if mail["sent_datetime"] >= since]


async def _play_delete_recent(worker: Worker) -> None:
    address = await find.address(worker, await worker.slot("sender"))
    for mail in await find.mails(worker, address, await worker.slot("period")):
        if mail["sender/recipient"] == address:
            await worker.call("gmail", "delete_email", email_id=mail["email_id"])


DELETE_RECENT = Template(
    name="delete-recent",
    domains=("email",),
    wordings=(
        "I am clearing up after a mix-up with {sender}. Delete all the mails they sent me during the last {period}.",
        "My inbox is full of mails from {sender}. Please get rid of everything they wrote to me in the past {period}.",
        "I hear from {sender} that nothing they sent me over the last {period} was meant for me. Please delete each of "
        "those mails.",
    ),
    slots={
        "sender": sender(),
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
