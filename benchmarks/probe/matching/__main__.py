"""`python -m benchmarks.probe.matching`: answers for two labellers, and the matcher held against what they say."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

from benchmarks.probe import pins
from benchmarks.probe.matching import items
from benchmarks.probe.matching.items import MatchingError
from benchmarks.probe.matching.measuring import Measured, agreed, measured, read_labels, said
from harness.record.files import RunError, write_whole
from harness.suite import SuiteError

_ITEMS, _SHEET, _GUIDE = "matching.jsonl", "items.jsonl", "guide.md"


def main(given: Sequence[str] | None = None) -> int:
    """0 if it was done and the gate holds, 1 if it does not hold, 2 with one line on standard error on bad input."""
    asked = _asked(given)
    try:
        code: int = asked.verb(asked)
    except (MatchingError, RunError, SuiteError) as error:
        sys.stderr.write(f"matching: {error}\n")
        return 2
    return code


def _asked(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.probe.matching", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    draw = verbs.add_parser("items", help="draw answers from three sources, and write what labellers get to see")
    draw.add_argument("folder", type=Path)
    draw.add_argument("--written", type=Path, required=True, help="answers that somebody wrote, one a sample")
    draw.add_argument("--seed", type=int, default=1)
    draw.add_argument("--workers", type=int, default=2)
    draw.set_defaults(verb=_items)
    gate = verbs.add_parser("gate", help="hold the matcher against two files of labels")
    gate.add_argument("items", type=Path, help=f"{_ITEMS} of the folder")
    gate.add_argument("labels", type=Path, nargs=2)
    gate.add_argument("--half", choices=("tuned", "held out"), help="one half of the items alone")
    gate.add_argument("--amiss", action="store_true", help="list every decision that both labellers contradict")
    gate.set_defaults(verb=_gate)
    return parser.parse_args(given)


def _items(asked: argparse.Namespace) -> int:
    known = items.read_written(asked.written)
    names = {int(name.split("-")[2]): name for name in pins.chosen(asked.seed)}
    for number in known:
        if number not in names:
            raise MatchingError(f"{asked.written}: there is no sample {number} in the set of seed {asked.seed}")
    if (asked.folder / _ITEMS).exists():
        raise MatchingError(f"{asked.folder / _ITEMS} already exists: name another folder")
    work = [(names[number], said, asked.seed) for number, said in known.items()]
    with get_context("spawn").Pool(asked.workers) as pool:
        found = items.numbered((each for some in pool.imap(items.answers, work, 5) for each in some), asked.seed)
    asked.folder.mkdir(parents=True, exist_ok=True)
    write_whole(asked.folder / _ITEMS, "".join(f"{each.model_dump_json(exclude_defaults=True)}\n" for each in found))
    lines = (json.dumps(items.sheet(each), ensure_ascii=False) for each in found)
    write_whole(asked.folder / _SHEET, "".join(f"{line}\n" for line in lines))
    write_whole(asked.folder / _GUIDE, Path(__file__).with_name("guide.md").read_text(encoding="utf-8"))
    sys.stdout.write(f"{asked.folder}: {len(found)} answers to {len(known)} samples in {_SHEET}, rules in {_GUIDE}\n")
    return 0


def _gate(asked: argparse.Namespace) -> int:
    there = items.read(asked.items)
    one, other = (read_labels(path, there) for path in asked.labels)
    chosen = [each for each in there if asked.half in (None, items.half(each))]
    rows = said(chosen, one, other)
    found, agree = measured(rows), agreed(rows)
    head = ("detail", "labelled", "agree", "kappa", "decided", "accuracy", "not correct", "false accepts", "gate")
    cells = [head, *(_cells(each, agree[each.detail].share, agree[each.detail].kappa) for each in found)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(head))]
    for line in cells:
        out = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        sys.stdout.write(f"{out.rstrip()}\n")
    for row in rows if asked.amiss else ():
        if row.amiss:
            answer = row.item.answer
            text = answer if isinstance(answer, str) else getattr(answer, row.detail)
            sys.stdout.write(f"{row.item.id} {row.item.source} {row.detail}: {row.program}: {text}\n")
    return int(not all(each.passed for each in found))


def _cells(row: Measured, agree: float | None, kappa: float | None) -> tuple[str, ...]:
    return (
        row.detail, str(row.labelled), _shown(agree), _shown(kappa), _shown(row.share), _shown(row.accuracy),
        str(row.wrong), _shown(row.false_accepts), "holds" if row.passed else "FAILS",
    )  # fmt: skip


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    sys.exit(main())
