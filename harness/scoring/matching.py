"""Which changes of a state were asked for: a normalised delta against what a task accepts.

Under a task's `Compare`, every change comes down to a *place* (an insert's table; the row of an
update or a delete) and a *content* (field -> value, free fields left out, text folded). A change
fits an expectation when place and content are equal:

- insert: all fields that are neither null nor at their table's default, so that a field the expectation does
  not mention must be as a new row has it where nobody sets it, or free;
- update: exactly the fields that changed, with new values (free fields alone: any change of that row);
- delete: nothing.

Equality makes a maximum one-to-one matching a matter of counting: equal contents pair up, lowest
row id first. Only references to new rows (`{"ref": name}`) need a search: what a name stands for is
decided first, and then all is equality again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import fsum
from typing import Any, NamedTuple, TypeAlias

from harness.core.task import Compare, End, Expected, is_ref, referred
from servers.kernel import Change, canonical

__all__ = ("Match", "Near", "best_match", "match", "nearest")

_Place: TypeAlias = tuple[str, ...]
_Content: TypeAlias = frozenset[tuple[str, Any]]
_Binding: TypeAlias = Mapping[str, "_Row | None"]
"""Name -> the inserted row it stands for, None for "no row". A name not in it is undecided."""

_EFFORT = 50_000
"""Rows that a search for the meaning of names may look at after its first descent: about 0.1 s."""

_ROUNDS = 3
"""How far away a difference between two rows may lie, in references, to guide the first descent."""


class Match(NamedTuple):
    """A largest consistent matching of one end with the actual changes.

    `pairs`, `missing` and `checkpoints` follow the order in which the end lists its changes, one
    checkpoint per expected change. `unexpected` is ordered by app, table and id; changes that
    `Compare` cannot see (free fields, case of text) are in neither `pairs` nor `unexpected`.
    """

    pairs: tuple[tuple[Expected, Change], ...]
    missing: tuple[Expected, ...]
    unexpected: tuple[Change, ...]
    checkpoints: tuple[bool, ...]

    @property
    def right(self) -> bool:
        """Nothing missing, nothing unexpected: the state is the one expected."""
        return not self.missing and not self.unexpected


def match(
    changes: Sequence[Change], end: End, compare: Compare, defaults: Mapping[str, Mapping[str, Any]] = {}
) -> Match:
    """Match the changes with one end. Raises ValueError for a name that is unknown or given twice."""
    return best_match(changes, (end,), compare, defaults)[1]


def best_match(
    changes: Sequence[Change], ends: Sequence[End], compare: Compare, defaults: Mapping[str, Mapping[str, Any]] = {}
) -> tuple[int, Match]:
    """The index of the end that fits best, and its match. `defaults` are a record's (`Trajectory.defaults`).

    A right end comes first, then most matched, then fewest unexpected, then the order listed.
    Raises ValueError as `match` does, and when there is no end.
    """
    if not ends:
        raise ValueError("no accepted end: a task that needs no change lists one empty End")
    rules = _Rules(compare, defaults)
    ordered = sorted(changes, key=lambda change: (change.app, change.table, len(change.id), change.id))
    actual = [rules.actual(n, change) for n, change in enumerate(ordered)]
    before = {(c.app, c.table, c.id): c.before for c in ordered if c.before and c.after}
    found = []
    for end in ends:
        # Twins that only `Compare` takes for equal have an order too, so that the order listed decides nothing.
        order = sorted(range(len(end.changes)), key=lambda n: (end.changes[n].name, canonical(end.changes[n].values)))
        wishes = [end.changes[n] for n in order]
        wanted = [rules.expected(n, w, before.get((w.app, w.table, w.id), {})) for n, w in enumerate(wishes)]
        assigned = _assign(wanted, actual, _bind(wanted, actual))
        assert assigned is not None  # `_bind` contradicts nothing
        taken, seen = {order[n]: row for n, row in assigned.items()}, set(assigned.values())
        found.append(
            Match(
                tuple((w, ordered[taken[n]]) for n, w in enumerate(end.changes) if n in taken),
                tuple(w for n, w in enumerate(end.changes) if n not in taken),
                tuple(ordered[row.n] for row in actual if row.n not in seen and _visible(row)),
                tuple(n in taken for n in range(len(wanted))),
            )
        )
        if found[-1].right:
            break
    best = max(range(len(found)), key=lambda n: (found[n].right, len(found[n].pairs), -len(found[n].unexpected), -n))
    return best, found[best]


class Near(NamedTuple):
    """A missing expectation, the unexpected change most like it, and the fields that keep the two apart.

    `n` is the expectation's place in `Match.missing`.
    """

    n: int
    wish: Expected
    change: Change
    fields: tuple[str, ...]


Said: TypeAlias = Callable[[Expected, str, Change], "float | None"]
"""(expectation, field, change) -> how much of what a text has to say it says, 1.0 for enough; None for what is no such
text, and has to be equal."""


def nearest(
    of: Match,
    compare: Compare,
    defaults: Mapping[str, Mapping[str, Any]] = {},
    said: Said = lambda *_: None,
) -> list[Near]:
    """What is missing beside what was done in its place: the same row, or of new rows the one with most in common.

    In the order of the expectations; a change is taken once. Counts for nothing: both stay missing and unexpected.
    """
    rules = _Rules(compare, defaults)
    named: _Binding = {wish.name: _Row(0, (), _NOTHING, change.id) for wish, change in of.pairs if wish.name}
    left: defaultdict[_Place, list[tuple[Change, _Row]]] = defaultdict(list)
    for n, change in enumerate(of.unexpected):
        row = rules.actual(n, change)
        left[row.place].append((change, row))
    found = []
    for n, wish in enumerate(of.missing):
        place = (wish.op, wish.app, wish.table) if wish.op == "insert" else (wish.op, wish.app, wish.table, wish.id)
        most, best = -1.0, None
        for at, (change, row) in enumerate(left[place]):
            wanted = rules.expected(0, wish, (change.before or {}) if change.after else {})
            apart = _apart(wanted, row, named)
            shares = {field: said(wish, field, change) for field in apart & wish.values.keys()}
            apart -= {field for field, share in shares.items() if share is not None and share >= 1}
            alike = len(wish.values.keys() - apart) + fsum(shares[field] or 0.0 for field in shares.keys() & apart)
            if alike > most:
                most, best = alike, (at, change, apart)
        if best is not None:
            at, change, apart = best
            del left[place][at]
            fields = (*(name for name in wish.values if name in apart), *sorted(apart - wish.values.keys()))
            found.append(Near(n, wish, change, fields))
    return found


def _apart(wanted: _Row, row: _Row, named: _Binding) -> set[str]:
    """Fields in which a change is not as an expectation of its place has it."""
    content, holes = wanted.under(named) or (_NOTHING, _NONE)
    return {field for field, _ in content ^ row.content} | holes


def _visible(row: _Row) -> bool:
    """Whether `Compare` sees the change at all: an update may touch nothing but free fields or the case of text."""
    return bool(row.content) or row.place[0] != "update"


class _Row(NamedTuple):
    """A change or an expectation, ready to compare; `n` is its place in the list it came from.

    Only changes have an `id`, only expectations `name`, `refs` (fields with names in them) and `text`.
    `usual` are the default values of an insert's table, which do not count: of a change those of fields that
    hold them or null, which is the same here.
    """

    n: int
    place: _Place
    content: _Content
    id: str = ""
    name: str = ""
    refs: Mapping[str, Any] = {}
    text: frozenset[str] = frozenset()
    usual: _Content = frozenset()

    def under(self, binding: _Binding) -> tuple[_Content, frozenset[str]] | None:
        """Content with names replaced by ids, and the fields it lacks because a name is undecided.

        None when a name in it stands for no row: nothing can be equal to it then.
        """
        if not self.refs:
            return self.content, _NONE
        known, holes = [], []
        for field, value in self.refs.items():
            names = referred(value)
            if any(name in binding and binding[name] is None for name in names):
                return None
            if all(name in binding for name in names):
                known.append((field, _key(value, field in self.text, binding)))
            else:
                holes.append(field)
        return self.content.union(known) - self.usual, frozenset(holes)

    def without(self, fields: frozenset[str]) -> _Content:
        return frozenset(item for item in self.content if item[0] not in fields) if fields else self.content


class _Rules:
    """`Compare` and defaults, by table: what a change or an expectation comes down to."""

    def __init__(self, compare: Compare, defaults: Mapping[str, Mapping[str, Any]]) -> None:
        self._text, self._free = _by_table(compare.text), _by_table(compare.free)
        self._usual = {
            table: frozenset((name, _key(value, name in self._text.get(table, _NONE))) for name, value in row.items())
            for table, row in defaults.items()
        }

    def actual(self, n: int, change: Change) -> _Row:
        text, free, usual = self._of(change)
        place = (change.op, change.app, change.table)
        if change.after is None:
            return _Row(n, (*place, change.id), _NOTHING, change.id)
        content = [(field, _key(value, field in text)) for field, value in change.after.items() if field not in free]
        if change.before is None:
            told = frozenset(item for item in content if item[1] is not None)
            chosen = {field for field, _ in told - usual}
            left = frozenset(item for item in usual if item[0] not in chosen and item[0] not in free)
            return _Row(n, place, told - usual, change.id, usual=left)
        before = change.before
        changed = frozenset(item for item in content if item[1] != _key(before.get(item[0]), item[0] in text))
        return _Row(n, (*place, change.id), changed, change.id)

    def expected(self, n: int, wish: Expected, before: Mapping[str, Any]) -> _Row:
        """`before` is what the row of an update held at the start, where anything there changed."""
        text, free, usual = self._of(wish)
        insert = wish.op == "insert"
        place = (wish.op, wish.app, wish.table) if insert else (wish.op, wish.app, wish.table, wish.id)
        content, refs = [], {}
        for field, value in wish.values.items() if wish.op != "delete" else ():
            if field in free or (insert and value is None):
                continue
            if isinstance(value, dict | list) and referred(value):
                refs[field] = value
                continue
            key = _key(value, field in text)
            if field not in before or key != _key(before[field], field in text):
                content.append((field, key))
        if not insert:
            return _Row(n, place, frozenset(content), refs=refs, text=text)
        return _Row(n, place, frozenset(content) - usual, "", wish.name, refs, text, usual)

    def _of(self, change: Change | Expected) -> tuple[frozenset[str], frozenset[str], _Content]:
        table = f"{change.app}.{change.table}"
        return self._text.get(table, _NONE), self._free.get(table, _NONE), self._usual.get(table, _NOTHING)


_NONE: frozenset[str] = frozenset()
_NOTHING: _Content = frozenset()


def _by_table(fields: frozenset[str]) -> dict[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for field in fields:
        table, _, name = field.rpartition(".")
        found[table].add(name)
    return {table: frozenset(names) for table, names in found.items()}


def _key(value: Any, text: bool, binding: _Binding | None = None) -> Any:
    """A hashable stand-in: equal for equal JSON values, text folded. Names become bound rows' ids."""
    if isinstance(value, str):
        return " ".join(value.casefold().split()) if text else value
    if isinstance(value, bool):
        return bool, value  # in Python, True == 1
    if isinstance(value, Mapping):
        row = binding.get(value["ref"]) if binding is not None and is_ref(value) else None
        if row is not None:
            return _key(row.id, text)
        return dict, frozenset((name, _key(item, text, binding)) for name, item in value.items())
    if isinstance(value, list | tuple):
        return list, tuple(_key(item, text, binding) for item in value)
    return value


def _assign(wanted: Sequence[_Row], actual: Sequence[_Row], binding: _Binding) -> dict[int, int] | None:
    """Expectation -> change, as many as there can be under a binding.

    While names are undecided the fields that hold them are not compared and a change may serve twice,
    so that the number of pairs is an upper bound; with every name decided it is exact. None when a
    bound row contradicts its expectation.
    """
    anchored = {row.n for row in binding.values() if row}
    at: defaultdict[_Place, list[_Row]] = defaultdict(list)
    for row in reversed(actual):
        if row.n not in anchored:
            at[row.place].append(row)
    shelves: dict[tuple[_Place, frozenset[str]], dict[_Content, list[_Row]]] = {}
    taken: dict[int, int] = {}
    for wish in wanted:
        under = wish.under(binding)
        if wish.name in binding:
            row = binding[wish.name]
            if row is not None:
                if under is None or row.without(under[1]) != under[0]:
                    return None
                taken[wish.n] = row.n
        elif under is not None and wish.place in at:
            content, holes = under
            shelf = shelves.get((wish.place, holes))
            if shelf is None:
                shelf = shelves[wish.place, holes] = defaultdict(list)
                for row in at[wish.place]:
                    shelf[row.without(holes)].append(row)
            if found := shelf.get(content):
                taken[wish.n] = found.pop().n
    return taken


def _bind(wanted: Sequence[_Row], actual: Sequence[_Row]) -> _Binding:
    """The meaning of every name that is referred to, under which most expectations match.

    Depth first, likeliest rows first, cut off by the upper bound. The first descent is mostly all it
    takes. What follows is exact unless it runs out of `_EFFORT`; then the best found so far stands.
    """
    if not any(row.refs for row in wanted):
        return {}
    guide = _Guide(wanted, actual)
    names, binding = guide.names, dict[str, "_Row | None"]()
    best: dict[str, _Row | None] = dict.fromkeys(names)
    most, ceiling = len(_assign(wanted, actual, best) or ()), len(_assign(wanted, actual, {}) or ())
    steps, descended = _EFFORT // (len(wanted) + len(actual)), False
    stack = [guide.candidates(names[0], binding)]
    while stack and most < ceiling and (steps > 0 or not descended):
        name = names[len(stack) - 1]
        binding.pop(name, None)
        for row in stack[-1]:
            binding[name] = row
            break
        else:
            stack.pop()
            continue
        leaf = len(stack) == len(names)
        if leaf or descended:
            steps, descended = steps - 1, True
            bound = _assign(wanted, actual, binding)
            if bound is None or len(bound) <= most:
                continue
            if leaf:
                best, most = dict(binding), len(bound)
                continue
        stack.append(guide.candidates(names[len(stack)], binding))
    return best


class _Guide:
    """The order in which to decide names, `names`, and which rows to try for each.

    Two rows resemble each other in round 0 when they agree but for references, and in round r + 1
    when, besides, the rows that refer to them resemble each other in round r.
    """

    def __init__(self, wanted: Sequence[_Row], actual: Sequence[_Row]) -> None:
        self._owner: dict[str, _Row] = {}
        for row in wanted:
            if row.name and self._owner.setdefault(row.name, row) is not row:
                raise ValueError(f"two expected inserts are named {row.name!r}; a name stands for one row")
        self._actual = actual
        self._shelves: dict[Any, defaultdict[tuple[_Content, int, int], list[_Row]]] = {}
        self._first = len(wanted)  # rows of both kinds are numbered together, expectations first
        self._linked: defaultdict[_Place, set[str]] = defaultdict(set)
        self._referrers: list[list[tuple[str, int]]] = [[] for _ in range(len(wanted) + len(actual))]
        needs = self._link_wanted(wanted)
        self._link_actual(actual)
        self._rounds = self._resemblances([*wanted, *actual])
        self.names = self._ordered(needs)

    def candidates(self, name: str, binding: _Binding) -> Iterator[_Row | None]:
        """Rows that a name may stand for under what is decided so far, likeliest first; None at last."""
        wish, used = self._owner[name], {row.n for row in binding.values() if row}
        under = wish.under(binding)
        tried: set[_Content] = set()
        for row in self._equal(wish, *under) if under else ():
            alone = not self._referrers[self._first + row.n]  # nothing tells such a row from its equals
            if row.n not in used and not (alone and row.content in tried):
                used.add(row.n)
                if alone:
                    tried.add(row.content)
                yield row
        yield None

    def _equal(self, wish: _Row, content: _Content, holes: frozenset[str]) -> Iterator[_Row]:
        """Rows equal to `wish` as far as is decided, those that resemble it in most rounds first."""
        shelf = self._shelves.get((wish.place, holes))
        if shelf is None:
            shelf = self._shelves[wish.place, holes] = defaultdict(list)
            for row, (n, codes) in product(self._actual, enumerate(self._rounds)):
                if row.place == wish.place:
                    shelf[row.without(holes), n, codes[self._first + row.n]].append(row)
        for n in reversed(range(len(self._rounds))):
            yield from shelf.get((content, n, self._rounds[n][wish.n]), ())

    def _link_wanted(self, wanted: Sequence[_Row]) -> dict[str, set[str]]:
        """Note who refers to whom among expectations; name -> names that its row refers to."""
        needs: dict[str, set[str]] = {}
        for row in wanted:
            for field, value in row.refs.items():
                self._linked[row.place[1:3]].add(field)
                for name in referred(value):
                    if name not in self._owner:
                        where = ".".join((*row.place[1:3], field))
                        raise ValueError(f"{where} refers to {name!r}, and no expected insert is named that")
                    self._referrers[self._owner[name].n].append((field, row.n))
                    needs.setdefault(name, set())
        for name in needs:
            needs[name].update(n for value in self._owner[name].refs.values() for n in referred(value) if n != name)
        return needs

    def _link_actual(self, actual: Sequence[_Row]) -> None:
        """The same among changes: an id of a new row, in a field where some expectation has a name."""
        inserted: defaultdict[str, set[int]] = defaultdict(set)
        for row in actual:
            if row.place[0] == "insert":
                inserted[row.id].add(self._first + row.n)
                inserted[_key(row.id, True)].add(self._first + row.n)
        for row in actual:
            fields = self._linked.get(row.place[1:3], ())
            for field, key in row.content | row.usual if fields else ():
                if field in fields:
                    for target in {target for id in _strings(key) for target in inserted.get(id, ())}:
                        self._referrers[target].append((field, self._first + row.n))

    def _resemblances(self, rows: Sequence[_Row]) -> list[list[int]]:
        """Per round, a code for each row: rows with equal codes resemble each other in that round."""
        codes: dict[Any, int] = {}
        plain = [(row.place, row.without(frozenset(self._linked.get(row.place[1:3], ())))) for row in rows]
        rounds = [[codes.setdefault(look, len(codes)) for look in plain]]
        for _ in range(_ROUNDS):
            last = rounds[-1]
            looks = [(plain[i], *sorted((f, last[n]) for f, n in told)) for i, told in enumerate(self._referrers)]
            rounds.append([codes.setdefault(look, len(codes)) for look in looks])
        return rounds

    def _ordered(self, needs: dict[str, set[str]]) -> list[str]:
        """Names after those they refer to; among equals, those with a good counterpart first."""
        there = [set(codes[self._first :]) for codes in self._rounds]
        names: list[str] = []
        while needs:
            ready = [name for name, others in needs.items() if not others & needs.keys()] or list(needs)
            rank = {
                name: sum(codes[self._owner[name].n] in known for codes, known in zip(self._rounds, there, strict=True))
                for name in ready
            }
            names += sorted(ready, key=lambda name: (-rank[name], name))
            for name in ready:
                del needs[name]
        return names


def _strings(key: Any) -> Iterator[str]:
    """Strings anywhere inside a key."""
    if isinstance(key, str):
        yield key
    elif isinstance(key, tuple | frozenset):
        for item in key:
            yield from _strings(item)
