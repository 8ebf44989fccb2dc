from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from servers.kernel import Coming, Edit, Engine, Owner, StateError, World, addressed, check_rows
from servers.kernel.world import ARRIVALS
from tests.kernel.desk import NOW, Paper, app, world


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
     '{"name": "w", "now": "2024-01-01", "tables": ["notables"]}', '{"name": "w", "now": "9999-01-01", "tables": []}'],
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


LETTER = Edit(op="add", app="desk", table="papers", id="0100", values={"tray_id": "1", "title": "é\u2028"})


def arriving() -> World:
    later = [Coming(at=NOW + timedelta(hours=hours), text=f"{hours}", edits=(LETTER,)) for hours in (1, 1, 3)]
    return replace(world(), arrivals=tuple(later))


def test_arrivals_come_back_from_disk_and_are_written_the_same_again(tmp_path: Path) -> None:
    arriving().write(tmp_path / "one")
    again = World.read(tmp_path / "one")
    again.write(tmp_path / "two")

    assert again.arrivals == arriving().arrivals
    assert (tmp_path / "one" / ARRIVALS).read_bytes() == (tmp_path / "two" / ARRIVALS).read_bytes()
    assert again.digest == world().digest, "what has not come is no part of what is there"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "line 2: Invalid JSON"),
        ('{"at": "2024-05-07T00:00:00"}', "line 2: edits: Field required"),
        ('{"at": "2024-05-07T00:00:00", "edits": []}', "line 2: .*nothing comes: `edits` lists the rows"),
        ('{"at": "2024-05-07T00:00:00Z", "edits": [{"op": "remove", "app": "a", "table": "t", "id": "1"}]}',
         "line 2: .*leave the time zone out"),
        ('{"at": "2024-05-07T00:00:00", "edits": [{"op": "put", "app": "a", "table": "t", "id": "1"}]}',
         r"line 2: edits\.0\.op: Input should be 'add'"),
        ('{"at": "2024-05-06T00:00:00", "edits": [{"op": "remove", "app": "a", "table": "t", "id": "1"}]}',
         "line 2: at: 2024-05-06 00:00:00 is before the line above; list them in order"),
    ],
)  # fmt: skip
def test_an_arrival_that_does_not_read_is_named_by_line_and_field(tmp_path: Path, line: str, problem: str) -> None:
    arriving().write(tmp_path)
    path = tmp_path / ARRIVALS
    first = path.read_text(encoding="utf-8").split("\n")[0]
    path.write_text(f"{first}\n{line}\n", encoding="utf-8")

    with pytest.raises(StateError, match=rf"arrivals\.jsonl, {problem}"):
        World.read(tmp_path)


def test_a_text_beside_the_rows_goes_with_the_world_and_is_no_part_of_it(tmp_path: Path) -> None:
    world().write(tmp_path / "one")
    head = json.loads((tmp_path / "one" / "world.json").read_text(encoding="utf-8"))
    (tmp_path / "one" / "world.json").write_text(json.dumps({**head, "beside": {"key.txt": "The answers."}}))
    (tmp_path / "one" / "key.txt").write_text("42\n", encoding="utf-8")
    found = World.read(tmp_path / "one")
    found.write(tmp_path / "two")

    assert (tmp_path / "two" / "key.txt").read_text(encoding="utf-8") == "42\n"
    assert json.loads((tmp_path / "two" / "world.json").read_text())["beside"] == {"key.txt": "The answers."}
    assert (found, found.digest) == (world(), world().digest)
    (tmp_path / "one" / "key.txt").unlink()
    with pytest.raises(StateError, match=r"key\.txt cannot be read, and world\.json says that it lies there"):
        found.write(tmp_path / "three")


@pytest.mark.parametrize("name", ["../key.txt", "desk.trays.jsonl", "a/b"])
def test_a_text_beside_the_rows_is_a_file_of_its_own_in_the_folder(tmp_path: Path, name: str) -> None:
    head = {"name": "w", "now": "2025-03-13", "tables": [], "beside": {name: ""}}
    (tmp_path / "world.json").write_text(json.dumps(head))

    with pytest.raises(StateError, match="`beside` names texts in the same folder"):
        World.read(tmp_path)


def test_a_row_that_does_not_fit_is_named_by_file_line_and_field(tmp_path: Path) -> None:
    world().write(tmp_path)
    path = tmp_path / "desk.papers.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[2] = lines[2].replace('"title": "paper 3"', '"pages": "many"')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    engine = Engine()
    base = engine.load(World.read(tmp_path))

    with pytest.raises(StateError) as caught:
        base.shelf(app, Paper)
    assert str(caught.value).startswith(f"{path}, line 3, does not fit: title: Field required; pages: Input should be")


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("\ud800", r"x is '\\ud800', which holds an unpaired surrogate$"),
        ([NOW.date(), "\ud800"], r"x is \[.*\], which JSON does not have$"),
        ({"day": NOW.date()}, r"x is \{.*\}, which JSON does not have: write \{'day': '2024-05-06'\}$"),
    ],
)
def test_a_row_that_json_cannot_say_is_told_what_to_write_where_that_is_json(value: object, problem: str) -> None:
    with pytest.raises(StateError, match=problem):
        _ = World("w", NOW, {"a": {"t": [{"id": "1", "x": value}]}}).digest


def test_rows_that_were_tried_are_not_read_again_where_they_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    from_json = Paper.from_json

    def reading(values: dict[str, Any]) -> Paper:
        read.append(values["id"])
        return from_json(values)

    monkeypatch.setattr(Paper, "from_json", reading)
    one = world(papers=3)
    check_rows(one, [app])
    engine, other = Engine(), Engine()
    shelf = engine.load(one).shelf(app, Paper)
    tried = [*read]

    assert (shelf.length, tried) == (3, ["0001", "0002", "0003"])
    assert other.load(one).shelf(app, Paper).length == 3, "as often as somebody loads them"
