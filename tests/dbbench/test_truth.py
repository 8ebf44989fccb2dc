"""What confirms a row, and what stays unverified."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from benchmarks.dbbench.lacking import lacking
from benchmarks.dbbench.published import Row
from benchmarks.dbbench.tables import hashed
from benchmarks.dbbench.truth import DEPARTURES, Truth, own, truth
from tests.dbbench.rows import (
    AS_NUMBER,
    INSERT,
    NO_HINT,
    OTHER_HASH,
    READ,
    TABLE,
    UPDATE,
    WITHOUT_ACCENT,
    WRONG_HINT,
    change,
    published,
)


def known(row: dict[str, Any], ours: str = "") -> Truth:
    return truth(Row.model_validate(row), ours)


def test_the_hash_is_that_of_sorted_beginnings_of_hashes_of_rows() -> None:
    one, two = (hashlib.md5(text.encode()).hexdigest()[:5] for text in ("a,b", "c"))
    whole = hashlib.md5(",".join(sorted((one, two))).encode()).hexdigest()

    assert hashed([("a", "b"), ("c", None)]) == hashed([("c", None), ("a", "b")]) == whole
    assert hashed([("a", "b"), ("c", "")]) != whole  # an empty text is there, null is not


@pytest.mark.parametrize("row", [INSERT, UPDATE])
def test_a_change_is_verified_by_the_published_hash(row: dict[str, Any]) -> None:
    found = known(row)

    assert (found.source, found.verified, found.why) == ("published", True, "")


def test_a_row_that_changes_is_one_record_less_and_one_more() -> None:
    gone, new = known(UPDATE).changes

    assert (gone.op, new.op) == ("delete", "insert")
    assert new.values == {"relation": TABLE, "cells": ["1", "Heron", "Ada Lund", "7.5"]}


def test_one_of_two_equal_rows_may_go() -> None:
    row = change("DELETE", "Remove berth 3.", f"DELETE FROM `{TABLE}` WHERE Berth = '3'")

    assert [each.op for each in known(row).changes] == ["delete"]


@pytest.mark.parametrize(("row", "why"), [(AS_NUMBER, "Conversion Error"), (WITHOUT_ACCENT, "it changes nothing")])
def test_a_statement_that_only_mysql_carries_out_verifies_nothing_and_says_why(row: dict[str, Any], why: str) -> None:
    found = known(row)

    assert (found.source, found.verified, found.changes) == ("", False, ())
    assert why in found.why


def test_a_statement_of_our_own_may_come_to_the_published_hash() -> None:
    found = known(AS_NUMBER, f"UPDATE \"{TABLE}\" SET Boat = 'Heron' WHERE Berth = '2'")

    assert (found.source, found.verified) == ("own", True)
    assert "Conversion Error" in found.why


def test_a_statement_of_our_own_that_does_not_is_not_believed() -> None:
    found = known(AS_NUMBER, f"UPDATE \"{TABLE}\" SET Boat = 'Heron' WHERE Berth = '3'")

    assert not found.verified


def test_another_hash_leaves_a_change_unverified() -> None:
    found = known(OTHER_HASH)

    assert (found.source, found.verified) == ("published", False)
    assert found.changes
    assert "it leaves a table with the hash" in found.why


def test_a_change_without_a_hash_is_unverified() -> None:
    row = published("UPDATE", "Rename the boat at berth 1 to Heron.", UPDATE["label"])

    assert (known(row).verified, known(row).why) == (False, "no hash is published")


def test_a_statement_that_changes_the_table_itself_is_refused() -> None:
    row = published("UPDATE", "Drop it.", f"DROP TABLE `{TABLE}`", md5="0" * 32)

    assert known(row).why == "The statement changes the table itself, not its rows"


def test_a_question_is_verified_where_the_hint_gives_its_answer() -> None:
    assert (known(READ).source, known(READ).verified) == ("published", True)


def test_a_hint_with_another_answer_or_none_leaves_a_question_unverified() -> None:
    assert (known(WRONG_HINT).verified, known(WRONG_HINT).why) == (False, "it gives ['4']")
    assert not known(NO_HINT).verified
    assert "Catalog Error" in known(NO_HINT).why


def test_our_own_statement_verifies_a_question() -> None:
    found = known(WRONG_HINT, f"SELECT count(*) FROM \"{TABLE}\" WHERE Boat = 'Petrel'")

    assert (found.source, found.verified) == ("own", True)


def test_a_result_that_the_app_cuts_verifies_nothing() -> None:
    found = known(READ, f'SELECT "Owner (2024)" FROM "{TABLE}", range(100)')

    assert found.source == "published"
    assert "longer" in known(published("other", "?", ["x"], hint=f"SELECT 'x' FROM `{TABLE}`, range(100)")).why


@pytest.mark.parametrize(
    ("description", "label", "lacks"),
    [
        ("Set the length of Petrel to 9.", "SET Length='9' WHERE Boat='Petrel'", ()),
        ("Set the length of Petrel to 9.", "SET Length='10' WHERE Boat='Petrel'", ("10",)),
        ("Set the length of the first to 9.", "SET Length='9' WHERE Berth='1'", ()),
        ("Make it an assistant coach.", "SET Role='Assistant Coach'", ()),
        ("Set the score to 2-4.", "SET Score='2\u20134'", ("2\u20134",)),
        ("Set it to Formby Urban District.", "SET District='Formby\\nUrban District'", ("Formby\nUrban District",)),
        ("Clear the notes and the owner.", "SET Notes='', Owner=NULL", ()),
    ],
)
def test_values_that_a_description_does_not_say_are_named(description: str, label: str, lacks: tuple[str, ...]) -> None:
    assert lacking(Row.model_validate(published("UPDATE", description, f"UPDATE t {label}"))) == lacks


def test_a_question_lacks_nothing() -> None:
    assert lacking(Row.model_validate(READ)) == ()


def test_statements_of_our_own_are_for_named_departures_and_questions() -> None:
    changes = {number for number in own() if number >= 100}

    assert changes == set(DEPARTURES) - {225}
    assert not any("\n" in statement for statement in own().values())
