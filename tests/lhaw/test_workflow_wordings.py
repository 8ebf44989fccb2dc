"""The rules for requests of workflows: all are of use, and what they leave is sound and gives nothing away."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from benchmarks.lhaw import rewrite as module
from benchmarks.lhaw.leaks import leaks
from benchmarks.lhaw.rewrite import GAPS, SEVERITIES, Rewritten, Severity, Unnatural, crowded, rewrite, ways
from benchmarks.workflows.flow import Flow
from benchmarks.workflows.layout import office
from benchmarks.workflows.suite import all_flows, load
from harness.task import Slot, Task
from tests.lhaw import wordings
from userssim.wish import holds

BOOK = yaml.safe_load((Path(module.__file__).parent / "workflow_phrases.yaml").read_text(encoding="utf-8"))
BLANKS = re.compile(
    r"\b(?:relevant|appropriate|suitable|suitably|certain|specific|respective|particular|concerned|unspecified|tbd"
    r"|somebody|some person|some people|someone or other|something|in question|to be (?:decided|determined|confirmed)"
    r"|(?:some|an?) (?:amount|number|date|value|threshold|limit|length))\b",
    re.IGNORECASE,
)


@cache
def tasks() -> Sequence[Task]:
    """The suite's, made for these tests and not whenever tests are collected: that takes a second or two."""
    return load().tasks


class Left(NamedTuple):
    task: Task
    slot: Slot
    severity: Severity
    made: Rewritten

    @property
    def full(self) -> str:
        return full(self.task)


def full(task: Task) -> str:
    return task.sessions[0].requests["original"]


def ruled(task: Task, severity: Severity) -> list[Slot]:
    """The slots that the book has a rule for at that severity, in the task's wording."""
    return [slot for slot in task.slots if _fits(task, slot, severity)]


def _fits(task: Task, slot: Slot, severity: Severity) -> bool:
    try:
        rewrite(full(task), [slot], severity, task=task.id, template=task.template)
    except Unnatural:
        return False
    return True


@cache
def every() -> tuple[Left, ...]:
    """Every phrase for every slot of every task."""
    return tuple(
        Left(task, slot, severity, made)
        for task in tasks()
        for severity in SEVERITIES
        for slot in ruled(task, severity)
        for made in ways(full(task), slot, severity, task=task.id, template=task.template)
    )


def test_what_each_severity_leaves_of_workflows_is_as_reviewed() -> None:
    assert wordings.WORKFLOWS.read_text(encoding="utf-8").splitlines() == list(wordings.workflow_lines()), (
        "phrases or requests changed: review `python -m tests.lhaw.wordings`"
    )


def test_every_slot_of_every_workflow_but_one_can_be_withheld_in_some_way() -> None:
    ways_of = Counter(
        (task, name) for task, name, _ in {(left.task.id, left.slot.name, left.severity) for left in every()}
    )

    kept = {(task.id, slot.name) for task in tasks() for slot in task.slots} - set(ways_of)
    assert {name for _, name in kept} == {"day"}, "a request for one day, at one hour, reads oddly without the day"
    assert set(ways_of.values()) == {1, 2, 3}


def test_where_no_phrase_is_natural_a_variant_is_refused() -> None:
    task, slot = next((t, s) for t in tasks() for s in t.slots if BOOK[t.template][s.name]["delete"] == [])

    with pytest.raises(Unnatural, match=slot.name):
        rewrite(full(task), [slot], "delete", task=task.id, template=task.template)


def test_every_rule_is_of_use_and_has_only_phrases_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str, str, int]] = []
    found_by = module._rules

    def watched(template: str, slot: Slot, severity: Severity) -> Iterator[Any]:
        for number, rule in enumerate(found_by(template, slot, severity)):
            asked.append((template, slot.name, severity, number))
            yield rule

    monkeypatch.setattr(module, "_rules", watched)
    used: set[tuple[str, str, str, int]] = set()
    for task in tasks():
        for severity in SEVERITIES:
            kept = ruled(task, severity)
            pairs = permutations(kept, 2) if severity == "delete" else ()
            for slots in [*((slot,) for slot in kept), *pairs]:
                left = full(task)
                for slot in slots:
                    found = list(ways(left, slot, severity, task=task.id, template=task.template))
                    left = found[0].request
                    *place, number = asked[-1]
                    by = BOOK[place[0]][place[1]][place[2]][number]
                    by = by["by"] if isinstance(by, dict) else by
                    used.add(asked[-1])
                    assert len(found) == (1 if isinstance(by, str) else len(by)), (task.id, by)

    assert used == {
        (template, name, severity, number)
        for template, slots in BOOK.items()
        for name, severities in slots.items()
        for severity, rules in severities.items()
        for number in range(len(rules))
    }


def test_where_nothing_is_withheld_a_request_stays_as_it_is() -> None:
    assert [module._tidy(full(task)) for task in tasks()] == [full(task) for task in tasks()]


def test_no_wording_gives_its_value_away() -> None:
    assert not [(left.task.id, left.slot.text, left.made.request) for left in every() if given_away(left)]


def given_away(left: Left) -> str:
    """The shape that is still there. The key of a person's post is no name, and a day of the month no number."""
    text, slot = left.made.request, left.slot
    if slot.kind == "person":
        slot = slot.model_copy(update={"value": slot.text})
    if slot.kind == "threshold":
        text = re.sub(r"\b\d+ (?:March|April|May|June|July)\b", "", text)
    return leaks(text, slot, office().now)


def test_a_phrase_that_says_the_value_is_found_out() -> None:
    left = next(left for left in every() if left.slot.kind == "threshold")
    said = f"{left.made.request} It is {left.slot.value}."

    assert given_away(left._replace(made=left.made._replace(request=said)))


def test_no_limit_that_papers_leave_open_is_called_the_usual_one() -> None:
    left_open = {"reorganisation", "stock-count", "renewals", "rollout", "travel-and-rooms"}
    said = re.compile(r"\busual (?:limit|tolerance|margin|allowance)\b|\blonger than usual\b")

    for left in every():
        if left.task.template in left_open and left.slot.kind == "threshold":
            assert not said.search(left.made.request), left.made.request


def test_an_hour_long_meeting_is_not_made_a_short_one() -> None:
    for left in every():
        if left.slot.kind == "duration" and left.slot.value == 60:
            assert not re.search(r"\b(?:short|quick)\b", left.made.request), left.made.request


def test_no_wording_announces_a_blank() -> None:
    for left in every():
        added = Counter(BLANKS.findall(left.made.request)) - Counter(BLANKS.findall(left.full))
        assert not added, (left.task.id, left.made.request)


def test_what_is_left_does_not_depend_on_the_value_that_went() -> None:
    flows = {flow.name: flow for flow in all_flows()}
    for task in tasks():
        for slot in task.slots:
            text = next(other_texts(flows[task.template], full(task), slot))
            other, request = slot.model_copy(update={"text": text}), full(task).replace(slot.text, text)
            for severity in (each for each in SEVERITIES if slot in ruled(task, each)):
                ours, theirs = (
                    [way.request for way in ways(asked, each, severity, task=task.id, template=task.template)]
                    for asked, each in ((full(task), slot), (request, other))
                )
                assert ours == theirs


def other_texts(flow: Flow, request: str, slot: Slot) -> Iterator[str]:
    """Values that might have been asked for instead, but for those that the request has elsewhere."""
    spec = flow.slots[slot.name]
    texts = (spec.text(option) for option in spec.options if option != slot.value)
    return (text for text in texts if text not in request)


def test_what_is_withheld_stands_word_for_word_in_the_request() -> None:
    for left in every():
        assert all(holds(left.full, lost.text) and left.slot.text in lost.text for lost in left.made.withheld)


def test_two_values_of_a_workflow_can_go_together_in_any_order() -> None:
    for task in tasks():
        for severity in SEVERITIES:
            for one, two in combinations(ruled(task, severity), 2):
                if not crowded([one, two], severity):
                    there, back = (
                        rewrite(full(task), slots, severity, task=task.id, template=task.template)
                        for slots in ([one, two], [two, one])
                    )
                    assert there.request == back.request
                    assert {lost.name for lost in there.withheld} == {one.name, two.name}


def test_all_values_of_a_workflow_that_can_be_deleted_can_be_together() -> None:
    for task in tasks():
        slots = ruled(task, "delete")
        left = rewrite(full(task), slots, "delete", task=task.id, template=task.template)
        assert len(left.withheld) == len(slots)


def test_where_the_house_knows_what_is_usual_something_can_be_supposed() -> None:
    benign = [left for left in every() if left.slot.guessability == 1]

    assert benign
    assert {left.made.gap for left in benign} == {"default"}
    generic = [left.made.request for left in benign if left.severity == "genericize"]
    assert all(re.search(r"\busual\b|\bstandard-length\b", request) for request in generic)


def test_every_rule_of_a_workflow_is_made_as_rules_are() -> None:
    rules = [rule for slots in BOOK.values() for book in slots.values() for severity in book for rule in book[severity]]

    assert {severity for slots in BOOK.values() for book in slots.values() for severity in book} == set(SEVERITIES)
    assert {key for rule in rules if isinstance(rule, dict) for key in rule} == {"match", "by", "gap"}
    assert {rule["gap"] for rule in rules if isinstance(rule, dict) and "gap" in rule} == set(GAPS) - {"shown"}
