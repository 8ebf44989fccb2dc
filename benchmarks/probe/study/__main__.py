"""`python -m benchmarks.probe.study`: a judge held against two people, and people who do samples themselves."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.probe import pins, worlds
from benchmarks.probe.study import humans
from benchmarks.probe.study.candidates import candidates
from harness.judging.forms import FormError
from harness.judging.study import agreeing, pairs
from harness.judging.study.columns import columns
from harness.judging.study.command import ran, written
from harness.record.belonging import belonging
from harness.record.files import write_whole
from harness.record.judgements import judged
from harness.record.store import Run
from harness.suite import SuiteError

_OPEN = "open.csv"


def main(given: Sequence[str] | None = None) -> int:
    """0 if it was done, 2 with one line on standard error if it could not be."""
    return ran(_asked(given))


def _asked(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.probe.study", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    draw = verbs.add_parser("draw", help="draw answers from runs, and write a form for each of two people")
    draw.add_argument("folder", type=Path)
    draw.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    draw.add_argument("--people", nargs=2, required=True, metavar="NAME")
    draw.add_argument("--pairs", type=int, default=200)
    draw.add_argument("--seed", type=int, default=0)
    draw.set_defaults(verb=_draw)
    agree = verbs.add_parser("agree", help="read the forms back: agreement of people, judges, and repeats of a judge")
    agree.add_argument("folder", type=Path)
    agree.set_defaults(verb=_agree)
    form = verbs.add_parser("form", help="a form for a person who does samples, and the samples to read")
    form.add_argument("folder", type=Path)
    form.add_argument("--annotator", required=True)
    form.add_argument("--samples", type=int, default=10)
    form.add_argument("--seed", type=int, default=0)
    form.set_defaults(verb=_form)
    table = verbs.add_parser("table", help="read such forms back: table 2, and a form with what no program can tell")
    table.add_argument("folder", type=Path)
    table.set_defaults(verb=_table)
    return parser.parse_args(given)


def _draw(asked: argparse.Namespace) -> list[str]:
    from harness.wiring import suite

    found: list[pairs.Pair] = []
    for folder in asked.runs:
        run = Run.open(folder)
        played = suite(run.head.suite)
        found += candidates(run, played, judged(run, played, belonging(run, played)))
    if not found:
        raise FormError("of none of these runs is a judge asked anything: draw from runs that answer in prose")
    some = pairs.drawn(found, asked.pairs, asked.seed)
    study = pairs.Study(seed=asked.seed, people=tuple(asked.people), pairs=tuple(some))
    return written(asked.folder, study, asked.pairs, "answers")


def _agree(asked: argparse.Namespace) -> list[str]:
    study = pairs.kept(asked.folder)
    judges = agreeing.kept_votes(study)
    raters = {name: pairs.read_answers(asked.folder / f"{name}.csv", study) for name in study.people}
    raters |= {name: agreeing.settled(said) for name, said in judges.items()}
    lines = columns(agreeing.agreements(study, raters))
    for name, said in judges.items():
        rows = agreeing.repeats(said)
        lines += ["", f"{name}, three times"]
        lines += columns(rows) if rows[-1]["n"] else ["fewer than three votes: harness judge RUN --votes 3"]
    return lines


def _form(asked: argparse.Namespace) -> list[str]:
    there = humans.ordered(pins.chosen(total=asked.samples), asked.annotator, asked.seed)
    path = asked.folder / f"{asked.annotator}.csv"
    humans.write_form(path, asked.annotator, there)
    texts = asked.folder / asked.annotator
    texts.mkdir(exist_ok=True)
    for number, name in enumerate(there, 1):
        write_whole(texts / f"{number:02d}-{name}.txt", humans.shown(worlds.sample(name)))
    return [f"{path}: {len(there)} samples, which are in {texts}"]


def _table(asked: argparse.Namespace) -> list[str]:
    known = _Samples()
    paths = sorted(path for path in asked.folder.glob("*.csv") if path.name != _OPEN)
    runs = [run for path in paths for run in humans.read_runs(path, known)]
    questions, there = humans.open_questions(runs, known), asked.folder / _OPEN
    verdicts = humans.read_verdicts(there, questions) if there.exists() else {}
    lines = columns(humans.table(runs, known, verdicts))
    if questions and not there.exists():
        humans.write_open(there, questions)
    if left := len(questions) - len(verdicts):
        lines += ["", f"{there}: {left} verdicts are open; what waits for them is in no mean"]
    return lines


class _Samples(dict[str, Any]):
    """Samples by name, each made when it is asked for."""

    def __contains__(self, name: object) -> bool:
        try:
            self[str(name)]
        except SuiteError:
            return False
        return True

    def __missing__(self, name: str) -> Any:
        self[name] = worlds.sample(name)
        return self[name]


if __name__ == "__main__":
    sys.exit(main())
