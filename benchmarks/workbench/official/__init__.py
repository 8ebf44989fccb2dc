"""The published WorkBench as a suite: import a checkout of the release, then load what was imported."""

from benchmarks.workbench.official.importer import Imported, import_release
from benchmarks.workbench.official.release import ImportProblem
from benchmarks.workbench.official.suite import home, load

__all__ = ("ImportProblem", "Imported", "home", "import_release", "load")
