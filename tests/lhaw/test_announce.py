from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.lhaw.suite import short, workplace
from benchmarks.workbench.synth.suite import load
from benchmarks.workflows.suite import load as workflows
from harness.scoring.stats import Interval
from harness.task import Task
from tests.lhaw.announce import Sentence, above, parted, read, scored, sheet


@pytest.fixture(scope="module")
def sources() -> Sequence[Task]:
    return load().tasks


@pytest.fixture(scope="module")
def sentences(sources: Sequence[Task]) -> list[Sentence]:
    return sheet(short().tasks, sources, seed=3)


def test_a_sheet_has_as_many_variants_as_plain_requests(sentences: Sequence[Sentence]) -> None:
    kinds = Counter(one.kind for one in sentences)

    assert set(kinds) == {"plain", "delete", "vagify", "genericize"}
    assert (kinds["plain"], len(sentences)) == (100, 200)
    assert len({one.text for one in sentences}) == 200


def test_plain_requests_are_of_the_variants_templates_and_no_variants_source(sentences: Sequence[Sentence]) -> None:
    full = {task.sessions[0].requests["original"] for task in short().tasks}
    plain = [one for one in sentences if one.kind == "plain"]

    assert not full & {one.text for one in plain}
    assert Counter(one.template for one in plain) == Counter(one.template for one in sentences if one not in plain)


def test_a_plain_request_has_another_wording_than_the_variants_of_its_template(
    sentences: Sequence[Sentence], sources: Sequence[Task]
) -> None:
    wordings = {(task.template, task.facts["wording"]) for task in short().tasks}
    worded = {task.sessions[0].requests["original"]: (task.template, task.facts["wording"]) for task in sources}

    assert not wordings & {worded[one.text] for one in sentences if one.kind == "plain"}


def test_the_seed_decides_what_is_read_and_in_which_order(
    sentences: Sequence[Sentence], sources: Sequence[Task]
) -> None:
    assert sheet(short().tasks, sources, seed=3) == sentences
    assert sheet(short().tasks, sources, seed=4) != sentences


@pytest.fixture(scope="module")
def parts() -> list[Sentence]:
    return parted(workplace().tasks, workflows().tasks, seed=3)


def test_a_part_has_every_long_request_once_and_half_of_them_as_variants(parts: Sequence[Sentence]) -> None:
    templates = Counter(task.template for task in workflows().tasks)

    for part in range(1, 7):
        read_by_one = [one for one in parts if one.part == part]
        assert Counter(one.template for one in read_by_one) == templates
        assert sum(one.kind == "plain" for one in read_by_one) == 18
    assert len(parts) == 6 * 36


def test_no_request_of_a_part_stands_beside_its_twin(parts: Sequence[Sentence]) -> None:
    source = {task.sessions[0].requests["underspecified"]: task.sessions[0].requests["original"]
              for task in workplace().tasks}  # fmt: skip

    for part in range(1, 7):
        texts = [source.get(one.text, one.text) for one in parts if one.part == part]
        assert len(set(texts)) == len(texts)
    variants = [one.text for one in parts if one.kind != "plain"]
    assert len(set(variants)) == len(variants)


def test_more_parts_than_variants_last_for_are_refused() -> None:
    with pytest.raises(ValueError, match="too few variants for 30 parts"):
        parted(workplace().tasks, workflows().tasks, seed=3, parts=30)


KEY = [
    Sentence(f"{kind} {n}", kind, f"t{n}") for kind in ("plain", "delete", "vagify", "genericize") for n in range(10)
]


def test_shares_are_of_readers_and_of_kinds_that_go_together() -> None:
    shares = [0.5 if one.kind == "delete" else 1.0 if one.kind == "genericize" else 0.0 for one in KEY]

    found = scored(KEY, shares)

    assert {group: (share.value, share.n, share.clusters) for group, share in found.items()} == {
        "plain": (0.0, 10, 10),
        "delete and vagify": (0.25, 20, 10),
        "genericize": (1.0, 10, 10),
    }


def test_a_difference_has_the_interval_of_both_shares() -> None:
    def share(value: float, low: float | None, high: float | None) -> Interval:
        return Interval(value, low, high, 100, 100, "template")

    found = above(share(0.5, 0.46, 0.53), share(0.3, 0.26, 0.33))

    assert found == pytest.approx((0.2, 0.15, 0.25))
    assert above(share(0.5, None, None), share(0.3, 0.2, 0.4)) == pytest.approx((0.2, None, None))


def test_a_reading_counts_each_reader_once(tmp_path: Path) -> None:
    (tmp_path / "readers").mkdir()
    for name, said in (("a", {"1": True, "2": True}), ("b", {"1": False, "2": True})):
        (tmp_path / "readers" / f"{name}.json").write_text(json.dumps(said), encoding="utf-8")

    assert read(tmp_path, [1, 1]) == [0.5, 1.0]


def test_each_part_may_have_readers_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "readers").mkdir()
    for name, said in (("a", {"1": True}), ("b", {"1": False}), ("c", {"2": True, "3": False})):
        (tmp_path / "readers" / f"{name}.json").write_text(json.dumps(said), encoding="utf-8")

    assert read(tmp_path, [1, 2, 2]) == [0.5, 1.0, 0.0]
    with pytest.raises(ValueError, match="nobody has read number 4, of part 3"):
        read(tmp_path, [1, 2, 2, 3])


@pytest.mark.parametrize("said", [{"1": True}, {"1": True, "2": "no"}, {"1": True, "3": False}])
def test_a_reader_who_left_something_out_is_named(tmp_path: Path, said: dict[str, object]) -> None:
    (tmp_path / "readers").mkdir()
    (tmp_path / "readers" / "hasty.json").write_text(json.dumps(said), encoding="utf-8")

    with pytest.raises(ValueError, match="hasty"):
        read(tmp_path, [1, 1])


def test_nobody_has_read_yet(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no reader"):
        read(tmp_path, [1, 1])
