"""Which candidates are released: a mix of classes, spread over tasks, dimensions and numbers of segments.

Matched sets come first and whole. Nothing is taken that the mix has no room for: where there is too little of a class,
the set is smaller, and says by how much.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.lhaw.build.config import BuildConfig
from benchmarks.lhaw.build.records import Candidate
from benchmarks.lhaw.rewrite import GAPS, SEVERITIES
from benchmarks.lhaw.variants import DesignedClass
from harness.cli.problems import CallProblem
from servers.kernel import canonical

__all__ = ("Selection", "Unit", "pairs", "select", "spread", "triples")

_PAIRED = 8
"""Pairs are looked for until they are an eighth of the set: more would leave too few tasks."""

_MORE = 2
"""How many variants more than on average a task may have before others come first."""

_HIDING = 3
"""What it weighs against such a twelfth that a sentence hides its gap a step more."""

_COARSE = 12
"""Dimensions and strategies are kept even to a twelfth of the set, so that tasks and gaps count as well."""

Unit = tuple[str, tuple[str, ...]]
"""A task and the segments that its request lacks."""


class Selection(NamedTuple):
    """What was chosen, in order of tasks; by how much what is wanted was missed, by class and for `triples`."""

    chosen: Sequence[Candidate]
    short: Mapping[str, int]


def select(
    config: BuildConfig,
    candidates: Sequence[Candidate],
    class_of: Callable[[Candidate], DesignedClass] = lambda candidate: candidate.designed_class,
) -> Selection:
    """Up to `number` of the candidates, as `keep`, `mix`, `triples` and `seed` have it, whatever their order.

    Raises `CallProblem` for one to be kept that is not among them.
    """
    picking = _Picking(config, candidates, class_of)
    picking.kept(config.keep)
    made = picking.triples(config.triples)
    picking.singles()
    chosen = sorted(picking.chosen, key=_place)
    counted = Counter(map(class_of, chosen))
    whole = len(set(triples(chosen).values()))
    short: dict[str, int] = {
        name: quota - counted[name] for name, quota in config.quotas.items() if counted[name] < quota
    }
    if max(made, whole) < config.triples:
        short["triples"] = config.triples - max(made, whole)
    return Selection(chosen, short)


def triples(chosen: Sequence[Candidate]) -> dict[str, str]:
    """Variant -> an id that it shares with those that lack the same segments of its task by the other strategies."""
    found: defaultdict[Unit, list[Candidate]] = defaultdict(list)
    for each in chosen:
        found[_unit(each)].append(each)
    return {
        each.task_id: _id("triple", unit)
        for unit, group in found.items()
        if {one.criteria.severity for one in group} == set(SEVERITIES)
        for each in group
    }


def pairs(chosen: Sequence[Candidate]) -> dict[str, str]:
    """Variant -> an id that it shares with one other of its task and strategy.

    One lacks a segment, the other that and a second. A variant is in one pair at most.
    """
    found: dict[str, str] = {}
    ordered = sorted(chosen, key=_place)
    for two in (each for each in ordered if len(each.names) == 2):
        for one in ordered:
            alike = one.original_task == two.original_task and one.criteria == two.criteria
            if alike and len(one.names) == 1 and one.task_id not in found and set(one.names) < set(two.names):
                found[one.task_id] = found[two.task_id] = _id("pair", [one.task_id, two.task_id])
                break
    return found


def spread(chosen: Sequence[Candidate], number: int) -> list[Candidate]:
    """So many of them, from as many classes, tasks and strategies as can be, in order of tasks."""
    left, found = list(chosen), list[Candidate]()
    used: Counter[str] = Counter()
    while left and len(found) < number:
        best = min(left, key=lambda each: (
            used[each.designed_class], used[each.original_task], used[each.criteria.severity],
            used[str(len(each.names))], each.task_id,
        ))  # fmt: skip
        left.remove(best)
        found.append(best)
        used.update([best.designed_class, best.original_task, best.criteria.severity, str(len(best.names))])
    return sorted(found, key=_place)


class _Picking:
    """What has been chosen so far, and what that leaves room for."""

    def __init__(
        self, config: BuildConfig, candidates: Sequence[Candidate], class_of: Callable[[Candidate], DesignedClass]
    ) -> None:
        self.chosen: list[Candidate] = []
        self._class_of = class_of
        self._seed = config.seed
        self._quotas = config.quotas
        self._used: Counter[tuple[Any, ...]] = Counter()
        self._ids: set[str] = set()
        self._left = sorted(candidates, key=_place)
        self._most_pairs = config.number // _PAIRED
        self._coarse = max(config.number // _COARSE, 1)
        tasks = len({each.original_task for each in candidates}) or 1
        self._often = -(-config.number // tasks) + _MORE
        self._pairs: dict[str, str] = {}

    def kept(self, names: Sequence[str]) -> None:
        """Choose these, whatever there is room for."""
        known = {each.task_id: each for each in self._left}
        if strange := next((name for name in names if name not in known), ""):
            raise CallProblem(f"keep: {strange!r} is not among the {len(known)} candidates of this build")
        for name in names:
            self._take([known[name]])

    def triples(self, wanted: int) -> int:
        """Choose whole sets of three, up to so many; how many there were."""
        groups: defaultdict[Unit, list[Candidate]] = defaultdict(list)
        for each in self._left:
            groups[_unit(each)].append(each)
        whole = [group for group in groups.values() if len(group) == len(SEVERITIES)]
        made = 0
        while made < wanted:
            fitting = [group for group in whole if group[0].task_id not in self._ids and self._room(group)]
            if not fitting:
                break
            self._take(min(fitting, key=self._rank))
            made += 1
        return made

    def singles(self) -> None:
        """Choose one after the other until there is no room, or nothing that fits."""
        while fitting := [each for each in self._left if each.task_id not in self._ids and self._room([each])]:
            self._take([min(fitting, key=lambda each: self._rank([each]))])

    def _room(self, group: Sequence[Candidate]) -> bool:
        wanted = Counter(map(self._class_of, group))
        return all(self._used["class", name] + count <= self._quotas[name] for name, count in wanted.items())

    def _take(self, group: Sequence[Candidate]) -> None:
        for each in group:
            self.chosen.append(each)
            self._ids.add(each.task_id)
            self._used.update(self._marks(each))
        self._pairs = pairs(self.chosen)

    def _marks(self, each: Candidate) -> list[tuple[Any, ...]]:
        name, task = self._class_of(each), each.original_task
        return [
            ("class", name),
            ("task", task),
            ("unit", *_unit(each)),
            ("count", name, len(each.names)),
            ("strategy", each.criteria.severity),
            ("way", task, each.criteria.severity, len(each.names)),
            *(("slot", task, segment.id) for segment in each.removed_segments),
            *(("of", segment.dimension) for segment in each.removed_segments),
            *(("dimension", segment.dimension, segment.subdimension) for segment in each.removed_segments),
        ]

    def _matched(self, each: Candidate) -> bool:
        """Whether it makes a pair with one that was chosen and has no other."""
        return any(
            other.original_task == each.original_task
            and other.criteria == each.criteria
            and other.task_id not in self._pairs
            and {len(other.names), len(each.names)} == {1, 2}
            and (set(other.names) < set(each.names) or set(each.names) < set(other.names))
            for other in self.chosen
        )

    def _uneven(self, each: Candidate) -> int:
        """How far its strategy and dimensions are ahead by now, in steps of a twelfth of the set."""
        gone = each.removed_segments
        dimensions = sum(self._used["of", segment.dimension] for segment in gone) // len(gone)
        return self._used["strategy", each.criteria.severity] // self._coarse + dimensions // self._coarse

    def _rank(self, group: Sequence[Candidate]) -> tuple[Any, ...]:
        """Least first: what the mix lacks most, then what has been used least and shows its gap."""
        each = group[0]
        name, task, used = self._class_of(each), each.original_task, self._used
        gone = each.removed_segments
        return (
            round(used["class", name] / max(self._quotas[name], 1), 9),
            used["count", name, len(gone)],
            used["task", task] // self._often,
            self._uneven(each) + _HIDING * sum(GAPS.index(one.gap) for one in group) / len(group),
            len(self._pairs) // 2 >= self._most_pairs or not self._matched(each),
            used["task", task],
            used["strategy", each.criteria.severity],
            used["unit", *_unit(each)],
            sum(used["dimension", segment.dimension, segment.subdimension] for segment in gone) / len(gone),
            sum(used["slot", task, segment.id] for segment in gone) / len(gone),
            -sum(segment.priority_score for segment in gone) / len(gone),
            _draw(self._seed, each.task_id),
        )


def _unit(each: Candidate) -> Unit:
    return each.original_task, tuple(sorted(each.names))


def _place(each: Candidate) -> tuple[Any, ...]:
    return each.original_task, len(each.names), each.names, SEVERITIES.index(each.criteria.severity)


def _id(what: str, of: Any) -> str:
    return f"{what}-{hashlib.sha256(canonical(of)).hexdigest()[:8]}"


def _draw(seed: int, id: str) -> str:
    return hashlib.sha256(f"{seed} {id}".encode()).hexdigest()
