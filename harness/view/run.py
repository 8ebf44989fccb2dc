"""One run as it is shown: its rows joined with its suite, with what judges and people said, and its trials."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from harness.core.counts import counted
from harness.core.gc_paused import gc_paused
from harness.core.suite import Suite, SuiteError
from harness.core.task import Task
from harness.core.trajectory import Parent
from harness.record.belonging import check_belongs
from harness.record.files import RunError
from harness.record.holding import under_way
from harness.record.index import Index
from harness.record.judgements import FOLDER as JUDGEMENTS
from harness.record.judgements import by_query, judged, judgements
from harness.record.rows import Row, row_of
from harness.record.store import Run, TrialRecord
from harness.report import INSTRUMENTS, labelled
from harness.report.page import NAME as REPORT
from harness.report.reading import Read
from harness.report.users import labels, titled, user_of
from harness.view.annotations import Annotation, AnnotationProblem, Annotations, Said, human
from harness.view.answering import answer
from harness.view.changes import beginning
from harness.view.columns import COLUMNS, FILTERS, group, groups
from harness.view.questions import asked
from harness.view.search import Beside, Place, places
from harness.view.task_texts import TaskTexts
from harness.view.trials import Trial
from harness.view.trials import judged as judged_of

__all__ = ("Shown",)

_LONGEST_REQUEST = 300
_TRIALS_KEPT = 6

Get = Callable[[str, int], Suite | Exception]
Known = Callable[[Parent], Mapping[str, Any]]
"""What a fork went on from, as the page has it."""


class Shown:
    """One run; `number` is its place among those shown, `address` what links call it wherever it stands among them.

    `log` has a file for each row in the order in which they came, and again where a row is another one by now.
    """

    def __init__(self, number: int, folder: Path, suite: Get, known: Known, *, keep: bool) -> None:
        self.number, self.folder, self.resolved = number, folder, folder.resolve()
        self._stamp = _stamp(folder / "run.json")
        self.run = Run.open(folder)
        self.name = self.label = self.run.head.config.name or folder.resolve().name
        self.address = self.resolved.name
        self.index = Index(self.run, keep=keep)
        self.annotations = Annotations(folder)
        self.log: list[str] = []
        self._place: dict[str, int] = {}
        self._keys: dict[str, str] = {}
        self._key_of: dict[str, str] = {}
        self._forked: tuple[int, list[str]] = (-1, [])
        self._of_task: tuple[int, dict[str, list[str]]] = (-1, {})
        self._get, self._known = suite, known
        self._begun = False
        self._gone: dict[str, str] | None = None
        self._judged: tuple[Any, dict[str, Row]] = (None, {})
        self._trials: OrderedDict[str, tuple[Any, Trial]] = OrderedDict()

    @cached_property
    def suite(self) -> Suite | None:
        """As it is now, None where it cannot be had."""
        found = self._get(self.run.head.config.suite, self.run.head.config.scale)
        return found if isinstance(found, Suite) else None

    @cached_property
    def changed(self) -> str:
        """Why there are no tables and perhaps no expected changes, "" where there are: a sentence without its end."""
        head = self.run.head
        found = self._get(head.config.suite, head.config.scale)
        if not isinstance(found, Suite):
            return f"its suite, {head.suite}, cannot be loaded here: {found}"
        try:
            if found.digest == head.suite_digest:
                return ""
        except SuiteError as error:
            return str(error)
        if found.version != head.suite_version:
            return f"it was played on version {head.suite_version} of {head.suite}, and here is version {found.version}"
        return f"tasks or checks of {head.suite} have changed since it was played, still as version {found.version}"

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Columns behind those that every run has."""
        return groups(self.suite.tasks) if self.suite else ()

    def replaced(self) -> bool:
        """Whether the folder holds another run by now, as after `eval --fresh`; one gone on with is the same."""
        stamp = _stamp(self.folder / "run.json")
        if stamp == self._stamp and not self._gone:
            return False
        try:
            run = Run.open(self.folder)
        except RunError as error:
            self._gone = self._missing(str(error))
            return False
        self._stamp, self._gone = stamp, None
        if run.head.identity != self.run.head.identity:
            return True
        self.run = run
        return False

    def _missing(self, text: str) -> dict[str, str]:
        """What is told of a folder that held this run."""
        if not self.folder.is_dir():
            return {"file": str(self.folder), "text": "is not there any more"}
        for place in (self.folder / "run.json", self.folder):
            text = text.removeprefix(f"{place} ")
        return {"file": "run.json", "text": text}

    def refresh(self) -> None:
        """Read what has changed."""
        self._begun = True
        changed = self.index.refresh()
        self.annotations.refresh()
        if changed and not self.log:
            changed = self._in_order(changed)
        for file in changed:
            self._place[file] = len(self.log)
            self._keys[self.key(file)] = file
            self.log.append(file)
        if len(self._place) > len(self.index.rows):
            for file in [file for file in self._place if file not in self.index.rows]:
                del self._place[file], self._keys[self.key(file)]

    def _in_order(self, files: Iterable[str]) -> list[str]:
        """As reports have it: agents and conditions as configured, tasks as in the suite."""
        config, last = self.run.head.config, 1 << 30
        agents = {agent.name: place for place, agent in enumerate(config.agents)}
        conditions = {name: place for place, name in enumerate(config.conditions)}
        tasks = {task.id: place for place, task in enumerate(self.suite.tasks if self.suite else ())}

        def place(file: str) -> tuple[Any, ...]:
            row = self.index.rows[file]
            where = agents.get(row.agent, last), conditions.get(row.condition, last), tasks.get(row.task, last)
            return (*where, row.task, row.trial, file)

        return sorted(files, key=place)

    def key(self, file: str) -> str:
        if file not in self._key_of:
            self._key_of[file] = hashlib.sha256(file.encode()).hexdigest()[:16]
        return self._key_of[file]

    def file(self, key: str) -> str | None:
        """The file of a trial, of those that are listed."""
        return self._keys.get(key)

    def found(self, key: str) -> str | None:
        """The same, after another look where it is not listed yet."""
        if key not in self._keys:
            self.refresh()
        return self._keys.get(key)

    def begin(self) -> None:
        """Read what there is, where nothing was read yet."""
        if not self._begun:
            self.refresh()

    def path(self, file: str) -> Path:
        return self.run.folder / "trials" / file

    def task(self, row: Row) -> Task | None:
        """The task of a row as it was played, None where it is another one now."""
        found = self._tasks.get(row.task)
        return found if found is not None and found.hash == row.task_hash else None

    @cached_property
    def _tasks(self) -> dict[str, Task]:
        return {task.id: task for task in self.suite.tasks} if self.suite else {}

    def head(self) -> dict[str, Any]:
        """What `runs` has of it."""
        head, config = self.run.head, self.run.head.config
        users = labels(config)
        rows = len(self.index.rows)
        suite = labelled(self.suite) if self.suite else f"{head.suite}@{head.suite_version}"
        agents = [
            {
                "name": agent.name, "kind": agent.kind, "instrument": agent.kind in INSTRUMENTS,
                "model": str(getattr(agent, "model", "") or ""),
            }
            for agent in config.agents
        ]  # fmt: skip
        return {
            "run": self.number,
            "name": self.address,
            "label": self.label,
            "folder": str(self.folder),
            "path": self.resolved.as_posix(),
            "heading": titled(f"{self.label}: {suite}, {counted(rows, 'trial')}", users.values()),
            "suite": head.suite,
            "suite_version": head.suite_version,
            "identity": head.identity,
            "package": head.package,
            "seed": config.seed,
            "calibration": all(agent["instrument"] for agent in agents),
            "agents": agents,
            "conditions": [
                {"name": name, "prompt": each.prompt, "ask": each.ask, "user": user_of(each)}
                for name, each in config.conditions.items()
            ],
            "groups": list(self.groups),
            "checks": list(self.suite.checks) if self.suite else [],
            "planned": self.index.planned,
            "under_way": under_way(self.run.folder),
            "changed": self.changed,
            "written": self.report() is not None,
            "problems": self.problems(),
        }

    def report(self) -> Path | None:
        """The report that was written into the run's folder, None where there is none. A link elsewhere is none."""
        path = self.folder / REPORT
        return path if path.is_file() and not path.is_symlink() else None

    def state(self) -> tuple[Any, ...]:
        """What is another one where tables of this run may be."""
        return self.run.head.identity, len(self.log), len(self.index.rows), _changed_at(self.run.folder / JUDGEMENTS)

    def problems(self) -> list[dict[str, str]]:
        """Files that could not be read; the rest is shown."""
        found = [self._gone] if self._gone else []
        found += [{"file": f"trials/{each.file}", "text": each.text} for each in self.index.unread]
        found += [each._asdict() for each in self.annotations.unread]
        return found + ([{"file": JUDGEMENTS, "text": self._unjudged}] if self._unjudged else [])

    _unjudged = ""
    """Why the verdicts of judges are not in the scores, where there are any."""

    def index_value(self, after: int = 0) -> dict[str, Any]:
        """The value `index-RUN`. A row that has become another one comes again, with the same key.

        `trials` is how many there are in all: whoever has others has to read the index anew.
        """
        judged_rows = self._with_judges()
        chosen = [file for n, file in enumerate(self.log[after:], after) if self._place.get(file) == n]
        rows = [judged_rows.get(file) or self.index.rows[file] for file in chosen]
        return {
            "run": self.number,
            "identity": self.run.head.identity,
            "from": after,
            "total": len(self.log),
            "trials": len(self.index.rows),
            "planned": self.index.planned,
            "under_way": under_way(self.run.folder),
            "problems": self.problems(),
            "columns": self._columns(chosen, rows),
            "requests": self._requests(rows),
        }

    def _requests(self, rows: Iterable[Row]) -> dict[str, dict[str, str]]:
        """How each request that was played begins, by task and prompt: trials of a task share it."""
        found: dict[str, dict[str, str]] = {}
        for row in rows:
            if row.prompt not in found.setdefault(row.task, {}) and (task := self.task(row)):
                said = (session.requests.get(row.prompt, "") for session in task.sessions)
                found[row.task][row.prompt] = " ".join(" ".join(said).split())[:_LONGEST_REQUEST]
        return found

    def _columns(self, files: Sequence[str], rows: Sequence[Row]) -> dict[str, list[Any]]:
        tasks = [self._tasks.get(row.task) for row in rows]
        said = [self.annotations.of(file) for file in files]
        made: dict[str, list[Any]] = {
            "key": [self.key(file) for file in files],
            "template": [task.template if task else "" for task in tasks],
            "notes": [len(each) for each in said],
            "tags": [sorted({one.value for one in each if one.kind == "tag"}) for each in said],
            "human": [human(each) for each in said],
            "parent": [row.parent and self._known(row.parent) for row in rows],
        }
        own = {name: [group(task.facts.get(name)) if task else None for task in tasks] for name in self.groups}
        return {name: made[name] if name in made else [getattr(row, name) for row in rows] for name in COLUMNS} | own

    def _with_judges(self) -> dict[str, Row]:
        """Rows that are other ones with what judges said."""
        suite, folder = self.suite, self.run.folder
        if suite is None or suite.questions is None or self.changed or not (folder / JUDGEMENTS).is_dir():
            return {}
        state = len(self.log), _changed_at(folder / JUDGEMENTS)
        if self._judged[0] != state:
            self._unjudged = ""
            rows = {}
            for record in self._judged_records(self.records()):
                t = record.trajectory
                rows[self.run.path(t.agent, t.condition, t.task, t.trial).name] = row_of(t, record.scores)
            self._judged = state, rows
        return self._judged[1]

    def _judged_records(self, records: list[TrialRecord]) -> list[TrialRecord]:
        """Records of this run with what judges said; as they are where that cannot be read, which `problems` tells."""
        if self.suite is None or self.changed:
            return records
        try:
            return judged(self.run, self.suite, records)
        except (RunError, SuiteError) as error:
            self._unjudged = str(error)
            return records

    def records(self) -> list[TrialRecord]:
        """Those that can be read and are of this run, by file."""
        found = []
        for file in sorted(self.index.rows):
            with suppress(RunError), gc_paused():
                record = self.run.read(self.path(file))
                if self.suite is not None and not self.changed:
                    check_belongs(record.trajectory, self.run.head.config, self.suite, self.folder)
                found.append(record)
        return found

    def read(self) -> Read | None:
        """As reports have it, None without a suite."""
        if self.suite is None:
            return None
        records = self._judged_records(self.records())
        return Read(self.label, self.run, self.suite, records, fits=not self.changed, forked=True)

    def tables(self) -> tuple[str, list[Any], dict[str, set[Any]], list[dict[str, Any]]]:
        """What its report says in a sentence, its tables, what their rows can be looked up by, and the list.

        Nothing of it where the suite has changed.
        """
        found = self.read()
        if found is None or found.tables is None:
            return "", [], {}, []
        files = self.files()
        judged_rows = self._with_judges()
        columns = self._columns(files, [judged_rows.get(file) or self.index.rows[file] for file in files])
        listed = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        chosen = {name: {value for value in columns[name] if value is not None} for name in (*FILTERS, *self.groups)}
        sentence = found.first.sentence if found.first else ""
        return sentence, found.tables, chosen, listed

    def among(self) -> list[dict[str, Any]]:
        """Filters that tables may mean unsaid: the conditions with a user, and of those the ones that need one."""
        asking = {name: each.prompt for name, each in self.run.head.config.conditions.items() if each.ask != "off"}
        needed = [name for name, prompt in asking.items() if prompt != "original"]
        return [{"condition": names} for names in (list(asking), needed) if names]

    def trial(self, file: str) -> Trial:
        """A trial, of which the last few are kept. Raises `RunError` where it cannot be read any more."""
        stamp = self.index.stamp(file), _changed_at(self.run.folder / JUDGEMENTS)
        kept = self._trials.get(file)
        if kept is None or kept[0] != stamp:
            with gc_paused():  # of a long record, looking for garbage is two thirds of the time
                read = self.run.read(self.path(file))
            (record,) = self._judged_records([read])
            task = self.task(self.index.rows[file])
            t, began = record.trajectory, partial(self._began, task)
            kept = stamp, Trial(t, record.scores, task, began, answers=self._answers(t.condition))
            self._trials[file] = kept
            while len(self._trials) > _TRIALS_KEPT:
                self._trials.popitem(last=False)
        self._trials.move_to_end(file)
        return kept[1]

    def questions(self) -> list[dict[str, Any]]:
        """What agents asked in all trials, in the order of the list, each with the key of its trial."""
        found = []
        for file in self.files():
            if self.index.rows[file].questions:
                with suppress(RunError), gc_paused():
                    t = self.run.read(self.path(file)).trajectory
                    told = asked(t, self.task(self.index.rows[file]), answers=self._answers(t.condition))
                    found += [{"key": self.key(file), **each} for each in told]
        return found

    def _answers(self, condition: str) -> bool:
        """Whether the user of a condition is one who may tell something, as the placebo never does."""
        found = self.run.head.config.conditions.get(condition)
        return found is None or found.user.kind != "placebo"

    def _began(self, task: Task | None, app: str, table: str, id: str) -> Mapping[str, Any] | None:
        """A row as the task starts with it, None where it cannot be had."""
        if task is None or self.suite is None or self.changed:
            return None
        return beginning(self.suite, task, app, table, id)

    def trial_value(self, file: str) -> dict[str, Any]:
        """The value `trial-RUN-KEY`, without what other runs say of it."""
        trial = self.trial(file)
        judged_rows = self._with_judges()
        columns = self._columns([file], [judged_rows.get(file) or self.index.rows[file]])
        head = trial.head(self.suite)
        head["facts"]["user"] = user_of(self.run.head.config.conditions.get(trial.t.condition))
        return {
            "run": self.number,
            "key": self.key(file),
            "file": file,
            "bytes": self.index.stamp(file)[0],
            "row": {name: values[0] for name, values in columns.items()},
            **head,
            "judgements": judged_of(self.suite, trial.task, trial.t, self._said()),
            "annotations": [each.shown() for each in self.annotations.of(file)],
        }

    def try_value(self, file: str, number: int) -> dict[str, Any] | None:
        """The value `try-RUN-KEY-NUMBER`, None where there is no such try: as a trial, without scores and kin."""
        trial = self.trial(file)
        earlier = trial.earlier(number)
        if earlier is None:
            return None
        whole = self.trial_value(file)
        own = row_of(earlier.t, {})
        row = {name: getattr(own, name, value) for name, value in whole["row"].items()}
        return {
            **whole,
            **earlier.head(self.suite),
            "row": {**row, "verdict": "given up", "reason": own.reason},
            "attempt": {"number": number, "of": len(trial.t.tries)},
            "judgements": [],
            "annotations": [],
        }

    def annotate(self, file: str, said: Said) -> Annotation:
        """Keep what a person says of a trial; an answer to a question of the suite is a verdict as judges give them.

        Raises `AnnotationProblem` for a step or a question that there is not, `RunError` where it cannot be written.
        """
        trial = self.trial(file)
        steps = len(trial.t.steps)
        if said.step is not None and said.step >= steps:
            raise AnnotationProblem(f"step: this trial has {steps}, numbered from 0")
        if said.query:
            answer(self.run, None if self.changed else self.suite, trial, said)
        return self.annotations.add(file, said)

    def _said(self) -> Mapping[str, Any]:
        try:
            return by_query(judgements(self.run.folder))
        except RunError:
            return {}

    def of_task(self, task: str) -> Iterator[tuple[str, Row]]:
        """Trials of a task, with their keys."""
        if self._of_task[0] != len(self.log):
            found: dict[str, list[str]] = {}
            for file in self.files():
                found.setdefault(self.index.rows[file].task, []).append(file)
            self._of_task = len(self.log), found
        judged_rows = self._with_judges()
        for file in self._of_task[1].get(task, ()):
            if file in self.index.rows:
                yield self.key(file), judged_rows.get(file) or self.index.rows[file]

    def forks(self) -> Iterator[tuple[str, Row]]:
        """Trials that went on from others."""
        if self._forked[0] != len(self.log):
            self._forked = len(self.log), [file for file in self.files() if self.index.rows[file].parent is not None]
        for file in self._forked[1]:
            if file in self.index.rows:
                yield self.key(file), self.index.rows[file]

    def searchable(self) -> list[tuple[str, Path, Beside]]:
        """For each trial its key, its record and what is told beside that, to be looked through."""
        return [(self.key(file), self.path(file), self.beside(file)) for file in self.files()]

    def files(self) -> list[str]:
        """The trials of the list, in its order."""
        return [file for n, file in enumerate(self.log) if self._place.get(file) == n]

    def places(self, file: str) -> list[Place]:
        """All texts that are found of a trial, and where they stand. Raises `RunError` where it is gone."""
        try:
            record = from_json(self.path(file).read_bytes())
        except (OSError, ValueError) as error:
            raise RunError(f"{self.path(file)} can no longer be read: {error}") from None
        if "events" not in record["trajectory"]:  # of version 1, whose lists are events where it is read
            record = {**record, "trajectory": self.trial(file).t.model_dump(mode="json")}
        return [*places(record), *self.beside(file).places]

    @cached_property
    def _texts(self) -> TaskTexts:
        return TaskTexts(self._tasks, self._began)

    def beside(self, file: str) -> Beside:
        """What is found of a trial that its record does not hold: its task, and what people say of it."""
        row = self.index.rows[file]
        of_task = self._texts.of(row.task, row.prompt)
        said = [each.model_dump(mode="json", exclude={"trial", "at"}) for each in self.annotations.of(file)]
        return of_task + Beside.of({"annotations": said}) if said else of_task


def _stamp(path: Path) -> tuple[int, int] | None:
    """What tells a file from the one that takes its place, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
