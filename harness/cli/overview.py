"""A run at a glance: how its trials ended, by agent and condition, and some of each to look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from harness.cli.typed import typed
from harness.core.counts import counted
from harness.core.suite import Table
from harness.record.index import Index, Unread
from harness.record.judgements import FOLDER, judged
from harness.record.rows import Row, row_of
from harness.record.store import Run, trial_name
from harness.report import words

__all__ = ("Group", "Overview", "overview")

_SOME = 3


class Group(NamedTuple):
    """Trials of one agent under one condition that ended alike; `names` are as `harness show RUN TRIAL` takes them."""

    agent: str
    condition: str
    verdict: str
    how: str
    names: Sequence[str]
    tasks: Sequence[str]


class Overview(NamedTuple):
    """A run's trials in groups, and what of it cannot be read: file and problem."""

    run: Run
    groups: Sequence[Group]
    unread: Sequence[Unread]

    @property
    def trials(self) -> int:
        return sum(len(group.names) for group in self.groups)

    def table(self) -> Table:
        """A row for each group, with a few of its trials."""
        rows = [
            {
                "agent": group.agent,
                "condition": group.condition,
                "verdict": group.verdict,
                "how it ended": group.how.replace("_", " ") if group.how != group.verdict else None,
                "trials": len(group.names),
                "such as": ", ".join(group.tasks[:_SOME]),
            }
            for group in self.groups
        ]
        head = self.run.head
        title = f"{self.run.folder}: {head.suite}@{head.suite_version}, {counted(self.trials, 'trial')}"
        notes = words.of([group.verdict for group in self.groups])
        return Table(title, list(rows[0]) if rows else [], rows, notes)

    def hints(self) -> list[str]:
        """How to see one of them, rather one that failed."""
        ranked = sorted(self.groups, key=lambda group: group.verdict != "failed")
        if not ranked:
            return [f"no trials yet: `harness eval` with the config of {self.run.folder} plays them"]
        folder, name = self.run.folder, ranked[0].names[0]
        return [
            f"one, step by step:  {typed('show', folder, *(['--'] if name.startswith('-') else []), name)}",
            f"all, with filters:  {typed('view', folder)}",
        ]

    def as_json(self) -> dict[str, Any]:
        head = self.run.head
        return {
            "run": str(self.run.folder),
            "identity": head.identity,
            "suite": head.suite,
            "suite_version": head.suite_version,
            "trials": self.trials,
            "groups": [
                {
                    "agent": group.agent,
                    "condition": group.condition,
                    "verdict": group.verdict,
                    "label": group.how,
                    "trials": len(group.names),
                    "names": list(group.names),
                }
                for group in self.groups
            ],
            "unread": [{"file": file, "problem": problem} for file, problem in self.unread],
        }


def overview(run: Run) -> Overview:
    """All that can be read of a run, agents and conditions in the order of its config; from its index where it fits."""
    index = Index(run, keep=False)
    index.refresh()
    found: dict[tuple[str, str, str, str], Group] = {}
    for row in _rows(run, index):
        key = row.agent, row.condition, row.verdict, row.status if row.status != "finished" else row.label
        group = found.setdefault(key, Group(*key, [], []))
        assert isinstance(group.names, list)
        assert isinstance(group.tasks, list)
        group.names.append(trial_name(row.agent, row.condition, row.task, row.trial).rpartition("-")[0])
        group.tasks.append(f"{row.task}.{row.trial}")
    agents = [agent.name for agent in run.head.config.agents]
    conditions = list(run.head.config.conditions)

    def place(group: Group) -> tuple[int, int, str, int, str]:
        return (
            _place(agents, group.agent),
            _place(conditions, group.condition),
            group.verdict,
            -len(group.names),
            group.how,
        )

    return Overview(run, sorted(found.values(), key=place), index.unread)


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else len(names)


def _rows(run: Run, index: Index) -> Sequence[Row]:
    """In the order of their files; of records, with what judges said, where they were asked.

    The suite has to be the one that asked them then, since which verdict is about which trial is worked out anew.
    """
    files = sorted(index.rows)
    if not (run.folder / FOLDER).is_dir():
        return [index.rows[file] for file in files]
    from harness.cli.finding import opened

    records = [run.read(run.folder / "trials" / file) for file in files]
    return [row_of(record.trajectory, record.scores) for record in judged(run, opened(run.folder)[1], records)]
