"""Intervals of Proc and Comp: units are resampled within personas, which are fixed, and agents compared by unit.

Specification, section 5. A unit's runs go together; what they differ by is shown as a standard deviation beside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any, Final, Literal, TypeAlias, get_args

from benchmarks.pi.ended import Ended, by_unit, shares, weighed
from harness.scoring.stats import Interval, rate, stratified

__all__ = (
    "FEWEST",
    "FIGURES",
    "Figure",
    "Played",
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
    return _limited({persona: _units(ended, figure) for persona, ended in played.items()}, (0.0, 1.0))


def mean(ended: Sequence[Ended], figure: Figure) -> float | None:
    """That of one persona alone, without limits; None where nothing is scored."""
    return weighed(pair for unit in _units(ended, figure).values() for pair in unit)


def overall(played: Played, figure: Figure) -> float | None:
    """The mean of personas, without limits; None where nothing is scored."""
    known = [value for ended in played.values() if (value := mean(ended, figure)) is not None]
    return fmean(known) if known else None


def difference(first: Played, second: Played, figure: Figure) -> Interval:
    """How much more the second agent has, over the units that both played, each held against itself."""
    both: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for persona in first.keys() & second.keys():
        one, other = _units(first[persona], figure), _units(second[persona], figure)
        both[persona] = {
            unit: [(fmean(v for v, _ in other[unit]) - fmean(v for v, _ in one[unit]), one[unit][0][1])]
            for unit in one.keys() & other.keys()
        }
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
                row |= {"units": found.clusters, f"{figure} more": _percent(found.value)}
                row |= {f"{figure} 95%": worded(found)}
            rows.append(row)
    return rows


def worded(found: Interval) -> str:
    """Limits in percent, or why there are none."""
    if found.low is None or found.high is None:
        return f"none: {found.note}"
    return f"{100 * found.low:.1f} to {100 * found.high:.1f}"


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)


def _units(ended: Sequence[Ended], figure: Figure) -> dict[str, list[tuple[float, float]]]:
    """What each unit came to in each run, and its number of sessions; nothing of one without a scored item."""
    found: dict[str, list[tuple[float, float]]] = {}
    for (unit, _), sessions in by_unit(ended).items():
        of_intents = ((each.session, each.settled, each.intents) for each in sessions)
        of_items = ((each.session, each.met, each.weight) for each in sessions)
        if pairs := shares(of_intents if figure == "Proc" else of_items):
            found.setdefault(unit, []).extend(pairs.values())
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
