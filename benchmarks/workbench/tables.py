"""The tables and figures of the paper for WorkBench suites: tables 3, 5, 6 and 7, figures 4, 6 and 7.

Table numbers and published figures belong to models; what instruments give is titled *Calibration*
(docs/architecture.md, Statistics), and the two never share a table. The paper's own figures stand beside
`workbench-official@v1` alone.
Shares are in percent. Every accuracy comes with its floor: what doing nothing scores on the same trials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from benchmarks.workbench import errors
from benchmarks.workbench.published import published
from harness.report import INSTRUMENTS, Chart, Figure, labelled, verdict
from harness.report.texts import percent
from harness.scoring.stats import Interval, clusters, rate
from harness.suite import Scored, Suite, Table
from harness.task import Task

__all__ = ("report",)

Agents = Mapping[str, Mapping[str, Any]]
Row = dict[str, Any]

_DOMAINS = {
    "analytics": "Analytics",
    "calendar": "Calendar",
    "customer_relationship_manager": "CRM",
    "email": "Email",
    "project_management": "Project management",
    "multi_domain": "Multi-domain",
}
"""Domains in the order of table 3."""

_INTERVALS = "Low and high: 95% interval, clustered by {level}. Floor: the accuracy of doing nothing."


class _Trial(NamedTuple):
    """A trial that counts, with its task."""

    task: Task
    scored: Scored

    @property
    def right(self) -> bool:
        return verdict(self.scored) == "correct"

    @property
    def touched(self) -> bool:
        """Whether it had side effects: something changed and the end is not an accepted one (section 4.1)."""
        return bool(self.scored.scores["outcome"].detail.get("side_effects"))


class _Cell(NamedTuple):
    """The trials of one agent under one condition that are neither void nor unscored."""

    agent: str
    condition: str
    tools: str
    trials: list[_Trial]

    @property
    def names(self) -> Row:
        return {"agent": self.agent, "condition": self.condition}


def report(suite: Suite, agents: Agents, scored: Sequence[Scored]) -> Sequence[Table]:
    """What a suite's report adds: its tasks, then models with table numbers, then instruments."""
    label = labelled(suite)
    cells = list(_cells(suite, agents, scored))
    instruments = [cell for cell in cells if agents.get(cell.agent, {}).get("kind") in INSTRUMENTS]
    models = [cell for cell in cells if cell not in instruments]
    about = [
        ("Table 3", _templates, "templates and tasks per domain"),
        ("Figure 4", _actions_needed, "number of actions that tasks need"),
    ]
    # A report of instruments alone bears no number of the paper's.
    numbered = bool(models) or not instruments
    found = [
        table(suite, f"{number}: {what}, {label}" if numbered else f"{what.capitalize()}, {label}")
        for number, table, what in about
    ]
    if models:
        if suite.name == "workbench-official@v1" and not instruments:
            found += published()
        found += _results(models, lambda name, what: f"{name}: {what}, {label}")
    if instruments:
        found += _results(instruments, lambda name, what: f"Calibration: {what}")
    return found


def _results(cells: Sequence[_Cell], title: Callable[[str, str], str]) -> list[Table]:
    return [
        _by_tools(title("Table 5", "accuracy by agent and tools offered"), cells),
        _by_domain(title("Table 6", "accuracy and side effects per domain"), cells),
        _by_actions(title("Table 7", "accuracy by number of actions needed"), cells),
        _sources(title("Figure 6", "errors by their source, with and without side effects"), cells),
        _by_template(title("Figure 7", "accuracy per template"), cells),
    ]


def _cells(suite: Suite, agents: Agents, scored: Sequence[Scored]) -> Iterator[_Cell]:
    tasks = {task.id: task for task in suite.tasks}
    conditions: Agents = getattr(agents, "conditions", {})
    counted = [each for each in scored if verdict(each) in ("correct", "failed") and each.trajectory.task in tasks]
    for (agent, condition), group in groupby(counted, lambda s: (s.trajectory.agent, s.trajectory.condition)):
        trials = [_Trial(tasks[each.trajectory.task], each) for each in group]
        yield _Cell(agent, condition, str(conditions.get(condition, {}).get("tools", "all")), trials)


def _templates(suite: Suite, title: str) -> Table:
    """Table 3: number of unique templates and tasks in each domain."""
    rows: list[Row] = []
    for domain in [*_DOMAINS.values(), "Total"]:
        tasks = [task for task in suite.tasks if domain in ("Total", _domain(task))]
        rows.append({"domain": domain, "templates": len({task.template for task in tasks}), "tasks": len(tasks)})
    return Table(title, ["domain", "templates", "tasks"], rows)


def _actions_needed(suite: Suite, title: str) -> Table:
    """Figure 4: how many actions tasks need, by the reference solution."""
    counts = Counter(map(_actions, suite.tasks))
    rows = [
        {"actions": n, "tasks": counts[n], "tasks %": percent(counts[n] / len(suite.tasks))}
        for n in range(max(counts, default=0) + 1)
    ]
    none = sum(map(_needs_nothing, suite.tasks))
    share = percent(none / len(suite.tasks)) if suite.tasks else None
    return Figure.of(
        title,
        ["actions", "tasks", "tasks %"],
        rows,
        [f"An agent that does nothing is right in {none} of {len(suite.tasks)} tasks, {share}%: the floor."],
        Chart("columns", "actions", ("tasks %",), folded=True),
    )


def _by_tools(title: str, cells: Sequence[_Cell]) -> Figure:
    """Table 5: overall accuracy, by which tools an agent was offered."""
    columns = ["agent", "condition", "tools", "trials", "accuracy %", "low", "high", "floor %"]
    rows = [{**cell.names, "tools": cell.tools, **_accuracy(cell.trials)} for cell in cells]
    notes = [
        "`all`: the tools of every app; `required`: those of the task's own domains and the directory.",
        *_notes(cells),
    ]
    chart = Chart("bars", "agent", ("accuracy %",), "low", "high", "floor %", panels=("condition",))
    return Figure.of(title, columns, rows, notes, chart)


def _by_domain(title: str, cells: Sequence[_Cell]) -> Figure:
    """Table 6: accuracy and side effects in each domain."""
    rows: list[Row] = []
    for cell in cells:
        for domain in _DOMAINS.values():
            if trials := [trial for trial in cell.trials if _domain(trial.task) == domain]:
                touched = _rate(trials, lambda trial: trial.touched)
                effects = _limits("side effects %", touched, "s.e. low", "s.e. high")
                rows.append({**cell.names, "domain": domain, **_accuracy(trials), **effects})
    columns = [
        "agent", "condition", "domain", "trials", "accuracy %", "low", "high", "floor %", "side effects %", "s.e. low",
        "s.e. high",
    ]  # fmt: skip
    notes = ["Side effects: something changed and the end is not an accepted one.", *_notes(cells)]
    chart = Chart("bars", "domain", ("accuracy %",), "low", "high", "floor %", panels=("agent", "condition"))
    return Figure.of(title, columns, rows, notes, chart)


def _by_actions(title: str, cells: Sequence[_Cell]) -> Table:
    """Table 7: accuracy on tasks that need none, some, and several actions."""
    subsets: Mapping[str, Callable[[int], bool]] = {
        "all": lambda n: True, "0": lambda n: n == 0, "1+": lambda n: n >= 1, "2+": lambda n: n >= 2,
    }  # fmt: skip
    rows: list[Row] = []
    for cell in cells:
        for name, chosen in subsets.items():
            trials = [trial for trial in cell.trials if chosen(_actions(trial.task))]
            rows.append({**cell.names, "actions needed": name, **_accuracy(trials)})
    columns = ["agent", "condition", "actions needed", "trials", "accuracy %", "low", "high", "floor %"]
    return Table(title, columns, rows, _notes(cells))


def _sources(title: str, cells: Sequence[_Cell]) -> Figure:
    """Figure 6: errors with and without side effects, and what caused them."""
    rows: list[Row] = []
    for cell in cells:
        wrong = [trial for trial in cell.trials if not trial.right]
        found = Counter((errors.source(trial.task, trial.scored.trajectory), trial.touched) for trial in wrong)
        names = ["all errors", *(name for name in (*errors.RULES, errors.OTHER))]
        for name in names:
            without, touched = (
                sum(n for (source, effects), n in found.items() if effects == wanted and name in ("all errors", source))
                for wanted in (False, True)
            )
            rows.append(
                {
                    **cell.names,
                    "source": name,
                    "errors": without + touched,
                    "without": without,
                    "with": touched,
                    "without side effects %": percent(without / len(cell.trials)),
                    "with side effects %": percent(touched / len(cell.trials)),
                }
            )
    columns = [
        "agent", "condition", "source", "errors", "without", "with", "without side effects %",
        "with side effects %",
    ]  # fmt: skip
    notes = [
        "Percent of trials, void and unscored ones left out. Each error has one source: the first rule, in the order "
        "listed, that holds.",
    ]
    chart = Chart(
        "bars", "source", ("without side effects %", "with side effects %"), panels=("agent", "condition"), folded=True
    )
    return Figure.of(title, columns, rows, notes, chart)


def _by_template(title: str, cells: Sequence[_Cell]) -> Figure:
    """Figure 7: accuracy within each template; its tasks are the clusters there."""
    rows: list[Row] = []
    for cell in cells:
        groups: dict[str, list[_Trial]] = {}
        for trial in cell.trials:
            groups.setdefault(trial.task.template, []).append(trial)
        made = [
            {**cell.names, "template": template, "domain": _domain(trials[0].task), **_accuracy(trials, within=True)}
            for template, trials in groups.items()
        ]
        rows += sorted(made, key=lambda row: (-row["accuracy %"], row["template"]))
    columns = ["agent", "condition", "template", "domain", "trials", "accuracy %", "low", "high", "floor %"]
    uneven = sum(0 < row["accuracy %"] < 100 for row in rows)
    notes = [
        f"{len(rows) - uneven} of {len(rows)} are all right or all wrong.",
        "Low and high: 95% interval for other tasks of the template, clustered by task. Floor: the accuracy of doing "
        "nothing.",
    ]
    chart = Chart(
        "bars", "template", ("accuracy %",), "low", "high", "floor %", panels=("agent", "condition"), folded=True
    )
    return Figure.of(title, columns, rows, notes, chart)


def _accuracy(trials: Sequence[_Trial], *, within: bool = False) -> Row:
    """Trials, accuracy with its interval, and the floor. `within` one template tasks are the clusters."""
    found = _rate(trials, lambda trial: trial.right, within=within)
    floor = [_needs_nothing(trial.task) for trial in trials]
    return {
        "trials": found.n,
        **_limits("accuracy %", found, "low", "high"),
        "floor %": percent(sum(floor) / len(floor)) if floor else None,
    }


def _rate(trials: Sequence[_Trial], holds: Callable[[_Trial], bool], *, within: bool = False) -> Interval:
    return rate(
        *clusters(("" if within else trial.task.template, trial.task.id, float(holds(trial))) for trial in trials)
    )


def _notes(cells: Sequence[_Cell]) -> list[str]:
    return [_INTERVALS.format(level=_rate(cells[0].trials, lambda trial: trial.right).level)]


def _limits(name: str, found: Interval, low: str, high: str) -> Row:
    return {name: percent(found.value), low: percent(found.low), high: percent(found.high)}


def _domain(task: Task) -> str:
    """The domain under which the paper counts a task: several make it multi-domain."""
    domains = task.facts["domains"]
    return _DOMAINS[task.facts.get("domain", domains[0] if len(domains) == 1 else "multi_domain")]


def _actions(task: Task) -> int:
    return int(task.facts.get("actions", len(task.solution)))


def _needs_nothing(task: Task) -> bool:
    """Whether leaving everything as it was is an accepted end: what the idle agent scores."""
    return any(not end.changes for end in task.ends)
