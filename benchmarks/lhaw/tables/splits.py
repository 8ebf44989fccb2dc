"""The figures by what was withheld, and how: classes, dimensions, segments, removal strategies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from benchmarks.lhaw import metrics
from benchmarks.lhaw.conditions import LACKING
from benchmarks.lhaw.dimensions import DIMENSIONS
from benchmarks.lhaw.metrics import Arm
from benchmarks.lhaw.rewrite import SEVERITIES
from benchmarks.lhaw.tables.group import CLASSES, Four, Group, Row, figures, limits, partly, percents, three
from harness.report.texts import percent
from harness.scoring.stats import Interval, clusters, paired
from harness.suite import Table
from harness.task import Task

__all__ = (
    "KINDS",
    "Kind",
    "by_class",
    "by_dimension",
    "by_segments",
    "by_severity",
    "classed",
    "classes",
    "fidelity",
    "marked",
)

Kind = Literal["designed", "empirical"]

KINDS: Final[tuple[Kind, ...]] = ("designed", "empirical")
"""Classes that follow from slots' records, and classes that a named model's trials were sorted into."""

_PROVENANCE: Final[Mapping[Kind, str]] = {
    "designed": "Designed classes follow from the slots' records; no agent was observed to find them. "
    "Outcome-critical: some withheld value always matters and cannot be guessed; benign: all can be guessed for "
    "certain; divergent: the rest.",
    "empirical": "Empirical classes are what trials of a named model came to; variants without one are left out. "
    "Classified by it: how many of the row's variants were sorted by this very model, whose row then says little.",
}


def classes(kind: Kind) -> Callable[[Task], Sequence[str]]:
    """The class of that kind of a variant, if it has one."""

    def of(task: Task) -> Sequence[str]:
        found = task.facts.get(f"{kind}_class")
        return [str(found)] if found else []

    return of


def classed(group: Group, kind: Kind) -> dict[str, list[str]]:
    """Variants by class of that kind."""
    return group.members(classes(kind), CLASSES)


def by_class(group: Group, kind: Kind) -> list[Table]:
    """Tables 7 to 9, with classes of one kind."""
    members = classed(group, kind)
    rows = []
    for name, four in _of_agents(group):
        for each, variants in members.items():
            part = four.only(variants)
            found = figures(part)
            if found["variants"]:
                rows.append(
                    {
                        "agent": name,
                        f"{kind} class": each,
                        **found,
                        **percents({key: value for key, value in three(part).items() if key != "underspecified %"}),
                        **marked(group, name, kind, part),
                    }
                )
    notes = (*group.paper("tables 7 to 9"), _PROVENANCE[kind], *partly(rows), _of_original(group))
    return group.table(f"by {kind} class", rows, notes)


def fidelity(group: Group, kind: Kind) -> list[Table]:
    """Table 12: what is lost where what was withheld always matters, and won back by asking."""
    members = classed(group, kind).get("outcome-critical", [])
    rows = []
    for name, four in _of_agents(group):
        part = four.only(members)
        total = len(part.lacking.keys() | part.lacking_ask.keys())
        whole = part.complete
        if part.original:
            whole = whole.only(metrics.based(whole.original, whole.variants))
        if total:
            rows.append(
                {
                    "agent": name,
                    "complete": len(whole.variants),
                    "variants": total,
                    **percents(three(whole)),
                    **limits("lost", metrics.lost(whole.original, whole.lacking), "lost low", "lost high"),
                    **limits("won back", metrics.gain(whole.lacking, whole.lacking_ask), "won low", "won high"),
                    **marked(group, name, kind, part),
                }
            )
    notes = (
        *group.paper("table 12"),
        _PROVENANCE[kind],
        "Lost and won back: percentage points of pass@3, paired by variant, as all figures over variants complete "
        f"without and with a user whose whole request has {metrics.K} valid trials, whichever variant they were played "
        "for.",
    )
    return group.table(f"outcome-critical variants, {kind}", rows, notes)


def marked(group: Group, agent: str, kind: Kind, part: Four) -> dict[str, int]:
    """Of classes that were observed, how many of the part's variants trials of the agent's own model decided."""
    if kind == "designed":
        return {}
    model = group.agents[agent].get("model")
    wanted = part.lacking.keys() | part.lacking_ask.keys()
    return {"classified by it": sum(_sorted_by(t, agent, model) for t in group.suite.tasks if t.id in wanted)}


def _sorted_by(task: Task, agent: str, model: str | None) -> bool:
    """Whether a variant's empirical class rests on trials of that model, whatever the agent was called then.

    Where no model is on record, whoever bears the name that is: sets of before models were kept, and programs.
    """
    if not (found := task.facts.get("classified_by")):
        return False
    return bool(found["model"] == model if "model" in found else found["agent"] in (agent, model))


def by_dimension(group: Group) -> list[Table]:
    """Tables 5 and 6, then the same by subdimension."""
    dimensions = group.members(lambda task: task.facts.get("dimensions", []), tuple(DIMENSIONS))
    finer = group.members(_subdimensions, [f"{d}, {s}" for d, each in DIMENSIONS.items() for s in each])
    everything = [variant for variants in dimensions.values() for variant in variants]
    note = "A variant with several segments counts once under each of its"
    notes = (
        *group.paper("tables 5 and 6"),
        f"{note} dimensions.",
        f"{_of_original(group)} Original ckpt %: the share of expected changes made there, so for the ckpt variants.",
    )
    return [
        *_split(group, "dimension", {"all": everything, **dimensions} if dimensions else {}, notes, _on_the_original),
        *_split(group, "subdimension", finer, (f"{note} subdimensions.",)),
    ]


def _of_original(group: Group) -> str:
    """What the score on the whole request is over."""
    counts = [metrics.requests(group.four(name).original) for name in group.agents]
    fewer = f"; one with fewer than {metrics.K} valid ones counts nowhere" if any(d < n for d, n in counts) else ""
    return (
        "Original %: pass@3 on the whole request, a task counting once for each of the row's complete variants, by all "
        f"of its trials, whichever variant they were played for{fewer}."
    )


def _original(part: Four) -> Row:
    """Pass@3 on the whole request, weighted as the complete variants are."""
    return {"original %": percent(three(part)["original %"])}


def _on_the_original(part: Four) -> Row:
    """The same, and the checkpoints that were met there."""
    covered = part.covered
    return {
        **_original(part),
        "original ckpt %": percent(metrics.ckpt_baseline(covered.original, covered.variants)[1]),
    }


def _subdimensions(task: Task) -> Sequence[str]:
    gone = task.withheld.get(LACKING, ())
    return [f"{slot.dimension}, {slot.subdimension}" for slot in task.slots if slot.name in gone]


def by_segments(group: Group) -> list[Table]:
    """Table 2: one segment removed against two of the same task, where the suite has such pairs."""

    def level(task: Task) -> str:
        return str(task.facts.get("segments", ""))

    what = "the same task with one and with two"
    return _matched(group, "segments", "pair", ("1", "2"), level, "table 2", what, _original, _of_original(group))


def by_severity(group: Group) -> list[Table]:
    """Table 11: the same segments under all three removal strategies, where the suite has such triples."""

    def level(task: Task) -> str:
        return str(task.facts.get("severity", ""))

    what = "the same segments of the same task under each strategy"
    return _matched(group, "removal strategy", "triple", SEVERITIES, level, "table 11", what, _constancy, _ENDS)


def _of_agents(group: Group) -> Iterator[tuple[str, Four]]:
    return ((name, group.four(name)) for name in group.agents)


def _split(
    group: Group,
    way: str,
    members: Mapping[str, Sequence[str]],
    notes: Sequence[str],
    more: Callable[[Four], Row] = lambda part: {},
) -> list[Table]:
    rows = []
    for name, four in _of_agents(group):
        for each, variants in members.items():
            part = four.only(variants)
            if (found := figures(part))["variants"]:
                rows.append({"agent": name, way: each, **found, **more(part)})
    return group.table(f"by {way}", rows, [*notes, *partly(rows)])


class _Sets(NamedTuple):
    """Matched sets by id: the variant at each level. `broken` are ids of sets that lack a level."""

    whole: Mapping[str, Mapping[str, str]]
    broken: Sequence[str]


def _sets(tasks: Sequence[Task], fact: str, levels: Sequence[str], level: Callable[[Task], str]) -> _Sets:
    """Of several variants of a set at one level the first by id stands for it, so that each set counts once."""
    found: dict[str, dict[str, str]] = {}
    for task in sorted(tasks, key=lambda task: task.id):
        if (name := task.facts.get(fact)) is not None:
            found.setdefault(str(name), {}).setdefault(level(task), task.id)
    whole = {name: each for name, each in sorted(found.items()) if all(level in each for level in levels)}
    return _Sets(whole, sorted(found.keys() - whole.keys()))


def _matched(
    group: Group,
    way: str,
    fact: str,
    levels: Sequence[str],
    level: Callable[[Task], str],
    which: str,
    what: str,
    more: Callable[[Four], Row],
    of_more: str,
) -> list[Table]:
    """A split over matched sets alone; over all variants, which the note says, where the suite has none.

    `more` gives further columns of a row, which the note `of_more` explains.
    """
    sets = _sets(group.suite.tasks, fact, levels, level)
    rows: list[dict[str, Any]] = []
    if not sets.whole:
        members = group.members(lambda task: [level(task)], levels)
        for name, four in _of_agents(group):
            for each, variants in members.items():
                part = four.only(variants)
                if (found := figures(part))["variants"]:
                    rows.append({"agent": name, way: each, **found, **more(part)})
        notes = ["Over all variants: the suite has no matched sets, so rows may differ in their tasks as well."]
        return group.table(f"by {way}", rows, [*notes, *partly(rows), of_more])
    played = 0
    for name, four in _of_agents(group):
        done = metrics.complete_variants(four.lacking, four.lacking_ask)
        here = four.lacking.keys() | four.lacking_ask.keys()
        of = [each for each in sets.whole.values() if here & {each[level] for level in levels}]
        ready = [each for each in of if done.issuperset(each[level] for level in levels)]
        played += bool(of)
        for n, each in enumerate(levels if of else ()):
            part = four.only(one[each] for one in ready)
            against = _difference(four.lacking, [(one[levels[0]], one[each]) for one in ready]) if n else None
            row = {"agent": name, way: each, **figures(part), "complete": len(ready), "variants": len(of)}
            rows.append({**row, **limits("against first", against or _NOTHING, "from", "to"), **more(part)})
    notes = [
        *group.paper(which),
        f"Matched sets alone, {what}: {len(sets.whole)} in the suite. Complete, variants: sets complete in both arms "
        "throughout, sets played; no other variant counts here.",
        "Against first: pass@3 less that of the agent's first row, in percentage points, paired by set.",
        of_more,
    ]
    if sets.broken:
        notes.append(f"Sets left out for want of a row: {len(sets.broken)}.")
    return group.table(f"by {way}", rows, notes)


_NOTHING: Final = Interval(None, None, None, 0, 0, "")


def _difference(arm: Arm, pairs: Sequence[tuple[str, str]]) -> Interval:
    """Mean of pass@3 of the second less the first variant of pairs, both complete in the arm."""
    values = []
    for first, second in sorted(pairs):
        one, other = (metrics.pass_rate(metrics.only(arm, [name])).value or 0.0 for name in (first, second))
        values.append((arm[first][0].task.template, arm[first][0].original, other - one))
    return paired(*clusters(values), within=metrics.DIFFERENCES)


def _constancy(part: Four) -> Row:
    counts = metrics.constancy(part.complete.lacking)
    return dict(zip(("never right", "sometimes", "always"), counts, strict=True))


_ENDS: Final = (
    f"Never right, sometimes, always: complete variants by how many of their trials without a user were right, "
    f"{metrics.K} or more. No judge has told new tasks apart, which are never right either."
)
