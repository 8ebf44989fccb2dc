"""The matching against brute force, and what no order of anything may alter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.scoring.matching import Match, match
from harness.task import Compare, End, Expected
from servers.kernel import Change
from tests.scoring.scenes import added, changed, dropped, ref, removed, want_change, want_new

COMPARE = Compare(text=frozenset({"shop.items.title"}), free=frozenset({"shop.items.note"}))
TITLES = ["a", "A ", "b", None]
NAMES = ["", "x", "y", "z"]

values = st.fixed_dictionaries({"title": st.sampled_from(TITLES), "note": st.sampled_from(["n", None])})
links = st.sampled_from([None, "1", "2", *map(ref, NAMES[1:])])


@st.composite
def scenes(draw: st.DrawFn) -> tuple[list[Change], list[Expected]]:
    """Up to four expectations, up to three of them named, and up to four changes, over few values."""
    wishes = [
        want_new("items", name, **draw(values), link=draw(links), other=draw(st.one_of(st.none(), links)))
        for name in NAMES[1:]
    ] + draw(st.lists(st.builds(lambda v, k: want_new("items", **v, link=k), values, links), max_size=1))
    if draw(st.booleans()):
        wishes.append(want_change("items", "9", link=draw(links), title="b"))
    ids = st.sampled_from([None, "1", "2", "3"])
    changes = [
        added("items", str(n), **draw(values), link=draw(ids), other=draw(st.one_of(st.none(), ids)))
        for n in range(1, draw(st.integers(1, 5)))
    ]
    if draw(st.booleans()):
        changes.append(changed("items", "9", {"title": "c", "link": "0"}, title="B", link=draw(ids)))
    return changes, wishes


DEFAULTS: list[dict[str, Any]] = [{}, {"link": "1"}, {"link": "2", "title": "A"}, {"title": "b", "other": "1"}]
"""Of the fields above, so that ids of new rows, and text in another letter case, can be defaults."""


def resolved(value: Any, ids: Mapping[str, str]) -> Any:
    return ids.get(value["ref"], "nobody") if isinstance(value, dict) else value


def fits(wish: Expected, change: Change, ids: Mapping[str, str], defaults: Mapping[str, Any]) -> bool:
    """The rules, written down once more without any cleverness; only for the scenes above."""
    if (wish.op, wish.table) != (change.op, change.table) or change.after is None:
        return False
    if wish.op == "update" and wish.id != change.id:
        return False
    for field, got in change.after.items():
        start = (change.before or {}).get(field)
        want = resolved(wish.values.get(field, start), ids)
        if field == "title":
            want, got = (v and v.lower().strip() for v in (want, got))
        if wish.op == "insert":
            usual = defaults.get(field) and defaults[field].lower()  # of the fields here, only titles have letters
            want, got = (None if v == usual else v for v in (want, got))
        if field != "note" and want != got:
            return False
    return True


def assignments(wishes: Sequence[Expected], changes: Sequence[Change]) -> Iterator[dict[int, int]]:
    """Every partial one-to-one map of expectations to changes."""
    if not wishes:
        yield {}
        return
    last = len(wishes) - 1
    for rest in assignments(wishes[:-1], changes):
        yield rest
        for n in range(len(changes)):
            if n not in rest.values():
                yield {**rest, last: n}


def most_by_brute_force(changes: Sequence[Change], wishes: Sequence[Expected], defaults: Mapping[str, Any]) -> int:
    best = 0
    for pairs in assignments(wishes, changes):
        ids = {wishes[w].name: changes[c].id for w, c in pairs.items() if wishes[w].name}
        if len(pairs) > best and all(fits(wishes[w], changes[c], ids, defaults) for w, c in pairs.items()):
            best = len(pairs)
    return best


@settings(max_examples=300, deadline=None)
@given(scenes(), st.sampled_from(DEFAULTS))
def test_no_consistent_matching_is_larger(scene: tuple[list[Change], list[Expected]], defaults: dict[str, Any]) -> None:
    changes, wishes = scene
    found = match(changes, End(changes=tuple(wishes)), COMPARE, {"shop.items": defaults})
    assert len(found.pairs) == most_by_brute_force(changes, wishes, defaults)
    ids = {wish.name: change.id for wish, change in found.pairs if wish.name}
    assert all(fits(wish, change, ids, defaults) for wish, change in found.pairs)
    assert len({change.id for _, change in found.pairs}) == len(found.pairs) == sum(found.checkpoints)
    assert len(found.pairs) + len(found.missing) == len(wishes)


def told(found: Match) -> tuple[Counter[str], Counter[str], list[Change]]:
    def look(wish: Expected) -> str:
        return f"{wish.op} {sorted(wish.values.items())}"

    pairs = Counter(f"{look(wish)} {change}" for wish, change in found.pairs)
    return pairs, Counter(map(look, found.missing)), list(found.unexpected)


def seen(row: Mapping[str, Any] | None) -> str | None:
    """What the comparison sees of a row without references."""
    return None if row is None else str(row["title"] and row["title"].lower().strip())


@settings(deadline=None)
@given(scenes(), st.randoms(use_true_random=False))
def test_no_order_of_changes_or_expectations_alters_the_result(
    scene: tuple[list[Change], list[Expected]], random: Any
) -> None:
    changes, wishes = scene
    first = match(changes, End(changes=tuple(wishes)), COMPARE)
    random.shuffle(changes)
    random.shuffle(wishes)
    assert told(match(changes, End(changes=tuple(wishes)), COMPARE)) == told(first)


NEW_FIELDS: dict[str, Any] = {"starred": False, "priority": 3, "labels": [], "extra": {}, "kind": "Note", "later": None}


def grown(row: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if row is None else {**row, **NEW_FIELDS}


@settings(deadline=None)
@given(scenes(), st.sets(st.sampled_from(sorted(NEW_FIELDS))), st.booleans())
def test_new_fields_with_defaults_change_no_verdict(
    scene: tuple[list[Change], list[Expected]], named: set[str], folded: bool
) -> None:
    """Whether the task names the new fields at their defaults or not, and whether it folds their text or not."""
    changes, wishes = scene
    first = match(changes, End(changes=tuple(wishes)), COMPARE)
    compare = COMPARE.model_copy(update={"text": COMPARE.text | {f"shop.items.{n}" for n in NEW_FIELDS}})
    bigger = [c.model_copy(update={"before": grown(c.before), "after": grown(c.after)}) for c in changes]
    more = {name: NEW_FIELDS[name] for name in named}
    wider = [w.model_copy(update={"values": {**w.values, **more}}) if w.op == "insert" else w for w in wishes]
    defaults = {"shop.items": {name: value for name, value in NEW_FIELDS.items() if value is not None}}

    again = match(bigger, End(changes=tuple(wider)), compare if folded else COMPARE, defaults)

    assert (again.checkpoints, again.right) == (first.checkpoints, first.right)
    assert [(c.id, c.op) for _, c in again.pairs] == [(c.id, c.op) for _, c in first.pairs]
    assert [(c.id, c.op) for c in again.unexpected] == [(c.id, c.op) for c in first.unexpected]


rows = st.dictionaries(st.sampled_from("12345"), values, max_size=5)


def delta(start: Mapping[str, Any], finish: Mapping[str, Any]) -> list[Change]:
    new = [added("items", id, **row) for id, row in finish.items() if id not in start]
    gone = [removed("items", id, **row) for id, row in start.items() if id not in finish]
    both = [(id, row) for id, row in finish.items() if id in start and row != start[id]]
    return [*new, *gone, *(changed("items", id, start[id], **row) for id, row in both)]


@settings(deadline=None)
@given(rows, rows, rows)
def test_an_end_is_right_exactly_when_both_states_look_the_same(
    start: dict[str, Any], wanted: dict[str, Any], finish: dict[str, Any]
) -> None:
    """States differ in ids of new rows, free fields and the case of text, and in nothing else."""
    wishes = [want_new("items", **row) for id, row in wanted.items() if id not in start]
    wishes += [dropped("items", id) for id in start if id not in wanted]
    wishes += [
        want_change("items", id, title=row["title"])
        for id, row in wanted.items()
        if id in start and seen(row) != seen(start[id])
    ]

    def looks(state: Mapping[str, Any]) -> Any:
        return [seen(state.get(id)) for id in start], Counter(seen(r) for id, r in state.items() if id not in start)

    found = match(delta(start, finish), End(changes=tuple(wishes)), COMPARE)
    assert found.right == (looks(wanted) == looks(finish))
