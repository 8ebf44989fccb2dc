"""The office many times over: its rows again under other ids, for figures at a size that no world has yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from servers import catalog
from servers.kernel import World

__all__ = ("enlarged",)

_ONCE = frozenset(
    (
        "gmail.labels", "gmail.drafts", "calendar.calendars", "chat.members", "chat.channels", "chat.channel_members",
        "todoist.people", "todoist.projects", "crm.owners", "directory.people",
    )
)  # fmt: skip
"""Tables that stay as they are: more mail does not mean more people, channels or projects."""

_APART = 100_000
"""How far apart the numbers in the ids of two copies lie."""

_TOP = "/workspace"

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def enlarged(world: World, times: Mapping[str, int]) -> World:
    """The world with so many copies of an app's rows, one where nothing is said; the first keeps its ids."""
    rows = {app: _repeated(app, tables, times.get(app, 1)) for app, tables in world.rows.items()}
    return replace(world, name=f"{world.name}-enlarged", rows=rows)


def _repeated(app: str, tables: Rows, times: int) -> dict[str, list[Mapping[str, Any]]]:
    return {
        name: list(rows)
        if f"{app}.{name}" in _ONCE
        else [row for n in range(times) for row in _copy(app, tables, name, n)]
        for name, rows in tables.items()
    }


def _copy(app: str, tables: Rows, name: str, n: int) -> Iterator[Mapping[str, Any]]:
    """The rows of a table with the ids of copy `n`, also where one row names another."""
    ids = {
        row["id"]: _other(app, table, row["id"], n)
        for table, rows in tables.items()
        if f"{app}.{table}" not in _ONCE
        for row in rows
    }
    for row in tables[name]:
        yield {key: ids.get(value, value) if isinstance(value, str) else value for key, value in row.items()}


def _other(app: str, table: str, id: str, n: int) -> str:
    """The id that stands for one in copy `n`: a folder of its own for a path, else a larger number."""
    if not n:
        return id
    if id.startswith(_TOP):
        return id.replace(_TOP, f"{_TOP}/copy-{n}", 1)
    rows = next(each for each in catalog.app(app).tables if each.table_name == table)
    number = rows.id_number(id)
    return id.replace(str(number), str(number + n * _APART)) if str(number) in id and number else f"{id}-{n}"
