from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from datetime import datetime
from typing import Any

import pytest

from benchmarks.workbench.synth.world import NOW, make_world
from servers import catalog
from servers.kernel import World
from tests.synth.desk import fits


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(1)


def rows(world: World, app: str, table: str) -> list[dict[str, Any]]:
    return [dict(row) for row in world.rows[app][table]]


def test_tables_have_the_sizes_of_the_paper(world: World) -> None:
    sizes = {f"{app}.{table}": len(found) for app, tables in world.rows.items() for table, found in tables.items()}

    assert sizes == {
        "gmail.emails": 500,
        "calendar.events": 300,
        "analytics.visits": 1000,
        "analytics.plots": 0,
        "projects.tasks": 300,
        "crm.customers": 200,
        "directory.people": 20,
    }


def test_every_row_fits_its_table_and_says_all_of_its_fields(world: World) -> None:
    for app_name, tables in world.rows.items():
        for table_name, found in tables.items():
            table = catalog.app(app_name).table(table_name)
            for row in found:
                assert fits(table, row), row


def test_ids_are_unique_and_of_their_table_s_format(world: World) -> None:
    for app_name, tables in world.rows.items():
        for table_name, found in tables.items():
            table = catalog.app(app_name).table(table_name)
            ids = [row["id"] for row in found]
            assert len(set(ids)) == len(ids)
            assert all(table.id_format.format(int(id)) == id for id in ids)


def test_a_first_name_finds_exactly_one_address(world: World) -> None:
    addresses = [row["email_address"] for row in rows(world, "directory", "people")]

    for address in addresses:
        first = address.partition(".")[0]
        assert [other for other in addresses if first in other] == [address]


def test_all_mails_lie_in_the_inbox_before_now_at_different_times(world: World) -> None:
    mails = rows(world, "gmail", "emails")
    times = [mail["sent_datetime"] for mail in mails]

    assert {mail["folder"] for mail in mails} == {"inbox"}
    assert times == sorted(set(times))
    assert times[-1] < str(NOW)


def test_meetings_lie_in_working_hours_before_and_after_now_without_overlap(world: World) -> None:
    last = datetime.min
    starts = []
    for event in rows(world, "calendar", "events"):
        start, minutes = datetime.fromisoformat(event["event_start"]), int(event["duration"])
        assert start >= last
        assert start.weekday() < 5
        assert start.hour >= 9
        assert start.hour * 60 + start.minute + minutes <= 18 * 60
        last = start.fromtimestamp(start.timestamp() + 60 * minutes)
        starts.append(start)

    assert min(starts) < NOW < max(starts)


def test_fifteen_people_have_tasks_and_five_others_have_customers(world: World) -> None:
    staff = {task["assigned_to_email"] for task in rows(world, "projects", "tasks")}
    sales = {customer["assigned_to_email"] for customer in rows(world, "crm", "customers")}

    assert (len(staff), len(sales), staff & sales) == (15, 5, set())


def test_each_board_has_a_hundred_tasks_some_of_them_overdue(world: World) -> None:
    tasks = rows(world, "projects", "tasks")

    assert Counter(task["board"] for task in tasks) == {"Back end": 100, "Front end": 100, "Design": 100}
    overdue = [task for task in tasks if task["due_date"] < str(NOW.date()) and task["list_name"] != "Completed"]
    assert 40 < len(overdue) < 150


def test_half_the_customers_have_no_phone_and_44_no_notes(world: World) -> None:
    customers = rows(world, "crm", "customers")

    assert sum(customer["customer_phone"] is None for customer in customers) == 100
    assert sum(customer["notes"] is None for customer in customers) == 44
    assert len({customer["customer_name"] for customer in customers}) == 200
    assert all(customer["last_contact_date"] < str(NOW.date()) < customer["follow_up_by"] for customer in customers)


def test_visits_cover_ninety_days_up_to_yesterday(world: World) -> None:
    days = [visit["date_of_visit"] for visit in rows(world, "analytics", "visits")]

    assert (days[0], days[-1], days) == ("2024-12-13", "2025-03-12", sorted(days))


def test_scale_multiplies_every_table_but_the_directory() -> None:
    sizes = {app: sum(map(len, tables.values())) for app, tables in make_world(1, scale=4).rows.items()}

    assert sizes == {"gmail": 2000, "calendar": 1200, "analytics": 4000, "projects": 1200, "crm": 800, "directory": 20}


def test_another_seed_gives_another_world(world: World) -> None:
    assert make_world(2).digest != world.digest


def test_world_and_tasks_are_the_same_in_another_process_with_another_hash_seed() -> None:
    program = """\
from benchmarks.workbench import suites
suite = suites[0].load()
print(suite.digest, suite.world(suite.tasks[0].world).digest)
"""
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(digests) == 1
