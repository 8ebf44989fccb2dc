"""What is drawn, what people see of it, and what comes back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harness.judging.forms import FormError, read_rows
from harness.judging.study.pairs import COLUMNS, Pair, Study, drawn, kept, read_answers, write_forms
from harness.score import Query

LABELS = {"correct": 1.0, "incorrect": 0.0, "missing": 0.0}


def query(detail: str, evidence: str) -> Query:
    return Query(id=detail, text=f"Right about {detail}?", evidence=evidence, kind="label", labels=LABELS)


def pair(number: int, agent: str = "Zephyr", score: str = "0.5", **told: object) -> Pair:
    asked = query("who_blocked", f"Wrote: {number}"), query("why_root_cause", f"Said: {number}")
    known = {"run": "runs/x", "agent": agent, "condition": "plain", "task": f"t{number}", "trial": 0, "score": score}
    return Pair.model_validate({**known, "queries": asked, **told})


MANY = [pair(number, agent, score) for number, (agent, score) in enumerate(
    [("A", "0")] * 40 + [("A", "0.5")] * 10 + [("A", "1")] * 2 + [("B", "0")] * 20)]  # fmt: skip


def study(count: int = 20) -> Study:
    return Study(seed=3, people=("anna", "ben"), pairs=tuple(drawn(MANY, count, 3)))


def test_strata_of_score_and_agent_are_drawn_evenly_as_far_as_they_go() -> None:
    found = drawn(MANY, 20, 3)

    assert Counter(each.stratum for each in found) == {("A", "0"): 6, ("A", "0.5"): 6, ("A", "1"): 2, ("B", "0"): 6}


def test_a_pair_stands_for_the_answers_of_its_stratum() -> None:
    found = {each.stratum: each.weight for each in drawn(MANY, 20, 3)}

    assert found == pytest.approx({("A", "0"): 40 / 6, ("A", "0.5"): 10 / 6, ("A", "1"): 1.0, ("B", "0"): 20 / 6})
    assert sum(each.weight for each in drawn(MANY, 20, 3)) == pytest.approx(len(MANY))


def test_no_more_is_drawn_than_there_is() -> None:
    assert len(drawn(MANY, 500, 3)) == len(MANY)


def test_a_draw_depends_on_its_seed_and_not_on_the_order_of_answers() -> None:
    assert drawn(MANY, 20, 3) == drawn(MANY[::-1], 20, 3)
    assert [each.task for each in drawn(MANY, 20, 3)] != [each.task for each in drawn(MANY, 20, 4)]


def test_forms_say_nothing_of_agent_score_or_run(tmp_path: Path) -> None:
    some = Study(seed=1, people=("anna", "ben"), pairs=tuple(drawn([pair(1), pair(2)], 2, 1)))

    texts = [path.read_text() for path in write_forms(tmp_path, some)]

    assert all(word not in text for text in texts for word in ("Zephyr", "0.5", "runs/x", "plain", "t1"))


def test_each_person_gets_all_questions_in_an_order_of_their_own(tmp_path: Path) -> None:
    one, other = ([row["key"] for _, row in read_rows(path, COLUMNS)] for path in write_forms(tmp_path, study()))

    assert sorted(one) == sorted(other)
    assert len(one) == 40
    assert one != other


def test_questions_on_one_answer_stand_together(tmp_path: Path) -> None:
    for path in write_forms(tmp_path, study()):
        keys = [row["key"].split(".") for _, row in read_rows(path, COLUMNS)]
        assert [name for _, name in keys] == ["who_blocked", "why_root_cause"] * 20
        assert [id for id, _ in keys[::2]] == [id for id, _ in keys[1::2]]


def test_a_study_is_kept_and_not_written_over(tmp_path: Path) -> None:
    write_forms(tmp_path, study())

    assert kept(tmp_path) == study()
    with pytest.raises(FormError, match=r"study\.json already exists"):
        write_forms(tmp_path, study())
    with pytest.raises(FormError, match="not a folder of a study"):
        kept(tmp_path / "elsewhere")


HEAD = ",".join(COLUMNS)


def answers(path: Path, *rows: str) -> Path:
    path.write_text("\n".join([HEAD, *rows, ""]))
    return path


def test_answers_come_back_by_pair_and_detail_without_what_is_open(tmp_path: Path) -> None:
    form = answers(
        tmp_path / "anna.csv",
        "p001.who_blocked,q,e,a,Correct,", "p001.why_root_cause,q,e,a,?,hm", "p002.who_blocked,q,e,a,,",
        "p002.why_root_cause,q,e,a,missing,",
    )  # fmt: skip

    assert read_answers(form, study()) == {("p001", "who_blocked"): "correct", ("p002", "why_root_cause"): "missing"}


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (["p001.who_blocked,q,e,a,right,"], r"anna\.csv:2: answer takes correct, incorrect, missing, \?, not 'right'"),
        (["p999.who_blocked,q,e,a,correct,"], r"anna\.csv:2: 'p999.who_blocked' is not a key of this study"),
        (["p001.who_blocked,q,e,a,correct,"] * 2, r"anna\.csv:3: p001.who_blocked was answered at .*anna\.csv:2"),
    ],
)
def test_a_row_that_does_not_fit_is_told_by_file_and_line(tmp_path: Path, rows: list[str], told: str) -> None:
    with pytest.raises(FormError, match=told):
        read_answers(answers(tmp_path / "anna.csv", *rows), study())
