"""Reference solutions changed a little: into wrong work that a check must catch, and right work that it must pass.

An operator is a pure function `(case, rng) -> mutants`, made from tools' schemas and rows alone. Mutants
that differ only in what was drawn share a `site`; the first of a site that plays as its mutation wants
stands for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from typing import Any, Literal, NamedTuple

from harness.audit.play import Effect, Played
from harness.audit.values import KINDS, Kind, off_by_one
from harness.audit.workplace import Pointer, Workplace, pointers
from harness.core.task import Call, Task
from harness.core.texts import cut
from servers.kernel import Tool

__all__ = ("MUTATIONS", "Case", "Mutant", "Mutation", "Operator")

_TRIES = 6
"""Draws for one site before the mutation counts as having nothing to work on there."""

_ANY: frozenset[Effect] = frozenset({"insert", "update", "delete", "none"})


@dataclass(frozen=True, eq=False)
class Case:
    """A task, where it takes place, and how its reference solution went."""

    task: Task
    workplace: Workplace
    reference: Played

    @property
    def calls(self) -> tuple[Call, ...]:
        return self.task.solution

    @cached_property
    def named(self) -> frozenset[str]:
        """Ids that the reference names or writes; a draw of another row leaves them alone."""
        given = {
            pointer.value
            for call, tool in self.tools()
            for pointer in pointers(tool, call.arguments)
            if isinstance(pointer.value, str)
        }
        return frozenset(given) | {w.id for record in self.reference.records if record for w in record.writes}

    def tools(self) -> Iterator[tuple[Call, Tool]]:
        """Reference calls whose tool exists, each with its tool."""
        for call in self.calls:
            if tool := self.workplace.tool(call):
                yield call, tool


class Mutant(NamedTuple):
    """Calls to play instead of the reference's; `at` is the one that was changed or added, -1 for none."""

    site: str
    calls: tuple[Call, ...]
    at: int
    what: str


Operator = Callable[[Case, Random], Iterable[Mutant]]


@dataclass(frozen=True)
class Mutation:
    """A kind of change, what a check must make of it, and what the changed call must do to count.

    `moves_on`: it is right work although it ends elsewhere than the reference.
    """

    name: str
    must: Literal["fail", "pass"]
    rule: str
    operator: Operator
    wants: frozenset[Effect] = _ANY
    moves_on: bool = False


def _dropped(case: Case, rng: Random) -> Iterator[Mutant]:
    for n, call in enumerate(case.calls):
        yield Mutant(f"call {n + 1}", _without(case.calls, n), -1, f"{_said(n, call)} left out")


def _wrong_id(case: Case, rng: Random) -> Iterator[Mutant]:
    for n, call, tool in _numbered(case):
        for pointer in pointers(tool, call.arguments):
            others = [id for id in case.workplace.ids(tool, pointer.name) if id not in case.named]
            for other in rng.sample(others, min(_TRIES, len(others))):
                yield _turned(case, n, call, pointer, other)


def _off_by_one(kind: Kind, case: Case, rng: Random) -> Iterator[Mutant]:
    for n, call, tool in _numbered(case):
        for name, value in call.arguments.items():
            if name in tool.refs and not isinstance(value, list):
                continue
            schema = case.workplace.schema(tool, name)
            column = case.workplace.column(tool, name, call.arguments)
            found = off_by_one(value, schema, column, case.workplace.addresses, rng)
            if found and found[0] == kind:
                for _, other in zip(range(_TRIES), found[1], strict=False):
                    yield _changed(case, n, call, name, other)


def _duplicate(case: Case, rng: Random) -> Iterator[Mutant]:
    for n, call in enumerate(case.calls):
        again = call.model_copy(update={"bind": ""})
        yield Mutant(f"call {n + 1}", _with(case.calls, n + 1, again), n + 1, f"{_said(n, call)} made twice")


def _extra(case: Case, rng: Random) -> Iterator[Mutant]:
    """One more write after the reference's, by tools in drawn order; for a task that needs nothing, one per tool."""
    writers = [tool for tool in case.workplace.tools if tool.kind == "writes"]
    for tool in rng.sample(writers, len(writers)):
        site = "at the end" if case.calls else f"{tool.app}.{tool.name}"
        draws = case.workplace.draws(tool, rng, avoid=case.named)
        for _, call in zip(range(_TRIES), draws, strict=False):
            yield Mutant(site, (*case.calls, call), len(case.calls), f"besides, {_shown(call)}")


def _when(needed: bool, operator: Operator) -> Operator:
    """The operator for tasks with reference calls, or for those without."""
    return lambda case, rng: operator(case, rng) if bool(case.calls) == needed else ()


def _reordered(case: Case, rng: Random) -> Iterator[Mutant]:
    """Two other orders that keep every call behind those that it depends on: backwards, and drawn."""
    after = _needs(case)
    orders: list[list[int]] = [list(range(len(case.calls)))]
    for site, pick in (("backwards", max), ("drawn", rng.choice)):
        order: list[int] = []
        while len(order) < len(case.calls):
            ready = [n for n in range(len(case.calls)) if n not in order and after[n] <= set(order)]
            order.append(pick(ready))
        if order not in orders:
            orders.append(order)
            told = ", ".join(str(n + 1) for n in order)
            yield Mutant(site, tuple(case.calls[n] for n in order), -1, f"calls in the order {told}")


def _other_case(case: Case, rng: Random) -> Iterator[Mutant]:
    for n, call, tool in _numbered(case):
        for name, value in call.arguments.items():
            free = name not in tool.refs and "enum" not in case.workplace.schema(tool, name)
            if free and isinstance(value, str) and value.swapcase() != value:
                yield _changed(case, n, call, name, value.swapcase())


def _extra_read(case: Case, rng: Random) -> Iterator[Mutant]:
    readers = [tool for tool in case.workplace.tools if tool.kind == "reads"]
    at = rng.randint(0, len(case.calls))
    for tool in rng.sample(readers, len(readers)):
        for _, call in zip(range(_TRIES), case.workplace.draws(tool, rng), strict=False):
            yield Mutant("anywhere", _with(case.calls, at, call), at, f"before call {at + 1}, {_shown(call)}")


def _failed_first(case: Case, rng: Random) -> Iterator[Mutant]:
    """A call that is refused, then all that the reference does: an unknown id, an argument left out."""
    if case.calls:
        at = rng.randrange(len(case.calls))
        start = [case.calls[at]] if case.workplace.tool(case.calls[at]) else []
    else:
        at = 0
        writers = [tool for tool in case.workplace.tools if tool.kind == "writes"]
        start = [call for tool in rng.sample(writers, len(writers)) for call in _first(case.workplace.draws(tool, rng))]
    for call in start:
        tool = case.workplace.tool(call)
        assert tool is not None
        for name in sorted(tool.refs.keys() & call.arguments.keys()):
            ids = case.workplace.ids(tool, name)
            unknown = tool.refs[name].id_format.format(max(map(tool.refs[name].id_number, ids), default=0) + 1000)
            given = [unknown] if tool.lists(name) else unknown
            wrong = call.model_copy(update={"arguments": {**call.arguments, name: given}, "bind": ""})
            yield Mutant("unknown id", _with(case.calls, at, wrong), at, f"first {_shown(wrong)}, which is refused")
        for name in tool.input_schema.get("required", [])[:1]:
            less = {key: value for key, value in call.arguments.items() if key != name}
            wrong = call.model_copy(update={"arguments": less, "bind": ""})
            yield Mutant("bad call", _with(case.calls, at, wrong), at, f"first {_shown(wrong)}, which is refused")


def _twin(case: Case, rng: Random) -> Iterator[Mutant]:
    """The same done to a row that is equal in all but its id."""
    for n, call, tool in _numbered(case):
        for pointer in pointers(tool, call.arguments):
            rows = case.workplace.rows.get(tool.app, {}).get(tool.refs[pointer.name].table_name, {})
            row = rows.get(pointer.value) if isinstance(pointer.value, str) else None
            equal = (id for id, other in rows.items() if row and {**other, "id": row["id"]} == row)
            for other in (id for id in equal if id not in case.named):
                yield _turned(case, n, call, pointer, other)


MUTATIONS: Sequence[Mutation] = (
    Mutation("dropped call", "fail", "one reference call is left out", _dropped),
    Mutation("wrong id", "fail", "a call names another row of the same table", _wrong_id),
    *(
        Mutation(f"wrong {kind}", "fail", rule, partial(_off_by_one, kind))
        for kind, rule in zip(
            KINDS,
            (
                "a number is one more or less, a list one item shorter",
                "a date is a day off",
                "a time is half an hour off",
                "another value of a closed set",
                "the address of somebody else",
                "a text has one word more or less",
            ),
            strict=True,
        )
    ),
    Mutation("duplicate", "fail", "a call is made twice", _duplicate),
    Mutation("extra insert", "fail", "besides, a row is added", _when(True, _extra), frozenset({"insert"})),
    Mutation("extra update", "fail", "besides, another row is changed", _when(True, _extra), frozenset({"update"})),
    Mutation("extra delete", "fail", "besides, another row is removed", _when(True, _extra), frozenset({"delete"})),
    Mutation(
        "unasked write",
        "fail",
        "a write, by each tool in turn, where nothing is to be done",
        _when(False, _extra),
        frozenset({"insert", "update", "delete"}),
    ),
    Mutation("other order", "pass", "calls that depend on no other change places", _reordered),
    Mutation("other case", "pass", "a text in the other letter case, where the comparison folds it", _other_case),
    Mutation("extra read", "pass", "besides, something is looked up", _extra_read, frozenset({"none"})),
    Mutation("failed call first", "pass", "a call is refused, then made rightly", _failed_first, frozenset({"failed"})),
    Mutation("twin row", "pass", "the same with a row that is equal in all but its id", _twin, _ANY, True),
)
"""Every mutation, in the order of the tables."""


def _needs(case: Case) -> list[set[int]]:
    """Per call, the earlier ones that it must follow: either names, or both write, a row that the other writes."""
    made, named = [], []
    for call, record in zip(case.calls, case.reference.records, strict=True):
        made.append({w.id for w in record.writes} | ({f"ref {call.bind}"} if call.bind else set()) if record else set())
        named.append(set(_names(call.arguments)))
    return [
        {m for m in range(n) if made[m] & (named[n] | made[n]) or made[n] & named[m]} for n in range(len(case.calls))
    ]


def _names(value: Any) -> Iterator[str]:
    """Texts anywhere inside arguments, any of which may be an id, and references as `ref NAME`."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and value.keys() == {"ref"}:
        yield f"ref {value['ref']}"
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _names(item)


def _numbered(case: Case) -> Iterator[tuple[int, Call, Tool]]:
    for n, call in enumerate(case.calls):
        if tool := case.workplace.tool(call):
            yield n, call, tool


def _changed(case: Case, n: int, call: Call, name: str, value: Any) -> Mutant:
    new = call.model_copy(update={"arguments": {**call.arguments, name: value}})
    what = f"{_said(n, call)}: {name} {_cut(call.arguments[name])} -> {_cut(value)}"
    return Mutant(f"call {n + 1}, {name}", (*case.calls[:n], new, *case.calls[n + 1 :]), n, what)


def _turned(case: Case, n: int, call: Call, pointer: Pointer, other: str) -> Mutant:
    """Another row in place of one that the call names."""
    value = pointer.turned(call.arguments[pointer.name], other)
    found = _changed(case, n, call, pointer.name, value)
    return found if pointer.place is None else found._replace(site=f"{found.site} {pointer.place + 1}")


def _without(calls: Sequence[Call], n: int) -> tuple[Call, ...]:
    return (*calls[:n], *calls[n + 1 :])


def _with(calls: Sequence[Call], n: int, call: Call) -> tuple[Call, ...]:
    return (*calls[:n], call, *calls[n:])


def _first(calls: Iterator[Call]) -> list[Call]:
    return [call for _, call in zip(range(1), calls, strict=False)]


def _said(n: int, call: Call) -> str:
    return f"call {n + 1}, {call.app}.{call.tool}"


def _shown(call: Call) -> str:
    return f"{call.app}.{call.tool}({', '.join(f'{name}={_cut(value)}' for name, value in call.arguments.items())})"


def _cut(value: Any) -> str:
    return cut(repr(value), 60)
