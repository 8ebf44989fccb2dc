"""A stock count settled: sheets by bay, recounts in mail and chat, packs, items on hold, and what has to be ordered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.layout import Layout, first, person
from benchmarks.workflows.plan import Plan, amount, cents, says, spoken

__all__ = ("FLOW",)

_ROOT: Final = "/workspace/operations/stock"
_OPERATIONS: Final = "P4"
"""The project of that name in Todoist."""


class _Item(NamedTuple):
    name: str
    bay: str
    pack: int
    supplier: str
    cost: str
    older: str


_ITEMS: Final = (
    _Item("gasket set", "bay one", 20, "Harrowgate Seals", "1.85", "1.70"),
    _Item("logger shell", "bay one", 1, "Harrowgate Seals", "6.40", "6.10"),
    _Item("antenna stub", "bay one", 10, "Pell & Dunmore", "2.15", "2.15"),
    _Item("coin cell", "bay two", 25, "Voltaire Cells", "0.92", "0.88"),
    _Item("lithium pack", "bay two", 1, "Voltaire Cells", "14.30", "13.75"),
    _Item("charging cradle", "bay two", 1, "Pell & Dunmore", "21.60", "22.40"),
    _Item("wall bracket", "bay three", 12, "Tarn Metalwork", "3.25", "3.05"),
    _Item("din rail clip", "bay three", 50, "Tarn Metalwork", "0.44", "0.44"),
    _Item("probe cable", "bay three", 1, "Pell & Dunmore", "8.75", "8.20"),
    _Item("shipping carton", "bay four", 40, "Oatley Board", "0.58", "0.55"),
    _Item("foam insert", "bay four", 40, "Oatley Board", "0.31", "0.29"),
    _Item("seal sticker", "bay four", 500, "Oatley Board", "0.03", "0.03"),
)
_BAYS: Final = ("bay one", "bay two", "bay three", "bay four")
_MAILBOXES: Final = {
    "Harrowgate Seals": "orders@harrowgateseals.example",
    "Pell & Dunmore": "sales@pelldunmore.example",
    "Voltaire Cells": "orders@voltairecells.example",
    "Tarn Metalwork": "desk@tarnmetalwork.example",
    "Oatley Board": "supply@oatleyboard.example",
}


class _Count(NamedTuple):
    """What is particular about the count of a case.

    `twice`: something moved while they counted stands on two sheets. `loose`: some lines have packs and loose pieces
    ("6 + 4"). `least`: differences worth less than this are left out. `moved`: a supplier takes orders elsewhere now.
    """

    day: str
    tag: str
    twice: bool = False
    loose: bool = False
    least: str = "0"
    moved: bool = False


_COUNTS: Final = (
    _Count("2026-03-13", "0313"),
    _Count("2026-03-16", "0316", twice=True, least="5"),
    _Count("2026-03-17", "0317", loose=True, moved=True),
)


@dataclass(frozen=True, kw_only=True)
class _Books:
    """What holds once all is read: pieces by item, and where the papers are."""

    tag: str
    day: str
    counted: Mapping[str, int]
    book: Mapping[str, int]
    hold: frozenset[str]
    points: Mapping[str, int]
    bring_up: Mapping[str, int]
    papers: Mapping[str, str]
    mails: tuple[str, ...]
    mailboxes: Mapping[str, str]
    least: Decimal


def _lay(layout: Layout, number: int) -> _Books:
    draw = Random(f"stock count {number}")
    count = _COUNTS[number]
    day, tag = count.day, count.tag
    folder = f"{_ROOT}/count_{tag}"
    names = [item.name for item in _ITEMS]
    book = {item.name: item.pack * draw.randint(6, 18) if item.pack > 1 else draw.randint(24, 160) for item in _ITEMS}
    off = set(draw.sample(names, 7))
    sheet: dict[str, int] = {}
    for item in _ITEMS:
        packs = book[item.name] // item.pack
        step = max(1, round(packs * draw.choice((0.03, 0.06, 0.12)))) if item.name in off else 0
        sheet[item.name] = packs + draw.choice((-1, 1)) * step
    counted = {item.name: sheet[item.name] * item.pack for item in _ITEMS}
    lines = {item.name: str(sheet[item.name]) for item in _ITEMS}
    if count.loose:
        for name in draw.sample([item.name for item in _ITEMS if item.pack >= 10], 3):
            extra = draw.randint(2, 9)
            counted[name] += extra
            lines[name] += f" + {extra}"
            off.add(name)

    # Two items were recounted, one of them twice; the recounts are in pieces, and the last one holds.
    first, second = draw.sample(sorted(off), 2)
    early, late = counted[first] + 7, book[first] - draw.randint(2, 9)
    once = book[second] + draw.randint(1, 4)
    counted[first], counted[second] = late, once

    hold, free_again = draw.sample([name for name in names if name not in (first, second)], 2)
    points = {name: round(count * draw.choice((0.5, 0.6, 1.15))) for name, count in counted.items()}
    for name in (hold, free_again):
        points[name] = counted[name] + 5
    bring_up = {name: -(-point * 2 // 10) * 10 for name, point in points.items()}

    papers = {
        "rules": layout.file(f"{_ROOT}/how_we_count.md", _rules(count), at="2026-02-02 10:15"),
        "packs": layout.sheet(
            f"{_ROOT}/pack_sizes.csv",
            [("item", "pieces in a pack"), *((item.name, item.pack) for item in _ITEMS if item.pack > 1)],
            at="2026-01-21 09:40",
        ),
        "hold": layout.sheet(
            f"{_ROOT}/on_hold.csv",
            [
                ("item", "from", "to", "why"),
                (free_again, "2026-01-26", "2026-02-20", "wrong print"),
                (hold, "2026-03-02", "", "waiting for the test report"),
            ],
            at="2026-03-02 11:05",
        ),
        "points": layout.sheet(
            f"{_ROOT}/when_to_order.csv",
            [("item", "order below", "bring up to"), *((name, points[name], bring_up[name]) for name in names)],
            at="2026-02-19 16:30",
        ),
        "suppliers": layout.sheet(
            f"{_ROOT}/suppliers.csv",
            [
                ("item", "supplier", "orders to"),
                *((item.name, item.supplier, _MAILBOXES[item.supplier]) for item in _ITEMS),
            ],
            at="2026-01-14 12:00",
        ),
        "old book": layout.sheet(
            f"{_ROOT}/book_20260130.csv",
            _booked({name: count + 11 for name, count in book.items()}),
            at="2026-01-30 17:20",
        ),
        "book": layout.sheet(f"{_ROOT}/book_20260227.csv", _booked(book), at="2026-02-27 17:45"),
        "costs": layout.sheet(
            "/workspace/finance/unit_costs.csv",
            [
                ("item", "EUR a piece", "from"),
                *((item.name, item.older, "2025-04-01") for item in _ITEMS),
                *((item.name, item.cost, "2026-01-01") for item in _ITEMS if item.cost != item.older),
                *((item.name, f"{Decimal(item.cost) + Decimal('0.05')}", "2026-04-01") for item in _ITEMS[::3]),
            ],
            at="2026-03-05 14:10",
        ),
    }
    also: dict[str, tuple[str, int]] = {}
    if count.twice:
        for item in (draw.choice([item for item in _ITEMS if item.name not in (first, second, hold, free_again)]),):
            other = draw.choice([bay for bay in _BAYS if bay != item.bay])
            also[other] = (item.name, sheet[item.name] - 1)
            layout.message(
                "operations",
                "logistics",
                f"we carried the {item.name} over from {other} while Joan was counting, so they are on two sheets. "
                f"{item.bay} has them all",
                at=f"{day} 16:40",
            )
    for bay, who in zip(_BAYS, ("Joan", "Tamsin", "Joan", "Ivo"), strict=True):
        papers[bay] = layout.sheet(
            f"{folder}/{bay.replace(' ', '_')}.csv",
            [
                ("item", "counted", "by"),
                *((item.name, lines[item.name], who) for item in _ITEMS if item.bay == bay),
                *((name, packs, who) for name, packs in ([also[bay]] if bay in also else [])),
            ],
            at=f"{day} 16:10",
        )
    subject = f"Count of the {int(day[-2:])}th: one more look"
    mails: tuple[str, ...] = (
        layout.mail(
            "logistics",
            subject,
            f"Hi Gareth,\n\nI was not sure about the {first} and did them again: {early} pieces, not what the sheet "
            f"says. The {second} I did as well, {once} pieces.\n\nTamsin",
            at=f"{day} 17:25",
        ),
    )
    layout.message(
        "operations",
        "planner",
        f"third time lucky with the {first}: {late} pieces. two boxes stood behind the door. forget the mail",
        at="2026-03-17 18:05",
    )
    mailboxes = dict(_MAILBOXES)
    if count.moved:
        firm = draw.choice(sorted({item.supplier for item in _ITEMS if counted[item.name] < points[item.name]} - {""}))
        mailboxes[firm] = f"trade@{_MAILBOXES[firm].partition('@')[2]}"
        mails += (
            layout.mail(
                _MAILBOXES[firm],
                "Our orders desk has moved",
                f"Dear customer,\n\nfrom 2 March 2026 please send orders to {mailboxes[firm]}. This mailbox is no "
                f"longer read by anybody who could pack a box.\n\n{firm}",
                at="2026-02-24 09:12",
            ),
        )
    return _Books(
        mailboxes=mailboxes, least=Decimal(count.least), tag=tag, day=day, counted=counted, book=book,
        hold=frozenset({hold}), points=points, bring_up=bring_up, papers=papers, mails=mails,
    )  # fmt: skip


def _booked(book: Mapping[str, int]) -> list[tuple[Any, ...]]:
    return [("item", "place", "pieces"), *((item.name, item.bay, book[item.name]) for item in _ITEMS)]


def _rules(count: _Count) -> str:
    loose = _LOOSE if count.loose else ""
    least = f" A line worth less than {count.least} EUR, up or down, is left out." if count.least != "0" else ""
    moved = _MOVED if count.moved else ""
    return _RULES.format(loose=loose, least=least, moved=moved)


_LOOSE: Final = """ \"6 + 4\" is six packs and four
   loose pieces."""
_MOVED: Final = """ Where a supplier has written
   to us that orders go elsewhere, they go there."""
_RULES: Final = """\
# How we count

1. Each bay has a sheet. What comes in packs is counted in packs there (pack_sizes.csv); everything after that is in
   pieces: book, lists, recounts.{loose}
2. What was carried about during the count counts once, where it ended up. A recount replaces what the sheet says. If
   there are several, the last one holds.
3. What is on hold on the day of the count (on_hold.csv) is counted like the rest and gets a line in the differences,
   but it is not ordered.
4. The book is the latest list before the count. The difference of an item is what was counted less the book.
5. New book: `book_YYYYMMDD.csv` beside the old ones, named after the day of the count. Columns item, place, pieces; in
   the order of the old book, all items.
6. Differences: `differences.csv` in the folder of the count. Columns item, difference, EUR. Only items with a
   difference, in the order of the book. EUR is the difference times what a piece cost on the day of the count
   (finance/unit_costs.csv), rounded to cents, negative where pieces are missing.{least}
7. What now lies below its point in when_to_order.csv is ordered, as many pieces as bring it up to the other number.
   Suppliers deliver whole packs only, so the order is rounded up to whole packs. One mail to each supplier, with
   all their items, subject "Order after the count".{moved}
"""


def _plan(books: _Books, values: Values) -> Plan:
    off = [
        (item, books.counted[item.name] - books.book[item.name])
        for item in _ITEMS
        if books.counted[item.name] != books.book[item.name]
    ]
    far = [item.name for item, pieces in off if abs(pieces) * 100 > values["tolerance"] * books.book[item.name]]
    worth = {item.name: cents(Decimal(item.cost) * pieces) for item, pieces in off}
    listed = [(item.name, pieces, worth[item.name]) for item, pieces in off if abs(worth[item.name]) >= books.least]
    if not far:
        raise Unfit("no item is off by more")
    orders: dict[str, list[tuple[str, int]]] = {}
    for item in _ITEMS:
        if item.name not in books.hold and books.counted[item.name] < books.points[item.name]:
            packs = -(-(books.bring_up[item.name] - books.counted[item.name]) // item.pack)
            orders.setdefault(item.supplier, []).append((item.name, packs * item.pack))

    plan = Plan()
    look = plan.read("filesystem", "directory_tree", path=_ROOT)
    rules = plan.open(books.papers["rules"], after=look)
    sheets = [plan.open(books.papers[bay], after=rules, loop="sheets") for bay in _BAYS]
    packs = plan.open(books.papers["packs"], after=rules)
    found = plan.read("gmail", "find_emails", query="recount OR count after:2026/03/10", after=rules)
    mail = [plan.conversation(each, after=found, loop="mails") for each in books.mails]
    chat = plan.read("chat", "get_messages", channel="#operations", after=mail)
    held = plan.open(books.papers["hold"], after=rules)
    book = plan.open(books.papers["book"], after=rules)
    costs = plan.open(books.papers["costs"], after=rules)
    points = plan.open(books.papers["points"], after=rules)
    suppliers = plan.open(books.papers["suppliers"], after=points)
    projects = plan.read("todoist", "find_projects")

    settled = (*sheets, packs, chat, held, book)
    new = plan.save_sheet(f"{_ROOT}/book_{books.day.replace('-', '')}.csv", _booked(books.counted), after=settled)
    told = plan.save_sheet(
        f"{_ROOT}/count_{books.tag}/differences.csv",
        [("item", "difference", "EUR"), *listed],
        after=(new, costs),
    )
    plan.tasks(
        [
            {
                "title": f"Find out about: {name}", "project": _OPERATIONS, "due": values["due"],
                "assignee": values["finder"],
            }
            for name in far
        ],
        after=(told, projects),
    )  # fmt: skip
    ordered = new
    for supplier, wanted in orders.items():
        lines = "\n".join(f"{name}: {count}" for name, count in wanted)
        ordered = plan.mail(
            books.mailboxes[supplier],
            f"Hello,\n\nplease send us\n\n{lines}\n\npieces.\n\n{person('owner').name}",
            subject="Order after the count",
            expects=says(*(fact for name, count in wanted for fact in (name, amount(count)))),
            after=(new, points, suppliers, held),
            loop="orders",
        )
    total = sum((cents for *_, cents in listed), Decimal(0))
    plan.mail(
        values["reader"],
        f"The count of {books.day} leaves a difference of {total} EUR in all.",
        subject="Result of the count",
        expects=says(amount(total)),
        after=told,
    )
    plan.book(
        "Look at the differences",
        start=f"{values['meeting']} 14:00",
        minutes=45,
        people=(values["finder"], "planner"),
        after=(told, ordered),
    )
    plan.say(
        "operations",
        "C002",
        f"The new book is book_{books.day.replace('-', '')}.csv, please use nothing older",
        expects=says(f"book_{books.day.replace('-', '')}.csv"),
        after=new,
    )
    return plan


FLOW: Final = Flow(
    name="stock-count",
    domain="operations",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "tolerance": SlotSpec(
            kind="threshold", dimension="constraint", subdimension="numeric_bound", options=(2, 5, 10),
            text=lambda value: f"{value} percent", why="House rules name no limit; it is set count by count.",
        ),
        "finder": SlotSpec(
            kind="person", role="who looks into it", dimension="goal", subdimension="target", text=first,
            options=("junior", "logistics", "facility"), why="Any of three could.",
        ),
        "due": SlotSpec(
            kind="due_date", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-24", "2026-03-26", "2026-03-31"), why="Nothing says when.",
        ),
        "reader": SlotSpec(
            kind="person", role="who gets the result", dimension="goal", subdimension="target", text=first,
            options=("controller", "cfo", "coo"), guessability=0.5, why="It is one of three who deal with money.",
        ),
        "meeting": SlotSpec(
            kind="date", role="day of the meeting", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-25", "2026-03-27", "2026-04-02"), why="Nothing says when.",
        ),
    },
    cases=(
        Case(
            wording=(
                "Please settle the stock count of 13 March, the sheets are in operations/stock/count_0313. Do it as "
                "how_we_count.md has it: new book, differences, orders. For every item that is off by more than "
                "{tolerance} of the book there should be a task \"Find out about: ITEM\" for {finder} in the project "
                "Operations, due {due}. Send {reader} the sum of all differences in EUR, subject \"Result of the "
                "count\". Book 45 minutes \"Look at the differences\" with whoever has the tasks and with Ivo on "
                "{meeting} at two in the afternoon, and tell #operations what the new book is called."
            ),
            values={
                "tolerance": 5, "finder": "junior", "due": "2026-03-24", "reader": "controller",
                "meeting": "2026-03-25",
            },
        ),
        Case(
            wording=(
                "Monday's count wants finishing: bay sheets in operations/stock/count_0316, rules in how_we_count.md. "
                "New book, differences and orders as written there, please. Whatever is off by more than {tolerance} "
                "of what the book said gets a task for {finder}, \"Find out about: ITEM\", due {due}, in the project "
                "Operations. {reader} is waiting for one figure, the sum of the EUR in differences.csv; subject "
                "\"Result of the count\". I also need \"Look at the differences\" in the calendar, 45 minutes from "
                "14:00 on {meeting}, with the person who has those tasks and with Ivo. And put the name of the new "
                "book into #operations, or they will go on with the old one."
            ),
            values={
                "tolerance": 2, "finder": "logistics", "due": "2026-03-31", "reader": "cfo", "meeting": "2026-04-02",
            },
        ),
        Case(
            wording=(
                "Could you wrap up yesterday's stock count? The sheets lie in operations/stock/count_0317 and "
                "how_we_count.md says how: the new book, the differences, the orders. Give {finder} a task for each "
                "item that differs from the book by more than {tolerance}, called \"Find out about: ITEM\", in the "
                "project Operations and due {due}. The sum of the differences in EUR goes to {reader} with the subject "
                "\"Result of the count\". Then a meeting, \"Look at the differences\", {meeting} at 2 p.m. for "
                "45 minutes: me, whoever got the tasks, and Ivo. The people in #operations have to know what the new "
                "book is called."
            ),
            values={
                "tolerance": 10, "finder": "facility", "due": "2026-03-26", "reader": "coo", "meeting": "2026-03-27",
            },
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
