"""What whoever called can do something about: shown as one message, with exit status 2."""

from __future__ import annotations

import sys

__all__ = ("CallProblem", "known_problems")


class CallProblem(Exception):
    """A call that cannot be done as asked; the text says what would be right."""


_KNOWN = (
    ("harness.config", "ConfigProblem"),
    ("harness.store", "RunError"),
    ("harness.suite", "SuiteError"),
    ("harness.llm", "ModelError"),
    ("servers.catalog", "BrokenApp"),
    ("servers.catalog", "UnknownApp"),
    ("servers.kernel.errors", "StateError"),
)


def known_problems() -> tuple[type[Exception], ...]:
    """Exceptions whose text names what was wrong and the remedy; only of modules that were imported at all."""
    loaded = ((sys.modules.get(module), name) for module, name in _KNOWN)
    return CallProblem, *(getattr(module, name) for module, name in loaded if module is not None)
