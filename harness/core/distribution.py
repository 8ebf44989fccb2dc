"""What is installed under which names, and in which version."""

from functools import cache
from importlib.metadata import version

__all__ = ("DISTRIBUTION", "PACKAGES", "package_version")

DISTRIBUTION = "workplace-harness"
PACKAGES = ("servers", "harness", "benchmarks", "userssim")
"""Top-level names of this distribution; the first and third are common enough to be shadowed."""


@cache
def package_version() -> str:
    return version(DISTRIBUTION)
