"""A building project against its budget: orders, approved changes, invoices, a site diary, and what is held back."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.workflows.flows.budget.bay_papers import DIARY, letters, rules
from benchmarks.workflows.flows.budget.books import ROOT, Books, budgets, cents, note, summed
from benchmarks.workflows.layout import Layout, person
from benchmarks.workflows.plan import amount, pairs

__all__ = ("bay",)

_LINES: Final = {
    "Steel": ("logistics", "203.3"), "Roof": ("logistics", "-1.6"), "Cladding": ("logistics", "198.1"),
    "Doors": ("facility", "99.2"), "Permits": ("facility", "-88.4"), "Fencing": ("facility", "101.7"),
    "Painting": ("facility", "-2.7"), "Electrics": ("it", "-246.1"), "Lighting": ("it", "306.4"),
    "Network": ("it", "-3.2"), "Alarm": ("it", "196.8"), "Floor": ("planner", "-154.3"), "Drains": ("planner", "-1.4"),
    "Racking": ("planner", "204.6"), "Signs": ("junior", "-42.9"), "Access": ("junior", "-4.1"),
}  # fmt: skip
"""Line -> who answers for it, by how much it is over in the end (negative: left)."""
_SUPPLIERS: Final = (
    ("TM", "Tarn Metalwork"), ("ND", "Northgate Doors"), ("VV", "Volt & Vane"), ("SW", "Slabworks"),
    ("HS", "Hale Surveyors"), ("QC", "Quill & Cable"), ("LN", "Lumen North"), ("OR", "Oatley Resin"),
    ("PX", "Pell & Dunmore"), ("GS", "Gull Security"), ("RF", "Redford Fences"), ("BL", "Bright & Lowe Signs"),
)  # fmt: skip
_POUNDS: Final = (
    ("2026-02-02", "1.151"), ("2026-02-16", "1.146"), ("2026-02-27", "1.153"), ("2026-03-06", "1.158"),
    ("2026-03-13", "1.162"),
)  # fmt: skip
"""Day -> EUR for a pound."""
_HIRED: Final = {"B2": ("crane", "210"), "B31": ("platform", "84")}
"""Orders by the day: what is hired, EUR a day."""
_MOVED: Final = ("B23", "Floor")
"""An order that belongs to another line than the sheet has."""


class _Order(NamedTuple):
    number: str
    line: str
    supplier: str
    kind: str
    ordered: Decimal
    currency: str
    remark: str


class _Bill(NamedTuple):
    """An invoice as it is right; `net` is in the currency of its order, `billed` what it says."""

    number: str
    order: str
    date: str
    kind: str
    billed: Decimal
    tax: str

    @property
    def net(self) -> Decimal:
        """Without tax, to cents."""
        return cents(self.billed / Decimal("1.2")) if self.tax == "gross" else self.billed


def _orders(draw: Random) -> list[_Order]:
    found = []
    for n in range(46):
        number, line = f"B{n + 1}", list(_LINES)[n * 7 % len(_LINES)]
        _, supplier = _SUPPLIERS[n % len(_SUPPLIERS)]
        if number in _HIRED:
            what, a_day = _HIRED[number]
            found.append(_Order(number, "Steel" if what == "crane" else "Cladding", "Skerry Cranes", "hire",
                                Decimal(a_day) * 7, "EUR", f"{what}, {a_day} a day"))  # fmt: skip
            continue
        kind = draw.choice(("works", "works", "goods", "goods", "fee"))
        currency = draw.choice(("EUR", "EUR", "EUR", "GBP"))
        found.append(_Order(number, line, supplier, kind, Decimal(draw.randint(340, 2900)), currency, ""))
    return found


def _bills(draw: Random, orders: list[_Order], changes: dict[str, Decimal]) -> list[_Bill]:
    """Invoices of each order, two to four; some orders have had their last."""
    found = []
    for n, order in enumerate(orders):
        tag = next((tag for tag, name in _SUPPLIERS if name == order.supplier), "SC")
        whole = order.ordered + changes.get(order.number, Decimal(0))
        many, done = draw.choice((2, 3, 3, 4)), draw.random() < 0.45
        days = sorted(draw.sample(range(34), many))
        for part, day in enumerate(days):
            date = f"2026-02-{9 + day:02d}" if day < 20 else f"2026-03-{day - 18:02d}"
            last = done and part == many - 1
            share = whole / many * Decimal(draw.randint(80, 104)) / 100 * (1 if done else Decimal("0.8"))
            tax = draw.choice(("net", "net", "gross"))
            net = Decimal(draw.randint(-30, 90)) / 100 + share
            billed = cents(net * (Decimal("1.2") if tax == "gross" else 1))
            kind = "final" if last else "deposit" if not part and draw.random() < 0.3 else "part"
            found.append(_Bill(f"{tag}-{200 + n * 11 + part * 3}", order.number, date, kind, billed, tax))
        if n % 9 == 4:
            credit = -Decimal(draw.randint(2000, 9000)) / 100
            found.append(_Bill(f"{tag}-{200 + n * 11 + 9}", order.number, "2026-03-11", "credit", credit, "net"))
    return sorted(found, key=lambda bill: (bill.date, bill.number))


def bay(layout: Layout) -> Books:
    """Lay the case out."""
    draw = Random("budget bay")
    folder = f"{ROOT}/bay"
    orders = _orders(draw)
    asked = [order.number for order in orders if order.kind in ("works", "goods")][:24]
    more = {number: Decimal(draw.randint(6, 48) * 10 * (1 if n % 5 else -1)) for n, number in enumerate(asked)}
    # The list has these as approved; of the others some have been since, as letters tell.
    signed = [number for n, number in enumerate(asked) if n % 2 == 0]
    later, never, cut, chatted = asked[1], asked[3], asked[2], asked[5]
    approved = {number: more[number] for number in signed}
    approved[later], approved[chatted] = more[later], more[chatted]
    approved[cut] = more[cut] - 70
    revoked = asked[8]
    del approved[revoked]
    bills = _bills(draw, orders, approved)
    by = {order.number: order for order in orders}
    first, second = [
        bill for bill in bills
        if bill.kind == "part" and bill.tax == "net" and bill.date < "2026-03-01" and by[bill.order].kind != "hire"
    ][4:6]  # fmt: skip
    open_ = next(
        bill for bill in bills
        if bill.kind == "part" and bill.date < "2026-03-05" and by[bill.order].kind == "goods"
        and not any(other.order == bill.order and (other.date, other.number) > (bill.date, bill.number)
                    for other in bills)
    )  # fmt: skip
    right = [bill._replace(kind="final") if bill is open_ else bill for bill in bills]
    shown = {first.number: first._replace(billed=first.billed + 36), second.number: second._replace(order="B12")}

    done = {order.number for order in orders if order.kind == "works" and int(order.number[1:]) % 6 == 4}
    calendar = sorted(done)[0]
    figures = _worked_out(orders, right, approved, done)
    budget = budgets(
        {name: figures.spent[name] + figures.open[name] for name in _LINES},
        {name: over for name, (_, over) in _LINES.items()},
    )
    listed = {**budget, "Permits": budget["Permits"] + 400, "Doors": budget["Doors"] - 400,
              "Roof": budget["Roof"] - 120, "Access": budget["Access"] + 120}  # fmt: skip
    weeks: dict[str, list[tuple[Any, ...]]] = {}
    for bill in bills:
        weeks.setdefault("february" if bill.date < "2026-03" else "march", []).append(shown.get(bill.number, bill))
    early = [bill for bill in bills if bill.date < "2026-02-25" and bill.number not in shown]
    for n, bill in enumerate(early[3:28:6]):  # entered twice
        weeks["march" if n % 2 else "february"].append(bill._replace(number=bill.number.replace("-", " " * (n % 3))))
    weeks["march"] += [
        _Bill(f"TM-9{n}", number, f"2026-03-1{n + 4}", "part", Decimal(180 + 35 * n), "net")
        for n, number in enumerate(("B5", "B8", "B17"))
    ]
    papers = (
        layout.sheet(
            f"{folder}/bay_budget.csv",
            [("line", "EUR", "answers for it"), *((name, f"{listed[name]}.00", person(post).name)
                                                  for name, (post, _) in _LINES.items())],
            at="2026-02-02 12:05",
        ),
        layout.sheet(
            f"{folder}/orders.csv",
            [("order", "line", "supplier", "kind", "amount", "currency", "remark"),
             *((*each[:4], f"{each.ordered:.2f}", *each[5:]) for each in orders)],
            at="2026-02-06 16:00",
        ),
        layout.sheet(
            f"{folder}/changes.csv",
            [("order", "more or less", "asked on", "approved by"),
             *((number, f"{more[number]:.2f}", f"2026-02-{10 + n % 15:02d}",
                "Niamh Jansson" if number in signed else "Vikram Eklund" if n % 6 == 1 and number != later else "")
               for n, number in enumerate(asked))],
            at="2026-03-04 17:10",
        ),
        *(layout.sheet(f"{folder}/bay_invoices_{name}.csv",
                       [("number", "order", "date", "kind", "amount", "tax"), *rows], at="2026-03-16 15:25")
          for name, rows in weeks.items()),
        layout.sheet(f"{folder}/bay_pounds.csv", [("day", "EUR for a pound"), *_POUNDS], at="2026-03-13 17:00"),
        layout.file(f"{folder}/site_diary.md", DIARY, at="2026-03-13 17:55"),
        layout.sheet(
            f"{folder}/accepted.csv",
            [("order", "accepted on", "by"),
             *((number, "2026-03-09", "Vikram Eklund") for number in by if number in done - {calendar})],
            at="2026-03-09 10:20",
        ),
    )  # fmt: skip
    layout.sheet(
        f"{folder}/bay_budget_first.csv", [("line", "EUR"), *((name, budget[name] - 250) for name in _LINES)],
        at="2026-01-16 12:30",
    )  # fmt: skip
    before = [("day", "invoiced", "still to come", "left"), ("2026-02-13", "9232.00", "61528.50", "1570.50"),
              ("2026-02-27", "37803.32", "33058.50", "671.80")]  # fmt: skip
    log = layout.sheet(f"{folder}/bay_days.csv", before, at="2026-02-27 17:30")
    post = letters(
        layout, moved=_MOVED, later=(later, more[later]), cut=(cut, more[cut] - 70), never=(never, more[never]),
        chatted=chatted, revoked=revoked, typed=(first.number, first.billed), order=(second.number, second.order),
        last=open_.number, done=calendar,
    )  # fmt: skip
    left = {name: budget[name] - figures.spent[name] - figures.open[name] for name in _LINES}
    spent, open_sums = figures.spent, figures.open
    answer = pairs(
        (("invoiced",), amount(spent["Doors"])),
        (("still to come", "to come", "outstanding", "still open"), amount(open_sums["Doors"])), named=False,
    )  # fmt: skip
    return Books(
        rules=rules(layout), papers=papers, search="bay OR Tarn OR Slabworks OR resin OR doors after:2026/03/01",
        mails=post.mails, files=(), channels=("#operations", "#general"), note=note(layout, "The bay, too dear: ",
                                                                                    "an hour"),
        main=(f"{folder}/bay_20260313.csv",
              [("line", "budget", "invoiced", "still to come", "left"),
               *((name, budget[name], spent[name], open_sums[name], left[name]) for name in _LINES)]),
        beside=(f"{folder}/held_back_20260313.csv", [("order", "supplier", "EUR"), *figures.held]),
        log=(log, [*before, ("2026-03-13", summed(spent.values()), summed(open_sums.values()), summed(left.values()))]),
        left=left, holders={name: post for name, (post, _) in _LINES.items()}, over_subject="The bay: over budget",
        title="The bay, too dear: ", customer=("C3", "Jessop Logistics", figures.charged), question=post.question,
        asks="facility", asked=post.asked, answer=answer,
        lines=figures.lines, event="bay",
    )  # fmt: skip


class _Figures(NamedTuple):
    spent: dict[str, Decimal]
    open: dict[str, Decimal]
    held: list[tuple[Any, ...]]
    charged: Decimal
    lines: int


def _worked_out(orders: list[_Order], bills: list[_Bill], approved: dict[str, Decimal], accepted: set[str]) -> _Figures:
    """What is invoiced and still to come by line, held back by order, and charged on; lines are bills and orders."""
    spent, open_ = dict.fromkeys(_LINES, Decimal(0)), dict.fromkeys(_LINES, Decimal(0))
    held: list[tuple[Any, ...]] = []
    doors = {"2": Decimal(0), "3": Decimal(0)}
    count = 0
    for order in orders:
        name = _MOVED[1] if order.number == _MOVED[0] else order.line
        found = [bill for bill in bills if bill.order == order.number and bill.date <= "2026-03-13"]
        if order.number in _HIRED:
            eur = billed = DIARY_DAYS[order.number] * Decimal(_HIRED[order.number][1])
        else:
            count += len(found)
            billed = summed(bill.net for bill in found)
            eur = Decimal(0)
            for bill in found:
                worth = cents(bill.net * _rate(order.currency, bill.date))
                eur += worth
                if name == "Doors":
                    doors[bill.date[6]] += worth
        done = any(bill.kind == "final" for bill in found)
        rest = Decimal(0) if done else max(Decimal(0), order.ordered + approved.get(order.number, 0) - billed)
        spent[name] += eur
        open_[name] += cents(rest * _rate(order.currency, "2026-03-13"))
        if order.kind == "works" and order.number not in accepted and eur:
            held.append((order.number, order.supplier, cents(eur / 20)))
    charged = cents(doors["2"] * Decimal("0.25") + doors["3"] * Decimal("0.3"))
    return _Figures(spent, open_, held, charged, count)


DIARY_DAYS: Final = {"B2": Decimal("9.5"), "B31": Decimal("6.5")}
"""Days for which the diary has them here, by order."""


def _rate(currency: str, day: str) -> Decimal:
    return Decimal(1) if currency == "EUR" else Decimal(max(each for each in _POUNDS if each[0] <= day)[1])
