"""docs/apps.md is what the code says; names of other servers lead to tools of ours; an office keeps to its budget."""

from __future__ import annotations

import re
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

import servers
from harness.serving.cost import CORE, core, cost
from servers import catalog
from servers.kernel import App, Dated, Ref, State, Table, User
from tests.contracts.columns import default, kind
from tests.contracts.official import PAPER, Official, official, problems
from tests.contracts.page import MOST_TOKENS, MOST_TOOLS, PAGE, Entry, generated, page


class Shelf(Table, name="shelves", ids="S{}", noun="shelf"):
    """Where books stand.

    - `a*b` is code, and <b> is not HTML.
    """

    room: str = Field(default="hall", description="Which room | floor.")


class Loan(BaseModel):
    """Who has a book."""

    reader: str
    back: date | None = None


class Colour(StrEnum):
    """Of the back."""

    RED = "red"
    BLUE = "blue"


class Book(Table, name="books"):
    """A book."""

    shelf: Annotated[str, Ref(Shelf)]
    beside: Annotated[str | None, Ref(Shelf)] = None
    title: Dated
    note: Dated | None = None
    pages: int = 0
    price: float = 1.5
    lent: bool = False
    due: date
    seen: datetime | None = None
    cover: bytes | None = None
    colour: Colour = Colour.RED
    state: Literal["new", "worn"] | None = None
    tags: list[str] = Field(default=[])
    loans: list[Loan] = Field(default_factory=list)
    counts: dict[str, int] = Field(default={})
    anything: Any = None
    sort_as: str = Field(default_factory=lambda given: given["title"])


def library() -> App:
    app = App("library", "Lend the books of {owner}.", tables=(Shelf, Book))
    desk = app.toolset("desk", "Find and lend books of {owner} ({address}).", structured=False)

    @desk.reads
    def find_books(state: State) -> list[Book]:
        """Find books.

        All of them.
        """
        return state.find(Book, "true")

    @desk.writes(destructive=True)
    def drop_book(state: State) -> str:
        """Drop a book."""
        return ""

    @app.asks
    async def ask_reader(state: State, user: User) -> str:
        """Ask who reads."""
        return ""

    return app


SAID = Official(
    {
        "google": {"search_books": "desk.find_books", "rate_book": ""},
        "a shop": {"ask": "default.ask_reader", "rate_book": ""},
    },
    {"rate_book": "Books have no | ratings here."},
)


def test_the_page_of_apps_is_what_the_code_says() -> None:
    there = PAGE.read_text(encoding="utf-8")

    assert there == generated(), "an app has changed: run `python -m tests.contracts.page` and review the diff"


def test_the_contents_lead_to_every_section() -> None:
    text = generated()

    assert re.findall(r"^- \[.*?\]\(#(.*?)\)", text, re.M) == [
        heading.lower().replace(" ", "-") for heading in re.findall(r"^## (.+)$", text, re.M) if heading != "Contents"
    ]


@pytest.mark.parametrize("name", catalog.folders())
def test_each_official_name_leads_to_a_tool_or_has_a_reason(name: str) -> None:
    assert list(problems(catalog.app(name), official(name))) == []


def test_the_default_toolsets_of_an_office_leave_room_for_a_conversation() -> None:
    toolsets = core(catalog.app(name) for name in catalog.folders())
    found = cost(*toolsets)
    each = {toolset.app.name: f"{len(toolset.tools)} tools, {cost(toolset).tokens} tokens" for toolset in toolsets}

    assert (found.tools <= MOST_TOOLS, found.tokens <= MOST_TOKENS) == (True, True), (found, found.tokens, each)


def test_an_app_is_told_of_with_tables_toolsets_and_names() -> None:
    app = library()
    text = page([Entry(app, "Library: a shelf.\nIt has books.\n\nMore.\n", SAID)]).partition("\n## library\n")[2]
    desk, ask = cost(app.toolsets["desk"]), cost(app.default)

    assert (
        text
        == f"""
Lend the books of the user.

Library: a shelf. It has books.

### Tables

**`shelves`**; ids such as `S1`

Where books stand.

- `a*b` is code, and \\<b> is not HTML.

| column | type | unless given | meaning |
| --- | --- | --- | --- |
| `room` | text | `hall` | Which room \\| floor. |

**`books`**

A book.

| column | type | unless given |
| --- | --- | --- |
| `shelf` | id of shelf | needed |
| `beside` | id of shelf or nothing | nothing |
| `title` | text with dates | needed |
| `note` | text with dates or nothing | nothing |
| `pages` | whole number | `0` |
| `price` | number | `1.5` |
| `lent` | yes or no | no |
| `due` | day | needed |
| `seen` | moment or nothing | nothing |
| `cover` | bytes or nothing | nothing |
| `colour` | `red` or `blue` | `red` |
| `state` | `new` or `worn` or nothing | nothing |
| `tags` | list: text | empty list |
| `loans` | list: (`reader` text, `back` day or nothing) | empty list |
| `counts` | mapping: text to whole number | empty |
| `anything` | any JSON | nothing |
| `sort_as` | text | worked out |

### Toolset `desk`

2 tools, {desk.bytes:,} bytes, about {desk.tokens:,} tokens (1 reads, 1 writes); text alone.

Find and lend books of the user (the user's address).

| tool | kind | what it does |
| --- | --- | --- |
| `find_books` | reads | Find books. |
| `drop_book` | writes, destructive | Drop a book. |

### Toolset `default`

1 tool, {ask.bytes:,} bytes, about {ask.tokens:,} tokens (1 asks); the default.

| tool | kind | what it does |
| --- | --- | --- |
| `ask_reader` | asks | Ask who reads. |

### Official names

**google**, Google's own remote servers of Gmail and Calendar: 1 of 2 offered

| official name | tool |
| --- | --- |
| `search_books` | `desk.find_books` |
| `rate_book` | not offered: Books have no \\| ratings here. |

**a shop**, a server of that name: 1 of 2 offered

| official name | tool |
| --- | --- |
| `ask` | `default.ask_reader` |
| `rate_book` | not offered: Books have no \\| ratings here. |
"""
    )


def test_only_core_apps_count_in_the_sum_of_the_core() -> None:
    apps = {name: catalog.app(name) for name in catalog.folders()}
    text = page([Entry(apps["projects"]), Entry(apps["ask_user"])])
    found = cost(apps["ask_user"].default)

    assert "ask_user" in CORE
    assert f"that there are (`ask_user`) have 1 tool, {found.bytes:,} bytes, about {found.tokens:,} tokens" in text


def test_a_type_that_holds_itself_is_named_where_it_comes_again() -> None:
    class Folder(BaseModel):
        name: str
        inner: list[Folder] = []

    Folder.model_rebuild(_types_namespace={"Folder": Folder})

    assert kind(list[Folder]) == "list: (`name` text, `inner` list: Folder)"
    assert kind(tuple[int, ...] | Literal["all", 3]) == "list: whole number or `all` or `3`"


def test_a_default_that_is_an_empty_text_is_said_in_words() -> None:
    class Card(Table, name="cards"):
        front: str = ""
        quoted: str = '"x"'

    assert (default(Card, "front"), default(Card, "quoted")) == ("empty", '`"x"`')


def test_what_an_app_says_of_official_names_is_read_from_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (
        ("lending_with", "OFFICIAL = {'pi': {'a': ''}}\nNOT_OFFERED = {'a': 'No.'}\n"),
        ("lending_without", None),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
        if text:
            (tmp_path / name / "official.py").write_text(text)
    monkeypatch.setattr(servers, "__path__", [*servers.__path__, str(tmp_path)])

    assert official("lending_with") == Official({"pi": {"a": ""}}, {"a": "No."})
    assert official("lending_without") == Official()


@pytest.mark.parametrize(
    ("names", "reasons", "found"),
    [
        ({"shop": {"a": "desk.find_books"}}, {}, []),
        ({"shop": {"a": ""}, "other": {"a": "desk.drop_book"}}, {"a": "Not there."}, []),
        ({"shop": {"a": "desk.find_book"}}, {}, ["shop: a is desk.find_book, which library does not have"]),
        ({"shop": {"a": "shop.find_books"}}, {}, ["shop: a is shop.find_books, which library does not have"]),
        ({"shop": {"a": "find_books"}}, {}, ["shop: a is find_books, which library does not have"]),
        ({"shop": {"a": ""}}, {}, ["shop: a is offered by no tool, and NOT_OFFERED does not say why"]),
        ({"shop": {"a": ""}}, {"a": " "}, ["shop: a is offered by no tool, and NOT_OFFERED does not say why"]),
        ({"shop": {"a": "desk.find_books"}}, {"a": "No."}, ["NOT_OFFERED has a, which is offered or in no list"]),
        ({}, {"b": "No."}, ["NOT_OFFERED has b, which is offered or in no list"]),
    ],
)
def test_a_name_that_leads_nowhere_is_found(
    names: dict[str, dict[str, str]], reasons: dict[str, str], found: list[str]
) -> None:
    assert list(problems(library(), Official(names, reasons))) == found


def test_a_tool_of_the_paper_s_toolset_that_the_paper_does_not_have_is_found() -> None:
    app = library()

    @app.toolset("pi").reads
    def view_shelf(state: State) -> str:
        """View the shelf."""
        return ""

    listed = Official({"pi": {"view_shelf": "pi.view_shelf"}})

    assert list(problems(app, Official())) == ["pi: view_shelf is no row of the table"]
    assert list(problems(app, listed)) == []


def test_each_of_the_187_rows_of_the_paper_has_a_tool() -> None:
    """Table 3 of pi-Bench, by app."""
    rows = {name: official(name).names.get(PAPER, {}) for name in catalog.folders()}

    assert {name: len(tools) for name, tools in rows.items() if tools} == {
        "amazon": 33, "ask_user": 1, "desk": 3, "filesystem": 15, "gmail": 25, "phone": 12, "simple_note": 10,
        "splitwise": 13, "spotify": 37, "todoist": 36, "web": 2,
    }  # fmt: skip
    assert sum(map(len, rows.values())) == 187
    assert all(tool for tools in rows.values() for tool in tools.values())
