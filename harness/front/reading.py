"""Runs as data frames take them: columns by name, one row for each trial or each event."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final, Protocol

from harness import wiring
from harness.core.suite import Suite, SuiteError
from harness.core.trajectory import Event, ModelCall
from harness.record.belonging import check_belongs
from harness.record.files import RunError
from harness.record.judgements import judged
from harness.record.store import Run, TrialRecord
from harness.report import ordered
from harness.report.trials import COLUMNS as TRIAL_COLUMNS
from harness.report.trials import rows

__all__ = ("EVENT_COLUMNS", "Columns", "HasFolder", "columns", "events", "suites", "tasks", "trials")

Columns = dict[str, list[Any]]
"""Column name -> its values, one for each row."""

EVENT_COLUMNS: Final = (
    "agent", "condition", "task", "trial", "event", "kind", "session", "start", "duration", "step", "app", "tool",
    "status", "role", "source", "text", "arguments", "data", "writes", "purpose", "prompt_tokens", "completion_tokens",
    "cost_usd", "subagent",
)  # fmt: skip
"""Names and order are kept; new columns go to the end."""


class HasFolder(Protocol):
    """A run, or what `evaluate` gave."""

    @property
    def folder(self) -> Path: ...


def suites() -> dict[str, str]:
    """The suites there are: name -> what it is in a sentence or two."""
    return {name: entry.description for name, entry in sorted(wiring.catalog().suites.items())}


def tasks(suite: str) -> Columns:
    """One row for each task of a suite, which is named or given by the path of its folder.

    Columns are `id`, `template`, `apps`, `sessions` (how many), `prompts` and `request`, which is that of the first
    session under the prompt `original`. Raises `SuiteError`.
    """
    if not isinstance(suite, str):
        raise SuiteError(
            f"{suite!r:.80} is not a suite: give its name, such as {next(iter(suites()))!r}, or a folder's path"
        )
    found = wiring.suite(suite).tasks
    names = ("id", "template", "apps", "sessions", "prompts", "request")
    listed = []
    for task in found:
        requests = task.sessions[0].requests
        request = requests.get("original", next(iter(requests.values()), ""))
        listed.append((task.id, task.template, list(task.apps), len(task.sessions), list(requests), request))
    return columns(names, [dict(zip(names, each, strict=True)) for each in listed])


def trials(run: HasFolder | str | PathLike[str]) -> Columns:
    """One row for each trial of a run, in the order of reports (docs/reports.md, CSV).

    `run` is what `evaluate` gave, or a run's folder. Raises `RunError` and `SuiteError`.
    """
    found, suite, records = _read(run)
    scored = ordered(records, found.head.config, suite)
    return columns(TRIAL_COLUMNS, rows(found.head.config.name or found.folder.name, found.head, suite, scored))


def events(run: HasFolder | str | PathLike[str]) -> Columns:
    """One row for each event of each trial, in the order in which they happened (docs/records.md).

    What an event does not have is None. `arguments` and `data` are JSON texts, since each tool has its own; `writes`
    counts the rows that were written. Raises `RunError` and `SuiteError`.
    """
    found, suite, records = _read(run)
    listed = []
    for scored in ordered(records, found.head.config, suite):
        t = scored.trajectory
        which = {"agent": t.agent, "condition": t.condition, "task": t.task, "trial": t.trial}
        listed += [{**which, "event": n, **_event(event)} for n, event in enumerate(t.events)]
    return columns(EVENT_COLUMNS, listed)


def columns(names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Columns:
    """Rows as columns. A column of whole numbers and others holds floats: a data frame wants one type in each."""
    every = list(rows)
    found = {name: [row.get(name) for row in every] for name in names}
    for name, values in found.items():
        if any(isinstance(value, float) for value in values):
            found[name] = [float(value) if isinstance(value, int) else value for value in values]
    return found


def _read(run: HasFolder | str | PathLike[str]) -> tuple[Run, Suite, list[TrialRecord]]:
    """A run with its suite as it is now; its records with what judges said, where the suite has not changed."""
    where = run if isinstance(run, str | PathLike) else getattr(run, "folder", None)
    if where is None:
        raise RunError(f"{run!r:.80} is not a run: give what `evaluate` returned, or the path of a run's folder")
    found = Run.open(Path(where))
    suite = wiring.suite(found.head.config.suite, found.head.config.scale)
    records = list(found.records())
    if suite.digest == found.head.suite_digest:
        for record in records:
            check_belongs(record.trajectory, found.head.config, suite, found.folder)
        records = judged(found, suite, records)
    return found, suite, records


def _event(event: Event) -> dict[str, Any]:
    told = event.model_dump(mode="json", include=_PLAIN)
    plain = dict(event)
    if "n" in plain:
        told["step"] = plain["n"]
    if "content" in plain:
        told["text"] = plain["content"]
    for name in ("arguments", "data"):
        if plain.get(name) is not None:
            told[name] = json.dumps(plain[name], ensure_ascii=False)
    if "writes" in plain:
        told["writes"] = len(plain["writes"])
    return {**told, **event.usage.model_dump()} if isinstance(event, ModelCall) else told


_PLAIN = {
    "kind", "session", "start", "duration", "step", "app", "tool", "status", "role", "source", "text", "purpose",
    "subagent",
}  # fmt: skip
