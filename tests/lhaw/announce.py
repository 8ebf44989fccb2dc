"""Do the variants' sentences announce that something was left out? A test that people or models read blind.

    python -m tests.lhaw.announce sheet FOLDER --suite lhaw-short --seed N
        # writes requests.jsonl, to be read, and key.json, not to be
    python -m tests.lhaw.announce score FOLDER
        # reads FOLDER/readers/*.json, {"1": true, "2": false, ...}

A sheet comes in parts of at most 36 requests, each for a reader of its own (`requests-1.jsonl`, ...), who says of each
request by its number whether it announces that something was left out. Half of the requests are variants, half are as
they were meant: of the same templates, but other tasks in other wordings, so that none stands beside its twin.

`lhaw-workplace` has 36 tasks with five or six variants each, so each part of its sheet has every task once: as a
variant in one, as it was meant in another.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from benchmarks.lhaw.suite import short, workplace
from benchmarks.workbench.synth import suite as synth
from benchmarks.workflows import suite as workflows
from harness.scoring.stats import Interval, clusters, rate
from harness.task import Task

__all__ = ("GROUPS", "Above", "Sentence", "above", "parted", "read", "scored", "sheet")

_PART: Final = 36
"""So many requests a reader reads at most."""

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "plain": ("plain",),
    "delete and vagify": ("delete", "vagify"),
    "genericize": ("genericize",),
}
"""Kinds of sentences that are counted together."""


class Sentence(NamedTuple):
    """One request of a sheet. `kind` is `plain` or a variant's severity."""

    text: str
    kind: str
    template: str
    part: int = 1
    """Which part of the sheet it is in, from 1."""


class Above(NamedTuple):
    """A difference between two shares, with its 95% interval; None where the readings allow none."""

    value: float
    low: float | None
    high: float | None


def sheet(variants: Sequence[Task], sources: Sequence[Task], *, seed: int, count: int = 100) -> list[Sentence]:
    """So many variants and as many plain requests, shuffled.

    Raises ValueError where a template has too few tasks in other wordings than its variants.
    """
    rng = Random(seed)
    chosen = rng.sample(list(variants), count)
    wordings = {(task.template, task.facts["wording"]) for task in variants}
    left = [task for task in sources if (task.template, task.facts["wording"]) not in wordings]
    rng.shuffle(left)
    found = [_lacking(task) for task in chosen]
    for variant in chosen:
        twin = next((task for task in left if task.template == variant.template), None)
        if twin is None:
            raise ValueError(f"template {variant.template} has too few tasks in other wordings than its variants")
        left.remove(twin)
        found.append(Sentence(twin.sessions[0].requests["original"], "plain", twin.template))
    rng.shuffle(found)
    return [one._replace(part=1 + n // _PART) for n, one in enumerate(found)]


def parted(variants: Sequence[Task], sources: Sequence[Task], *, seed: int, parts: int = 6) -> list[Sentence]:
    """All sources once in each part, half of them as a variant that no other part has.

    A variant's source is the one with its full request; sources take turns as long as they have variants. Raises
    ValueError where variants do not last for so many parts.
    """
    rng = Random(seed)
    left: dict[str, list[Task]] = {_full(task): [] for task in sources}
    for variant in rng.sample(list(variants), len(variants)):
        left[_full(variant)].append(variant)
    found: list[Sentence] = []
    turns: Counter[str] = Counter()
    for part in range(1, parts + 1):
        ranked = sorted(sources, key=lambda task: (not left[_full(task)], turns[task.id], rng.random()))
        turns.update(task.id for task in ranked[: len(ranked) // 2])
        half = len(ranked) // 2
        if not left[_full(ranked[half - 1])]:
            raise ValueError(f"there are too few variants for {parts} parts: {ranked[half - 1].id} has none left")
        chosen = [_lacking(left[_full(task)].pop(), part) for task in ranked[:half]]
        chosen += [Sentence(_full(task), "plain", task.template, part) for task in ranked[half:]]
        rng.shuffle(chosen)
        found += chosen
    return found


def _lacking(variant: Task, part: int = 1) -> Sentence:
    return Sentence(variant.sessions[0].requests["underspecified"], variant.facts["severity"], variant.template, part)


def _full(task: Task) -> str:
    return task.sessions[0].requests["original"]


def read(folder: Path, parts: Sequence[int]) -> list[float]:
    """The share of readers who say of each sentence that it announces a gap; `parts` says which part each is in.

    Raises ValueError where nobody read a sentence, or a reader did not answer true or false to every number of a part.
    """
    files = sorted((folder / "readers").glob("*.json"))
    if not files:
        raise ValueError(f"there is no reader's file in {folder / 'readers'}")
    numbers = {part: {str(n) for n, each in enumerate(parts, 1) if each == part} for part in parts}
    answers: dict[str, list[bool]] = {}
    for file in files:
        said = json.loads(file.read_text(encoding="utf-8"))
        whole = set().union(*(of for of in numbers.values() if of & said.keys()))
        if said.keys() != whole or not whole or not all(isinstance(v, bool) for v in said.values()):
            missing = ", ".join(sorted(whole ^ said.keys(), key=str)) or "none"
            raise ValueError(
                f"{file.name} should say true or false of each number of the parts that were read "
                f"(missing or unknown: {missing})"
            )
        for number, announces in said.items():
            answers.setdefault(number, []).append(announces)
    if unread := [n for n in range(1, len(parts) + 1) if str(n) not in answers]:
        raise ValueError(f"nobody has read number {unread[0]}, of part {parts[unread[0] - 1]}")
    return [sum(answers[str(n)]) / len(answers[str(n)]) for n in range(1, len(parts) + 1)]


def scored(key: Sequence[Sentence], shares: Sequence[float]) -> dict[str, Interval]:
    """What share announces a gap, by group, with an interval over its requests, clustered by template."""
    found = {}
    for group, kinds in GROUPS.items():
        rows = [(one.template, "", share) for one, share in zip(key, shares, strict=True) if one.kind in kinds]
        found[group] = rate(*clusters(rows))
    return found


def above(group: Interval, plain: Interval) -> Above | None:
    """How much higher one share is than another of other requests (square-and-add, Newcombe 1998, method 10)."""
    if group.value is None or plain.value is None:
        return None
    gap = group.value - plain.value
    if group.low is None or group.high is None or plain.low is None or plain.high is None:
        return Above(gap, None, None)
    below = sqrt((group.value - group.low) ** 2 + (plain.high - plain.value) ** 2)
    beyond = sqrt((group.high - group.value) ** 2 + (plain.value - plain.low) ** 2)
    return Above(gap, gap - below, gap + beyond)


def _write(folder: Path, sentences: Sequence[Sentence]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        (one.part, json.dumps({"n": n, "text": one.text}, ensure_ascii=False)) for n, one in enumerate(sentences, 1)
    ]
    _lines(folder / "requests.jsonl", [line for _, line in rows])
    if len(parts := sorted({part for part, _ in rows})) > 1:
        for part in parts:
            _lines(folder / f"requests-{part}.jsonl", [line for of, line in rows if of == part])
    (folder / "key.json").write_text(
        json.dumps([one._asdict() for one in sentences], indent=1) + "\n", encoding="utf-8"
    )


def _lines(path: Path, lines: Sequence[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _told(results: Mapping[str, Interval]) -> str:
    lines = []
    for group, share in results.items():
        line = f"{group}: {_percent(share.value)}% of {share.n} requests announce a gap ({_span(share)})"
        if group != "plain" and (more := above(share, results["plain"])):
            line += f", {_percent(more.value)} points above plain ({_span(more)})"
        lines.append(line)
    return "\n".join(lines)


def _span(found: Interval | Above) -> str:
    return f"{_percent(found.low)} to {_percent(found.high)}"


def _percent(value: float | None) -> str:
    return "?" if value is None else f"{100 * value:.1f}"


def _main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.lhaw.announce", description=(__doc__ or "").partition("\n")[0]
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in ("sheet", "score"):
        verbs.add_parser(verb).add_argument("folder", type=Path)
    verbs.choices["sheet"].add_argument("--seed", type=int, required=True)
    verbs.choices["sheet"].add_argument("--suite", choices=("lhaw-short", "lhaw-workplace"), default="lhaw-short")
    asked = parser.parse_args()
    if asked.verb == "sheet":
        if asked.suite == "lhaw-short":
            _write(asked.folder, sheet(short().tasks, synth.load().tasks, seed=asked.seed))
        else:
            _write(asked.folder, parted(workplace().tasks, workflows.load().tasks, seed=asked.seed))
        return
    key = [Sentence(**one) for one in json.loads((asked.folder / "key.json").read_text(encoding="utf-8"))]
    print(_told(scored(key, read(asked.folder, [one.part for one in key]))))  # noqa: T201


if __name__ == "__main__":
    _main()
