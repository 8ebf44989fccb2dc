"""Statements in a database: rows are the truth, and the process that runs them is nothing but a cache."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from servers.kernel import ChildBroken, Fault
from servers.sql import STOPPED, app, record_id, running
from servers.sql.contents import contents, ordered
from servers.sql.tables import Cell
from tests.apps.sql_desk import NOW, ROOMS, Database, database, filled, held

TYPES = {
    "flag": "BOOLEAN",
    "small": "TINYINT",
    "whole": "BIGINT",
    "huge": "HUGEINT",
    "money": "DECIMAL(12,2)",
    "ratio": "DOUBLE",
    "name": "VARCHAR",
    "day": "DATE",
    "hour": "TIME",
    "moment": "TIMESTAMP",
}
ROWS: list[list[Any]] = [
    [
        True,
        7,
        -(2**63),
        10**38,
        "1234567890.10",
        0.1,
        "né 'x' \"y\"\n",
        "2024-02-29",
        "23:59:59.5",
        "2024-02-29 00:00:00",
    ],
    [False, -8, 2**63 - 1, -1, "-0.05", 1e300, "", "0001-01-01", "00:00:00", "9999-12-31 23:59:59.999999"],
    [None] * 10,
]


@pytest.fixture
def rooms() -> Iterator[Database]:
    with database() as there:
        yield there


def lost() -> None:
    """End the process, as a crash would."""
    running._child.end()


def test_rows_are_shown_as_json_lists_under_the_names_of_their_columns(rooms: Database) -> None:
    assert rooms("SELECT * FROM rooms WHERE number < 3 ORDER BY number") == (
        '["number", "label", "rent", "free_from"]\n[1, "Attic", 420.00, "2026-03-20"]\n[2, "Cellar", 95.50, null]'
    )


def test_an_empty_statement_lists_tables_with_their_columns_and_counts(rooms: Database) -> None:
    assert rooms(" \n") == "rooms(number INTEGER, label VARCHAR, rent DECIMAL(10,2), free_from DATE), 3 rows"


def test_a_database_without_tables_says_so() -> None:
    with database({}) as empty:
        assert (empty(""), empty("SELECT 6 * 7")) == ("There are no tables yet.", '["(6 * 7)"]\n[42]')


def test_every_type_comes_back_as_it_was_kept_whether_or_not_the_process_was_lost() -> None:
    with database({"kept": (TYPES, ROWS)}) as kept:
        before = kept("SELECT * FROM kept")
        kept("CREATE TABLE other AS SELECT * FROM kept")
        lost()

        assert kept("SELECT * FROM kept") == kept("SELECT * FROM other") == before
        assert kept("SELECT * FROM kept EXCEPT ALL SELECT * FROM other").endswith("[no rows]")
        assert [cells for what, cells in kept.changes() if what == "insert other" and cells] == sorted(ROWS, key=repr)


def test_an_update_is_a_record_less_and_a_record_more(rooms: Database) -> None:
    assert rooms("UPDATE rooms SET rent = rent + 0.50 WHERE number = 2") == "1 row updated."
    assert rooms.changes() == [
        ("delete rooms", [2, "Cellar", "95.50", None]),
        ("insert rooms", [2, "Cellar", "96.00", None]),
    ]


def test_a_change_that_is_taken_back_is_no_change(rooms: Database) -> None:
    rooms("UPDATE rooms SET label = upper(label)")
    rooms("DELETE FROM rooms WHERE number = 4")
    rooms("INSERT INTO rooms VALUES (4, 'Office', 610, '2026-04-01')")
    rooms("UPDATE rooms SET label = 'Attic' WHERE number = 1")
    rooms("UPDATE rooms SET label = 'Cellar' WHERE label = 'CELLAR'")

    assert rooms.layer.changes() == []


def test_equal_rows_are_counted(rooms: Database) -> None:
    rooms("INSERT INTO rooms SELECT 9, 'Box', 1, NULL FROM range(12)")
    rooms("DELETE FROM rooms WHERE rowid IN (SELECT rowid FROM rooms WHERE number = 9 LIMIT 5)")
    box: tuple[Cell, ...] = (9, "Box", "1.00", None)

    assert {change.id for change in rooms.layer.changes()} == {record_id("rooms", box, number) for number in range(7)}
    assert rooms.rows("SELECT count(*) FROM rooms WHERE number = 9") == ["[7]"]


def test_what_is_known_after_a_statement_is_what_the_rows_say(rooms: Database) -> None:
    for statement in (
        "CREATE TABLE flags AS SELECT range % 2 AS flag FROM range(6)",
        "ALTER TABLE flags ALTER flag TYPE BOOLEAN",  # 1 becomes true, which Python calls equal
        "DELETE FROM flags WHERE rowid IN (SELECT min(rowid) FROM flags WHERE flag)",
        "INSERT INTO flags VALUES (true), (NULL), (NULL)",
        "UPDATE rooms SET number = number + 1",
        "ALTER TABLE rooms DROP label",
        "DROP TABLE flags",
    ):
        rooms(statement)
        state = rooms.layer.state(app)
        known, read = state.derived(contents), contents(state)

        assert repr(known.relations) == repr(read.relations)
        assert {name: dict(same) for name, same in known.ids.items()} == {
            name: dict(same) for name, same in read.ids.items()
        }


@pytest.mark.parametrize(
    "statement",
    [
        "WITH gone AS (DELETE FROM rooms WHERE number = 1 RETURNING *) INSERT INTO kept SELECT number, 0 FROM gone",
        "WITH more AS (UPDATE rooms SET number = 8 RETURNING *) DELETE FROM kept WHERE a€b = 1",
        "INSERT INTO 'kept' VALUES (-1, -0.0), (7, 0.0)",
        "TRUNCATE kept",
        "DELETE FROM KEPT USING rooms WHERE a€b = number",
        "UPDATE kept SET A€B = 5 - a€b",
        "UPDATE kept SET ratio = 1 - ratio * -1",
        "UPDATE kept SET (ratio) = (SELECT max(number) FROM rooms)",
        "UPDATE rooms SET number = a€b, label = NULL FROM kept WHERE number = a€b + 1",
        "MERGE INTO kept USING rooms ON a€b = number WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN "
        "INSERT VALUES (0, 1) RETURNING *",
    ],
)
def test_after_a_change_of_any_kind_the_rows_are_those_of_the_database(rooms: Database, statement: str) -> None:
    rooms('CREATE TABLE "Kept" AS SELECT range AS a€b, -0.0::DOUBLE AS ratio FROM range(4)')
    rooms("INSERT INTO kept VALUES (2, 0.0), (2, 0.0)")
    before = [rooms("FROM rooms"), rooms("FROM kept")]
    rooms(statement)
    there = [rooms("SELECT rowid, * FROM rooms"), rooms("SELECT rowid, * FROM kept")]
    lost()

    assert [rooms("SELECT rowid, * FROM rooms"), rooms("SELECT rowid, * FROM kept")] == there
    assert [rooms("FROM rooms"), rooms("FROM kept")] != before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE staff SET pay = 2 WHERE EXISTS (FROM rooms)",
        "UPDATE staff SET pay = 2 WHERE (SELECT count(*) FROM rooms) = 3",
        "UPDATE staff SET pay = 2 /* for the rooms */",
        "UPDATE staff SET pay = 2 WHERE 'all rooms' IS NOT NULL",
        "UPDATE staff SET pay = 2 WHERE dept = 1",
    ],
)
def test_an_update_may_name_a_relation_without_its_columns(statement: str) -> None:
    given: dict[str, tuple[dict[str, str], list[list[Any]]]] = {
        "dept": ({"title": "VARCHAR"}, [["Post"]]),
        "rooms": ({"number": "INTEGER"}, [[1], [2], [4]]),
        "staff": ({"dept": "INTEGER", "pay": "INTEGER"}, [[1, 1]]),
    }
    with database(given) as there:
        assert there(statement) == "1 row updated."
        assert there.changes() == [("delete staff", [1, 1]), ("insert staff", [1, 2])]


def test_the_same_rows_give_the_same_digest_and_answers_however_they_came_to_be(rooms: Database) -> None:
    rooms("INSERT INTO rooms VALUES (3, 'Den', 200, NULL)")
    rooms("UPDATE rooms SET rent = 0 WHERE number IN (3, 1)")
    rooms("DELETE FROM rooms WHERE number = 2")
    with database() as other:
        other("DELETE FROM rooms WHERE number < 4")
        other("INSERT INTO rooms VALUES (3, 'Den', 0, NULL), (1, 'Attic', 0, '2026-03-20')")

        assert rooms.layer.digest() == other.layer.digest()
        for statement in (
            "FROM rooms",
            "SELECT rowid, * FROM rooms",
            "EXPLAIN SELECT * FROM rooms WHERE number = 3",
            "",
        ):
            assert rooms(statement) == other(statement)


def test_the_same_statements_answer_the_same_with_a_process_lost_before_each(rooms: Database) -> None:
    statements = (
        "UPDATE rooms SET label = label || '!' WHERE rent > 100",
        "EXPLAIN SELECT * FROM rooms a JOIN rooms b USING (number)",
        "INSERT INTO rooms VALUES (0, 'Hall', 5, NULL) RETURNING *",
        "SELECT rowid, label FROM rooms USING SAMPLE 2 ROWS",
    )
    with database() as other:
        for statement in statements:
            lost()
            assert other(statement) == rooms(statement)
        assert other.layer.digest() == rooms.layer.digest()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM numbers WHERE n IN (SELECT n FROM numbers TABLESAMPLE BERNOULLI(50%) REPEATABLE (3))",
        "DELETE FROM numbers WHERE n IN (SELECT n FROM numbers USING SAMPLE 50% (bernoulli, 3))",
        "DELETE FROM numbers WHERE n IN (SELECT n FROM numbers USING SAMPLE 5.5 PERCENT (reservoir))",
        "DELETE FROM numbers WHERE n IN (SELECT n FROM numbers TABLESAMPLE RESERVOIR(50%))",
        "DELETE FROM numbers WHERE n IN (SELECT n FROM numbers USING SAMPLE 9 ROWS UNION SELECT n % 2 FROM numbers)",
        "DELETE FROM numbers WHERE n IN (SELECT n FROM numbers TABLESAMPLE (9))",
        "DELETE FROM numbers WHERE n IN (SELECT n FROM numbers WHERE n % 3 > 0 LIMIT 9)",
        "CREATE TABLE t AS SELECT tens, first(n), last(n), any_value(n), mode(n) FROM numbers GROUP BY 1",
        "CREATE TABLE t AS SELECT string_agg(n, ','), list(n)::TEXT, histogram(n)::TEXT FROM numbers GROUP BY tens",
        "CREATE TABLE t AS SELECT approx_quantile(n, 0.3), reservoir_quantile(n, 0.5, 9) FROM numbers GROUP BY tens",
        "CREATE TABLE t AS SELECT DISTINCT ON (tens) tens, n FROM numbers",
        "CREATE TABLE t AS SELECT numbers.n, row_number() OVER () FROM numbers JOIN numbers m USING (tens) LIMIT 99",
    ],
)
def test_what_a_statement_leaves_to_the_database_comes_out_the_same_over_equal_rows(statement: str) -> None:
    rows = [[n, n // 10] for n in range(400)]
    numbers = {"numbers": ({"n": "INTEGER", "tens": "INTEGER"}, rows)}
    with database(numbers) as one, database(numbers) as other:
        one("UPDATE numbers SET tens = -1 WHERE n < 200")
        one("DELETE FROM numbers WHERE n % 7 = 0")
        one("INSERT INTO numbers SELECT 7 * range, NULL FROM range(58)")
        one("UPDATE numbers SET tens = n // 10")
        one(statement)
        lost()
        other(statement)

        assert other.layer.changes()
        assert one.layer.digest() == other.layer.digest()


@pytest.mark.parametrize(
    "statements",
    [
        ["DELETE FROM many WHERE n % 3 = 0"],
        ["DELETE FROM many WHERE n < 2000", "UPDATE many SET n = n + 5000"],
        ["INSERT INTO many SELECT n + 5000, 'new' FROM many LIMIT 10"],
        ["INSERT INTO many SELECT n + 5000, v FROM many WHERE n % 2 = 0", "INSERT INTO many VALUES (1, NULL)"],
        ["UPDATE many SET v = 'u' || n % 50 WHERE n > 1000"],
        ["MERGE INTO many USING (SELECT 7 AS k) ON n = k WHEN MATCHED THEN DELETE"],
        ["UPDATE many SET n = -5000, v = repeat('x', 20000) WHERE n < 9"],
        ["INSERT INTO many VALUES (9, 'x')", "UPDATE many SET n = -5000, v = if(n = 2999, error('no'), 'z')"],
        ["CREATE TABLE more AS SELECT DISTINCT v FROM many", "ALTER TABLE many ADD COLUMN v2 VARCHAR"],
        ["ALTER TABLE many ALTER v TYPE VARCHAR COLLATE NOCASE", "INSERT INTO many VALUES (1, 'V1')"],
        ["CREATE OR REPLACE TABLE many AS SELECT n, v COLLATE NOCASE AS v FROM many"],
        ["ALTER TABLE many ALTER v TYPE VARCHAR USING v COLLATE de", "UPDATE many SET v = v COLLATE NOCASE || 'x'"],
        ["CREATE TABLE t (rowid INTEGER)", "INSERT INTO t VALUES (2), (0), (0)", "DELETE FROM t WHERE rowid = 2"],
    ],
)
def test_the_database_after_a_statement_is_what_a_new_one_made_of_the_rows_is(statements: list[str]) -> None:
    there = filled([("many", [("n", "INTEGER"), ("v", "VARCHAR")], [(n, f"v{n % 7}") for n in range(3000)])])
    told = [there.run(statement, str(NOW)) for statement in statements]

    assert len(told) == len(statements)
    assert held(there) == held(filled(there.relations))


def test_an_expression_may_have_a_collation(rooms: Database) -> None:
    assert rooms.rows("SELECT number FROM rooms WHERE label = 'attic' COLLATE NOCASE") == ["[1]"]
    assert rooms("DELETE FROM rooms WHERE label = 'attic' COLLATE NOCASE") == "1 row deleted."


@pytest.mark.parametrize("name", ["rowid", '"RowId"'])
def test_a_column_that_is_called_rowid_is_one_like_others(rooms: Database, name: str) -> None:
    rooms(f"CREATE TABLE t ({name} INTEGER, x VARCHAR)")
    rooms("INSERT INTO t VALUES (0, 'a'), (2, 'b'), (2, 'c')")
    rooms("DELETE FROM t WHERE x = 'a'")

    assert [cells for what, cells in rooms.changes() if what == "insert t" and cells] == [[2, "b"], [2, "c"]]


@pytest.mark.parametrize("kind", ["INT", "VARCHAR COLLATE NOCASE", "INTEGER PRIMARY KEY", "INTEGER[]", "VARCHAR\n"])
def test_a_world_has_no_column_of_a_type_that_no_table_here_keeps(kind: str) -> None:
    with (
        database({"t": ({"a": kind}, [])}) as there,
        pytest.raises(Fault, match=r"sql\.relation, row 0, does not fit: header\.0\.type"),
    ):
        there("")


def test_a_table_that_is_called_sample_is_no_sample(rooms: Database) -> None:
    rooms("CREATE TABLE sample AS SELECT 1 AS number")

    assert rooms("DELETE FROM rooms USING sample WHERE rooms.number % 9 = sample.number") == "1 row deleted."


def test_snapshots_and_resets_are_those_of_the_engine(rooms: Database) -> None:
    rooms("DELETE FROM rooms WHERE number = 1")
    snapshot = rooms.layer.fork()
    rooms("DROP TABLE rooms")
    gone = rooms("")
    rooms.layer.restore(snapshot)
    restored = rooms.rows("SELECT number FROM rooms")
    rooms.layer.reset()

    assert (gone, restored) == ("There are no tables yet.", ["[2]", "[4]"])
    assert len(rooms.rows("FROM rooms")) == len(ROOMS)
    snapshot.close()


def test_two_sandboxes_never_see_each_other(rooms: Database) -> None:
    with database() as other:
        rooms("CREATE TABLE mine AS SELECT 1 AS a")
        other("DELETE FROM rooms")

        assert rooms.rows("SELECT count(*) FROM rooms") == ["[3]"]
        assert "Table with name mine does not exist" in other.refusal("FROM mine")
        assert rooms.rows("SHOW DATABASES") == other.rows("SHOW DATABASES") == ['["memory"]']


def test_many_sandboxes_in_turn_each_keep_their_own() -> None:
    wanted = [f"[{number}]" for number in range(7)]
    found: list[str] = []
    with database() as first:
        forks = [Database(first.layer.fork()) for _ in wanted]
        for number, fork in enumerate(forks):
            fork(f"CREATE TABLE t AS SELECT {number} AS a")
        for _ in range(2):
            found += [fork.rows("FROM t")[0] for fork in forks]
        for fork in forks:
            fork.layer.close()

    assert found == [*wanted, *wanted]


def test_sixty_sandboxes_in_which_the_same_is_done_take_no_more_memory_than_five(rooms: Database) -> None:
    taken: list[int] = []
    for _ in range(60):
        fork = Database(rooms.layer.fork())
        fork("UPDATE rooms SET rent = 0")
        fork.layer.close()
        assert running._child.pid
        taken.append(psutil.Process(running._child.pid).memory_info().rss)

    assert max(taken) - max(taken[:5]) < 20 << 20


def test_time_is_that_of_the_sandbox(rooms: Database) -> None:
    first = rooms("SELECT now(), current_date, today(), current_timestamp, ago(INTERVAL 1 DAY)").splitlines()[1]
    rooms.layer.now = rooms.layer.now.replace(day=10)

    assert first == '["2026-03-09 14:30:00", "2026-03-09", "2026-03-09", "2026-03-09 14:30:00", "2026-03-08 14:30:00"]'
    assert rooms.rows("SELECT current_date + 1") == ['["2026-03-11"]']


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("INSERT INTO rooms (number) VALUES (7), (8)", "2 rows inserted."),
        ("DELETE FROM rooms WHERE number > 90", "0 rows deleted."),
        ("CREATE TABLE t (a INTEGER)", "Done."),
        ("ALTER TABLE rooms ADD COLUMN floor INTEGER", "Done."),
        ("DROP TABLE rooms", "Done."),
        ("DELETE FROM rooms WHERE number = 1 RETURNING label", '["label"]\n["Attic"]'),
        ("SELECT label FROM rooms WHERE number > 90", '["label"]\n[no rows]'),
        ("WITH r AS (SELECT 3 AS n) INSERT INTO rooms (number) SELECT n FROM r", "1 row inserted."),
        ("MERGE INTO rooms USING (SELECT 1 AS n) o ON number = n WHEN MATCHED THEN DELETE", "1 row changed."),
    ],
)
def test_a_statement_says_what_it_did(rooms: Database, statement: str, told: str) -> None:
    assert rooms(statement) == told


def test_tables_can_be_made_changed_renamed_and_dropped(rooms: Database) -> None:
    rooms("CREATE TABLE summary AS SELECT count(*) AS rooms, sum(rent) AS rent FROM rooms")
    rooms("ALTER TABLE summary RENAME TO totals")
    rooms("ALTER TABLE totals RENAME COLUMN rooms TO number")
    rooms("ALTER TABLE totals ALTER COLUMN number TYPE DOUBLE")
    rooms("DROP TABLE rooms")

    assert rooms("") == "totals(number DOUBLE, rent DECIMAL(38,2)), 1 row"
    assert ("insert totals", [3.0, "1125.50"]) in rooms.changes()


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("INTERVAL 1 YEAR", '"1 year"'),
        ("TIMESTAMP '2026-01-01 10:00' - TIMESTAMP '2026-01-01 10:30'", '"-00:30:00"'),
        ("{'INTERVAL': INTERVAL 1 MONTH, 'a, b': 1.50}", '{"INTERVAL": "1 month", "a, b": 1.50}'),
        ("DATE 'infinity'", '"infinity"'),
        ("[DATE '-infinity', '2026-01-02']", '["-infinity", "2026-01-02"]'),
        ("DATE '9999-12-31'", '"9999-12-31"'),
        ("TIMESTAMP_NS '2026-01-01 00:00:00.123456789'", '"2026-01-01 00:00:00.123456789"'),
        ("0.1::FLOAT", "0.1"),
        ("[1e10::FLOAT, 'nan'::FLOAT, 3.4028235e38::FLOAT]", '[10000000000.0, "nan", 3.4028235e+38]'),
        ("0.10000000149011612::DOUBLE", "0.10000000149011612"),
    ],
)
def test_a_value_that_python_has_otherwise_is_shown_as_duckdb_has_it(
    rooms: Database, expression: str, shown: str
) -> None:
    assert rooms.rows(f"SELECT {expression}, number FROM rooms ORDER BY number DESC LIMIT 1; -- ;") == [f"[{shown}, 4]"]


def test_what_returning_gives_is_shown_as_duckdb_has_it_or_refused(rooms: Database) -> None:
    assert rooms.rows("UPDATE rooms SET number = 7 WHERE number = 1 RETURNING 0.1::FLOAT") == ["[0.1]"]
    assert "CAST(... AS VARCHAR)" in rooms.refusal("DELETE FROM rooms RETURNING INTERVAL 1 MONTH")
    assert rooms.rows("DELETE FROM rooms RETURNING CAST(INTERVAL 1 MONTH AS VARCHAR)") == ['["1 month"]'] * 3


def test_a_result_of_many_rows_is_cut_and_says_so(rooms: Database) -> None:
    told = rooms("SELECT 1 AS a FROM range(300)").splitlines()

    assert (len(told), told[-1]) == (
        202,
        "[cut: the first 200 rows are shown and there are more; use LIMIT and OFFSET, or aggregate]",
    )


@pytest.mark.parametrize(("rows", "there"), [(50, "50 rows"), (900, "200 rows and more")])
def test_a_long_result_is_cut_at_a_row_and_says_so(rooms: Database, rows: int, there: str) -> None:
    told = rooms(f"SELECT repeat('a', 494) AS a FROM range({rows})").splitlines()

    assert (len(told), told[-1]) == (10, f"[cut at 4,000 characters: 8 of {there} shown; select less]")
    assert told[1] == f'["{"a" * 494}"]'


def test_a_row_that_is_too_long_is_cut_and_says_so(rooms: Database) -> None:
    told = rooms("SELECT repeat('a', 9000)").splitlines()

    assert len("\n".join(told[:2])) == 4_000
    assert told[2] == "[cut at 4,000 characters, within a row; select less]"


def test_a_statement_that_takes_too_long_changes_nothing_and_says_so(
    rooms: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms("SELECT 1")
    monkeypatch.setattr(running, "SECONDS", 0.2)
    told = rooms.refusal(
        "DELETE FROM rooms WHERE (SELECT count(*) FROM range(90000) a, range(90000) b, range(9000) c) > 0"
    )
    monkeypatch.undo()

    assert told.startswith(STOPPED)
    assert len(rooms.rows("FROM rooms")) == len(ROOMS)


def test_rows_that_are_not_written_as_duckdb_writes_them_are_the_authors_mistake() -> None:
    with (
        database({"prices": ({"price": "DECIMAL(10,2)"}, [["1.5"]])}) as prices,
        pytest.raises(ChildBroken, match=r"prices is not as DuckDB writes it: \('1\.5',\) became \('1\.50',\)"),
    ):
        prices("FROM prices")


def test_a_missing_table_is_answered_with_those_there_are(rooms: Database) -> None:
    assert rooms.refusal("SELECT * FROM rums").endswith("Tables: rooms.")


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("SELECT extension FROM rooms", "Candidate bindings"),
        ("SELECT * FROM extensions", "Tables: rooms."),
        ("SELECT CAST('file extension' AS INTEGER)", "^"),
        ("SELECT st_point(1, 2)", '"st_point" is not in the catalog; there are no extensions here.'),
        ("SELECT load_aws_credentials()", "is not in the catalog; there are no extensions here."),
    ],
)
def test_only_what_an_extension_has_is_answered_with_that_there_are_none(
    rooms: Database, statement: str, told: str
) -> None:
    refusal = rooms.refusal(statement)

    assert told in refusal
    assert ("there are no extensions here" in refusal) == ("there are no extensions here" in told)


@pytest.mark.parametrize(("statement", "many"), [("SELECT 1; SELECT 2", "these are 2"), ("-- nothing", "this is none")])
def test_only_one_statement_is_run_at_a_time(rooms: Database, statement: str, many: str) -> None:
    assert rooms.refusal(statement) == f"One statement is run at a time; {many}."


@pytest.mark.parametrize("statement", ["SELECT nope FROM rooms", "SELEC 1", "SELECT 'a'::INTEGER", "SELECT 1 +"])
def test_a_mistake_is_shown_where_it_stands(rooms: Database, statement: str) -> None:
    assert "^" in rooms.refusal(statement)


@pytest.mark.parametrize("statement", ["SELECT 'a\0'", "x" * 10_001])
def test_what_no_statement_holds_is_refused_before_it_is_run(rooms: Database, statement: str) -> None:
    assert rooms.refusal(statement)


def test_rows_are_told_in_order_of_their_cells_and_nothing_comes_last() -> None:
    rows: list[tuple[Cell, ...]] = [(None, 1), (2, None), (2, 1), (1, "b"), (1, "a")]

    assert ordered(rows) == [(1, "a"), (1, "b"), (2, 1), (2, None), (None, 1)]
    assert ordered(rows[2:]) == [(1, "a"), (1, "b"), (2, 1)]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (f'CREATE TABLE "{"x" * 300}" (n INT)', f"the name '{'x' * 200} [... 100 more characters]' is not one of 1 to"),
        (f"CREATE TABLE t (n {'STRUCT(a ' * 20}INT{')' * 20})", " [... 143 more characters], where a table keeps"),
        (f"SELECT {'y' * 5_000}", " more characters]"),
    ],
)
def test_of_a_long_text_an_error_says_how_much_it_leaves_out(rooms: Database, statement: str, told: str) -> None:
    assert told in rooms.refusal(statement)
