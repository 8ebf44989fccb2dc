"""Short names for expectations and changes of one app, `shop`."""

from __future__ import annotations

from typing import Any

from harness.task import End, Expected
from servers.kernel import Change

__all__ = ("added", "changed", "dropped", "end", "ref", "removed", "want_change", "want_new")


def want_new(table: str, name: str = "", **values: Any) -> Expected:
    return Expected(op="insert", app="shop", table=table, name=name, values=values)


def want_change(table: str, id: str, **values: Any) -> Expected:
    return Expected(op="update", app="shop", table=table, id=id, values=values)


def dropped(table: str, id: str) -> Expected:
    return Expected(op="delete", app="shop", table=table, id=id)


def added(table: str, id: str, **after: Any) -> Change:
    return Change(app="shop", table=table, id=id, before=None, after=after)


def changed(table: str, id: str, before: dict[str, Any], **fields: Any) -> Change:
    return Change(app="shop", table=table, id=id, before=before, after={**before, **fields})


def removed(table: str, id: str, **before: Any) -> Change:
    return Change(app="shop", table=table, id=id, before=before, after=None)


def end(*changes: Expected) -> End:
    return End(changes=changes)


def ref(name: str) -> dict[str, str]:
    return {"ref": name}
