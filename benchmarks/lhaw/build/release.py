"""The set as it is released: its rows, and how they are distributed (figure 3)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.lhaw.build.context import REFUSED, Context, Phase
from benchmarks.lhaw.build.records import CLASSES, Candidate, ClassifiedBy, Questions, Trials, Variant
from benchmarks.lhaw.build.selection import pairs, select, triples
from benchmarks.lhaw.rewrite import SEVERITIES
from benchmarks.lhaw.variants import FULL, DesignedClass
from harness.cli.problems import CallProblem

__all__ = ("DISTRIBUTION", "distribution", "release", "row")

DISTRIBUTION = "distribution.json"


def release(context: Context) -> Phase:
    """Choose among the candidates. Raises `CallProblem` where none is left."""
    config = context.config
    tried = {each.variant_id: each for each in context.read("classes", Trials)}
    candidates = [each for each in context.read("candidates", Candidate) if not _new_task(tried.get(each.task_id))]
    if config.empirical and config.empirical.number is None:
        known = {id: name for id, trials in tried.items() if (name := empirical_class(trials))}
        candidates = [each for each in candidates if each.task_id in known]
        by, found = "empirical", select(config, candidates, lambda each: known[each.task_id])
    else:
        by, found = "designed", select(config, candidates)
    if not found.chosen:
        raise CallProblem(f"no variant is left to release: the files in {context.folder / REFUSED} say why")
    sets, matched = triples(found.chosen), pairs(found.chosen)
    rows = [
        row(context, each, tried.get(each.task_id), triple=sets.get(each.task_id), pair=matched.get(each.task_id))
        for each in found.chosen
    ]
    told = {**distribution(rows), "mix": {"by": by, "wanted": config.quotas, "short": dict(found.short)}}
    short = ", ".join(f"{count} {name}" for name, count in found.short.items())
    said = f"{len(rows)} variants" + (f", {config.number} wanted; short of {short}" if short else "")
    return Phase(rows, files={DISTRIBUTION: json.dumps(told, indent=2) + "\n"}, said=said)


def row(
    context: Context, each: Candidate, trials: Trials | None, *, triple: str | None = None, pair: str | None = None
) -> Variant:
    """A candidate as it is released."""
    suite, gone = context.suite, each.removed_segments
    classed = empirical_class(trials) if trials else None
    return Variant(
        variant_id=each.task_id,
        original_task=each.original_task,
        original_prompt=suite.task(each.original_task).sessions[0].requests[FULL],
        underspecified_prompt=each.agent_prompt,
        information_dimension=tuple(dict.fromkeys(segment.dimension for segment in gone)),
        removed_segments=gone,
        expected_questions=tuple(
            Questions(segment_id=name, questions=asked)
            for entry in each.expected_questions
            for name, asked in entry.items()
        ),
        expected_failure_mode=each.expected_failure_mode,
        terminal_states=trials.terminal_states if trials and classed else None,
        dataset=suite.name,
        source=f"{suite.name}@{suite.version}",
        route=context.config.route,
        seed=context.config.seed,
        strategy=each.criteria.severity,
        gap=each.gap,
        designed_class=each.designed_class,
        empirical_class=classed,
        classified_by=_by(trials) if trials and classed else None,
        new_task=trials.new_task if trials else "unjudged",
        triple=triple,
        pair=pair,
    )


def _by(trials: Trials) -> ClassifiedBy:
    return ClassifiedBy(agent=trials.agent, model=trials.model, n=trials.n, seeds=trials.seeds)


def empirical_class(trials: Trials) -> DesignedClass | None:
    """The class by trials that a released variant has; None for void ones."""
    return next((name for name in CLASSES if name in trials.classes), None)


def distribution(rows: Sequence[Variant]) -> dict[str, Any]:
    """Counts as figure 3 has them, and of what is ours; dimensions are counted once for each segment."""
    segments = [segment for each in rows for segment in each.removed_segments]
    return {
        "variants": len(rows),
        "sources": {
            source: {
                "variants": sum(each.source == source for each in rows),
                "tasks": len({each.original_task for each in rows if each.source == source}),
            }
            for source in sorted({each.source for each in rows})
        },
        "designed_class": _counts((each.designed_class for each in rows), CLASSES),
        "empirical_class": _counts((each.empirical_class or "unclassified" for each in rows), CLASSES),
        "dimensions": _counts((segment.dimension for segment in segments), ("goal", "constraint", "input", "context")),
        "subdimensions": _counts(f"{segment.dimension}.{segment.subdimension}" for segment in segments),
        "strategies": _counts((each.strategy for each in rows), SEVERITIES),
        "segments": _counts((str(len(each.removed_segments)) for each in rows), ("1", "2")),
        "gaps": _counts((each.gap for each in rows), ("shown", "default", "hidden")),
        "triples": len({each.triple for each in rows} - {None}),
        "pairs": len({each.pair for each in rows} - {None}),
    }


def _counts(values: Iterable[str], order: Sequence[str] = ()) -> Mapping[str, int]:
    counted = Counter(values)
    return {name: counted[name] for name in (*order, *sorted(counted.keys() - set(order)))}


def _new_task(trials: Trials | None) -> bool:
    return trials is not None and trials.new_task == "yes"
