"""Statements of an agent's own over 300 rows: what rows as truth and a child process add to DuckDB.

python -m tests.bench --only sql
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any, Final

import duckdb

from servers.kernel import Engine, State, World
from servers.sql import app, records, running
from tests.bench.timing import Figure, timed, timed_in_turn

__all__ = ("figures",)

ROWS: Final = 300
ABOVE: Final = 3.0
"""Milliseconds that a statement may take longer than DuckDB alone does."""

COLUMNS: Final = {
    "id": "INTEGER",
    "name": "VARCHAR",
    "paid": "DECIMAL(10,2)",
    "day": "DATE",
    "open": "BOOLEAN",
}

STATEMENTS: Final = {
    "rows by a condition": "SELECT * FROM orders WHERE paid > 200 ORDER BY id LIMIT 20",
    "an aggregate": "SELECT open, count(*), sum(paid) FROM orders GROUP BY open ORDER BY open",
    "an update of one row": "UPDATE orders SET name = 'order {n}!' WHERE id = {n}",
    "an insert": "INSERT INTO orders VALUES (1000 + {n}, 'new', 1, NULL, true)",
}


def figures() -> Iterator[Figure]:
    """Each statement by DuckDB alone and by the app, in turn; before them the first, which starts a process."""
    rows = [(n, f"order {n}", f"{n}.50", f"2026-01-{1 + n % 28:02d}", n % 3 == 0) for n in range(ROWS)]
    header = [{"name": name, "type": kind} for name, kind in COLUMNS.items()]
    world = World(
        "bench",
        datetime(2026, 3, 9),
        {
            "sql": {
                "relation": [{"id": "orders", "name": "orders", "header": header}],
                "record": records("orders", rows),
            }
        },
    )
    engine = Engine()
    base = engine.load(world)
    conditions = f"a table of {ROWS} rows"
    layer = engine.layer(base)
    first = timed(partial(_ours, layer.state(app), "SELECT 1"), times=3, before=lambda _: running._child.end())
    yield first.figure("a statement that starts the process", conditions)
    for what, statement in STATEMENTS.items():
        con = duckdb.connect(":memory:", config={"threads": 1})
        con.execute(f"CREATE TABLE orders ({', '.join(f'{name} {kind}' for name, kind in COLUMNS.items())})")
        con.executemany(f"INSERT INTO orders VALUES ({', '.join('?' * len(COLUMNS))})", rows)
        layer.reset()
        alone, ours = timed_in_turn(partial(_alone, con, statement), partial(_ours, layer.state(app), statement))
        con.close()
        yield alone.figure(f"{what}, DuckDB alone", conditions)
        yield ours.figure(f"{what}, run_sql", conditions, f"{alone.median + ABOVE:.3f} ms")
    layer.close()
    engine.close()


def _alone(con: Any, statement: str, n: int) -> None:
    con.execute(statement.format(n=n)).fetchall()


def _ours(state: State, statement: str, n: int) -> None:
    app.default.tool("run_sql").call(state, {"statement": statement.format(n=n)})
