"""`python -m benchmarks.probe.gates`: holds the gates against samples, prints a table, and ends with 1 if one fails."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from benchmarks.probe.gates.gates import EXCEPTIONS, SINGLE, Gate, gates
from benchmarks.probe.gates.looks import GatesError, generated, looks, published
from benchmarks.probe.gates.planted import PLANTS
from benchmarks.probe.published import PublishedError
from benchmarks.probe.records import Difficulty

_HEADS = {
    "single": "one feature: AUC",
    "learned": "learned: AUC, its upper end",
    "guess": "the action, without documents",
}


def main(given: Sequence[str] | None = None) -> int:
    """0 if all gates hold, 1 if one does not, 2 if they cannot be held against what was named."""
    asked = _asked(given)
    try:
        sources = (
            published(asked.published, asked.seed)
            if asked.published
            else generated(asked.seed, asked.samples, asked.difficulty or get_args(Difficulty))
        )
        found = gates(looks(sources, asked.plant, asked.workers), asked.workers)
    except (GatesError, PublishedError) as error:
        sys.stderr.write(f"gates: {error}\n")
        return 2
    text = _as_json(found) if asked.json else "\n".join(_lines(found))
    sys.stdout.write(f"{text}\n")
    return int(not all(each.passed for each in found))


def _asked(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.probe.gates", description=__doc__)
    parser.add_argument("--samples", type=_count, default=240, help="of each difficulty (240)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--difficulty", action="append", choices=get_args(Difficulty), help="these alone")
    parser.add_argument("--published", type=Path, metavar="FOLDER", help="samples of a folder in the published layout")
    parser.add_argument("--plant", choices=PLANTS, help="put an artifact into each sample first: a gate has to fail")
    parser.add_argument("--workers", type=_count, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(given)


def _count(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return int(text)


def _as_json(found: Sequence[Gate]) -> str:
    return json.dumps([{**each._asdict(), "passed": each.passed} for each in found], indent=2)


def _lines(found: Sequence[Gate]) -> Iterator[str]:
    levels = [level for level in get_args(Difficulty) if any(each.difficulty == level for each in found)]
    sizes = {each.difficulty: (each.samples, each.personas) for each in found}
    yield f"{'':22}" + "".join(f"{level:<18}" for level in levels).rstrip()
    yield f"{'samples, personas':22}" + "".join(f"{'{}, {}'.format(*sizes[level]):<18}" for level in levels).rstrip()
    for kind, head in _HEADS.items():
        rows: dict[str, dict[str, Gate]] = {}
        for each in found:
            if each.kind == kind:
                rows.setdefault(each.name, {})[each.difficulty] = each
        if rows:
            yield ""
            yield f"{head} {_limits(next(iter(next(iter(rows.values())).values())))}"
        for name, row in rows.items():
            cells = "".join(f"{_cell(row[level]) if level in row else '-':<18}" for level in levels)
            yield f"{name:<22}{cells}{'pass' if all(each.passed for each in row.values()) else 'FAIL'}"
    yield ""
    yield "In brackets are 95% intervals by persona; * fails."
    if any(each.kind == "single" and each.high - each.low > SINGLE[1] - SINGLE[0] for each in found):
        yield "Some intervals are wider than the limits: take more samples."
    for (level, name), (least, most) in EXCEPTIONS.items():
        if level in levels:
            yield f"Of {level} samples the limits for {name} are {least:.2f} to {most:.2f}."


def _limits(gate: Gate) -> str:
    if gate.kind == "single":
        return f"from {gate.least:.2f} to {gate.most:.2f}"
    return f"at most {gate.most:.3f}" if gate.kind == "guess" else f"at most {gate.most:.2f}"


def _cell(gate: Gate) -> str:
    value, low, high = (f"{each:.3f}".removeprefix("0")[:4] for each in (gate.value, gate.low, gate.high))
    return f"{value} ({low} {high}){'' if gate.passed else '*'}"


if __name__ == "__main__":
    sys.exit(main())
