"""Every template of the services: two routes to one outcome, and mentions that cost what they say."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from benchmarks.drift.apis import TEMPLATES, WORLDS, flat, rows
from benchmarks.drift.template import FAULTS, Mention, Outcome, Slot, Template, Values
from servers.apis import SERVICES, called
from tests.drift.apis.playing import drawn, played, taken, tasks

every_template = pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)

ADDED = {"I1", "I3", "A4"}
"""Faults that add words and touch no slot, so that no template offers them."""


def meant(template: Template, values: Values) -> Outcome:
    found = template.truth(rows(template.world), taken(values))
    assert found is not None
    return found


@cache
def mentions(template: Template) -> tuple[tuple[Values, Slot, Mention], ...]:
    return tuple(
        (values, slot, mention)
        for values in tasks(template)
        for slot in template.slots
        for mention in slot.mentions(rows(template.world), values)
    )


@every_template
def test_at_least_five_draws_make_a_task_with_a_truth(template: Template) -> None:
    made = [values for number in range(16) if (values := drawn(template, number))]

    assert len(made) >= 5
    assert all(meant(template, values) for values in made)


@every_template
@pytest.mark.parametrize("toolset", ["gateway", "flat"])
def test_the_solution_played_through_the_app_comes_to_what_truth_says(template: Template, toolset: str) -> None:
    for values in tasks(template):
        calls = template.solve(rows(template.world), taken(values))
        outcome = played(template, flat(calls) if toolset == "flat" else calls, toolset)
        truth = meant(template, values)

        assert outcome.changes == truth.changes
        if truth.answers is not None:
            assert outcome.answers is not None
            assert tuple(outcome.answers if truth.ranked else sorted(outcome.answers)) == truth.answers


@every_template
def test_a_task_asks_for_something_that_nobody_has_done_yet(template: Template) -> None:
    for values in tasks(template):
        truth = meant(template, values)

        assert (truth.answers is None) == (template.kind != "read")
        assert truth.answers or truth.changes
        assert truth.answers is None or all(truth.answers)


@every_template
def test_no_one_answer_is_right_for_more_than_half_of_the_tasks(template: Template) -> None:
    made = tasks(template, 20)
    ends = Counter(repr(meant(template, values)) for values in made)

    assert max(ends.values()) <= len(made) / 2


@every_template
def test_each_other_value_of_a_slot_has_another_outcome_or_none_for_most(template: Template) -> None:
    for values in tasks(template, 3):
        truth = meant(template, values)
        for slot in template.slots:
            others = [value for value in slot.domain(rows(template.world), values) if value != values[slot.id]]
            same = [
                value
                for value in others
                if template.truth(rows(template.world), {**taken(values), slot.id: value.value}) == truth
            ]
            assert len(same) <= len(others) / 2, (slot.id, values[slot.id], same)


@every_template
def test_a_request_says_each_value_in_words_and_leaves_no_mark(template: Template) -> None:
    for values in tasks(template):
        for wording in template.wordings:
            request = template.request(values, wording)

            assert not {"{", "}"} & set(request)
            assert "  " not in request
            assert all(value.text.strip().lower() in request.lower() for value in values.values())


@every_template
def test_a_mention_fits_the_tasks_own_value_or_presupposes_what_is_not_so(template: Template) -> None:
    found = mentions(template)
    assert found
    for values, slot, mention in found:
        if mention.fault.startswith("P"):
            assert not mention.fits
            assert mention.claim.endswith(".")
            assert values[slot.id] in mention.repairs
        else:
            assert values[slot.id] in mention.fits
            assert not mention.claim
        assert mention.found is None or values[slot.id] in mention.found


@every_template
def test_what_a_mention_may_be_taken_for_comes_to_two_outcomes_at_least(template: Template) -> None:
    for values, slot, mention in mentions(template):
        if mention.fault == "E1":
            continue
        truth = meant(template, values)
        among = mention.fits or mention.repairs
        ends = [template.truth(rows(template.world), {**taken(values), slot.id: each.value}) for each in among]
        there = [end for end in ends if end is not None]

        assert len({repr(end) for end in there}) >= 2, (slot.id, mention)
        if mention.found is None:
            assert there.count(truth) <= len(there) / 2, (slot.id, mention)


@every_template
def test_leaving_out_a_false_claim_does_not_come_to_what_was_meant(template: Template) -> None:
    for values, slot, mention in mentions(template):
        if mention.fault.startswith("P") and slot.drops:
            dropped = template.truth(rows(template.world), {**taken(values), slot.id: None})
            assert dropped != meant(template, values), mention


@every_template
def test_a_mention_does_not_say_the_value_outright(template: Template) -> None:
    for values, slot, mention in mentions(template):
        exact = slot.span.replace("{value}", values[slot.id].text)

        assert mention.text != exact or mention.request
        assert "{value}" not in mention.text


def test_each_fault_with_a_slot_is_offered_by_several_templates() -> None:
    offered = {fault: {t.id for t in TEMPLATES for _, _, m in mentions(t) if m.fault == fault} for fault in FAULTS}

    assert {fault for fault, ids in offered.items() if len(ids) < 4} == ADDED


def test_some_mentions_can_be_cleared_up_by_looking() -> None:
    ids = {t.id for t in TEMPLATES for _, _, mention in mentions(t) if mention.found is not None}

    assert len(ids) >= 3


def test_templates_have_names_of_their_own_and_are_spread_over_kinds_worlds_and_services() -> None:
    reached = {
        found.endpoint.service
        for template in TEMPLATES
        for call in template.solve(rows(template.world), taken(tasks(template)[0]))
        if call.app == "apis" and (found := called(call.tool, call.arguments))
    }

    assert len({template.id for template in TEMPLATES}) == len(TEMPLATES) >= 30
    assert min(Counter(template.kind for template in TEMPLATES).values()) >= 10
    assert {template.world for template in TEMPLATES} == set(WORLDS)
    assert reached == set(SERVICES)


def test_what_cannot_be_undone_is_called_risky() -> None:
    for template in TEMPLATES:
        calls = [
            found
            for values in tasks(template)
            for call in template.solve(rows(template.world), taken(values))
            if call.app == "apis" and (found := called(call.tool, call.arguments))
        ]
        assert not any(found.endpoint.irreversible for found in calls) or template.risky, template.id
