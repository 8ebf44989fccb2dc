"""What whoever called can do something about: shown as one message, with exit status 2."""

from __future__ import annotations

import errno
import sys

__all__ = ("OF_THE_MACHINE", "CallProblem", "known_problems")

OF_THE_MACHINE = frozenset(
    {
        errno.EACCES, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOSPC, errno.EPERM,
        errno.EROFS,
    }
)  # fmt: skip
"""Numbers of an `OSError` that a full, read-only or broken disk gives, or a path that cannot be one."""


class CallProblem(Exception):
    """A call that cannot be done as asked; the text says what would be right."""


_KNOWN = (
    ("harness.core.config", "ConfigProblem"),
    ("harness.record.files", "RunError"),
    ("harness.core.suite", "SuiteError"),
    ("harness.judging.forms", "FormError"),
    ("harness.models.replies", "ModelError"),
    ("servers.catalog", "BrokenApp"),
    ("servers.catalog", "UnknownApp"),
    ("servers.kernel.errors", "BrokenTool"),
    ("servers.kernel.errors", "StateError"),
)


def known_problems() -> tuple[type[Exception], ...]:
    """Exceptions whose text names what was wrong and the remedy; only of modules that were imported at all."""
    loaded = ((sys.modules.get(module), name) for module, name in _KNOWN)
    return CallProblem, *(getattr(module, name) for module, name in loaded if module is not None)
