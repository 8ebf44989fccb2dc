"""Tables of the failure modes of asking: as tables 4 and 17 and figure 5 of the paper, and judge beside rule.

Over trials whose request lacks something, in conditions where somebody could be asked; void ones count nowhere.
Instruments have tables of their own, titled Calibration.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from benchmarks.lhaw.flags.computed import COMPUTED, Finding, Value, computed
from benchmarks.lhaw.flags.judged import CHECK, category, findings
from benchmarks.lhaw.flags.taxonomy import CATEGORIES, FLAGS
from harness.report import INSTRUMENTS, Chart, Figure, verdict, words
from harness.scoring.agreement import agreement
from harness.scoring.stats import Interval, clusters, rate
from harness.suite import Scored, Suite, Table
from harness.task import Task

__all__ = ("tables",)

CLASSES = ("outcome-critical", "divergent", "benign")
"""Ambiguity classes (section 3.5)."""

Row = dict[str, Any]
Agents = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class _Trial:
    """One trial and what is said of it."""

    task: Task
    scored: Scored

    @property
    def asked(self) -> bool:
        return bool(self.scored.trajectory.questions)

    @property
    def failed(self) -> bool:
        return verdict(self.scored) == "failed"

    @cached_property
    def flags(self) -> Mapping[str, Finding]:
        score = self.scored.scores.get(CHECK)
        return findings(self.task, self.scored.trajectory, score.detail.get("judged", {}) if score else {})

    def state(self, names: Sequence[str]) -> Value:
        """What these flags come to (`category`), unscored while any of them is.

        Where some are unscored, YES alone could be known, and counting only those would make a share of YES.
        """
        values = [self.flags[name].value for name in names]
        return "unscored" if "unscored" in values else category(values)

    def judged(self, names: Sequence[str]) -> bool:
        """Whether these flags take a judge here, be it that one has spoken or not."""
        return any(self.flags[name].by == "judge" for name in names)


@dataclass(frozen=True)
class _Cell:
    """One agent's trials under one condition."""

    agent: str
    condition: str
    trials: Sequence[_Trial]

    @property
    def asked(self) -> list[_Trial]:
        return [trial for trial in self.trials if trial.asked]


def tables(suite: Suite, agents: Agents, scored: Sequence[Scored]) -> list[Table]:
    """What goes wrong in asking, per agent and condition; nothing where nobody could be asked about anything withheld.

    `agents` maps a name to its config, as a suite's `report` gets it. Verdicts are in the scores of the check `CHECK`,
    as `harness judge` leaves them; without any, what takes a judge is unscored.
    """
    cells = list(_cells(suite, agents, scored))
    users: Mapping[str, str] | None = getattr(agents, "users", None)
    mute = [name for name, user in users.items() if not user] if users is not None else []
    lacking = {(task.id, prompt) for task in suite.tasks for prompt, gone in task.withheld.items() if gone}
    played = [one.trajectory for one in scored if one.trajectory.status != "void"]
    made: list[Table] = []
    for title, instruments in (("Calibration", True), ("Clarification", False)):
        mine = [cell for cell in cells if (agents[cell.agent].get("kind") in INSTRUMENTS) == instruments]
        if mine:
            names = {cell.agent for cell in mine}
            left = Counter(
                t.condition
                for t in played
                if t.agent in names and t.condition in mute and (t.task, t.prompt) in lacking
            )
            paper = "" if instruments else "of the paper (LHAW, arXiv 2602.10525)"
            made += _group(title, mine, paper, _unasked(left))
    return made


def _unasked(left: Mapping[str, int]) -> str:
    """Which trials are in none of the tables since nobody could be asked in them."""
    if not left:
        return ""
    return (
        "not counted, as nobody could be asked: "
        + ", ".join(f"{name} (trials: {count})" for name, count in left.items())
        + "; where one of these trials is flagged by itself (missed critical segments, false confidence), the agent is "
        "not to blame"
    )


def _group(title: str, cells: Sequence[_Cell], paper: str, unasked: str) -> Iterator[Table]:
    """The tables of instruments, or of models: `paper` stands in notes that name a table of it, which others lack."""
    note = paper and f"As table 4 {paper}."
    yield _categories(f"{title}: failure modes of asking", cells, lambda _: True, note, unasked)
    failed = [cell for cell in cells if any(trial.failed for trial in cell.trials)]
    if failed:
        note = paper and f"As table 17 {paper}."
        yield _categories(f"{title}: failure modes of asking, failed trials", failed, lambda t: t.failed, note)
    asking = [cell for cell in cells if cell.asked]
    if asking:
        yield _flags(f"{title}: failure flags", asking, unasked)
        note = paper and f"As figure 5 {paper}."
        for kind in ("designed", "empirical"):
            fact = f"{kind}_class"
            if any(trial.task.facts.get(fact) in CLASSES for cell in asking for trial in cell.asked):
                yield _by_class(f"{title}: failure flags by {kind} class", asking, fact, note)
    compared = list(_compared(cells))
    if compared:
        yield Table(f"{title}: failure flags, judge and rule", list(compared[0]), compared, [
            "n: questions to which both say yes or no, each once, however many trials share it; kappa: Cohen's, - "
            "where both always say one and the same; n/a of one: those of which one alone says that they do not arise",
        ])  # fmt: skip


def _cells(suite: Suite, agents: Agents, scored: Iterable[Scored]) -> Iterator[_Cell]:
    known = {task.id: task for task in suite.tasks}
    found: defaultdict[tuple[str, str], list[_Trial]] = defaultdict(list)
    for one in sorted(scored, key=lambda each: (each.trajectory.task, each.trajectory.trial)):
        t = one.trajectory
        if t.task in known and t.status != "void" and known[t.task].withheld.get(t.prompt) and t.agent in agents:
            found[t.agent, t.condition].append(_Trial(known[t.task], one))
    users: Mapping[str, str] | None = getattr(agents, "users", None)
    names, conditions = list(agents), list(getattr(agents, "conditions", ()))
    order = {name: place for place, name in enumerate(conditions)}
    for agent, condition in sorted(found, key=lambda key: (names.index(key[0]), order.get(key[1], 0), key[1])):
        cell = _Cell(agent, condition, found[agent, condition])
        if users.get(condition) if users is not None else cell.asked:
            yield cell


def _categories(
    title: str, cells: Sequence[_Cell], wanted: Callable[[_Trial], bool], note: str, unasked: str = ""
) -> Table:
    rows: list[Row] = []
    for cell in cells:
        every = [trial for trial in cell.trials if wanted(trial)]
        asked = [trial for trial in every if trial.asked]
        for name, flags in CATEGORIES.items():
            share, of_all = _share(asked, flags), _share(every, flags)
            rows.append({
                "agent": cell.agent, "condition": cell.condition, "category": name,
                "with questions": len(asked), "scored": share.n,
                "share": share.value, "low": share.low, "high": share.high,
                "all": len(every), "share of all": of_all.value, "all low": of_all.low, "all high": of_all.high,
            })  # fmt: skip
    notes = [
        f"{note} share: of the trials with questions, those in which any of the category's three flags is YES".strip(),
        "scored: trials with questions in which none of the three flags is unscored; low and high: 95% interval, "
        "clustered as in outcomes",
        "share of all: the same of all trials in which one could have asked, silent ones included",
        *filter(None, [unasked]),
    ]
    if any(row["scored"] < row["with questions"] for row in rows):
        notes.append(_WAITING)
    return Figure.of(
        title, list(rows[0]), rows, notes,
        Chart("bars", "category", ("share",), "low", "high", panels=_panels(cells), unit="share"),
    )  # fmt: skip


_WAITING = (
    "what is not scored waits for a judge (`harness judge`), or none could say; where a judge has scored some of the "
    "trials that take one, these stand for the rest of them, and where none, there is no share"
)


def _share(trials: Sequence[_Trial], names: Sequence[str]) -> Interval:
    """The share of trials in which any of these flags is YES; N/A is no failure, as in the paper. `n` are scored.

    Trials in which a rule or a prerequisite settles everything need no judge, and are of another kind than the rest
    (silent, say, or with a single question). So where some of the others are unscored, the two are weighed by their
    numbers, and so are the limits of their intervals, which makes these wider than they need be.
    """
    states = [(trial, trial.state(names)) for trial in trials]
    scored = [(trial, state) for trial, state in states if state != "unscored"]
    if len(scored) == len(states):
        return _rate(scored)
    with_judge, without = ([each for each in scored if each[0].judged(names) is kind] for kind in (True, False))
    one, other = _rate(with_judge), _rate(without)
    weight = sum(trial.judged(names) for trial in trials) / len(trials)

    def mixed(first: float | None, second: float | None) -> float | None:
        if first is None or not without:
            return first
        return None if second is None else weight * first + (1 - weight) * second

    return one._replace(
        value=mixed(one.value, other.value), low=mixed(one.low, other.low), high=mixed(one.high, other.high),
        n=len(scored),
    )  # fmt: skip


def _rate(states: Sequence[tuple[_Trial, Value]]) -> Interval:
    return rate(
        *clusters(
            (trial.task.template, str(trial.task.facts.get("original", trial.task.id)), float(state == "yes"))
            for trial, state in states
        )
    )


def _flags(title: str, cells: Sequence[_Cell], unasked: str) -> Table:
    rows: list[Row] = []
    for cell in cells:
        for group, names in CATEGORIES.items():
            for name in names:
                count = [trial.flags[name].value for trial in cell.asked].count
                share = _share(cell.asked, [name])
                rows.append({
                    "agent": cell.agent, "condition": cell.condition, "category": group, "flag": name,
                    "by": "rule" if name in COMPUTED else "judge",
                    "yes": count("yes"), "no": count("no"), "n/a": count("n/a"), "unscored": count("unscored"),
                    "share": share.value, "low": share.low, "high": share.high,
                })  # fmt: skip
    notes = [
        "share: YES, of the trials with questions; n/a: its prerequisite does not hold",
        "by: a rule on the record, or a judge's verdict where the record leaves the flag open; what neither said is "
        "unscored, never NO",
        "inferable_information_asked: asked for what its record says can be guessed (guessability 0.5 or more), and "
        "exploring may find; it does not say that this agent had to find it. What can be guessed by exactly 0.5 is "
        "critical too, and missed where nobody asks for it",
        *filter(None, [unasked]),
        *(f"{name}: {words.FLAGS[name]}" for name in FLAGS if any(row["yes"] for row in rows if row["flag"] == name)),
    ]
    if any(row["unscored"] for row in rows):
        notes.append(_WAITING)
    return Figure.of(
        title, list(rows[0]), rows, notes,
        Chart("bars", "flag", ("share",), "low", "high", panels=_panels(cells), unit="share"),
    )  # fmt: skip


def _by_class(title: str, cells: Sequence[_Cell], fact: str, note: str) -> Table:
    rows: list[Row] = []
    for cell in cells:
        classes = {name: [trial for trial in cell.asked if trial.task.facts.get(fact) == name] for name in CLASSES}
        for name in FLAGS:
            row: Row = {"agent": cell.agent, "condition": cell.condition, "flag": name}
            for each, trials in classes.items():
                share = _share(trials, [name])
                row |= {each: share.value, f"{each} n": share.n}
            rows.append(row)
    notes = [f"{note} Share of YES, of trials with questions; n: those in which the flag is scored".strip()]
    open_ = {
        name for name in FLAGS if all(row[each] is None for row in rows if row["flag"] == name for each in CLASSES)
    }
    if open_:
        rows = [row for row in rows if row["flag"] not in open_]
        notes.append(f"{len(open_)} flags are left out, since no judge has scored them: see the table before")
    charts = [Chart("bars", "flag", (name,), panels=_panels(cells), unit="share", title=name) for name in CLASSES]
    return Figure.of(title, list(rows[0]), rows, notes, *charts)


def _compared(cells: Sequence[_Cell]) -> Iterator[Row]:
    """A row for each judge and computed flag of which both say something, all flags together first.

    A question that several trials share counts once, as it was asked once.
    """
    found: defaultdict[str, defaultdict[str, list[tuple[Value, Any]]]] = defaultdict(lambda: defaultdict(list))
    told: set[str] = set()
    for trial in (trial for cell in cells for trial in cell.trials):
        score = trial.scored.scores.get(CHECK)
        asked = [each for each in score.criteria if each.name in COMPUTED and each.about not in told] if score else []
        told.update(each.about for each in asked)
        ruled = computed(trial.task, trial.scored.trajectory) if asked else {}
        for criterion in asked:
            for opinion in criterion.opinions:
                if opinion.answer is not None and ruled[criterion.name].value != "unscored":
                    found[opinion.judge][criterion.name].append((ruled[criterion.name].value, opinion.answer))
    for judge, by_flag in sorted(found.items()):
        rows = {"(all)": [pair for pairs in by_flag.values() for pair in pairs]}
        rows |= {name: by_flag[name] for name in FLAGS if name in by_flag}
        for name, pairs in rows.items():
            both = [pair for pair in pairs if "n/a" not in pair]
            n, share, kappa = agreement(both)
            disputed = sum(pair.count("n/a") == 1 for pair in pairs)
            yield {"judge": judge, "flag": name, "n": n, "agree": share, "kappa": kappa, "n/a of one": disputed}


def _panels(cells: Sequence[_Cell]) -> tuple[str, ...]:
    """Agents and conditions drawn apart, where there are several."""
    agents, conditions = {cell.agent for cell in cells}, {cell.condition for cell in cells}
    return (*(["agent"] if len(agents) > 1 else []), *(["condition"] if len(conditions) > 1 else []))
