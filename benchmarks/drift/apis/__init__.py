"""Tasks over twelve services of a town that can only be reached by calls, never looked at whole (docs: Drift-Bench)."""

from benchmarks.drift.apis import town, trade, travel
from benchmarks.drift.apis.play import flat
from benchmarks.drift.apis.worlds import WORLDS, rows, world

__all__ = ("TEMPLATES", "WORLDS", "flat", "rows", "world")

TEMPLATES = (*trade.TEMPLATES, *travel.TEMPLATES, *town.TEMPLATES)
