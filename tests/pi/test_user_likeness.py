"""A question is heard by its likeness to others that asked for the same."""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys

import numpy as np
import pytest

from servers.kernel import Intent
from userssim.intents.asking import stems
from userssim.intents.likeness import likeness
from userssim.intents.rules import asked

ASKING = (
    "Which calendar of holidays applies?",
    "Whose holidays are skipped, those of London too?",
    "Do the holidays of London apply to the calendar?",
    "Which holidays have to be skipped in the calendar?",
)
BESIDE = (
    "Which file name do you want?",
    "What is the name of the file that has the curve?",
    "Shall the file of the curve have a version in its name?",
    "How many digits do the rates in the file have?",
)
HOLIDAYS = Intent(
    id="holidays", text="", says="Skip London's.", cues=(("holiday",),), not_cues=(("leave",),),
    asking=ASKING, beside=BESIDE,
)  # fmt: skip


def test_a_question_without_any_cue_is_heard_if_it_is_like_those_that_ask() -> None:
    assert asked(HOLIDAYS, "Which of the calendars applies, that of London too?")


def test_a_question_with_the_cues_is_not_heard_if_it_is_unlike_those_that_ask() -> None:
    assert not asked(HOLIDAYS, "How many digits do the rates of a holiday have in the file?")


def test_a_question_with_the_cues_needs_less_likeness() -> None:
    question = "Is a holiday something to be skipped?"

    assert asked(HOLIDAYS, question)
    assert not asked(HOLIDAYS, question.replace("a holiday", "a Monday"))


def test_without_examples_cues_alone_decide() -> None:
    plain = Intent(id="holidays", text="", says="", cues=HOLIDAYS.cues, not_cues=HOLIDAYS.not_cues)

    assert asked(plain, "What is the name of the holiday file?")
    assert not asked(plain, "Which of the calendars applies, that of London too?")


def test_a_report_is_worth_nothing_and_what_it_asks_besides_is_weighed_alone() -> None:
    report = "The calendar skips the holidays of London. Anything else that you want changed?"

    assert likeness(report, ASKING, BESIDE) == 0
    assert likeness(f"{report} Which holidays have to be skipped?", ASKING, BESIDE) > 0.5


def test_what_shares_no_word_with_any_example_is_worth_nothing() -> None:
    assert likeness("Quux, zorgle?", ASKING, BESIDE) == 0


def test_a_question_is_found_among_many_others_in_a_long_message() -> None:
    others = "I have drawn the plot with two axes, one of them in grey. " * 20

    assert likeness(f"{others}\n\n{ASKING[3]}", ASKING, BESIDE) > 0.5
    assert likeness(others, ASKING, BESIDE) < 0.2


def test_a_long_message_that_asks_nothing_is_like_nothing() -> None:
    said = "The calendar of holidays applies, those of London are skipped. " * 12

    assert likeness(said, ASKING, BESIDE) == 0


def test_the_order_of_the_examples_does_not_matter() -> None:
    found = {
        likeness("Which calendar has to be skipped?", one, other)
        for one in itertools.permutations(ASKING)
        for other in (BESIDE, BESIDE[::-1])
    }

    assert len(found) == 1


def test_it_is_what_least_squares_with_noise_give() -> None:
    """By plain arithmetic over dense rows: w = X'(XX' + I)^-1 y, worth = x w."""
    texts = [*ASKING, *BESIDE]
    names = sorted({name for text in texts for name in _counted(text)})
    seen = {name: sum(name in _counted(text) for text in texts) for name in names}
    rarity = {name: 1 + math.log(9 / (1 + seen[name])) for name in names if seen[name] > 1}

    def row(text: str) -> np.ndarray:
        found = np.zeros(len(rarity))
        for letters in (False, True):
            part = np.array(
                [
                    (1 + math.log(_counted(text)[name])) * weight
                    if name in _counted(text) and name.startswith("~") == letters
                    else 0
                    for name, weight in rarity.items()
                ]
            )
            found += part / np.linalg.norm(part)
        return found

    rows = np.array([row(text) for text in texts])
    weights = rows.T @ np.linalg.solve(rows @ rows.T + np.eye(8), np.array([1.0] * 4 + [0.0] * 4))
    question = "Which holidays does the file have to skip?"

    assert likeness(question, ASKING, BESIDE) == pytest.approx(row(question) @ weights, abs=1e-4)


def _counted(text: str) -> dict[str, int]:
    words = stems(text)
    found = [*words, *(f"{one} {other}" for one, other in itertools.pairwise(words))]
    for word in (f" {word} " for word in words):
        found += [f"~{word[at : at + size]}" for size in (3, 4, 5) for at in range(len(word) - size + 1)]
    return {name: found.count(name) for name in found}


@pytest.mark.parametrize("seed", ["0", "1"])
def test_it_is_the_same_in_another_process(seed: str) -> None:
    code = (
        "from tests.pi.test_user_likeness import ASKING, BESIDE; from userssim.intents.likeness import likeness; "
        "print(likeness('Which calendar has to be skipped?', ASKING, BESIDE))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
    )

    assert float(done.stdout) == likeness("Which calendar has to be skipped?", ASKING, BESIDE)
