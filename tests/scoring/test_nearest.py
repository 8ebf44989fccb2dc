"""What is missing beside what was done in its place."""

from __future__ import annotations

from typing import Any

from harness.scoring.matching import Near, match, nearest
from harness.task import Compare, Expected
from servers.kernel import Change
from tests.scoring.scenes import added, changed, dropped, end, ref, removed, want_change, want_new

EXACT = Compare()
MILK: dict[str, Any] = {"title": "milk", "price": "2", "note": None}


def _told(near: list[Near]) -> list[tuple[int, str, tuple[str, ...]]]:
    return [(each.n, each.change.id, each.fields) for each in near]


def test_a_row_that_was_changed_otherwise_stands_beside_what_was_to_change_there() -> None:
    found = match(
        [changed("items", "1", MILK, price="4"), changed("items", "2", MILK, price="3")],
        end(want_change("items", "1", price="3"), want_change("items", "5", price="3")),
        EXACT,
    )
    assert _told(nearest(found, EXACT)) == [(0, "1", ("price",))]


def test_a_new_row_stands_beside_the_missing_one_with_which_it_has_most_in_common() -> None:
    found = match(
        [added("items", "7", title="tea", price="9", note="hot"), added("items", "8", title="milk", price="5")],
        end(want_new("items", title="milk", price="2"), want_new("items", title="tea", price="9", note="cold")),
        EXACT,
    )
    assert _told(nearest(found, EXACT)) == [(0, "8", ("price",)), (1, "7", ("note",))]


def test_a_change_is_taken_once_and_what_is_left_has_nothing_beside_it() -> None:
    found = match([added("items", "7", title="tea")], end(*[want_new("items", title="milk") for _ in range(2)]), EXACT)
    assert _told(nearest(found, EXACT)) == [(0, "7", ("title",))]


def test_fields_are_compared_as_the_matching_compares_them() -> None:
    compare = Compare(text=frozenset({"shop.items.title"}), free=frozenset({"shop.items.note"}))
    found = match(
        [added("items", "7", title="  MILK", price="5", note="cold", tags="new", stock=0)],
        end(want_new("items", title="milk", price="2", note="warm")),
        compare,
        {"shop.items": {"stock": 0}},
    )
    assert _told(nearest(found, compare, {"shop.items": {"stock": 0}})) == [(0, "7", ("price", "tags"))]


def test_a_reference_is_apart_where_it_leads_to_another_row_than_the_one_that_was_made() -> None:
    wishes = end(want_new("carts", "mine"), want_new("items", title="milk", cart=ref("mine")))
    changes = [added("carts", "1"), added("items", "7", title="milk", cart="9")]
    found = match(changes, wishes, EXACT)
    assert _told(nearest(found, EXACT)) == [(0, "7", ("cart",))]
    found = match([changes[0], added("items", "7", title="tea", cart="1")], wishes, EXACT)
    assert _told(nearest(found, EXACT)) == [(0, "7", ("title",))]


def test_a_row_that_was_removed_is_beside_none_that_was_to_change_or_to_go_elsewhere() -> None:
    found = match(
        [removed("items", "1", **MILK), removed("items", "2", **MILK)],
        end(want_change("items", "1", price="3"), dropped("items", "4")),
        EXACT,
    )
    assert nearest(found, EXACT) == []


def test_a_text_that_says_enough_keeps_nothing_apart_and_one_that_says_more_is_nearer() -> None:
    def said(wish: Expected, field: str, change: Change) -> float | None:
        words = str((change.after or {}).get(field)).split()
        return None if field != "note" else sum(word in words for word in ("a", "b")) / 2

    wishes = end(want_new("items", title="milk", note="a and b"), want_new("items", title="milk", note="a and b"))
    changes = [added("items", "7", title="milk", note="a"), added("items", "8", title="tea", note="b and a")]
    found = match([*changes, added("items", "9", title="milk", note="no")], wishes, EXACT)

    assert _told(nearest(found, EXACT, said=said)) == [(0, "7", ("note",)), (1, "8", ("title",))]
