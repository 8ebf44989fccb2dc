"""The world that the contract tests run in."""

from datetime import date, datetime
from typing import Annotated, Literal

import pytest
from pydantic import Field

from harness.contracts.world import invented
from servers import catalog
from servers.kernel import App, Ref, Table
from tests.contracts.rows import OFFICE
from tests.contracts.world import contract_world


class Shelf(Table, name="shelves", ids="s{:03d}"):
    label: str


class Book(Table, name="books"):
    shelf: Annotated[str, Ref(Shelf)]
    size: Literal["small", "large"]
    pages: int
    weight: float
    lent: bool
    bought: date
    read_at: datetime | None
    marks: list[str]


@pytest.mark.parametrize("app", catalog.apps().values(), ids=lambda app: app.name)
def test_every_table_has_rows_that_fit_it(app: App) -> None:
    for table in app.tables:
        rows = contract_world().rows[app.name][table.table_name]

        assert rows or OFFICE[app.name][table.table_name] == []  # empty where that is written, and only there
        assert [table.model_validate(row).id for row in rows] == [row["id"] for row in rows]


def test_a_table_that_nobody_wrote_rows_for_gets_some_of_every_type() -> None:
    books = [Book.model_validate(row) for row in invented(Book)]
    shelves = {row["id"] for row in invented(Shelf)}

    assert {book.size for book in books} == {"small", "large"}
    assert {book.read_at is None for book in books} == {True, False}
    assert {book.shelf for book in books} <= shelves


class Parcel(Table, name="parcels"):
    books: Annotated[list[str], Ref(Book)]
    shelves: list[Annotated[str, Ref(Shelf)]] | None = None
    grams: Annotated[int, Field(ge=5)]
    note: object = None


def test_a_column_that_lists_ids_gets_a_list_and_one_with_bounds_or_of_any_type_what_it_takes() -> None:
    parcels = [Parcel.model_validate(row) for row in invented(Parcel)]
    books, shelves = ({row["id"] for row in invented(table)} for table in (Book, Shelf))

    assert {id for parcel in parcels for id in parcel.books} <= books
    assert {id for parcel in parcels for id in parcel.shelves or ()} <= shelves
    assert all(parcel.books and parcel.shelves and parcel.note for parcel in parcels)


def test_a_reference_to_what_is_no_table_is_refused_with_table_and_column() -> None:
    with pytest.raises(
        TypeError, match=r"Loan: book: Ref takes the class of a table, as in Ref\(Project\), not 'books'"
    ):

        class Loan(Table, name="loans"):
            book: Annotated[str, Ref("books")]
