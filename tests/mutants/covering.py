"""Which tests run a line, learned by running them all once under coverage."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from xml.etree import ElementTree

from coverage import CoverageData

from tests.mutants.sites import Mutant

__all__ = ("Covering", "learn")

_DATA, _TIMES = "coverage.db", "times.xml"


def learn(root: Path, kept: Path, folder: str) -> None:
    """Run the whole suite once, and keep in `kept` which test runs what of a folder, and how long each takes.

    Raises `SystemExit` where a test fails: it would seem to notice every mistake.
    """
    kept.mkdir(parents=True, exist_ok=True)
    (kept / "coveragerc").write_text(f"[run]\ndata_file = {kept / _DATA}\nrelative_files = true\n", encoding="utf-8")
    arguments = ["-q", "-n", "auto", "--dist", "loadfile", f"--cov={folder}", "--cov-context=test", "--cov-report="]
    arguments += [f"--cov-config={kept / 'coveragerc'}", f"--junitxml={kept / _TIMES}"]
    status = subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=root, check=False).returncode
    if status:
        raise SystemExit(f"pytest ended with status {status}: mistakes can be told only from tests that all pass")


class Covering:
    """What `learn` kept, of all tests or `only` of those in some files. Raises `SystemExit` where it was never run."""

    def __init__(self, kept: Path, only: Collection[str] = ()) -> None:
        self._only = frozenset(only)
        if not (kept / _DATA).exists() or not (kept / _TIMES).exists():
            raise SystemExit(f"{kept} does not say which tests run what: `python -m tests.mutants --learn` first")
        self._data = CoverageData(str(kept / _DATA))
        self._data.read()
        tried = ElementTree.parse(kept / _TIMES).iter("testcase")
        self._seconds = {
            _id(each.attrib["classname"], each.attrib["name"]): float(each.attrib["time"]) for each in tried
        }

    def of(self, mutant: Mutant) -> list[str]:
        """The tests that run the changed lines, quickest first; where none is seen to, those that run its file.

        What only processes of their own run is not seen, but see `naming`.
        """
        by_line = self._data.contexts_by_lineno(mutant.path)
        lines = range(mutant.line, mutant.line + mutant.old.count("\n") + 1)
        at = {context for line in lines for context in by_line.get(line, ())}
        return self._quickest(at) or self._quickest(context for every in by_line.values() for context in every)

    def naming(self, root: Path, mutant: Mutant) -> list[str]:
        """The tests in files that name a command of the file, in quotes: they run it in processes of their own."""
        tree = ast.parse((root / mutant.path).read_text(encoding="utf-8"))
        commands = {f'"{each.name.strip("_")}"' for each in tree.body if isinstance(each, ast.FunctionDef)}
        naming = {
            path.relative_to(root).as_posix()
            for path in (root / "tests").rglob("test_*.py")
            if any(command in path.read_text(encoding="utf-8") for command in commands)
        }
        return self._quickest(test for test in self._seconds if test.partition("::")[0] in naming)

    def split(self, tests: Sequence[str], seconds: float) -> tuple[list[str], list[str]]:
        """The tests that fit into so many seconds, and the rest."""
        spent = 0.0
        first: list[str] = []
        for test in tests:
            spent += self.seconds([test])
            if first and spent > seconds:
                break
            first.append(test)
        return first, list(tests[len(first) :])

    def seconds(self, tests: Iterable[str]) -> float:
        """How long they took, each by itself."""
        return sum(self._seconds.get(test, 0.1) for test in tests)

    def _quickest(self, contexts: Iterable[str]) -> list[str]:
        tests = {context.partition("|")[0] for context in contexts} - {""}
        if self._only:
            tests = {test for test in tests if test.partition("::")[0] in self._only}
        return sorted(tests, key=lambda test: (self.seconds([test]), test))


def _id(classname: str, name: str) -> str:
    """The id that pytest runs a test by; no test of ours is in a class."""
    return f"{classname.replace('.', '/')}.py::{name}"
