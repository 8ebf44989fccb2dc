"""Tasks as they are played, and the lines that the pipeline writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.drift.build.records import Refusal
from benchmarks.drift.drawn import clean, drawn, numbers, pool
from benchmarks.drift.environments import Place, environments
from benchmarks.drift.faults.making import frame
from benchmarks.drift.frames import Frame, Variant, read, write
from benchmarks.drift.need import NEEDY, ending
from benchmarks.drift.release import read_released
from benchmarks.drift.tasks import FAULTY, INFORMED, NOISE, built, readings
from harness.play.sampling import few
from harness.suite import SuiteError
from harness.wiring import suite
from tests.drift.place import COUNTS, MOVE, PLACE

BUILT = built([PLACE], COUNTS)


def test_tasks_are_spread_evenly_over_templates_and_none_is_there_twice() -> None:
    assert numbers(3, 8) == [3, 3, 2]
    assert len({task.id for task in BUILT.clean}) == len(BUILT.clean) == COUNTS["sql"]
    assert len({each.task.id for each in BUILT.faulty}) == len(BUILT.faulty)


def test_a_sample_of_three_has_a_request_of_each_environment() -> None:
    whole = suite("drift-workplace")
    there = [task for task in whole.tasks if task.id not in whole.aside]
    for seed in range(9):
        sample = few(there, None, 3, seed, whole.spread)

        assert sorted(task.facts["environment"] for task in sample) == ["apis", "sql", "terminal"]


def test_without_environments_there_is_nothing() -> None:
    assert built([]).faulty == ()


def test_a_variant_has_the_whole_request_the_faulty_one_and_the_one_set_right() -> None:
    for each in BUILT.faulty:
        requests = each.task.sessions[0].requests

        assert requests["original"] == each.task.sessions[0].briefs["original"].sent
        assert requests[FAULTY] == each.variant.text
        assert requests[INFORMED].startswith(f"{requests[FAULTY]}\n\n")
        for hidden in each.variant.hidden:
            assert hidden.text in requests[INFORMED].removeprefix(requests[FAULTY])


def test_what_a_variant_withholds_is_what_its_user_knows() -> None:
    for each in BUILT.faulty:
        brief = each.task.sessions[0].briefs[FAULTY]

        assert {segment.id for segment in brief.withheld} == {hidden.slot for hidden in each.variant.hidden}
        assert each.task.withheld[FAULTY] == tuple(sorted(hidden.slot for hidden in each.variant.hidden))
        assert bool(brief.withheld) == (each.variant.need != "robust")


def test_the_user_can_say_what_is_wrong_with_a_premise() -> None:
    premise = next(each for each in BUILT.faulty if each.variant.strategy.id == "P2")

    says = premise.task.sessions[0].briefs[FAULTY].withheld[0].slot.says
    assert says == "There is nothing called Repair the rump; what I mean is {value}"


def test_the_user_knows_what_was_only_added() -> None:
    added = next(each for each in BUILT.faulty if each.variant.added)

    noise = [segment for segment in added.task.sessions[0].briefs[FAULTY].stated if segment.id == NOISE]
    assert [segment.value for segment in noise] == [added.variant.added]


def test_facts_say_what_tables_go_by_and_ids_tell_nothing() -> None:
    for each in BUILT.faulty:
        facts = each.task.facts

        assert facts["need"] == each.variant.need
        assert (facts["luck"] <= 0.5) or facts["need"] not in NEEDY
        assert facts["fault"] not in each.task.id
        assert facts["original"] in {task.id for task in BUILT.clean}


def test_lines_come_back_as_they_were_written(tmp_path: Path) -> None:
    frames = [frame(task) for task in drawn(PLACE, MOVE, 2)]
    variants = [each.variant for each in BUILT.faulty]
    write(frames, tmp_path / "frames.jsonl")
    write(variants, tmp_path / "variants.jsonl")

    assert read(tmp_path / "frames.jsonl", Frame) == frames
    assert read(tmp_path / "variants.jsonl", Variant) == variants


def test_a_refusal_that_quotes_another_line_end_is_one_line(tmp_path: Path) -> None:
    said = Refusal(phase="texts", task="task-1", reason="words: 'one\u2028two' does not stand in it")
    write([said], tmp_path / "refused.jsonl")

    assert read(tmp_path / "refused.jsonl", Refusal) == [said]


def test_a_line_that_is_none_is_named_with_its_field(tmp_path: Path) -> None:
    file = tmp_path / "variants.jsonl"
    broken = BUILT.faulty[0].variant.model_dump_json().replace('"luck":', '"lucky":')
    file.write_text(f"\n{broken}\n", encoding="utf-8")

    with pytest.raises(SuiteError, match=r"variants.jsonl:2: luck: Field required"):
        read(file, Variant)


def test_the_pool_begins_with_what_is_released_whatever_its_size() -> None:
    small, large = pool(PLACE, 12), pool(PLACE, 12, 1.5)

    assert (small.rest, len(large.rest)) == ((), 6)
    assert [task.id for task in large.released] == [task.id for task in small.released]
    assert not {task.id for task in large.rest} & {task.id for task in large.released}


def test_released_tasks_that_are_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"sql-tasks\.jsonl cannot be read: No such file"):
        read_released("sql", tmp_path)


@pytest.mark.parametrize("place", environments(), ids=lambda place: place.name)
def test_the_files_of_an_environment_are_what_its_templates_make(place: Place) -> None:
    found = read_released(place.name)
    first = place.templates[0]
    mine = {task.id: task for task in found.clean if task.template == first.id}
    made = {each.id: clean(each) for each in drawn(place, first, 40)}

    assert mine
    assert {id: task.hash for id, task in mine.items()} == {id: made[id].hash for id in mine}


@pytest.mark.parametrize("place", environments(), ids=lambda place: place.name)
def test_released_variants_have_the_readings_that_they_declare(place: Place) -> None:
    found = read_released(place.name)

    for template in place.templates[::4]:
        tasks = {each.id: each for each in drawn(place, template, 12)}
        mine = [each for each in found.faulty if each.variant.hidden and each.variant.task in tasks]
        assert mine
        for each in mine:
            options = readings(tasks[each.variant.task], each.variant)
            assert len({ending(option.outcome) for option in options}) == each.variant.k
