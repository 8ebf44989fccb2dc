"""Tasks over databases: two routes to every truth, worlds that hold together, and mentions that are what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any, NamedTuple

import pytest

from benchmarks.drift.sql import TEMPLATES, WORLDS, rows, world
from benchmarks.drift.template import Draw, Mention, Outcome, Template, Values
from harness.task import Expected
from servers.kernel import Engine, Layer, Rejected
from servers.sql import app

PREMISES = ("P1", "P2", "P3", "P4")
SLOTTED = ("I2", "I4", "P1", "P2", "P3", "P4", "A1", "A2", "A3", "E1", "E2", "E3", "E4")
"""Faults that a slot can have; the others are words that are added."""

every_template = pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)


class Task(NamedTuple):
    """A draw that has a truth."""

    number: int
    values: Values
    outcome: Outcome


def plain(values: Values) -> dict[str, Any]:
    return {slot: value.value for slot, value in values.items()}


@cache
def drawn(template: Template, wanted: int = 5) -> tuple[Task, ...]:
    """Tasks that differ."""
    found: dict[str, Task] = {}
    for number in range(60):
        values = template.draw(rows(template.world), Draw(template.id, number))
        outcome = values and template.truth(rows(template.world), plain(values))
        if values and outcome:
            found.setdefault(repr(plain(values)), Task(number, values, outcome))
        if len(found) == wanted:
            break
    return tuple(found.values())


@cache
def engine_of(name: str) -> Layer:
    engine = Engine()
    return engine.layer(engine.load(world(name)))


@contextmanager
def sandbox(name: str) -> Iterator[Layer]:
    layer = engine_of(name).fork()
    yield layer
    layer.close()


def played(template: Template, values: Mapping[str, Any]) -> tuple[list[Expected], list[str] | None]:
    """What the reference calls change, as a task expects it, and what they submit."""
    answers = None
    with sandbox(template.world) as layer:
        for call in template.solve(rows(template.world), values):
            if call.app == "answer":
                assert call.tool == "submit_answer"
                answers = [str(each) for each in call.arguments["answers"]]
            else:
                app.default.tool(call.tool).call(layer.state(app), call.arguments)
        changed = []
        for change in layer.changes():
            if change.after is None:
                changed.append(Expected(op="delete", app="sql", table="record", id=change.id))
            else:
                assert change.before is None
                said = {name: value for name, value in change.after.items() if (name, value) != ("number", 0)}
                changed.append(Expected(op="insert", app="sql", table="record", values=said))
    return sorted(changed, key=lambda each: each.model_dump_json()), answers


def read(answer: str, kind: str) -> Any:
    """An answer as it is compared."""
    if kind == "number":
        try:
            return Decimal(answer)
        except InvalidOperation:
            return answer
    return answer


def agree(outcome: Outcome, changed: list[Expected], answers: list[str] | None) -> bool:
    if outcome.answers is None:
        return (changed, answers) == (list(outcome.changes), None)
    assert answers is not None
    ours, theirs = ([read(each, outcome.kind) for each in side] for side in (outcome.answers, answers))
    return changed == [] and (ours == theirs if outcome.ranked else Counter(ours) == Counter(theirs))


@every_template
def test_at_least_five_draws_differ_and_have_a_truth(template: Template) -> None:
    assert len(drawn(template)) >= 5
    assert len({template.request(task.values, template.wordings[0]) for task in drawn(template)}) >= 5


@every_template
def test_sql_and_plain_python_come_to_the_same(template: Template) -> None:
    for task in drawn(template):
        changed, answers = played(template, plain(task.values))

        assert agree(task.outcome, changed, answers), plain(task.values)


@every_template
def test_they_do_so_with_another_value_in_each_slot_too(template: Template) -> None:
    task = drawn(template)[0]
    there = rows(template.world)
    for slot in template.slots:
        domain = [value.value for value in slot.domain(there, task.values)]
        others = [domain[Draw(template.id, slot.id, n).number("other", len(domain))] for n in range(3)]
        for other in [*others, *([None] if slot.drops else [])]:
            taken = {**plain(task.values), slot.id: other}
            if outcome := template.truth(there, taken):
                assert agree(outcome, *played(template, taken)), taken


@every_template
def test_doing_nothing_and_constant_answers_fail(template: Template) -> None:
    outcomes = [task.outcome for task in drawn(template)]
    if template.kind == "read":
        for constant in ([], ["0"], ["1"], [""]):
            assert sum(agree(outcome, [], constant) for outcome in outcomes) <= len(outcomes) // 3
        assert len({outcome.answers for outcome in outcomes}) >= 3
    else:
        assert all(outcome.changes for outcome in outcomes)
        assert not any(agree(outcome, [], None) for outcome in outcomes)
    assert all(outcome.answers is None or (outcome.answers and all(outcome.answers)) for outcome in outcomes)


@every_template
def test_another_value_in_a_slot_mostly_comes_to_something_else(template: Template) -> None:
    there = rows(template.world)
    for slot in template.slots:
        same = [
            template.truth(there, {**plain(task.values), slot.id: value.value}) == task.outcome
            for task in drawn(template)
            for value in list(slot.domain(there, task.values))[:12]
            if value.value != task.values[slot.id].value
        ]
        assert sum(same) * 2 < len(same), slot.id


@every_template
def test_values_are_of_the_domain_of_their_slots_and_stand_in_every_wording(template: Template) -> None:
    for task in drawn(template):
        assert set(task.values) == {slot.id for slot in template.slots}
        for slot in template.slots:
            assert task.values[slot.id] in list(slot.domain(rows(template.world), task.values))
        for wording in template.wordings:
            request = template.request(task.values, wording)
            assert all(value.text.casefold() in request.casefold() for value in task.values.values()), request
            assert reads_well(request), request


@cache
def mentions(template: Template) -> tuple[tuple[Task, str, Mention], ...]:
    return tuple(
        (task, slot.id, mention)
        for task in drawn(template)
        for slot in template.slots
        for mention in slot.mentions(rows(template.world), task.values)
    )


def reads_well(request: str) -> bool:
    odd = re.search(r"[{}]|\s\s|\s[,.?!;]|[,;:][.?!]|[,;:]$|\bNone\b|\.\.|\b(\w+) \1\b", request)
    return odd is None and (request[0].isupper() or request[0] in '"') and request[-1] in ".?!"


def said(template: Template, task: Task, slot: str, mention: Mention) -> str:
    wording = mention.request or template.wordings[task.number % len(template.wordings)]
    return template.request(task.values, wording, {slot: mention.text})


@every_template
def test_a_mention_reads_as_a_person_would_write_it(template: Template) -> None:
    for task, slot, mention in mentions(template):
        request = said(template, task, slot, mention)

        assert reads_well(request), request
        assert request not in {template.request(task.values, wording) for wording in template.wordings}
        others = [value.text for id, value in task.values.items() if id != slot]
        assert all(text.casefold() in request.casefold() for text in others), request


@every_template
def test_a_mention_fits_its_own_value_or_none_and_costs_something(template: Template) -> None:
    there = rows(template.world)
    for task, id, mention in mentions(template):
        slot = template.slot(id)
        fits, repairs = ([value.value for value in some] for some in (mention.fits, mention.repairs))
        own, domain = task.values[id].value, [value.value for value in slot.domain(there, task.values)]
        dropped = [None] if slot.drops and mention.fault in PREMISES else []
        taken = [*dropped, *(fits or repairs)]
        outcomes = [template.truth(there, {**plain(task.values), id: value}) for value in taken]
        known = [outcome for outcome in outcomes if outcome]
        where = (template.id, id, mention)
        assert all(value in domain for value in (*fits, *repairs)), where
        if mention.fault in PREMISES:
            assert (fits, bool(mention.claim), own in repairs) == ([], True, True), where
            assert any(outcome != task.outcome for outcome in known), where
            assert not dropped or outcomes[0] != task.outcome, where
        else:
            assert own in fits, where
            assert not mention.claim, where
            assert mention.found is None or own in [value.value for value in mention.found], where
            if mention.fault != "E1":
                assert any(outcome != task.outcome for outcome in known), where
        if mention.fault != "E1":
            assert known.count(task.outcome) * 2 <= len(known), where


@every_template
def test_what_a_mention_hides_is_not_said(template: Template) -> None:
    for task, slot, mention in mentions(template):
        if mention.fault not in ("A3", "E2"):
            value = task.values[slot].text
            spoken = mention.text if not mention.request else said(template, task, slot, mention)
            assert not re.search(rf"(?<!\w){re.escape(value)}(?!\w)", spoken, re.I), (template.id, mention)


@every_template
def test_a_template_offers_faults_of_three_kinds_at_least(template: Template) -> None:
    kinds = {mention.fault[0] for _, _, mention in mentions(template)}

    assert len(kinds) >= 3 or kinds == {"P", "A", "E"}


def test_every_fault_that_a_slot_can_have_is_offered_by_several_templates() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for template in TEMPLATES:
        for _, _, mention in mentions(template):
            found[mention.fault].add(template.id)

    assert {fault: len(found[fault]) >= 3 for fault in SLOTTED} == dict.fromkeys(SLOTTED, True)


def test_templates_are_of_all_three_kinds_over_every_world() -> None:
    kinds = Counter(template.kind for template in TEMPLATES)

    assert len({template.id for template in TEMPLATES}) == len(TEMPLATES)
    assert min(kinds.values()) * 4 >= len(TEMPLATES)
    assert {template.world for template in TEMPLATES} == set(WORLDS)


@pytest.mark.parametrize("name", WORLDS)
def test_a_world_is_what_its_rows_say_each_time_it_is_made(name: str) -> None:
    shapes = {
        each["name"]: [column["name"] for column in each["header"]] for each in world(name).rows["sql"]["relation"]
    }
    there = {
        (record["relation"], tuple(zip(shapes[record["relation"]], record["cells"], strict=True)))
        for record in world(name).rows["sql"]["record"]
    }

    assert 3 <= len(shapes) <= 6
    assert there == {(table, tuple(row.items())) for table, many in rows(name).items() for row in many}
    assert rows.__wrapped__(name) == rows(name)


@pytest.mark.parametrize("name", WORLDS)
def test_a_world_is_taken_by_the_app_and_its_tables_can_be_found(name: str) -> None:
    with sandbox(name) as layer:
        told = app.default.tool("run_sql").call(layer.state(app), {"statement": "SHOW TABLES"}).text
        with pytest.raises(Rejected, match="Tables: "):
            app.default.tool("run_sql").call(layer.state(app), {"statement": "SELECT * FROM no_such_table"})

    assert set(re.findall(r'"(\w+)"', told)) == {"name", *rows(name)}


_TOLD = """
import hashlib
from benchmarks.drift.sql import TEMPLATES, WORLDS, rows, world
from benchmarks.drift.template import Draw
told = [world(name).digest for name in WORLDS]
for template in TEMPLATES:
    there = rows(template.world)
    for number in range(4):
        values = template.draw(there, Draw(template.id, number))
        if values:
            told.append(repr((values, template.truth(there, {id: value.value for id, value in values.items()}))))
            told += [repr(list(slot.mentions(there, values))) for slot in template.slots]
print(hashlib.sha256("".join(told).encode()).hexdigest())
"""


def test_worlds_tasks_and_mentions_are_the_same_in_every_process() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", _TOLD],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert told[0] == told[1] != ""
