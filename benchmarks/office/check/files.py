"""Rules about files: what they say, what they are called, and whether their figures add up and agree with others."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from datetime import date
from io import StringIO

from benchmarks.office.check.office import Office, Problem, Row
from benchmarks.office.check.reading import STAMPED
from benchmarks.office.people import Person

__all__ = ("figures_agree", "files_lie_in_order", "files_say_what_is_so")

_NEAR = 31
"""How many days a file may be made before or after the day in its name."""
_SAME = (("position", "unit price"), ("customer", "deliveries"))
"""Of what a figure is, which is the same in all tables."""


def _files(office: Office) -> Iterator[Row]:
    return (row for row in office.rows("filesystem", "entries") if row["kind"] == "file")


def files_say_what_is_so(office: Office) -> Iterator[Problem]:
    """Each file is the last version that somebody wrote; dates in it and in its name are those of facts."""
    latest = {path: (version, text) for version, path, text in office.versions}
    for row in _files(office):
        path = row["path"]
        if path not in latest:
            yield Problem("files", path, "no event of the ledger made it")
            continue
        version, text = latest[path]
        yield from office.said(path, row["text"], version)
        if row["text"] != text:
            yield Problem("files", path, "is not its last version")
    for path in sorted(latest.keys() - {row["path"] for row in _files(office)}):
        yield Problem("files", path, "is nowhere")


def files_lie_in_order(office: Office) -> Iterator[Problem]:
    """A folder stands above each file; a file is changed after it is made, near the day that its name says."""
    folders = {row["path"] for row in office.rows("filesystem", "entries") if row["kind"] == "directory"}
    for row in office.rows("filesystem", "entries"):
        path, above = row["path"], row["path"].rpartition("/")[0]
        if above not in folders and above.count("/") > 1:
            yield Problem("ids", path, f"there is no folder {above}")
        if row["modified"] < row["created"] or office.ahead(row["modified"]):
            yield Problem("order", path, "was changed before it was made, or later than now")
        for found in STAMPED.finditer(path):
            try:
                named = date(int(found[1]), int(found[2]), int(found[3]))
            except ValueError:
                named = None
            if named not in office.dates:
                yield Problem("dates", path, "its name has a date that nobody states")
            elif named and abs((date.fromisoformat(row["created"][:10]) - named).days) > _NEAR:
                yield Problem("dates", path, f"its name says {named}, and it was made on {row['created'][:10]}")


def figures_agree(office: Office) -> Iterator[Problem]:
    """Tables are whole, their sums are those of their lines, and what they say of people and deals is so."""
    people = {person.name: person for person in office.people.values()}
    deals = _deals(office)
    elsewhere: dict[tuple[str, str], tuple[str, str]] = {}
    for row in sorted(_files(office), key=lambda row: str(row["path"])):
        path, text, written = row["path"], row["text"], office.day(row["modified"])
        if path.endswith(".json"):
            yield from _export(path, text)
        if not path.endswith(".csv"):
            continue
        head, *lines = list(csv.reader(StringIO(text))) or [[]]
        if not head or any(len(line) != len(head) for line in lines):
            yield Problem("figures", path, "has lines that are longer or shorter than its head")
            continue
        table = [dict(zip(head, line, strict=True)) for line in lines]
        yield from _sums(path, head, table)
        for cells in table:
            if name := cells.get("name"):
                yield from _person(office, path, cells, people.get(name), written)
            if "deal" in cells and cells["deal"] != "sum":
                of_that_name = deals.get(cells["deal"], [])
                found = [list(_deal(path, cells, *each, str(row["modified"])[:10])) for each in of_that_name]
                if not found:
                    yield Problem("figures", path, f"the CRM has no deal {cells['deal']!r}")
                elif all(found):
                    yield from found[0]
            for what, figure in _SAME:
                if not cells.get(figure) or cells.get(what, "sum") == "sum":
                    continue
                known, where = elsewhere.setdefault((figure, cells[what]), (cells[figure], path))
                if known != cells[figure]:
                    yield Problem("figures", path, f"{figure} of {cells[what]} is {known} in {where}")


def _sums(path: str, head: list[str], table: list[dict[str, str]]) -> Iterator[Problem]:
    try:
        for cells in table:
            where = f"{path}: {cells[head[0]]}"
            quantity, price, total = (cells.get(name) for name in ("quantity", "unit price", "total"))
            if quantity and price and total and int(quantity) * int(price) != int(total):
                yield Problem("amounts", where, f"{quantity} at {price} are not {total}")
            plan, spent, left = (cells.get(name) for name in ("plan", "spent", "left"))
            if plan and spent and left and int(plan) - int(spent) != int(left):
                yield Problem("amounts", where, f"{plan} less {spent} is not {left}")
        if table and table[-1][head[0]] == "sum":
            for name in head[1:]:
                *column, total = [cells[name] for cells in table]
                if total and sum(int(each) for each in column if each) != int(total):
                    yield Problem("amounts", path, f"the sum of {name} is not that of its lines")
    except ValueError as error:
        yield Problem("figures", path, f"has words where numbers belong: {error}")


def _person(office: Office, path: str, cells: dict[str, str], person: Person | None, written: int) -> Iterator[Problem]:
    if person is None:
        yield Problem("people", path, f"{cells['name']} is nobody")
        return
    if cells.get("address", person.address) != person.address:
        yield Problem("people", path, f"{cells['address']} is not the address of {person.name}")
    if cells.get("phone", "") not in ("", person.phones[written >= person.signature_changes]):
        yield Problem("people", path, f"{cells['phone']} was not the number of {person.name}")
    if "from" in cells and "to" in cells:
        days = range(office.day(cells["from"]), office.day(cells["to"]) + 1)
        if any(person.works(each) for each in days):
            yield Problem("leave", path, f"{person.name} is not on leave all these days")
    if "day" in cells and cells.get("there", "yes") == "yes" and not person.works(office.day(cells["day"])):
        yield Problem("leave", path, f"{person.name} was not there on {cells['day']}")


def _deals(office: Office) -> dict[str, list[tuple[Row, list[Row]]]]:
    """Deals by title, which several may share, with their steps."""
    steps: dict[str, list[Row]] = {}
    for row in office.rows("crm", "stage_changes"):
        steps.setdefault(row["deal_id"], []).append(row)
    found: dict[str, list[tuple[Row, list[Row]]]] = {}
    for row in office.rows("crm", "deals"):
        found.setdefault(row["title"], []).append((row, steps.get(row["id"], [])))
    return found


def _deal(path: str, cells: dict[str, str], deal: Row, steps: list[Row], day: str) -> Iterator[Problem]:
    """A line about a deal says a stage that it had that day, and its amount where that is still the same."""
    then = [step for step in steps if step["day"] <= day]
    if not then:
        yield Problem("figures", path, f"the CRM had no deal {cells['deal']!r} then")
        return
    that_day = {step["after"] for step in then if step["day"] == day}
    that_day |= {step["before"] for step in then if step["day"] == day} or {then[-1]["after"]}
    if cells.get("stage", then[-1]["after"]) not in that_day:
        yield Problem("figures", path, f"{cells['deal']} was at {then[-1]['after']} then")
    settled = len(then) == len(steps) and then[-1]["day"] < day
    if settled and "amount" in cells and int(cells["amount"]) != int(deal["amount"]):
        yield Problem("figures", path, f"{cells['deal']} is worth {deal['amount']:.0f} in the CRM")


def _export(path: str, text: str) -> Iterator[Problem]:
    """An export of a device says how many readings it has, and which are the lowest and the highest."""
    try:
        said = json.loads(text)
    except ValueError as error:
        yield Problem("figures", path, f"is not JSON: {error}")
        return
    readings = [each["celsius"] for each in said.get("readings", [])]
    if readings and (said["count"], said["lowest"], said["highest"]) != (len(readings), min(readings), max(readings)):
        yield Problem("figures", path, "its summary is not that of its readings")
