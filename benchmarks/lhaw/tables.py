"""The tables of an LHAW report: `Calibration` for instruments, `Clarification` for models, never both in one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.lhaw import dials, metrics
from benchmarks.lhaw.metrics import Arm
from harness.report import Chart, Figure, heard
from harness.report.manners import alike, span
from harness.report.users import titled
from harness.scoring.stats import Interval
from harness.suite import Scored, Suite, Table
from harness.task import Task

__all__ = ("INSTRUMENTS", "report")

INSTRUMENTS = frozenset({"idle", "oracle", "reference"})
"""Kinds of agents that calibrate; every other kind is a model or stands for one."""

ORIGINAL, ORIGINAL_ASK = "original", "original+ask"
LACKING, LACKING_ASK = "underspecified", "underspecified+ask"
FOUR = (ORIGINAL, ORIGINAL_ASK, LACKING, LACKING_ASK)
MAIN = (ORIGINAL, LACKING, LACKING_ASK)

Row = Mapping[str, Any]
Agents = Mapping[str, Mapping[str, Any]]


class _Four(NamedTuple):
    """One agent's arms."""

    original: Arm
    original_ask: Arm
    lacking: Arm
    lacking_ask: Arm


def report(suite: Suite, agents: Agents, scored: Sequence[Scored]) -> Sequence[Table]:
    """All tables, instruments first. `agents` maps a name to its config; `kind` decides where it belongs.

    Where it has the run's conditions as well (`harness.report.Agents`), titles name the users of the arms that a table
    is made from.
    """
    users: Mapping[str, str] = getattr(agents, "users", {})
    ranges = [names for names in alike(_asking_conditions(agents)) if LACKING_ASK in names]
    found = metrics.arms(suite.tasks, scored)
    four = {name: _Four(*(found.get(name, {}).get(c, {}) for c in FOUR)) for name in agents}
    tables: list[Table] = []
    instruments = {name: config for name, config in agents.items() if config.get("kind") in INSTRUMENTS}
    models = {name: config for name, config in agents.items() if name not in instruments}
    for title, group in (("Calibration", instruments), ("Clarification", models)):
        if group:
            mine = {name: four[name] for name in group}
            asking = _asking(title, mine, [users.get(name, "") for name in (ORIGINAL_ASK, LACKING_ASK)])
            made = [_overall(title, suite, group, mine), _gains(title, mine)]
            if any(dials.has(config) for config in group.values()):
                made.append(dials.table(title, group, {n: (f.lacking, f.lacking_ask) for n, f in mine.items()}))
            made += [asking, *(_split(title, suite, mine, *way) for way in _WAYS)]
            arms = {name: found.get(name, {}) for name in group}
            tables += [_with_users(table, FOUR if table is asking else MAIN, users) for table in made]
            tables += [_with_users(_manners(title, arms, names), names, users) for names in ranges]
    return [*tables, heard.table(suite.measured)] if suite.measured else tables


def _overall(title: str, suite: Suite, agents: Agents, four: Mapping[str, _Four]) -> Table:
    """The columns of the paper's table 3; for instruments the dials' true values stand beside them."""
    shown = [dial for dial in dials.DIALS if any(dial in config for config in agents.values())]
    columns = [
        "agent", *(f"{dial} dial" for dial in shown), "complete", "variants",
        "baseline pass@3 %", "baseline ckpt %",
        "ask %", "avg/traj",
        "pass@3 %", "pass@3 gain", "pass@3 gain/Q",
        "ckpt %", "ckpt gain", "ckpt gain/Q", "precision %",
    ]  # fmt: skip
    rows = []
    for name, (original, _, lacking, asking) in four.items():
        gain, ckpt_gain = metrics.gain(lacking, asking), metrics.ckpt_gain(lacking, asking)
        done, total = _complete(lacking, asking)
        rows.append(
            {
                "agent": name,
                **{f"{dial} dial": agents[name].get(dial) for dial in shown},
                "complete": done,
                "variants": total,
                "baseline pass@3 %": _percent(metrics.baseline(original)[0]),
                "baseline ckpt %": _percent(metrics.ckpt(original).value),
                "ask %": _percent(metrics.ask_rate(asking).value),
                "avg/traj": _round(metrics.questions_per_asking_trial(asking), 2),
                "pass@3 %": _percent(metrics.pass_rate(lacking).value),
                "pass@3 gain": _percent(gain.value),
                "pass@3 gain/Q": _round(metrics.gain_per_question(gain.value, asking), 3),
                "ckpt %": _percent(metrics.ckpt(lacking).value),
                "ckpt gain": _percent(ckpt_gain.value),
                "ckpt gain/Q": _round(metrics.gain_per_question(ckpt_gain.value, asking), 3),
                "precision %": _percent(metrics.precision(lacking)),
            }
        )
    long = sum(len(task.ends[0].changes) >= metrics.CHECKPOINTS for task in suite.tasks)
    return Table(
        title,
        columns,
        rows,
        (
            *(["A dial is a probability that the reference agent is set to."] if shown else []),
            "Pass@3, ckpt and precision without a user; gains, in percentage points, with one. A variant is complete "
            f"with {metrics.K} valid trials in both arms.",
            "Gain/Q divides by all questions over variants and trials, as published, so it shrinks with the data set; "
            "the next table has a size-free one.",
            f"Ckpt % and precision cover the {long} of {len(suite.tasks)} variants whose task has "
            f"{metrics.CHECKPOINTS} expected changes or more.",
        ),
    )


def _gains(title: str, four: Mapping[str, _Four]) -> Table:
    columns = [
        "agent", "complete", "variants", "baseline, variant mix %", "gain", "gain low", "gain high", "void scored low",
        "void scored high", "questions/trial", "gain/(questions/trial)", "low", "high", "ckpt gain", "ckpt low",
        "ckpt high",
    ]  # fmt: skip
    rows = []
    level = "template"
    for name, (original, _, lacking, asking) in four.items():
        gain, per = metrics.gain(lacking, asking), metrics.gain_per_mean_question(lacking, asking)
        partial = metrics.ckpt_gain(lacking, asking)
        worst, best = metrics.bounds(lacking, asking)
        done, total = _complete(lacking, asking)
        level = gain.level if gain.n else level
        rows.append(
            {
                "agent": name,
                "complete": done,
                "variants": total,
                "baseline, variant mix %": _percent(metrics.baseline(original)[1]),
                **_limits("gain", gain, "gain low", "gain high"),
                "void scored low": _percent(worst),
                "void scored high": _percent(best),
                "questions/trial": _round(metrics.questions_per_trial(asking), 3),
                "gain/(questions/trial)": _round(per.value, 1),
                "low": _round(per.low, 1),
                "high": _round(per.high, 1),
                **_limits("ckpt gain", partial, "ckpt low", "ckpt high"),
            }
        )
    return Figure.of(
        f"{title}: what the user is worth",
        columns,
        rows,
        (
            f"Gains in percentage points over variants complete in both arms; 95% intervals resample {level}s, paired.",
            "Void scored: the gain had every void trial gone against the user, or for them.",
        ),
        Chart("points", "agent", ("gain",), "gain low", "gain high", unit="points", title="gain"),
        Chart(
            "points", "agent", ("gain/(questions/trial)",), "low", "high",
            unit="points per question", title="gain/Q",
        ),
    )  # fmt: skip


def _asking(title: str, four: Mapping[str, _Four], users: Sequence[str]) -> Table:
    """`users` are whom the agent could ask on either request."""
    columns = [
        "agent", "prompt", "trials", "ask %", "low", "high", "ask % (variant)", "calls", "items asked",
        "calls/trial", "segments asked for %", "pass@3 gain",
    ]  # fmt: skip
    rows = []
    for name, (original, original_ask, lacking, asking) in four.items():
        for prompt, without, arm in ((ORIGINAL, original, original_ask), (LACKING, lacking, asking)):
            asked = metrics.ask_rate(arm)
            rows.append(
                {
                    "agent": name,
                    "prompt": prompt,
                    "trials": asked.n,
                    **_limits("ask %", asked, "low", "high"),
                    "ask % (variant)": _percent(metrics.ask_rate_variant(arm)),
                    "calls": metrics.calls(arm),
                    "items asked": metrics.items(arm),
                    "calls/trial": _round(metrics.questions_per_trial(arm), 3),
                    "segments asked for %": _percent(metrics.recall(arm, prompt)),
                    "pass@3 gain": _percent(metrics.gain(without, arm).value),
                }
            )
    return Table(
        f"{title}: asking",
        columns,
        rows,
        (
            "On the original request nothing is withheld, so every question there is one too many. An item is a "
            "withheld segment that a question targeted; one question can target several.",
            *_differing(*users),
        ),
    )


def _differing(original: str, other: str) -> list[str]:
    """Whom agents could ask on either request, where that was not the same user."""
    if original == other:
        return []
    return [f"Users: {original or 'none'} on the original request, {other or 'none'} on the other."]


_WAYS: Sequence[tuple[str, Callable[[Task], Sequence[str]], str]] = (
    ("dimension", lambda task: task.facts["dimensions"], "A variant counts once under each of its dimensions."),
    ("severity", lambda task: [task.facts["severity"]], ""),
    ("segments", lambda task: [str(task.facts["segments"])], ""),
    (
        "designed class",
        lambda task: [task.facts["designed_class"]],
        "Classes follow from the slots' records; no agent was observed to find them.",
    ),
)


def _split(
    title: str, suite: Suite, four: Mapping[str, _Four], way: str, groups: Callable[[Task], Sequence[str]], note: str
) -> Table:
    columns = ["agent", way, "complete", "variants", "pass@3 %", "gain", "low", "high", "ask %", "segments asked for %"]
    members: dict[str, list[str]] = {}
    for task in suite.tasks:
        for group in groups(task):
            members.setdefault(group, []).append(task.id)
    rows = []
    for name, arms in four.items():
        for group in sorted(members):
            lacking, asking = (metrics.only(arm, members[group]) for arm in (arms.lacking, arms.lacking_ask))
            done, total = _complete(lacking, asking)
            rows.append(
                {
                    "agent": name,
                    way: group,
                    "complete": done,
                    "variants": total,
                    "pass@3 %": _percent(metrics.pass_rate(lacking).value),
                    **_limits("gain", metrics.gain(lacking, asking), "low", "high"),
                    "ask %": _percent(metrics.ask_rate(asking).value),
                    "segments asked for %": _percent(metrics.recall(asking, LACKING)),
                }
            )
    return Table(f"{title}: by {way}", columns, rows, (note,) if note else ())


def _asking_conditions(agents: Agents) -> Agents:
    """The run's conditions in which somebody can be asked."""
    conditions: Agents = getattr(agents, "conditions", {})
    users: Mapping[str, str] = getattr(agents, "users", {})
    return {name: condition for name, condition in conditions.items() if users.get(name)}


def _with_users(table: Table, conditions: Sequence[str], users: Mapping[str, str]) -> Table:
    """A table made from these conditions, its title naming their users."""
    title = titled(table.title, [users.get(name, "") for name in conditions])
    return table.titled(title) if isinstance(table, Figure) else table._replace(title=title)


def _manners(title: str, arms: Mapping[str, Mapping[str, Arm]], conditions: Sequence[str]) -> Table:
    """The main figures over conditions that differ from `LACKING_ASK` in the user's manner alone."""
    figures: Mapping[str, Callable[[Arm, Arm], float | None]] = {
        "gain": lambda lacking, asking: metrics.gain(lacking, asking).value,
        "ask %": lambda _, asking: metrics.ask_rate(asking).value,
        "segments asked for %": lambda _, asking: metrics.recall(asking, LACKING),
    }
    rows = []
    for name, mine in arms.items():
        row: dict[str, Any] = {"agent": name}
        for figure, value in figures.items():
            limits = span([value(mine.get(LACKING, {}), mine.get(condition, {})) for condition in conditions])
            row[f"{figure}, lowest"], row[f"{figure}, highest"] = map(_percent, limits)
        rows.append(row)
    return Table(
        f"{title}: what the user is worth, over manners", list(rows[0]), rows, (f"Over {', '.join(conditions)}.",)
    )


def _complete(lacking: Arm, asking: Arm) -> tuple[int, int]:
    """Variants complete in both arms, and variants in either."""
    done = metrics.complete_variants(lacking) & metrics.complete_variants(asking)
    return len(done), len(lacking.keys() | asking.keys())


def _limits(name: str, interval: Interval, low: str, high: str) -> Row:
    return {name: _percent(interval.value), low: _percent(interval.low), high: _percent(interval.high)}


def _percent(share: float | None) -> float | None:
    return _round(None if share is None else 100 * share, 1)


def _round(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits) + 0.0  # no -0.0
