"""How often intervals hold a value that is known: `python -m tests.voi.coverage` plays 200 questions worth 0.5 each."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from harness.play.branching.play import play_branches
from harness.play.run import evaluate
from harness.report.voi import Valuation, valued
from harness.scoring.stats import Interval, paired
from tests.harness import toy
from tests.voi.scene import Scene, config, lucky, planned_of, task

VALUE, WITH, WITHOUT = 0.5, 0.75, 0.25


def played(questions: int, continuations: int, folder: Path, seed: int) -> Valuation:
    """A question a task, each worth 0.5: right three times of four with the answer, once without."""
    over = toy.suite([task(n % 12).model_copy(update={"id": f"job-{n}"}) for n in range(questions)])
    wiring = Scene(over, lucky(seed, WITH, WITHOUT))
    parent = evaluate(config(model=True), over, wiring, folder / "parent", concurrency=1)
    planned = replace(planned_of(parent, over, continuations=continuations), cases=[], cases_there=0)
    run = play_branches(planned, over, wiring, folder / "voi", concurrency=1)
    return valued(planned, over, run.records())


def means(questions: int, continuations: int, repeats: int) -> Sequence[Interval]:
    """The mean's interval, from outcomes drawn as those of `played` come about."""
    draw = Random(11)

    def share(chance: float) -> float:
        return sum(draw.random() < chance for _ in range(continuations)) / continuations

    return [
        paired({f"job-{n}": [share(WITH) - share(WITHOUT)] for n in range(questions)}, "task") for _ in range(repeats)
    ]


def holding(intervals: Sequence[Interval]) -> float:
    """The share that holds the value."""
    return sum(low <= VALUE <= high for _, low, high, *_ in intervals if low is not None and high is not None) / len(
        intervals
    )


def main() -> None:
    """Print both shares, and what the played questions came to."""
    with tempfile.TemporaryDirectory() as folder:
        found = played(200, 8, Path(folder), seed=3)
    own = [each.low <= VALUE <= each.high for each in found.questions if each.low is not None and each.high is not None]
    (row,) = found.as_json()["agents"]
    mean = {name: round(row["value_of_answer"][name], 3) for name in ("value", "low", "high")}
    told = {
        "questions": len(own),
        "intervals of one question that hold it": sum(own) / len(own),
        "mean of the questions": mean,
        "intervals of the mean that hold it, of 400": holding(means(200, 8, 400)),
    }
    sys.stdout.write(f"{json.dumps(told)}\n")


if __name__ == "__main__":
    main()
