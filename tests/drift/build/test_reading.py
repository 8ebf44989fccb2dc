"""What a second model is shown of the values that a faulty request could mean."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.drift.build.reading import OFFERED, _offers, offered
from benchmarks.drift.faults.making import ways
from benchmarks.drift.template import Mention, Rows, Value
from tests.drift.build.scenes import tasks
from tests.drift.place import MOVE

TASK = next(task for task in tasks() if task.template.id == "move")
JOB, OWN = MOVE.slot("task"), TASK.values["task"]


def test_a_reader_is_shown_what_was_meant_what_the_words_fit_and_others() -> None:
    named = next(way.mention for way in ways(TASK, "expression") if way.mention.fault == "E3")
    shown = [value.text for value in offered(TASK, JOB, named)]

    assert len(shown) == len(set(shown)) == OFFERED
    assert {OWN.text, *(value.text for value in named.fits)} <= set(shown)


def test_the_order_of_values_does_not_tell_which_was_meant() -> None:
    without = Mention("E3", "the job", (OWN,))
    other = next(value for value in JOB.domain(TASK.rows, TASK.values) if value.text != OWN.text)
    swapped = replace(TASK, values={**TASK.values, "task": other})
    one, two = offered(TASK, JOB, without), offered(swapped, JOB, without)

    assert [value for value in one if value in two] == [value for value in two if value in one]


def test_of_a_thing_a_reader_is_shown_its_row_with_names_in_place_of_ids() -> None:
    rows: Rows = {"orders": [{"number": 7, "customer_id": 2}], "customers": [{"id": 2, "name": "Petra Kral"}]}

    (offer,) = _offers(rows, JOB, [Value("order 7", 7)])
    assert offer == (1, "order 7", "orders: customer_id 2 (Petra Kral)")


def test_of_what_is_no_thing_a_reader_is_shown_the_value_alone() -> None:
    (offer,) = _offers(TASK.rows, replace(JOB, kind="value"), [OWN])

    assert offer == (1, OWN.text, "")
