"""Each flag on a trial that is plainly bad, one that is plainly good, and one that asked nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lhaw.flags import COMPUTED, FLAGS, check, findings
from harness.report import words
from harness.score import Verdict
from harness.task import Slot
from tests.lhaw.flags.scenes import DAY, EVENT, LIST, MAIL, TO, ask, played, variant

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "benchmarks" / "lhaw-flags.md"

BOTH = (TO, DAY)
WELL = (1, ask("to"), 1, ask("day"), MAIL, EVENT, 6)
"""Looks, asks for one value after the other, and only then writes what depends on them."""

TRIALS: dict[str, tuple[tuple[Slot, ...], tuple[Any, ...], tuple[Any, ...], str]] = {
    "missed_critical_segments": (BOTH, (ask("day"), MAIL, EVENT), WELL, "yes"),
    "wrong_dimension_focus": ((TO, LIST), (ask("list"), MAIL), (ask("to"), MAIL), "no"),
    "inferable_information_asked": ((TO, LIST), (ask("to"), ask("list"), MAIL), (ask("to"), 3, MAIL), "no"),
    "redundant_questions": (BOTH, (ask("to"), ask("to"), MAIL), WELL, "n/a"),
    "unnecessary_questions": (BOTH, (ask(kind="no_preference"), *WELL), WELL, "no"),
    "excessive_cost": (BOTH, (ask("to"), ask(), ask(), ask(), MAIL), WELL, "n/a"),
    "premature_execution": (BOTH, (MAIL, EVENT, ask("to"), ask("day")), WELL, "yes"),
    "insufficient_question_depth": (BOTH, (ask(), MAIL, EVENT), WELL, "yes"),
    "false_confidence": (BOTH, (ask("to"), MAIL, EVENT), WELL, "yes"),
    "late_clarification": (BOTH, (MAIL, EVENT, 6, ask("to"), ask("day")), WELL, "n/a"),
    "upfront_question_dump": (BOTH, (ask("to"), ask("day"), ask(), 12), (*WELL, ask(), 1), "n/a"),
}
"""By flag: what is withheld, a bad trial, a good one, and what is said of one that wrote without asking."""


def said(flag: str, steps: tuple[Any, ...]) -> str:
    return findings(variant(*TRIALS[flag][0]), played(*steps))[flag].value


def test_all_flags_that_the_record_can_tell_are_tried() -> None:
    assert set(TRIALS) == {*COMPUTED, "false_confidence"}


@pytest.mark.parametrize("flag", TRIALS)
def test_a_bad_trial_is_flagged(flag: str) -> None:
    assert said(flag, TRIALS[flag][1]) == "yes"


@pytest.mark.parametrize("flag", TRIALS)
def test_a_good_trial_is_not(flag: str) -> None:
    assert said(flag, TRIALS[flag][2]) in {"no", "n/a"}


@pytest.mark.parametrize("flag", TRIALS)
def test_a_trial_that_wrote_without_asking_is_flagged_where_asking_was_due(flag: str) -> None:
    assert said(flag, (MAIL, EVENT)) == TRIALS[flag][3]


@pytest.mark.parametrize("flag", [name for name in FLAGS if name not in COMPUTED])
def test_a_judge_that_says_yes_has_found_the_flaw(flag: str) -> None:
    trial = played(ask("to"), 1, ask("day", kind="put_off", told=()), MAIL, EVENT)
    verdicts = ({flag: [Verdict(judge="model", answer=answer)]} for answer in ("yes", "no"))
    bad, good = (check(variant(*BOTH), trial, each) for each in verdicts)

    assert flag in bad.reason
    assert flag not in good.reason
    assert (bad.criteria[0].value, good.criteria[0].value) == (0.0, 1.0)


def test_every_flag_is_explained_in_twelve_words_at_most() -> None:
    assert list(words.FLAGS) == list(FLAGS)
    assert [text for text in words.FLAGS.values() if len(text.split()) > 12 or not text.endswith(".")] == []


def test_the_page_explains_the_flags_in_the_same_words() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert dict(re.findall(r"^\| `(\w+)` \| ([^|]+\.) \|$", page, re.MULTILINE)) == dict(words.FLAGS)
