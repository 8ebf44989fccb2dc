"""Statements in MySQL's dialect, written in DuckDB's."""

from __future__ import annotations

import pytest

from benchmarks.dbbench.mysql import as_duckdb, written
from benchmarks.dbbench.published import Row
from benchmarks.dbbench.tables import answered
from tests.dbbench.rows import READ

NAMES = ("Harbour Boats", "Berth", "Order", "Set", "Length", "Date")


@pytest.mark.parametrize(
    ("mysql", "duckdb"),
    [
        ("SELECT `a b` FROM `c``d`", 'SELECT "a b" FROM "c`d"'),
        ('SELECT `a"b`', 'SELECT "a""b"'),
        ('x = "it\'s"', "x = 'it''s'"),
        (r"x = 'it\'s'", "x = 'it''s'"),
        ("x = 'it''s'", "x = 'it''s'"),
        ('x = "say ""so"""', "x = 'say \"so\"'"),
        (r"x = 'a\\b\tc\qd'", "x = 'a\\b\tcqd'"),
        (r"x LIKE '5\%'", r"x LIKE '5\%'"),
        ("UPDATE 1952_race_0 SET x = 3", 'UPDATE "1952_race_0" SET x = 3'),
        ("x < 2010 AND y = 1.5e3", "x < 2010 AND y = 1.5e3"),
        ("SELECT 1 -- one\n, 2 # two\n, /* three */ 3", "SELECT 1  , 2  ,   3"),
        ("x = '-- no # comment /* here */'", "x = '-- no # comment /* here */'"),
    ],
)
def test_names_texts_and_numbers_are_written_anew(mysql: str, duckdb: str) -> None:
    assert as_duckdb(mysql, ()) == duckdb


def test_names_without_quotes_are_quoted_where_the_table_has_them() -> None:
    assert as_duckdb("SELECT berth FROM t WHERE Length > 2", NAMES) == 'SELECT "berth" FROM t WHERE "Length" > 2'


def test_a_function_and_a_clause_called_like_a_column_stay_what_they_are() -> None:
    statement = "UPDATE t SET Berth = LENGTH(Length) ORDER BY Berth"

    assert as_duckdb(statement, NAMES) == 'UPDATE t SET "Berth" = LENGTH("Length") ORDER BY "Berth"'


def test_a_table_before_its_columns_is_no_function() -> None:
    assert as_duckdb("INSERT INTO Date (Berth) VALUES (1)", NAMES) == 'INSERT INTO "Date" ("Berth") VALUES (1)'


def test_values_that_are_written_are_those_before_where() -> None:
    statement = r"UPDATE `t 1` SET `a` = 'it\'s', 2nd = 4.50, b2 = NULL, c = " + '"x" WHERE d = 7'

    assert written(statement) == ["it's", "4.50", "x"]
    assert written("INSERT INTO t (a, b) VALUES ('where', -18)") == ["where", "18"]


def test_what_is_written_is_run_by_the_app() -> None:
    row = Row.model_validate(READ)
    statement = as_duckdb('SELECT Boat FROM `Harbour Boats` WHERE `Owner (2024)` = "Ada Lund"', row.columns)

    assert answered(row, statement) == ["Möwe"]
