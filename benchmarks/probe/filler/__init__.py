"""Office prose that states nothing of a bottleneck: what stands around the statements of a document."""

from benchmarks.probe.filler.topics import day_words
from benchmarks.probe.filler.writing import Prose, filler, prose

__all__ = ("Prose", "day_words", "filler", "prose")
