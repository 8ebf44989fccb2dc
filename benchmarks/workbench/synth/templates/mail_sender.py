"""Mails of one sender: how outcomes and programs of several templates find them, and the slot that names the sender."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import SlotSpec, Values
from benchmarks.workbench.synth.templates.slots import person
from benchmarks.workbench.synth.templates.steps import Row
from harness.agents.reference import GiveUp, Worker

__all__ = ("latest_received", "received", "sender")


def received(office: Office, values: Values) -> list[Row]:
    """All mails from the sender, oldest first."""
    address = office.people[values["sender"]]
    return [mail for mail in office.mails if mail["folder"] == "inbox" and mail["address"] == address]


async def latest_received(worker: Worker) -> dict[str, Any]:
    """The newest mail from the sender. Raises `GiveUp` if there is none.

    Searches newest first; results that merely mention the address push the window back.
    """
    address = await find.address(worker, await worker.slot("sender"))
    until = worker.now.date()
    while True:
        found: find.Found = await worker.call("gmail", "search_emails", query=address, date_max=str(until))
        for mail in found:
            if mail["inbox/outbox"] == "inbox" and mail["sender/recipient"] == address:
                return mail
        if len(found) < find.AT_MOST:
            raise GiveUp(f"There is no mail from {address}.")
        oldest = date.fromisoformat(found[-1]["sent_datetime"][:10])
        until = min(oldest, until - timedelta(days=1))


def sender() -> SlotSpec:
    """Any colleague. Wordings go on to speak of "them", so that one misses a name that is not given."""
    return person(
        "sender",
        lambda office: list(office.people),
        dimension="input",
        subdimension="source",
        why="Every colleague writes now and then.",
    )
