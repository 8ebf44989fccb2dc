"""Runs side by side: what flipped per task, whether that is more than chance, and how much chance alone flips.

Only trials of the same task content are held against each other: tasks whose hashes differ are listed and left
out, as are void and unscored trials. Nothing is pooled over runs. The first run is compared with each other one. Pairs
whose agents could ask different users have a table of their own, which says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import sqrt
from typing import Any, Final, NamedTuple

from harness.core.config import RunConfig
from harness.core.counts import counted
from harness.core.suite import Scored, Suite, Table
from harness.report import surfaces
from harness.report.cells import cells
from harness.report.pairs import Rates, Side, flipped, noise_of, rates_of, side_by_side
from harness.report.surfaces import Surface
from harness.report.texts import percent
from harness.report.users import titled, user_of

__all__ = ("Played", "compare", "differing")


_ALL_PAIRS: Final = 10
"""Runs of which each is held against each for the noise floor: of 300 these would be 45,000 rows."""


class Played(NamedTuple):
    """One run to compare. `trials` are in report order, `suite` is the run's as it is now."""

    label: str
    config: RunConfig
    trials: Sequence[Scored]
    suite: Suite


class _Cell(NamedTuple):
    """One agent under one condition in one run. `side` has the run's name alone where it has no other cell."""

    side: Side
    instrument: bool
    thing: Mapping[str, Any]
    surface: Surface


def differing(runs: Sequence[Played]) -> list[dict[str, str]]:
    """Tasks that not all runs played with the same content, or from the same rows, with the hash of it in each run."""
    found: dict[str, dict[str, str]] = {}
    for what in ("world", "task_hash"):
        hashes: dict[str, dict[str, set[str]]] = {}
        for run in runs:
            for scored in run.trials:
                if hash := getattr(scored.trajectory, what):  # a void trial may never have had a world
                    hashes.setdefault(scored.trajectory.task, {}).setdefault(run.label, set()).add(hash)
        for task, each in hashes.items():
            if len(set().union(*each.values())) > 1:
                found[task] = {"task": task, **{label: ", ".join(sorted(those)) for label, those in each.items()}}
    return [found[task] for task in sorted(found)]


def compare(runs: Sequence[Played]) -> list[Table]:
    """Tables for two or more runs. Instruments and models are never paired, nor in one table.

    Raises ValueError for fewer than two runs, or two of one label.
    """
    if len(runs) < 2 or len({run.label for run in runs}) < len(runs):
        raise ValueError("a comparison takes two or more runs, each with a label of its own")
    refused = differing(runs)
    gone = {row["task"] for row in refused}
    templates = {task.id: task.template for run in reversed(runs) for task in run.suite.tasks}
    every = [list(_cells(run, gone)) for run in runs]
    found: list[Table] = []
    for title, instruments in (("Results", False), ("Calibration", True)):
        chosen = [[cell for cell in group if cell.instrument == instruments] for group in every]
        both = [pair for others in chosen[1:] for pair in _pairs(chosen[0], others)]
        pairs = [(a.side, b.side) for a, b in both]
        copied = {(a.side.name, b.side.name): _copied(a, b) for a, b in both}
        for users, those in _by_users(pairs).items():
            told = _told(sum(copied[a.name, b.name] for a, b in those))
            found.append(side_by_side(titled(f"{title}: side by side", users), users, those, templates, told))
        if noise := _noise(title, chosen, templates):
            found.append(noise)
        found += [table for pair in pairs if (table := flipped(title, *pair, templates)).rows]
        found += surfaces.over_runs(title, [cell.surface for group in chosen for cell in group], pairs, templates)
    if refused:
        labels = [run.label for run in runs]
        rows = [{"task": row["task"], **{label: row.get(label, "")[:12] for label in labels}} for row in refused]
        what = "what they start from, ask for or count as done is not the same."
        note = f"{counted(len(rows), 'task')} {'is' if len(rows) == 1 else 'are'} neither paired nor pooled: {what}"
        found.append(Table("Not compared: tasks whose content differs", ["task", *labels], rows, [note]))
    return found


def _cells(run: Played, gone: set[str]) -> Iterator[_Cell]:
    configs = {agent.name: agent for agent in run.config.agents}
    conditions = run.config.conditions
    there = cells(run.trials)
    for agent, condition, every in there:
        trials = [scored for scored in every if scored.trajectory.task not in gone]
        config, played = configs.get(agent), conditions.get(condition)
        instrument = run.config.calibrates([agent])
        unasked = None if played and played.asks else {"user"}
        what = [config and config.model_dump(mode="json"), played and played.model_dump(mode="json", exclude=unasked)]
        thing = {"what": what, "limits": run.config.limits}
        name = run.label if len(there) == 1 else f"{run.label}: {agent}, {condition}"
        side = Side(name, agent, condition, user_of(played), rates_of(trials))
        yield _Cell(side, instrument, thing, Surface(run.label, side, run.config, run.suite, trials))


def _pairs(first: Iterable[_Cell], second: Iterable[_Cell]) -> list[tuple[_Cell, _Cell]]:
    """Cells that belong together: same agent and condition; of the rest, same condition; then same agent.

    Where one is left on either side, these two.
    """
    left, right = list(first), list(second)
    found: list[tuple[_Cell, _Cell]] = []
    for what in (("agent", "condition"), ("condition",), ("agent",), ()):
        if not what and not len(left) == len(right) == 1:
            break
        pairs = [
            (a, b) for a in left for b in right if all(getattr(a.side, name) == getattr(b.side, name) for name in what)
        ]
        found += pairs
        left = [cell for cell in left if all(cell is not a for a, _ in pairs)]
        right = [cell for cell in right if all(cell is not b for _, b in pairs)]
    return found


def _copied(one: _Cell, other: _Cell) -> int:
    """Trials that both have, the same in all that was recorded, times included."""
    known = {(t.task, t.trial): t for t, _ in one.surface.trials}
    return sum(known.get((t.task, t.trial)) == t for t, _ in other.surface.trials)


def _told(copied: int) -> list[str]:
    if not copied:
        return []
    are = "is" if copied == 1 else "are"
    return [
        f"{counted(copied, 'trial')} {are} the same record in both, as in a copy: held against itself a trial never "
        "differs, which makes differ %, and the noise between the two, too low."
    ]


def _by_users(pairs: Iterable[tuple[Side, Side]]) -> dict[tuple[str, ...], list[tuple[Side, Side]]]:
    """Pairs by the users of both: none, one, or two that differ."""
    found: dict[tuple[str, ...], list[tuple[Side, Side]]] = {}
    for first, second in pairs:
        found.setdefault(tuple(sorted({first.user, second.user} - {""})), []).append((first, second))
    return found


def _noise(title: str, cells: Sequence[Sequence[_Cell]], templates: Mapping[str, str]) -> Table | None:
    """How much trials of the same agent under the same condition differ, within runs and between them."""
    repeated = [
        cell.side for group in cells for cell in group if any(len(rates) > 1 for rates in cell.side.rates.values())
    ]
    rows = [{"trials of": cell.name, "and": "the same run", **_noise_row(cell.rates, templates)} for cell in repeated]
    users = [cell.user for cell in repeated]
    few = len(cells) <= _ALL_PAIRS
    for one, other in combinations(cells, 2) if few else ((cells[0], other) for other in cells[1:]):
        for a, b in ((a.side, b.side) for a in one for b in other if a.thing == b.thing):
            both = {task: (*a.rates[task][:1], *b.rates[task][:1]) for task in sorted(a.rates.keys() & b.rates.keys())}
            rows.append({"trials of": a.name, "and": b.name, **_noise_row(both, templates)})
            users.append(a.user)
    if not rows:
        return None
    notes = [
        "How often two trials of the same agent, task and condition end differently: what differs by chance alone.",
        "Points: two runs with one trial per task differ in accuracy by no more than that in 95 of 100 cases, if "
        "nothing but chance is between them. None where no difference was seen: what chance does is not known then.",
    ]
    if not few:
        notes.append(f"{len(cells)} runs: only the first is held against the others; of up to {_ALL_PAIRS}, all are.")
    return Table(titled(f"{title}: noise floor", users), list(rows[0]), rows, notes)


def _noise_row(rates: Rates, templates: Mapping[str, str]) -> dict[str, Any]:
    found = noise_of(rates, templates)
    points = 1.96 * sqrt(found.value / found.n) if found.value else None
    limits = {"differ %": percent(found.value), "low": percent(found.low), "high": percent(found.high)}
    return {"tasks": found.n, **limits, "points": percent(points)}
