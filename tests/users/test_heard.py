"""The questions that players put, and the figures that reports print of those who answer them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import anyio
import pytest

import userssim
from harness.report.heard import FIGURES, table
from servers.kernel import Answer, Part, Question
from tests.sampling import sampled
from tests.users.gate import FILE, USERS, measured, page
from userssim.heard import HALVES, Heard, Put, figures, heard, put, scenes
from userssim.wish import Known, Wish

ROOT = Path(__file__).parents[2]
FROZEN = [Path(userssim.__file__).parent / "questions" / f"{name}.jsonl" for name in ("frozen", "long")]


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


EVERY = [each for half in HALVES for each in put(half)]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_figures_on_file_are_what_is_measured_now() -> None:
    """Of a sample of templates: what changes answers seldom changes those of a few templates alone, and all of them
    take two minutes."""
    filed = json.loads(FILE.read_text(encoding="utf-8"))
    every = {half: sorted({scenes()[each.scene].template for each in put(half)}) for half in HALVES}
    some = {half: sampled(names, max(2, len(names) // 16)) for half, names in every.items()}

    there = {user: {half: [*of] for half, of in halves.items()} for user, halves in filed.items()}
    assert there == dict.fromkeys(USERS, every)
    for user, halves in measured(some).items():
        for half in HALVES:
            assert halves[half] == {name: filed[user][half][name] for name in some[half]}, (
                "run `python -m tests.users.gate`"
            )


def test_the_frozen_halves_are_those_that_were_split_off_before_anything_was_tuned() -> None:
    text = (ROOT / "docs" / "clarification.md").read_text(encoding="utf-8")

    assert all(f"`{hashlib.sha256(half.read_bytes()).hexdigest()}`" in text for half in FROZEN)


def test_no_template_to_tune_on_is_in_another_half() -> None:
    tuned = {scene.template for scene in scenes().values() if scene.half == "tuned"}

    assert not tuned & {scene.template for scene in scenes().values() if scene.half != "tuned"}
    assert {each.scene for name in HALVES for each in put(name)} == scenes().keys()
    assert all(scenes()[each.scene].half == name for name in HALVES for each in put(name))


def test_there_are_enough_questions_of_every_kind_by_several_players() -> None:
    kinds = Counter(each.kind for each in EVERY)

    assert len(EVERY) >= 800
    assert len({each.player for each in EVERY}) >= 4
    assert kinds.keys() == {
        "single", "double", "candidates", "indirect", "proposal", "readback", "permission", "premise", "follow_up",
        "repeated", "stated", "generic", "off_topic", "detail",
    }  # fmt: skip


def test_labels_are_of_items_that_the_scene_has() -> None:
    for each in EVERY:
        wish = scenes()[each.scene].wish
        assert each.items.keys() <= {item.id for item in (*wish.withheld, *wish.stated)}
        assert set(each.items.values()) <= {"asked", "right", "wrong"}
        assert each.leave in ("", "yes", "no")
        assert not (each.kind == "generic" and each.items)


def test_examples_to_tune_on_are_of_no_template_of_the_frozen_halves() -> None:
    folder = Path(__file__).parent / "examples"
    made = {line["scene"]: line for line in read(folder / "scenes.jsonl")}
    frozen = {scene.template for scene in scenes().values() if scene.half != "tuned"}
    items = {name: {item["id"] for item in (*line["withheld"], *line["stated"])} for name, line in made.items()}
    asked = read(folder / "questions.jsonl")

    assert not frozen & {line["template"] for line in made.values()}
    assert all(each["items"].keys() <= items[each["scene"]] for each in asked)
    assert {how for each in asked for how in each["items"].values()} == {"asked", "right", "wrong"}


def test_the_page_and_the_report_give_the_figures_on_file() -> None:
    shown = (ROOT / "docs" / "clarification.md").read_text(encoding="utf-8").splitlines()

    assert len(table(figures()).rows) == len(figures()) * len(HALVES) * len(FIGURES)
    assert [line for line in page() if line not in shown] == []


WHO = Known(id="who", kind="person", value="Bjorn", role="recipient")
WHEN = Known(id="when", kind="date", value="March 3")
WISH = Wish(full="Write to Bjorn about March 3.", withheld=(WHO, WHEN))


def judged(monkeypatch: pytest.MonkeyPatch, answer: Answer, kind: str = "single", **label: object) -> Heard:
    """What comes of one question with a label, for a user who gives that answer."""
    (found,) = _judged(monkeypatch, answer, [{"kind": kind, **label}])
    return found


def judged_in_turn(monkeypatch: pytest.MonkeyPatch, answer: Answer, *items: dict[str, str]) -> list[Heard]:
    """The same of a conversation, each of whose questions gets that answer."""
    return _judged(monkeypatch, answer, [{"items": each} for each in items])


def _judged(monkeypatch: pytest.MonkeyPatch, answer: Answer, labels: list[dict[str, Any]]) -> list[Heard]:
    class Says:
        async def answer(self, question: Question) -> Answer:
            return answer

    plain: dict[str, Any] = {"kind": "single", "items": {}, "other": False, "leave": ""}
    asked = tuple(
        Put(scene="s", player=1, turn=turn, question="Is it Greta?", agreed=True, **{**plain, **label})
        for turn, label in enumerate(labels, start=1)
    )
    monkeypatch.setattr("userssim.heard.put", lambda half: asked)
    monkeypatch.setattr("userssim.heard.scenes", lambda: {"s": _SCENE})
    return anyio.run(heard, lambda wish: Says(), "tuned")


_SCENE = next(iter(scenes().values()))._replace(wish=WISH)


def told(text: str, *parts: tuple[str, str]) -> Answer:
    return Answer(text=text, parts=tuple(Part(kind=kind, target=target) for kind, target in parts))  # type: ignore[arg-type]


def test_a_value_that_was_asked_for_and_told_is_recalled(monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged(monkeypatch, told("To Bjorn.", ("given", "who")), items={"who": "asked"})

    assert (found.wanted, found.got, found.told, found.rightly, found.leaks) == (1, 1, 1, 1, 0)


def test_a_value_that_nobody_asked_for_is_a_leak_and_costs_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged(monkeypatch, told("To Bjorn.", ("given", "who")), items={"when": "asked"})

    assert (found.wanted, found.got, found.told, found.rightly, found.leaks) == (1, 0, 1, 0, 1)


def test_a_value_that_is_told_again_is_not_told_for_the_first_time(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = told("To Bjorn.", ("given", "who"))
    first, again = judged_in_turn(monkeypatch, answer, {"who": "asked"}, {})

    assert (first.first, first.first_rightly) == (1, 1)
    assert (again.told, again.rightly, again.first, again.first_rightly) == (1, 0, 0, 0)


def test_a_value_told_before_it_was_asked_for_was_told_for_the_first_time(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = told("To Bjorn.", ("given", "who"))
    first, again = judged_in_turn(monkeypatch, answer, {}, {"who": "asked"})

    assert (first.first, first.first_rightly) == (1, 0)
    assert (again.first, again.rightly) == (0, 1)


def test_a_wrong_value_that_is_agreed_to_is_not_recalled(monkeypatch: pytest.MonkeyPatch) -> None:
    agreed = judged(monkeypatch, told("Yes.", ("confirmed", "who")), items={"who": "wrong"})
    mended = judged(monkeypatch, told("No, Bjorn.", ("corrected", "who")), items={"who": "wrong"})

    assert (agreed.got, agreed.wrong, agreed.assents) == (0, 1, 1)
    assert (mended.got, mended.wrong, mended.assents) == (1, 1, 0)


def test_a_right_value_that_is_corrected_is_denied_and_one_that_is_given_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    denied = judged(monkeypatch, told("No, Bjorn.", ("corrected", "who")), items={"who": "right"})
    given = judged(monkeypatch, told("Bjorn.", ("given", "who")), items={"who": "right"})

    assert (denied.right, denied.denied, denied.got) == (1, 1, 1)
    assert (given.right, given.denied, given.got) == (1, 0, 1)


def test_a_refusal_behind_a_value_contradicts_it_unless_more_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = told("To Bjorn. As you like.", ("given", "who"), ("no_preference", ""))

    assert judged(monkeypatch, answer, items={"who": "asked"}).contradicts
    assert not judged(monkeypatch, answer, items={"who": "asked"}, other=True).contradicts


def test_being_left_to_decide_and_not_being_understood_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    left = judged(monkeypatch, told("As you like.", ("no_preference", "")), items={"who": "asked"})
    lost = judged(monkeypatch, told("Pardon?", ("not_understood", "")), items={"who": "asked"})

    assert (left.declined, left.lost, lost.declined, lost.lost) == (True, False, False, True)


def test_a_question_that_names_nothing_is_to_be_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(monkeypatch, told("To Bjorn.", ("given", "who")), kind="generic").probed
