"""A few tasks of many, for a first try: the first ones, or a sample over templates."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import zip_longest

from harness.core.task import Task

__all__ = ("few",)


def few(tasks: Sequence[Task], limit: int | None, sample: int | None, seed: int, spread: str = "") -> list[Task]:
    """The first `limit` tasks, or `sample` ones drawn by the seed, in the order in which they stood.

    A sample has a task of each template before a second one of any, and a larger sample of the same seed holds every
    smaller one. Where `spread` names a fact of tasks, templates are taken from its values in turn.
    """
    if sample is None:
        return [*tasks][:limit]
    draw = random.Random(f"sample {seed}")
    of: dict[str, list[int]] = defaultdict(list)
    for place, task in enumerate(tasks):
        of[task.template].append(place)
    groups = draw.sample([*of.values()], len(of))
    for group in groups:
        draw.shuffle(group)
    if spread:
        apart: dict[str, list[list[int]]] = defaultdict(list)
        for group in groups:
            apart[str(tasks[group[0]].facts.get(spread, ""))].append(group)
        groups = [group for turn in zip_longest(*apart.values()) for group in turn if group]
    rounds = [group[turn] for turn in range(max(map(len, groups), default=0)) for group in groups if turn < len(group)]
    return [tasks[place] for place in sorted(rounds[:sample])]
