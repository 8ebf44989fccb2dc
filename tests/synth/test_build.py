from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from benchmarks.workbench.synth.build import build
from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.suite import SEED
from benchmarks.workbench.synth.templates import TEMPLATES, Template
from benchmarks.workbench.synth.templates.slots import quoted
from benchmarks.workbench.synth.world import make_world
from harness.suite import Suite, SuiteError
from harness.task import Slot, Task

BY_NAME = {template.name: template for template in TEMPLATES}


def test_there_are_ten_tasks_of_each_template(suite: Suite) -> None:
    assert Counter(task.template for task in suite.tasks) == {template.name: 10 for template in TEMPLATES}
    assert len(BY_NAME) == len(TEMPLATES)


def test_each_domain_has_as_many_templates_as_in_the_paper() -> None:
    domains = Counter(template.domains[0] if len(template.domains) == 1 else "several" for template in TEMPLATES)

    assert (domains["email"], domains["calendar"]) == (9, 11)
    assert len(domains) == 6


def test_no_two_tasks_share_a_request_or_an_id(suite: Suite) -> None:
    assert len({task.sessions[0].requests["original"] for task in suite.tasks}) == len(suite.tasks)
    assert len({task.id for task in suite.tasks}) == len(suite.tasks)


def test_each_wording_of_a_template_is_used(suite: Suite) -> None:
    used = {(task.template, task.facts["wording"]) for task in suite.tasks}

    assert used == {(name, wording) for name in BY_NAME for wording in range(3)}


def test_every_slot_text_occurs_exactly_once_in_the_request(suite: Suite) -> None:
    for task in suite.tasks:
        for slot in task.slots:
            assert task.sessions[0].requests["original"].count(slot.text) == 1, (task.id, slot.name)


def test_templates_that_ask_for_idle_tasks_get_that_many(suite: Suite) -> None:
    idle = Counter(task.template for task in suite.tasks if not task.solution)

    assert idle == Counter({template.name: template.idle for template in TEMPLATES})


@pytest.mark.parametrize("name", BY_NAME)
def test_criticality_is_the_share_of_other_values_that_change_the_outcome(suite: Suite, name: str) -> None:
    """Worked out anew from whole expected changes, not from the builder's own comparison."""
    template, office = BY_NAME[name], Office(suite.world(suite.tasks[0].world))

    def delta(values: dict[str, object]) -> list[str]:
        return sorted(step.expected().model_dump_json() for step in template.outcome(office, values))

    for task in (task for task in suite.tasks if task.template == name):
        values = {slot.name: slot.value for slot in task.slots}
        for slot in task.slots:
            others = [{**values, slot.name: other} for other in template.slots[slot.name].domain(office)]
            others = [other for other in others if other != values and template.valid(other)]
            differing = [delta(other) != delta(values) for other in others]
            assert slot.criticality == (0.5 if 0 < sum(differing) < len(differing) else float(all(differing)))


def test_every_slot_matters_wherever_something_is_to_be_done(suite: Suite) -> None:
    assert all(slot.criticality > 0 for task in suite.tasks if task.solution for slot in task.slots)


def test_most_templates_have_two_critical_slots_that_can_be_withheld(suite: Suite) -> None:
    def removable(task: Task) -> list[Slot]:
        return [slot for slot in task.slots if slot.criticality == 1 and not slot.complete_without]

    rich = {task.template for task in suite.tasks if len(removable(task)) >= 2}
    dimensions = {slot.dimension for task in suite.tasks for slot in removable(task)}

    assert len(rich) >= 8
    assert dimensions == {"goal", "constraint", "input", "context"}


def test_checkpoints_of_a_slot_are_expected_changes_that_another_value_would_not_make(suite: Suite) -> None:
    task = next(task for task in suite.tasks if task.template == "overdue-rule" and task.solution)
    slots = {slot.name: slot for slot in task.slots}

    assert slots["body"].checkpoint_refs == (1,)
    assert slots["body"].first_use_pct == 0.5
    assert slots["duration"].checkpoint_refs == (0,)
    assert slots["participant"].checkpoint_refs == (0, 1)


def test_a_slot_that_changes_no_outcome_is_refused() -> None:
    idle = quoted("body", "goal", "content", ("Thanks!", "Cheers!"), why="")
    base = BY_NAME["add-task"]
    first, second, third = (wording + " {thanks}" for wording in base.wordings)
    slots = {**base.slots, "thanks": idle}
    template = replace(base, name="polite", slots=slots, wordings=(first, second, third))

    with pytest.raises(SuiteError, match=r"polite.*thanks"):
        build(make_world(1), [template])


def test_a_wording_that_leaves_out_a_slot_is_refused() -> None:
    base = BY_NAME["reply-latest"]

    with pytest.raises(ValueError, match=r"reply-latest.*body"):
        replace(base, wordings=("Reply to {sender} about {subject}", base.wordings[1], base.wordings[2]))


@pytest.mark.parametrize("seed", [2, 3])
def test_other_worlds_and_seeds_make_as_many_tasks(seed: int) -> None:
    assert len(build(make_world(seed), TEMPLATES, seed=seed)) == 10 * len(TEMPLATES)


def test_adding_a_template_at_the_end_changes_no_earlier_task(suite: Suite) -> None:
    world = suite.world(suite.tasks[0].world)
    extra: Template = replace(BY_NAME["add-task"], name="add-another")
    tasks = build(world, (*TEMPLATES, extra), seed=SEED)
    assert [t.hash for t in tasks][: len(suite.tasks)] == [t.hash for t in suite.tasks]
