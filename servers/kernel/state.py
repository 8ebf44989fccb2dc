"""One app's rows inside one sandbox: the first argument of every tool."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

from servers.kernel.rows import Rows
from servers.kernel.table import Table, Tables
from servers.kernel.world import Owner

__all__ = ("State",)

T = TypeVar("T", bound=Table)
D = TypeVar("D")


class State:
    """Rows, clock and ids of one app in one sandbox.

    SQL fragments (`where`, `order`) are the app author's own text; whatever comes from an agent
    goes into `params`, as `?`. A column whose name is a word of SQL is quoted in them: `"group" = 0`.
    """

    def __init__(self, rows: Rows, app: Tables) -> None:
        self._rows, self._app = rows, app

    @property
    def now(self) -> datetime:
        """The time inside the sandbox. No tool reads the machine's clock."""
        return self._rows.now

    @property
    def owner(self) -> Owner | None:
        """Whose workplace it is; None where the world does not say."""
        return self._rows.base.world.owner

    @property
    def address(self) -> str:
        """The owner's e-mail address; "" where the world does not say."""
        return self.owner.address if self.owner else ""

    @property
    def zone(self) -> str:
        """The owner's time zone by its IANA name; "" where the world does not say."""
        return self.owner.zone if self.owner else ""

    def get(self, table: type[T], id: str) -> T:
        """The row with that id. Raises `NotFound`."""
        return self._rows.get(self._app, table, id)

    def there(self, table: type[T], id: str) -> T | None:
        """As `get`; None where there is no such row."""
        return self._rows.there(self._app, table, id)

    def find(
        self,
        table: type[T],
        where: str = "",
        params: Sequence[Any] = (),
        *,
        order: str = "",
        limit: int | None = None,
    ) -> list[T]:
        """Rows that satisfy `where`, in row order unless `order` says otherwise; ties keep row order."""
        return self._rows.find(self._app, table, where, params, order, limit)

    def query(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Rows of one SELECT over the app's tables by name; `_ord` is the row order.

        Raises ValueError for anything else; a SELECT that writes fails too.
        """
        return self._rows.query(self._app, sql, params)

    def derived(self, make: Callable[[State], D], *, known: D | None = None) -> D:
        """What `make` makes of the app's rows, an index say: made once for all sandboxes in which they are the same.

        `make` is a function of a module that looks at rows alone: not at the time, and at nothing that another call
        could change. What it gives is shared, so it is never changed. It is kept with the world, and goes with it.
        `known` is what it would give, from a caller that has it already, and is kept with the sandbox.
        """
        return self._rows.derived(self._app, make, known, lambda: make(self))

    def add(self, row: T) -> T:
        """Append a row and return it with its id; an empty id gets the next one.

        Raises `Rejected` if the id is taken, or a value is more than its column can hold.
        """
        return self._rows.add(self._app, row)

    def save(self, row: T) -> T:
        """Replace the row of the same id, keeping its place. Raises `NotFound`."""
        return self._rows.save(self._app, row)

    def delete(self, row: Table) -> None:
        """Remove the row of that id. Raises `NotFound`."""
        self._rows.delete(self._app, row)

    @contextmanager
    def transaction(self, *, readonly: bool = False) -> Iterator[None]:
        """All or nothing: whatever the block wrote is undone if it raises."""
        with self._rows.transaction(readonly=readonly):
            yield
