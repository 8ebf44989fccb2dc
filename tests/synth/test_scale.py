"""Larger worlds: what they hold, and that requests keep their meaning in them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pytest

from benchmarks.workbench.synth import clutter, suite
from benchmarks.workbench.synth.office import REACH
from benchmarks.workbench.synth.office import Office as View
from benchmarks.workbench.synth.world import NOW, make_world
from harness.agents.instruments import OracleAgent
from harness.agents.reference import ReferenceAgent, SlotView
from harness.suite import Suite, SuiteError
from servers import catalog
from servers.kernel import World
from tests.synth.desk import Office, fits, scored

LIMIT = 5  # results of a search
DIALS: dict[str, Any] = {"explore": 0.0, "ask": 0.0, "guess": 0.0}
DIGESTS = {
    1: "77f3c03c83f95a218790facb7d6b50630674b7b56675ecf9b38fd199ea519d0c",
    suite.SEED: "23df97335ab66f17ea7413854a6fdf5eb40d918b5f6e261661ebc850d072e894",
}
"""Of worlds at scale 1, as they have been since runs were first recorded."""


@pytest.fixture(scope="module")
def large() -> Suite:
    return suite.load(scale=10)


@pytest.fixture(scope="module")
def world(large: Suite) -> World:
    return large.world(large.tasks[0].world)


def rows(world: World, app: str, table: str) -> list[dict[str, Any]]:
    return [dict(row) for row in world.rows[app][table]]


def colleagues(world: World) -> set[str]:
    return {row["email_address"] for row in rows(world, "directory", "people")}


def replies(world: World) -> Iterator[dict[str, Any]]:
    subjects = {f"{mark}: {t} for {p}" for mark in ("Re", "Fw") for t in clutter.THINGS for p in clutter.PLACES}
    return (mail for mail in rows(world, "gmail", "emails") if mail["subject"] in subjects)


def without_id(row: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, value) for name, value in row.items() if name != "id")


@pytest.mark.parametrize("seed", DIGESTS)
def test_the_world_at_scale_one_is_what_it_was(seed: int) -> None:
    assert make_world(seed).digest == make_world(seed, 1).digest == DIGESTS[seed]


def test_every_row_of_scale_one_is_in_the_larger_world(world: World) -> None:
    for app, tables in make_world(suite.SEED).rows.items():
        for table, core in tables.items():
            missing = Counter(map(without_id, core)) - Counter(map(without_id, world.rows[app][table]))
            assert not missing, (app, table)


def test_tables_grow_in_proportion_and_the_office_does_not(world: World) -> None:
    assert {app: sum(map(len, tables.values())) for app, tables in world.rows.items()} == {
        "gmail": 5_000, "calendar": 3_000, "analytics": 10_000, "projects": 3_000, "crm": 2_000, "directory": 20,
    }  # fmt: skip


def test_every_row_fits_its_table_and_has_an_id_of_its_own(world: World) -> None:
    for app_name, tables in world.rows.items():
        for table_name, found in tables.items():
            table = catalog.app(app_name).table(table_name)
            assert all(fits(table, row) for row in found)
            assert len({row["id"] for row in found}) == len(found)


def test_tables_stay_in_the_order_of_time_up_to_now(world: World) -> None:
    for app, table, field in (
        ("gmail", "emails", "sent_datetime"),
        ("calendar", "events", "event_start"),
        ("analytics", "visits", "date_of_visit"),
        ("projects", "tasks", "due_date"),
    ):
        times = [row[field] for row in rows(world, app, table)]
        assert times == sorted(times), (app, table)
    assert rows(world, "gmail", "emails")[-1]["sent_datetime"] < str(NOW)


def test_worlds_and_tasks_of_a_scale_are_the_same_in_every_process(large: Suite, world: World) -> None:
    program = """\
from benchmarks.workbench.synth.suite import load
suite = load(scale=10)
print(suite.digest, suite.world(suite.tasks[0].world).digest)
"""
    environment = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": os.pathsep.join(sys.path)}
    told = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)

    assert told.stdout.split() == [large.digest, world.digest]


def test_a_scale_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more, not 0"):
        make_world(1, 0)


def test_a_suite_has_the_world_of_its_scale_alone(large: Suite) -> None:
    with pytest.raises(SuiteError, match=r"at scale 10 has one world, 'tarnwick-\d+-x10'"):
        large.world(f"tarnwick-{suite.SEED}-x1")


# What fills the mailbox.


def test_threads_answer_and_quote_what_was_said_before(world: World) -> None:
    threads: dict[str, list[dict[str, Any]]] = {}
    for mail in replies(world):
        threads.setdefault(mail["subject"], []).append(mail)
    mails = [mail for thread in threads.values() for mail in thread]

    assert len(mails) == 900
    assert len(threads) > 150
    assert {subject[:3] for subject in threads} == {"Re:", "Fw:"}
    assert sum("\n> " in mail["body"] for mail in mails) > 500
    for thread in threads.values():
        for earlier, later in pairwise(thread):
            assert earlier["address"] != later["address"]
            own = earlier["body"].split("\n\n")[1]
            assert f"> {own}" in later["body"], later["subject"]


def test_most_mail_is_from_outside_some_of_it_twice_and_full_of_slips(world: World) -> None:
    ours = colleagues(world)
    outside = [mail for mail in rows(world, "gmail", "emails") if mail["address"] not in ours]
    senders = Counter(mail["address"] for mail in outside)
    twice = Counter((mail["address"], mail["subject"], mail["body"]) for mail in outside)

    assert len(outside) == 3_600
    assert sum(senders[sender] for _, sender in clutter.NEWS) > 500
    assert sum(times for times in senders.values() if times == 1) > 700  # spam changes its sender
    assert sum(times > 1 for times in twice.values()) > 30
    assert sum("â€“" in mail["body"] for mail in outside) > 30


def test_people_make_typing_errors(world: World) -> None:
    clean = {
        line.format(thing.lower(), place)
        for line in (*clutter.ANSWERS, *clutter.MISDIRECTED)
        for thing in clutter.THINGS
        for place in clutter.PLACES
    }
    texts = [mail["body"].split("\n\n")[1] for mail in replies(world)]
    slipped = [text for text in texts if not any(text.startswith(line) for line in clean)]

    assert 20 < len(slipped) < len(texts) / 3


# What keeps requests clear, and rows within reach of searches.


def test_the_office_of_scale_one_leaves_nothing_out() -> None:
    small = make_world(suite.SEED)
    view = View(small)

    assert list(view.mails) == list(small.rows["gmail"]["emails"])
    assert list(view.events) == list(small.rows["calendar"]["events"])
    assert list(view.tasks) == list(small.rows["projects"]["tasks"])
    assert list(view.customers) == list(small.rows["crm"]["customers"])
    assert sum(view.daily["total_visits"].values()) == 1_000


def test_the_months_that_requests_are_about_stay_as_busy_as_they_were(world: World) -> None:
    view = View(world)

    assert (len(view.mails), len(view.events), len(view.tasks), len(view.customers)) == (560, 300, 300, 200)
    assert view.daily == View(make_world(suite.SEED)).daily


def test_what_is_left_out_is_old_from_outside_archived_or_of_another_line(world: World) -> None:
    view, ours, line = View(world), colleagues(world), str(NOW.date() - timedelta(days=REACH))
    kept = {
        "mails": {mail["id"] for mail in view.mails},
        "events": {event["id"] for event in view.events},
        "tasks": {task["id"] for task in view.tasks},
        "customers": {customer["id"] for customer in view.customers},
    }

    for mail in rows(world, "gmail", "emails"):
        assert mail["id"] in kept["mails"] or mail["address"] not in ours or mail["sent_datetime"] < line
    for event in rows(world, "calendar", "events"):
        assert event["id"] in kept["events"] or event["event_start"] < line
    for task in rows(world, "projects", "tasks"):
        old = (task["board"], task["list_name"], task["due_date"] < line) == ("Archive", "Completed", True)
        assert task["id"] in kept["tasks"] or old
    for customer in rows(world, "crm", "customers"):
        standing = customer["product_interest"] in clutter.BRANCHES and customer["status"] not in ("Lead", "Proposal")
        assert customer["id"] in kept["customers"] or standing


def test_no_subject_comes_both_with_and_without_a_prefix(world: World) -> None:
    subjects = {mail["subject"] for mail in View(world).mails}
    bare = {subject.partition(": ")[2] for subject in subjects if subject[:4] in ("Re: ", "Fw: ")}

    assert len(bare) >= 8
    assert len(bare) == sum(subject[:4] in ("Re: ", "Fw: ") for subject in subjects)
    assert not bare & subjects


def test_one_search_shows_all_that_a_colleague_wrote_in_a_day_under_a_subject(world: World) -> None:
    mails = rows(world, "gmail", "emails")
    by_day: dict[str, list[str]] = {}
    for mail in mails:
        text = f"{mail['subject']} {mail['body']} {mail['address']}".lower()
        by_day.setdefault(mail["sent_datetime"][:10], []).append(text)
    wanted = {(mail["address"], mail["subject"]) for mail in View(world).mails}

    for day, texts in by_day.items():
        for sender in colleagues(world):
            own = [text for text in texts if sender in text]
            assert len(own) < LIMIT, (day, sender)
    for day in (str(NOW.date() - timedelta(days=n)) for n in range(1, REACH)):
        for subject in {subject for _, subject in wanted}:
            words = subject.lower().split()
            hits = sum(all(word in text for word in words) for text in by_day.get(day, ()))
            assert hits < LIMIT, (day, subject)


def test_few_enough_meetings_start_together_for_one_search(world: World) -> None:
    starts = Counter(event["event_start"] for event in rows(world, "calendar", "events"))

    assert max(starts.values()) < LIMIT
    assert {date.fromisoformat(start[:10]).weekday() for start in starts} == set(range(5))


def test_no_customer_s_name_is_part_of_another_s(world: World) -> None:
    names = [customer["customer_name"].lower() for customer in rows(world, "crm", "customers")]
    text = "\n".join(names)

    assert len(set(names)) == len(names)
    assert [name for name in names if text.count(name) > 1] == []


def test_customers_of_the_largest_world_have_names_of_their_own() -> None:
    names = [customer["customer_name"] for customer in make_world(suite.SEED, 100).rows["crm"]["customers"]]

    assert len(set(names)) == 20_000


# What is made of it.


def test_a_larger_world_gives_as_many_tasks_of_each_template_and_no_larger_ones(large: Suite) -> None:
    small = suite.load()

    assert Counter(task.template for task in large.tasks) == Counter(task.template for task in small.tasks)
    assert max(len(task.solution) for task in large.tasks) == max(len(task.solution) for task in small.tasks)
    assert [task.id for task in large.tasks] == [task.id for task in small.tasks]
    assert not {task.hash for task in large.tasks} & {task.hash for task in small.tasks}


def test_oracle_and_programs_do_a_task_of_each_template_through_the_tools(large: Suite, world: World) -> None:
    office = Office(world)
    for task in {task.template: task for task in large.tasks}.values():
        for agent in (
            OracleAgent(task),
            ReferenceAgent(large.programs[task.template], SlotView.of(task, "original"), **DIALS),
        ):
            _, said, changes = office.play(agent)
            assert (said, scored(task, changes).value) == ("Done.", 1.0), task.sessions[0].requests["original"]
