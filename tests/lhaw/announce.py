"""Do the variants' sentences announce that something was left out? A test that people or models read blind.

    python -m tests.lhaw.announce sheet FOLDER --seed N   # writes requests.jsonl, to be read, and key.json, not to be
    python -m tests.lhaw.announce score FOLDER            # reads FOLDER/readers/*.json, {"1": true, "2": false, ...}

Each reader gets `requests.jsonl` alone and says of each sentence by its number whether it announces that something was
left out. Half of the sentences are variants, half requests as they were meant: of the same templates, but other tasks
in other wordings, so that no sentence stands beside its twin.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from benchmarks.lhaw.suite import short
from benchmarks.workbench.synth.suite import load
from harness.scoring.stats import Interval, clusters, rate
from harness.task import Task

__all__ = ("GROUPS", "Above", "Sentence", "above", "read", "scored", "sheet")

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
    found = [
        Sentence(task.sessions[0].requests["underspecified"], task.facts["severity"], task.template) for task in chosen
    ]
    for variant in chosen:
        twin = next((task for task in left if task.template == variant.template), None)
        if twin is None:
            raise ValueError(f"template {variant.template} has too few tasks in other wordings than its variants")
        left.remove(twin)
        found.append(Sentence(twin.sessions[0].requests["original"], "plain", twin.template))
    rng.shuffle(found)
    return found


def read(folder: Path, count: int) -> list[float]:
    """The share of readers who say of each sentence that it announces a gap.

    Raises ValueError where there is no reader, or one did not answer true or false to every number.
    """
    files = sorted((folder / "readers").glob("*.json"))
    if not files:
        raise ValueError(f"there is no reader's file in {folder / 'readers'}")
    answers: list[Mapping[str, bool]] = []
    for file in files:
        said = json.loads(file.read_text(encoding="utf-8"))
        if sorted(said) != sorted(map(str, range(1, count + 1))) or not all(isinstance(v, bool) for v in said.values()):
            raise ValueError(f"{file.name} should say true or false of each number from 1 to {count}")
        answers.append(said)
    return [sum(said[str(n)] for said in answers) / len(answers) for n in range(1, count + 1)]


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
    lines = (json.dumps({"n": n, "text": one.text}, ensure_ascii=False) for n, one in enumerate(sentences, 1))
    (folder / "requests.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "key.json").write_text(
        json.dumps([one._asdict() for one in sentences], indent=1) + "\n", encoding="utf-8"
    )


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
    asked = parser.parse_args()
    if asked.verb == "sheet":
        _write(asked.folder, sheet(short().tasks, load().tasks, seed=asked.seed))
        return
    key = [Sentence(**one) for one in json.loads((asked.folder / "key.json").read_text(encoding="utf-8"))]
    print(_told(scored(key, read(asked.folder, len(key)))))  # noqa: T201


if __name__ == "__main__":
    _main()
