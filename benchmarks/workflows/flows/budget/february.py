"""A month's invoices against sixteen cost centres: net and gross, three currencies, keys, rebookings, capital."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.workflows.flows.budget.books import ROOT, Books, budgets, cents, note, summed
from benchmarks.workflows.flows.budget.february_papers import letters, rules
from benchmarks.workflows.layout import Layout, person
from benchmarks.workflows.plan import amount

__all__ = ("february",)

_CENTRES: Final = {
    "Hall": ("410", "logistics", "-1.3"), "Dock": ("415", "logistics", "102.4"), "Yard": ("418", "logistics", "-212.6"),
    "Planning": ("420", "planner", "-64.2"), "Packing": ("424", "planner", "-2.2"),
    "Labels": ("427", "planner", "98.3"), "Building": ("430", "facility", "-187.5"),
    "Cleaning": ("433", "facility", "97.6"),
    "Canteen": ("436", "facility", "-18.1"), "Energy": ("438", "facility", "203.2"), "Systems": ("440", "it", "-96.4"),
    "Network": ("443", "it", "-1.7"), "Phones": ("446", "it", "305.4"), "Travel": ("450", "junior", "-142.8"),
    "Courier": ("454", "junior", "-3.4"), "Training": ("457", "junior", "-55.5"),
}  # fmt: skip
"""Name -> number, who answers for it, by how much it is over in the end (negative: left)."""
_KEYS: Final = {
    "heads": {"Hall": 14, "Planning": 5, "Packing": 9, "Building": 3, "Systems": 4, "Training": 2},
    "area": {"Hall": 620, "Dock": 210, "Packing": 305, "Building": 140, "Canteen": 75},
    "phones": {"Hall": 6, "Dock": 3, "Planning": 5, "Systems": 7, "Courier": 4},
}
_RATES: Final = {
    ("GBP", "2026-01"): "1.153", ("GBP", "2026-02"): "1.148", ("GBP", "2026-03"): "1.161", ("CAD", "2026-01"): "0.668",
    ("CAD", "2026-02"): "0.676", ("CAD", "2026-03"): "0.671",
}  # fmt: skip
_SUPPLIERS: Final = (
    ("OB", "Oatley Board"), ("TM", "Tarn Metalwork"), ("MF", "Merrow Freight"), ("RP", "Rowan Property"),
    ("LL", "Ledgerline"), ("SK", "Skerry Forklifts"), ("NB", "Northgate Blinds"), ("TP", "Tollgate Parking"),
    ("QC", "Quill & Cable"), ("LH", "Lakeshore Hosting"), ("LT", "Lantern Training"), ("SW", "Scanway"),
    ("VC", "Voltaire Cells"), ("HS", "Harrowgate Seals"), ("MH", "Mill House"), ("BL", "Bright & Lowe Signs"),
)  # fmt: skip
_DEAR: Final = (
    ("1508.40", "2026-02-05"), ("1491.20", "2026-02-09"), ("1466.00", "2026-02-12"), ("1411.35", "2026-02-16"),
    ("1394.10", "2026-02-18"), ("1466.00", "2026-02-20"), ("1388.75", "2026-02-24"), ("1512.90", "2026-02-13"),
    ("1417.60", "2026-02-26"), ("1493.55", "2026-02-03"), ("2210.00", "2026-02-04"), ("1730.25", "2026-02-10"),
    ("1955.80", "2026-02-11"), ("1604.15", "2026-02-17"), ("1842.70", "2026-02-19"), ("2377.45", "2026-02-23"),
    ("1428.05", "2026-02-25"), ("1689.90", "2026-02-27"),
)  # fmt: skip
"""Goods that are dear, and just not dear enough: EUR net, and the day of the invoice."""


class _Invoice(NamedTuple):
    """An invoice as it is right. `place` is a centre or a key; `months` is "2026-02" or "2026-01..2026-03"."""

    number: str
    supplier: str
    date: str
    months: str
    place: str
    kind: str
    amount: str
    currency: str
    tax: str
    remark: str


def _invoices(draw: Random) -> list[_Invoice]:
    """All invoices as they are right, those of other months among them."""
    found = []
    for n in range(134):
        tag, supplier = _SUPPLIERS[n % len(_SUPPLIERS)]
        date = f"2026-02-{draw.randint(2, 27):02d}"
        months, place = "2026-02", draw.choice(list(_CENTRES))
        if n % 13 == 5:
            months = draw.choice(("2026-01", "2026-03"))
        elif n % 17 == 3 and n % 11:
            months = draw.choice(("2026-01..2026-03", "2026-02..2026-03", "2026-02..2026-05"))
        if n % 14 == 6:
            place = draw.choice(list(_KEYS))
        if n % 19 == 7:
            date = draw.choice(("2026-01-29", "2026-01-30", "2026-03-02", "2026-03-04"))
        kind = draw.choice(("goods", "goods", "service", "travel"))
        currency = draw.choice(("EUR", "EUR", "EUR", "EUR", "GBP", "CAD"))
        sum_ = f"{draw.randint(1900, 38900) / 100:.2f}" if n % 11 else f"-{draw.randint(1500, 9900) / 100:.2f}"
        remark = "credit" if sum_.startswith("-") else ""
        tax = "net" if remark else draw.choice(("net", "gross"))  # so that no half cent has a minus
        if n % 15 == 4 and place not in _KEYS and not remark and months == "2026-02":
            remark = "for Jessop Logistics"
        found.append(
            _Invoice(f"{tag}-{2100 + n * 7 + draw.randint(0, 5)}", supplier, date, months, place, kind, sum_, currency,
                     tax, remark)
        )  # fmt: skip
    for n, (eur, date) in enumerate(_DEAR):
        tag, supplier = _SUPPLIERS[n * 5 % len(_SUPPLIERS)]
        currency, tax = draw.choice(("EUR", "EUR", "GBP")), draw.choice(("net", "gross"))
        rate = Decimal(_RATES[currency, date[:7]]) if currency != "EUR" else Decimal(1)
        gross = cents(Decimal(eur) / rate * (Decimal("1.2") if tax == "gross" else 1))
        place = draw.choice(list(_CENTRES))
        found.append(
            _Invoice(f"{tag}-{4100 + n * 9}", supplier, date, "2026-02", place, "goods", str(gross), currency, tax, "")
        )
    return sorted(found, key=lambda invoice: (invoice.date, invoice.number))


def february(layout: Layout) -> Books:
    """Lay the case out."""
    draw = Random("budget february")
    invoices = _invoices(draw)
    plain = [
        each for each in invoices
        if each.months == "2026-02" and each.place in _CENTRES and not each.remark and Decimal(each.amount) < 400
    ]  # fmt: skip
    rebooked, back, typed, proposed, open_, settled, other = draw.sample(plain, 7)
    shown = {
        rebooked.number: rebooked._replace(place="Planning" if rebooked.place != "Planning" else "Yard"),
        typed.number: typed._replace(amount=f"{Decimal(typed.amount) + 90:.2f}"),
    }
    disputed = {open_.number, other.number}
    lists: dict[str, list[_Invoice]] = {}
    for n, each in enumerate(invoices):
        part = min(4, n * 5 // len(invoices))
        lists.setdefault(f"invoices_{part + 1}", []).append(shown.get(each.number, each))
    for n, each in enumerate(draw.sample(invoices[:70], 5)):  # reminders and the like stand in a later list again
        again = shown.get(each.number, each)
        lists[f"invoices_{4 + n % 2}"].append(again._replace(supplier=f"{again.supplier} Ltd", remark="reminder"))

    spent, capital, charged, count = _worked_out(invoices, disputed)
    plan = budgets(spent, {name: over for name, (_, _, over) in _CENTRES.items()})
    first = {**plan, "Planning": plan["Planning"] + 150, "Systems": plan["Systems"] - 150, "Dock": plan["Dock"] + 60,
             "Courier": plan["Courier"] - 60}  # fmt: skip
    papers = (
        layout.sheet(
            f"{ROOT}/centres.csv",
            [("number", "centre", "answers for it"),
             *((code, name, person(post).name) for name, (code, post, _) in _CENTRES.items())],
            at="2026-01-12 10:10",
        ),
        layout.sheet(
            f"{ROOT}/plan_2026.csv",
            [("centre", "month", "EUR"),
             *((name, month, number + more) for month, more in (("2026-01", 100), ("2026-02", 0), ("2026-03", 150))
               for name, number in first.items())],
            at="2026-01-12 10:30",
        ),
        *(layout.sheet(
            f"{ROOT}/2026_02/{name}.csv",
            [("number", "supplier", "date", "for month", "centre", "kind", "amount", "currency", "tax", "remark"),
             *((*each[:4], _CENTRES[each.place][0] if each.place in _CENTRES else each.place, *each[5:])
               for each in rows)],
            at="2026-03-04 16:50",
        ) for name, rows in lists.items()),
        layout.sheet(
            f"{ROOT}/keys.csv",
            [("key", "centre", "parts"),
             *((key, name, parts) for key, of in _KEYS.items() for name, parts in of.items())],
            at="2026-01-13 09:20",
        ),
        layout.sheet(
            f"{ROOT}/fx.csv",
            [("currency", "month", "EUR for one"), *((*key, rate) for key, rate in _RATES.items())],
            at="2026-03-02 09:15",
        ),
        layout.sheet(
            f"{ROOT}/disputed.csv",
            [("number", "since", "settled", "what"),
             (settled.number, "2026-02-20", "2026-03-05", "wrong cable, kept it"),
             (open_.number, "2026-02-26", "", "sign says Kestreley")],
            at="2026-03-05 12:40",
        ),
    )  # fmt: skip
    layout.sheet(
        f"{ROOT}/plan_2026_first.csv",
        [("centre", "month", "EUR"), *((name, "2026-02", number + 300) for name, number in plan.items())],
        at="2025-11-20 15:00",
    )
    before = [("month", "spent", "left"), ("2025-12", "27710.42", "389.58"), ("2026-01", "28914.05", "-164.05")]
    log = layout.sheet(f"{ROOT}/months.csv", before, at="2026-02-05 11:35")
    post = letters(
        layout, rebooked=(rebooked.number, rebooked.place), back=(back.number, back.place),
        typed=(typed.number, typed.amount), proposed=(proposed.number, proposed.supplier), disputed=other.number,
    )  # fmt: skip
    left = {name: plan[name] - spent[name] for name in plan}
    return Books(
        rules=rules(layout), papers=papers, search="from:wanda OR blinds OR hall after:2026/02/10", mails=post.mails,
        files=(), channels=("#operations", "#general"), note=note(layout, "Why over in February: ", "40 minutes"),
        main=(f"{ROOT}/reconciled_202602.csv",
              [("centre", "budget", "spent", "left"), *((name, plan[name], spent[name], left[name]) for name in plan)]),
        beside=(f"{ROOT}/capital_202602.csv", [("number", "supplier", "EUR"), *capital]),
        log=(log, [*before, ("2026-02", summed(spent.values()), summed(left.values()))]), left=left,
        holders={name: post for name, (_, post, _) in _CENTRES.items()}, over_subject="Over budget in February",
        title="Why over in February: ", customer=("C3", "Jessop Logistics", cents(charged * Decimal("1.045"))),
        question=post.question, asks="logistics", asked=post.asked, answer=(amount(spent["Hall"]),), lines=count,
        event="Plan moved",
    )  # fmt: skip


def _worked_out(
    invoices: list[_Invoice], disputed: set[str]
) -> tuple[dict[str, Decimal], list[tuple[Any, ...]], Decimal, int]:
    """What each centre has spent, what is capital, what is charged on, and how many invoices that took."""
    spent = dict.fromkeys(_CENTRES, Decimal(0))
    capital: list[tuple[Any, ...]] = []
    charged, count = Decimal(0), 0
    for each in invoices:
        first, _, last = each.months.partition("..")
        if not first <= "2026-02" <= (last or first) or each.number in disputed:
            continue
        count += 1
        tax = Decimal("1") if each.tax == "net" else Decimal("1.1") if each.kind == "travel" else Decimal("1.2")
        rate = Decimal(1) if each.currency == "EUR" else Decimal(_RATES[each.currency, each.date[:7]])
        eur = cents(Decimal(each.amount) / tax * rate)
        if each.remark.startswith("for "):
            charged += eur
        elif each.kind == "goods" and eur > (1400 if each.date >= "2026-02-16" else 1500):
            capital.append((each.number, each.supplier, eur))
        else:
            eur = cents(eur / (int(last[5:]) - int(first[5:]) + 1)) if last else eur
            key = _KEYS.get(each.place, {each.place: 1})
            for name, parts in key.items():
                spent[name] += cents(eur * parts / sum(key.values()))
    return spent, capital, charged, count
