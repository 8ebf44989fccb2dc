"""What a new row has where nothing was given: noted when work is done, since scoring reads only what is on disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from servers.kernel import Change, Toolset

__all__ = ("defaults_of",)


def defaults_of(changes: Iterable[Change], toolsets: Mapping[str, Toolset]) -> dict[str, dict[str, Any]]:
    """`Trajectory.defaults` of these changes: "app.table" -> field -> JSON value, for tables with a new row.

    `toolsets` are those of the apps that made the changes, by app.
    """
    tables = dict.fromkeys((change.app, change.table) for change in changes if change.before is None)
    found = {f"{app}.{table}": toolsets[app].app.table(table).defaults() for app, table in tables}
    return {table: values for table, values in found.items() if values}
