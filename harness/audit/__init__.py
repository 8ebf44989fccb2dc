"""Do the checks of a suite catch wrong work and pass right work? Mutation testing of reference solutions."""

from harness.audit.certificate import Certificate
from harness.audit.run import audit

__all__ = ("Certificate", "audit")
