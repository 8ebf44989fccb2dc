"""The datastore: read by SQL within bounds, found by words, the same for all who have the same rows."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import datetime
from random import Random
from typing import Any

import pytest

from servers.datastore import Document, app
from servers.datastore.reading import CHARACTERS, ROWS
from servers.kernel import Edit, Engine, Failure, Layer, Rejected, World

LONG = " ".join(f"word{number}" for number in range(1_500))

ROWS_OF_IT: dict[str, list[dict[str, Any]]] = {
    "emails": [
        {
            "id": "D004",
            "place": 0,
            "payload": {
                "from": "Ada Berg <ada@quarry.example>",
                "to": ["Cem Dal <cem@quarry.example>", "Eva Fox <eva@quarry.example>"],
                "cc": [],
                "subject": "Kiln permit",
                "date": "2025-03-01T09:30",
                "body": "The permit for the kiln lies with the town hall.",
            },
        },
        {
            "id": "D001",
            "place": 3,
            "payload": {
                "sender": "cem@quarry.example",
                "to": ["ada@quarry.example"],
                "timestamp": "2025-03-02T10:00:00",
                "subject": "Lunch",
                "body": LONG,
                "thread": {"n": 2},
            },
        },
    ],
    "events": [
        {
            "id": "D003",
            "place": 1,
            "payload": {
                "title": "Town hall",
                "organizer": "Ada Berg",
                "attendees": ["Ada Berg"],
                "start": "2025-03-07T09:00",
                "end": "2025-03-07T10:00",
                "location": "Room 4",
                "description": "Talk about the kiln, and who may light it.",
            },
        }
    ],
    "documents": [
        {
            "id": "D002",
            "place": 2,
            "payload": {"title": "Guide", "author": "Eva Fox", "date": "2025-02-01", "content": "How to fire clay."},
        }
    ],
}
NOW = datetime(2025, 3, 5, 8, 30)


class Store:
    """Calls tools; a failure is raised."""

    def __init__(self, layer: Layer, toolset: str = "default") -> None:
        self.layer, self.toolset = layer, toolset

    def sql(self, query: str, offset: int = 0) -> str:
        tool = app.toolsets[self.toolset].tool("sql_reader")
        return tool.call(self.layer.state(app), {"query": query, "offset": offset}).text

    def rows(self, query: str) -> list[list[Any]]:
        return [json.loads(line) for line in self.sql(query).splitlines()[1:]]

    def search(self, query: str, **arguments: Any) -> dict[str, Any]:
        tool = app.toolsets[self.toolset].tool("semantic_search")
        return tool.call(self.layer.state(app), {"query": query, **arguments}).data

    def ids(self, query: str, **arguments: Any) -> list[str]:
        return [item["id"] for item in self.search(query, **arguments)["items"]]

    def refusal(self, query: str) -> str:
        with pytest.raises(Failure) as refused:
            self.sql(query)
        return str(refused.value)


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine()
    yield engine
    engine.close()


@pytest.fixture
def layer(engine: Engine) -> Layer:
    return engine.layer(engine.load(World("w", NOW, {"datastore": ROWS_OF_IT})))


@pytest.fixture
def store(layer: Layer) -> Store:
    return Store(layer)


@pytest.fixture
def paper(layer: Layer) -> Store:
    return Store(layer, "paper")


def test_it_is_served_to_those_alone_who_name_it() -> None:
    assert app.apart


def test_each_kind_has_a_table_with_columns_in_the_order_of_places(store: Store) -> None:
    assert store.sql("SELECT id, sender, recipients, cc, subject, date FROM emails") == (
        '["id", "sender", "recipients", "cc", "subject", "date"]\n'
        '["D004", "Ada Berg <ada@quarry.example>", "Cem Dal <cem@quarry.example>; Eva Fox <eva@quarry.example>", "", '
        '"Kiln permit", "2025-03-01T09:30"]\n'
        '["D001", "cem@quarry.example", "ada@quarry.example", null, "Lunch", "2025-03-02T10:00:00"]'
    )
    assert store.rows("SELECT * FROM events") == [
        [
            "D003", "Town hall", "Ada Berg", "Ada Berg", "2025-03-07T09:00", "2025-03-07T10:00", "Room 4",
            "Talk about the kiln, and who may light it.",
        ]
    ]  # fmt: skip
    assert store.rows("SELECT * FROM documents") == [["D002", "Guide", "Eva Fox", "2025-02-01", "How to fire clay."]]


def test_the_paper_has_all_in_one_table_with_payloads_as_they_came(paper: Store) -> None:
    found = paper.rows("SELECT id, type FROM documents")

    assert found == [["D004", "email"], ["D003", "event"], ["D002", "document"], ["D001", "email"]]
    (payload,) = paper.rows("SELECT payload FROM documents WHERE id = 'D002'")[0]
    assert json.loads(payload) == ROWS_OF_IT["documents"][0]["payload"]
    assert paper.rows("SELECT payload -> '$.thread', payload ->> '$.thread.n' FROM documents WHERE id = 'D001'") == [
        ['{"n":2}', 2]
    ]


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT count(*) FROM emails WHERE body LIKE '%KILN%'", [[1]]),
        ("-- a comment\n/* and one */ SELECT 1;", [[1]]),
        ("WITH t AS (SELECT id FROM emails) SELECT count(*) FROM t", [[2]]),
        ("WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 3) SELECT n FROM t", [[1], [2], [3]]),
        ("VALUES (1, 'a')", [[1, "a"]]),
        ("SELECT date('now'), time(), strftime('%Y'), datetime('now', '+1 day')",
         [["2025-03-05", "08:30:00", "2025", "2025-03-06 08:30:00"]]),
        ("SELECT date(date, '-1 month') FROM documents", [["2025-01-01"]]),
        ("SELECT instr('kiln', 'l'), replace('aba', 'a', 'cc'), trim('  x '), ltrim('xxy', 'x'), instr(NULL, 'a')",
         [[3, "ccbcc", "x", "y", None]]),
        ("SELECT x'ff', 9e999, replace(NULL, 'a', 'b'), replace('a', '', 'b'), trim(NULL)",
         [["ff", "inf", None, "a", None]]),
        ("SELECT row_number() OVER (ORDER BY id DESC), id FROM emails ORDER BY id", [[2, "D001"], [1, "D004"]]),
        ("SELECT id FROM emails WHERE 0", []),
    ],
)  # fmt: skip
def test_a_select_is_answered(store: Store, query: str, rows: list[list[Any]]) -> None:
    assert store.rows(query) == rows


SCHEMA = (
    "Tables: emails(id, sender, recipients, cc, subject, date, body); "
    "events(id, title, organizer, attendees, start, end, location, description); "
    "documents(id, title, author, date, content)"
)


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("DELETE FROM emails", "Only a SELECT can be run"),
        ("WITH t AS (SELECT 1) DELETE FROM emails", "Only a SELECT can be run"),
        ("PRAGMA query_only = OFF", "Only a SELECT can be run"),
        ("ATTACH '/tmp/x' AS x", "Only a SELECT can be run"),
        ("EXPLAIN SELECT 1", "Only a SELECT can be run"),
        ("SELECT 1; DROP TABLE emails", "one statement at a time"),
        ("-- nothing", "Only a SELECT can be run"),
        ("SELECT '\0'", "The query holds a NUL character, which no SQL has"),
        ("SELECT sql FROM sqlite_master", "sqlite_master cannot be read"),
        ("SELECT count(*) FROM sqlite_master", "sqlite_master cannot be read"),
        ("SELECT * FROM pragma_table_info('emails')", "Functions that give rows, such as json_each, cannot be used"),
        ("SELECT value FROM emails, json_each(recipients)", "Functions that give rows, such as json_each, cannot be"),
        ("SELECT load_extension('x')", "load_extension cannot be used here"),
        ("SELECT random()", "random cannot be used here. These functions can: ->"),
        ("SELECT current_timestamp", "current_timestamp cannot be used here"),
        ("SELECT zeroblob(100000000)", "zeroblob cannot be used here"),
        ("SELECT datetime('now', 'localtime')", "times here have no zone"),
        ("SELECT strftime()", "strftime needs a format"),
        ("SELECT strftime('%Y', 'now', 1/0, 2, nope) FROM emails", "no such column: nope"),
        ("SELECT nope FROM emails", "no such column: nope"),
        ("SELECT * FROM mails", "no such table: mails"),
        ("SELECT 'it's'", "unrecognized token"),
        ("WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
         "takes more than 500,000 steps"),
        ("WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 5000) "
         "SELECT sum(instr(body, n)) FROM emails, t", "takes more than 500,000 steps"),
        ("WITH RECURSIVE t(n) AS (SELECT 'aa' UNION ALL SELECT n || n FROM t LIMIT 40) SELECT max(n) FROM t",
         "string or blob too big"),
        ("SELECT replace(replace(body, 'o', 'oooooooooo'), 'o', 'oooooooooooooooo') FROM emails WHERE id = 'D001'",
         "replace makes a text of more than 200,000 characters"),
        (f"SELECT {', '.join('1' * 101)}", "too many columns in result set"),
    ],
)  # fmt: skip
def test_what_is_refused_says_why_and_what_there_is(store: Store, query: str, problem: str) -> None:
    refusal = store.refusal(query)

    assert problem in refusal
    assert refusal.endswith(f"{SCHEMA}. One SELECT is taken, in the dialect of SQLite.")


PIECES = """emails events documents id body content * ( ) , ' " ; -- /* */ like '%a%' || count(*) group by order limit 1
union all with recursive t(x) as join on = < > null 0 -1 99999999999999999999 1e999 x'ff' json_extract(body,'$.a')
replace(body,'a','bb') date('now') strftime('%s') hex(body) trim(body,id) -> ->> '$' case when end cast as blob over
exists in values pragma attach abs(-9223372036854775808) glob match [ ] ` ? :a @b $c %s from where select"""
ALL = [*PIECES.split(), "\\", "\0", "\u2028"]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_asked_is_answered_or_refused_on_purpose_and_the_same_again(store: Store, seed: int) -> None:
    draw = Random(seed)
    for _ in range(250):
        query = f"select {' '.join(draw.choice(ALL) for _ in range(draw.randint(1, 10)))}"
        try:
            answer = store.sql(query)
        except Rejected as refused:
            assert SCHEMA in store.refusal(query) == str(refused)  # noqa: PT017
        else:
            assert store.sql(query) == answer


def test_a_long_query_is_refused(store: Store) -> None:
    assert store.refusal(f"SELECT '{'x' * 4_000}'").endswith("'query': string should have at most 4000 characters.")


def test_an_empty_query_tells_of_the_tables(store: Store, paper: Store) -> None:
    assert (store.sql(" "), paper.sql("")) == (SCHEMA, "Tables: documents(id, type, payload)")


def test_a_long_result_comes_in_parts_that_make_the_whole(store: Store) -> None:
    query, parts, offset = "SELECT body FROM emails WHERE id = 'D001'", [], 0
    while True:
        part, _, more = store.sql(query, offset).partition("\nnext_offset: ")
        parts.append(part)
        if not more:
            break
        offset = int(more.split()[0])

    assert [len(part) for part in parts[:-1]] == [CHARACTERS] * (len(parts) - 1)
    assert json.loads("".join(parts).splitlines()[1]) == [LONG]
    with pytest.raises(Failure, match="offset is 900,000, and the result has 12,403 characters"):
        store.sql(query, 900_000)


def test_of_many_rows_the_first_two_hundred_are_given(store: Store) -> None:
    many = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 300) SELECT n FROM t"
    lines = store.sql(many).splitlines()

    assert (lines[0], lines[ROWS]) == ('["n"]', "[200]")
    assert lines[ROWS + 1 :] == ["... and more rows, which are not shown: say LIMIT 200 and raise OFFSET by 200"]


def test_one_query_leaves_nothing_for_the_next(store: Store) -> None:
    store.refusal("WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t")

    assert store.rows("SELECT count(*) FROM emails") == [[2]]


def test_documents_come_by_what_they_are_about_and_ties_by_place(store: Store) -> None:
    assert store.ids("kiln") == ["D004", "D003"]
    assert store.ids("KILN permit") == ["D004", "D003"]
    assert store.ids("town hall") == ["D003", "D004"]
    assert store.ids("word7 clay") == ["D002", "D001"]
    assert store.search("unheard-of") == {"items": []}


def test_equal_documents_come_in_the_order_of_their_places() -> None:
    rows = [
        {"id": f"D{number}", "place": 9 - number, "payload": {"title": "Same", "content": "The same."}}
        for number in range(1, 6)
    ]
    engine = Engine()
    store = Store(engine.layer(engine.load(World("w", NOW, {"datastore": {"documents": rows}}))))

    assert store.ids("same") == ["D5", "D4", "D3", "D2", "D1"]
    engine.close()


def test_search_goes_on_at_an_offset(store: Store) -> None:
    first = store.search("the kiln town clay lunch", top_k=3)
    rest = store.search("the kiln town clay lunch", top_k=3, offset=first["next_offset"])

    assert (len(first["items"]), first["next_offset"], len(rest["items"]), rest.get("next_offset")) == (3, 3, 1, None)
    assert {item["id"] for item in (*first["items"], *rest["items"])} == {"D001", "D002", "D003", "D004"}


def test_an_event_is_found_by_its_description(store: Store) -> None:
    assert store.search("light")["items"] == [
        {
            "id": "D003",
            "type": "event",
            "title": "Town hall",
            "excerpt": "Talk about the kiln, and who may light it.",
        }
    ]


def test_an_excerpt_shows_three_hundred_characters_from_where_the_words_are(store: Store) -> None:
    (hit,) = store.search("word1200 word1201")["items"]

    assert len(hit["excerpt"]) == 300
    assert "word1200 word1201" in hit["excerpt"]
    (begins,) = store.search("lunch")["items"]
    assert begins["excerpt"] == LONG[:300]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"query": " ?! "}, "query has no words"),
        ({"query": "x" * 1_001}, "'query': string should have at most 1000 characters"),
        ({"query": "kiln", "top_k": 21}, "'top_k'"),
        ({"query": "kiln", "top_k": 0}, "'top_k'"),
        ({"query": "kiln", "offset": -1}, "'offset'"),
    ],
)
def test_a_search_that_makes_no_sense_is_refused(store: Store, arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(Failure, match=problem.replace("?", r"\?")):
        store.search(**arguments)


def test_an_excerpt_is_where_rare_words_are_and_not_where_usual_ones_stand() -> None:
    body = f"{'the of to ' * 200}kiln {'the of to ' * 200}"
    rows = [
        {"id": f"D{n}", "payload": {"title": f"{n}", "content": body if n == 1 else "the of to"}} for n in range(1, 4)
    ]
    engine = Engine()
    store = Store(engine.layer(engine.load(World("w", NOW, {"datastore": {"documents": rows}}))))

    assert "kiln" in store.search("to the kiln of")["items"][0]["excerpt"]
    engine.close()


def test_both_surfaces_find_the_same(store: Store, paper: Store) -> None:
    assert paper.search("kiln town") == store.search("kiln town")


def test_an_edit_before_the_start_is_seen_by_sql_and_search_in_that_sandbox_alone(engine: Engine, layer: Layer) -> None:
    edit = Edit(
        op="change",
        app="datastore",
        table="documents",
        id="D002",
        values={"payload": {"title": "Glaze", "content": ""}},
    )
    edited, plain = Store(engine.layer(layer.base, [edit], [app])), Store(layer)

    assert (plain.ids("clay"), edited.ids("clay"), edited.ids("glaze")) == (["D002"], [], ["D002"])
    assert edited.rows("SELECT title, author FROM documents") == [["Glaze", None]]
    assert plain.rows("SELECT title FROM documents") == [["Guide"]]


def test_dates_move_with_the_world() -> None:
    engine = Engine()
    store = Store(engine.layer(engine.load(World("w", NOW, {"datastore": ROWS_OF_IT}).moved(7))))

    assert store.rows("SELECT date FROM documents UNION ALL SELECT start FROM events") == [
        ["2025-02-08"],
        ["2025-03-14T09:00"],
    ]
    engine.close()


def test_threads_with_engines_of_their_own_get_the_same_answers() -> None:
    answers: list[tuple[str, str]] = []

    def ask() -> None:
        engine = Engine()
        store = Store(engine.layer(engine.load(World("w", NOW, {"datastore": ROWS_OF_IT}))))
        answers.extend((store.sql("SELECT * FROM emails"), json.dumps(store.search("kiln town"))) for _ in range(20))
        engine.close()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(answers), len(set(answers))) == (80, 1)


def test_ids_are_of_one_kind_for_all_tables() -> None:
    assert {table.id_format for table in app.tables} == {Document.id_format}


@pytest.mark.parametrize("toolset", ["default", "paper"])
def test_without_a_query_the_tables_are_told(layer: Layer, toolset: str) -> None:
    told = app.toolsets[toolset].tool("sql_reader").call(layer.state(app), {}).text

    assert told == Store(layer, toolset).sql("")
    assert told.startswith("Tables: ")
