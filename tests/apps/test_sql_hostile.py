"""Statements that attack: each is refused, changes nothing inside or outside, and its error leads nowhere."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from servers.sql import running
from tests.apps.sql_desk import NOW, ROOMS, Database, database, filled, held

LIST = Path(__file__).with_name("sql_attacks.json")
ATTACKS: list[dict[str, Any]] = json.loads(LIST.read_text(encoding="utf-8"))["attacks"]

PLACES = re.compile(r"/(?:root|home|Users|usr|opt|venv|site-packages|var|proc|tmp/pytest)\b|\.duckdb\b|\.so\b|\.py\b")
"""What an error of ours may not name, unless the statement itself did."""


@pytest.fixture(scope="module")
def rooms() -> Iterator[Database]:
    with database() as there:
        yield there


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack["sql"][:60])
def test_an_attack_is_refused_in_clear_words_and_leaves_no_trace(
    rooms: Database, attack: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if attack["says"].startswith("stopped after"):  # it takes all the time there is, however much
        monkeypatch.setattr(running, "SECONDS", 0.5)
    told = rooms.refusal(attack["sql"])

    assert attack["says"] in told
    assert told.strip()
    assert len(told) <= 700
    assert not {found for found in PLACES.findall(told) if found not in attack["sql"]}
    assert sys.prefix not in told
    assert list(tmp_path.iterdir()) == []
    assert rooms.layer.changes() == []


def test_after_all_attacks_the_database_is_as_it_was(rooms: Database) -> None:
    assert rooms.rows("SELECT number FROM rooms ORDER BY number") == [f"[{number}]" for number, *_ in ROOMS]
    assert rooms.rows("SHOW TABLES") == ['["rooms"]']
    assert rooms.rows("SELECT now()") == ['["2026-03-09 14:30:00"]']


def test_no_attack_leaves_more_in_the_database_than_its_rows() -> None:
    columns = [("number", "INTEGER"), ("label", "VARCHAR"), ("rent", "DECIMAL(10,2)"), ("free_from", "DATE")]
    there = filled([("rooms", columns, list(ROOMS))])
    for attack in ATTACKS:
        if attack["kind"] in ("attach", "lasting", "secret", "setting", "several", "writing"):
            assert "refused" in there.run(attack["sql"], str(NOW))
            assert there.sound

    assert held(there) == held(filled(there.relations))


def test_the_child_has_no_file_open_but_libraries_and_pipes(rooms: Database) -> None:
    rooms("SELECT 1")
    assert running._child.pid

    assert [file.path for file in psutil.Process(running._child.pid).open_files()] == []


def test_there_are_at_least_sixty_of_every_sort() -> None:
    kinds = Counter(attack["kind"] for attack in ATTACKS)

    assert len({attack["sql"] for attack in ATTACKS}) == len(ATTACKS) >= 60
    assert {
        "attach", "copy", "extension", "setting", "file", "secret", "python", "several", "lasting", "writing", "random",
        "memory", "time",
    } == set(kinds)  # fmt: skip
