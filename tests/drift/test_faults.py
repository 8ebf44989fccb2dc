"""What is added, what is made of a task, and what each validator refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.drift.drawn import Drawn, drawn
from benchmarks.drift.environments import NAMES as ENVIRONMENTS
from benchmarks.drift.faults import ANSWERED_BY, NAMES, VALIDATORS, Fails, Made, made, validate
from benchmarks.drift.faults.catalogue import additions, category
from benchmarks.drift.faults.making import frame, of_way, strategy_of, way, ways
from benchmarks.drift.frames import Hidden, Reveal, Strategy, Variant
from benchmarks.drift.need import ADDED
from benchmarks.drift.template import CATEGORIES, FAULTS, Mention, Slot, Value
from tests.drift.place import COUNT, MOVE, PLACE

TASK = next(iter(drawn(PLACE, MOVE, 1)))
OWN = TASK.values["task"]
LIST, JOB = MOVE.slot("list"), MOVE.slot("task")
OTHER = next(value for value in JOB.domain(TASK.rows, TASK.values) if value.value != OWN.value)
OMITTED = Mention("A1", "something", (OWN, OTHER))
GOOD = of_way(TASK, JOB, OMITTED).variant


def refuses(
    validator: str, variant: Variant, mention: Mention = OMITTED, slot: Slot | None = JOB, task: Drawn = TASK
) -> str:
    """The reason for which a validator refuses a variant, "" where it takes it."""
    return VALIDATORS[validator](task, variant, mention, slot)


def with_text(text: str, **more: Any) -> Variant:
    return GOOD.model_copy(update={"text": text, **more})


def test_every_fault_has_a_name_and_says_what_goes_with_it() -> None:
    assert set(NAMES) == set(ANSWERED_BY) == set(FAULTS)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
@pytest.mark.parametrize("fault", sorted(ADDED))
def test_there_are_enough_wordings_of_what_is_only_added(environment: Any, fault: Any) -> None:
    found = additions(environment, fault)

    assert len(set(found)) == len(found) >= 25
    assert all(each[0].isupper() and each[-1] in ".?!" for each in found)


def _variants(task: Drawn) -> list[Variant]:
    return [each.variant for each in made(task) if isinstance(each, Made)]


def test_a_task_has_at_most_one_variant_of_each_category() -> None:
    for task in drawn(PLACE, MOVE, 8):
        found = [variant.category for variant in _variants(task)]

        assert len(set(found)) == len(found) > 2
        assert all(variant.category == category(variant.strategy.id) for variant in _variants(task))


def test_the_same_task_has_the_same_variants_whenever_they_are_made() -> None:
    again = next(iter(drawn(PLACE, MOVE, 1)))

    assert _variants(again) == _variants(TASK)


def test_the_fault_is_chosen_among_all_that_fit() -> None:
    faults = {variant.strategy.id for task in drawn(PLACE, MOVE, 20) for variant in _variants(task)}

    assert faults >= {"I1", "I3", "P2", "A1", "A2", "A3", "A4", "E1", "E3"}


def test_a_fault_that_is_refused_makes_room_for_another_and_is_told() -> None:
    found = [list(made(task)) for task in drawn(PLACE, COUNT, 12)]

    assert any(isinstance(each, Made) for one in found for each in one)
    assert {getattr(each, "fault", "") for one in found for each in one if not isinstance(each, Made)} == {"E3"}


def test_a_request_of_its_own_takes_the_place_of_the_wording() -> None:
    mention = Mention("A1", "", (OWN, OTHER), request="I want something moved to {list}.")

    assert of_way(TASK, JOB, mention).variant.text == f"I want something moved to {TASK.values['list'].text}."


def test_what_an_added_goal_says_stands_behind_the_request_and_a_remark_before_it() -> None:
    behind = of_way(TASK, None, Mention("I3", "And feed the cat.")).variant.text
    before = of_way(TASK, None, Mention("I1", "What weather.")).variant.text

    assert (behind, before) == (f"{TASK.text} And feed the cat.", f"What weather. {TASK.text}")


def test_a_frame_says_what_the_request_is_made_of() -> None:
    found = frame(TASK)

    assert [slot.id for slot in found.slots] == ["task", "list"]
    assert found.prerequisites[0].holds


def test_a_good_variant_passes_every_validator() -> None:
    validate(TASK, GOOD, OMITTED, JOB)

    assert GOOD.checks == tuple(VALIDATORS)


def test_readable_refuses_a_blank_left_open() -> None:
    assert "'{'" in refuses("readable", with_text("Move {task} to Backlog."))


def test_readable_refuses_what_says_the_same() -> None:
    assert refuses("readable", with_text(TASK.text)) == "it says the same as the request"


def test_readable_refuses_a_torn_sentence() -> None:
    assert "sentence" in refuses("readable", with_text("move something to Backlog"))


def test_quoted_refuses_words_that_do_not_stand_there() -> None:
    assert refuses("quoted", with_text(GOOD.text, mention="the green one")) == "'the green one' does not stand in it"


def test_quoted_takes_words_whatever_their_case_and_spaces() -> None:
    assert refuses("quoted", with_text(GOOD.text, mention=" Something ")) == ""


def test_others_verbatim_refuses_a_lost_value() -> None:
    assert refuses("others_verbatim", with_text("Move something.")).startswith("it lost list")


def test_hidden_refuses_a_value_that_is_still_there() -> None:
    text = with_text(f"Move something to {TASK.values['list'].text}, {OWN.text.upper()} I think.")

    assert refuses("hidden", text).startswith("it gives task away")


def test_hidden_refuses_a_name_said_whole_beside_a_near_one() -> None:
    mention = Mention("P2", "x", claim="No.", repairs=(OWN, OTHER))

    assert refuses("hidden", with_text(f"Move {OWN.text}."), mention).startswith("it gives task away")


def test_not_derivable_refuses_a_slot_that_the_others_settle() -> None:
    alone = replace(JOB, domain=lambda rows, values: [OWN])

    assert refuses("not_derivable", GOOD, slot=alone) == "the other values leave one for task"


def test_not_derivable_refuses_a_description_that_fits_one_row_alone() -> None:
    row = next(row for row in TASK.rows["tasks"] if row["id"] == OWN.value)
    described = f"Move the one of {row['assigned_to_email']} in {row['list_name']} that is due {row['due_date']}"

    said = refuses("not_derivable", with_text(f"{described} to {TASK.values['list'].text}."))
    assert said.startswith("nothing but the task has the tasks: assigned_to_email ")


def test_not_derivable_takes_a_description_that_fits_several_rows() -> None:
    row = next(row for row in TASK.rows["tasks"] if row["id"] == OWN.value)

    assert refuses("not_derivable", with_text(f"Move one of {row['assigned_to_email']} to Completed.")) == ""


def test_not_derivable_leaves_alone_what_a_look_at_the_world_may_settle() -> None:
    row = next(row for row in TASK.rows["tasks"] if row["id"] == OWN.value)
    described = f"Move the one of {row['assigned_to_email']} in {row['list_name']} that is due {row['due_date']}."

    assert refuses("not_derivable", with_text(described, need="discoverable")) == ""


def test_a_strategy_stands_for_the_mention_that_it_was_made_of() -> None:
    for kind in CATEGORIES:
        for slot, mention in ways(TASK, kind):
            assert way(TASK, strategy_of(TASK, slot, mention), mention.text) == (slot, mention)


def test_a_strategy_that_a_template_does_not_have_is_named_with_those_it_has() -> None:
    stray = Strategy(id="E3", slots=("task",), licence_query="values of task that fit 'the barn'")

    with pytest.raises(
        KeyError, match=r"move has no E3 with .*the barn.*; it has values of task that fit .*the \w+ job"
    ):
        way(TASK, stray)


def test_as_declared_refuses_another_need() -> None:
    assert "it comes to (2, 0.5, 'required')" in refuses("as_declared", GOOD.model_copy(update={"need": "blocked"}))


def test_adds_only_refuses_a_remark_about_a_value() -> None:
    remark = Mention("I1", f"{OWN.text} was fun.")

    assert refuses("adds_only", of_way(TASK, None, remark).variant, remark, None) == "what it adds speaks of task"


def test_adds_only_refuses_a_request_that_was_changed() -> None:
    remark = Mention("I1", "What weather.")

    assert refuses("adds_only", with_text("What weather. Do it."), remark, None).startswith("the request is not in it")


def test_reaches_refuses_a_truth_that_leads_elsewhere() -> None:
    wrong = GOOD.strategy.model_copy(update={"reveals": (Reveal(slot="task", truth=OTHER.text),)})

    assert "not to the one meant" in refuses("reaches", GOOD.model_copy(update={"strategy": wrong}))


def test_reaches_refuses_a_truth_that_two_values_share() -> None:
    twins = replace(JOB, domain=lambda rows, values: [OWN, Value(OWN.text, OTHER.value)])
    task = replace(TASK, template=replace(MOVE, slots=(twins, LIST)))

    assert "comes to 2 outcomes" in refuses("reaches", GOOD, slot=twins, task=task)


def test_reaches_refuses_a_hidden_value_that_nothing_reveals() -> None:
    more = (*GOOD.hidden, Hidden(slot="list", text="Backlog"))

    assert refuses("reaches", GOOD.model_copy(update={"hidden": more})) == "nothing that the user can say reveals list"


def test_a_refusal_names_validator_fault_and_task() -> None:
    with pytest.raises(Fails, match=rf"^readable: A1 \(omission\) of {TASK.id}: it says the same"):
        validate(TASK, with_text(TASK.text), OMITTED, JOB)
