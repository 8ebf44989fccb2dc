"""A named, versioned set of tasks with its worlds, checks and tables."""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from harness.core.raised import place, raised

if TYPE_CHECKING:
    # For types alone: whoever lists suites reads their entries, and nothing that takes a while to import.
    from pydantic import BaseModel

    from harness.core.agent_config import Aspect
    from harness.core.config import RunConfig
    from harness.core.hidden import Hidden
    from harness.core.judgement import Query, Verdicts
    from harness.core.program import Worker
    from harness.core.scores import Score
    from harness.core.task import Call, Task
    from harness.core.trajectory import Trajectory
    from servers.kernel import App, World

__all__ = (
    "Check",
    "Headline",
    "Measured",
    "Program",
    "Questions",
    "Scored",
    "Settled",
    "Settling",
    "Solved",
    "Suite",
    "SuiteEntry",
    "SuiteError",
    "Table",
    "Told",
    "Whole",
    "compares_ends",
)

Check: TypeAlias = "Callable[[Task, Trajectory, Verdicts], Score]"
"""A pure function of what is on disk: what was to be done, what was, and what judges said of it, if any were asked."""

Questions: TypeAlias = "Callable[[Task, Trajectory], Sequence[Query]]"
"""What judges are to say of a trial; a pure function too, and asked of no void trial."""

_WORLDS = 8
"""How many worlds a suite keeps: a thousand of them do not fit into memory, and jobs come grouped by world."""

Program = Callable[["Worker"], Awaitable[None] | AsyncGenerator[str, str]]
"""How the reference agent does a session of a template's tasks: through tools alone, from slot values. One that is an
async generator talks: it yields what it says at the end of a turn, and is sent what the person says to that."""

Solved: TypeAlias = "Callable[[Task, Mapping[str, str]], Sequence[Call]]"
"""(task, app -> name of the toolset that it is served through) -> the reference calls there."""

Settled: TypeAlias = "Callable[[Task, Trajectory], tuple[Task, Trajectory]]"
"""The two as the outcome check compares them (`harness.score.outcome`): without changes that it does not look at, and
with values in the form in which they are equal. Expected changes keep their number and order. Nothing to do with
`harness.score.settled`, which makes a criterion of what judges say."""

Measured: TypeAlias = "Mapping[str, Mapping[str, Mapping[str, Mapping[str, int]]]]"
"""What simulated users made of questions in natural words: user -> half (`userssim.heard`) -> template -> sums."""


_F = TypeVar("_F", bound=Callable[..., Any])


def compares_ends(check: _F) -> _F:
    """Mark a check that holds changes against accepted ends: a suite gives it both as its `settled` has them."""
    check.__dict__["compares_ends"] = True
    return check


@dataclass(frozen=True)
class Settling:
    """A check that is given task and trial as they are settled. `func` settles them: it is what can break here."""

    func: Settled
    check: Check

    def __call__(self, task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
        return self.check(*self.func(task, trajectory), verdicts)


class SuiteError(Exception):
    """A suite that cannot be loaded or found; the text names it and the remedy."""


class Told(NamedTuple):
    """What a text says of the facts that it has to say: each in a word or two, and whether it is there.

    A text may have them all and still not be `enough`: values stand beside the wrong names.
    """

    facts: Sequence[tuple[str, bool]]
    enough: bool

    @property
    def share(self) -> float:
        """How much of what it has to say it says: 1 for enough, less otherwise."""
        return 1.0 if self.enough else 0.99 * sum(there for _, there in self.facts) / max(1, len(self.facts))


class Scored(NamedTuple):
    """One trial with its scores by check name, as reports read them from disk."""

    trajectory: Trajectory
    scores: Mapping[str, Score]


class Table(NamedTuple):
    """One table of a report. Cells are str, int, float or None; no wall-clock figures.

    A suite's table that is to `lead` stands directly behind the outcomes instead of behind the general tables.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Mapping[str, Any]]
    notes: Sequence[str] = ()
    lead: bool = False


class Headline(NamedTuple):
    """What a run comes to: one table, and a sentence that says what it means. Drawn in at most 80 columns.

    Columns have words for names; rows are agents and conditions. `harness.report` has what such tables are made with.
    """

    table: Table
    sentence: str


class Whole(NamedTuple):
    """All that there is to know of a task in one text, and the tool that takes the answer as its arguments."""

    text: str
    app: str
    tool: str


Report: TypeAlias = Callable[["Suite", Mapping[str, Mapping[str, Any]], Sequence[Scored]], Sequence[Table]]
"""(suite, agent name -> its config with dials, scored trials) -> tables."""

Summing: TypeAlias = "Callable[[RunConfig, Suite, Sequence[Scored]], Headline | None]"
"""(config, suite, scored trials in report order) -> what they come to; None where it has nothing of its own to say."""


@dataclass(frozen=True)
class Suite:
    """A suite. `world(name)` makes or reads a starting world, which others get from `load_world`.

    `programs` serve the reference agent; `report` adds the suite's own tables to the general ones.
    """

    name: str
    version: str
    description: str
    tasks: Sequence[Task]
    world: Callable[[str], World]
    checks: Mapping[str, Check]
    settled: Settled | None = None
    """What the outcome check compares, where that is not the task and its trial as they are. `harness.score.outcome`
    among `checks` gets what this returns; a check of the suite's own calls it itself, so that whoever shows a trial
    pairs changes as its score does."""
    told: Callable[[Any, Any], Told | None] | None = None
    """(expected value, value) -> what the value says of the facts that are expected; None where the expected value is
    not a text of facts. None where the suite has no such texts."""
    programs: Mapping[str, Program] = field(default_factory=dict)
    settings: type[BaseModel] | None = None
    """What its programs can be set to, by name (`ReferenceConfig.settings`); None where there is nothing to set."""
    report: Report | None = None
    headline: Summing | None = None
    """What `harness eval` ends with, in place of accuracy alone."""
    refused: Callable[[RunConfig, Sequence[Task]], str] | None = None
    """Why a config cannot be played over these tasks, in a line, where only the suite can tell; "" where it can."""
    untold: Callable[[RunConfig], Sequence[str]] | None = None
    """What a run of a config cannot tell for want of some condition, a line each, for `harness eval --dry-run`."""
    questions: Questions | None = None
    """What the checks need judges for (`harness judge`); None where they need none."""
    ruled: Check | None = None
    """What rules alone make of a trial whose `outcome` may wait for a judge: audits, which ask none, go by this."""
    compared: Questions | None = None
    """What rules decide, put to judges all the same (`harness judge --compare`): how far do the two agree?"""
    system: str = ""
    toolsets: Mapping[str, str] = field(default_factory=dict)
    """App name -> toolset that tasks are played through unless a condition says otherwise."""
    worlds: Mapping[str, str] = field(default_factory=dict)
    """World name -> `World.digest`, of every world that tasks start from. Where none is declared they are computed, for
    which each world is made or read: a suite of many declares them."""
    required: Callable[[Task], Sequence[str]] | None = None
    """Which apps a task needs, for conditions that offer no others; None where the suite does not say."""
    files: Path | None = None
    """The folder whose task files (`harness.core.task_files`) are among the tasks; `harness capture` adds to it."""
    aside: frozenset[str] = frozenset()
    """Ids of tasks that are played only where a config names them."""
    spread: str = ""
    """A fact of its tasks whose values a sample takes in turn, so that a small one leaves none of them out."""
    solved: Solved | None = None
    """Reference calls for other toolsets where tasks do not hold them (`Task.solutions`). They are worked out when the
    oracle plays, so that they are no part of a task's hash or of the digest."""
    whole: Callable[[Task], Whole] | None = None
    """A task as it starts, for agents that are shown everything and answer once. Made when such an agent plays, so that
    it is no part of a task. Raises `SuiteError`."""
    hidden: Callable[[Task], Hidden] | None = None
    """What the person of a task wants and its requests do not say, for users of kind `intents`; None where there is no
    such thing."""
    asking: Mapping[str, Any] = field(default_factory=lambda: {"ask": "ask_user"})
    """What its conditions say where there is somebody to ask (`ask`, `end_of_turn`, `user`): what `harness play --ask`
    gives a person."""
    examined: Callable[[Sequence[Task]], Iterable[tuple[str, str, str]]] | None = None
    """What only the suite can tell is wrong with tasks, for `harness audit`: task, name of the rule, what is wrong."""
    unchecked: Mapping[str, str] = field(default_factory=dict)
    """"app.table.field", or "app.table" for its rows and all their fields -> why the checks let it be anything."""

    rubric: Sequence[Aspect] = ()
    """What an agent of strategy `reflexion` scores its own work by; the same for all tasks, and without anything that
    only the answer key knows."""

    measured: Measured = field(default_factory=dict)
    """What reports say of the simulated users that answer for it; whoever loads a suite by its name adds it."""

    def __post_init__(self) -> None:
        """Raises `SuiteError` for what is no task or check, and for two tasks of one id: no record tells them apart."""
        from harness.core.task import Task

        if not isinstance(self.tasks, Sequence):
            raise self._miswritten(f"`tasks` is a {type(self.tasks).__name__}, and it is a list or tuple of `Task`")
        first: dict[str, int] = {}
        for n, task in enumerate(self.tasks):
            if not isinstance(task, Task):
                raise self._miswritten(
                    f"`tasks[{n}]` is a {type(task).__name__}, not a `harness.task.Task`: make it one with "
                    "`Task(...)`, or `Task.model_validate(...)` of a dict"
                )
            if first.setdefault(task.id, n) != n:
                raise self._miswritten(
                    f"`tasks[{first[task.id]}]` and `tasks[{n}]` have one id, {task.id!r}: give each its own"
                )
        for name, check in self.checks.items():
            if not callable(check):
                raise self._miswritten(f"`checks[{name!r}]` is a {type(check).__name__}, not a function")
        object.__setattr__(self, "checks", {name: self._settling(check) for name, check in self.checks.items()})
        object.__setattr__(self, "ruled", self.ruled and self._settling(self.ruled))

    def _settling(self, check: Check) -> Check:
        """The check, given what is settled if it compares ends; of a suite that is a copy, by this one's `settled`."""
        plain = marked = check.check if isinstance(check, Settling) else check
        while isinstance(marked, partial):
            marked = marked.func
        return Settling(self.settled, plain) if self.settled and getattr(marked, "compares_ends", False) else plain

    def _miswritten(self, problem: str) -> SuiteError:
        """Names whoever makes the suite: neither us nor what a dataclass is made of."""
        stack = traceback.extract_stack()
        own = [each for each in stack if each.filename not in (__file__, fields.__code__.co_filename, "<string>")]
        return SuiteError(f"suite {self.name} ({own[-1].filename}:{own[-1].lineno}): {problem}")

    @contextmanager
    def calling(self, function: Callable[..., Any], broke: str) -> Iterator[None]:
        """A block that calls a function of the suite. Raises `SuiteError` saying what broke and where, if it raises."""
        try:
            yield
        except SuiteError:
            raise
        except Exception as error:
            raise SuiteError(f"suite {self.name}: {broke} {raised(error, function)}") from error

    @cached_property
    def digest(self) -> str:
        """SHA-256 over name, version, every world's digest and every task's hash. Raises `SuiteError`."""
        from servers.kernel import canonical

        body = [self.name, self.version, dict(self.world_digests), [task.hash for task in self.tasks]]
        return hashlib.sha256(canonical(body)).hexdigest()

    @cached_property
    def world_digests(self) -> Mapping[str, str]:
        """`worlds` as declared, else as computed. Raises `SuiteError` where one is not declared that should be."""
        first = {task.world: task.id for task in reversed(self.tasks)}
        if not self.worlds:
            return {name: self._digest_of(self.load_world(name)) for name in first}
        for name, task in first.items():
            if name not in self.worlds:
                raise SuiteError(f"suite {self.name}: task {task} starts from {self._undeclared(name)}")
        return self.worlds

    def load_world(self, name: str) -> World:
        """The world of that name, made or read; the last few are kept.

        Raises `SuiteError` where it cannot be had or is not the one that the suite declares.
        """
        return self._kept(name)

    def world_of(self, wanted: str) -> World:
        """The world of that name, with "" that of the first task. Raises `SuiteError`, naming those of its tasks."""
        from servers.kernel import quoted

        worlds = list(dict.fromkeys(task.world for task in self.tasks)) or [wanted]  # without tasks it knows best
        if (name := wanted or worlds[0]) not in worlds:
            raise SuiteError(f"suite {self.name} has no world {quoted(name)}; it has {', '.join(worlds)}")
        return self.load_world(name)

    def check_rows(self, world: World, apps: Iterable[App]) -> None:
        """Try the rows of these apps: one that does not fit would void trials half-way. Raises `SuiteError`."""
        from servers.kernel import StateError, check_rows

        try:
            check_rows(world, apps)
        except StateError as error:
            raise SuiteError(f"suite {self.name}: {error}") from None

    def check_apps(self, tasks: Iterable[Task]) -> None:
        """Raises `UnknownApp` for the first task of an app that is not there, with its id."""
        from servers import catalog

        known = catalog.names()
        for task in tasks:
            if strange := next((app for app in task.apps if app not in known), ""):
                raise catalog.UnknownApp(strange, known, f"suite {self.name}: task {task.id}: apps: ")

    def check_worlds(self, tasks: Iterable[str] = ()) -> None:
        """Try the rows of every world that these tasks start from, by default those that are not `aside`.

        Raises `SuiteError`, and `UnknownApp`.
        """
        from servers import catalog

        apps: dict[str, dict[str, None]] = {}
        chosen = [*map(self.task, tasks or [task.id for task in self.tasks if task.id not in self.aside])]
        self.check_apps(chosen)
        for task in chosen:
            apps.setdefault(task.world, {}).update(dict.fromkeys(task.apps))
        for world, names in apps.items():
            self.check_rows(self.load_world(world), map(catalog.app, names))

    @cached_property
    def _kept(self) -> Callable[[str], World]:
        return lru_cache(_WORLDS)(self._checked)

    def _checked(self, name: str) -> World:
        world = self._made(name)
        if self.worlds and name not in self.worlds:
            raise SuiteError(f"suite {self.name} has {self._undeclared(name)}")
        if self.worlds and (digest := self._digest_of(world)) != self.worlds[name]:
            raise SuiteError(
                f"suite {self.name}: of world {name!r} it declares {self.worlds[name][:12]}, and what there is now "
                f"is {digest[:12]}: restore its rows, or declare it as {digest!r}"
            )
        return world

    def _digest_of(self, world: World) -> str:
        from servers.kernel import StateError

        try:
            return world.digest
        except StateError as error:
            raise SuiteError(f"suite {self.name}: {error}") from None

    def _made(self, name: str) -> World:
        from servers.kernel import World

        with self.calling(self.world, f"world {name!r} cannot be loaded:"):
            made = self.world(name)
        if not isinstance(made, World):
            raise SuiteError(
                f"suite {self.name}: world {name!r} cannot be loaded: `world`{place(self.world)} gives "
                f"{made!r:.80}, not a `servers.kernel.World`"
            )
        return made

    def _undeclared(self, name: str) -> str:
        digest = self._digest_of(self._made(name))
        return f"world {name!r}, which `worlds` does not declare: declare it there as {digest!r}"

    def queries(self, task: Task, trajectory: Trajectory, *, compared: bool = False) -> Sequence[Query]:
        """What judges are to say of a trial, with `compared` what rules say too: nothing of a void one.

        Raises `SuiteError`.
        """
        if self.questions is None or trajectory.status == "void":
            return ()
        found: tuple[Query, ...] = ()
        for made in filter(None, (self.questions, self.compared if compared else None)):
            with self.calling(made, f"its questions on task {task.id} cannot be made:"):
                found += tuple(made(task, trajectory))
        ids = [query.id for query in found]
        if twice := next((id for id in ids if ids.count(id) > 1), ""):
            raise SuiteError(f"suite {self.name}: task {task.id} has two questions {twice!r}: give each its own id")
        return found

    def task(self, id: str) -> Task:
        """The task of that id. Raises `SuiteError`."""
        try:
            return self._by_id[id]
        except KeyError:
            from servers.kernel import quoted

            raise SuiteError(
                f"suite {self.name} has no task {quoted(id)}; see `harness list tasks {self.name}`"
            ) from None

    def set_to(self, settings: Mapping[str, Any]) -> BaseModel | None:
        """What programs are set to, by name; without any the suite's defaults, None where there is nothing to set.

        Raises `SuiteError`, which names the setting and what would be right.
        """
        from pydantic import ValidationError

        from servers.kernel import first_amiss

        if self.settings is None:
            if settings:
                raise SuiteError(f"suite {self.name}: its programs cannot be set to anything: {', '.join(settings)}")
            return None
        try:
            return self.settings.model_validate(settings)
        except ValidationError as error:
            wrong, known = first_amiss(error, "they"), ", ".join(self.settings.model_fields)
            raise SuiteError(f"suite {self.name}: settings of its programs: {wrong}. There are {known}") from None

    def whole_of(self, id: str) -> Whole:
        """All of the task of that id at once. Raises `SuiteError`, also where the suite has no such thing."""
        if self.whole is None:
            raise SuiteError(f"suite {self.name} cannot show a task as one text")
        return self.whole(self.task(id))

    @cached_property
    def _by_id(self) -> dict[str, Task]:
        """The first task of each id: every record that is read is held against its task."""
        return {task.id: task for task in reversed(self.tasks)}


class SuiteEntry(NamedTuple):
    """How a benchmark folder offers a suite: its name, one line about it, and how to load it.

    `benchmarks/<name>/__init__.py` exposes `suites`, a tuple of these; `load` raises `SuiteError`
    when something the suite needs (imported data, say) is missing. Where `scales` is set, `load(scale=N)` gives
    tasks built in the same way from worlds with N times the rows. `world` gives the world that an app is served with,
    for suites whose tasks take a while to build. `commands` are verbs of the command line that the suite's benchmark
    brings, each as "module:function": `{"import": "mine.data:read"}`, declared by a folder or an entry point called
    `mine`, is `harness import mine`, and `{"new thing": ...}` is `harness new thing`, with the arguments and
    options that the function's signature declares to Typer and its docstring as help. `opens` gives the suite in a
    folder that such a verb made, one with a `suite.json` whose `benchmark` is the folder's or the entry point's
    name; it raises `SuiteError`.
    """

    name: str
    description: str
    load: Callable[..., Suite]
    scales: bool = False
    world: Callable[[], World] | None = None
    commands: Mapping[str, str] = MappingProxyType({})
    opens: Callable[[Path], Suite] | None = None
