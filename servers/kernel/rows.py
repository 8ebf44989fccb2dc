"""The rows of one sandbox: those that it touched, over a world's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

from servers.kernel.base import LIVE, START, Base, Shelf
from servers.kernel.errors import NotFound, Rejected
from servers.kernel.table import Table, Tables
from servers.kernel.touched import Held, Mark, Touched

__all__ = ("Rows", "Shelved", "Wrote")

T = TypeVar("T", bound=Table)
D = TypeVar("D")

Wrote = tuple[str, str, str, dict[str, Any] | None]
"""A row that was written: app, table, id, and its values, None where it was removed."""

Shelved = Mapping[Shelf, Mapping[str, Held]]
"""What is touched in some tables."""

_NOTHING = Touched({}, 0, 0)
"""Never written to."""

_FEW = 20
"""Rows that are better read by their ids, which mostly are in Python already: DuckDB plans a search the longer the more
columns it gives (20 microseconds each), and tables grow."""


class Rows:
    """The rows that a sandbox touched, over a base: what its apps read and write, in memory and on a file."""

    def __init__(self, base: Base) -> None:
        self.engine, self.base = base.engine, base
        self.written: list[Wrote] = []
        self._now = base.world.now
        self.clock: Callable[[], datetime] | None = None
        self._touched: dict[Shelf, Touched] = {}
        self._known: dict[tuple[str, Callable[..., Any]], tuple[tuple[bytes, ...], Any]] = {}  # at which stamps
        self._undo: dict[Shelf, Mark] | None = None
        self._readonly = False
        self._mark = 0  # the number of this layer's rows in delta tables; 0 until it has some
        self._kept = False  # on a file
        self._unkept: dict[Shelf, dict[str, Held | None]] = {}
        self._arriving: tuple[Shelved, str] | None = None  # rows of a new start, and what came, for the file
        self._closed = False

    @property
    def now(self) -> datetime:
        """The time inside the sandbox: what `clock` says, if it has one, else what it was set to."""
        return self.clock() if self.clock else self._now

    @now.setter
    def now(self, time: datetime) -> None:
        self._now = time
        if self._kept:
            self.engine._note("now", time.isoformat())

    def get(self, app: Tables, table: type[T], id: str) -> T:
        row = self.there(app, table, id)
        if row is None:
            raise NotFound(table.noun, id)
        return row

    def there(self, app: Tables, table: type[T], id: str) -> T | None:
        held = self._held(self._shelf(app, table), id)
        return None if held is None or held.values is None else table.restored(held.values)

    def find(
        self, app: Tables, table: type[T], where: str, params: Sequence[Any], order: str, limit: int | None
    ) -> list[T]:
        shelf = self._shelf(app, table)
        touched = self._touched.get(shelf) or _NOTHING
        few = limit is not None and limit <= _FEW

        def ask() -> list[tuple[Any, ...]]:
            rows, source = self._mirror(shelf), shelf.base
            if rows:
                columns = shelf.named(where, order) if few else shelf.columns
                shadowed = any(held.base is not None for held in rows.values())
                source = f"({shelf.seen(str(self._mark), columns, shadowed=shadowed)})"
            sql = f'SELECT {"id" if few else shelf.columns} FROM {source} AS "{table.table_name}"'
            if where:
                sql += f" WHERE ({where})"
            if order:
                sql += f" ORDER BY {order}, _ord"
            elif rows:  # base rows lie in row order, and DuckDB keeps it: half of a search in 500 rows saved
                sql += " ORDER BY _ord"
            if limit is not None:
                sql += f" LIMIT {int(limit)}"
            found: list[tuple[Any, ...]] = self.engine.connection.execute(sql, list(params)).fetchall()
            return found

        asked = (app.name, table.table_name, touched.stamp, where, repr(params), order, limit)
        found = self.base.answers.to(asked, ask)
        return [self.get(app, table, id) for (id,) in found] if few else [table.restored(row) for row in found]

    def query(self, app: Tables, sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
        words = set(re.findall(r"\w+", sql.casefold()))
        shelves = [self._shelf(app, table) for table in app.tables]
        touched = {
            shelf: self._touched[shelf]
            for shelf in shelves
            if shelf in self._touched and shelf.table.table_name in words
        }

        def ask() -> list[tuple[Any, ...]]:
            path = [shelf.layered() for shelf in touched if self._mirror(shelf)]
            number = self._mark if path else 0
            plain = dict.fromkeys(shelf.plain for shelf in shelves)
            return self.engine._query((*path, *plain), number, sql, params)

        stamps = tuple((shelf.table.table_name, each.stamp) for shelf, each in touched.items() if each.rows)
        return self.base.answers.to((app.name, sql, repr(params), stamps), ask)

    def derived(self, app: Tables, make: Callable[..., D], known: D | None, anew: Callable[[], D]) -> D:
        touched = [self._touched.get(self._shelf(app, table)) or _NOTHING for table in app.tables]
        stamps = tuple(each.stamp for each in touched)
        if known is not None:
            self._known[app.name, make] = stamps, known
            return known
        then, found = self._known.get((app.name, make), ((), None))
        if found is not None and then == stamps:
            return found  # type: ignore[no-any-return]
        own = (
            ((id, held.place, held.values) for id, held in each.rows.items() if held.values != held.base)
            for each in touched
        )
        changed = tuple(tuple(sorted(rows, key=lambda row: row[0])) for rows in own)
        made: D = self.base.derived((app.name, make, changed), anew)
        return made

    def add(self, app: Tables, row: T) -> T:
        table = type(row)
        shelf = self._shelf(app, table)
        touched = self._writable(shelf)
        if row.id:
            held = self._held(shelf, row.id)
            if held is not None and held.values is not None:
                raise Rejected(f"There is already a {table.noun} with the id {row.id!r}.")
        else:
            held = None
            row = row.model_copy(update={"id": table.id_format.format(touched.number + 1)})
        row = row.checked()
        # Re-adding a removed row appends: its old place is not taken up again.
        self._put(shelf, touched, row.id, Held(touched.place, row.stored(), held and held.base))
        touched.number = max(touched.number, table.id_number(row.id))
        touched.place += 1
        self.written.append((app.name, table.table_name, row.id, row.to_json()))
        return row

    def save(self, app: Tables, row: T) -> T:
        shelf = self._shelf(app, type(row))
        touched = self._writable(shelf)
        held = self._present(shelf, row)
        row = row.checked()
        self._put(shelf, touched, row.id, Held(held.place, row.stored(), held.base))
        self.written.append((app.name, row.table_name, row.id, row.to_json()))
        return row

    def delete(self, app: Tables, row: Table) -> None:
        shelf = self._shelf(app, type(row))
        touched = self._writable(shelf)
        held = self._present(shelf, row)
        self._put(shelf, touched, row.id, Held(held.place, None, held.base))
        self.written.append((app.name, row.table_name, row.id, None))

    @contextmanager
    def transaction(self, *, readonly: bool = False) -> Iterator[None]:
        """All or nothing: whatever the block wrote is undone if it raises."""
        if self._undo is not None:
            raise RuntimeError("transactions do not nest")
        self._undo, self._readonly = {}, readonly
        mark = len(self.written)
        try:
            yield
            self._keep()
        except BaseException:
            for shelf, before in self._undo.items():
                self._touched[shelf].back_to(before)
            self._unkept.clear()
            del self.written[mark:]
            raise
        finally:
            self._undo, self._readonly = None, False

    # Inside.

    def _open(self) -> None:
        if self._closed:
            raise RuntimeError("this sandbox is closed")

    def _shelf(self, app: Tables, table: type[Table]) -> Shelf:
        self._open()
        return self.base.shelf(app, table)

    def _held(self, shelf: Shelf, id: str) -> Held | None:
        """The row as this layer has it, gone or not; None if it never was."""
        touched = self._touched.get(shelf)
        return touched.rows[id] if touched and id in touched.rows else shelf.row(id)

    def _present(self, shelf: Shelf, row: Table) -> Held:
        held = self._held(shelf, row.id)
        if held is None or held.values is None:
            raise NotFound(row.noun, row.id)
        return held

    def _writable(self, shelf: Shelf) -> Touched:
        """What is touched in that table, ready to be changed and, inside a transaction, to be put back."""
        if self._readonly:
            raise TypeError("a tool declared with `reads` tried to write")
        touched = self._touched.get(shelf)
        if touched is None:
            touched = self._touched[shelf] = Touched({}, shelf.number, shelf.length)
        if self._undo is not None and shelf not in self._undo:
            self._undo[shelf] = touched.mark()
        return touched

    def _put(self, shelf: Shelf, touched: Touched, id: str, held: Held) -> None:
        touched.put(id, held)
        if self._kept:
            self._unkept.setdefault(shelf, {})[id] = held
            if self._undo is None:
                self._keep()

    def _keep(self) -> None:
        """Bring the file up to date, in one transaction of its own."""
        if not self._unkept and not self._arriving:
            return
        start, came = self._arriving or ({}, "")
        with self.engine.atomic():
            for number, some in ((LIVE, self._unkept), (START, start)):
                for shelf, held in some.items():
                    shelf.erase(shelf.kept, number, held)
                    shelf.write(shelf.kept, number, {id: row for id, row in held.items() if row is not None})
            if self._arriving:
                self.engine._note("started", "yes")
                self.engine._note("came", came)
        self._unkept = {}

    def _mirror(self, shelf: Shelf) -> Mapping[str, Held]:
        """Bring the delta table up to date; gives the rows touched."""
        touched = self._touched.get(shelf)
        if touched is None:
            return {}
        if touched.stale:
            self._mark = self._mark or self.engine._next()
            old, fresh = touched.behind()
            if old:
                shelf.erase(shelf.delta, self._mark, old)
            shelf.write(shelf.delta, self._mark, fresh)
            touched.follow(old, fresh)
        return touched.rows

    def _retire(self) -> None:
        """Leave this layer's rows in delta tables behind; the engine sweeps them up."""
        if self._mark:
            self.engine._retire(self._mark, [shelf.delta for shelf, t in self._touched.items() if t.mirrored])
            self._mark = 0

    def _recall(self, shelf: Shelf, number: int) -> None:
        """Take what the file kept. Rows that are gone stay listed, so that no id comes back."""
        if rows := shelf.keepsake(number):
            touched = self._touched[shelf] = Touched(
                {},
                max(shelf.number, *map(shelf.table.id_number, rows)),
                max(shelf.length, *(held.place + 1 for held in rows.values())),
            )
            for id, held in rows.items():
                touched.put(id, held)
