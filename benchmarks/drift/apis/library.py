"""Tasks over books and loans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis import finding
from benchmarks.drift.apis.made import Taken, ahead, by, change, changes, insert, names, template, told, where
from benchmarks.drift.apis.mentions import Item, Way, amount, choice, deed, disagreeing, item, person
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.things import everybody
from benchmarks.drift.apis.worlds import TODAY
from benchmarks.drift.template import Outcome, Rows, Template, Value, Values

__all__ = ("TEMPLATES",)


def _loans(rows: Rows, values: Values) -> list[Item]:
    """Books that somebody has: "Ines Berg's copy of Night Market"."""
    people, books = names(rows, "customers"), {row["id"]: row["title"] for row in rows["books"]}
    return [
        Item(
            row["id"],
            people[row["customer_id"]],
            f"copy of {books[row['book_id']]}",
            f"copies of {books[row['book_id']]}",
        )
        for row in where(rows, "loans", status="out")
    ]


_MUSEUM = ("borrowed from the museum", "borrowed nothing from the museum")


def _due_truth(rows: Rows, taken: Taken) -> Outcome | None:
    return told([by(rows, "loans", taken["loan"])["due"]], "date")


DUE: Final = template(
    "loan-due",
    "apis-harwick",
    (item("loan", "loan", "book", _loans, numbered="loan", past=_MUSEUM),),
    ("When is {loan} due back at the library?", "By what date does {loan} have to be back at the library?"),
    _due_truth,
    lambda play, v: play.answer(finding.loan(play, v["loan"])["due"]),
    kind="read",
)


def _extend_truth(rows: Rows, taken: Taken) -> Outcome | None:
    loan = by(rows, "loans", taken["loan"])
    if loan["extended"] >= 2 or not 1 <= taken["days"] <= 28:
        return None
    later = {"due": ahead(loan["due"], taken["days"]), "extended": loan["extended"] + 1}
    return changes(change("loans", loan["id"], **later))


def _extend(play: Play, v: Mapping[str, Any]) -> None:
    loan = finding.loan(play, v["loan"])["loan_id"]
    play("library", "extend_loan", loan_id=loan, days=v["days"])


def _lengths(rows: Rows, values: Values) -> Sequence[int]:
    return (3, 5, 7, 10, 14, 21, 28)


def _length_ways(rows: Rows, values: Values) -> Iterable[Way]:
    every = list(_lengths(rows, values))
    yield Way("E4", " a little", [3, 5, 7])
    yield Way("E4", " for quite a while", [14, 21, 28])
    yield Way("A2", " by a number of whole weeks", [7, 14, 21, 28])
    yield Way("P4", " by 90 days", every, "The library extends by 28 days at most.")


EXTEND: Final = template(
    "extend-loan",
    "apis-brisa",
    (
        item("loan", "loan", "book", _loans, numbered="loan", past=_MUSEUM),
        amount("days", "days more", "{value}", _lengths, _length_ways, before=" by ", unit=" days"),
    ),
    ("Put off the return of {loan}{days}.", "Please put off the return of {loan}{days}."),
    _extend_truth,
    _extend,
    kind="change",
)


def _loan_deed_truth(rows: Rows, taken: Taken) -> Outcome | None:
    if taken["deed"] == "extend":
        return _extend_truth(rows, {"loan": taken["loan"], "days": 14})
    return changes(change("loans", taken["loan"], status="returned"))


def _loan_deed(play: Play, v: Mapping[str, Any]) -> None:
    loan = finding.loan(play, v["loan"])["loan_id"]
    if v["deed"] == "extend":
        play("library", "extend_loan", loan_id=loan, days=14)
    else:
        play("library", "return_book", loan_id=loan)


LOAN_DEED: Final = template(
    "loan-deed",
    "apis-tallen",
    (
        deed(
            "deed",
            "what is to be done about the loan",
            {"return": "book it in as returned", "extend": "extend the loan by 14 days"},
            ("see to it", "bring that up to date"),
            ("{loan} is nearly due.", "I do not want to hear about {loan} again."),
        ),
        item("loan", "loan", "book", _loans, numbered="loan", past=_MUSEUM),
    ),
    ("About {loan}: please {deed}.", "I have a request about {loan}: {deed}, please."),
    _loan_deed_truth,
    _loan_deed,
    kind="change",
)


def _books(rows: Rows, values: Values) -> list[Value]:
    return [Value(row["title"], row["id"]) for row in rows["books"]]


def _book_ways(rows: Rows, values: Values) -> Iterable[Way]:
    own = by(rows, "books", values["book"].value)
    yield Way("E3", f"the {own['author']} book", [row["id"] for row in where(rows, "books", author=own["author"])])
    yield Way("A2", f"something by {own['author']}", [row["id"] for row in where(rows, "books", author=own["author"])])
    nights = [row["id"] for row in rows["books"] if row["title"] in ("Night Market", "Winter Ferries")]
    yield Way("P2", "Night Ferries", nights, "There is no book called Night Ferries.")
    lights = [row["id"] for row in rows["books"] if row["title"] in ("Harbour Lights", "Letters to a Lighthouse")]
    yield Way("P2", "Lighthouse Harbour", lights, "There is no book called Lighthouse Harbour.")
    books = {row["id"]: row for row in rows["books"]}
    yield from disagreeing(
        own["id"],
        [id for id, row in books.items() if row["author"] != own["author"]][:1],
        lambda named, told: f"{books[named]['title']} by {books[told]['author']}",
        lambda told: [id for id, row in books.items() if row["author"] == books[told]["author"]],
    )


def _lend_truth(rows: Rows, taken: Taken) -> Outcome | None:
    book = by(rows, "books", taken["book"])
    if len(where(rows, "loans", book_id=book["id"], status="out")) >= book["copies"]:
        return None
    due = ahead(TODAY.isoformat(), 21)
    return changes(insert("loans", book_id=book["id"], customer_id=taken["customer"], due=due))


def _lend(play: Play, v: Mapping[str, Any]) -> None:
    book, customer = finding.book(play, v["book"]), finding.customer(play, v["customer"])
    play("library", "lend_book", book_id=book, customer_id=customer)


LEND: Final = template(
    "lend-book",
    "apis-harwick",
    (
        choice("book", "entity", "book", "{value}", _books, _book_ways, without="the book that was put aside"),
        person("customer", "reader", " to {value}", everybody),
    ),
    ("Lend {book}{customer}.", "Please have the library lend {book}{customer}."),
    _lend_truth,
    _lend,
    kind="insert",
)


TEMPLATES: Final[tuple[Template, ...]] = (
    DUE,
    EXTEND,
    LOAN_DEED,
    LEND,
)
