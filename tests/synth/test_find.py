from __future__ import annotations

from datetime import date
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.workbench.synth.office import Office, first_gap
from benchmarks.workbench.synth.templates import TEMPLATES, find, rows, steps
from benchmarks.workbench.synth.templates.base import SlotSpec
from benchmarks.workbench.synth.world import NOW, make_world
from harness.agents.parse import parse
from harness.agents.reference import GiveUp, ReferenceAgent, Worker
from servers.kernel import World
from tests.synth.desk import Office as Desks

DAY = date(2025, 3, 14)
WORLD = make_world(1)


def event(start: str, minutes: int) -> dict[str, str]:
    return {"event_start": f"{DAY} {start}:00", "duration": str(minutes)}


@given(st.lists(st.integers(0, 300), max_size=80))
def test_every_finds_all_that_a_search_with_a_limit_can_show(places: list[int]) -> None:
    crowded = {place for place in places if places.count(place) >= find.AT_MOST}
    rows: list[dict[str, Any]] = [{"place": place} for place in sorted(places) if place not in crowded]

    async def search(first: int, last: int) -> find.Found:
        return [row for row in rows if first <= row["place"] <= last][: find.AT_MOST]

    assert anyio.run(find.every, search, 0, 300) == rows


def test_a_window_that_cannot_be_narrowed_is_given_up_not_cut_short() -> None:
    async def search(first: int, last: int) -> find.Found:
        return [{}] * find.AT_MOST

    with pytest.raises(GiveUp, match="may hide more"):
        anyio.run(find.every, search, 0, 7)


@pytest.mark.parametrize(
    ("events", "minutes", "start"),
    [
        ([], 30, "09:00"),
        ([event("09:00", 30)], 30, "09:30"),
        ([event("09:30", 60)], 30, "09:00"),
        ([event("09:30", 60)], 45, "10:30"),
        ([event("09:00", 120), event("09:30", 30), event("11:00", 60)], 60, "12:00"),
        ([event("10:00", 480)], 60, "09:00"),
        ([event("09:30", 480)], 60, None),
        ([event("09:00", 480)], 60, "17:00"),
        ([event("09:00", 480)], 90, None),
    ],
)
def test_the_first_gap_is_the_earliest_stretch_in_working_hours_that_no_event_touches(
    events: list[dict[str, str]], minutes: int, start: str | None
) -> None:
    found = first_gap(DAY, events, minutes)

    assert (found and str(found)) == (start and f"{DAY} {start}:00")


def test_the_latest_mail_is_found_behind_newer_ones_that_merely_mention_the_words() -> None:
    """The subjects of other mails hold the same words, so the searches have to go back in time."""
    mails = WORLD.rows["gmail"]["emails"]
    subject = mails[0]["subject"]
    newest = next(mail["id"] for mail in reversed(mails) if mail["subject"] == subject)
    found: list[str] = []

    async def program(worker: Worker) -> None:
        found.append((await find.latest_mail(worker, "robin", subject=subject))["email_id"])

    desk, said, _ = Desks(WORLD).play(ReferenceAgent(program, {}))
    assert (said, found) == ("Done.", [newest])
    assert len(desk.calls) > 1


def test_the_latest_mail_of_a_sender_may_be_about_anything() -> None:
    sender = "priya"
    address = Office(WORLD).people[sender]
    newest = rows.mails(Office(WORLD), address=address)[-1]["id"]
    found: list[str] = []

    async def program(worker: Worker) -> None:
        found.append((await find.latest_mail(worker, address, sender=address))["email_id"])

    _, said, _ = Desks(WORLD).play(ReferenceAgent(program, {}))
    assert (said, found) == ("Done.", [newest])


def test_without_such_a_mail_the_program_says_which_one_it_looked_for() -> None:
    async def program(worker: Worker) -> None:
        await find.latest_mail(worker, "nobody", subject="Nothing", sender="nobody@x.example")

    _, said, _ = Desks(WORLD).play(ReferenceAgent(program, {}))
    assert said.endswith("There is no mail about 'Nothing' from nobody@x.example.")


def test_rows_are_those_that_have_every_value_in_their_order() -> None:
    tasks = [{"id": "1", "board": "Design"}, {"id": "2", "board": "Back end"}, {"id": "3", "board": "Design"}]

    assert [row["id"] for row in rows.where(tasks, board="Design")] == ["1", "3"]
    assert rows.where(tasks, board="Design", id="2") == []


def test_a_meeting_is_to_come_from_the_very_moment_it_starts() -> None:
    starts = ("2025-03-14 09:00:00", "2025-03-12 09:00:00", str(NOW))
    events = [{"event_name": "Stand-up", "event_start": start} for start in starts]
    office = Office(World("tiny", NOW, {"calendar": {"events": events}}))

    assert [event["event_start"] for event in rows.coming(office, event_name="Stand-up")] == [str(NOW), starts[0]]


def test_rows_that_have_the_value_already_are_left_alone() -> None:
    tasks = [{"id": "1", "list_name": "Backlog"}, {"id": "2", "list_name": "In Review"}]

    assert [step.id for step in steps.change_tasks(tasks, "list_name", "Backlog")] == ["2"]


@pytest.mark.parametrize(
    ("template", "name", "spec"),
    [(t.name, name, spec) for t in TEMPLATES for name, spec in t.slots.items()],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_every_value_of_a_slot_survives_being_said_and_read_back(template: str, name: str, spec: SlotSpec) -> None:
    office = Office(WORLD)
    worded = spec.kind not in ("person", "customer", "subject", "event_name")

    async def words() -> Any:
        return await spec.words(None) if spec.words and worded else None  # type: ignore[arg-type]

    known = anyio.run(words)
    for value in spec.domain(office):
        reply = f'The {spec.role or spec.kind} is "{spec.text(value)}".'
        assert parse(spec.kind, reply, now=NOW, role=spec.role, words=known) == value
