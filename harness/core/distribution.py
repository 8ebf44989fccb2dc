"""What is installed under which names."""

__all__ = ("DISTRIBUTION", "PACKAGES")

DISTRIBUTION = "workplace-harness"
PACKAGES = ("servers", "harness", "benchmarks", "userssim")
"""Top-level names of this distribution; the first and third are common enough to be shadowed."""
