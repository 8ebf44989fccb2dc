"""How far people and judges agree, detail by detail, and a judge with itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, TypeAlias

from harness.judging.study.pairs import Answers, Study
from harness.record.judgements import Judgement, judgements
from harness.scoring.agreement import agreement, kappa
from harness.scoring.stats import rate

__all__ = ("ALL", "Row", "Votes", "agreements", "kept_votes", "repeats", "settled", "votes")

Row: TypeAlias = dict[str, Any]
Votes: TypeAlias = Mapping[tuple[str, str], Sequence[str]]
"""By id of a pair and of a query, what a judge said each time."""

ALL = "all"
"""The row over all details."""

_TIMES = 3
"""Answers to a question by which a judge's agreement with itself goes."""


def votes(study: Study, judgements: Iterable[Judgement]) -> dict[str, Votes]:
    """What each model said of a study's questions, in the order of its votes; people among the judges are left out."""
    places: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for pair in study.pairs:
        for query in pair.queries:
            places[query.key].append((pair.id, query.id))
    found: defaultdict[str, defaultdict[tuple[str, str], dict[int, str]]] = defaultdict(lambda: defaultdict(dict))
    for each in judgements:
        if "model" in each.judge and each.answer is not None:
            for place in places.get(each.about, ()):
                found[each.name][place][each.vote] = str(each.answer)
    return {
        name: {place: [said[vote] for vote in sorted(said)] for place, said in sorted(judge.items())}
        for name, judge in sorted(found.items())
    }


def kept_votes(study: Study) -> dict[str, Votes]:
    """The `votes` in all judgements that lie beside the runs of a study."""
    runs = dict.fromkeys(pair.run for pair in study.pairs)
    return votes(study, [each for run in runs for each in judgements(Path(run))])


def settled(judge: Votes) -> Answers:
    """A judge's most frequent answer to each question; where two lead there is none."""
    found: Answers = {}
    for place, said in judge.items():
        first, *others = Counter(said).most_common(2)
        if not others or first[1] > others[0][1]:
            found[place] = first[0]
    return found


def agreements(study: Study, raters: Mapping[str, Answers]) -> list[Row]:
    """For each two raters a row per detail and one over all: n, the share of equal answers, Cohen's kappa.

    Both have a 95% interval by pair, as the answers to one pair go together. Over all there is also the share weighted
    by how many of the runs each pair stands for, since strata are drawn evenly and not as they come.
    """
    weights = {pair.id: pair.weight for pair in study.pairs}
    names = {(pair.id, query.id): query.name for pair in study.pairs for query in pair.queries}
    rows: list[Row] = []
    for one, other in combinations(raters, 2):
        by_detail: defaultdict[str, defaultdict[str, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
        for place in (place for place in raters[one] if place in raters[other]):
            for detail in (names[place], ALL):
                by_detail[detail][place[0]].append((raters[one][place], raters[other][place]))
        rows += [
            {"one": one, "other": other, "detail": detail, **_agreed(by_detail[detail])}
            for detail in (*(name for name in dict.fromkeys(names.values()) if name in by_detail), ALL)
        ]
        weight = sum(weights[pair] * len(said) for pair, said in by_detail[ALL].items())
        same = sum(weights[pair] * sum(a == b for a, b in said) for pair, said in by_detail[ALL].items())
        rows[-1]["weighted"] = same / weight if weight else None
    return rows


def _agreed(pairs: Mapping[str, Sequence[tuple[str, str]]]) -> Row:
    share = rate({pair: [float(a == b) for a, b in said] for pair, said in pairs.items()}, "pair")
    beyond = kappa(pairs, "pair")
    return {
        "n": share.n, "agree": share.value, "kappa": beyond.value,
        "low": share.low, "high": share.high, "kappa low": beyond.low, "kappa high": beyond.high,
    }  # fmt: skip


def repeats(judge: Votes) -> list[Row]:
    """How far a judge repeats itself, per detail and over all, of questions that it answered three times or more.

    `same` is the share of them with the same answer each time, `kappa` the mean over each two times (None where all
    answers were one and the same).
    """
    asked = {place: said[:_TIMES] for place, said in judge.items() if len(said) >= _TIMES}
    details = list(dict.fromkeys(name for _, name in asked))
    rows = []
    for detail in (*details, ALL):
        said = [each for (_, name), each in asked.items() if detail in (name, ALL)]
        twice = combinations(range(_TIMES), 2)
        kappas = [agreement([(each[one], each[other]) for each in said]).kappa for one, other in twice]
        known = [kappa for kappa in kappas if kappa is not None]
        rows.append(
            {
                "detail": detail,
                "n": len(said),
                "same": fmean(len(set(each)) == 1 for each in said) if said else None,
                "kappa": fmean(known) if known else None,
            }
        )
    return rows
