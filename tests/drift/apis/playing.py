"""Calls of a solution, played through the real apps, and what came of them in the words of an outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from benchmarks.drift.apis import rows, world
from benchmarks.drift.template import Draw, Outcome, Template, Values
from harness.task import Call, Expected
from servers import answer, apis
from servers.kernel import Base, Change, Engine, Layer, canonical

__all__ = ("drawn", "played", "taken", "tasks")

APPS = {"apis": apis.app, "answer": answer.app}


@cache
def base(name: str) -> Base:
    return Engine().load(world(name))


def drawn(template: Template, number: int) -> Values | None:
    return template.draw(rows(template.world), Draw("tests", template.id, number))


@cache
def tasks(template: Template, most: int = 6) -> tuple[Values, ...]:
    """The values of the first tasks that the template makes, of twice as many draws."""
    found = [values for number in range(2 * most) if (values := drawn(template, number)) is not None]
    return tuple(found[:most])


def taken(values: Values) -> dict[str, Any]:
    """Slot -> the value as tools take it."""
    return {slot: value.value for slot, value in values.items()}


def played(template: Template, calls: Sequence[Call], toolset: str) -> Outcome:
    """What the calls come to. An `error` in an answer that is not an outage is a mistake of the solution."""
    layer = Layer(base(template.world))
    answers: list[str] = []
    for call in calls:
        app = APPS[call.app]
        tools = app.toolsets[toolset] if call.app == "apis" else app.default
        given = tools.tool(call.tool).call(layer.state(app), call.arguments).data
        assert given.get("status") in (None, 200, 201, 503), (call, given)
        if call.app == "answer":
            answers = call.arguments["answers"]
    changes = tuple(sorted(_expected(layer.changes()), key=lambda each: canonical(each.model_dump(mode="json"))))
    layer.close()
    return Outcome(tuple(answers), changes=changes)


def _expected(changes: Sequence[Change]) -> Iterator[Expected]:
    """Changes that somebody asked for, said as a template says them."""
    for change in changes:
        if change.app != "apis" or change.table == apis.COUNTED:
            continue
        before, after = change.before or {}, change.after or {}
        defaults = apis.app.table(change.table).defaults()
        if change.op == "insert":
            values = {key: value for key, value in after.items() if value not in (None, defaults.get(key))}
        else:
            values = {key: value for key, value in after.items() if before[key] != value}
        id = "" if change.op == "insert" else change.id
        yield Expected(op=change.op, app=change.app, table=change.table, id=id, values=values)
