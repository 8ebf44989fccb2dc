"""Faulty requests written by hand: `benchmarks/drift/hand`, a file for each environment, one request a line.

A line names a task, a strategy of its template and the text. What it costs is worked out from the strategy, and the
text passes the validators that all others pass. A line that does not is no reason to leave it out: somebody has to
mend it, so all of them are named together with what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from benchmarks.drift.build.context import Context
from benchmarks.drift.build.records import HandText, Place
from benchmarks.drift.drawn import Drawn
from benchmarks.drift.faults import Fails, validate
from benchmarks.drift.faults.catalogue import category
from benchmarks.drift.faults.making import of_text, way
from benchmarks.drift.frames import Variant, read
from benchmarks.drift.need import Refused, cost_of
from harness.cli.problems import CallProblem

__all__ = ("HAND", "by_hand", "made_of")

HAND: Final = Path(__file__).parents[1] / "hand"
"""Of each environment the requests that were written by hand."""


def by_hand(context: Context) -> Mapping[Place, Variant]:
    """All of them by their place. Raises `CallProblem`, which names every line that does not hold, and `SuiteError`."""
    found: dict[Place, Variant] = {}
    problems: list[str] = []
    if context.config.hand:
        for name, pool in context.pools.items():
            path = HAND / f"{name}.jsonl"
            known = {task.id: task for task in pool.released}
            for number, line in _lines(path):
                try:
                    one = _held(line, known, found)
                except (Refused, Fails, ValueError, KeyError) as problem:
                    told = problem.args[0] if isinstance(problem, KeyError) else problem
                    problems.append(f"{path.name}:{number}: {told}")
                else:
                    found[one.task, one.category] = one
    if problems:
        listed = "".join(f"\n  {each}" for each in problems)
        raise CallProblem(f"{len(problems)} of the requests written by hand do not hold:{listed}")
    return found


def made_of(line: HandText, task: Drawn) -> Variant:
    """The variant of a line. Raises `Refused`, `Fails`, or KeyError where the template has no such strategy."""
    slot, mention = way(task, line.strategy, line.words)
    spent = cost_of(task.template, task.rows, task.values, slot, mention)
    made = of_text(task, slot, mention, line.text, line.words, spent, "hand")
    validate(task, made, mention, slot)
    return made


def _lines(path: Path) -> Iterator[tuple[int, HandText]]:
    return enumerate(read(path, HandText), 1) if path.exists() else iter(())


def _held(line: HandText, known: Mapping[str, Drawn], found: Mapping[Place, Variant]) -> Variant:
    if line.task not in known:
        raise ValueError(f"{line.task} is not among the {len(known)} released tasks of its environment")
    kind = category(line.strategy.id)
    if (line.task, kind) in found:
        raise ValueError(f"{line.task} has two requests with a fault of {kind}; keep one")
    if any(line.text == other.text for other in found.values()):
        raise ValueError(f"another line has the same text: {line.text!r}")
    return made_of(line, known[line.task])
