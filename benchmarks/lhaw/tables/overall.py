"""What a run comes to over all its variants: table 3 and what belongs to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.lhaw import dials, metrics
from benchmarks.lhaw.conditions import LACKING, ORIGINAL, untold
from benchmarks.lhaw.tables.group import (
    Group,
    Row,
    at_300,
    ckpt_gain_per_question,
    complete,
    limits,
    three,
)
from harness.report import Chart
from harness.report.intervals import clustered
from harness.report.texts import percent, rounded
from harness.scoring.stats import Interval
from harness.suite import Table

__all__ = ("asking", "averages", "information", "overall", "worth", "worth_in_checkpoints", "worth_in_pass")

_IN_PASS = "what the user is worth, in pass@3"


def overall(group: Group) -> list[Table]:
    """The columns of the paper's table 3; for instruments the dials' true values stand beside them."""
    shown = [dial for dial in dials.DIALS if any(dial in config for config in group.agents.values())]
    published = group.main.published(group.conditions)
    rows = []
    for name in group.agents:
        four = group.four(name)
        original, _, lacking, asking = four
        whole, covered = four.complete, four.covered
        gain, ckpt_gain = metrics.gain(lacking, asking), metrics.ckpt_gain(lacking, asking)
        done, total = complete(lacking, asking)
        row: dict[str, Any] = {
            "agent": name,
            **{f"{dial} dial": group.agents[name].get(dial) for dial in shown},
            "complete": done,
            "variants": total,
            "baseline pass@3 %": percent(metrics.baseline(original)[0]),
            "baseline ckpt %": percent(metrics.ckpt_baseline(original)[0]),
            "ask %": percent(metrics.ask_rate(asking).value),
            "avg/traj": rounded(metrics.questions_per_asking_trial(asking), 2),
            "pass@3 %": percent(metrics.pass_rate(whole.lacking).value),
            "pass@3 gain": percent(gain.value),
            "pass@3 gain/Q": rounded(metrics.gain_per_question(gain.value, whole.lacking_ask), 3),
            "ckpt variants": len(covered.variants),
            "ckpt %": percent(metrics.ckpt(covered.lacking).value),
            "ckpt gain": percent(ckpt_gain.value),
            "ckpt gain/Q": ckpt_gain_per_question(four),
            "precision %": percent(metrics.precision(covered.lacking)),
        }
        rows.append({**row, **(at_300(four, "pass@3 gain/Q", "ckpt gain/Q") if published else {})})
    arms = [arm for name in group.agents for arm in group.four(name)]
    played = {task for arm in arms for task in arm}
    long = {task for arm in arms for task in metrics.reliable(arm)}
    notes = (
        *group.paper("table 3"),
        *_told(group),
        *untold(group.conditions),
        *(["A dial is a probability that the reference agent is set to."] if shown else []),
        "Pass@3: the chance that at least one of 3 trials is right; baseline, on the whole request, "
        "each task counting once. Ckpt (checkpoints): the share of a task's expected changes that were made; "
        "precision: of a trial's changes the share that were expected, the mean over trials that changed something.",
        "Pass@3, ckpt and precision are without a user; gains are what is more with one, in percentage points. A "
        f"variant is complete with {metrics.K} valid trials {_where(group)}, and pass@3 and its gain are over those.",
        *_alone(group),
        *_incomplete(group, rows),
        *_baseline(group),
        "Ask: the share of all valid trials with a user that asked; avg/traj: questions a trial, of those that asked. "
        "Gain/Q divides by all questions over the trials of the variants that the gain is over, as published, so it "
        "shrinks with the data set; gain/(questions/trial), "
        f"{f'in the table {_IN_PASS}' if any(row['pass@3 gain'] is not None for row in rows) else 'where there is one'}"
        ", does not.",
        *(["Gain/Q at 300 is gain/Q had there been 300 trials."] if published else []),
        f"Ckpt %, ckpt gain and precision are over the ckpt variants: of the {len(long)} of {len(played)} played whose "
        f"task has {metrics.CHECKPOINTS} expected changes or more, those with a valid trial {_where(group)}.",
    )  # fmt: skip
    return group.table("", rows, notes)


def _told(group: Group) -> Iterator[str]:
    """What a reader has to know where the two arms of a gain are told different things."""
    without, with_user = (group.conditions.get(name, {}) for name in (group.main.lacking, group.main.lacking_ask))
    told = [str(each.get("notice", "none")) for each in (without, with_user)]
    if without and with_user and told[0] != told[1]:
        as_published = ", as in the paper's code" if group.main.published(group.conditions) else ""
        yield (
            f"The arms are told different things{as_published}: notice {told[0]} without a user, {told[1]} with one. "
            "A gain is of both together."
        )


def worth(group: Group, empty: Sequence[str] = ()) -> list[Table]:
    """The gain in accuracy with its interval, which any number of trials gives: what most readers come for.

    It is the mean difference of pass@1, the share of a variant's trials that are right. `empty` are titles of tables
    that are not shown, for want of any figure.
    """
    rows = []
    told: dict[str, Interval] = {}
    for name in group.agents:
        *_, lacking, asking = group.four(name)
        accuracy = metrics.gain(lacking, asking, 1)
        done, total = complete(lacking, asking)
        told[f"{name}'s accuracy gain"] = accuracy
        rows.append(
            {
                "agent": name,
                "prompt": LACKING,
                "trials": sum(metrics.trials_of(arm)[1] for arm in (lacking, asking)),
                "complete": done,
                "variants": total,
                **limits("accuracy gain", accuracy, "accuracy low", "accuracy high"),
                "questions/trial": rounded(metrics.questions_per_trial(asking), 3),
            }
        )
    silent = [row["agent"] for row in rows if row["questions/trial"] == 0]
    notes = (
        "Accuracy gain: percentage points more with a user than without, in the mean share of right trials, over "
        "variants with a valid trial in both arms; questions/trial: over all valid trials with a user.",
        *_alone(group),
        *([f"{' and '.join(silent)} asked nothing, so that no gain is by asking."] if silent else []),
        *_intervals(told),
        *_left_out(empty),
    )
    chart = Chart(
        "points", "agent", ("accuracy gain",), "accuracy low", "accuracy high", unit="points", title="accuracy gain"
    )
    return group.table("what the user is worth", rows, notes, chart, lead=True)


def worth_in_pass(group: Group) -> list[Table]:
    """Gains in pass@3 with intervals and bounds, and per question whatever the size of the data."""
    rows = []
    told: dict[str, Interval] = {}
    for name in group.agents:
        four = group.four(name)
        *_, lacking, asking = four
        gain, per = metrics.gain(lacking, asking), metrics.gain_per_mean_question(lacking, asking)
        worst, best = metrics.bounds(lacking, asking)
        done, total = complete(lacking, asking)
        told |= {f"{name}'s {what}": each for what, each in (("pass@3 gain", gain), ("gain/(questions/trial)", per))}
        rows.append(
            {
                "agent": name,
                "prompt": LACKING,
                "complete": done,
                "variants": total,
                "baseline, variant mix %": percent(three(four)["original %"]),
                **limits("pass@3 gain", gain, "gain low", "gain high"),
                "void scored low": percent(worst),
                "void scored high": percent(best),
                "gain/(questions/trial)": rounded(per.value, 1),
                "low": rounded(per.low, 1),
                "high": rounded(per.high, 1),
            }
        )
    notes = (
        "Pass@3 gain, in percentage points, and gain/(questions/trial), that gain per mean question of a trial: over "
        f"complete variants, those with {metrics.K} valid trials {_where(group)}.",
        *_incomplete(group, rows),
        *_baseline(group),
        *_intervals(told),
        "Baseline, variant mix: pass@3 on the whole request, a task counting once for each of its complete variants. "
        "Void scored low, high: the pass@3 gain had every void trial (ended by a fault not the agent's) gone against "
        f"the user, or for them, over variants with {metrics.K} trials in both arms, void ones among them.",
    )
    return group.table(
        _IN_PASS,
        rows,
        notes,
        Chart("points", "agent", ("pass@3 gain",), "gain low", "gain high", unit="points", title="pass@3 gain"),
        Chart(
            "points", "agent", ("gain/(questions/trial)",), "low", "high", unit="points per question",
            title="gain/(questions/trial)",
        ),
    )  # fmt: skip


def worth_in_checkpoints(group: Group) -> list[Table]:
    """Gains in the share of expected changes that were made, with intervals, for any number of trials."""
    rows = []
    told: dict[str, Interval] = {}
    for name in group.agents:
        four = group.four(name)
        *_, lacking, asking = four
        covered = four.covered
        gain = metrics.ckpt_gain(lacking, asking)
        told[f"{name}'s ckpt gain"] = gain
        done, total = complete(lacking, asking)
        rows.append(
            {
                "agent": name,
                "prompt": LACKING,
                "complete": done,
                "variants": total,
                "baseline, variant mix %": percent(metrics.ckpt_baseline(covered.original, covered.variants)[1]),
                "ckpt variants": len(covered.variants),
                **limits("ckpt gain", gain, "low", "high"),
            }
        )
    notes = (
        "Ckpt gain: percentage points more of the expected changes made with a user than without, over the ckpt "
        f"variants, whose task has {metrics.CHECKPOINTS} expected changes or more. Baseline, variant mix: the "
        "share made on the whole request, a task counting once for each of its ckpt variants.",
        *_intervals(told),
    )
    return group.table("what the user is worth, in checkpoints", rows, notes)


def _where(group: Group) -> str:
    """In which arms a variant needs its valid trials."""
    fours = map(group.four, group.agents)
    both = all(four.lacking and four.lacking_ask for four in fours)
    return "in both arms" if both else "in both arms, or in the one that was played"


def _alone(group: Group) -> Iterator[str]:
    """Why there is no gain where one of the two arms was not played by anybody."""
    without, with_user = group.played(group.main.lacking), group.played(group.main.lacking_ask)
    if without != with_user:
        yield f"No gain: the {LACKING} request was not played {'with' if without else 'without'} a user."


def _incomplete(group: Group, rows: Iterable[Row]) -> Iterator[str]:
    """Why there is no pass@3 where there is none."""
    without = [row for row in rows if row["variants"] and not row["complete"]]
    if without:
        counts = ", ".join(f"{row['agent']}: 0 of {row['variants']}" for row in without)
        more = " The accuracy gain, in the table what the user is worth, takes any number."
        yield (
            f"No pass@3, and no gain in it, where no variant has {metrics.K} valid trials {_where(group)} ({counts})."
            f"{'' if [*_alone(group)] else more}"
        )


def _baseline(group: Group) -> Iterator[str]:
    """Of how many requests there is a baseline, where there is none of some."""
    told = []
    for name in group.agents:
        done, total = metrics.requests(group.four(name).original)
        if done < total:
            told.append(f"{name}: {done} of {total}, {total - done} left out")
    if told:
        yield (
            f"The pass@3 baseline is over requests with {metrics.K} valid trials, whichever of their variants these "
            f"were played for ({'; '.join(told)})."
        )


def _intervals(found: Mapping[str, Interval]) -> Iterator[str]:
    """What the limits of these are, and of which there are none, and why."""
    known = {name: each for name, each in found.items() if each.value is not None}
    shown = {name: each for name, each in known.items() if each.low is not None}
    if resampled := [each for each in shown.values() if not each.note.startswith("every ")]:
        yield f"95% intervals, paired, are resampled {clustered(resampled)}."
    if exact := [name for name, each in shown.items() if each.note.startswith("every ")]:
        yield (
            f"The same in every {shown[exact[0]].level}, so that resampling has no spread: {', '.join(exact)}. Their "
            "limits are exact bounds instead (Clopper and Pearson 1934): how many others there may be of which none "
            "was seen."
        )
    without: dict[str, list[str]] = {}
    for name, each in known.items():
        if name not in shown:
            without.setdefault(each.note.removesuffix(": no interval"), []).append(name)
    for why, names in without.items():
        yield f"No interval of {', '.join(names)}: {why}."


def _left_out(titles: Iterable[str]) -> Iterator[str]:
    """Tables without a figure, in one line."""
    names = [re.sub(r", users? .*", "", title.partition(": ")[2]) for title in titles]
    if names:
        yield (
            "Not shown, as all their figures would be dashes (no variant, or no matched set, has the valid trials in "
            f"all arms that they take): {'; '.join(names)}."
        )


def asking(group: Group) -> list[Table]:
    """Who asked how often, on either request."""
    pairing = group.main
    whole = group.played(pairing.original_ask)
    rows = []
    for name in group.agents:
        original, original_ask, lacking, lacking_ask = group.four(name)
        for prompt, without, arm in ((ORIGINAL, original, original_ask), (LACKING, lacking, lacking_ask)):
            if not arm:
                continue
            asked = metrics.ask_rate(arm)
            done, total = complete(without, arm)
            rows.append(
                {
                    "agent": name,
                    "prompt": prompt,
                    "complete": done,
                    "variants": total,
                    "trials": asked.n,
                    **limits("ask %", asked, "low", "high"),
                    "ask % (variant)": percent(metrics.ask_rate_variant(arm)),
                    "calls": metrics.calls(arm),
                    "items asked": metrics.items(arm),
                    "calls/trial": rounded(metrics.questions_per_trial(arm), 3),
                    "segments asked for %": percent(metrics.recall(arm, prompt)),
                    "segments told %": percent(metrics.recovery(arm, prompt)),
                    "useful calls %": percent(metrics.question_precision(arm)),
                    "segments told/call": rounded(metrics.cost_efficiency(arm), 3),
                    "pass@3 gain": percent(metrics.gain(without, arm).value),
                }
            )
    notes = (
        *(["On the original request nothing is withheld, so every question there is one too many."] if whole else []),
        "An item is a withheld segment that a question targeted; one question can target several.",
        "Segments asked for, told: of all withheld, those that a question targeted (recall), and those that an answer "
        "told (recovery). Useful calls: the share of questions that target a segment not told by then (precision). "
        "Segments told/call: their number per question (cost-efficiency).",
        *_differing(
            [group.users.get(name, "") for name in (pairing.original_ask, pairing.lacking_ask) if group.played(name)]
        ),
    )
    return group.table("asking", rows, notes, of=pairing)


def _differing(users: Sequence[str]) -> list[str]:
    """Whom agents could ask on the original request and on the other, where both were played and the users differ."""
    if len(set(users)) < 2:
        return []
    return [f"Users: {users[0]} on the original request, {users[1]} on the other."]


def information(group: Group) -> list[Table]:
    """Of several agents, how far each gets with the user against what each question brought it (figure 4)."""
    if len(group.agents) < 2:
        return []
    rows = []
    for name in group.agents:
        four = group.four(name)
        *_, lacking, asking = four
        done, total = complete(lacking, asking)
        per, partial = (
            metrics.gain_per_mean_question(lacking, asking),
            metrics.ckpt_gain_per_mean_question(lacking, asking),
        )
        rows.append(
            {
                "agent": name,
                "complete": done,
                "variants": total,
                "pass@3 with user %": percent(metrics.pass_rate(four.complete.lacking_ask).value),
                "gain/(questions/trial)": rounded(per.value, 1),
                "ckpt variants": len(four.covered.variants),
                "ckpt with user %": percent(metrics.ckpt(four.covered.lacking_ask).value),
                "ckpt gain/(questions/trial)": rounded(partial.value, 1),
            }
        )
    across = (("pass@3", "gain/(questions/trial)"), ("ckpt", "ckpt gain/(questions/trial)"))
    charts = [
        Chart("scatter", "agent", (f"{what} with user %",), across=per, title=what)
        for what, per in across
        if _drawable(rows, f"{what} with user %", per)
    ]
    notes = (
        *group.paper("figure 4"),
        "Up: how much was right with the user. Across: percentage points gained per mean question of a trial, pass@3 "
        f"over complete variants, ckpt over the ckpt variants (tasks with {metrics.CHECKPOINTS} expected changes or "
        "more), each by the questions that were asked on these variants.",
        *_incomplete(group, rows),
        *(["Drawn only where no gain is negative."] if len(charts) < len(across) else []),
    )
    return group.table("the value of information", rows, notes, *charts)


def _drawable(rows: Sequence[dict[str, Any]], up: str, across: str) -> bool:
    """Whether there are two points at least, none of them left of the axis, which begins at 0."""
    known = [row[across] for row in rows if row[up] is not None and row[across] is not None]
    return len(known) > 1 and min(known) >= 0 and max(known) > 0


def averages(group: Group) -> list[Table]:
    """The mean over several agents, each counting once (table 13)."""
    if len(group.agents) < 2:
        return []
    fours = [group.four(name) for name in group.agents]
    each = [three(four) for four in fours]
    counts = [complete(four.lacking, four.lacking_ask) for four in fours]
    row: dict[str, Any] = {
        "suite": group.suite.name,
        "agents": len(fours),
        "complete": sum(done for done, _ in counts),
        "variants": sum(total for _, total in counts),
    }
    for column in each[0]:
        known = [value for figures in each if (value := figures[column]) is not None]
        row[column] = percent(sum(known) / len(known)) if len(known) == len(fours) else None
    notes = (*group.paper("table 13"), "Means over agents; complete and variants are summed over them.")
    return group.table("mean over agents", [row], notes)
