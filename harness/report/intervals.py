"""What is said of intervals beside figures: what they cluster by, why there is none, and what may be chance."""

from __future__ import annotations

from collections.abc import Iterable

from harness.report.texts import rounded
from harness.scoring.stats import Interval, number_of, too_few

__all__ = ("chance", "clustered", "notes", "points", "wanting", "weighed")


def clustered(found: Iterable[Interval]) -> str:
    """What these cluster by, and how many there are of each: `by template, of which there are 12`."""
    counts: dict[str, set[int]] = {}
    for each in found:
        counts.setdefault(each.level, set()).add(each.clusters)
    return " and ".join(
        f"by {level}, of which there are {' to '.join(str(end) for end in dict.fromkeys((min(each), max(each))))}"
        for level, each in counts.items()
    )


def notes(found: Iterable[Interval], where: str = "In brackets") -> list[str]:
    """What limits are, and `where` they stand, if there are any; why there are none, where there are not."""
    known = [each for each in found if each.value is not None]
    shown = [each for each in known if each.low is not None]
    lines = [f"{where}: 95% interval, {clustered(shown)}."] if shown else []
    if why := dict.fromkeys(each.note.removesuffix(": no interval") for each in known if each.low is None):
        lines.append(f"{'Where there is none' if shown else 'No interval'}: {', '.join(why)}.")
    return lines


def chance(found: Interval) -> bool:
    """Whether it may be by chance alone that a difference is not 0."""
    return bool(found.value) and found.low is not None and found.high is not None and found.low <= 0 <= found.high


def points(share: float) -> str:
    """A difference of shares in words: whole points."""
    return f"{rounded(100 * share, 0):.0f}"


def weighed(found: Interval, unit: str = "") -> str:
    """A difference in a sentence: with its interval or that it may be chance; alone where there is no interval."""
    value = f"{points(found.value or 0.0)}{unit}"
    if found.low is None or found.high is None:
        return value
    return (
        f"{value}, which may be chance" if chance(found) else f"{value} ({points(found.low)} to {points(found.high)})"
    )


def wanting(found: Iterable[Interval]) -> str:
    """What ends a sentence where clusters are too few for the interval of any of these; else nothing."""
    few = [each for each in found if each.value is not None and each.note == too_few(each.clusters, each.level)]
    if not few:
        return ""
    most = max(few, key=lambda each: each.clusters)
    are = "is" if most.clusters == 1 else "are"
    return f"; {number_of(most.clusters, most.level)} {are} too few for an interval"
