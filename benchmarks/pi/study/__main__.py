"""`python -m benchmarks.pi.study`: how far what a run says of intents and items agrees with people and other models."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.pi.study.asking import candidates
from benchmarks.pi.suite import load, load_episodes, units
from harness.judging.forms import FormError
from harness.judging.study import agreeing, pairs
from harness.judging.study.columns import columns
from harness.judging.study.command import ran, written
from harness.record.belonging import belonging
from harness.record.judgements import judged
from harness.record.store import Run

_SUITES = {"pi-synth": load_episodes, "pi-units": load}

_RUN, _TOGETHER = "run", "together"
"""Raters without a form: the run that is studied, and what most of three forms or more say."""


def main(given: Sequence[str] | None = None) -> int:
    """0 if it was done, 2 with one line on standard error if it could not be."""
    return ran(_asked(given))


def _asked(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.pi.study", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    draw = verbs.add_parser("draw", help="draw sessions from runs, evenly by agent, and write a form for each rater")
    draw.add_argument("folder", type=Path)
    draw.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    draw.add_argument("--raters", nargs="+", required=True, metavar="NAME", help="people, or models asked elsewhere")
    draw.add_argument("--sessions", type=int, default=120)
    draw.add_argument("--seed", type=int, default=0)
    draw.set_defaults(verb=_draw)
    agree = verbs.add_parser("agree", help="read the forms back: disagreement and kappa of each with the run")
    agree.add_argument("folder", type=Path)
    agree.set_defaults(verb=_agree)
    return parser.parse_args(given)


def _draw(asked: argparse.Namespace) -> list[str]:
    if taken := {_RUN, _TOGETHER} & {name.casefold() for name in asked.raters}:
        raise FormError(f"{min(taken)!r} is what the tables call others: name this form after who fills it in")
    if asked.sessions < 1:
        raise FormError(f"--sessions takes 1 or more, not {asked.sessions}")
    found: list[pairs.Pair] = []
    for folder in dict.fromkeys(folder.resolve() for folder in asked.runs):
        run = Run.open(folder)
        if run.head.suite not in _SUITES:
            raise FormError(f"{folder} is a run of {run.head.suite}; this study is of runs of {' and '.join(_SUITES)}")
        suite = _SUITES[run.head.suite]()
        found += candidates(run, suite, units(), judged(run, suite, belonging(run, suite)))
    if not found:
        raise FormError("none of these runs has a trial that is not void")
    some = pairs.drawn(found, asked.sessions, asked.seed)
    study = pairs.Study(seed=asked.seed, people=tuple(asked.raters), pairs=tuple(some))
    by_agent = ", ".join(f"{agent} {count}" for agent, count in sorted(Counter(each.agent for each in some).items()))
    return written(asked.folder, study, asked.sessions, "sessions", f"Sessions by agent: {by_agent}")


def _agree(asked: argparse.Namespace) -> list[str]:
    study = pairs.kept(asked.folder)
    forms = {name: pairs.read_answers(asked.folder / f"{name}.csv", study) for name in study.people}
    questions = sum(len(pair.queries) for pair in study.pairs)
    lines = [f"{name}.csv: {len(said)} of {questions} questions are answered" for name, said in forms.items()]
    run = {(pair.id, query): said for pair in study.pairs for query, said in pair.known.items()}
    others = _judges(study) | forms | _most(forms)
    found = agreeing.agreements(study, {_RUN: run} | others)
    against = [{"source": row["other"], **_figures(row)} for row in found if row["one"] == _RUN]
    between = [{"one": row["one"], "other": row["other"], **_figures(row)} for row in found if row["one"] != _RUN]
    lines += ["", "Each source against the run", *columns(against)]
    return [*lines, "", "Sources against each other", *columns(between)] if between else lines


def _judges(study: pairs.Study) -> dict[str, pairs.Answers]:
    """What models said that `harness judge` has asked since: of items with a rubric, where they saw the same."""
    return {name: agreeing.settled(said) for name, said in agreeing.kept_votes(study).items()}


def _most(forms: Mapping[str, pairs.Answers]) -> dict[str, pairs.Answers]:
    """What most of the forms say, where there are three or more of them."""
    if len(forms) < 3:
        return {}
    places = dict.fromkeys(place for said in forms.values() for place in said)
    return {
        _TOGETHER: agreeing.settled(
            {place: [said[place] for said in forms.values() if place in said] for place in places}
        )
    }


def _figures(row: agreeing.Row) -> agreeing.Row:
    """Disagreement in percent and kappa, each with its interval by session; over all also weighted as agents come."""
    return {
        "about": row["detail"],
        "n": row["n"],
        "disagree %": _apart(row["agree"]),
        "95%": None if row["low"] is None else f"{_apart(row['high'])} to {_apart(row['low'])}",
        "weighted %": _apart(row.get("weighted")),
        "kappa": row["kappa"],
        "95% of kappa": None if row["kappa low"] is None else f"{row['kappa low']:.3f} to {row['kappa high']:.3f}",
    }


def _apart(share: float | None) -> str | None:
    """The share that differs where that one agrees, in percent."""
    return None if share is None else f"{100 * (1 - share):.1f}"


if __name__ == "__main__":
    sys.exit(main())
