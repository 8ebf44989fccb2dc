from __future__ import annotations

from typing import Any

import pytest

from benchmarks.lhaw.variants import designed_class, grounded, make, variants
from harness.task import End, Slot, Task
from tests.lhaw.scenes import ASSIGNEE, DAY, HANDOVER, LENGTH, NOW, RECIPIENT, REQUEST, TITLE, source


def every(task: Task, **options: Any) -> list[Task]:
    return variants([task], now=NOW, per_task=100, **options)


def test_a_variant_keeps_the_task_and_withholds_segments_from_one_prompt() -> None:
    (made, *_) = variants([source()], now=NOW, per_task=1)
    session = made.sessions[0]
    gone = made.withheld["underspecified"]

    assert (made.ends, made.solution, made.template) == (source().ends, source().solution, "send")
    assert session.requests["original"] == REQUEST
    assert session.requests["underspecified"] == session.briefs["underspecified"].sent != REQUEST
    assert session.briefs["underspecified"].intent == REQUEST
    assert tuple(segment.id for segment in session.briefs["underspecified"].withheld) == gone
    assert session.briefs["original"].withheld == ()
    assert set(made.known("underspecified")) == {"recipient", "title", "day"} - set(gone)
    assert made.facts["original"] == "source-1"


def test_one_and_two_segments_are_withheld_at_every_severity() -> None:
    made = every(source(request=HANDOVER, slots=(ASSIGNEE, LENGTH)))
    found = {(task.facts["severity"], task.facts["segments"]) for task in made}

    assert found == {(how, count) for how in ("delete", "vagify", "genericize") for count in (1, 2)}


def test_max_segments_and_severity_bound_what_is_made() -> None:
    made = every(source(request=HANDOVER, slots=(ASSIGNEE, LENGTH)), max_segments=1, severity=("vagify",))

    assert {(task.facts["severity"], task.withheld["underspecified"]) for task in made} == {
        ("vagify", (name,)) for name in ("recipient", "length")
    }


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

    made = make([whole], now=NOW)

    assert {task.facts["severity"] for task in made.tasks} == {"vagify", "genericize"}
    assert made.refused == {"deletion leaves a complete request": 1}


def test_two_phrases_that_stand_for_someone_or_something_are_refused_together() -> None:
    made = make([source(slots=(ASSIGNEE, TITLE))], now=NOW, per_task=100)

    assert {task.facts["severity"] for task in made.tasks if task.facts["segments"] == 2} == {"delete"}
    assert made.refused["two stand-ins"] == 2


def test_a_variant_that_leaks_is_dropped_and_counted() -> None:
    leaking = source(request=f"{HANDOVER} Her address is priya.shah@example.test.", slots=(ASSIGNEE,))

    assert make([leaking], now=NOW).refused == {"leaks the value": 3}


def test_a_task_that_expects_nothing_is_no_source() -> None:
    idle = source().model_copy(update={"ends": (End(),)})

    made = make([idle], now=NOW)

    assert (made.tasks, made.refused) == ((), {"source without expected changes": 1})


def test_sources_per_template_and_variants_per_task_are_bounded() -> None:
    tasks = [source(f"source-{n}") for n in range(5)]

    made = variants(tasks, now=NOW, per_task=2, per_template=3)

    assert [task.facts["original"] for task in made] == [f"source-{n}" for n in range(3) for _ in range(2)]


def test_the_same_sources_make_the_same_variants() -> None:
    tasks = [source(f"source-{n}") for n in range(3)]

    assert [t.hash for t in variants(tasks, now=NOW)] == [t.hash for t in variants(tasks, now=NOW)]


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
