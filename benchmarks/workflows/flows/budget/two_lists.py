"""Our list of a month against the ledger's: split and reversed postings, invoices in the mail, wrong centres."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.workflows.flows.budget.books import ROOT, Books, budgets, cents, note, summed
from benchmarks.workflows.flows.budget.two_lists_papers import letters, rules
from benchmarks.workflows.layout import Layout, attachment, person
from benchmarks.workflows.plan import amount, pairs

__all__ = ("two_lists",)

_CENTRES: Final = {
    "Dock": ("logistics", "102.3"), "Rounds": ("logistics", "-1.4"), "Yard": ("logistics", "-86.2"),
    "Packing": ("planner", "-2.3"), "Labels": ("planner", "98.4"), "Samples": ("planner", "-144.9"),
    "Workshop": ("it", "-3.1"), "Tools": ("it", "203.6"), "Wiring": ("it", "-58.7"), "Office": ("facility", "-1.2"),
    "Kitchen": ("facility", "306.2"), "Cleaning": ("facility", "97.1"), "Post": ("junior", "-31.8"),
    "Courses": ("junior", "-210.4"), "Signs": ("junior", "-2.6"),
}  # fmt: skip
"""Centre -> who answers for it, by how much it is over in the end (negative: left)."""
_THINGS: Final = {
    "Dock": ("gloves", "ramp rubber", "dock light", "bollards"), "Rounds": ("courier", "courier", "diesel", "toll"),
    "Yard": ("salt", "brooms", "line paint"), "Packing": ("strapping", "cartons", "tape guns", "pallet wrap"),
    "Labels": ("label rolls", "ribbon", "printer heads"), "Samples": ("sample boxes", "foam", "seals"),
    "Workshop": ("solder", "bench lamp", "calibration gas", "probe"), "Tools": ("torque keys", "bits", "clamps"),
    "Wiring": ("cable", "sockets", "trunking"), "Office": ("toner", "paper", "chairs"),
    "Kitchen": ("coffee", "cups", "water filters"), "Cleaning": ("windows", "floor soap", "mats"),
    "Post": ("stamps", "padded bags"), "Courses": ("first aid course", "forklift course"),
    "Signs": ("door signs", "floor tape", "mirrors"),
}  # fmt: skip
_KINDS: Final = (
    "same", "same", "split", "same", "differs", "same", "centre", "same", "same", "back", "same", "only ours", "same",
    "twice", "same", "same", "differs", "same", "same", "invoice",
)  # fmt: skip
"""What becomes of our lines in the ledger, in turn."""


class _Ours(NamedTuple):
    line: str
    day: str
    what: str
    centre: str
    pieces: int
    each: Decimal
    rebate: int

    @property
    def eur(self) -> Decimal:
        """Pieces at their price, less the rebate, to cents."""
        return cents(self.pieces * self.each * (100 - self.rebate) / 100)


class _Posting(NamedTuple):
    posting: str
    reference: str
    day: str
    text: str
    centre: str
    eur: Decimal
    tax: int

    @property
    def net(self) -> Decimal:
        """Without tax, to cents."""
        return cents(self.eur / (100 + self.tax) * 100)


def _lists(draw: Random) -> tuple[list[_Ours], list[_Posting], dict[str, list[str]]]:
    """Our lines, the ledger's postings, and which of ours are of what kind."""
    ours: list[_Ours] = []
    ledger: list[_Posting] = []
    kinds: dict[str, list[str]] = {}

    def post(reference: str, day: int, text: str, centre: str, net: Decimal, tax: int) -> None:
        when = f"2026-02-{day:02d}" if day < 28 else f"2026-03-{day - 27:02d}"
        gross = cents(net * (100 + tax) / 100)
        ledger.append(_Posting(f"P{1200 + len(ledger) + len(ours)}", reference, when, text, centre, gross, tax))

    for n in range(112):
        day = 2 + n * 26 // 105
        centre = list(_CENTRES)[(n * 4 + n // 15) % len(_CENTRES)]
        what = draw.choice(_THINGS[centre])
        what = "courier, Calder Pharma" if what == "courier" else what
        each = Decimal(draw.randint(240, 4900)) / 100
        when = f"2026-02-{day:02d}" if day < 28 else f"2026-03-{day - 27:02d}"
        line = _Ours(f"R{n + 1:03d}", when, what, centre, draw.randint(1, 9), each, draw.choice((0, 0, 0, 2, 3, 5, 10)))
        ours.append(line)
        kind, tax, posted = _KINDS[n % len(_KINDS)], draw.choice((0, 10, 20, 20, 20)), day + draw.randint(0, 2)
        kinds.setdefault(kind, []).append(line.line)
        text = what.partition(",")[0]
        if kind == "only ours":
            continue
        if kind in ("differs", "invoice"):
            wrong = line.eur + Decimal(draw.choice((-1, 1)) * draw.randint(90, 2900)) / 100
            post(line.line, posted, text, centre, wrong if wrong > 1 else line.eur + 9, tax)
        elif kind == "split":
            part = cents(line.eur * Decimal(draw.randint(35, 46)) / 100)
            post(line.line, posted, f"{text}, part", centre, part, tax)
            post(line.line, posted + 3, f"{text}, rest", centre, line.eur - part, tax)
        elif kind == "back":
            post(line.line, posted, text, centre, line.eur + 18, tax)
            post(line.line, posted + 1, f"{text}, back", centre, -(line.eur + 18), tax)
            post(line.line, posted + 2, text, centre, line.eur, tax)
        elif kind == "twice":
            post(line.line, posted, text, centre, line.eur, tax)
            post(line.line, posted, text, centre, line.eur, tax)
        else:
            other = list(_CENTRES)[(n + 5) % len(_CENTRES)] if kind == "centre" else centre
            post(line.line, posted, text, other, line.eur, tax)
    for n, (text, centre) in enumerate((
        ("parking, Hollis", "Rounds"), ("water", "Kitchen"), ("strapping, freight", "Packing"), ("keys cut", "Office"),
        ("skip hire", "Yard"), ("bulbs", "Dock"), ("postage due", "Post"), ("bench hire", "Workshop"),
    )):  # fmt: skip
        post("", 30 if n == 4 else 8 + n * 2, text, centre, Decimal(draw.randint(1900, 8800)) / 100, 20 if n % 2 else 0)
    return ours, sorted(ledger, key=lambda posting: (posting.day, posting.posting)), kinds


def two_lists(layout: Layout) -> Books:
    """Lay the case out."""
    draw = Random("budget two lists")
    folder = f"{ROOT}/2026_02"
    ours, ledger, kinds = _lists(draw)
    by = {line.line: line for line in ours}
    february = {line.line for line in ours if line.day.startswith("2026-02")}
    invoiced = {number: by[number].eur + Decimal(n * 7 - 10) for n, number in enumerate(kinds["invoice"][:5])}
    cancelled = kinds["only ours"][1], kinds["only ours"][3]
    parking = next(posting for posting in ledger if "Hollis" in posting.text)
    mine, hers = kinds["differs"][2], kinds["differs"][7]
    overruled = {
        mine: by[mine].eur, hers: by[hers].eur + 4, **dict.fromkeys(cancelled, Decimal(0)),
        parking.posting: Decimal(0),
    }  # fmt: skip
    moved = {kinds["same"][8]: "Packing", kinds["same"][31]: "Dock"}

    spent = dict.fromkeys(_CENTRES, Decimal(0))
    couriers = {True: Decimal(0), False: Decimal(0)}
    lines: list[tuple[Any, ...]] = [("reference", "ours", "ledger", "right")]
    count = 0
    for line in ours:
        if line.line not in february:
            continue
        found = [posting for posting in ledger if posting.reference == line.line]
        count += 1 + len(found)
        posted = summed(net for _, net in {(posting.day, posting.net) for posting in found})
        right = overruled.get(line.line, invoiced.get(line.line, posted if found else line.eur))
        spent[moved.get(line.line, line.centre)] += right
        if "Calder" in line.what:
            couriers[line.day >= "2026-02-16"] += right
        if posted != line.eur:
            lines.append((line.line, line.eur, posted, right))
    for posting in sorted(ledger, key=lambda each: each.posting):
        if not posting.reference and posting.day.startswith("2026-02"):
            count += 1
            right = overruled.get(posting.posting, posting.net)
            spent[posting.centre] += right
            lines.append((posting.posting, 0, posting.net, right))
    budget = budgets(spent, {name: over for name, (_, over) in _CENTRES.items()})
    left = {name: budget[name] - spent[name] for name in _CENTRES}

    heads = ("line", "day", "what", "centre", "pieces", "each", "rebate %")
    columns = ("posting", "reference", "day", "text", "centre", "EUR", "tax %")
    papers = (
        layout.sheet(
            f"{folder}/centres_budget.csv",
            [("centre", "EUR", "answers for it"),
             *((name, f"{budget[name]}.00", person(post).name) for name, (post, _) in _CENTRES.items())],
            at="2026-01-30 14:10",
        ),
        *(layout.sheet(f"{folder}/ours_202602_{name}.csv",
                       [heads, *((*line[:5], f"{line.each:.2f}", line.rebate) for line in ours
                                 if (line.day <= "2026-02-13") == (name == "a"))],
                       at="2026-03-02 17:05") for name in ("a", "b")),
        *(layout.sheet(f"{folder}/ledger_202602_{name}.csv",
                       [columns, *((*each[:5], f"{each.eur:.2f}", each.tax) for each in ledger
                                   if (each.day <= "2026-02-13") == (name == "a"))],
                       at="2026-03-04 08:40") for name in ("a", "b")),
    )  # fmt: skip
    layout.sheet(
        f"{ROOT}/2025_02/centres_budget.csv",
        [("centre", "EUR"), *((name, f"{budget[name] - 40}.00") for name in list(_CENTRES)[:9])],
        at="2025-01-31 15:30",
    )
    before = [("month", "spent", "left"), ("2025-12", "11020.66", "599.34"), ("2026-01", "11707.15", "-37.15")]
    log = layout.sheet(f"{ROOT}/agreed_months.csv", before, at="2026-02-06 10:50")
    post = letters(
        layout, invoices=[(by[number].what, number, right) for number, right in invoiced.items()],
        parking=parking.posting, mine=(mine, by[mine].eur), hers=(hers, overruled[hers]),
        cancelled=[(number, _CENTRES[by[number].centre][0]) for number in cancelled],
        proposed=(kinds["only ours"][2], by[kinds["only ours"][2]].centre), moved=moved, centre=kinds["centre"][1],
    )  # fmt: skip
    charged = couriers[False] + couriers[True] * Decimal("0.8")
    answer = pairs(
        ("spent", amount(spent["Workshop"])), (("left", "remaining", "remains"), amount(left["Workshop"])), named=False
    )
    return Books(
        rules=rules(layout), papers=papers,
        search="invoice OR postings OR cancelled OR workshop after:2026/02/01", mails=post.mails,
        files=tuple(attachment(n + 1) for n in range(len(invoiced))), channels=("#operations", "#general"),
        note=note(layout, "February, too much: ", "half an hour"),
        main=(f"{folder}/agreed_202602.csv",
              [("centre", "budget", "spent", "left"), *((name, budget[name], spent[name], left[name])
                                                     for name in _CENTRES)]),
        beside=(f"{folder}/differences_202602.csv", lines),
        log=(log, [*before, ("2026-02", summed(spent.values()), summed(left.values()))]), left=left,
        holders={name: holder for name, (holder, _) in _CENTRES.items()}, over_subject="February: over",
        title="February, too much: ", customer=("C1", "Calder Pharma", cents(charged)), question=post.question,
        asks="it", asked=post.asked, answer=answer, lines=count,
        event="Cancelled",
    )  # fmt: skip
