from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from servers.kernel import Owner, StateError, World, addressed
from tests.kernel.desk import NOW, world


def test_a_world_comes_back_from_disk(tmp_path: Path) -> None:
    odd = replace(world(), rows={"a": {"t": [{"id": "1", "x": 'é\u2028"\n', "y": [1.5, None]}], "empty": []}, "b": {}})
    for number, one in enumerate((world(), odd)):
        one.write(tmp_path / str(number))
        again = World.read(tmp_path / str(number))

        assert again.digest == replace(one, rows={app: tables for app, tables in one.rows.items() if tables}).digest


def test_a_digest_depends_on_name_time_and_rows_not_on_key_order() -> None:
    one = World("w", NOW, {"a": {"t": [{"id": "1", "x": 1}, {"id": "2", "x": 2}]}})
    same = World("w", NOW, {"a": {"t": [{"x": 1, "id": "1"}, {"x": 2, "id": "2"}]}})
    others = [
        replace(one, name="v"),
        replace(one, now=NOW.replace(year=2000)),
        replace(one, rows={"a": {"t": list(reversed(one.rows["a"]["t"]))}}),
    ]

    assert same.digest == one.digest
    assert len({one.digest, *(other.digest for other in others)}) == 4


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"world\.json"):
        World.read(tmp_path)
    world().write(tmp_path)
    (tmp_path / "desk.trays.jsonl").unlink()
    with pytest.raises(FileNotFoundError, match=r"desk\.trays\.jsonl"):
        World.read(tmp_path)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{broken", "Expecting property name"),
        ("[1]", "a row is an object with a text `id`"),
        ('{"id": 3}', "a row is an object with a text `id`"),
        ("", "Expecting value"),
    ],
)
def test_a_bad_line_is_named_by_file_and_number(tmp_path: Path, line: str, problem: str) -> None:
    world().write(tmp_path)
    path = tmp_path / "desk.trays.jsonl"
    path.write_text('{"id": "1", "label": "in"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(StateError) as caught:
        World.read(tmp_path)

    assert str(caught.value).startswith(f"{path}, line 2: {problem}")


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    world().write(tmp_path)
    (tmp_path / "desk.trays.jsonl").write_bytes(b'{"id": "\xff"}\n')
    with pytest.raises(StateError, match=r"desk\.trays\.jsonl, line 1: .*utf-8"):
        World.read(tmp_path)


@pytest.mark.parametrize(
    "head",
    ["", "[]", "{}", '{"name": "w", "now": "noon", "tables": []}', '{"name": "w", "now": 1, "tables": []}',
     '{"name": "w", "now": "2024-01-01", "tables": ["notables"]}'],
)  # fmt: skip
def test_a_head_that_does_not_fit_is_named(tmp_path: Path, head: str) -> None:
    (tmp_path / "world.json").write_text(head, encoding="utf-8")
    with pytest.raises(StateError, match=r"world\.json is not a world: it needs a name"):
        World.read(tmp_path)


def test_a_world_s_owner_is_part_of_it_and_one_without_is_as_it_was(tmp_path: Path) -> None:
    plain = World("w", datetime(2025, 3, 13), {})
    owned = replace(plain, owner=Owner(name="Mira Quay", address="mira@quay.example"))
    for one in (plain, owned):
        one.write(tmp_path / (one.owner.name if one.owner else "nobody"))

    assert World.read(tmp_path / "Mira Quay") == owned
    assert World.read(tmp_path / "nobody") == plain
    assert json.loads((tmp_path / "nobody" / "world.json").read_text()).keys() == {"name", "now", "tables"}
    assert plain.digest.startswith("df9678fc6bbf"), "as before worlds had owners"
    assert owned.digest != plain.digest


def test_an_owner_without_an_address_is_refused(tmp_path: Path) -> None:
    (tmp_path / "world.json").write_text('{"name": "w", "now": "2025-03-13", "tables": [], "owner": {"name": "Mira"}}')

    with pytest.raises(StateError, match=r"world\.json is not a world: .*: its owner has a `name` and an `address`$"):
        World.read(tmp_path)


def test_words_stand_for_an_owner_that_is_not_named() -> None:
    text = "Read {owner}'s mail, sent to {address}."

    assert addressed(text, Owner(name="Mira", address="m@q.example")) == "Read Mira's mail, sent to m@q.example."
    assert addressed(text, None) == "Read the user's mail, sent to the user's address."
