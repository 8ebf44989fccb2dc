"""Finished runs read for reporting, alone or side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from harness.core.counts import counted
from harness.core.suite import Headline, Scored, Suite, Table
from harness.record.belonging import belonging, check_belongs
from harness.record.files import RunError
from harness.record.judgements import judged
from harness.record.store import Run, TrialRecord
from harness.report import page as pages
from harness.report import plots
from harness.report.compare import Played, compare, differing
from harness.report.figures import Figure
from harness.report.forks import Trials, forks
from harness.report.headline import headline
from harness.report.naming import run_labels
from harness.report.order import labelled, ordered, stale
from harness.report.summary import summary
from harness.report.tables import tables
from harness.report.users import labels, titled
from servers.kernel import few_of

__all__ = ("Load", "Read", "as_json", "as_page", "compared", "parts", "read", "refused", "reopened")

Load = Callable[[str, int], Suite]
"""A suite by name and scale. Raises `SuiteError`."""


@dataclass(frozen=True)
class Read:
    """A run as it is reported, with its suite as it is now; its `records` are scored with what judges said.

    `fits` unless the suite has changed since the run was played; `forked` if its tables end with the tree of its forks.
    """

    label: str
    run: Run
    suite: Suite
    records: Sequence[TrialRecord]
    fits: bool = True
    forked: bool = False

    @classmethod
    def of(cls, run: Run, suite: Suite) -> Read:
        """A run of this very suite, with what judges said. Raises `RunError` for a record that is not of the run."""
        return cls(_name(run), run, suite, judged(run, suite, belonging(run, suite)))

    @cached_property
    def trials(self) -> Sequence[Scored]:
        """In the order of reports."""
        return ordered(self.records, self.run.head.config, self.suite)

    @cached_property
    def tables(self) -> list[Table] | None:
        """None where the suite has changed."""
        if not self.fits:
            return None
        own = tables(self.run.head.config, self.suite, self.trials)
        return own + forks([Trials(self.label, self.run.folder, self.trials)]) if self.forked else own

    @cached_property
    def headline(self) -> Headline:
        """Its first screen."""
        return headline(self.run.head.config, self.suite, self.trials)

    @property
    def first(self) -> Headline | None:
        """The same; None where no trial has ended."""
        return self.headline if self.trials else None

    @property
    def heading(self) -> str:
        title = f"{self.label}: {labelled(self.suite)}, {counted(len(self.trials), 'trial')}"
        return titled(title, labels(self.run.head.config).values())

    def summary(self) -> dict[str, Any]:
        """All of it as one JSON object."""
        return summary(self.run, self.suite, self.records, self.tables or ())

    def work_out(self) -> None:
        """Have at hand what takes longest of its page; in any thread, unlike `leave_page`, which draws."""
        if any(isinstance(table, Figure) for table in self.tables or ()):
            plots.load()

    def leave_page(self) -> Path:
        """Write its page into its folder."""
        return pages.leave(self.run, self.suite, self.trials, self.tables or ())


def _name(run: Run) -> str:
    return run.head.config.name or run.folder.name


def reopened(run: Run, load: Load) -> tuple[Suite, bool]:
    """A run's suite as it is now, and whether it still is what was played. Raises `SuiteError`."""
    suite = load(run.head.config.suite, run.head.config.scale)
    return suite, suite.digest == run.head.suite_digest


def read(folders: Sequence[Path], load: Load) -> list[Read]:
    """Runs, each with a label of its own (`run_labels`).

    Raises `RunError` for a folder given twice, and for trials of other task content than the suite's, which are
    not pooled with the others, or otherwise not of their run.
    """
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise RunError("the same run is given twice")
    runs = [Run.open(folder) for folder in folders]
    called = run_labels([_name(run) for run in runs], folders)
    found = []
    for folder, run, label in zip(folders, runs, called, strict=True):
        suite, fits = reopened(run, load)
        records = list(run.records())
        if fits and (mixed := stale(records, suite)):
            raise RunError(
                f"{folder} has trials of {counted(len(mixed), 'task')} whose content is not the suite's, and they are "
                f"not pooled: {few_of(mixed, 10)}; remove their records, or play them again"
            )
        for record in records if fits else ():
            check_belongs(record.trajectory, run.head.config, suite, folder)
        records = judged(run, suite, records) if fits else records
        found.append(Read(label, run, suite, records, fits, forked=len(folders) == 1))
    return found


def compared(runs: Sequence[Read]) -> list[Table]:
    """What differs between runs, and the tree of their forks; nothing for a single one.

    Raises `RunError` where they share no task, or tasks by name and none by content.
    """
    if len(runs) == 1:
        return []
    gone = set(refused(runs))
    played = [{scored.trajectory.task for scored in run.trials} for run in runs]
    shared = {task for n, tasks in enumerate(played) for other in played[n + 1 :] for task in tasks & other}
    if not shared:
        raise RunError("nothing to compare: no two of these runs have played the same task")
    if shared <= gone:
        raise RunError(
            f"nothing to compare: all {len(gone)} tasks that these runs share differ in content: "
            f"{few_of(sorted(gone), 10)}"
        )
    return compare(_played(runs)) + forks([Trials(each.label, each.run.folder, each.trials) for each in runs])


def refused(runs: Sequence[Read]) -> list[str]:
    """Tasks that are not compared since their content differs between runs."""
    return [row["task"] for row in differing(_played(runs))]


def as_json(runs: Sequence[Read], comparison: Sequence[Table]) -> Any:
    """One run's summary, or `runs`, a list of them, and `comparison`, each title with its rows."""
    found = [each.summary() for each in runs]
    if len(runs) == 1:
        return found[0]
    return {"runs": found, "comparison": {table.title: [dict(row) for row in table.rows] for table in comparison}}


def parts(runs: Sequence[Read], comparison: Sequence[Table]) -> list[pages.Part]:
    """All of it, the comparison first if there are several runs."""
    own = [pages.part(each.run.head, each.suite, each.trials, each.tables) for each in runs if each.tables is not None]
    if len(runs) == 1:
        return own
    facts = {each.label: each.heading.removeprefix(f"{each.label}: ") for each in runs}
    return [pages.Part("Side by side", facts, comparison), *own]


def as_page(runs: Sequence[Read], comparison: Sequence[Table]) -> str:
    """All of it as one HTML page."""
    found = parts(runs, comparison)
    return pages.page(found[0].heading if len(runs) == 1 else " and ".join(each.label for each in runs), found)


def _played(runs: Sequence[Read]) -> list[Played]:
    return [Played(each.label, each.run.head.config, each.trials, each.suite) for each in runs]
