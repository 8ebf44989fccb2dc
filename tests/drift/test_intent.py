"""How much of a question an agent's own account of it has: values in whatever form, and that something is asked."""

from __future__ import annotations

import pytest

from benchmarks.drift.intent import ordered, recovered
from harness.task import Task
from harness.wiring import suite

RELEASED = suite("drift-workplace").tasks
READS = [task for task in RELEASED if task.facts["kind"] == "read"]


def asked(task: Task) -> str:
    return task.sessions[0].requests["original"]


def faulty(task: Task) -> str:
    return task.sessions[0].requests.get("faulty", "")


def of(template: str, *words: str) -> Task:
    """A question of a template whose request has these words."""
    return next(task for task in READS if task.template == template and all(each in asked(task) for each in words))


KILOS = of("roastery-kilos", "Yirga Blue", "Corvale", "April 2026")
ROOMS = of("apis-rooms", "Villa Asmara", "one bed", "110 euros a night or less")
LINES = of("terminal-log-count-bakery", "ERROR", "oven-a", "3 April 2025")


@pytest.mark.parametrize(
    ("task", "account", "share"),
    [
        (KILOS, "How many kilos of Yirga Blue did customers in Corvale order in April 2026?", 1),
        (KILOS, "Kilos of yirga blue ordered from Corvale in 2026-04: how many?", 1),
        (KILOS, "Total kilos, Yirga Blue, Corvale, Apr 2026", 1),
        (KILOS, "What did customers in Corvale order of Yirga Blue in April?", 1),
        (KILOS, "What did customers in Corvale order of Yirga Blue in April 2025?", 3 / 4),
        (KILOS, "What did customers in Corvale order of Yirga Blue on 2026-04-05?", 3 / 4),
        (KILOS, "Delete all orders of Yirga Blue in Corvale, April 2026", 3 / 4),
        (KILOS, "The user wants me to cancel what customers in Corvale ordered of Yirga Blue in April 2026.", 3 / 4),
        (KILOS, "How many kilos were ordered?", 1 / 4),
        (ROOMS, "Count the rooms at Villa Asmara with 1 bed for at most 110 euros per night", 1),
        (ROOMS, "Which rooms at Villa Asmara have two beds and cost 110 euros a night or less?", 3 / 4),
        (ROOMS, "Which rooms at Villa Asmara have one bed and cost 100 euros a night or less?", 3 / 4),
        (LINES, "How many error lines are in the log of oven-a from 2025-04-03?", 1),
        (LINES, "How many ERROR lines are in the log of oven-a of the 3rd of April?", 1),
        (LINES, "How many ERROR lines are in the log of oven-a of 4 April?", 3 / 4),
    ],
)
def test_an_account_has_a_value_in_whatever_form_and_asks_for_something(task: Task, account: str, share: float) -> None:
    assert recovered(task, account) == pytest.approx(share)


def test_without_an_account_nothing_is_said_of_it() -> None:
    assert recovered(KILOS, " ") is None


def test_every_released_question_has_itself_whole() -> None:
    assert {recovered(task, asked(task)) for task in READS} == {1.0}
    assert [asked(task) for task in READS if ordered(asked(task))] == []


def test_to_repeat_a_faulty_question_recovers_all_but_what_it_withholds() -> None:
    needy = [task for task in READS if task.facts.get("hidden")]
    for task in needy:
        count = len(task.slots) + 1

        assert recovered(task, faulty(task)) == pytest.approx((count - 1) / count), task.id
    assert len(needy) > 200


def test_words_that_a_fault_added_order_nothing() -> None:
    errand = next(task for task in READS if "book a squash court" in faulty(task))

    assert ordered("book a squash court")
    assert recovered(errand, faulty(errand)) == 1
    assert recovered(errand, f"{asked(errand)} And cancel the orders.") != 1


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Please add a line to order 12.", True),
        ("Add up the lines of order 12.", False),
        ("Open invoices of March", False),
        ("Open a ticket for Ann.", True),
        ("Which orders are to be cancelled?", False),
        ("Look for booked rooms, then cancel them", True),
    ],
)
def test_an_order_is_told_by_its_verb_and_where_that_stands(text: str, orders: bool) -> None:
    assert ordered(text) is orders
