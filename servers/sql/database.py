"""What the child process runs: DuckDB in memory, locked, with a few databases that were asked for last.

A database is a DuckDB instance of its own, since what is attached to one instance can be read from all of it. None
keeps anything but tables, so that one can be made into another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from itertools import compress, count
from operator import ne
from typing import Any, Final, NamedTuple

import duckdb

from servers.sql.allowed import READS, TIMES, Functions, Refused, Token, check, words
from servers.sql.bounds import fit, plain
from servers.sql.contents import Described, Row, described, key, key_after, ordered, size
from servers.sql.exact import as_texts, shortest
from servers.sql.shown import ROWS, table, trouble

__all__ = ("answer", "settle")

_KEPT: Final = 4
_PARSED: Final = 100
"""Databases, and statements of our own for each."""

_OPENED: Final = {"threads": 1, "memory_limit": "64MB", "temp_directory": "", "python_enable_replacements": False}

_SETTINGS: Final = (
    "async_threads = 0",
    "TimeZone = 'UTC'",
    "allow_persistent_secrets = false",
    "allow_community_extensions = false",
    "autoinstall_known_extensions = false",
    "autoload_known_extensions = false",
    "secret_directory = ''",
    "enable_external_access = false",
)
"""In this order, before the macros and the lock."""

_AS_TEXT: Final = ("DECIMAL", "DATE", "TIME")
"""Beginnings of types whose values are texts in JSON, so that they are what DuckDB says and no digit is lost."""

_FLOATS: Final = ("FLOAT", "DOUBLE")
"""Types with two zeros, which are equal: a database keeps the one without a sign."""

_CHANGES: Final = ("INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE")

_SOMETIMES: Final = frozenset(("SAMPLE", "TABLESAMPLE", "RESERVOIR_QUANTILE"))


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one request, by its `do`.

    - `load`: make the database of that `key` from `relations`.
    - `run`: run `statement` in the database `key` at the time `now`. Gives {"unknown": True} where that is not here,
      `refused` with the reason, or `text`, with what `changed` and the `key` that the database has then.
    - `probe`: see whether a database works at all.

    Raises `MemoryError` where the process can get no more. A statement that needs more than a database may use is
    refused instead.
    """
    try:
        return _answer(request)
    except duckdb.OutOfMemoryException as error:
        raise MemoryError(str(error)) from None


def _answer(request: Mapping[str, Any]) -> dict[str, Any]:
    databases = _databases()
    if request["do"] == "probe":
        return {"text": _Database().run("SELECT 42", "2000-01-01 00:00:00")["text"]}
    name = request["key"]
    if request["do"] == "load":
        database = _spare(databases)
        database.become(described(request["relations"]), name)
        databases.append(database)
        return {}
    found = next((database for database in databases if database.key == name), None)
    if found is None:
        return {"unknown": True}
    databases.remove(found)
    told = found.run(request["statement"], request["now"])
    if found.sound:
        databases.append(found)
    return told


def settle() -> None:
    """Make the databases as new ones again, which the next statement would otherwise wait for."""
    for database in _databases():
        database.renew()


@cache
def _databases() -> list[_Database]:
    """That which was asked for last at the end. Two have the same key where the same was done in both."""
    return []


def _spare(databases: list[_Database]) -> _Database:
    """A database to be made into another, no longer in the list; a new one only while there are few.

    The first choice is one whose like stays. A new one takes some twenty times as long.
    """
    keys = Counter(database.key for database in databases)
    twin = next((database for database in databases if keys[database.key] > 1), None)
    if twin is None and len(databases) < _KEPT:
        return _Database()
    spare = databases[0] if twin is None else twin
    databases.remove(spare)
    return spare


class _Told(NamedTuple):
    """What can be seen of a statement in its text, in upper case. In doubt it does more and names more."""

    kind: str
    text: str

    def only(self, kind: str) -> bool:
        """Whether that is all it does: in a WITH it can do other things on the way."""
        return self.kind == kind and not any(other in self.text for other in _CHANGES if other != kind)

    def names(self, name: str) -> bool:
        """Whether it may name that relation or column, which can be written in quotes of two kinds."""
        return name.upper() in self.text or "'" in name or '"' in name


class _Database:
    """A DuckDB instance with some relations. `sound` is whether it can be used again."""

    def __init__(self) -> None:
        self.relations: Described = []
        self.key, self.sound, self._size = key([]), True, 0
        self._now = ""
        self._open: set[str] | None = None  # relations named by the statement whose transaction is not yet committed
        self._lying: dict[str, bool] = {}  # whether a table, when it was last read, lay in order and without gaps
        self._con = con = duckdb.connect(":memory:", config=_OPENED)
        # Not of `self`: in a circle the instance, with 5 MB and more, would outlive its last use.
        self._ours = lru_cache(_PARSED)(lambda statement: con.extract_statements(statement)[0])
        for setting in _SETTINGS:
            self._con.execute(f"SET {setting}")
        self._functions = Functions.of(
            self._con.execute(
                "SELECT function_name, function_type, stability, macro_definition FROM duckdb_functions()"
            ).fetchall(),
            (
                name
                for (name,) in self._con.execute(
                    "SELECT view_name FROM duckdb_views() WHERE internal AND schema_name <> 'information_schema' "
                    "AND view_name NOT IN ('sqlite_master', 'sqlite_schema')"
                ).fetchall()
            ),
        )
        self._at("2000-01-01 00:00:00")
        self._con.execute("SET lock_configuration = true")

    def become(self, relations: Described, key_of_these: str) -> None:
        """Hold these relations and no others, under that key."""
        self.renew()
        had = {name: (columns, rows) for name, columns, rows in self.relations}
        with self._transaction():
            for name in had.keys() - {name for name, _, _ in relations}:
                self._con.execute(f"DROP TABLE {_quoted(name)}")
            for name, columns, rows in relations:
                if had.get(name) != (columns, rows):
                    self._write(name, columns, rows)
        self.relations, self.key = relations, key_of_these
        self._size = size(row for _, _, rows in relations for row in rows)
        for given, found in zip(relations, self._read((name, columns) for name, columns, _ in relations), strict=True):
            if key([given]) != key([found]):
                raise ValueError(f"{given[0]} is not as DuckDB writes it: {_first(given[2], found[2])}")

    def run(self, statement: str, now: str) -> dict[str, Any]:
        """The text of its result and what it changed, or why it was refused, with nothing changed."""
        names = [name for name, _, _ in self.relations]
        self.renew()
        try:
            if self._now != now:
                self._at(now)
            return self._run(statement)
        except Refused as refused:
            return {"refused": str(refused)}
        except Exception as error:  # whatever a statement makes of itself is not our fault
            if _full(error):  # other databases may have most of it: a new process can tell
                raise
            if not isinstance(error, duckdb.Error) or isinstance(
                error, duckdb.InternalException | duckdb.FatalException
            ):
                self.sound = False
            return {"refused": trouble(type(error).__name__, str(error), names)}

    def _run(self, statement: str) -> dict[str, Any]:
        kind, found = self._parsed(statement)
        tokens = _words(statement)
        check(kind, tokens, self._functions)
        upper = {token.text.upper() for token in tokens}
        told = _Told(kind, statement.upper())
        if kind not in READS:
            self._open = self._named(told)
        with self._transaction(readonly=kind in READS, kept=kind not in READS):
            names, rows = self._result(kind, found, sampled=bool(upper & _SOMETIMES))
            if kind in READS:
                return {"text": _plan(rows) if kind == "EXPLAIN" else table(names, rows)}
            if kind in ("CREATE", "ALTER", "DROP"):
                after = self._read(self._shape())
            else:
                after = [
                    (name, columns, self._after(told, name, columns, rows) if told.names(name) else rows)
                    for name, columns, rows in self.relations
                ]
            changed = _difference(self.relations, after)
            total = self._size
            if changed:
                total += sum(map(size, changed["new"].values())) - sum(map(size, changed["gone"].values()))
                fit(after, total, changed)
            text = table(names, rows) if "RETURNING" in upper and names != ["Count"] else _done(kind, rows)
        if changed:
            self.relations, self.key, self._size = after, key_after(self.key, changed), total
        self._open = self._named(told)
        return {"text": text, "changed": changed, "key": self.key}

    def _result(self, kind: str, statement: Any, *, sampled: bool) -> tuple[list[str], list[Row]]:
        """Names of the columns, and up to one row more than `ROWS`.

        A SELECT that gives what Python has otherwise than DuckDB is run again and gives that as DuckDB writes it.
        Raises `Refused` for another statement that does, unless only with a day without end: a table holds none.
        """
        columns, rows = self._fetched(statement, sampled=sampled)
        names, kinds = [name for name, _ in columns], [kind for _, kind in columns]
        texts = as_texts(kinds, rows)
        if kind == "SELECT" and texts != kinds:
            cast = ", ".join(f"CAST(#{place} AS {text})" for place, text in enumerate(texts, 1))
            _, rows = self._fetched(f"SELECT {cast} FROM (\n{_unended(statement.query)}\n)", sampled=sampled)
        elif as_texts(kinds, ()) != kinds:
            raise Refused(
                "What RETURNING gives is an interval, or a time with nanoseconds, and can be shown here only as "
                "text: write CAST(... AS VARCHAR). Nothing was changed."
            )
        return names, shortest(kinds, rows)

    def _fetched(self, statement: Any, *, sampled: bool) -> tuple[list[tuple[str, str]], list[Row]]:
        """Names and types of the columns, and up to one row more than `ROWS`; samples are drawn as at first."""
        if sampled:
            self._con.execute("SELECT setseed(0.5)")
        cursor = self._con.execute(statement)
        return [(column[0], str(column[1])) for column in cursor.description or ()], cursor.fetchmany(ROWS + 1)

    def _named(self, told: _Told) -> set[str]:
        return {name for name, _, _ in self.relations if told.names(name)}

    def renew(self) -> None:
        """Write anew what the last statement named, and commit: order, estimates and all else are as in a new database.

        So too where it failed: DuckDB keeps what an UPDATE that is undone made of its estimates. This comes after the
        answer. Should it fail, the process ends, and what was answered holds.
        """
        if self._open is not None:
            for name, columns, _ in self.relations:
                if name in self._open:
                    self._settle(name, columns)
            self._do("COMMIT")
            self._open = None

    def _parsed(self, statement: str) -> tuple[str, Any]:
        """The one statement that it is, after its type."""
        found = self._con.extract_statements(statement)
        if len(found) != 1:
            raise Refused(f"One statement is run at a time; {f'these are {len(found)}' if found else 'this is none'}.")
        try:
            return found[0].type.name, found[0]
        except ValueError:  # a type that the binding has no name for
            return "", found[0]

    def _read(self, shape: Iterable[tuple[str, list[tuple[str, str]]]]) -> Described:
        """The relations of these names and columns as they are now, sorted."""
        return [
            (name, columns, self._sorted(name, self._rows(f"SELECT {_cells(columns)} FROM {_quoted(name)}")))
            for name, columns in shape
        ]

    def _after(self, told: _Told, name: str, columns: Sequence[tuple[str, str]], rows: list[Row]) -> list[Row]:
        """Rows of a relation after a statement, of which only what can have changed is read.

        The rows lay in order, and each stays where it is: an INSERT adds some behind them, a DELETE leaves some out, an
        UPDATE names the columns that it sets.
        """
        read, there = _cells(columns), f"FROM {_quoted(name)}"
        numbered = all(column.lower() != "rowid" for column, _ in columns)  # one of that name hides DuckDB's
        if told.only("INSERT"):
            found = [*rows, *self._rows(f"SELECT {read} {there} OFFSET ?", len(rows))]
        elif told.only("DELETE") and numbered:
            found = [rows[place] for (place,) in self._do(f"SELECT rowid {there}").fetchall()]
        elif told.only("UPDATE") and rows:
            places = [place for place, (column, _) in enumerate(columns) if told.names(column)]
            found = rows
            if places:  # none where it only reads the relation, or a text or a column is called like it
                cells = self._rows(f"SELECT {_cells([columns[place] for place in places])} {there}")
                found = _with(rows, places, cells)
        else:
            found = self._rows(f"SELECT {read} {there}")
        return self._sorted(name, found, gaps=not told.only("UPDATE"))

    def _rows(self, statement: str, *given: int) -> list[Row]:
        """All rows that one of our own statements finds."""
        rows: list[Row] = self._do(statement, given).fetchall()
        return rows

    def _sorted(self, name: str, found: list[Row], *, gaps: bool = False) -> list[Row]:
        """The rows in order; it is kept whether they lie so. With `gaps` they do not: estimates would tell of them."""
        rows = ordered(found)
        self._lying[name] = rows == found and not gaps
        return rows

    def _shape(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Names and columns of all tables. Raises `Refused` for tables that are not plain."""
        tables = self._con.execute(
            "SELECT table_name, sql, schema_name = 'main' AND NOT temporary FROM duckdb_tables() ORDER BY table_name"
        ).fetchall()
        if not all(here for _, _, here in tables):
            raise Refused("A table cannot be temporary or stand in another schema. Nothing was changed.")
        columns: dict[str, list[tuple[str, str]]] = {name: [] for name, _, _ in tables}
        for name, column, kind in self._con.execute(
            "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal "
            "ORDER BY table_name, column_index"
        ).fetchall():
            columns[name].append((column, kind))
        for name, sql, _ in tables:
            plain(name, columns[name])
            if _texts(sql) != _texts(f"CREATE TABLE {_declared(name, columns[name])};"):
                raise Refused(
                    "A column here has a name and a type and nothing else: leave out PRIMARY KEY, UNIQUE, NOT NULL, "
                    "DEFAULT, CHECK, REFERENCES, COLLATE and the like. Nothing was changed."
                )
        return sorted(columns.items())

    def _write(self, name: str, columns: Sequence[tuple[str, str]], rows: Sequence[Row]) -> None:
        self._con.execute(f"CREATE OR REPLACE TABLE {_declared(name, columns)}")
        if rows:
            appender = self._con.appender(name)
            appender.append_rows(rows)
            appender.flush()

    def _settle(self, name: str, columns: Sequence[tuple[str, str]]) -> None:
        """Write a table anew from what is in it, in order: sooner done than to append all rows."""
        table, order = _quoted(name), f" ORDER BY {_cells(columns)}" * (not self._lying[name])
        kept = ", ".join(f"{_kept(column, kind)} AS {_quoted(column)}" for column, kind in columns)
        self._do(f"CREATE OR REPLACE TABLE {table} AS SELECT {kept} FROM {table}{order}")

    def _do(self, statement: str, given: Sequence[int] = ()) -> Any:
        """Run a statement of our own; those that come again are parsed once."""
        return self._con.execute(self._ours(statement), given)

    def _at(self, now: str) -> None:
        """Have the functions that tell the time say that it is then."""
        for kind, names in TIMES.items():
            for name in names:
                self._con.execute(f"CREATE OR REPLACE MACRO {name}() AS CAST(TIMESTAMP '{now}' AS {kind})")
        self._now = now

    @contextmanager
    def _transaction(self, *, readonly: bool = False, kept: bool = False) -> Iterator[None]:
        """Undone if the block raises or only reads. `kept` leaves one open, for `renew` to end."""
        self._do(f"BEGIN TRANSACTION{' READ ONLY' * readonly}")
        try:
            yield
        except BaseException:
            with suppress(duckdb.Error):
                self._do("ROLLBACK")
                if kept:
                    self._do("BEGIN TRANSACTION")
            raise
        if not kept:
            self._do("ROLLBACK" if readonly else "COMMIT")


def _full(error: Exception) -> bool:
    """Whether the process can get no more memory. Of its own bound for a database, DuckDB says how much is used."""
    return isinstance(error, MemoryError) or (
        isinstance(error, duckdb.OutOfMemoryException) and " used)" not in str(error)
    )


def _unended(statement: str) -> str:
    """A statement without the semicolon at its end and what follows that."""
    raw, marks = statement.encode(), duckdb.tokenize(statement)
    ends = (place for place, mark in marks if mark.name == "operator" and raw[place : place + 1] == b";")
    return raw[: next(ends, None)].decode()


def _words(text: str) -> list[Token]:
    return words(text, [(place, mark.name) for place, mark in duckdb.tokenize(text)])


def _texts(sql: str) -> list[str]:
    return [token.text for token in _words(sql)]


def _declared(name: str, columns: Sequence[tuple[str, str]]) -> str:
    """A plain table as CREATE TABLE takes it."""
    return f"{_quoted(name)}({', '.join(f'{_quoted(column)} {kind}' for column, kind in columns)})"


def _cells(columns: Sequence[tuple[str, str]]) -> str:
    """The columns as they are read and sorted by, for SELECT and ORDER BY."""
    return ", ".join(
        f"CAST({_quoted(column)} AS VARCHAR)" if kind.startswith(_AS_TEXT) else _kept(column, kind)
        for column, kind in columns
    )


def _kept(column: str, kind: str) -> str:
    """The column's values as a database keeps them."""
    return f"{_quoted(column)} + 0" if kind in _FLOATS else _quoted(column)


def _with(rows: list[Row], places: Sequence[int], cells: list[Row]) -> list[Row]:
    """The rows with these cells at those places, row for row."""
    columns = list(zip(*rows, strict=True))
    for place, column in zip(places, zip(*cells, strict=True), strict=False):
        columns[place] = column
    return list(zip(*columns, strict=True))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _first(given: Sequence[Row], found: Sequence[Row]) -> str:
    """The first row that is another than was given."""
    pairs = zip(given, found, strict=False)
    return next(
        (f"{ours} became {theirs}" for ours, theirs in pairs if repr(ours) != repr(theirs)), "rows are not sorted"
    )


def _plan(rows: Sequence[Sequence[Any]]) -> str:
    return "\n".join(str(row[-1]) for row in rows)


def _done(kind: str, rows: Sequence[Sequence[Any]]) -> str:
    """What an agent reads of a statement that gives no rows."""
    verb = {"INSERT": "inserted", "UPDATE": "updated", "DELETE": "deleted", "MERGE_INTO": "changed"}.get(kind)
    if verb and rows and isinstance(rows[0][0], int):
        count = rows[0][0]
        return f"{count:,} row{'s' * (count != 1)} {verb}."
    return "Done."


def _difference(before: Described, after: Described) -> dict[str, Any] | None:
    """Relations and rows that one has and the other does not; None where both are the same."""
    had = {name: (columns, rows) for name, columns, rows in before}
    has = {name: (columns, rows) for name, columns, rows in after}
    changed: dict[str, Any] = {
        "dropped": [name for name in had if name not in has],
        "made": [[name, columns] for name, (columns, _) in has.items() if name not in had or had[name][0] != columns],
        "gone": {},
        "new": {},
    }
    for name in {**had, **has}:
        old, new = (side.get(name, ([], [])) for side in (had, has))
        if old[0] == new[0]:
            gone, came = _apart(old[1], new[1])
        else:  # 1 may have become true, which Python calls equal
            gone, came = Counter(old[1]), Counter(new[1])
        for what, rows in (("gone", gone), ("new", came)):
            if rows:
                changed[what][name] = ordered(rows.elements())
    return changed if any(changed.values()) else None


def _apart(old: list[Row], new: list[Row]) -> tuple[Counter[Row], Counter[Row]]:
    """What there is more of in each of two sorted lists. Rows that both begin or end with are not counted."""
    most = min(len(old), len(new))
    first = next(compress(count(), map(ne, old, new)), most)
    last = min(next(compress(count(), map(ne, reversed(old), reversed(new))), most), most - first)
    had, has = (Counter(rows[first : len(rows) - last]) for rows in (old, new))
    return had - has, has - had
