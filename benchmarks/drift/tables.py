"""The tables of a Drift-Bench report (docs/benchmarks/drift.md, Tables). Environments are never pooled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from benchmarks.drift import dials, metrics
from benchmarks.drift.arms import USUAL, Arms, Conditions, arms_of, asked, persona, played, role, told_apart
from benchmarks.drift.environments import SERVICE, STATE, named
from benchmarks.drift.faults.catalogue import NAMES
from benchmarks.drift.need import NEEDS
from benchmarks.drift.paradox import decomposed, paradox
from benchmarks.drift.template import CATEGORIES, FAULTS, PUBLISHED
from benchmarks.drift.trials import Arm, ByAgent, arm, by_agent
from harness.report import INSTRUMENTS
from harness.report.texts import percent, rounded
from harness.scoring.stats import Interval
from harness.suite import Scored, Suite, Table

__all__ = ("report",)

Agents = Mapping[str, Mapping[str, Any]]
Row = dict[str, Any]

_LEVELS = (
    "Levels are not comparable with the paper's: its own examples of noise need no question, its environments are "
    "others, and its answers are judged otherwise."
)
_S_O = (
    "Success on the whole request over the variants of each category that are complete in both arms: what its score is "
    "set against, as PD = (oracle - score) / oracle. Rows in which it is the same for all categories are left out."
)
_DIALS = (
    "Patience dials: without a model a persona is a few numbers of ours, and stands for no style measured in people. "
    "They are the asks at which an open and a closed question are answered, and the items that a reply is about."
)
_PLAYED = (
    "A persona is a card of ours that a model plays: named after a style of the GDMS, and not validated against people."
)
_TOLD_APART = (
    "The arms are told different things (notice, persona, overlays), as the paper's are: a gain is of that and of "
    "asking together."
)


def report(suite: Suite, agents: Agents, scored: Sequence[Scored]) -> Sequence[Table]:
    """All tables, instruments first, environment by environment. Tables without rows are left out."""
    conditions: Conditions = getattr(agents, "conditions", USUAL)
    found = by_agent(suite.tasks, scored)
    instruments = {name: each for name, each in agents.items() if each.get("kind") in INSTRUMENTS}
    models = {name: each for name, each in agents.items() if name not in instruments}
    tables: list[Table] = []
    for title, chosen in (("Calibration", instruments), ("Clarification", models)):
        if chosen:
            mine = {name: found.get(name, {}) for name in chosen}
            tables += _of(title, chosen, mine, conditions, named(suite.tasks))
    return [table for table in tables if table.rows]


def _of(
    title: str, agents: Agents, found: ByAgent, conditions: Conditions, environments: Sequence[str]
) -> Iterator[Table]:
    roles = arms_of(conditions)
    played = [
        each for each in environments if any(arm(mine, name, each) for mine in found.values() for name in conditions)
    ]
    if title == "Calibration":
        yield from (_marked(_dials(title, agents, found, conditions, each), found, each) for each in played)
    for each in played:
        tables = (
            *_table_2(title, f"the paper's five faults, {each}", found, roles, each, PUBLISHED),
            *_table_2(title, f"all sixteen faults, {each}", found, roles, each, frozenset(FAULTS)),
            _personas(f"{title}: personas, {each}", found, roles, conditions, each),
            _dialogue(f"{title}: dialogue, {each}", found, conditions, each),
            _safety(f"{title}: safety, {each}", found, conditions, each),
            _economy(f"{title}: economy, {each}", found, roles, conditions, each),
            _strategies(f"{title}: strategies by fault, {each}", found, roles, conditions, each),
        )
        yield from (_marked(table, found, each) for table in tables)
    yield _paradox(f"{title}: gain by environment", found, roles, conditions, played)
    yield _parts(f"{title}: what a gain is made of", found, roles, conditions, played)


def _marked(table: Table, found: ByAgent, environment: str) -> Table:
    """The table with a note on trials that are marked `timing`, where there are any in its environment."""
    trials = [
        trial for arms in found.values() for name in arms for each in arm(arms, name, environment).values()
        for trial in each
    ]  # fmt: skip
    marked = sum(trial.timing for trial in trials)
    note = (
        f"{marked} of {len(trials)} trials are marked `timing`: a call of theirs was stopped because its time was up, "
        "so what they came to may depend on how fast the machine is."
    )
    return table._replace(notes=(*table.notes, note)) if marked else table


def _dials(title: str, agents: Agents, found: ByAgent, conditions: Conditions, environment: str) -> Table:
    rows = [
        {
            "agent": name,
            "condition": condition,
            "seen": what,
            "true %": percent(true),
            **_limits("measured %", measured),
            "trials": over,
        }
        for name, config in agents.items()
        for condition, what, true, measured, over in dials.seen(config, found.get(name, {}), conditions, environment)
    ]
    columns = ["agent", "condition", "seen", "true %", "measured %", "low", "high", "trials"]
    notes = ("Over variants in which the user is needed. The true value follows from the dials alone.",)
    return Table(f"{title}: dials, {environment}", columns, rows, notes)


def _table_2(
    title: str, of: str, found: ByAgent, roles: Arms, environment: str, faults: Iterable[str]
) -> tuple[Table, Table]:
    """As table 2 of the paper: success on the whole request, then on faulty ones and what they lose, by category.

    The second has what each category's success on the whole request is, in rows where that is not the same for all.
    """
    wanted = frozenset(faults)
    rows: list[Row] = []
    apart: list[Row] = []
    for name, arms in found.items():
        for need in ("all", *NEEDS):
            whole, faulty = (
                _of_need({k: v for k, v in arm(arms, each, environment).items() if v[0].fault in wanted}, need)
                for each in (roles.oracle, roles.faulty)
            )
            if faulty:
                rows.append({"agent": name, "need": need, **_degraded(whole, faulty)})
                own = {category: _whole(whole, faulty, category) for category in CATEGORIES}
                if any(each["oracle %"] not in (None, rows[-1]["oracle %"]) for each in own.values()):
                    told = {f"{category} {what}": value for category in own for what, value in own[category].items()}
                    apart.append({"agent": name, "need": need, **told})
    every = [row for row in rows if row["need"] == "all"]
    signed, sizes = {}, []
    for category in CATEGORIES:
        values = [row[f"{category} PD"] for row in every if row[f"{category} PD"] is not None]
        signed[f"{category} PD"] = rounded(fmean(values), 1) if values else None
        if values:
            sizes.append(f"{category} {fmean(map(abs, values)):.1f}")
    if len(every) > 1:
        rows.append({"agent": "average", "need": "all", **signed})
    notes = [
        _LEVELS,
        "PD: percent of the success on the whole request that is lost; below 0, faulty requests did better.",
        "Oracle: success on the whole request, over all variants of the row that are complete in both arms. A PD takes "
        "it over those of its category alone; where that is another figure, a table below has it.",
    ]
    if sizes:
        notes.append(f"Means of |PD|, as the paper averages in one of its blocks: {', '.join(sizes)}.")
    columns = [
        "agent",
        "need",
        "oracle %",
        *(f"{each} {what}" for each in CATEGORIES for what in ("%", "PD")),
        "complete",
        "total",
    ]
    wide = [f"{category} {what}" for category in CATEGORIES for what in ("oracle %", "complete")]
    return (
        Table(f"{title}: {of}", columns, [{column: row.get(column) for column in columns} for row in rows], notes),
        Table(f"{title}: oracle by category, {of}", ["agent", "need", *wide], apart, (_S_O,)),
    )


def _of_need(arm: Arm, need: str) -> Arm:
    return arm if need == "all" else {name: trials for name, trials in arm.items() if trials[0].need == need}


def _degraded(whole: Arm, faulty: Arm) -> Row:
    complete = metrics.complete(whole, faulty)
    row: Row = {"oracle %": percent(metrics.success(whole, complete).value)}
    for category in CATEGORIES:
        mine, theirs = _of_category(whole, category), _of_category(faulty, category)
        both = metrics.complete(mine, theirs)
        row[f"{category} %"] = percent(metrics.success(theirs, both if mine else None).value)
        row[f"{category} PD"] = percent(metrics.degradation(mine, theirs).value)
    row["complete"] = len(complete)
    row["total"] = len({*whole, *faulty})
    return row


def _whole(whole: Arm, faulty: Arm, category: str) -> Row:
    """S_o of a category's PD."""
    mine = _of_category(whole, category)
    both = metrics.complete(mine, _of_category(faulty, category))
    return {"oracle %": percent(metrics.success(mine, both).value), "complete": len(both)}


def _of_category(arm: Arm, category: str) -> Arm:
    return {name: trials for name, trials in arm.items() if trials[0].category == category}


def _personas(title: str, found: ByAgent, roles: Arms, conditions: Conditions, environment: str) -> Table:
    """Table 2b: what asking each persona is worth."""
    rows = []
    for name, arms in found.items():
        whole, faulty = arm(arms, roles.oracle, environment), arm(arms, roles.faulty, environment)
        for condition in roles.personas:
            clarify = arm(arms, condition, environment)
            if clarify:
                rows.append(
                    {
                        "agent": name,
                        "condition": condition,
                        "user": persona(conditions[condition]),
                        **_limits("gain", metrics.difference(faulty, clarify)),
                        "recovery %": percent(metrics.recovery(whole, faulty, clarify).value),
                        "bias %": percent(metrics.execution_bias(clarify).value),
                        "rounds": rounded(metrics.rounds(clarify).value, 2),
                        "complete": len(metrics.complete(faulty, clarify)),
                    }
                )
    columns = ["agent", "condition", "user", "gain", "low", "high", "recovery %", "bias %", "rounds", "complete"]
    notes = ["Recovery is empty unless the interval of what was lost excludes 0."]
    asked = [conditions[each] for each in roles.personas if conditions[each].get("user", {}).get("kind") == "persona"]
    notes += [_PLAYED] if any(map(played, asked)) else []
    notes += [_DIALS] if not all(map(played, asked)) else []
    notes += [_TOLD_APART] if told_apart(conditions, roles) else []
    return Table(title, columns, rows, notes)


def _cells(found: ByAgent, conditions: Conditions, environment: str) -> Iterator[tuple[str, str, Arm]]:
    for name, arms in found.items():
        for condition in conditions:
            if mine := arm(arms, condition, environment):
                yield name, condition, mine


def _dialogue(title: str, found: ByAgent, conditions: Conditions, environment: str) -> Table:
    rows = []
    for name, condition, mine in _cells(found, conditions, environment):
        clean = role(conditions[condition]) == "oracle+clarify"
        hiding = {} if clean else mine  # of the whole request nothing is hidden that could be asked for
        if clean or role(conditions[condition]) in ("faulty+clarify", "placebo"):
            rows.append(
                {
                    "agent": name,
                    "condition": condition,
                    "detection %": percent(metrics.detection(hiding).value),
                    "precision %": percent(metrics.precision(hiding).value),
                    "resolved %": percent(metrics.resolved(hiding).value),
                    "over-asking": rounded(metrics.over_asking(mine, clean=clean).value, 2),
                    "fit %": percent(metrics.fit(hiding).value),
                    "intent %": percent(metrics.intent(mine).value),
                    "misread": rounded(metrics.garbled(mine).value, 2),
                }
            )
    notes = (
        "Detection: needy trials with a question about what is hidden; where the whole request is given nothing is, so "
        "detection, precision, resolved and fit are empty there. Precision: such questions of all calls of the tool to "
        "ask with. Over-asking: such calls per trial with the whole request, elsewhere per robust trial. A call that "
        "was refused counts in these two, and is no question. Intent: what the agent's own account of the question has "
        "of its values and its action. Misread: calls around the first reply that could not be read.",
    )
    return Table(title, list(rows[0]) if rows else [], rows, notes)


def _safety(title: str, found: ByAgent, conditions: Conditions, environment: str) -> Table:
    rows = []
    for name, condition, mine in _cells(found, conditions, environment):
        if role(conditions[condition]) not in ("faulty", "faulty+clarify", "placebo"):
            continue
        confirms = conditions[condition].get("ask") == "clarify"
        bias = metrics.execution_bias(mine)
        rows.append(
            {
                "agent": name,
                "condition": condition,
                **_limits("bias %", bias),
                "deferral %": percent(None if bias.value is None else 1 - bias.value),
                "risky %": percent(metrics.risky(mine).value),
                "wrong changes %": percent(metrics.wrong_changes(mine).value),
                "blind answers %": percent(metrics.blind(mine).value),
                "risks confirmed %": percent(metrics.confirmed(mine).value) if confirms else None,
            }
        )
    notes = (
        "Bias: of needy trials whose request calls for a change, those that changed something before they asked, or "
        "unasked; a question that was refused is none. Whoever changes nothing has a bias of 0. Deferral is its "
        "complement, so that doing nothing counts as deferring; it is one possible reading of the SAR that others "
        "report of the paper, unverified. Blind answers: of needy reads, those answered before anything was asked, or "
        "unasked. Risks confirmed: of rows changed in a way that is hard to undo, each row counted, those after a "
        "`confirm_risk` that was answered; empty where there is no such tool.",
    )
    return Table(title, list(rows[0]) if rows else [], rows, notes)


def _economy(title: str, found: ByAgent, roles: Arms, conditions: Conditions, environment: str) -> Table:
    rows = []
    for name, condition, mine in _cells(found, conditions, environment):
        if condition == roles.oracle:
            continue
        whole, faulty = (arm(found[name], each, environment) for each in (roles.oracle, roles.faulty))
        more = metrics.beyond(whole, mine)
        low, high = metrics.bounds(mine)
        asks = role(conditions[condition]) in ("faulty+clarify", "placebo")
        rows.append(
            {
                "agent": name,
                "condition": condition,
                "success %": percent(metrics.success(mine).value),
                "were void wrong": percent(low),
                "right": percent(high),
                "rounds": rounded(metrics.rounds(mine).value, 2),
                "if it asks": rounded(metrics.rounds(mine, asking=True).value, 2),
                "to success": rounded(metrics.rounds_to_success(mine).value, 2) if asks else None,
                "gain/round": percent(metrics.gain_per_round(faulty, mine).value) if asks else None,
                "calls more": rounded(more.calls.value, 2),
                "tokens more": rounded(more.tokens.value, 0),
            }
        )
    notes = (
        "Calls and tokens are those beyond the arm with the whole request, paired by variant; tokens are empty where "
        "those of any trial are unknown.",
    )
    return Table(title, list(rows[0]) if rows else [], rows, notes)


def _strategies(title: str, found: ByAgent, roles: Arms, conditions: Conditions, environment: str) -> Table:
    rows = []
    for name, arms in found.items():
        clarify = arm(arms, roles.clarify, environment)
        for fault in FAULTS:
            mine = {k: trials for k, trials in clarify.items() if trials[0].fault == fault}
            used = metrics.used(mine)
            if any(used[each] for each in _STRATEGIES):
                rows.append(
                    {
                        "agent": name,
                        "fault": f"{fault} {NAMES[fault]}{'*' if fault in PUBLISHED else ''}",
                        **{each: used[each] for each in _STRATEGIES},
                        "fit %": percent(metrics.fit(mine).value),
                    }
                )
    notes = (
        asked(conditions, roles),
        "Fit: the first question about what is hidden has a strategy listed for that fault. Calls that were "
        "refused are among those counted, and are no questions. *: one of the paper's.",
    )
    return Table(title, list(rows[0]) if rows else [], rows, notes)


_STRATEGIES: Final = ("ask_parameter", "disambiguate", "propose_solution", "confirm_risk", "report_blocker")


def _paradox(title: str, found: ByAgent, roles: Arms, conditions: Conditions, played: Sequence[str]) -> Table:
    rows = []
    for name, arms in found.items():
        for state in (each for each in played if each in STATE):
            for service in (each for each in played if each in SERVICE):
                compared = [
                    [arm(arms, each, place) for each in (roles.faulty, roles.clarify)] for place in (state, service)
                ]
                both = paradox(*compared)
                rows.append(
                    {
                        "agent": name,
                        "state": state,
                        **_limits("gain", both.state),
                        "service": service,
                        **_limits("its gain", both.service, "its low", "its high"),
                        **_limits("difference", metrics.gap(*compared), "from", "to"),
                        "paradox": {None: "no interval", True: "observed", False: "not observed"}[both.observed],
                    }
                )
    notes = [
        asked(conditions, roles),
        "Points of success. Difference: the first gain less the second, from and to its limits, for which templates "
        "are drawn within each environment. Observed: the first interval lies above 0 and the second below.",
    ]
    return Table(title, list(rows[0]) if rows else [], rows, [note for note in notes if note])


def _parts(title: str, found: ByAgent, roles: Arms, conditions: Conditions, played: Sequence[str]) -> Table:
    rows = []
    for name, arms in found.items():
        for each in played:
            parts = decomposed(*(
                arm(arms, condition, each)
                for condition in (roles.faulty, roles.clarify, roles.placebo, roles.informed)
            ))  # fmt: skip
            rows += [
                {"agent": name, "environment": each, "part": what, **_limits("points", found_part)}
                for what, found_part in zip(parts._fields, parts, strict=True)
                if found_part.value is not None
            ]
    notes = [
        asked(conditions, roles),
        "Information: the truth in a second paragraph, no tool. Channel: asking when the answers add nothing. "
        "Dialogue: asking less the truth at once.",
    ]
    return Table(title, list(rows[0]) if rows else [], rows, [note for note in notes if note])


def _limits(name: str, interval: Interval, low: str = "low", high: str = "high") -> Row:
    return {name: percent(interval.value), low: percent(interval.low), high: percent(interval.high)}
