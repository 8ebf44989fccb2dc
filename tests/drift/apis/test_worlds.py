"""The towns: consistent throughout, and the same whatever the process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from typing import get_args

import pytest

from benchmarks.drift.apis import WORLDS, rows, world
from benchmarks.drift.apis.names import GHOSTS
from servers.apis import app
from servers.kernel import Ref

every_world = pytest.mark.parametrize("name", WORLDS)


@every_world
def test_every_row_fits_its_table_and_refers_to_rows_that_are_there(name: str) -> None:
    town = rows(name)
    for table in app.tables:
        refs = {
            key: mark.table.table_name
            for key, field in table.model_fields.items()
            for mark in (*field.metadata, *(m for arg in get_args(field.annotation) for m in get_args(arg)))
            if isinstance(mark, Ref)
        }
        for row in town[table.table_name]:
            table.model_validate(row)
            for key, other in refs.items():
                assert row[key] is None or row[key] in {each["id"] for each in town[other]}, (table.table_name, row)


@every_world
def test_ids_are_unique_throughout_the_town_and_tell_nothing_of_order(name: str) -> None:
    town = {table: made for table, made in rows(name).items() if table not in ("limits", "usage")}
    ids = [row["id"] for made in town.values() for row in made]

    assert max(Counter(ids).values()) == 1
    assert all(len(id) == 4 and id.isdigit() for id in ids)
    assert all([row["id"] for row in made] != sorted(row["id"] for row in made) for made in town.values())


@every_world
def test_nobody_shares_a_name_and_most_share_a_surname(name: str) -> None:
    people = [row["name"] for row in rows(name)["customers"]]
    surnames = Counter(each.rpartition(" ")[2] for each in people)

    assert max(Counter(people).values()) == 1
    assert min(surnames.values()) >= 2
    assert not set(GHOSTS.values()) & set(surnames)


@every_world
def test_nothing_is_let_lent_or_promised_twice(name: str) -> None:
    town = rows(name)
    promised = (("stays", "room_id", "arrival", "departure"), ("rentals", "vehicle_id", "start", "end"))
    for table, thing, start, end in promised:
        for one in town[table]:
            assert one[start] <= one[end]
            clashes = [
                other
                for other in town[table]
                if other != one and other[thing] == one[thing] and other[start] <= one[end] and one[start] <= other[end]
            ]
            assert not clashes, (table, one, clashes)
    copies = {row["id"]: row["copies"] for row in town["books"]}
    assert all(number < copies[book] for book, number in Counter(row["book_id"] for row in town["loans"]).items())
    assert max(Counter(row["slot_id"] for row in town["appointments"]).values()) == 1


@every_world
def test_nothing_is_paid_before_it_is_ordered(name: str) -> None:
    town = rows(name)
    placed = {row["id"]: row["placed"] for row in town["orders"]}
    billed = {row["id"]: placed[row["order_id"]] for row in town["invoices"]}

    assert all(billed[row["invoice_id"]] <= row["made"] for row in town["payments"])


def test_the_towns_differ() -> None:
    assert len({world(name).digest for name in WORLDS}) == len(WORLDS) >= 2


def test_a_world_that_is_not_there_is_refused_with_those_there_are() -> None:
    with pytest.raises(KeyError, match="'apis-nowhere', only apis-harwick"):
        rows("apis-nowhere")


@pytest.mark.slow
def test_a_process_with_another_hash_seed_makes_the_same_towns_and_the_same_mentions() -> None:
    code = (
        "from benchmarks.drift.apis import TEMPLATES, WORLDS, rows, world\n"
        "from benchmarks.drift.template import Draw\n"
        "print([world(name).digest for name in WORLDS])\n"
        "for t in TEMPLATES:\n"
        "    values = t.draw(rows(t.world), Draw(t.id, 1)) or t.draw(rows(t.world), Draw(t.id, 2))\n"
        "    print(t.id, values, values and [list(s.mentions(rows(t.world), values)) for s in t.slots])\n"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert said[0] == said[1]
    assert "apis-order-deed" in said[0]
