"""Whom something concerns: somebody named, or somebody who has to be found out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date

from benchmarks.workbench.synth.office import Office, is_overdue
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import Values
from benchmarks.workbench.synth.templates.multi.pieces import Who
from benchmarks.workbench.synth.templates.rows import where
from benchmarks.workbench.synth.templates.steps import Row
from harness.agents.reference import Worker

__all__ = ("fewest_overdue", "in_charge", "most_completed", "named")


def named(slot: str) -> Who:
    """Whose first name the slot gives."""

    async def found(worker: Worker) -> str:
        return await find.address(worker, await worker.slot(slot))

    return Who(lambda office, values: office.people[values[slot]], found)


async def _in_charge(worker: Worker) -> str:
    row = await find.customer(worker, await worker.slot("customer"))
    return str(row["assigned_to_email"])


def _in_charge_rows(office: Office, values: Values) -> str:
    return str(where(office.customers, customer_name=values["customer"])[0]["assigned_to_email"])


in_charge = Who(_in_charge_rows, _in_charge)
"""Whoever looks after the customer."""


def _most(tasks: Iterable[Row]) -> str:
    done = Counter(str(task["assigned_to_email"]) for task in tasks if task["list_name"] == "Completed")
    return min(done, key=lambda who: (-done[who], who))


def _least(tasks: Iterable[Row], today: date) -> str:
    late: Counter[str] = Counter()
    for task in tasks:
        late[str(task["assigned_to_email"])] += is_overdue(task, today)
    return min(late, key=lambda who: (late[who], who))


def _on(office: Office, board: str) -> list[Row]:
    return where(office.tasks, board=board)


async def _search(worker: Worker) -> find.Found:
    found: find.Found = await worker.call("projects", "search_tasks", board=await worker.slot("board"))
    return found


async def _most_found(worker: Worker) -> str:
    return _most(await _search(worker))


async def _least_found(worker: Worker) -> str:
    return _least(await _search(worker), worker.now.date())


most_completed = Who(lambda office, values: _most(_on(office, values["board"])), _most_found)
"""Who completed most tasks on the board, the first by the alphabet of several."""

fewest_overdue = Who(lambda office, values: _least(_on(office, values["board"]), office.today), _least_found)
"""Who of those with tasks on the board has the fewest overdue there, the first by the alphabet of several."""
