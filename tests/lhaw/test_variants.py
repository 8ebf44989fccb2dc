from __future__ import annotations

from typing import Any

import pytest

from benchmarks.lhaw.variants import Refused, Withheld, designed_class, grounded, opaque, variant, withheld
from harness.task import SessionLimits, Slot, Task
from tests.lhaw.scenes import ASSIGNEE, DAY, HANDOVER, LENGTH, NOW, RECIPIENT, REQUEST, TITLE, source


def tried(task: Task, **options: Any) -> list[Withheld | Refused]:
    return list(withheld(task, grounded(task), NOW, **options))


def kept(task: Task, **options: Any) -> list[Withheld]:
    return [each for each in tried(task, **options) if isinstance(each, Withheld)]


def reasons(task: Task) -> list[str]:
    return [each.reason for each in tried(task) if isinstance(each, Refused)]


def every(task: Task) -> list[Task]:
    return [
        variant(
            task,
            opaque(task.id, each.severity, [slot.name for slot in each.slots]),
            each.left.request,
            each.left.withheld,
            {"severity": each.severity},
        )
        for each in kept(task)
    ]


def test_a_variant_keeps_the_task_and_withholds_segments_from_one_prompt() -> None:
    (made, *_) = every(source())
    session = made.sessions[0]
    gone = made.withheld["underspecified"]

    assert (made.ends, made.solution, made.template) == (source().ends, source().solution, "send")
    assert session.requests["original"] == REQUEST
    assert session.requests["underspecified"] == session.briefs["underspecified"].sent != REQUEST
    assert session.briefs["underspecified"].intent == REQUEST
    assert tuple(segment.id for segment in session.briefs["underspecified"].withheld) == gone
    assert session.briefs["original"].withheld == ()
    assert set(made.known("underspecified")) == {"recipient", "title", "day"} - set(gone)
    assert made.facts["severity"] == "genericize"


def test_a_variant_keeps_the_limits_of_its_session() -> None:
    bare = source()
    limited = bare.sessions[0].model_copy(update={"limits": SessionLimits(tool_calls=9), "now": NOW})
    (made, *_) = every(bare.model_copy(update={"sessions": (limited,)}))

    assert (made.sessions[0].limits.tool_calls, made.sessions[0].now) == (9, NOW)


def test_one_and_two_segments_are_withheld_at_every_severity() -> None:
    made = kept(source(request=HANDOVER, slots=(ASSIGNEE, LENGTH)))

    assert {(each.severity, len(each.slots)) for each in made} == {
        (how, count) for how in ("delete", "vagify", "genericize") for count in (1, 2)
    }


def test_max_segments_and_severity_bound_what_is_made() -> None:
    made = kept(source(request=HANDOVER, slots=(ASSIGNEE, LENGTH)), max_segments=1, severity=("vagify",))

    assert [(each.severity, [slot.name for slot in each.slots]) for each in made] == [
        ("vagify", [name]) for name in ("length", "recipient")
    ]


def test_an_id_tells_neither_value_nor_variant() -> None:
    for made in every(source()):
        assert made.id.startswith("task-")
        hidden = ["priya", "budget", "recipient", "title", "delete", "vagify", "genericize", "source"]
        assert not any(word in made.id.casefold() for word in hidden)


def test_ids_differ_and_do_not_depend_on_the_withheld_value() -> None:
    other = RECIPIENT.model_copy(update={"text": "Aurelio", "value": "aurelio"})
    twin = source(request=REQUEST.replace("Priya", "Aurelio"), slots=(other, TITLE, DAY))

    ids = [made.id for made in every(source())]

    assert len(set(ids)) == len(ids)
    assert ids == [made.id for made in every(twin)]


def test_segments_come_in_order_of_priority_and_without_use_they_do_not_come() -> None:
    unused = Slot(name="tone", kind="tone", text="friendly", dimension="goal", subdimension="format")
    idle = DAY.model_copy(update={"name": "idle", "criticality": 0.0})

    assert [slot.name for slot in grounded(source(slots=(DAY, TITLE, unused, idle, RECIPIENT)))] == [
        "recipient",
        "day",
        "title",
    ]


def test_what_is_complete_without_a_slot_is_not_deleted() -> None:
    whole = source(request=HANDOVER, slots=(ASSIGNEE.model_copy(update={"complete_without": True}),))

    assert {each.severity for each in kept(whole)} == {"vagify", "genericize"}
    assert reasons(whole) == ["deletion leaves a complete request"]


def test_two_phrases_that_stand_for_someone_or_something_are_refused_together() -> None:
    two = source(slots=(ASSIGNEE, TITLE))

    assert {each.severity for each in kept(two) if len(each.slots) == 2} == {"delete"}
    assert reasons(two).count("two stand-ins") == 2


def test_a_variant_that_leaks_is_refused_with_the_place() -> None:
    leaking = source(request=f"{HANDOVER} Her address is priya.shah@example.test.", slots=(ASSIGNEE,))

    assert reasons(leaking) == ["leaks the value of recipient: 'priya' gives away 'Priya'"] * 3


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([(1.0, 0.0)], "outcome-critical"),
        ([(1.0, 0.5)], "divergent"),
        ([(0.5, 0.0)], "divergent"),
        ([(1.0, 1.0)], "benign"),
        ([(1.0, 1.0), (1.0, 0.0)], "outcome-critical"),
        ([(1.0, 1.0), (1.0, 0.5)], "divergent"),
    ],
)
def test_the_designed_class_follows_from_criticality_and_guessability(
    records: list[tuple[float, float]], expected: str
) -> None:
    slots = [TITLE.model_copy(update={"criticality": c, "guessability": g}) for c, g in records]

    assert designed_class(slots) == expected
