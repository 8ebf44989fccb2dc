"""New rows are compared without the fields that nobody set."""

from __future__ import annotations

from typing import Any

from harness.score import outcome
from harness.scoring.matching import match
from harness.task import Compare, Task
from harness.trajectory import Trajectory
from servers.kernel import Change
from tests.scoring.scenes import added, changed, end, ref, want_change, want_new

EXACT = Compare()
DEFAULTS = {"shop.items": {"starred": False, "priority": 3, "kind": "Plain", "labels": [], "list": "1"}}
PLAIN = {"starred": False, "priority": 3, "kind": "Plain", "labels": [], "list": "1"}


def test_a_new_row_at_its_defaults_is_the_one_that_says_nothing_of_them() -> None:
    row, wish = added("items", "7", title="milk", **PLAIN), want_new("items", title="milk")

    assert match([row], end(wish), EXACT, DEFAULTS).right
    assert not match([row], end(wish), EXACT).right


def test_an_expected_value_that_is_the_default_may_be_said() -> None:
    wish = end(want_new("items", title="milk", priority=3, labels=[]))

    assert match([added("items", "7", title="milk", **PLAIN)], wish, EXACT, DEFAULTS).right
    assert match([added("items", "7", title="milk")], wish, EXACT, DEFAULTS).right


def test_a_new_row_off_its_defaults_is_another() -> None:
    wish = end(want_new("items", title="milk"))

    for field, value in {"starred": True, "priority": 0, "kind": "plain", "labels": ["x"], "list": "2"}.items():
        row = added("items", "7", title="milk", **{**PLAIN, field: value})
        assert not match([row], wish, EXACT, DEFAULTS).right, field


def test_numbers_and_truth_are_told_apart_as_defaults_too() -> None:
    wish = end(want_new("items", title="milk"))

    assert not match([added("items", "7", title="milk", starred=0)], wish, EXACT, DEFAULTS).right
    assert match([added("items", "7", title="milk", priority=3.0)], wish, EXACT, DEFAULTS).right


def test_a_default_is_text_in_any_letter_case_where_text_is_folded() -> None:
    folded = Compare(text=frozenset({"shop.items.kind"}))

    for kind in ("plain", "PLAIN ", "Plain"):
        assert match([added("items", "7", kind=kind)], end(want_new("items")), folded, DEFAULTS).right
        assert match([added("items", "7", kind="Plain")], end(want_new("items", kind=kind)), folded, DEFAULTS).right


def test_a_reference_to_a_new_row_may_come_to_the_default() -> None:
    wish = end(want_new("lists", "list", title="food"), want_new("items", title="milk", list=ref("list")))
    item = added("items", "9", title="milk", list="1")

    assert match([added("lists", "1", title="food"), item], wish, EXACT, DEFAULTS).right
    assert not match([added("lists", "2", title="food"), item], wish, EXACT, DEFAULTS).right


def test_twins_are_told_apart_by_a_reference_that_is_the_default() -> None:
    wish = end(
        want_new("lists", "a", title="same"),
        want_new("lists", "b", title="same"),
        want_new("items", title="milk", list=ref("a")),
        want_new("items", title="tea", list=ref("b")),
    )
    lists = [added("lists", n, title="same") for n in "123"]
    items = [added("items", "8", title="milk", list="3"), added("items", "9", title="tea", list="1")]

    found = match([*lists, *items], wish, EXACT, DEFAULTS)

    assert [change.id for _, change in found.pairs] == ["3", "1", "8", "9"]


def test_an_update_back_to_a_default_is_a_change() -> None:
    starred = {"title": "milk", "starred": True}
    back = changed("items", "1", starred, starred=False)

    assert not match([back], end(), EXACT, DEFAULTS).right
    assert match([back], end(want_change("items", "1", starred=False)), EXACT, DEFAULTS).right
    assert not match([], end(want_change("items", "1", starred=False)), EXACT, DEFAULTS).right


def test_defaults_are_those_of_the_row_s_own_table() -> None:
    assert not match([added("orders", "1", starred=False)], end(want_new("orders")), EXACT, DEFAULTS).right


def scored(change: Change, **fields: Any) -> dict[str, Any]:
    task = Task(id="t", world="w", apps=("shop",), sessions=(), ends=(end(want_new("items", title="tea", priority=3)),))
    trajectory = Trajectory(
        suite="s", task="t", task_hash="", agent="a", condition="c", trial=0, seed=0, prompt="original",
        status="finished", changes=[change], **fields,
    )  # fmt: skip
    return outcome(task, trajectory).detail


def test_a_score_takes_defaults_from_the_record_and_lists_no_field_at_its_default() -> None:
    right, wrong = added("items", "1", title="tea", **PLAIN), added("items", "1", title="milk", **PLAIN)

    assert scored(right, defaults=DEFAULTS)["correct"]
    assert scored(wrong, defaults=DEFAULTS)["extra"] == ['insert shop.items: title="milk"']
    assert scored(wrong, defaults=DEFAULTS)["missing"] == ['insert shop.items: title="tea"']


def test_a_record_without_defaults_is_scored_as_before() -> None:
    assert scored(added("items", "1", title="tea", priority=3))["correct"]
    assert not scored(added("items", "1", title="tea", priority=3, starred=False))["correct"]
