"""What holds of every workflow, and how free texts and sheets are compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from benchmarks.lhaw.dimensions import check
from benchmarks.workflows.flow import Flow
from benchmarks.workflows.plan import Plan, amount, day, says, settled_csv
from benchmarks.workflows.suite import all_flows, load
from harness.live import Workplace
from harness.task import End, Task
from harness.trajectory import Trajectory
from servers.kernel import Change

FLOWS = {flow.name: flow for flow in all_flows()}
TASKS = {task.id: task for task in load().tasks}


@pytest.fixture(scope="module")
def workplace() -> Iterator[Workplace]:
    """Where each test opens a task of its own, over one office."""
    with Workplace() as opens:
        yield opens


def _texts(task: Task) -> str:
    """Everything that a task lays out, a line of its papers each."""
    return "\n".join(value for each in task.setup for value in (each.values or {}).values() if isinstance(value, str))


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_it_is_long(task: Task) -> None:
    """The specification's words for long work: 24 calls, 8 of them writes, a chain of 8."""
    assert task.facts["calls"] >= 24
    assert task.facts["writes"] >= 8
    assert task.facts["depth"] >= 8
    assert len(set(task.apps) & {call.app for call in task.solution}) >= 3


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_no_paper_shows_where_its_author_broke_a_line(task: Task) -> None:
    assert re.findall(r"(?: '|^ *'[a-z`].*)$", _texts(task), re.MULTILINE) == []


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_it_has_five_to_fifteen_checkpoints(task: Task) -> None:
    assert 5 <= len(task.ends[0].changes) <= 15


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_every_slot_matters(task: Task) -> None:
    assert len(task.slots) >= 3
    assert all(slot.criticality and slot.checkpoint_refs for slot in task.slots)
    assert all(slot.dimension and slot.subdimension and slot.reason for slot in task.slots)


@pytest.mark.parametrize("flow", FLOWS.values(), ids=list(FLOWS))
def test_its_tasks_are_three_and_differ(flow: Flow) -> None:
    found = [task for task in TASKS.values() if task.template == flow.name]

    assert len({task.sessions[0].requests["original"] for task in found}) == len(found) == 3


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_its_solution_leaves_what_is_wanted_and_nothing_else(task: Task, workplace: Workplace) -> None:
    with workplace.task("workflows", task.id) as opened:
        for call in task.solution:
            opened.call(call.app, call.tool, dict(call.arguments))

        assert opened.score().reason.endswith("and nothing else changed.")
        assert opened.score().value == 1


def test_slots_have_a_place_in_the_taxonomy() -> None:
    check(TASKS.values())


def test_a_text_that_lacks_a_fact_is_not_the_wanted_one(workplace: Workplace) -> None:
    (task,) = (task for task in TASKS.values() if task.id == STOCK)
    with workplace.task("workflows", task.id) as opened:
        for call in task.solution:
            arguments = dict(call.arguments)
            if arguments.get("subject") == "Result of the count":
                arguments["text"] = "The count is done."
            opened.call(call.app, call.tool, arguments)

        assert opened.score().value == 0
        assert len(opened.score().detail["missing"]) == 1


def test_a_text_that_says_it_in_other_words_is_the_wanted_one(workplace: Workplace) -> None:
    (task,) = (task for task in TASKS.values() if task.id == STOCK)
    with workplace.task("workflows", task.id) as opened:
        for call in task.solution:
            arguments = dict(call.arguments)
            if arguments.get("subject") == "Order after the count":
                arguments["text"] = "Dear all, kindly deliver: " + arguments["text"].replace("\n", "; ") + " Thank you!"
            opened.call(call.app, call.tool, arguments)

        assert opened.score().value == 1


@pytest.mark.parametrize(("named", "value"), [(lambda people: people[::-1], 1), (lambda people: people[:1], 0)])
def test_guests_may_be_named_in_any_order_and_are_all(
    named: Callable[[list[str]], list[str]], value: float, workplace: Workplace
) -> None:
    with workplace.task("workflows", STOCK) as opened:
        for call in TASKS[STOCK].solution:
            arguments = dict(call.arguments)
            if call.tool == "create_event":
                arguments["people"] = named(arguments["people"])
            opened.call(call.app, call.tool, arguments)

        assert opened.score().value == value


@pytest.mark.parametrize(("first", "missing"), [(0, 0), (1, 0), (None, 1)])
def test_the_participant_of_an_event_is_one_of_its_guests(first: int | None, missing: int) -> None:
    task = TASKS[STOCK]
    (wish,) = (change for change in task.ends[0].changes if change.table == "events")
    guests = [each["address"] for each in wish.values["attendees"]]
    participant = "stranger@kestrelby.example" if first is None else guests[first]
    made = Change(
        app="calendar", table="events", id="1", before=None, after={**wish.values, "participant_email": participant}
    )
    score = load().checks["outcome"](
        task.model_copy(update={"ends": (End(changes=(wish,)),)}),
        Trajectory(
            suite="workflows", task=task.id, task_hash=task.hash, agent="a", condition="default", trial=0, seed=0,
            prompt="original", status="finished", changes=[made],
        ),
        {},
    )  # fmt: skip

    assert len(score.detail["missing"]) == missing


STOCK = next(task.id for task in TASKS.values() if task.template == "stock-count")


@pytest.mark.parametrize(
    ("number", "forms"),
    [
        ("1240.50", {"1,240.50", "1240.50", "1,240.5", "1240.5"}),
        ("1240", {"1,240.00", "1240.00", "1,240.0", "1240.0", "1,240", "1240"}),
        ("-3", {f"{sign}{form}" for sign in ("-", "minus ", "\N{MINUS SIGN}") for form in ("3", "3.0", "3.00")}),
    ],
)
def test_a_number_is_known_in_the_forms_that_people_write(number: str, forms: set[str]) -> None:
    assert set(amount(number)) == forms


def test_a_day_is_known_in_the_forms_that_people_write() -> None:
    assert {"22nd of March", "March 22", "22 Mar", "2026-03-22", "22/03"} <= set(day("2026-03-22"))
    assert "11th March" in day("2026-03-11")


def test_sheets_are_equal_where_their_values_are() -> None:
    assert settled_csv("item, EUR\r\nlogger ,12.50\n\n") == settled_csv("item,EUR\nlogger,12.5\n")
    assert settled_csv('item,EUR\n"bolts, long",3\n') == settled_csv('item,EUR\n"bolts, long", 3.0\n')
    assert settled_csv("item,EUR\nlogger,12.50\n") != settled_csv("item,EUR\nlogger,12.51\n")


def test_what_is_no_sheet_is_left_as_it_is() -> None:
    long = "x" * 200_000

    assert settled_csv(long) == long


def test_depth_is_the_longest_chain_in_which_a_loop_counts_once() -> None:
    plan = Plan()
    first = plan.open("/workspace/a.md")
    rows = [plan.open(f"/workspace/{n}.csv", after=first, loop="rows") for n in range(5)]
    plan.mail("planner", "Done.", subject="Done", after=rows)

    assert plan.depth == 3


def test_a_fact_that_could_not_be_told_from_two_is_refused() -> None:
    with pytest.raises(ValueError, match="none of '; ', ' / '"):
        says("bolts; nuts")


def test_what_a_text_has_to_say_is_written_down_in_the_expected_row() -> None:
    assert says("Joan", ("24 March", "March 24")) == "says: Joan; 24 March / March 24"
