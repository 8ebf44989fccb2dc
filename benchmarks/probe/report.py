"""The paper's tables 3 to 5 from scored trials, instruments and models apart, and what is known beforehand beside them.

Those of instruments bear no number of the paper's. Controls are in none of these, but in tables of their own (`acts`).
Levels of samples share no table.

A row is an agent under a condition. Rates are in [0, 1]; intervals are 95%, by persona.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple, get_args

from benchmarks.probe.acts import Acted, alarms, costs, in_time
from benchmarks.probe.calibration import Played, calibrated
from benchmarks.probe.records import Level
from benchmarks.probe.scoring import tables
from benchmarks.probe.scoring.modes import Modes
from benchmarks.probe.scoring.scored import Scored as Answer
from harness.report import INSTRUMENTS
from harness.report.texts import rounded
from harness.scoring.stats import Interval
from harness.suite import Scored, Suite, Table
from harness.trajectory import Trajectory

__all__ = ("is_timed", "level_of", "report")

_DIFFICULTIES = ("easy", "medium", "hard")
_SHORT = (
    "F1", "Bottleneck Identification", "Task Execution", "overall", "strict", "answers", "identification scored",
    "execution scored", "unscored",
)  # fmt: skip
_FRAMEWORK = (
    "P", "R", "F1", "touched P", "touched R", "touched F1", "Bottleneck Identification", "Task Execution", "answers",
    "identification scored", "execution scored",
)  # fmt: skip

Row = Mapping[str, Any]


class _Trial(NamedTuple):
    """One scored trial: the answer under its agent's name and condition, and what `checks.strict` says beside."""

    agent: str
    answer: Answer
    detail: Mapping[str, Any]


def report(suite: Suite, agents: Mapping[str, Mapping[str, Any]], scored: Sequence[Scored]) -> Sequence[Table]:
    """All tables, by level and instruments first, and what can be said without playing. Void trials are in none."""
    several = len({each.trajectory.condition for each in scored}) > 1
    made: list[Table] = []
    for level in get_args(Level):
        mine = [each for each in scored if level_of(each) == level]
        made += _of_level("" if level == "grammar" else f", level {level}", agents, mine, several)
    return made


def _of_level(
    level: str, agents: Mapping[str, Mapping[str, Any]], scored: Sequence[Scored], several: bool
) -> Sequence[Table]:
    made: list[Table] = []
    for kind, instruments in (("Calibration", True), ("PROBE", False)):
        title = f"{kind}{level}"
        names = {name for name, config in agents.items() if (config.get("kind") in INSTRUMENTS) is instruments}
        trials = [_trial(each, several) for each in scored if each.trajectory.agent in names and _told(each)]
        if trials:
            made += _tables(title, trials, numbered=not instruments)
        played = [_played(each, agents) for each in trials if instruments]
        if known := [each for each in played if not level or each.config["kind"] != "reference"]:
            made.append(calibrated(title, known))
        acted = [_acted(each, several) for each in scored if each.trajectory.agent in names and _counted(each)]
        made += [*alarms(title, acted), *costs(title, acted)]
        made += in_time(
            title,
            [
                (_name(each.trajectory, several), each.scores["strict"])
                for each in scored
                if each.trajectory.agent in names and is_timed(each)
            ],
        )
    every = [_trial(each, several) for each in scored if _told(each)]
    return [*made, _beforehand(level, every)] if every else made


def level_of(each: Scored) -> str:
    """The level of a trial's sample; records that do not say are older than any but the first."""
    strict = each.scores.get("strict")
    return str(strict.detail.get("level", "grammar")) if strict else "grammar"


def _told(each: Scored) -> bool:
    return "strict" in each.scores and "scored" in each.scores["strict"].detail


def is_timed(each: Scored) -> bool:
    """Whether a trial is of a task over days, and not void."""
    return "strict" in each.scores and "timing" in each.scores["strict"].detail


def _counted(each: Scored) -> bool:
    return "strict" in each.scores and "control" in each.scores["strict"].detail


def _trial(each: Scored, several: bool) -> _Trial:
    detail = each.scores["strict"].detail
    answer = Answer.model_validate(detail["scored"])
    return _Trial(each.trajectory.agent, answer.model_copy(update={"agent": _name(each.trajectory, several)}), detail)


def _acted(each: Scored, several: bool) -> Acted:
    t, told = each.trajectory, each.scores["strict"].detail
    numbers = {name: told[name] for name in ("control", "acts", "wrong_acts", "cost")}
    return Acted(_name(t, several), t.task, t.trial, t.prompt, execution=each.scores["execution"].value, **numbers)


def _name(trajectory: Trajectory, several: bool) -> str:
    return f"{trajectory.agent}, {trajectory.condition}" if several else trajectory.agent


def _played(each: _Trial, agents: Mapping[str, Mapping[str, Any]]) -> Played:
    told = each.detail
    return Played(each.answer, told["relevant"], told["documents"], told["actions"], agents[each.agent])


def _tables(title: str, trials: Sequence[_Trial], *, numbered: bool) -> list[Table]:
    third, fourth, fifth = (f" (table {number})" if numbered else "" for number in (3, 4, 5))
    answers = [each.answer for each in trials]
    main = tables.models(answers)
    frameworks = [{column: row[column] for column in ("Framework", *_FRAMEWORK)} for row in tables.frameworks(answers)]
    return [
        _table(
            f"{title}: search, identification and execution{third}",
            main,
            "P, R and F1 are means over answers, neutral documents counted as distractors; micro pools them. "
            "Identification and execution are over the answers that are scored in them: of those in prose, before a "
            "judge was asked, the ones that a program can refute. Unscored answers wait for a judge (`harness judge`), "
            "or are to samples whose key asks for parameters that nobody could have read: the execution of these is in "
            "no mean, whatever was done.",
        ),
        _table(
            f"{title}: evidence declared and documents touched{fourth}",
            frameworks,
            "Touched is what the datastore showed anything of: nothing, to who is shown everything at once.",
        ),
        _failures(f"{title}: failure modes{fifth}", answers),
        _split(title, "difficulty", trials, lambda each: each.answer.difficulty, _DIFFICULTIES),
        _split(title, "cause", trials, _cause, sorted({_cause(each) for each in trials})),
    ]


def _cause(each: _Trial) -> str:
    """The type of a cause; each template that is held out stands by itself, behind the others."""
    template: str = each.detail["template"]
    return f"~{template} (held out)" if each.detail["held_out"] else template.split("/")[0] or "not said"


def _split(
    title: str, way: str, trials: Sequence[_Trial], group: Callable[[_Trial], str], groups: Iterable[str]
) -> Table:
    rows: list[Row] = []
    for name in groups:
        mine = [each.answer for each in trials if group(each) == name]
        rows += [
            {"Model": row["Model"], way: name.removeprefix("~"), **{column: row[column] for column in _SHORT}}
            for row in tables.models(mine)
        ]
    return _table(f"{title}: by {way}", rows)


def _failures(title: str, answers: Sequence[Answer]) -> Table:
    rows: list[Row] = []
    for row in tables.failures(answers):
        name = row["Failure Mode"]
        rows.append({**row, "Failure Mode": name.replace("_", " ")})
    assert len(rows) == len(Modes.model_fields)
    return _table(
        title,
        rows,
        "Modes overlap. Of identification below 1: root cause to person missing (a root cause or a deadline fails if "
        "it is wrong or not told, a person if it is wrong); of at least 0.5: wrong function; of those with the right "
        "action and execution below 1: missing, wrong, unexplained. What the published code counts (would not resolve, "
        "paper missing, paper wrong) is of none until a judge has been asked of each of the latter.",
    )


def _beforehand(level: str, trials: Sequence[_Trial]) -> Table:
    """What is known of these samples without playing: chance, reading everything, and the inverse grammar."""
    samples = {each.answer.sample: each.detail for each in trials}.values()
    shares = [each["relevant"] / each["documents"] for each in samples]
    grammar = [each["grammar"] for each in samples]

    def solved(name: str) -> float | None:
        known = [each[name] for each in grammar if each[name] is not None]
        return _rounded(fmean(known)) if known else None

    chance, whole = _rounded(fmean(shares)), _rounded(fmean(2 * share / (1 + share) for share in shares))
    rows: list[Row] = [
        {
            "": "random",
            "P": chance,
            "R": chance,
            "F1": chance,
            "Bottleneck Identification": 0.0,
            "right action": _rounded(fmean(1 / each["actions"] for each in samples)),
            "Task Execution": 0.0,
        },
        {"": "everything declared", "P": chance, "R": 1.0, "F1": whole},
        {
            "": "inverse grammar",
            "F1": solved("search_f1"),
            "Bottleneck Identification": solved("identification"),
            "Task Execution": solved("execution"),
            "strict": solved("strict"),
        },
    ]
    columns = ["", "P", "R", "F1", "Bottleneck Identification", "right action", "Task Execution", "strict"]
    return Table(
        f"Known beforehand{level}, over {len(samples)} samples",
        columns,
        [{column: row.get(column) for column in columns} for row in rows],
        (
            "Random declares as many documents as there are true positives and takes any action, whose parameters it "
            "does not know. The inverse grammar reads the texts without tools, by the wordings that they are made of: "
            "it is no measure of difficulty, and where it stands below 1 samples are at fault.",
        ),
    )


def _table(title: str, rows: Sequence[Row], *notes: str) -> Table:
    flat = [_flat(row) for row in rows]
    return Table(title, list(flat[0]) if flat else [], flat, notes)


def _flat(row: Row) -> dict[str, Any]:
    """A row as cells: an interval becomes two."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Interval):
            for end in ("low", "high"):
                found[f"{name.removesuffix(' interval')} {end}"] = _rounded(getattr(value, end))
        else:
            found[name] = _rounded(value)
    return found


def _rounded(value: Any) -> Any:
    return rounded(value, 3) if isinstance(value, float) else value
