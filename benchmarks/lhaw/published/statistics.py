"""What a file of published variants holds, counted; and the published counts beside it (appendix C, figure 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from benchmarks.lhaw.dimensions import DIMENSIONS
from benchmarks.lhaw.published.rows import CLASSES, Row
from harness.suite import Table

__all__ = ("DATASETS", "Figure", "by_dataset", "compared", "compared_table", "tables")

DATASETS: Final = ("TheAgentCompany", "SWE-Bench Pro", "MCP-Atlas")
"""Those that the paper makes variants of, in the order of its figure 3. Others come behind, by name."""

_PUBLISHED: Final[Mapping[str, int]] = {
    "variants": 285,
    "variants, outcome-critical": 121,
    "variants, divergent": 94,
    "variants, benign": 70,
    "variants, 1 segment": 123,
    "variants, 2 segments": 162,
    "variants, 2 segments, 2 groups": 161,
    "variants, 2 segments, 1 group": 1,
    "base tasks, TheAgentCompany": 13,
    "base tasks, SWE-Bench Pro": 75,
    "base tasks, MCP-Atlas": 100,
    "variants, TheAgentCompany": 85,
    "variants, TheAgentCompany, outcome-critical": 40,
    "variants, TheAgentCompany, divergent": 30,
    "variants, TheAgentCompany, benign": 15,
    "variants, SWE-Bench Pro": 100,
    "variants, SWE-Bench Pro, outcome-critical": 31,
    "variants, SWE-Bench Pro, divergent": 34,
    "variants, SWE-Bench Pro, benign": 35,
    "variants, MCP-Atlas": 100,
    "variants, MCP-Atlas, outcome-critical": 50,
    "variants, MCP-Atlas, divergent": 30,
    "variants, MCP-Atlas, benign": 20,
    "dimension instances, MCP-Atlas": 162,
    "dimension instances, context, TheAgentCompany": 0,
}
"""Sections 3.1 and 3.4, appendix C and the row counts that were published with the file."""


class Figure(NamedTuple):
    """One count as published and as it is in a file."""

    what: str
    published: int
    here: int


def by_dataset(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Rows by data set, the paper's own first."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.dataset, []).append(row)
    known = [name for name in DATASETS if name in found]
    return {name: found[name] for name in (*known, *sorted(found.keys() - {*DATASETS}))}


def compared(rows: Sequence[Row]) -> list[Figure]:
    """Every published count beside the one of these rows."""
    counted: Counter[str] = Counter({"variants": len(rows)})
    for row in rows:
        segments, groups = len(row.removed_segments), len(row.expected_questions)
        shown = f"{segments} segment{'s' if segments > 1 else ''}"
        counted.update(
            (
                f"variants, {row.ambiguity_class}",
                f"variants, {shown}",
                f"variants, {shown}, {groups} group{'s' if groups != 1 else ''}",
                f"variants, {row.dataset}",
                f"variants, {row.dataset}, {row.ambiguity_class}",
            )
        )
        for segment in row.removed_segments:
            counted[f"dimension instances, {row.dataset}"] += 1
            counted[f"dimension instances, {segment.dimension}, {row.dataset}"] += 1
    for dataset, task in {(row.dataset, row.original_task) for row in rows}:
        counted[f"base tasks, {dataset}"] += bool(task)
    return [Figure(what, number, counted[what]) for what, number in _PUBLISHED.items()]


def compared_table(found: Sequence[Figure]) -> Table:
    """Published counts, those of the file and their difference."""
    rows = [{**each._asdict(), "difference": each.here - each.published or None} for each in found]
    apart = sum(each.here != each.published for each in found)
    note = f"{apart} of {len(found)} counts differ." if apart else f"All {len(found)} counts are as published."
    return Table("Published counts", ("what", "published", "here", "difference"), rows, (note,))


def tables(rows: Sequence[Row]) -> list[Table]:
    """Counts by class, segments removed, dimension, subdimension, question groups and terminal states."""
    return [_classes(rows), _segments(rows), *_dimensions(rows), _subdimensions(rows), _groups(rows), _states(rows)]


def _over_datasets(rows: Sequence[Row], counted: Callable[[Sequence[Row]], Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row of a table for each data set, and one for all."""
    sets = by_dataset(rows)
    return [{"data set": name, **counted(found)} for name, found in [*sets.items(), ("all", list(rows))]]


def _tasks(rows: Sequence[Row]) -> int:
    return len({(row.dataset, row.original_task) for row in rows})


def _classes(rows: Sequence[Row]) -> Table:
    def counted(found: Sequence[Row]) -> Mapping[str, Any]:
        classes = Counter(row.ambiguity_class for row in found)
        return {"base tasks": _tasks(found), "variants": len(found), **{name: classes[name] for name in CLASSES}}

    return Table(
        "Variants by empirical class",
        ("data set", "base tasks", "variants", *CLASSES),
        _over_datasets(rows, counted),
        ("Classes are as published: what agents of the paper did without asking, in three trials each.",),
    )


def _segments(rows: Sequence[Row]) -> Table:
    numbers = sorted({len(row.removed_segments) for row in rows})
    names = {number: f"{number} segment{'s' if number > 1 else ''}" for number in numbers}

    def counted(found: Sequence[Row]) -> Mapping[str, Any]:
        sizes = Counter(len(row.removed_segments) for row in found)
        return {names[number]: sizes[number] for number in numbers}

    return Table("Variants by segments removed", ("data set", *names.values()), _over_datasets(rows, counted))


def _dimensions(rows: Sequence[Row]) -> list[Table]:
    """Instances, each segment counted; and variants, each once under every dimension that it is labelled with."""

    def of(title: str, total: str, note: str, named: Callable[[Row], Iterable[str]]) -> Table:
        strange = sorted({name for row in rows for name in named(row)} - {*DIMENSIONS})
        names = (*DIMENSIONS, *strange)

        def counted(found: Sequence[Row]) -> Mapping[str, Any]:
            instances = Counter(name for row in found for name in named(row))
            return {**{name: instances[name] for name in names}, total: sum(instances.values())}

        return Table(title, ("data set", *names, total), _over_datasets(rows, counted), (note,))

    return [
        of(
            "Dimension instances",
            "instances",
            "Every removed segment counts once, as in figure 3 of the paper for MCP-Atlas.",
            lambda row: [segment.dimension for segment in row.removed_segments],
        ),
        of(
            "Variants by information dimension",
            "labels",
            "A variant counts once under each dimension that `information_dimension` names.",
            lambda row: dict.fromkeys(row.information_dimension),
        ),
    ]


def _subdimensions(rows: Sequence[Row]) -> Table:
    sets = by_dataset(rows)
    counted = {
        name: Counter((each.dimension, each.subdimension) for row in found for each in row.removed_segments)
        for name, found in sets.items()
    }
    known = [(dimension, each) for dimension, names in DIMENSIONS.items() for each in names]
    strange = sorted({pair for found in counted.values() for pair in found} - {*known})
    made = [
        {
            "dimension": pair[0],
            "subdimension": pair[1],
            **{name: found[pair] for name, found in counted.items()},
            "segments": sum(found[pair] for found in counted.values()),
        }
        for pair in [*known, *strange]
    ]
    notes = (f"{len(strange)} at the end are not in the taxonomy of appendix E.",) if strange else ()
    return Table("Segments by subdimension", ("dimension", "subdimension", *sets, "segments"), made, notes)


def _groups(rows: Sequence[Row]) -> Table:
    found: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        found.setdefault((len(row.removed_segments), len(row.expected_questions)), []).append(row)
    made = [
        {
            "segments removed": segments,
            "question groups": groups,
            "variants": len(there),
            "questions": sum(len(group.questions) for row in there for group in row.expected_questions),
        }
        for (segments, groups), there in sorted(found.items())
    ]
    return Table(
        "Question groups", ("segments removed", "question groups", "variants", "questions"), made,
        ("A group holds the questions expected about one segment.",),
    )  # fmt: skip


def _states(rows: Sequence[Row]) -> Table:
    made = []
    for name in CLASSES:
        found = [row.terminal_states for row in rows if row.ambiguity_class == name]
        made.append(
            {
                "class": name,
                "one state": sum(states is not None and len(states) == 1 for states in found),
                "several": sum(states is not None and len(states) > 1 for states in found),
                "none to read": sum(not states for states in found),
            }
        )
    return Table(
        "Distinct terminal states by empirical class",
        ("class", "one state", "several", "none to read"),
        made,
        ("By definition 3.1 of the paper benign variants have one state and divergent ones several.",),
    )
