"""Three offices agree with their ledgers, and what is planted in one is found."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.office.check import amounts, check, days_in
from benchmarks.office.measure import measures, shared_runs
from benchmarks.office.world import SEED, ledger, world
from servers.kernel import World

Rows = dict[str, dict[str, list[dict[str, Any]]]]
SEEDS = (SEED, 1, 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_office_agrees_with_its_ledger(seed: int) -> None:
    assert check(world(seed), ledger(seed)) == []


@pytest.mark.parametrize("seed", [18, 23, 39])
def test_nobody_attaches_a_file_before_it_is_written(seed: int) -> None:
    assert check(world(seed), ledger(seed)) == []


def test_the_check_has_something_to_read() -> None:
    texts = [f"{row['subject']}\n{row['body']}" for row in world().rows["gmail"]["emails"]]

    assert sum(len(list(days_in(text))) for text in texts) > 100
    assert sum(len(amounts(text)) for text in texts) > 40
    assert sum(" wrote:\n>" in text for text in texts) > 100


def _mail(rows: Rows, has: str) -> dict[str, Any]:
    return next(row for row in rows["gmail"]["emails"] if has in row["body"])


def _changed(row: dict[str, Any], column: str, old: str, new: str) -> None:
    assert old in row[column], f"{old!r} is not in it: the plant does nothing"
    row[column] = row[column].replace(old, new, 1)


def _amount(rows: Rows) -> None:
    row = _mail(rows, "Here is our offer as discussed")
    row["body"] = row["body"].replace(",", "", 1) if "€" not in row["body"] else row["body"].replace("€", "€1", 1)
    sums = amounts(row["body"])
    assert sums
    for wording in (f"{sums[0]:,} EUR", f"EUR {sums[0]:,}", f"{sums[0]:,} euros"):
        row["body"] = row["body"].replace(wording, f"EUR {sums[0] + 7:,}")


def _date(rows: Rows) -> None:
    row = next(
        row
        for row in rows["gmail"]["emails"]
        if row["folder"] == "outbox" and "Founders' Day and nobody" in row["body"]
    )
    year, month, day, _ = next(days_in(row["body"]))
    assert (year, day > 1, month > 0) == (None, True, True)
    _changed(row, "body", f"{day} ", f"{day - 1} ")


def _weekday(rows: Rows) -> None:
    names = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
    for row in rows["gmail"]["emails"]:
        own = row["body"].partition(" wrote:")[0]
        if row["folder"] == "inbox" and (found := re.findall(rf"\b({'|'.join(names)})\b", own)) and len(found) == 1:
            _changed(row, "body", found[0], names[names.index(found[0]) - 1])
            return
    raise AssertionError("no mail names a weekday: the plant does nothing")


def _quote(rows: Rows) -> None:
    row = next(row for row in rows["gmail"]["emails"] if "\n> " in row["body"])
    row["body"] += " and more"


def _quote_line(rows: Rows) -> None:
    row = next(row for row in rows["gmail"]["emails"] if " wrote:\n>" in row["body"])
    line = next(line for line in row["body"].split("\n") if line.endswith(" wrote:"))
    _changed(row, "body", line, re.sub(r" at \d\d:\d\d", " at 03:33", line))


def _attachment(rows: Rows) -> None:
    rows["gmail"]["attachments"][0]["text"] += "later\n"


def _lost_attachment(rows: Rows) -> None:
    del rows["gmail"]["attachments"][-1]


def _leave(rows: Rows) -> None:
    owner = next(row for row in rows["gmail"]["emails"] if row["folder"] == "outbox")
    day = str(world().now.date().replace(month=1, day=13))  # the owner is on leave then
    owner["sent_datetime"] = f"{day} 10:00:00"


def _order(rows: Rows) -> None:
    row = next(row for row in rows["gmail"]["emails"] if row["thread"])
    row["sent_datetime"] = "2025-01-02 10:00:00"


def _id(rows: Rows) -> None:
    next(row for row in rows["gmail"]["emails"] if row["thread"])["thread"] = "99999999"


def _deal(rows: Rows) -> None:
    rows["crm"]["deals"][0]["amount"] += 100


def _stage(rows: Rows) -> None:
    rows["crm"]["deals"][0]["stage"] = "Lead"


def _file(rows: Rows) -> None:
    row = next(row for row in rows["filesystem"]["entries"] if row["path"].endswith("contracts.csv"))
    row["text"] += "one more line,,,\n"


def _file_name(rows: Rows) -> None:
    row = next(row for row in rows["filesystem"]["entries"] if "offer_" in row["path"])
    row["path"] = row["id"] = row["path"].replace("offer_2", "offer_1")


def _moved_meeting(rows: Rows) -> None:
    row = next(row for row in rows["calendar"]["events"] if row.get("series"))
    row["original"] = str(world().now.date())


def _meeting(rows: Rows) -> None:
    row = next(row for row in rows["calendar"]["events"] if row["event_name"].startswith("Visit to"))
    row["event_start"] = row["event_start"].replace(" 10:30", " 11:30")


def _task(rows: Rows) -> None:
    rows["todoist"]["tasks"][0]["due_date"] = "2026-01-01"


def _chat(rows: Rows) -> None:
    row = next(row for row in rows["chat"]["messages"] if "lift repair" in row["text"])
    row["text"] += ", so on 1 January"


def _gone(rows: Rows) -> None:
    del rows["gmail"]["emails"][5]


def _author(rows: Rows) -> None:
    row = next(row for row in rows["gmail"]["emails"] if row["folder"] == "inbox")
    row["address"] = "nobody@elsewhere.example"


@pytest.mark.parametrize(
    ("plant", "rule"),
    [
        (_amount, "amounts"),
        (_date, "dates"),
        (_weekday, "weekdays"),
        (_quote, "quotes"),
        (_quote_line, "quotes"),
        (_attachment, "attachments"),
        (_lost_attachment, "attachments"),
        (_leave, "leave"),
        (_order, "order"),
        (_id, "ids"),
        (_deal, "amounts"),
        (_stage, "deals"),
        (_file, "files"),
        (_file_name, "files"),
        (_moved_meeting, "weekdays"),
        (_meeting, "moments"),
        (_task, "moments"),
        (_chat, "dates"),
        (_gone, "rows"),
        (_author, "people"),
    ],
)
def test_what_is_planted_is_found(plant: Callable[[Rows], None], rule: str) -> None:
    office = world()
    rows: Rows = copy.deepcopy({app: dict(tables) for app, tables in office.rows.items()})  # type: ignore[arg-type]
    plant(rows)

    found = check(replace(office, rows=rows), ledger())

    assert rule in {problem.rule for problem in found}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 12 March, or 3rd April 2026", [(None, 3, 12, None), (2026, 4, 3, None)]),
        ("Thursday 12 March", [(None, 3, 12, 3)]),
        ("Thu 3/12", [(None, 3, 12, 3)]),
        ("by 2026-03-12", [(2026, 3, 12, None)]),
        ("March 12 it is", [(None, 3, 12, None)]),
        ("I may come, 24/7 or not: version 3.12", [(None, 24, 7, None)]),
        ("nine pallets in bay four", []),
    ],
)
def test_dates_are_read_in_every_manner(text: str, found: list[Any]) -> None:
    assert list(days_in(text)) == found


def test_sums_are_read_in_every_manner() -> None:
    assert amounts("€48,600 or 48,600 EUR, EUR 1,250, 90 euros, 40 units") == [48600, 48600, 1250, 90]


@pytest.mark.parametrize("seed", SEEDS)
def test_an_office_is_as_lifelike_as_it_is_meant_to_be(seed: int) -> None:
    found = measures(world(seed), ledger(seed))

    assert [f"{each.name}: {each.value:.1f}" for each in found if not each.fits] == []


def test_a_run_of_words_that_two_mails_share_is_found() -> None:
    office = world()
    rows: Rows = copy.deepcopy({app: dict(tables) for app, tables in office.rows.items()})  # type: ignore[arg-type]
    first, second = rows["gmail"]["emails"][10], rows["gmail"]["emails"][60]
    second["body"] = first["body"]

    assert shared_runs(office, ledger()) == {}
    assert shared_runs(replace(office, rows=rows), ledger())


def test_a_world_without_its_ledger_can_be_checked_too() -> None:
    office = world()

    assert check(World(office.name, office.now, office.rows), ledger()) == []
