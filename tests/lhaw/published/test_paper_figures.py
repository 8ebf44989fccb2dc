"""The paper's own counts, put into arms, give its own quotients: tables 3 and 14, with the trials of table 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from benchmarks.lhaw import metrics
from benchmarks.lhaw.metrics import Arm
from harness.suite import Scored
from harness.task import Task
from tests.lhaw.scenes import trial, variant

VARIANTS, TRIALS = 100, 3
WITHOUT, WITH = "underspecified", "underspecified+ask"


class Line(NamedTuple):
    """A line of table 3: pass@3 and Ckpt% without the user, what the user adds, and how much was asked.

    `asking` counts trials with questions, `each` is Avg/Traj, the mean over those; `printed` are both Gain/Q.
    """

    passes: int
    passes_gain: int
    ckpt: float
    ckpt_gain: float
    asking: int
    each: float
    printed: tuple[float, float]

    @property
    def questions(self) -> int:
        return round(self.asking * self.each)


MCP_ATLAS = {
    "Claude Opus 4.5": Line(47, 31, 47.9, 23.1, 188, 1.10, (0.15, 0.11)),
    "Gemini 3 Pro": Line(46, 26, 46.1, 21.0, 153, 1.06, (0.16, 0.13)),
    "GPT-5.2": Line(42, 32, 39.7, 22.8, 280, 1.73, (0.07, 0.05)),
    "Claude Sonnet 4.5": Line(39, 32, 39.3, 23.3, 167, 1.11, (0.17, 0.13)),
    "Gemini 3 Flash": Line(44, 21, 44.9, 17.1, 132, 1.05, (0.15, 0.12)),
}
"""Table 3; trials with questions from table 4."""

ASKING = {
    "Claude Opus 4.5": 73, "Gemini 3 Pro": 63, "GPT-5.2": 97, "Claude Sonnet 4.5": 73, "Gemini 3 Flash": 50,
}  # fmt: skip
"""Ask% of MCP-Atlas as table 3 prints it."""

SWE_BENCH_PRO = {
    "Gemini 3 Pro": Line(69, 4, 47.8, 7.5, 36, 1.89, (0.06, 0.11)),
    "GPT-5.2": Line(69, 22, 62.3, 8.1, 243, 1.18, (0.08, 0.03)),
    "Claude Sonnet 4.5": Line(79, 0, 63.2, 4.9, 33, 1.00, (0.00, 0.15)),
}
"""Table 3; trials with questions are its Ask% of 300. Gemini 3 Flash asked nothing there."""

PERSONAS = {
    "Original": (186, 23.3, 0.13),
    "Supervisor": (266, 25.6, 0.09),
    "Standard": (241, 23.8, 0.10),
    "Executive": (124, 16.7, 0.13),
}
"""Table 14, Claude Sonnet 4.5 on MCP-Atlas: questions, what they add to a Ckpt% of 39.3, and Gain%/Q as printed."""

EXCEPTION = "Supervisor"
"""25.6 / 266 is 0.096, which table 14 prints as 0.09."""


def arms(line: Line) -> tuple[Arm, Arm]:
    """Three trials of each of 100 variants, without the user and with, that have a line's counts.

    The first so many variants have one right trial each, every trial has the mean checkpoint score, and questions go to
    the first so many trials, one after the other until there are none left.
    """
    tasks: list[Task] = [variant(f"v{n:03}", changes=metrics.CHECKPOINTS) for n in range(VARIANTS)]
    asked = [0] * (VARIANTS * TRIALS)
    for n in range(line.questions):
        asked[n % line.asking] += 1
    scored: list[Scored] = []
    for condition, passes, ckpt in (
        (WITHOUT, line.passes, line.ckpt),
        (WITH, line.passes + line.passes_gain, line.ckpt + line.ckpt_gain),
    ):
        for n, task in enumerate(tasks):
            for number in range(TRIALS):
                questions: Sequence[Sequence[str]] = [["recipient"]] * asked[n * TRIALS + number]
                right = number == 0 and n < passes
                told = questions if condition == WITH else ()
                scored.append(trial(task.id, condition, number, right, questions=told, ckpt=ckpt / 100))
    found = metrics.arms(tasks, scored)["reference"]
    return found[WITHOUT], found[WITH]


@pytest.mark.parametrize("model", MCP_ATLAS)
def test_both_gains_per_question_of_mcp_atlas_are_those_of_table_3(model: str) -> None:
    line = MCP_ATLAS[model]
    without, asking = arms(line)
    gains = (metrics.gain(without, asking).value, metrics.ckpt_gain(without, asking).value)

    assert gains == pytest.approx((line.passes_gain / 100, line.ckpt_gain / 100))
    assert round(metrics.questions_per_asking_trial(asking) or 0, 2) == line.each
    assert tuple(round(metrics.gain_per_question(gain, asking) or 0, 2) for gain in gains) == line.printed


@pytest.mark.parametrize("model", SWE_BENCH_PRO)
def test_both_gains_per_question_of_swe_bench_pro_are_those_of_table_3(model: str) -> None:
    line = SWE_BENCH_PRO[model]
    without, asking = arms(line)
    gains = (metrics.gain(without, asking).value, metrics.ckpt_gain(without, asking).value)

    assert gains == pytest.approx((line.passes_gain / 100, line.ckpt_gain / 100))
    assert tuple(round(metrics.gain_per_question(gain, asking) or 0, 2) for gain in gains) == line.printed


def test_a_model_that_asked_nothing_has_no_gain_per_question_where_table_3_prints_zero() -> None:
    without, asking = arms(Line(73, -1, 43.5, 7.0, 0, 0.0, (0.0, 0.0)))

    assert metrics.gain_per_question(metrics.ckpt_gain(without, asking).value, asking) is None


@pytest.mark.parametrize("model", MCP_ATLAS)
def test_pass_at_3_and_ckpt_are_those_of_table_3(model: str) -> None:
    line = MCP_ATLAS[model]
    without, asking = arms(line)

    assert metrics.pass_rate(without).value == pytest.approx(line.passes / 100)
    assert metrics.pass_rate(asking).value == pytest.approx((line.passes + line.passes_gain) / 100)
    assert metrics.ckpt(without).value == pytest.approx(line.ckpt / 100)


def test_asking_trials_of_table_4_do_not_make_the_shares_that_table_3_prints() -> None:
    shares = {model: round(100 * (metrics.ask_rate(arms(line)[1]).value or 0)) for model, line in MCP_ATLAS.items()}

    assert list(shares.values()) == [63, 51, 93, 56, 44]
    assert [model for model in shares if shares[model] == ASKING[model]] == []


def persona(name: str) -> float:
    questions, gain, _ = PERSONAS[name]
    without, asking = arms(Line(39, 32, 39.3, gain, questions, 1.0, (0.0, 0.0)))
    found = metrics.gain_per_question(metrics.ckpt_gain(without, asking).value, asking)
    assert found is not None
    assert metrics.calls(asking) == questions
    return found


@pytest.mark.parametrize("name", [name for name in PERSONAS if name != EXCEPTION])
def test_gain_per_question_by_persona_is_that_of_table_14(name: str) -> None:
    assert round(persona(name), 2) == PERSONAS[name][2]


def test_the_supervisor_of_table_14_is_rounded_the_other_way() -> None:
    found = persona(EXCEPTION)

    assert found == pytest.approx(0.0962, abs=0.0001)
    assert round(found, 2) == 0.10 != PERSONAS[EXCEPTION][2]
