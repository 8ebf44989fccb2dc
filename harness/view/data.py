"""What the page asks for, by name: values that are JSON, the same for a server and for a folder."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from harness.core.distribution import package_version
from harness.core.suite import Suite, Table
from harness.core.trajectory import Parent
from harness.record.files import RunError
from harness.report.compare import Played, differing
from harness.report.naming import run_labels, tails
from harness.report.reading import Load, Read, compared
from harness.view import reports
from harness.view.annotations import AnnotationProblem, Said
from harness.view.run import Shown
from harness.view.search import found, hits, wanted
from harness.view.trials import PIECE

__all__ = ("PIECE", "View")

_NAME = re.compile(
    r"(?P<what>runs|compare)|(?P<of_run>index|report|questions)-(?P<run>\d{1,4})|"
    r"(?P<of_trial>trial|events|try)-(?P<in>\d{1,4})-(?P<key>[0-9a-f]{16})(?:-(?P<one>\d{1,9})(?:-(?P<two>\d{1,9}))?)?"
)

_MOST_SIBLINGS: Final = 1_000


class View:
    """Several runs, shown together. Safe to use from several threads.

    `author` is who writes here, unless `read_only`. Nothing is read before it is asked for. Raises `RunError` for a
    folder that is no run, or one given twice.
    """

    def __init__(self, folders: Sequence[Path], load: Load, *, author: str = "", read_only: bool = False) -> None:
        if len({folder.resolve() for folder in folders}) < len(folders):
            raise RunError("the same run is given twice")
        self.author, self.read_only = author, read_only
        self._suites: dict[tuple[str, int], Suite | Exception] = {}
        self._load = load
        self.runs = [self._shown(n, folder) for n, folder in enumerate(folders)]
        self._label()
        self._lock = threading.RLock()
        self._reporting = threading.RLock()
        self._reports: OrderedDict[str, tuple[Any, Any]] = OrderedDict()
        self._resolved: dict[str, Path] = {}

    def _shown(self, number: int, folder: Path) -> Shown:
        return Shown(number, folder, self._suite, self._parent, keep=not self.read_only)

    def _label(self) -> None:
        folders = [run.resolved for run in self.runs]
        labels = run_labels([run.name for run in self.runs], folders)
        for run, label, tail in zip(self.runs, labels, tails(folders), strict=True):
            run.label, run.address = label, _address(tail, run.run.head.identity)

    def _now(self, number: int) -> Shown:
        """A run, or the one that has taken its place in its folder."""
        with self._lock:
            if self.runs[number].replaced():
                with suppress(RunError):  # replaced again meanwhile: the next look sees that
                    self.runs[number] = self._shown(number, self.runs[number].folder)
                    self._label()
            return self.runs[number]

    def refresh(self) -> None:
        """Read what has changed in all runs."""
        with self._lock:
            for number in range(len(self.runs)):
                self._now(number).refresh()

    def value(self, name: str, after: int = 0) -> Any:
        """The value of a name, None where there is none. `after` is for an index: rows from that number on."""
        named = _NAME.fullmatch(name)
        if named is None:
            return None
        if named["what"] == "runs":
            return self.heads()
        if named["what"] == "compare":
            return self._compare()
        number = int(named["run"] or named["in"])
        if number >= len(self.runs):
            return None
        run = self._now(number)
        if named["of_run"] == "report":
            return self._report(run)
        if named["of_run"] == "questions":
            return self._kept(name, [run], lambda: {"questions": run.questions()})
        with self._lock:
            if named["of_run"] == "index":
                run.refresh()
                return run.index_value(after)
            if (file := run.found(named["key"])) is None:
                return None
            numbers = [int(each) for each in (named["one"], named["two"]) if each is not None]
            return self._of_trial(run, file, named["of_trial"], numbers)

    def _of_trial(self, run: Shown, file: str, what: str, numbers: Sequence[int]) -> Any:
        match what, numbers:
            case "trial", []:
                return self._trial(run, file)
            case "events", [piece]:
                return run.trial(file).piece(piece)
            case "try", [number]:
                value = run.try_value(file, number)
                return value and {**value, "parent": None, "forks": [], "siblings": []}
            case "try", [number, piece]:
                earlier = run.trial(file).earlier(number)
                return earlier and earlier.piece(piece)
        return None

    def heads(self) -> dict[str, Any]:
        """The value `runs`, without what only a server knows."""
        with self._lock:
            self.refresh()
            return {
                "package": package_version(),
                "writable": False,
                "token": "",
                "author": "",
                "runs": [run.head() for run in self.runs],
            }

    def record(self, run: int, key: str) -> Path | None:
        """The file of a trial's record, None where there is no such trial."""
        with self._lock:
            if not 0 <= run < len(self.runs) or (file := self.runs[run].found(key)) is None:
                return None
            return self.runs[run].path(file)

    def written(self, run: int) -> Path | None:
        """The report in a run's folder, None where there is none, or no such run."""
        with self._lock:
            return self.runs[run].report() if 0 <= run < len(self.runs) else None

    def search(self, number: int, query: str) -> dict[str, Any] | None:
        """The trials of a run that hold all words of the query, None where there is no such run.

        `{"keys": [key, ...], "excerpts": [[field, parts], ...], "searched": int}`, parts as in `Found`.
        """
        if not 0 <= number < len(self.runs):
            return None
        with self._lock:
            run = self._now(number)
            run.refresh()
            todo = run.searchable()
        words = wanted(query)
        made = {key: each for key, path, beside in todo if (each := found(words, path, beside)) is not None}
        return {"keys": list(made), "excerpts": [list(each) for each in made.values()], "searched": len(todo)}

    def hits(self, number: int, key: str, query: str) -> dict[str, Any] | None:
        """Where in a trial words of the query stand (`harness.view.search.hits`), None where there is no such trial."""
        with self._lock:
            if not 0 <= number < len(self.runs) or (file := self.runs[number].found(key)) is None:
                return None
            there = self.runs[number].places(file)
        return hits(wanted(query), there)

    def annotate(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Keep what a person says of a trial, as the page sends it.

        Raises `AnnotationProblem` or `ValidationError`, and `RunError` where it cannot be written.
        """
        rest = {name: value for name, value in given.items() if name not in ("run", "key")}
        said = Said.model_validate({**rest, "author": rest.get("author") or self.author})
        with self._lock:
            run, file = self._named(given.get("run"), given.get("key"))
            return run.annotate(file, said).shown()

    def take_back(self, run: int, key: str, id: str) -> None:
        """Remove an annotation of this view's author. Raises `AnnotationProblem`."""
        with self._lock:
            shown, file = self._named(run, key)
            shown.annotations.remove(file, id, self.author)

    def _named(self, number: Any, key: Any) -> tuple[Shown, str]:
        if not isinstance(number, int) or not 0 <= number < len(self.runs):
            raise AnnotationProblem("run: its number, of those shown")
        run = self.runs[number]
        if not isinstance(key, str) or (file := run.found(key)) is None:
            raise AnnotationProblem("key: there is no such trial in this run; it may have been removed")
        return run, file

    def _trial(self, run: Shown, file: str) -> dict[str, Any]:
        row = run.index.rows[file]
        for other in self.runs:
            other.begin()
        return {
            **run.trial_value(file),
            "parent": (parent := row.parent) and self._parent(parent),
            "forks": list(self._forks(run, file)),
            "siblings": self._siblings(run, file)[:_MOST_SIBLINGS],
        }

    def _siblings(self, run: Shown, file: str) -> list[dict[str, Any]]:
        """Other trials of the task: under the same condition first, and of those the ones by other agents."""
        row = run.index.rows[file]
        found = [
            {
                "run": other.number, "key": key, "agent": each.agent, "condition": each.condition,
                "prompt": each.prompt, "trial": each.trial, "verdict": each.verdict,
            }
            for other in self.runs
            for key, each in other.of_task(row.task)
            if (other is not run or key != run.key(file))
        ]  # fmt: skip

        def far(each: dict[str, Any]) -> tuple[bool, bool]:
            return each["condition"] != row.condition, (each["run"], each["agent"]) == (run.number, row.agent)

        return sorted(found, key=far)

    def _parent(self, parent: Parent) -> dict[str, Any]:
        """What a fork went on from: `run` and `key` are None where it is not among these runs."""
        for other in self.runs:
            other.begin()
            if other.resolved == self._place(parent.run):
                key = other.key(f"{parent.trial}.json")
                known = key if other.file(key) else None
                return {"run": other.number, "folder": parent.run, "key": known, "step": parent.step}
        return {"run": None, "folder": parent.run, "key": None, "step": parent.step}

    def _forks(self, run: Shown, file: str) -> Iterator[dict[str, Any]]:
        for other in self.runs:
            for key, row in other.forks():
                fork = row.parent
                if fork and f"{fork.trial}.json" == file and self._place(fork.run) == run.resolved:
                    yield {"run": other.number, "key": key, "step": fork.step, "agent": row.agent}

    def _place(self, folder: str) -> Path:
        """Where a folder of a record lies, looked up once."""
        if folder not in self._resolved:
            self._resolved[folder] = Path(folder).resolve()
        return self._resolved[folder]

    def _report(self, run: Shown) -> Any:
        def make() -> Any:
            with self._lock:  # before the tables are made: of what comes meanwhile, they may have a part
                told = {"heading": run.head()["heading"], "trials": len(run.index.rows), "read": len(run.log)}
            sentence, found, chosen, listed = run.tables()
            parts = reports.parts(run.run.head.config)
            made = reports.tables(found, f"r{run.number}", chosen, listed, run.among(), parts)
            return {**told, "sentence": sentence, **made}

        return self._kept(f"report-{run.number}", [run], make)

    def _compare(self) -> Any:
        if len(self.runs) < 2:
            return None

        def make() -> Any:
            reads = [found for run in self.runs if (found := run.read()) is not None]
            try:
                tables = compared(reads) if len(reads) > 1 else []
                problem = "" if len(reads) > 1 else "fewer than two of these runs have a suite that can be loaded"
            except RunError as error:
                tables, problem = [], str(error)
            return {**self._side_by_side(tables, reads), "problem": problem}

        return self._kept("compare", [self._now(number) for number in range(len(self.runs))], make)

    def _side_by_side(self, tables: Sequence[Table], reads: Sequence[Read]) -> dict[str, Any]:
        gone = {row["task"] for row in differing_of(reads)}
        chosen = {"task": {task for read in reads for task in {s.trajectory.task for s in read.trials}} - gone}
        made = reports.tables(tables, "c", chosen)
        sides = _sides(reads)
        for table in made["tables"]:
            for row, cells in zip(table["rows"], table["cells"], strict=True):
                apart = _apart(sides.get(row.get("first")), sides.get(row.get("second")))
                cells |= {name: link for name, link in apart.items() if row.get(name)}
        return made

    def _kept(self, name: str, runs: Sequence[Shown], make: Callable[[], Any]) -> Any:
        """A value that takes a while, made again only where a record or a verdict has changed."""
        with self._reporting:
            with self._lock:
                for run in runs:
                    run.refresh()
                state = [run.state() for run in runs]
            kept = self._reports.get(name)
            if kept is None or kept[0] != state:
                kept = self._reports[name] = state, make()
            return kept[1]

    def _suite(self, name: str, scale: int) -> Suite | Exception:
        """A suite, loaded once, or why it cannot be had."""
        if (name, scale) not in self._suites:
            try:
                self._suites[name, scale] = self._load(name, scale)
            except Exception as error:  # noqa: BLE001 (whatever a plugin raises: the records can be shown without it)
                self._suites[name, scale] = error
        return self._suites[name, scale]


def _address(tail: str, identity: str) -> str:
    """What links call a run (`runNamed` in js/route.js): another one that takes its place is called otherwise."""
    return tail if identity in tail else f"{tail}.{identity[:6]}"


def differing_of(reads: Sequence[Read]) -> list[dict[str, str]]:
    """Tasks whose content differs between runs, which no comparison has."""
    return differing([Played(each.label, each.run.head.config, each.trials, each.suite) for each in reads])


def _sides(reads: Sequence[Read]) -> dict[Any, tuple[str, str]]:
    """By the names that comparisons have for them: who played, as the list tells agents apart, and the condition."""
    made: dict[Any, tuple[str, str]] = {}
    for read in reads:
        cells = dict.fromkeys((each.trajectory.agent, each.trajectory.condition) for each in read.trials)
        for agent, condition in cells:
            name = read.label if len(cells) == 1 else f"{read.label}: {agent}, {condition}"
            made[name] = f"{read.label}: {agent}", condition
    return made


def _apart(first: tuple[str, str] | None, second: tuple[str, str] | None) -> dict[str, Any]:
    """Filters for the numbers of tasks gained and lost: of two sides under one condition (`decide` in js/rows.js)."""
    if first is None or second is None or first[1] != second[1]:
        return {}
    return {
        "gained": {"condition": first[1], "decided": f"{second[0]} rather than {first[0]}"},
        "lost": {"condition": first[1], "decided": f"{first[0]} rather than {second[0]}"},
    }
