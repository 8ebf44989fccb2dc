from __future__ import annotations

from typing import Any

import pytest

from harness.scoring.matching import _EFFORT, _assign, best_match, match
from harness.task import Compare
from tests.scoring.scenes import added, changed, dropped, end, ref, removed, want_change, want_new

EXACT = Compare()
MILK: dict[str, Any] = {"title": "milk", "price": "2", "note": None}


def test_inserts_pair_up_by_content_whatever_their_ids() -> None:
    found = match(
        [added("items", "7", **MILK), added("items", "8", title="tea", price="3")],
        end(want_new("items", title="tea", price="3"), want_new("items", **MILK)),
        EXACT,
    )
    assert found.right
    assert [(wish.values["title"], change.id) for wish, change in found.pairs] == [("tea", "8"), ("milk", "7")]


def test_a_second_copy_of_an_expected_insert_is_unexpected_and_the_lower_id_matches() -> None:
    found = match([added("items", "10", **MILK), added("items", "9", **MILK)], end(want_new("items", **MILK)), EXACT)
    assert [change.id for _, change in found.pairs] == ["9"]
    assert [change.id for change in found.unexpected] == ["10"]


def test_an_insert_in_another_table_does_not_match() -> None:
    found = match([added("orders", "1", **MILK)], end(want_new("items", **MILK)), EXACT)
    assert (len(found.missing), len(found.unexpected)) == (1, 1)


def test_a_field_that_the_expectation_leaves_out_must_be_null() -> None:
    wish = end(want_new("items", title="milk", price="2"))
    assert match([added("items", "1", **MILK)], wish, EXACT).right
    assert not match([added("items", "1", **{**MILK, "note": "cold"})], wish, EXACT).right
    assert not match([added("items", "1", **{**MILK, "note": ""})], wish, EXACT).right


def test_an_update_matches_when_exactly_the_expected_fields_changed() -> None:
    wish = end(want_change("items", "1", price="3"))
    assert match([changed("items", "1", MILK, price="3")], wish, EXACT).right
    for slip in ({"price": "4"}, {"price": "3", "title": "cream"}, {"title": "cream"}):
        found = match([changed("items", "1", MILK, **slip)], wish, EXACT)
        assert (len(found.pairs), len(found.missing), len(found.unexpected)) == (0, 1, 1), slip
    assert not match([changed("items", "2", MILK, price="3")], wish, EXACT).right


def test_an_update_to_null_is_told_from_no_update() -> None:
    wish = end(want_change("items", "1", price=None))
    assert match([changed("items", "1", MILK, price=None)], wish, EXACT).right
    assert not match([changed("items", "1", MILK, title="x")], wish, EXACT).right


def test_a_delete_matches_by_id_and_no_other_operation_will_do() -> None:
    assert match([removed("items", "1", **MILK)], end(dropped("items", "1")), EXACT).right
    assert not match([removed("items", "2", **MILK)], end(dropped("items", "1")), EXACT).right
    assert not match([changed("items", "1", MILK, price="3")], end(dropped("items", "1")), EXACT).right


@pytest.mark.parametrize("title", ["  Oat  MILK ", "oat\nmilk", "OAT MILK"])
def test_text_fields_compare_with_case_and_white_space_folded(title: str) -> None:
    folded = Compare(text=frozenset({"shop.items.title"}))
    wish = end(want_new("items", title="oat milk", price="2"))
    assert match([added("items", "1", title=title, price="2")], wish, folded).right
    assert not match([added("items", "1", title=title, price="2")], wish, EXACT).right
    assert not match([added("items", "1", title="oatmilk", price="2")], wish, folded).right


def test_folding_one_field_leaves_the_others_exact() -> None:
    folded = Compare(text=frozenset({"shop.items.title", "shop.orders.price"}))
    found = match(
        [added("items", "1", title="Milk", price="A")], end(want_new("items", title="milk", price="a")), folded
    )
    assert not found.right


def test_free_fields_are_not_compared() -> None:
    free = Compare(free=frozenset({"shop.items.note", "shop.items.price"}))
    assert match([added("items", "1", title="milk", note="any")], end(want_new("items", title="milk")), free).right
    wish = end(want_new("items", title="milk", note="this"))
    assert match([added("items", "1", title="milk", note="that")], wish, free).right
    moved = changed("items", "1", MILK, title="tea", note="why")
    assert match([moved], end(want_change("items", "1", title="tea", price="9")), free).right


def test_changes_that_the_comparison_cannot_see_are_not_unexpected() -> None:
    blind = Compare(free=frozenset({"shop.items.note"}), text=frozenset({"shop.items.title"}))
    unseen = [changed("items", "1", MILK, note="x"), changed("items", "2", MILK, title="MILK ")]
    assert match(unseen, end(), blind).right
    assert len(match(unseen, end(), EXACT).unexpected) == 2


def test_an_expected_change_of_free_fields_alone_asks_for_any_change_of_that_row() -> None:
    free = Compare(free=frozenset({"shop.items.note"}))
    wish = end(want_change("items", "1", note="something"))
    assert match([changed("items", "1", MILK, note="else")], wish, free).right
    assert not match([], wish, free).right


def test_a_change_of_case_alone_can_be_asked_for_in_a_folded_field() -> None:
    folded = Compare(text=frozenset({"shop.items.title"}))
    wish = end(want_change("items", "1", title="MILK", price="3"))
    assert match([changed("items", "1", MILK, title="MILK", price="3")], wish, folded).right
    assert match([changed("items", "1", MILK, price="3")], wish, folded).right


@pytest.mark.parametrize(
    ("wanted", "got", "same"),
    [(1, 1.0, True), (1, True, False), (0, False, False), ("1", 1, False), (["a", "b"], ["b", "a"], False),
     ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, True), ([], None, False), ("", None, False)],
)  # fmt: skip
def test_values_compare_as_json_values(wanted: Any, got: Any, same: bool) -> None:
    assert match([added("items", "1", value=got)], end(want_new("items", value=wanted)), EXACT).right is same


def test_a_reference_matches_only_the_id_of_the_row_matched_to_its_name() -> None:
    wish = end(want_new("lists", "list", title="food"), want_new("items", title="milk", list=ref("list")))
    lists = [added("lists", "4", title="food"), added("lists", "5", title="tools")]
    right = match([*lists, added("items", "1", title="milk", list="4")], wish, EXACT)
    assert [change.id for _, change in right.pairs] == ["4", "1"]
    wrong = match([*lists, added("items", "1", title="milk", list="5")], wish, EXACT)
    assert wrong.checkpoints == (True, False)


def test_references_chain_through_rows_that_differ_in_nothing_else() -> None:
    wish = end(
        want_new("steps", title="go", after=ref("a")),
        want_new("steps", "a", title="go", after=ref("b")),
        want_new("steps", "b", title="go", after="start"),
    )
    steps = [added("steps", "3", title="go", after="1"), added("steps", "1", title="go", after="2"),
             added("steps", "2", title="go", after="start")]  # fmt: skip
    assert [change.id for _, change in match(steps, wish, EXACT).pairs] == ["3", "1", "2"]


def test_twins_are_told_apart_by_what_refers_to_them() -> None:
    wish = end(
        want_new("lists", "one", title="same"),
        want_new("lists", "two", title="same"),
        want_new("items", title="milk", list=ref("one")),
        want_change("items", "9", list=ref("two")),
    )
    found = match(
        [added("lists", "1", title="same"), added("lists", "2", title="same"),
         added("items", "3", title="milk", list="2"), changed("items", "9", {"list": None}, list="1")],
        wish, EXACT,
    )  # fmt: skip
    assert found.right
    assert [change.id for _, change in found.pairs] == ["2", "1", "3", "9"]


def test_rows_may_refer_to_each_other_in_a_circle_and_inside_lists() -> None:
    wish = end(want_new("pages", "a", links=[ref("b"), ref("a")]), want_new("pages", "b", links=[ref("a")]))
    assert match([added("pages", "2", links=["1"]), added("pages", "1", links=["2", "1"])], wish, EXACT).right
    assert len(match([added("pages", "2", links=["1"]), added("pages", "1", links=["2", "2"])], wish, EXACT).pairs) == 0


def test_the_binding_that_matches_most_wins_over_the_first_that_fits() -> None:
    wish = end(want_new("lists", "x", title="same"), *(want_new("items", title=t, list=ref("x")) for t in "abc"))
    lists = [added("lists", str(n), title="same") for n in (1, 2)]
    items = [added("items", "1", title="a", list="1"), added("items", "2", title="b", list="2"),
             added("items", "3", title="c", list="2")]  # fmt: skip
    found = match([*lists, *items], wish, EXACT)
    assert found.checkpoints == (True, False, True, True)
    assert [change.id for change in found.unexpected] == ["1", "1"]


def test_a_twin_that_nothing_refers_to_does_not_hide_the_one_that_is_referred_to() -> None:
    wish = end(
        *(w for n in "xy" for w in (want_new("lists", n, title="same"), want_new("items", title=n, list=ref(n))))
    )
    lists = [added("lists", "1", title="same"), added("lists", "2", title="same")]
    items = [added("items", "1", title="x", list="2"), added("items", "2", title="y", list="2")]
    assert len(match([*lists, *items], wish, EXACT).pairs) == 3


def test_names_that_stand_for_no_row_or_for_two_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shop\.items\.list refers to 'x', and no expected insert is named that"):
        match([], end(want_new("items", list=ref("x"))), EXACT)
    with pytest.raises(ValueError, match="two expected inserts are named 'x'"):
        match([], end(want_new("lists", "x"), want_new("lists", "x"), want_new("items", list=ref("x"))), EXACT)


def test_the_best_of_several_ends_is_right_first_then_most_matched_then_fewest_unexpected_then_first() -> None:
    milk, tea = want_new("items", title="milk"), want_new("items", title="tea")
    changes = [added("items", "1", title="milk"), added("items", "2", title="tea")]
    assert best_match(changes, [end(milk), end(milk, tea)], EXACT)[0] == 1
    assert best_match(changes, [end(dropped("items", "9")), end(tea, dropped("items", "9"))], EXACT)[0] == 1
    assert best_match(changes, [end(milk), end(tea)], EXACT)[0] == 0
    assert best_match([], [end(milk), end()], EXACT)[0] == 1
    with pytest.raises(ValueError, match="no accepted end"):
        best_match(changes, [], EXACT)


def test_five_hundred_named_twins_are_told_apart_without_going_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.scoring.matching._EFFORT", 0)
    wishes, changes = [], []
    for n in range(500):
        wishes += [want_new("lists", f"l{n}", title="same"), want_new("items", title=str(n), list=ref(f"l{n}"))]
        changes += [added("lists", str(n), title="same"), added("items", str(n), title=str(499 - n), list=str(n))]
    assert match(changes, end(*wishes), EXACT).right


def test_a_hopeless_search_ends_with_the_best_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0

    def counted(*args: Any) -> dict[int, int] | None:
        nonlocal looks
        looks += 1
        return _assign(*args)

    monkeypatch.setattr("harness.scoring.matching._assign", counted)
    wishes, changes = [], []
    for n in range(60):
        wishes += [want_new("lists", f"l{n}", title="same"), want_new("items", title=str(n), list=ref(f"l{n}"))]
        wishes += [want_new("items", title=f"-{n}", list=ref(f"l{n}"))]
        changes += [added("lists", str(n), title="same"), added("items", str(n), title=str(n), list=str(n))]
        changes += [added("items", str(n + 60), title=f"-{(n * 7) % 60}", list=str(n))]
    found = match(changes, end(*wishes), EXACT)
    assert 60 < len(found.pairs) < 180
    assert looks * 360 < 2 * _EFFORT
