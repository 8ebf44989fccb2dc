"""Do the checks of a suite catch wrong work and pass right work? Mutation testing of reference solutions."""

from harness.audit.certificate import Certificate
from harness.audit.run import audit
from harness.audit.unchecked import Unchecked

__all__ = ("Certificate", "Unchecked", "audit")
