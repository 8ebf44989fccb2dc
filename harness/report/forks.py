"""The tree of forks: which trial went on from which, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from harness.core.suite import Scored, Table
from harness.record.store import trial_name
from harness.report.verdicts import primary

__all__ = ("Trials", "forks")

_COLUMNS = ("fork", "run", "agent", "condition", "trial", "status", "score")

_Node = tuple[str, str]
"""A trial: the resolved folder of its run, and its file's name without the end."""


class Trials(NamedTuple):
    """A run's trials, and where they lie."""

    label: str
    folder: Path
    trials: Sequence[Scored]


def forks(runs: Sequence[Trials]) -> list[Table]:
    """The forks of these runs, each below the trial that it went on from, earlier steps first; none without a fork.

    A parent that is in none of the runs is named as its child names it.
    """
    tree = _Tree(runs)
    if not tree.below:
        return []
    notes = ["step N: made the first N calls of the trial above again, each as it was, and went on from there"]
    if tree.elsewhere:
        notes.append("a trial without a run is of one that is not in this report")
    return [Table("Forks", _COLUMNS, list(tree.rows()), notes)]


class _Tree:
    """`below` are the forks of a trial; `elsewhere` what is said of a parent that is not reported."""

    def __init__(self, runs: Sequence[Trials]) -> None:
        self.known: dict[_Node, tuple[str, Scored]] = {}
        self.below: dict[_Node, list[_Node]] = {}
        self.elsewhere: dict[_Node, str] = {}
        for run in runs:
            folder = str(run.folder.resolve())
            for scored in run.trials:
                t = scored.trajectory
                name = trial_name(t.agent, t.condition, t.task, t.trial).removesuffix(".json")
                self.known[folder, name] = run.label, scored
        for node, (_, scored) in self.known.items():
            if parent := scored.trajectory.parent:
                above = str(Path(parent.run).resolve()), parent.trial
                self.below.setdefault(above, []).append(node)
                if above not in self.known:
                    self.elsewhere[above] = f"{parent.run}, {parent.trial}"

    def rows(self) -> Iterator[dict[str, Any]]:
        for node in [*self.elsewhere, *(node for node in self.below if node in self.known and not self._step(node))]:
            yield from self._rows(node)

    def _rows(self, node: _Node, branch: str = "", trunk: str = "") -> Iterator[dict[str, Any]]:
        """A trial and all below it. `branch` leads to it, `trunk` past it to those below."""
        yield dict(zip(_COLUMNS, self._cells(node, branch), strict=True))
        below = sorted(self.below.get(node, ()), key=lambda child: int(self._step(child) or 0))
        for n, child in enumerate(below, start=1):
            corner, past = ("└─", "  ") if n == len(below) else ("├─", "│ ")
            # No-break spaces, which neither Markdown nor a browser takes away.
            yield from self._rows(child, f"{trunk}{corner}\N{NO-BREAK SPACE}", f"{trunk}{past} ".replace(" ", "\xa0"))

    def _cells(self, node: _Node, branch: str) -> Sequence[Any]:
        if node not in self.known:
            return (self.elsewhere[node], *[None] * 6)
        label, scored = self.known[node]
        t, score = scored.trajectory, primary(scored.scores)
        step = self._step(node)
        what = f"{branch}step {step}" if step else t.task
        return what, label, t.agent, t.condition, t.trial, t.status, score and score.value

    def _step(self, node: _Node) -> str:
        """Where a trial went on from its parent, empty for one that began at the beginning."""
        parent = self.known[node][1].trajectory.parent
        return str(parent.step) if parent else ""
