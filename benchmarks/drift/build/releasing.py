"""The set: all variants of the pool that hold, and of these the files that are released."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.drift.build.context import Context, Phase, refusal
from benchmarks.drift.build.records import Listing, Refusal
from benchmarks.drift.drawn import clean
from benchmarks.drift.faults import Fails, validate
from benchmarks.drift.faults.making import way
from benchmarks.drift.frames import Variant, written
from harness.cli.problems import CallProblem
from harness.task import Task

__all__ = ("RELEASED", "lines", "variants")

RELEASED = "released"
"""The folder of what is released; `benchmarks/drift/released` is a copy of it."""


def variants(context: Context) -> Phase:
    """All that hold when they are put to the validators once more, whoever worded them, and the released files."""
    agreed = {each.id for each in context.read("readings", Listing) if not each.expected}
    kept: list[Variant] = []
    refused: list[Refusal] = []
    for each in _checked([one for one in context.read("texts", Variant) if one.id in agreed], context):
        (kept if isinstance(each, Variant) else refused).append(each)  # type: ignore[arg-type]
    if not kept:
        raise CallProblem("no variant is left; refused/ says why of each")
    files: dict[str, str] = {}
    for name, pool in context.pools.items():
        ids = {task.id for task in pool.released}
        files[f"{RELEASED}/{name}-tasks.jsonl"] = lines([clean(task) for task in pool.released])
        files[f"{RELEASED}/{name}-variants.jsonl"] = written(each for each in kept if each.task in ids)
    routes = Counter(each.route for each in kept if each.task in context.released)
    told = ", ".join(f"{count} by route {name}" for name, count in sorted(routes.items()))
    said = f"{len(kept)} variants, {len(refused)} refused; {routes.total()} are released ({told})"
    return Phase(kept, refused, files, said)


def lines(tasks: Sequence[Task]) -> str:
    """Clean tasks as the released files have them."""
    return "".join(f"{task.model_dump_json(exclude_defaults=True)}\n" for task in tasks)


def _checked(those: Sequence[Variant], context: Context) -> Iterator[Variant | Refusal]:
    """Each, or why not. A text that stands elsewhere already is refused: what is written by hand comes first."""
    taken: dict[str, str] = {each.text: each.id for each in those if each.route == "hand"}
    for each in those:
        task = context.tasks[each.task]
        slot, mention = way(task, each.strategy, each.added)
        try:
            if taken.setdefault(each.text, each.id) != each.id:
                raise Fails("unique", mention.fault, task.id, "another task has the same faulty request")
            validate(task, each, mention, slot)
        except Fails as problem:
            yield refusal("variants", task.id, problem)
        else:
            yield each
