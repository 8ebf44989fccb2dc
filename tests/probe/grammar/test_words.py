"""The word files: what is wrong in one is said with its place, and no list takes another's words."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.probe.grammar import causes as causes_module
from benchmarks.probe.grammar import lines
from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.entities import nouns
from benchmarks.probe.grammar.facts import FACTS, NOTED
from benchmarks.probe.grammar.lines import entries, sections
from benchmarks.probe.grammar.saying import every, wordings

LABELS = re.compile(
    r"\b(bottleneck|true positive|distractor|blocked|blocker|root cause|defeat\w*|neutral|gold)\b", re.IGNORECASE
)


@pytest.mark.parametrize("pair", [*itertools.combinations(("given", "family", "themes", "systems", "projects"), 2)])
def test_names_are_of_one_sort(pair: tuple[str, str]) -> None:
    assert not {*entries(pair[0])} & {*entries(pair[1])}


def test_no_two_sorts_of_work_are_called_alike() -> None:
    of_causes = {noun for cause in causes().values() for noun in cause.nouns}

    assert len({*entries("tasks"), *entries("inputs")}) == len(entries("tasks")) + len(entries("inputs"))
    assert not of_causes & {*entries("tasks"), *entries("inputs")}


def test_what_can_befall_a_thing_is_often_one_of_several() -> None:
    befall = Counter(noun for cause in causes().values() for noun in cause.nouns)

    assert sum(count > 1 for count in befall.values()) > 0.5 * len(befall)


def test_shorter_names_are_no_full_ones() -> None:
    assert not {*nouns()} & {*entries("catchwords"), *entries("nicknamed works")}
    assert not {*entries("nicknames")} & {each.lower() for each in entries("themes")}


@pytest.mark.parametrize("kind", [*FACTS, *NOTED])
def test_no_wording_is_a_mere_list(kind: str) -> None:
    assert not [each for each in wordings(kind) if re.match(r"\{[a-z]+\}:", each) or not each.endswith(".")]
    assert not [each for each in wordings(kind) if not re.match(r"[a-z{]|I ", each)]


@pytest.mark.parametrize("kind", [*FACTS, *NOTED])
def test_no_wording_names_a_label(kind: str) -> None:
    assert not [wording for wording, _ in every(kind) if LABELS.search(wording)]


def test_every_cause_is_told_in_four_ways() -> None:
    assert {name: len(set(cause.why)) for name, cause in causes().items() if len(set(cause.why)) != 4} == {}
    assert all(clause.count("{object}") == 1 for cause in causes().values() for clause in cause.why)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("word", "broken.txt:1: expected a [section] first"),
        ("[one]\nword\n[one]\n", r"broken.txt:3: section [one] occurs twice"),
    ],
)
def test_a_broken_word_file_is_refused_with_its_line(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.txt").write_text(text, encoding="utf-8")
    monkeypatch.setattr(lines, "__file__", str(tmp_path / "lines.py"))

    with pytest.raises(ValueError, match=re.escape(said)):
        sections("broken.txt")


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"x/y": ("action: bake_bread", "nouns: a", "why: b", "easy: c", "medium: d", "hard: e")}, "not a category"),
        ({"x/y": ("action: send_email",)}, r"causes.txt [x/y]: lacks nouns, why, easy, medium, hard"),
        ({"x/y": ("colour: red",)}, "unknown field 'colour'"),
    ],
)
def test_a_broken_cause_is_refused_by_name(
    broken: dict[str, tuple[str, ...]], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(causes_module, "sections", lambda name: broken)

    with pytest.raises(ValueError, match=re.escape(said)):
        causes.__wrapped__()


def test_a_wording_that_lacks_a_slot_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.probe.grammar.saying.sections", lambda name: {"run": ("{desk} is open.",)})

    with pytest.raises(ValueError, match="should have the slots desk, person"):
        wordings.__wrapped__("run")
