"""What each template of `terminal` promises: two routes to one truth, no constant that solves it, sound mentions."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from functools import cache
from typing import Any

import pytest

from benchmarks.drift.template import Draw, Mention, Outcome, Slot, Template, Values
from benchmarks.drift.terminal import TEMPLATES, WORLDS, rows, world
from harness.task import Expected
from servers.kernel import Base, Engine, Layer
from servers.terminal import Node, app

DRAWS = 12
SLOTTED = ("I2", "I4", "P1", "P2", "P3", "P4", "A1", "A2", "A3", "E1", "E2", "E3", "E4")
"""The faults that touch a slot; the other three only add words."""

each = pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)


@cache
def base(name: str) -> Base:
    return Engine().load(world(name))


@cache
def drawn(template: Template) -> tuple[Values, ...]:
    made = (template.draw(rows(template.world), Draw("test", template.id, number)) for number in range(DRAWS))
    return tuple(values for values in made if values is not None)


def truth(template: Template, values: Values) -> Outcome:
    found = template.truth(rows(template.world), {slot: value.value for slot, value in values.items()})
    assert found is not None
    return found


@cache
def mentioned(template: Template) -> tuple[tuple[Values, Slot, Mention], ...]:
    return tuple(
        (values, slot, mention)
        for values in drawn(template)
        for slot in template.slots
        for mention in slot.mentions(rows(template.world), values)
    )


def happened(layer: Layer) -> tuple[Expected, ...]:
    """What differs from the start, as a task would expect it."""
    plain = Node.defaults()
    found = []
    for change in layer.changes():
        place: dict[str, Any] = {"app": change.app, "table": change.table}
        if change.op == "insert":
            kept = {k: v for k, v in change.fields.items() if v is not None and plain.get(k, ...) != v}
            found.append((change.id, Expected(op="insert", **place, values=kept)))
        else:
            found.append((change.id, Expected(op=change.op, **place, id=change.id, values=change.fields)))
    return tuple(expected for _, expected in sorted(found, key=lambda pair: pair[0]))


@pytest.mark.parametrize("name", WORLDS)
def test_a_world_is_the_size_of_a_small_folder_and_says_whose_it_is(name: str) -> None:
    made = world(name)

    assert 40 <= len(rows(name)["nodes"]) <= 150
    assert made.rows == {"terminal": rows(name)}
    assert made.owner is not None
    assert {Node.from_json(row).to_json()["path"] for row in rows(name)["nodes"]} == {
        row["path"] for row in rows(name)["nodes"]
    }


def test_worlds_and_draws_are_the_same_in_another_process() -> None:
    script = (
        "from tests.drift.terminal.test_templates import *\n"
        "print([world(name).digest for name in WORLDS], [drawn(template) for template in TEMPLATES])"
    )
    told = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    here = [world(name).digest for name in WORLDS], [drawn(template) for template in TEMPLATES]
    assert told == f"{here[0]} {here[1]}\n"


def test_a_third_of_the_templates_only_look_and_every_world_has_several() -> None:
    kinds = Counter(template.kind for template in TEMPLATES)

    assert len({template.id for template in TEMPLATES}) == 24
    assert kinds["read"] == 8
    assert kinds["insert"] >= 4
    assert min(Counter(template.world for template in TEMPLATES).values()) >= 2
    assert {template.world for template in TEMPLATES} == set(WORLDS)


@each
def test_most_draws_have_an_outcome_and_no_answer_fits_all(template: Template) -> None:
    ends = [truth(template, values) for values in drawn(template)]

    assert len(ends) >= 5
    assert len({repr(end) for end in ends}) >= 4
    assert all(bool(end.answers) if template.kind == "read" else bool(end.changes) for end in ends)


@each
def test_the_reference_calls_do_what_the_truth_says_and_nothing_else(template: Template) -> None:
    tool = app.default.tool("run_shell")
    for values in drawn(template)[:6]:
        told = {slot: value.value for slot, value in values.items()}
        expected = truth(template, values)
        calls = template.solve(rows(template.world), told)
        layer = Layer(base(template.world))
        said = [
            tool.call(layer.state(app), call.arguments).text
            for call in calls
            if (call.app, call.tool) == ("terminal", "run_shell")
        ]
        submitted = [call.arguments["answers"] for call in calls if call.app == "answer"]

        assert happened(layer) == expected.changes, template.request(values, template.wordings[0])
        if template.kind == "read":
            assert submitted == [said[-1].splitlines()]
            assert tuple(sorted(submitted[0])) == expected.answers, template.request(values, template.wordings[0])
        else:
            assert said == ["[no output]"]
            assert submitted == []
        layer.close()


@each
def test_a_request_says_every_value_outright_and_reads_as_a_sentence(template: Template) -> None:
    for values in drawn(template):
        for wording in template.wordings:
            request = template.request(values, wording)

            assert all(value.text.lower() in request.lower() for value in values.values()), request
            assert request[-1] in ".?!"
            assert not any(mark in request for mark in ("{", "}", "  ", " ,", ",,", "..", " ."))


@each
def test_a_slots_value_is_in_its_domain(template: Template) -> None:
    for values in drawn(template):
        for slot in template.slots:
            domain = [value.value for value in slot.domain(rows(template.world), values)]
            assert values[slot.id].value in domain
            assert len(domain) >= 2


@each
def test_a_mention_fits_the_tasks_own_value_or_says_what_is_wrong(template: Template) -> None:
    for values, slot, mention in mentioned(template):
        own = values[slot.id].value
        if mention.fault.startswith("P"):
            assert mention.fits == ()
            assert mention.claim.endswith(".")
            assert len(mention.repairs) >= 2
            assert own in [value.value for value in mention.repairs]
        else:
            assert own in [value.value for value in mention.fits]
            assert mention.found is None or own in [value.value for value in mention.found]
            assert mention.claim == ""


@each
def test_what_a_mention_leaves_open_matters(template: Template) -> None:
    for values, slot, mention in mentioned(template):
        told = {id: value.value for id, value in values.items()}
        meant = truth(template, values)
        ends = [
            template.truth(rows(template.world), {**told, slot.id: value.value})
            for value in mention.fits or mention.repairs
        ]
        ends = [end for end in ends if end is not None]
        if slot.drops and not mention.fits:
            ends.append(template.truth(rows(template.world), {**told, slot.id: None}))
            assert ends[-1] != meant
        if mention.fault != "E1":
            assert len({repr(end) for end in ends}) >= 2, (mention, template.request(values, template.wordings[0]))
        if mention.fault != "E1" and mention.found is None:
            assert ends.count(meant) / len(ends) <= 0.5


@each
def test_a_faulty_request_reads_as_a_sentence_and_hides_what_it_leaves_open(template: Template) -> None:
    for values, slot, mention in mentioned(template):
        wordings = (mention.request,) if mention.request else template.wordings
        for wording in wordings:
            request = template.request(values, wording, {slot.id: mention.text})

            assert not any(mark in request for mark in ("{", "}", "  ", " ,", ",,", "..", " .", ",.", ",?")), request
            if mention.fault in ("A1", "A2", "E4", "I2", "I4"):
                assert len(values[slot.id].text) < 4 or values[slot.id].text.lower() not in mention.text.lower()
            if mention.request:
                assert all(f"{{{other.id}}}" in wording for other in template.slots if other.id != slot.id), wording


def test_every_fault_that_touches_a_slot_is_there_on_several_templates() -> None:
    offered = Counter(
        fault for template in TEMPLATES for fault in {mention.fault for _, _, mention in mentioned(template)}
    )

    assert set(offered) == set(SLOTTED)
    assert min(offered.values()) >= 4


def test_some_mentions_can_be_looked_up() -> None:
    looked_up = {template.id for template in TEMPLATES for _, _, mention in mentioned(template) if mention.found}

    assert len(looked_up) >= 6
