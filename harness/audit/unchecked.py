"""What a suite's checks let be anything, held against what it declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from harness.audit.probes import Probe
from harness.audit.workplace import toolsets
from harness.core.suite import Suite
from servers import catalog
from servers.kernel import few_of

__all__ = ("Unchecked", "unchecked")

_SHOWN = 5
"""Tasks that are named; their number is never cut."""


class Unchecked(NamedTuple):
    """A field ("app.table.field") or the rows of a table ("app.table") that checks do not look at, or a declaration.

    `state` is `undeclared` (it fails the audit) or `declared`; `unknown` is a declaration of what no app of the suite
    has (it fails too), `needless` one of what all tasks check, and `untried` a field that no task gave another
    value. `tasks` are those concerned: of what is undeclared, those that do not declare it themselves.
    """

    what: str
    state: Literal["undeclared", "declared", "unknown", "needless", "untried"]
    where: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    reason: str = ""

    @property
    def fails(self) -> bool:
        return self.state in ("undeclared", "unknown")

    @property
    def task(self) -> str:
        """The first task concerned; empty where it is about the suite."""
        return self.tasks[0] if self.tasks else ""

    @property
    def named(self) -> str:
        """The first of the tasks."""
        return few_of(self.tasks, _SHOWN)

    @property
    def text(self) -> str:
        """What is wrong, and what would be right."""
        if self.state == "unknown":
            return f"Suite.unchecked names {self.what!r}, and no app of its tasks has such a table or field"
        n = len(self.tasks)
        return (
            f"nothing checks {self.what} ({', '.join(self.where)}) in {n} task{'s' * (n != 1)}: {self.named}; "
            "check it, or say in Suite.unchecked why not"
        )


def unchecked(
    suite: Suite, probes: Sequence[tuple[str, Sequence[Probe]]], own: Mapping[str, Mapping[str, str]]
) -> list[Unchecked]:
    """What the probes of each task found and what the suite declares, by name.

    `own` are tasks' own declarations: task -> name -> reason. Whether a declaration is needless can only be told
    where all tasks were probed.
    """
    open_: dict[str, dict[str, dict[str, None]]] = {}
    tried: dict[str, bool] = {}
    for task, made in probes:
        for each in made:
            tried[each.what] = tried.get(each.what, False) or each.accepted is not None
            if each.accepted:
                open_.setdefault(each.what, {}).setdefault(task, {})[each.where] = None
    found = [_judged(suite, what, tasks, own) for what, tasks in open_.items()]
    found += [Unchecked(what, "untried") for what, known in tried.items() if not known]
    found += _idle(suite, {each.what for each in found if each.tasks}, whole=len(probes) == len(suite.tasks))
    return sorted(found, key=lambda each: each.what)


def _judged(
    suite: Suite, what: str, tasks: Mapping[str, Iterable[str]], own: Mapping[str, Mapping[str, str]]
) -> Unchecked:
    state: Literal["declared", "undeclared"] = "declared"
    reasons = {task: _reason(what, suite.unchecked) or _reason(what, own.get(task, {})) for task in tasks}
    if left := [task for task, reason in reasons.items() if not reason]:
        state, tasks, reasons = "undeclared", {task: tasks[task] for task in left}, {}
    where = tuple(dict.fromkeys(place for places in tasks.values() for place in places))
    return Unchecked(what, state, where, tuple(tasks), "; ".join(dict.fromkeys(reasons.values())))


def _reason(what: str, declared: Mapping[str, str]) -> str:
    return next((reason for name in _names(what) if (reason := declared.get(name, ""))), "")


def _names(what: str) -> Iterator[str]:
    """Names that declare it: its own, and of a field its table's."""
    yield what
    if what.count(".") == 2:
        yield what.rpartition(".")[0]


def _idle(suite: Suite, used: set[str], *, whole: bool) -> Iterator[Unchecked]:
    """Declarations that do nothing."""
    known: set[str] = set()
    there = set(catalog.names())  # an app that is not there is said elsewhere
    named = dict.fromkeys(app for task in suite.tasks for app in task.apps if app in there)
    for app, toolset in toolsets(suite, named).items():
        for table in toolset.app.tables:
            known |= {f"{app}.{table.table_name}", *(f"{app}.{table.table_name}.{name}" for name in table.model_fields)}
    covered = {name for what in used for name in _names(what)}
    for what, reason in suite.unchecked.items():
        if what not in known:
            yield Unchecked(what, "unknown", reason=reason)
        elif whole and what not in covered:
            yield Unchecked(what, "needless", reason=reason)
