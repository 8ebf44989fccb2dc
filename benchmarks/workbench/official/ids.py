"""Ids as the release gives them, kept beside ours while its calls are played again.

There a new row's id is the largest of its table, compared as text, plus one, so the id of a deleted newest row comes
back; where the largest is not a number, a call that would make a row fails. An update may overwrite the id of an event,
a project task or a customer with one that another row has too; a call that deletes or changes by it then does so to
both. Our apps never give an id again or change one. So calls go in with our ids in place of the release's, and what
they show and leave comes out with the release's again.

What the model said is recorded before each call that was made with another id. Where rows were left with other ids than
ours a last record, `left`, says what the release was left with, which is what is scored. Replaying such a run calls our
apps alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from benchmarks.workbench.official.names import SOURCES
from servers.kernel import App, Defect, Failure, Layer, Tool, World

__all__ = ("Ids", "starting_ids")

_TABLES: Final = {source.app: (source.table, source.key) for source in SOURCES if source.key}
"""App -> its table with ids, and what the release calls them, in arguments as in answers."""


def starting_ids(world: World) -> dict[str, dict[str, str]]:
    """App -> our id -> the release's, in row order: at the start they are the same."""
    return {app: {row["id"]: row["id"] for row in world.rows[app][table]} for app, (table, _) in _TABLES.items()}


class Ids:
    """Which id the release has for each row of one sandbox.

    `start` is what `starting_ids` gives. `zero_filled` as in 2026: there every new id has eight digits and the first
    row of an empty table gets 0, while in 2024 mails were numbered without zeros and an empty table had no largest id.
    """

    def __init__(self, start: Mapping[str, Mapping[str, str]], *, zero_filled: bool) -> None:
        self._start, self._zero_filled = start, zero_filled
        self._rows = {app: dict(ids) for app, ids in start.items()}

    # On the way in.

    def overwritten(self, tool: Tool, arguments: Mapping[str, Any]) -> Literal["id", "field", ""]:
        """What the release changes of a row and our tool does not: its id, a field that events lack, or nothing."""
        known = tool.input_schema["properties"]
        if "new_value" not in known or arguments.keys() != known.keys():
            return ""
        _, key = _TABLES[tool.app]
        field, value = arguments["field"], arguments["new_value"]
        if not field or not value or field in known["field"]["enum"] or not self._known(tool, arguments):
            return ""
        if field == key:
            return "id" if isinstance(value, str) else ""
        return "field" if tool.name == "update_event" else ""

    def overwrite(self, tool: Tool, arguments: Mapping[str, Any]) -> None:
        """Give the row, or all rows that share the id, the new one."""
        for id in self._known(tool, arguments):
            self._rows[tool.app][id] = arguments["new_value"]

    def translated(self, tool: Tool, arguments: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """The arguments with our id in place of the release's; once for each row, where several are to be written."""
        _, key = _TABLES.get(tool.app, ("", ""))
        if not key or not isinstance(arguments.get(key), str):
            return [arguments]
        if found := self._known(tool, arguments):
            return [{**arguments, key: id} for id in (found if tool.destructive else found[:1])]
        if arguments[key] in self._rows[tool.app]:  # ours alone: another row has it here
            return [{**arguments, key: f"{arguments[key]} of the release"}]
        return [arguments]

    def unnumbered(self, layer: Layer, tool: Tool, arguments: Mapping[str, Any]) -> bool:
        """Whether the call would make a row that the release fails to number, since its largest id is not a number."""
        if tool.kind != "writes" or tool.destructive or tool.app not in _TABLES or self._next(tool.app) is not None:
            return False
        trial = layer.fork()
        try:
            tool.call(trial.state(tool.owner), arguments)
        except (Failure, Defect):  # which the call itself will show
            return False
        finally:
            trial.close()
        return True

    def follow(self, writes: Iterable[tuple[str, str, Any]]) -> None:
        """Take in what one call wrote: app, our id, and the row's values, None where it was removed."""
        for app, id, values in writes:
            if app not in _TABLES:
                continue
            if values is None:
                del self._rows[app][id]
            elif id not in self._rows[app]:
                number = self._next(app)
                assert number is not None, f"{app} has a row that the release cannot number"
                self._rows[app][id] = number

    # On the way out.

    def shown(self, tool: Tool, answer: Any) -> Any:
        """An answer with the release's ids."""
        rows, (_, key) = self._rows.get(tool.app, {}), _TABLES.get(tool.app, ("", ""))
        if isinstance(answer, list):
            return [self.shown(tool, item) for item in answer]
        if isinstance(answer, dict):
            return {name: rows.get(item, item) if name == key else item for name, item in answer.items()}
        return rows.get(answer, answer) if isinstance(answer, str) else answer

    def left(self, layer: Layer, apps: Mapping[str, App]) -> dict[str, Any]:
        """`app.table` -> what sets it apart from the world under the release's ids, where those are not ours.

        `changes` are `Change`s without app and table; `number` is that of a new row's id, counted from 0 for the first
        that follows the world's. `in_order`: rows lie as they do where no id moves or comes back, those of the world in
        their places and new ones by id.
        """
        found = {}
        for app, rows in self._rows.items():
            names = {id: _wide(app, name) for id, name in rows.items()}
            if any(id != name for id, name in names.items()):
                table, _ = _TABLES[app]
                found[f"{app}.{table}"] = self._left(layer, apps[app], table, names)
        return found

    def _left(self, layer: Layer, app: App, table: str, names: Mapping[str, str]) -> dict[str, Any]:
        start, state, model = self._start[app.name], layer.state(app), app.table(table)
        changed = {change.id: change for change in layer.changes() if (change.app, change.table) == (app.name, table)}
        now: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for id, name in names.items():
            row = changed[id].after if id in changed else None
            now[name].append(row or state.get(model, id).to_json())
        first = max(map(int, start), default=-1) + 1
        numbers = {f"{first + n:08d}": n for n in range(len(now))}
        changes = []
        for name in {**start, **now}:
            before = None
            if name in start:
                before = changed[name].before if name in changed else state.get(model, name).to_json()
            after: list[Any] = list(now[name])
            if before in after:
                after.remove(before)
            elif before is not None:
                changes.append({"id": name, "before": before, "after": after.pop(0) if after else None, "number": 0})
            changes += [{"id": name, "before": None, "after": row, "number": numbers.get(name, -2)} for row in after]
        place = {id: n for n, id in enumerate(start)}
        order = list(names.values())
        in_order = order == sorted(order, key=lambda name: (place.get(name, len(place)), len(name), name))
        return {"changes": changes, "in_order": in_order}

    # Inside.

    def _known(self, tool: Tool, arguments: Mapping[str, Any]) -> list[str]:
        """Our ids of the rows that have the release's id in `arguments`, in row order."""
        said = arguments[_TABLES[tool.app][1]]
        return [id for id, name in self._rows[tool.app].items() if name == said]

    def _next(self, app: str) -> str | None:
        """The id of a new row: the largest, as text, plus one. None where there is none, or it is not a number."""
        if not self._rows[app] and self._zero_filled:
            return "0".zfill(8)
        try:
            number = int(max(self._rows[app].values())) + 1
        except ValueError:
            return None
        return str(number) if app == "gmail" and not self._zero_filled else str(number).zfill(8)


def _wide(app: str, id: str) -> str:
    """An id as states compare it: those of mails with and without zeros are the same."""
    return id.zfill(8) if app == "gmail" else id
