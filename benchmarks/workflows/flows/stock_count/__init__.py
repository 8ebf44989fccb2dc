"""A stock count settled: sheets by bay, recounts in mail and chat, packs, items on hold, and what has to be ordered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from random import Random
from typing import Any, Final

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.flows.stock_count.items import (
    BAYS,
    COUNTS,
    ITEMS,
    MAILBOXES,
    NEW_PACKS,
    POUND,
    ROOT,
    Books,
    Item,
)
from benchmarks.workflows.flows.stock_count.papers import letters, rules
from benchmarks.workflows.flows.stock_count.shelves import BY, Line, Slip, booked, filled, shown, slips
from benchmarks.workflows.layout import Layout, first, person
from benchmarks.workflows.plan import Plan, amount, cents, pairs, says, spoken

__all__ = ("FLOW",)

_OPERATIONS: Final = "P4"
"""The project of that name in Todoist."""
_TIMES: Final = dict(zip(BAYS, ("10:40", "12:15", "13:05", "11:30", "14:20", "15:10"), strict=True))


def _lay(layout: Layout, number: int) -> Books:
    draw = Random(f"stock count {number}")
    count = COUNTS[number]
    day, tag = count.day, count.tag
    folder = f"{ROOT}/count_{tag}"
    book, there, far = booked(draw, count)
    moves = slips(draw, _TIMES, [*list(far)[:2], *list(far)[-2:]])
    after = dict(there)
    for slip in moves:
        after[slip.item] += slip.pieces if slip.late else 0
    lines = filled(draw, count, after)

    # Recounts: of items that are near the limit, so that a sheet believed makes one task more or less.
    again = [
        max((line for line in lines if line.item == name and line.unit != "ct"), key=lambda line: line.pieces)
        for name in list(far)[:2] + list(far)[-2:]
    ]
    slipped = {slip.item for slip in moves}
    scale = max(
        (line for line in lines if line.unit == "kg" and line.shelf[0] in "13" and line.item not in slipped),
        key=lambda line: line.pieces,
    )
    wrong = {(line.shelf, line.item): _misread(line, n) for n, line in enumerate(again)}
    wrong[scale.shelf, scale.item] = f"{Decimal(scale.counted) - Decimal('0.396')}"

    calm = [item.name for item in ITEMS if item.name not in far]
    hold, free_again, new_hold, later_hold, freed = draw.sample(calm, 5)
    points, bring_up = _points(draw, there, {hold, free_again, new_hold, later_hold, freed})
    mailboxes = dict(MAILBOXES)
    firm = ""
    if count.moved:
        firm = draw.choice(sorted({item.supplier for item in ITEMS if there[item.name] < points[item.name]}))
        mailboxes[firm] = f"trade@{MAILBOXES[firm].partition('@')[2]}"
    beside = _beside(draw, lines)
    twice = None
    if count.twice:
        home = next(line for line in lines if line.item in calm and line.unit == "pk" and line.pieces > 100)
        gone = home._replace(shelf=f"{7 - int(home.shelf[0])}-38", counted=str(int(home.counted) - 1), remark="")
        beside.append(gone)
        twice = (gone, home)

    sheets = (
        ("rules", f"{ROOT}/how_we_count.md", "2026-02-02 10:15", rules(count)),
        ("packs", f"{ROOT}/pack_sizes.csv", "2026-01-21 09:40",
         [("item", "unit", "pieces", "from"), *(row for item in ITEMS for row in _sizes(item))]),
        ("weights", f"{ROOT}/weights.csv", "2025-11-03 13:30",
         [("item", "g a piece", "g the box"), *((item.name, item.gram, item.box) for item in ITEMS if item.gram)]),
        ("ours", f"{ROOT}/not_ours.csv", "2026-02-26 11:10",
         [("shelf", "whose", "from", "to"), ("2-41", "Calder Pharma", "2025-09-01", ""),
          ("3-42", "Calder Pharma", "2025-09-01", "2026-02-27"), ("6-41", "Grantley Seafood", "2026-01-12", "")]),
        ("hold", f"{ROOT}/on_hold.csv", "2026-02-27 11:05",
         [("item", "from", "to", "why"), (free_again, "2026-01-26", "2026-02-20", "wrong print"),
          (hold, "2026-02-16", "", "waiting for the test report"), (freed, "2026-02-24", "", "sample at Farah's")]),
        ("points", f"{ROOT}/when_to_order.csv", "2026-02-19 16:30",
         [("item", "order below", "bring up to"), *((name, points[name], bring_up[name]) for name in book)]),
        ("suppliers", f"{ROOT}/suppliers.csv", "2026-01-14 12:00",
         [("item", "supplier", "orders to"),
          *((item.name, item.supplier, MAILBOXES[item.supplier]) for item in ITEMS)]),
        ("old book", f"{ROOT}/book_20260130.csv", "2026-01-30 17:20",
         _booked({name: pieces + 11 for name, pieces in book.items()})),
        ("book", f"{ROOT}/book_20260227.csv", "2026-02-27 17:45", _booked(book)),
        ("costs", "/workspace/finance/unit_costs.csv", "2026-03-05 14:10", _costs()),
        ("pounds", "/workspace/finance/pounds.csv", "2026-03-18 08:05", [("day", "EUR for a pound"), *POUND]),
        ("times", f"{folder}/times.csv", f"{day} 16:05", [("bay", "counted at"), *_TIMES.items()]),
        ("slips", f"{folder}/slips.csv", f"{day} 17:50",
         [("slip", "time", "item", "bay", "taken", "brought back"), *_slipped(moves)]),
        *((bay, f"{folder}/{bay.replace(' ', '_')}.csv", f"{day} 16:10", [
            ("shelf", "item", "counted", "unit", "came in", "by", "remark"),
            *((*line[:5], BY[bay], line.remark) for line in sorted([*shown(lines, wrong), *beside])
              if line.shelf.startswith(str(BAYS.index(bay) + 1))),
        ]) for bay in BAYS),
    )  # fmt: skip
    papers = {
        name: layout.file(path, what, at=at) if isinstance(what, str) else layout.sheet(path, what, at=at)
        for name, path, at, what in sheets
    }
    mails = letters(
        layout, count, again=again, early=again[0].pieces + 34, scale=scale, twice=twice, holds=(new_hold, later_hold),
        freed=freed, firm=firm, mailbox=mailboxes.get(firm, ""),
    )  # fmt: skip
    pound = Decimal(max(each for each in POUND if each[0] <= day)[1])
    return Books(
        mailboxes=mailboxes, least=Decimal(count.least), tag=tag, day=day, counted=there, book=book,
        hold=frozenset({hold, new_hold}), points=points, bring_up=bring_up, papers=papers, mails=mails,
        costs={item.name: item.cost * (pound if item.currency == "GBP" else 1) for item in ITEMS},
        lines=len(lines) + sum(slip.late for slip in moves),
    )  # fmt: skip


def _misread(line: Line, n: int) -> str:
    """What a sheet has instead: some packs or pieces off, towards the other side of the limit."""
    if line.unit == "pc":
        return str(line.pieces + (-41, 37, 52, -48)[n])
    packs, plus, loose = line.counted.partition(" + ")
    return f"{int(packs) + (-2, 2, 3, -3)[n]}{plus}{loose}"


def _points(draw: Random, there: dict[str, int], wanted: set[str]) -> tuple[dict[str, int], dict[str, int]]:
    """Below which number an item is ordered and up to which: some have just fallen below it, some just not."""
    chosen = set(wanted)
    for supplier in MAILBOXES:
        chosen.add(draw.choice([item.name for item in ITEMS if item.supplier == supplier and item.name not in wanted]))
    points = {}
    for name, pieces in there.items():
        if name in chosen:
            points[name] = pieces + max(2, round(pieces * draw.uniform(0.01, 0.03)))
        else:
            points[name] = pieces - max(2, round(pieces * draw.choice((0.012, 0.02, 0.028, 0.3, 0.5))))
    return points, {name: -(-point * draw.choice((13, 15, 17)) // 100) * 10 for name, point in points.items()}


def _sizes(item: Item) -> list[tuple[Any, ...]]:
    carton = 288 if item.name == "flat cell" else item.carton
    return [
        *([(item.name, "pk", item.before, "2024-01-01")] if item.before else []),
        *([(item.name, "pk", item.pack, NEW_PACKS if item.before else "2024-01-01")] if item.pack else []),
        *([(item.name, "ct", carton, "2024-01-01")] if carton else []),
    ]


def _costs() -> list[tuple[Any, ...]]:
    typed = {item.name: "0.62" if item.name == "padded bag" else str(item.cost) for item in ITEMS}
    return [
        ("item", "a piece", "currency", "from"),
        *((item.name, item.older, item.currency, "2025-04-01") for item in ITEMS),
        *((item.name, typed[item.name], item.currency, "2026-01-01") for item in ITEMS if item.cost != item.older),
        *((item.name, item.cost + Decimal("0.05"), item.currency, "2026-04-01") for item in ITEMS[::3]),
    ]


def _slipped(moves: Sequence[Slip]) -> list[tuple[Any, ...]]:
    rows = [
        (slip.number, slip.time, slip.item, slip.bay, *((slip.pieces, "") if slip.pieces > 0 else ("", -slip.pieces)))
        for slip in moves
    ]
    return [*rows[:13], rows[10], *rows[13:]]


def _beside(draw: Random, lines: list[Line]) -> list[Line]:
    """Lines that do not count: broken ones, and what lies on shelves of customers; one shelf is ours again."""
    found = []
    for n, line in enumerate(draw.sample([line for line in lines if line.unit != "kg"], 11)):
        bay = line.shelf[0]
        shelf = f"{bay}-{36 + n % 2}" if n < 5 else ("2-41", "2-41", "4-41", "4-41", "6-41", "6-41")[n - 5]
        pieces = draw.randint(3, 19) if n < 5 else draw.randint(20, 160)
        found.append(Line(shelf, line.item, str(pieces), "pc", line.came, "broken" if n < 5 else "", 0))
    return found


def _booked(book: Mapping[str, int]) -> list[tuple[Any, ...]]:
    return [("item", "place", "pieces"), *((item.name, item.bay, book[item.name]) for item in ITEMS)]


def _plan(books: Books, values: Values) -> Plan:
    off = [
        (item, books.counted[item.name] - books.book[item.name])
        for item in ITEMS
        if books.counted[item.name] != books.book[item.name]
    ]
    far = [item.name for item, pieces in off if abs(pieces) * 100 > values["tolerance"] * books.book[item.name]]
    worth = {item.name: cents(books.costs[item.name] * pieces) for item, pieces in off}
    listed = [(item.name, pieces, worth[item.name]) for item, pieces in off if abs(worth[item.name]) >= books.least]
    if not far:
        raise Unfit("no item is off by more")
    orders: dict[str, list[tuple[str, int]]] = {}
    for item in ITEMS:
        if item.name not in books.hold and books.counted[item.name] < books.points[item.name]:
            pack = item.pack or 1
            packs = -(-(books.bring_up[item.name] - books.counted[item.name]) // pack)
            orders.setdefault(item.supplier, []).append((item.name, packs * pack))

    plan = Plan(books.lines)
    look = plan.read("filesystem", "directory_tree", path=ROOT)
    rules = plan.open(books.papers["rules"], after=look)
    sheets = [plan.open(books.papers[bay], after=rules, loop="sheets") for bay in BAYS]
    packs = plan.open(books.papers["packs"], after=rules)
    beside = [plan.open(books.papers[name], after=rules) for name in ("weights", "ours", "times", "slips", "pounds")]
    record = plan.read("crm", "find_records", kind="note", after=rules)
    dated = {"after": "2026-03-01", "before": "2026-03-18"}
    holds = plan.read("calendar", "find_events", query="Hold", after=rules, given=dated)
    found = plan.read("gmail", "find_emails", query="recount OR count after:2026/03/10", after=rules)
    mail = [plan.conversation(each, after=found, loop="mails") for each in books.mails]
    chat = plan.read("chat", "get_messages", channel="#operations", after=mail)
    held = plan.open(books.papers["hold"], after=rules)
    book = plan.open(books.papers["book"], after=rules)
    costs = plan.open(books.papers["costs"], after=rules)
    points = plan.open(books.papers["points"], after=rules)
    suppliers = plan.open(books.papers["suppliers"], after=points)
    projects = plan.read("todoist", "find_projects")

    settled = (*sheets, packs, *beside, record, holds, chat, held, book)
    new = plan.save_sheet(f"{ROOT}/book_{books.day.replace('-', '')}.csv", _booked(books.counted), after=settled)
    told = plan.save_sheet(
        f"{ROOT}/count_{books.tag}/differences.csv",
        [("item", "difference", "EUR"), *listed],
        after=(new, costs),
    )
    plan.tasks(
        [
            {
                "title": f"Investigate: {name}", "project": _OPERATIONS, "due": values["due"],
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
            expects=says(*pairs(*((name, amount(count)) for name, count in wanted))),
            after=(new, points, suppliers, held, holds),
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
                "Please settle the stock count of 13 March; the sheets are in operations/stock/count_0313. Do it "
                "as how_we_count.md says: new book, differences, orders. For every item that is off by more than "
                "{tolerance} of the book quantity there should be a task \"Investigate: ITEM\" for {finder} in the "
                "project Operations, due {due}. Send {reader} the sum of all differences in EUR, subject \"Result "
                "of the count\". Book 45 minutes \"Look at the differences\" with whoever gets the tasks and with "
                "Ivo on {meeting} at two in the afternoon, and tell #operations what the new book is called."
            ),
            values={
                "tolerance": 5, "finder": "junior", "due": "2026-03-24", "reader": "controller",
                "meeting": "2026-03-25",
            },
        ),
        Case(
            wording=(
                "Monday's count still has to be finished: bay sheets in operations/stock/count_0316, rules in "
                "how_we_count.md. New book, differences and orders as written there, please. Whatever is off by "
                "more than {tolerance} of the book quantity gets a task for {finder}, \"Investigate: ITEM\", due "
                "{due}, in the project Operations. {reader} is waiting for a mail with one figure, the sum of the "
                "EUR column of differences.csv, subject \"Result of the count\". I also need \"Look at the "
                "differences\" in the calendar, 45 minutes from 14:00 on {meeting}, with the person who gets those "
                "tasks and with Ivo. And post the name of the new book in #operations, or they will keep using the "
                "old one."
            ),
            values={
                "tolerance": 2, "finder": "logistics", "due": "2026-03-31", "reader": "cfo", "meeting": "2026-04-02",
            },
        ),
        Case(
            wording=(
                "Could you wrap up yesterday's stock count? The sheets are in operations/stock/count_0317 and "
                "how_we_count.md says how: the new book, the differences, the orders. Give {finder} a task for "
                "each item that differs from the book by more than {tolerance}, called \"Investigate: ITEM\", in "
                "the project Operations and due {due}. The sum of the differences in EUR goes to {reader} by mail, "
                "with the subject \"Result of the count\". Then a meeting, \"Look at the differences\", {meeting} "
                "at 2 p.m. for 45 minutes: me, whoever gets the tasks, and Ivo. The people in #operations need to "
                "know what the new book is called."
            ),
            values={
                "tolerance": 10, "finder": "facility", "due": "2026-03-26", "reader": "coo", "meeting": "2026-03-27",
            },
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
