"""What a run of pi-Bench comes to: Proc and Comp (section 3.3), what became of intents (table 7), and burden.

The paper's other tables and figures are in `benchmarks.pi.published`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from benchmarks.pi.ended import Ended, apart, cells, ended, in_percent, mean_percent, played, together, weighed
from benchmarks.pi.failures import PATTERNS, SETTLED
from benchmarks.pi.intervals import interval, overall, side_by_side
from benchmarks.pi.kin import kin
from benchmarks.pi.known import Known, Range, known
from benchmarks.pi.playing import Unit
from benchmarks.pi.published import (
    CATEGORIES,
    PERSONAS,
    STATISTICS,
    by_category,
    by_persona,
    scatter,
    statistics,
)
from benchmarks.pi.scoring import STATUSES
from harness.core.config import RunConfig
from harness.report import INSTRUMENTS
from harness.report.cells import Cell
from harness.report.figures import Chart, Figure
from harness.report.headline import SEVERAL, framed, limits, named, percent, shown, span
from harness.report.intervals import clustered
from harness.report.texts import rounded
from harness.report.words import COLUMNS, UNEVEN
from harness.scoring.stats import Interval
from harness.suite import Headline, Scored, Suite, Table
from harness.task import Task

__all__ = ("headline", "report")

Units = Callable[[Task], Unit]

_ALONE: Final = ("Proc", "Proc alone", "Comp", "Comp alone")
_PROC: Final = "Proc: intents acted on unasked, or asked for."
_COMP: Final = "Comp: items met at the end of a session, by weight; those that take a judge once one has said."
_BURDEN: Final = (
    "Means of sessions, the paper's tasks; Proc in percent, as in table 1. Hand-overs, the turns of figure 4: ends of "
    "turns and questions. Asking: those in which something is asked for; of these targeted, in percent: those that "
    "asked for what was held back. Fishing: with more than five questions. Words: of the user. Turns: model calls."
)
_STATUS: Final = (
    "In percent. Completed: acted on before anybody said it; inferred: told upon a question that asked for it; "
    "provided: told because nothing was asked for; open: never told. By session: the mean of sessions' shares."
)
_FAILURES: Final = (
    f"By rule (section F.4). {'; '.join(f'{name}: {what}' for name, what in PATTERNS.items())}. Intents that stayed "
    "open, and sessions of these alone, count in none of the first three."
)
_ABLATED: Final = (
    "In percent (figure 5). Alone: the sandbox starts without the sessions that it depends on; the person's own files "
    "of these are there. Lost: intents that were settled with them, in more than half of the trials, and not alone."
)
_PAIRED: Final = (
    "In percent: how much more the second agent has, over the units that both played; 95%: interval from a bootstrap "
    "of these units within personas."
)
_ENDS: Final = (
    "In percent, as Comp of table 1. Maximum: items met at some hand-over or at the end; regressed: how much more that "
    "is. Low, high: Comp with items that no judge has settled all failed, or all met. Guards: those broken, of those "
    "that there are. Unscored: items that no judge has settled."
)
_PLAYED: Final = "Played alone: one session of a group without the others, as for the ablation; together: all others."
_KNOWN: Final = (
    "Known: where the figure has to lie, worked out from the sessions; - where that is not known, as where a limit "
    "ended a trial."
)
_LEFT_OUT: Final = (
    "Sessions of a group that were played alone, as for the ablation, count in neither figure; the report shows them."
)
_UNEVEN: Final = "Units have unequal numbers of trials: each counts with the mean of its own."
_UNSCORED: Final = (
    "Unscored: trials that wait for a judge (`harness judge`), or whose check broke. Of those that wait, Proc and Comp "
    "count what needs no judge."
)


def headline(unit: Units) -> Callable[[RunConfig, Suite, Sequence[Scored]], Headline | None]:
    """What `harness eval` ends with; None where nothing was scored."""

    def summed(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline | None:
        found = shown(config, trials)
        units = {task.id: unit(task) for task in suite.tasks}
        whole = any(not units[each.trajectory.task].alone for each in trials)
        counted = {
            (cell.agent, cell.condition): together(cell.trials, units) if whole else cell.trials for cell in found
        }
        expected = {
            at: _expected(config, *at, [units[each.trajectory.task] for each in own if _told_of(each)])
            for at, own in counted.items()
        }
        cut = {at for at, own in counted.items() if any(each.trajectory.status == "limit" for each in own)}
        instruments = any(expected.values())
        shares = {at: _intervals(own, units) for at, own in counted.items()}

        def figures(cell: Cell) -> dict[str, Any]:
            at = cell.agent, cell.condition
            proc, comp = shares[at]
            if not instruments:
                return {"Proc": proc, "Comp": comp}
            there = None if at in cut else expected[at]
            return {
                "Proc": limits(proc, bare=True),
                "known Proc": there and _range(there.proc),
                "Comp": limits(comp, bare=True),
                "known Comp": there and _range(there.comp),
            }

        if all(proc.value is None for proc, _ in shares.values()):
            return None
        notes = [_PROC, _COMP]
        if sum(map(len, counted.values())) < sum(len(cell.trials) for cell in found):
            notes.append(_LEFT_OUT)
        if instruments:
            notes.append(_KNOWN)
        without = next((proc.note for proc, _ in shares.values() if proc.low is None), "")
        within = f"In brackets: 95% interval, {clustered(proc for proc, _ in shares.values())}, within personas."
        said = f"No interval: {without}." if without else within
        table = framed(config, suite, found, figures, notes, brackets=None if instruments else [said])
        ours = {COLUMNS["unscored"]: _UNSCORED, UNEVEN: _UNEVEN}
        table = table._replace(notes=[ours.get(each, each) for each in table.notes])
        return Headline(table, _calibrated(found, shares, expected, cut) if instruments else _told(found, shares))

    return summed


def report(
    unit: Units,
) -> Callable[[Suite, Mapping[str, Mapping[str, Any]], Sequence[Scored]], Sequence[Table]]:
    """Ends, statuses, burden and sessions of each agent and condition; instruments in tables of their own."""

    def tables(suite: Suite, agents: Mapping[str, Mapping[str, Any]], scored: Sequence[Scored]) -> Sequence[Table]:
        instruments = {name for name, each in agents.items() if each.get("kind") in INSTRUMENTS}
        units = {task.id: unit(task) for task in suite.tasks}
        conditions: Mapping[str, Mapping[str, Any]] = getattr(agents, "conditions", {})
        made: list[Table] = []
        for calibrates in (True, False):
            mine = [each for each in scored if (each.trajectory.agent in instruments) == calibrates and _told_of(each)]
            title = "Calibration: {}" if calibrates else "{}"
            personas, kinds, burden = by_persona(mine, units), by_category(mine, units), _burden(mine, units)
            whole = cells(together(mine, units))
            paired = [] if calibrates else side_by_side([(head, played(own, units)) for head, own in whole])
            ablated = _ablated(mine, units)
            alone = tuple(Chart("bars", ("agent", "condition", "session"), (name,), title=name) for name in _ALONE)
            parts: list[tuple[str, list[dict[str, Any]], str, tuple[Chart, ...]]] = [
                (
                    "Proc and Comp",
                    personas,
                    f"{PERSONAS} {kin(agents, conditions, mine)}".strip(),
                    scatter(personas, "Proc", "Comp", panels=("persona",)),
                ),
                ("Agents side by side", paired, _PAIRED, ()),
                ("How sessions ended", _ends(mine, units), _ENDS, ()),
                ("What became of intents", _statuses(mine, units), _STATUS, ()),
                ("Failures", _failures(mine, units), _FAILURES, ()),
                ("Burden of a session", burden, _BURDEN, scatter(burden, "Proc", "hand_overs")),
                ("Ablation: the last session of a group with its leads, and alone", ablated, _ABLATED, alone),
                ("By kind of work", kinds, CATEGORIES, scatter(kinds, "Proc", "Comp", panels=("category",))),
                ("By session: Proc / Comp", _by_session(mine, units), f"In percent. {_PROC} {_COMP}", ()),
            ]
            for what, rows, note, charts in parts:
                if rows:
                    named = title.format(what[0].lower() + what[1:] if calibrates else what)
                    made.append(_table(named, rows, note, charts))
        return [*made, _table("Sessions and their items", statistics(units.values()), STATISTICS)]

    return tables


def _table(title: str, rows: Sequence[Mapping[str, Any]], note: str, charts: Sequence[Chart] = ()) -> Table:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    rows = [{name: row.get(name) for name in columns} for row in rows]
    notes = (note, _PLAYED) if "played" in columns else (note,)
    return Figure.of(title, columns, rows, notes, *charts) if charts else Table(title, columns, rows, notes)


Shares = Mapping[tuple[str, str], tuple[Interval, Interval]]


def _told_of(scored: Scored) -> bool:
    """Whether its checks say what became of its sessions: those of a void trial do not, nor do broken ones."""
    return "sessions" in scored.scores["outcome"].detail and "statuses" in scored.scores["proc"].detail


def _intervals(scored: Sequence[Scored], units: Mapping[str, Unit]) -> tuple[Interval, Interval]:
    """The figures of table 1 over all personas."""
    found = played(filter(_told_of, scored), units)
    return interval(found, "Proc"), interval(found, "Comp")


def _expected(config: RunConfig, name: str, under: str, units: Sequence[Unit]) -> Known | None:
    agent = next((each for each in config.agents if each.name == name), None)
    condition = config.conditions.get(under)
    if not units or agent is None or condition is None or condition.user.kind != "intents":
        return None
    return known(
        agent.kind,
        getattr(agent, "settings", {}),
        units,
        most=getattr(condition.user, "most", None),
        remembers=condition.transcripts or "memory" not in condition.without,
        reminded=condition.prompt == "evidence",
    )


def _range(there: Range | None) -> str | None:
    return None if there is None else str(there)


def _calibrated(
    found: Sequence[Cell],
    shares: Shares,
    expected: Mapping[tuple[str, str], Known | None],
    cut: Container[tuple[str, str]],
) -> str:
    """Whether all instruments come out as they must, which do not, and which limits `cut`, so that nothing is known."""
    right, wrong, unknown = 0, [], []
    for cell in found:
        at = cell.agent, cell.condition
        there = expected[at]
        if there and at in cut:
            unknown.append(named(cell, found))
            continue
        for name, share, wanted in zip(("Proc", "Comp"), shares[at], there[:2] if there else (), strict=False):
            if wanted is None or share.value is None:
                continue
            if wanted.holds(share.value):
                right += 1
            else:
                wrong.append(f"{name} of {named(cell, found)} is {rounded(share.value, 2):.2f}, and {wanted} is known")
    told = []
    if wrong:
        told = [f"NOT calibrated: {'; '.join(wrong)}."]
    elif right:
        told = [f"All {right} figures of instruments that are known beforehand come out as they must."]
    if unknown:
        told.append(f"Not compared, as limits ended trials: {', '.join(unknown)}.")
    return " ".join(told)


def _told(found: Sequence[Cell], shares: Shares) -> str:
    told = [
        (named(cell, found), proc.value, comp.value)
        for cell in found
        for proc, comp in [shares[cell.agent, cell.condition]]
        if proc.value is not None and comp.value is not None
    ]
    if len(told) > SEVERAL:
        procs = span([(name, proc) for name, proc, _ in told])
        return f"Acted on or asked for of what was not said: {procs}; items met: {span([(n, c) for n, _, c in told])}."
    return "; ".join(
        f"{name} acted on or asked for {percent(proc)} of what was not said, and met {percent(comp)} of the items"
        for name, proc, comp in told
    ) + ("." if told else "")


def _ends(scored: Sequence[Scored], units: Mapping[str, Unit]) -> list[dict[str, Any]]:
    rows = []
    for head, group in apart(scored, units):
        details = [each.scores["outcome"].detail for each in group]
        rows.append(
            head
            | {"Comp": mean_percent([overall(played(group, units), "Comp")])}
            | {name: _over(group, units, name) for name in ("maximum", "regressed", "low", "high")}
            | {"guards": f"{sum(len(each['guards']) for each in details)} of {sum(d['guarded'] for d in details)}"}
            | {"unscored": sum(each["unscored"] for each in details)}
        )
    return rows


def _over(scored: Sequence[Scored], units: Mapping[str, Unit], what: str) -> float | None:
    """What `outcome` says of trials, in percent: a task's mean, weighted by its sessions, and the mean of personas."""
    personas: dict[str, dict[str, list[float]]] = {}
    for each in scored:
        task = each.trajectory.task
        if (value := each.scores["outcome"].detail[what]) is not None:
            personas.setdefault(units[task].sessions[0].persona, {}).setdefault(task, []).append(value)
    return mean_percent(
        weighed((fmean(values), len(units[task].sessions)) for task, values in tasks.items())
        for tasks in personas.values()
    )


def _statuses(scored: Sequence[Scored], units: Mapping[str, Unit]) -> list[dict[str, Any]]:
    rows = []
    for head, group in apart(scored, units):
        details = [each.scores["proc"].detail for each in group]
        sessions = [list(session.values()) for each in details for session in each["statuses"]]
        counts = {name: sum(each[name] for each in details) for name in STATUSES}
        intents = sum(counts.values())
        pooled = {name: in_percent([count / intents]) for name, count in counts.items()}
        means = {f"{name} by session": in_percent([s.count(name) / len(s) for s in sessions]) for name in STATUSES}
        rows.append(head | {"intents": intents} | pooled | means)
    return rows


def _failures(scored: Sequence[Scored], units: Mapping[str, Unit]) -> list[dict[str, Any]]:
    rows = []
    for head, group in apart(scored, units):
        found = [each.scores["outcome"].detail["failures"] for each in group]
        counts = {
            name: (sum(each[name][0] for each in found), sum(each[name][1] for each in found)) for name in PATTERNS
        }
        rows.append(head | {name: f"{count} of {of}" if of else None for name, (count, of) in counts.items()})
    return rows


def _burden(scored: Sequence[Scored], units: Mapping[str, Unit]) -> list[dict[str, Any]]:
    rows = []
    for head, group in apart(scored, units):
        details = [each.scores["proc"].detail for each in group]
        sessions = sum(len(units[each.trajectory.task].sessions) for each in group)
        asking, targeted = sum(each["asking"] for each in details), sum(each["targeted"] for each in details)
        rows.append(
            head
            | {"Proc": mean_percent([overall(played(group, units), "Proc")])}
            | {name: rounded(sum(each[name] for each in details) / sessions, 2) for name in _COUNTED}
            | {"targeted": in_percent([targeted / asking]) if asking else None}
        )
    return rows


_COUNTED: Final = ("hand_overs", "asking", "fishing", "words", "turns")


def _by_session(scored: Sequence[Scored], units: Mapping[str, Unit]) -> list[dict[str, Any]]:
    rows = []
    for head, group in apart(scored, units):
        by: dict[str, list[Ended]] = {}
        for each in ended(group, units):
            by.setdefault(each.session.id, []).append(each)
        both = {
            name: f"{in_percent([each.proc for each in own])} / {'-' if comp is None else comp}"
            for name, own in sorted(by.items())
            for comp in [mean_percent(each.comp for each in own)]
        }
        rows.append(head | both)
    return rows


def _ablated(scored: Sequence[Scored], units: Mapping[str, Unit]) -> list[dict[str, Any]]:
    """A row for each agent, condition and group of which the last session was played both ways."""
    ends = {unit.sessions[-1].id: unit.id for unit in units.values() if len(unit.sessions) > 1}
    rows = []
    for head, group in cells(scored):
        by_task: dict[str, list[Scored]] = {}
        for each in group:
            by_task.setdefault(each.trajectory.task, []).append(each)
        for task, alone in by_task.items():
            session = units[task].sessions[-1].id
            if units[task].left_out and (led := by_task.get(ends.get(session, ""))):
                (proc, comp), (proc_alone, comp_alone) = _final(led, units), _final(alone, units)
                lost = sorted(_settled(led) - _settled(alone))
                rows.append(
                    head
                    | {"session": session}
                    | {"Proc": proc, "Proc alone": proc_alone, "Comp": comp, "Comp alone": comp_alone}
                    | {"lost": ", ".join(lost)}
                )
    return rows


def _final(scored: Sequence[Scored], units: Mapping[str, Unit]) -> tuple[float, float | None]:
    """Proc and Comp of the last session, as means of trials in percent."""
    last = [list(ended([each], units))[-1] for each in scored]
    return in_percent([each.proc for each in last]), mean_percent(each.comp for each in last)


def _settled(scored: Sequence[Scored]) -> set[str]:
    """Intents of the last session that were completed or inferred in more than half of the trials."""
    found = [id for each in scored for id, status in each.scores["proc"].detail["statuses"][-1].items()
             if status in SETTLED]  # fmt: skip
    return {id for id in found if found.count(id) > len(scored) / 2}
