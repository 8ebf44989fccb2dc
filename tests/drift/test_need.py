"""What a fault costs, and what each needs to be one; figures by hand from the thirty rows of `tests.drift.place`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.drift.need import Cost, Refused, added, cost, severity
from benchmarks.drift.template import Mention, Slot, Value, Values
from tests.drift.place import COUNT, LISTS, MOVE, rows

ROWS = rows("board")
VALUES: Values = {
    "task": Value("Repaint the hall south 1", "00000000"), "list": Value("In Review", "In Review")
}  # fmt: skip
LIST, TASK = MOVE.slot("list"), MOVE.slot("task")
ACTION = replace(LIST, kind="action")
OPEN = tuple(Value(name, name) for name in LISTS)
OTHERS = OPEN[:2]
COUNTED: Values = {
    "list": Value("In Review", "In Review"), "person": Value("Ines", "ines@example.test")
}  # fmt: skip
PERSON = COUNT.slot("person")


def of(mention: Mention, slot: Slot = LIST) -> Cost:
    return cost(MOVE, ROWS, VALUES, slot, mention)


def test_readings_that_come_to_nothing_are_not_counted() -> None:
    found = of(Mention("A1", "some list", OPEN))  # the job is in Backlog already, so three lists are left

    assert (found.k, found.luck, found.need) == (3, 1 / 3, "required")
    assert [reading.value for reading in found.readings] == list(OPEN[1:])


def test_what_looking_it_up_settles_is_discoverable() -> None:
    assert of(Mention("A1", "some list", OPEN, found=(OPEN[2],))).need == "discoverable"


def test_looking_it_up_that_leaves_two_settles_nothing() -> None:
    assert of(Mention("A1", "some list", OPEN, found=OPEN[1:3])).need == "required"


def test_another_word_for_the_same_value_is_robust() -> None:
    found = of(Mention("E1", "the right shelf", (OPEN[2],)))

    assert (found.k, found.luck, found.need, severity(found)) == (1, 1.0, "robust", 0)


def test_a_false_premise_is_blocked_and_its_repairs_are_what_a_guess_is_among() -> None:
    found = of(
        Mention("P2", "In Rewiev", repairs=OPEN[1:3], claim="There is no such list."), replace(LIST, kind="entity")
    )

    assert (found.k, found.luck, found.need, severity(found)) == (2, 0.5, "blocked", 3)


def test_a_near_name_in_a_free_field_of_a_new_row_is_refused_since_nobody_can_notice_it() -> None:
    mention = Mention("P2", "17 Rope Lane", repairs=OPEN[1:3], claim="There is no such street.")
    insert = replace(MOVE, kind="insert")

    with pytest.raises(Refused, match=r"^P2 on .*a new row may hold any value there"):
        cost(insert, ROWS, VALUES, replace(LIST, kind="value"), mention)


def test_dropping_the_claim_is_a_repair_where_the_slot_drops() -> None:
    mention = Mention("P1", " for the contractor", claim="There is no contractor.")
    found = cost(COUNT, ROWS, COUNTED, PERSON, mention)

    assert [reading.value for reading in found.readings] == [None, COUNTED["person"]]
    assert (found.k, found.luck, found.need) == (2, 0.5, "blocked")


@pytest.mark.parametrize("fault", ["I2", "I4", "A1", "A2", "A3", "E2", "E3", "E4"])
def test_a_fault_that_leaves_one_outcome_is_refused_with_its_name(fault: str) -> None:
    slot = {"I": ACTION, "A": replace(LIST, kind="date"), "E": replace(LIST, kind="quantity")}[fault[0]]
    slot = replace(slot, kind="value") if fault in ("A3", "E3", "E2") else slot

    with pytest.raises(Refused, match=rf"^{fault} on move\.list: whatever fits .* has the same outcome"):
        of(Mention(fault, "there", (OPEN[2],)), slot)  # type: ignore[arg-type]


@pytest.mark.parametrize("fault", ["P1", "P2", "P3", "P4"])
def test_a_premise_that_fits_something_is_refused_with_its_name(fault: str) -> None:
    slot = replace(LIST, kind={"P1": "filter", "P2": "entity", "P3": "entity", "P4": "date"}[fault])  # type: ignore[arg-type]

    with pytest.raises(Refused, match=rf"^{fault} on move\.list: .* fits 2 values, and a false premise fits none"):
        of(Mention(fault, "there", OTHERS, claim="No."), slot)  # type: ignore[arg-type]


@pytest.mark.parametrize("fault", ["P1", "P2", "P3", "P4"])
def test_a_premise_that_does_not_say_what_is_wrong_is_refused_with_its_name(fault: str) -> None:
    slot = replace(LIST, kind={"P1": "filter", "P2": "entity", "P3": "entity", "P4": "date"}[fault])  # type: ignore[arg-type]

    with pytest.raises(Refused, match=rf"^{fault} on move\.list: it does not say what is wrong"):
        of(Mention(fault, "there"), slot)  # type: ignore[arg-type]


def test_a_premise_is_refused_where_dropping_it_gives_what_was_meant() -> None:
    same = replace(COUNT, truth=lambda rows, values: COUNT.truth(rows, {**values, "person": None}))
    mention = Mention("P1", " for the contractor", claim="There is no contractor.")

    with pytest.raises(Refused, match=r"^P1 on count\.person: dropping the false claim gives what was meant"):
        cost(same, ROWS, COUNTED, PERSON, mention)


def test_an_omission_that_leaves_a_complete_request_is_refused_with_its_name() -> None:
    with pytest.raises(Refused, match=r"^A1 on count\.person: what is left is a complete request"):
        cost(COUNT, ROWS, COUNTED, PERSON, Mention("A1", "", (COUNTED["person"],)))


def test_a_mention_that_does_not_fit_the_value_itself_is_refused() -> None:
    with pytest.raises(Refused, match="does not fit the task's own value 'In Review'"):
        of(Mention("E3", "one of them", OTHERS))


def test_a_look_up_that_does_not_find_the_value_itself_is_refused() -> None:
    with pytest.raises(Refused, match="looking it up does not find the task's own value"):
        of(Mention("E3", "one of them", OPEN, found=OTHERS))


def test_a_slot_of_another_kind_is_refused_with_those_that_would_be_right() -> None:
    with pytest.raises(Refused, match=r"^I4 on move\.list: a slot of kind value cannot have it; action can"):
        of(Mention("I4", "deal with it", OPEN))


def test_a_guess_that_is_mostly_right_needs_nobody_and_is_refused() -> None:
    two = (*(Value(f"{n}", "In Review") for n in range(1)), OPEN[1])
    same = replace(MOVE, truth=lambda rows, values: MOVE.truth(rows, {**values, "list": str(values["list"])[:9]}))
    values = (*two, Value("x", "In Review "), Value("y", "In Review  "))

    with pytest.raises(Refused, match=r"^A1 on move\.list: a guess is right 75% of the time"):
        cost(same, ROWS, VALUES, LIST, Mention("A1", "some list", values))


@pytest.mark.parametrize("fault", ["I1", "I3", "A4"])
def test_words_that_are_only_added_are_robust(fault: str) -> None:
    assert added(fault, MOVE, ROWS, VALUES)[1:] == (1, 1.0, "robust")  # type: ignore[arg-type]


@pytest.mark.parametrize("fault", ["I1", "I3", "A4"])
def test_words_that_are_only_added_take_no_slot(fault: str) -> None:
    with pytest.raises(Refused, match=rf"^{fault} on move\.list: it only adds words"):
        of(Mention(fault, "Hello.", OPEN))  # type: ignore[arg-type]


def test_a_fault_on_a_slot_cannot_be_added_without_one() -> None:
    with pytest.raises(Refused, match=r"^A1 on move: it needs a slot"):
        added("A1", MOVE, ROWS, VALUES)


def test_a_task_that_cannot_be_carried_out_has_no_faults() -> None:
    stuck: Values = {**VALUES, "list": Value("Backlog", "Backlog")}

    with pytest.raises(Refused, match="the task itself cannot be carried out"):
        cost(MOVE, ROWS, stuck, LIST, Mention("A1", "some list", OPEN))
