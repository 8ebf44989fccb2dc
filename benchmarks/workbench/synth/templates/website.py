"""What website figures have to say, by day: asked alike by outcomes and by programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ("RISING", "Figures", "changed", "crossed", "outgrew", "visits_from")

Figures = Mapping[str, float]
"""Day -> value; a day without visits may be left out."""

RISING = ("up", "higher")
"""Values of slots that ask for a rise; all others ask for a fall."""


def crossed(figures: Figures, comparison: str, threshold: float) -> bool:
    """Whether the figure was "more", or else less, than the threshold on any day."""
    return any(figure > threshold if comparison == "more" else figure < threshold for figure in figures.values())


def changed(figures: Figures, then: str, now: str, side: str, percent: float) -> bool:
    """Whether the figure is more than so many percent above, or below, what it was. Exact for whole numbers."""
    old, new = figures.get(then, 0), figures.get(now, 0)
    return 100 * new > old * (100 + percent) if side in RISING else 100 * new < old * (100 - percent)


def outgrew(pair: Sequence[Figures], then: str, now: str) -> bool:
    """Whether the first figure grew by a larger percentage than the second; a fall is negative growth."""
    ours, theirs = pair
    return ours.get(now, 0) * theirs.get(then, 0) > theirs.get(now, 0) * ours.get(then, 0)


def visits_from(source: str) -> str:
    """The figure that counts visits from a traffic source."""
    return f"visits_{source.replace(' ', '_')}"
