"""Agreement by hand-worked figures."""

from __future__ import annotations

from typing import Any

import pytest

from harness.judging.study.agreeing import ALL, agreements, repeats, settled, votes
from harness.judging.study.pairs import Answers, Study
from harness.record.judgements import Judgement
from tests.judging.study.test_pairs import pair, query

STUDY = Study(
    seed=0,
    people=("anna", "ben"),
    pairs=tuple(pair(number, id=f"p{number}", weight=4.0 if number == 1 else 1.0) for number in range(1, 5)),
)


def answers(detail: str, said: str) -> Answers:
    """One letter for each pair: c, i, m, or - for none."""
    words = {"c": "correct", "i": "incorrect", "m": "missing"}
    return {(f"p{number}", detail): words[each] for number, each in enumerate(said, 1) if each != "-"}


ANNA = answers("who_blocked", "ccii") | answers("why_root_cause", "cc-m")
BEN = answers("who_blocked", "cici") | answers("why_root_cause", "ccmm")


def row(rows: list[dict[str, Any]], **wanted: str) -> dict[str, Any]:
    (found,) = (each for each in rows if wanted.items() <= each.items())
    return found


def test_agreement_is_told_for_each_detail() -> None:
    found = agreements(STUDY, {"anna": ANNA, "ben": BEN})

    # Two of four agree, and by chance two would: 1/2 * 1/2 + 1/2 * 1/2.
    blocked = row(found, detail="who_blocked")
    assert (blocked["n"], blocked["agree"], blocked["kappa"]) == (4, 0.5, 0.0)
    assert blocked["low"] < 0.5 < blocked["high"]
    assert blocked["kappa low"] < 0 < blocked["kappa high"]
    # Of the three that both answered all agree; Anna was silent on the fourth.
    assert row(found, detail="why_root_cause")["n"] == 3
    assert row(found, detail="why_root_cause")["kappa"] == 1.0


def test_agreement_over_all_has_an_interval_by_pair_and_a_weighted_share() -> None:
    found = row(agreements(STUDY, {"anna": ANNA, "ben": BEN}), detail=ALL)

    # Seven answers, two differ: p2 and p3 on who_blocked. c is 4 and 4 of 7, i 2 and 2, m 1 and 1: 21 of 49 by chance.
    assert (found["n"], found["agree"]) == (7, pytest.approx(5 / 7))
    assert found["kappa"] == pytest.approx((5 / 7 - 21 / 49) / (1 - 21 / 49))
    assert found["weighted"] == pytest.approx((4 * 2 + 1 + 0 + 2) / (4 * 2 + 2 + 1 + 2))
    assert found["low"] < 5 / 7 < found["high"]


def test_a_judge_stands_beside_people_as_a_third() -> None:
    found = agreements(STUDY, {"anna": ANNA, "ben": BEN, "m": answers("who_blocked", "ccii")})

    assert [(each["one"], each["other"]) for each in found if each["detail"] == ALL] == [
        ("anna", "ben"), ("anna", "m"), ("ben", "m"),
    ]  # fmt: skip
    assert row(found, one="anna", other="m", detail="who_blocked")["kappa"] == 1.0
    assert row(found, one="ben", other="m", detail="who_blocked")["agree"] == 0.5


def test_raters_with_nothing_in_common_have_no_figures() -> None:
    (found,) = agreements(STUDY, {"anna": ANNA, "ben": {}})

    assert (found["n"], found["agree"], found["kappa"], found["weighted"]) == (0, None, None, None)


def test_a_judge_says_what_it_said_most_often() -> None:
    said = {
        ("p1", "x"): ["correct", "missing", "correct"],
        ("p2", "x"): ["correct", "missing"],
        ("p3", "x"): ["missing"],
    }

    assert settled(said) == {("p1", "x"): "correct", ("p3", "x"): "missing"}


def test_a_judge_is_held_against_itself_over_three_times() -> None:
    said = {
        ("p1", "who_blocked"): ["correct", "correct", "correct"],
        ("p2", "who_blocked"): ["missing", "missing", "correct"],
        ("p3", "who_blocked"): ["missing", "missing", "missing"],
        ("p4", "who_blocked"): ["correct", "correct", "correct"],
        ("p1", "why_root_cause"): ["correct", "correct", "correct"],
        ("p2", "why_root_cause"): ["correct", "missing"],
    }

    # First and second agree on 4 of 4: kappa 1. Each and the third on 3 of 4, by chance on (2*3 + 2*1)/16: kappa 1/2.
    assert repeats(said) == [
        {"detail": "who_blocked", "n": 4, "same": 0.75, "kappa": pytest.approx((1 + 0.5 + 0.5) / 3)},
        {"detail": "why_root_cause", "n": 1, "same": 1.0, "kappa": None},
        {"detail": ALL, "n": 5, "same": 0.8, "kappa": pytest.approx((1 + 2 * (0.8 - 14 / 25) / (1 - 14 / 25)) / 3)},
    ]


def test_a_judge_that_was_asked_twice_has_no_repeats() -> None:
    assert repeats({("p1", "x"): ["correct", "correct"]}) == [{"detail": ALL, "n": 0, "same": None, "kappa": None}]


def judgement(judge: dict[str, Any], number: int, vote: int, answer: str | None) -> Judgement:
    asked = query("who_blocked", f"Wrote: {number}")
    return Judgement(judge=judge, prompt="", about=asked.key, vote=vote, query=asked, answer=answer)


def test_votes_of_models_are_found_by_what_they_were_asked() -> None:
    model = {"model": "m"}
    found = votes(
        STUDY,
        [
            judgement(model, 1, 1, "missing"), judgement(model, 1, 0, "correct"), judgement(model, 2, 0, None),
            judgement(model, 77, 0, "correct"), judgement({"person": "eva"}, 1, 0, "correct"),
        ],
    )  # fmt: skip

    assert found == {"m": {("p1", "who_blocked"): ["correct", "missing"]}}
