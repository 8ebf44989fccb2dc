"""The sixteen faults: what each is, what is added, what a task's faulty requests are and what they have to pass."""

from benchmarks.drift.faults.catalogue import ANSWERED_BY, NAMES
from benchmarks.drift.faults.making import Made, made
from benchmarks.drift.faults.validators import VALIDATORS, Fails, validate

__all__ = ("ANSWERED_BY", "NAMES", "VALIDATORS", "Fails", "Made", "made", "validate")
