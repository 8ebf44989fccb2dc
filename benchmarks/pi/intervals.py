"""Intervals of Proc and Comp: units are resampled within personas, which are fixed, and agents compared by unit.

Specification, section 5. A unit's runs are averaged first, so that units weigh alike whatever runs they have; what
whole runs differ by is shown as a standard deviation beside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean, stdev
from typing import Any, Final, Literal, TypeAlias, get_args

from benchmarks.pi.ended import Ended, by_unit, in_percent, mean_percent, shares, weighed
from harness.scoring.stats import Interval, rate, stratified

__all__ = (
    "FEWEST",
    "FIGURES",
    "Figure",
    "Played",
    "deviation",
    "difference",
    "interval",
    "mean",
    "over_personas",
    "overall",
    "side_by_side",
    "worded",
)

FEWEST: Final = 6
"""Units of a persona that an interval takes."""

_PERSONAS: Final = 5
"""Personas that an interval over personas takes."""

Figure: TypeAlias = Literal["Proc", "Comp"]
FIGURES: Final[tuple[Figure, ...]] = get_args(Figure)

Played: TypeAlias = Mapping[str, Sequence[Ended]]
"""The sessions that were played, of all runs, by persona."""


def interval(played: Played, figure: Figure) -> Interval:
    """The mean of personas, of each units weighted by their sessions; no limits where one has fewer than `FEWEST`."""
    strata = {
        persona: {unit: [pair] for unit, pair in _units(ended, figure).items()} for persona, ended in played.items()
    }
    return _limited(strata, (0.0, 1.0))


def mean(ended: Sequence[Ended], figure: Figure) -> float | None:
    """That of one persona alone, without limits; None where nothing is scored."""
    return weighed(_units(ended, figure).values())


def overall(played: Played, figure: Figure) -> float | None:
    """The mean of personas, without limits; None where nothing is scored."""
    known = [value for ended in played.values() if (value := mean(ended, figure)) is not None]
    return fmean(known) if known else None


def deviation(played: Played, figure: Figure) -> float | None:
    """The standard deviation of `overall` from run to run, of the runs that have every unit; None of fewer than two.

    A run without one of them differs from the others by what units differ by.
    """
    personas = [units for ended in played.values() if (units := _runs(ended, figure))]
    numbers = [set(runs) for units in personas for runs in units.values()]
    if not numbers:
        return None
    values = [
        fmean(weighed(runs[run] for runs in units.values()) or 0.0 for units in personas)
        for run in sorted(set.intersection(*numbers))
    ]
    return stdev(values) if len(values) > 1 else None


def difference(first: Played, second: Played, figure: Figure) -> Interval:
    """How much more the second agent has, over the units that both played, each held against itself."""
    both: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for persona in first.keys() & second.keys():
        one, other = _units(first[persona], figure), _units(second[persona], figure)
        both[persona] = {unit: [(other[unit][0] - one[unit][0], one[unit][1])] for unit in one.keys() & other.keys()}
    return _limited(both, (-1.0, 1.0))


def over_personas(played: Played, figure: Figure) -> Interval | None:
    """The t interval over personas, as if they were drawn from more; None of fewer than five."""
    known = {name: value for name, ended in played.items() if (value := mean(ended, figure)) is not None}
    if len(known) < _PERSONAS:
        return None
    return rate({name: [value] for name, value in known.items()}, "persona", bounded=False)


def side_by_side(cells: Sequence[tuple[Mapping[str, Any], Played]]) -> list[dict[str, Any]]:
    """A row for each two agents under one condition and each persona, and over all personas where there are several."""
    rows = []
    for (head, first), (other, second) in combinations(cells, 2):
        if head["condition"] != other["condition"]:
            continue
        shared = sorted(first.keys() & second.keys())
        for name in [*shared, *(["all"] if len(shared) > 1 else [])]:
            chosen = shared if name == "all" else [name]
            one, two = ({persona: each[persona] for persona in chosen} for each in (first, second))
            row = {"condition": head["condition"], "agent": head["agent"], "and": other["agent"], "persona": name}
            for figure in FIGURES:
                found = difference(one, two, figure)
                row |= {"units": found.clusters, f"{figure} more": mean_percent([found.value])}
                row |= {f"{figure} 95%": worded(found)}
            rows.append(row)
    return rows


def worded(found: Interval) -> str:
    """Limits in percent, or why there are none."""
    if found.low is None or found.high is None:
        return f"none: {found.note}"
    return f"{in_percent([found.low])} to {in_percent([found.high])}"


def _units(ended: Sequence[Ended], figure: Figure) -> dict[str, tuple[float, float]]:
    """What each unit came to, as the mean of its runs, and its number of sessions; nothing of one without any."""
    return {
        unit: (fmean(value for value, _ in runs.values()), next(iter(runs.values()))[1])
        for unit, runs in _runs(ended, figure).items()
    }


def _runs(ended: Sequence[Ended], figure: Figure) -> dict[str, dict[int, tuple[float, float]]]:
    """What each unit came to in each run, and its number of sessions; nothing of one without a scored item."""
    found: dict[str, dict[int, tuple[float, float]]] = {}
    for (unit, run), sessions in by_unit(ended).items():
        of_intents = ((each.session, each.settled, each.intents) for each in sessions)
        of_items = ((each.session, each.met, each.weight) for each in sessions)
        if pairs := shares(of_intents if figure == "Proc" else of_items):
            found.setdefault(unit, {})[run] = pairs[unit]
    return found


def _limited(
    strata: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]], within: tuple[float, float]
) -> Interval:
    found = stratified(strata, "unit", within=within)
    few = [(persona, len(units)) for persona, units in sorted(strata.items()) if len(units) < FEWEST]
    if not few:
        return found
    told = [f"{persona} has {count}" for persona, count in few]
    if len(strata) == 1:
        told = [f"{count} {'unit' if count == 1 else 'units'}" for _, count in few]
    return found._replace(low=None, high=None, note=f"{', '.join(told)}, and it takes {FEWEST}")
