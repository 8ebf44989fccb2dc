"""Two mentions that disagree (A3), and things in a state that they are in already (P3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache

import pytest

from benchmarks.drift.drawn import Drawn, drawn
from benchmarks.drift.environments import Place, environments
from benchmarks.drift.faults import VALIDATORS
from benchmarks.drift.faults.literal import literally
from benchmarks.drift.faults.making import Made, Way, made, of_way, way, ways
from benchmarks.drift.frames import Variant
from benchmarks.drift.need import Refused, cost
from benchmarks.drift.programs import drawn_again
from benchmarks.drift.release import released
from benchmarks.drift.template import Fault, Mention, Value, conflicts, nearest
from tests.drift.place import MOVE, PLACE

GROUPS = {"date": "dates", "entity": "things", "quantity": "amounts", "value": "amounts", "filter": "amounts"}


@cache
def of_fault(fault: Fault) -> tuple[tuple[Drawn, Variant, Way], ...]:
    """The released variants of a fault, each with its task and its strategy."""

    def found() -> Iterator[tuple[Drawn, Variant, Way]]:
        by_template: dict[str, tuple[Place, int]] = {
            each.id: (place, number) for place in environments() for number, each in enumerate(place.templates)
        }
        for each in released(environments()).faulty:
            if each.variant.strategy.id == fault:
                place, number = by_template[each.task.template]
                task = drawn_again(place, place.templates[number], each.variant.task)
                yield task, each.variant, way(task, each.variant.strategy, each.variant.added)

    return tuple(found())


def invoice(action: str) -> Drawn:
    """A task of the files: an invoice is paid, or cancelled."""
    place = next(place for place in environments() if place.name == "terminal")
    template = next(each for each in place.templates if each.id.startswith("terminal-invoice-state"))
    return next(task for task in drawn(place, template, 12) if task.values["action"].value == action)


def refuses(task: Drawn, mention: Mention, text: str = "") -> str:
    """The reason for which `false_as_said` refuses a mention of the invoice, "" where it takes it."""
    slot = task.template.slot("invoice")
    variant = of_way(task, slot, mention).variant
    variant = variant.model_copy(update={"text": text}) if text else variant
    return VALIDATORS["false_as_said"](task, variant, mention, slot)


def wrong(task: Drawn) -> Mention:
    """The mention of an invoice that is paid already."""
    slot = task.template.slot("invoice")
    return next(mention for mention in slot.mentions(task.rows, task.values) if mention.fault == "P3")


def test_each_pair_comes_twice_with_the_own_value_named_and_with_it_described() -> None:
    found = list(conflicts("a", ["b"], lambda named, told: f"{named}, that is {told}"))

    assert found == [("a, that is b", ("a", "b"), False), ("b, that is a", ("b", "a"), True)]


def test_a_description_that_fits_several_leaves_all_of_them() -> None:
    like = {"a": ["a", "c"], "b": ["b"], "c": ["a", "c"]}
    found = list(conflicts("a", ["b", "c"], lambda named, told: f"{named} {told}", like.__getitem__))

    assert [(each.text, each.fits) for each in found] == [("a b", ("a", "b")), ("b a", ("b", "a", "c"))]


def test_what_cannot_be_described_can_only_be_named() -> None:
    found = list(conflicts("a", ["b"], lambda named, told: f"{named} {told}" if told == "b" else ""))

    assert [each.second for each in found] == [False]


def test_a_second_mention_that_does_not_exist_leaves_one_reading_and_is_refused() -> None:
    task = next(iter(drawn(PLACE, MOVE, 1)))
    own = task.values["list"]
    there = Value("the attic", task.rows["tasks"][int(task.values["task"].value)]["list_name"])
    mention = Mention("A3", f"{own.text} (the attic)", (own, there))

    with pytest.raises(Refused, match=r"^A3 on move\.list: whatever fits .* has the same outcome"):
        cost(MOVE, task.rows, task.values, MOVE.slot("list"), mention)


def test_a_weekday_names_the_nearest_day_of_its_name_and_no_other() -> None:
    day = date(2026, 5, 12)

    assert [nearest(date(2026, 5, number), day) for number in (8, 9, 12, 15, 16)] == [False, True, False, True, False]


def test_of_all_released_conflicts_a_third_to_two_thirds_mean_the_second_mention() -> None:
    counted = Counter(
        (GROUPS[found.slot.kind], found.mention.second) for _, _, found in of_fault("A3") if found.slot is not None
    )

    for group in {*GROUPS.values()}:
        first, second = counted[group, False], counted[group, True]
        assert 0.35 <= second / (first + second) <= 0.65, (group, first, second)
    assert counted.total() > 60


def test_both_mentions_of_a_released_conflict_are_readings_of_it() -> None:
    for task, variant, (slot, mention) in of_fault("A3"):
        assert slot is not None
        spent = cost(task.template, task.rows, task.values, slot, mention)

        assert (spent.k, spent.luck, spent.need) == (variant.k, variant.luck, "required")
        assert spent.k >= 2
        assert variant.luck <= 0.5


def test_which_mention_is_meant_is_decided_before_the_words_are() -> None:
    for task, _, _ in of_fault("A3"):
        order = [found.mention.second for found in ways(task, "parameter") if found.mention.fault == "A3"]

        assert order == sorted(order) or order == sorted(order, reverse=True)


def test_whatever_is_released_of_a_wrong_state_shows_it_to_whoever_does_it_to_the_letter() -> None:
    came = Counter[str]()
    for task, variant, (slot, mention) in of_fault("P3"):
        assert slot is not None
        came["words" if mention.state else literally(task, slot, mention.said)] += 1
        assert VALIDATORS["false_as_said"](task, variant, mention, slot) == ""

    assert came.keys() == {"words", "refused", "nothing"}


def test_what_is_done_already_changes_nothing_and_is_taken() -> None:
    task = invoice("paid")

    assert literally(task, task.template.slot("invoice"), wrong(task).said) == "nothing"
    assert refuses(task, wrong(task)) == ""


def test_what_can_be_done_to_the_letter_is_refused_where_no_word_says_otherwise() -> None:
    task = invoice("cancelled")
    silent = wrong(task)._replace(text=f"invoice {wrong(task).said}", state="")

    assert literally(task, task.template.slot("invoice"), silent.said) == "changes"
    assert refuses(task, silent).startswith("it can be done as it is said")


def test_the_same_is_taken_where_its_words_claim_what_is_not_so() -> None:
    task = invoice("cancelled")

    assert wrong(task).state == "still open"
    assert refuses(task, wrong(task)) == ""
    assert refuses(task, wrong(task), "Set the status of invoice 1011 to cancelled.") == "it does not say 'still open'"


def test_a_thing_that_is_not_in_that_state_is_a_task_like_any_other() -> None:
    task = invoice("paid")
    other = next(value for value in wrong(task).repairs if value != task.values["invoice"])

    assert "is a task like any other" in refuses(task, wrong(task)._replace(said=other.value))


def test_a_wrong_state_has_to_say_which_value_its_words_name() -> None:
    task = invoice("paid")

    assert "which value its words name" in refuses(task, wrong(task)._replace(said=None))


def test_a_service_refuses_what_is_so_already() -> None:
    place = next(place for place in environments() if place.name == "apis")
    template = next(each for each in place.templates if each.id == "apis-reopen-ticket")
    task = next(iter(drawn(place, template, 1)))
    slot = template.slot("ticket")
    mention = next(each for each in slot.mentions(task.rows, task.values) if each.fault == "P3")

    assert literally(task, slot, mention.said) == "refused"


def test_a_wrong_state_that_is_refused_makes_room_for_another_premise() -> None:
    task = invoice("cancelled")
    slot = task.template.slot("invoice")

    def silenced(rows: object, values: object) -> Iterator[Mention]:
        for mention in slot.mentions(task.rows, task.values):
            yield mention._replace(state="") if mention.fault == "P3" else mention

    slots = tuple(replace(each, mentions=silenced) if each is slot else each for each in task.template.slots)
    changed = replace(task, template=replace(task.template, slots=slots))
    found = [each for each in made(changed, kinds=["premise"]) if isinstance(each, Made)]

    assert [each.variant.strategy.id for each in found] == ["P2"]
