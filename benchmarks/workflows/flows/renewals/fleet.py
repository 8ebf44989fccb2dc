"""Contracts for vehicles and storage, which end unless they are extended at a price that depends on use."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flows.renewals.terms import Contract, Drawer, cents, told
from benchmarks.workflows.plan import amount

__all__ = ("DRAWER",)

_FOLDER: Final = "/workspace/contracts/fleet"

_TERMS: Final = """\
@ V-01 | Parcel van | Hadleigh Rent | offers at hadleighrent | 2026-06-30 | 2m | 12*410+0.12 | 12*418+0.125 |
  owner=logistics
A van of three and a half tonnes. EUR 410 a month and 12 cents a kilometre. offers@hadleighrent.example
Ends on 30 June 2026. We may extend by a year; Hadleigh Rent has to hear of it two months before the end.
@ V-02 | Night store | Corbel Storage | nina at corbel | 2026-06-12 | 6w | 12*300+4.20 | 12*300+4.45 | owner=planner
Room for what does not fit. EUR 300 a month, and EUR 4.20 for each pallet that comes in. nina@corbel.example
To 12 June 2026. An extension by a year is to be ordered six weeks before that.
@ V-03 | Curtain trailer | Trundle Hire | desk at trundlehire | 2026-05-15 | 4w | 12*520 | 12*541 | owner=logistics
One trailer, tyres included. EUR 520 a month. desk@trundlehire.example
Until 15 May 2026, and a year longer if we say so four weeks before.
@ V-05 | Pool car | Hadleigh Rent | offers at hadleighrent | 2026-05-31 | 45d | 4*980 | - | owner=facility
A small estate for whoever needs one. EUR 980 a quarter, all kilometres free. offers@hadleighrent.example
Ends 31 May 2026. To be extended by a year, if we tell them 45 days ahead.
@ V-06 | Cold trailer | Frosthaul | anders at frosthaul | 2026-06-19 | 7w | 12*890 | 12*912 | owner=logistics
A trailer at minus twenty. EUR 890 a month. anders@frosthaul.example
To 19 June 2026; to extend it by a year, say so seven weeks earlier.
@ V-08 | Container yard | Quayside Yards | contracts at portlandholding | 2026-04-30 | 1m | 12*190 | 12*196 |
  owner=planner
Three places behind the fence. EUR 190 a month. yard@quaysideyards.example
Ends on 30 April 2026. The next year is ours if we let Quayside Yards know a month before.
@ V-09 | Pallet truck | Brandt Lifting | leases at brandtlifting | 2026-06-26 | 8w | 4*210 | 4*225 | owner=junior
The quiet one. EUR 210 a quarter. leases@brandtlifting.example
To 26 June 2026, extended by a year if ordered eight weeks before.
@ V-11 | Overflow hall | Rowan Property | lotte.stanhope at rowanproperty | 2026-06-30 | 3m | 12*1450 |
  12*1490 | owner=facility
Six hundred square metres across the road, EUR 1,450 a month. lotte.stanhope@rowanproperty.example
Ends on 30 June 2026; Rowan Property want to know three months before that if we stay another year.
@ V-12 | City courier | Pedal & Post | hello at pedalpost | 2026-04-24 | 6w | 12*160 | 12*162 | owner=junior
Letters and samples, by bicycle. EUR 160 a month. hello@pedalpost.example
Until 24 April 2026, six weeks for the extension.
@ V-14 | Sample freezer store | Corbel Storage | nina at corbel | 2026-06-05 | 5w | 12*75+2.10 | 12*75+2.15 | owner=qa
A freezer in their cold room. EUR 75 a month, and EUR 2.10 for each box that comes in. nina@corbel.example
To 5 June 2026. Five weeks before, if we want another year.
@ V-15 | Removal lorry | Trundle Hire | desk at trundlehire | 2026-09-30 | 3m | 12*615 | 12*634 | owner=logistics
Twelve tonnes, tail lift. EUR 615 a month. desk@trundlehire.example
To 30 September 2026, three months' notice for an extension.
"""

_KM: Final = (2105, 1980, 2240, 2310, 2185, 2050, 1870, 1640, 2215, 2290, 2160, 1795, 2020, 2125)
_PALLETS: Final = (61, 58, 72, 66, 70, 64, 59, 48, 73, 88, 94, 101, 62, 57)
_BOXES: Final = (120, 135, 150, 140, 160, 155, 130, 95, 170, 180, 165, 110, 125, 145)
"""January 2025 to February 2026."""
_MONTHS: Final = (*(f"2025-{month:02d}" for month in range(1, 13)), "2026-01", "2026-02")
_USE: Final = {"V-01": sum(_KM[2:]), "V-02": sum(_PALLETS[2:]), "V-14": sum(_BOXES[2:])}

_RULES: Final = """\
# Vehicles and storage

This page is kept by Tamsin Adeyemi. Only Niamh Jansson changes what it says or allows exceptions; her latest word
counts, wherever she says it.

First. These contracts end by themselves. They go on for a year only if we order the extension in time. The last day
for it is the end less the notice on the contract's page (terms/): months go back to the same day of the month (or
its last, if it has no such day), weeks are seven days. A last day on a Saturday or Sunday becomes the Friday before.

Second. We look at contracts whose last day is today or later, and no later than the day given for the round.

Third. The new price is the supplier's latest offer, from offers.csv or by mail. An offer whose deadline has passed is
no longer an offer, and without an offer nothing is extended.

Fourth. Now and next are EUR for twelve months, in cents: fixed parts times twelve (or times four), plus whatever is
charged by use, for the use over the last twelve whole months, March 2025 to February 2026, in use.csv. Assume that use
stays the same.

Fifth. If next is above now by no more than the percentage for the round, the contract is extended, otherwise it ends.
What would cost more than EUR 10,000 (next) is not extended by us, but decided by Niamh: "to decide". If the percentage
makes it too expensive it ends anyway, without her.

Sixth. An extension is ordered by mail from the supplier, one mail for each contract, with its number and with next.
Subject: "Your contract with us". Nobody is written to about contracts that end. Instead, whoever is responsible for it
according to register.csv gets a task "Find another: WHAT" in the project Contracts. For what is to be decided the task
is "Decide: WHAT", for Niamh. If there is an open task with that title, just move it to the new date.

Seventh. List: contracts/fleet/extensions_YYYYMMDD.csv, from the day of the round. Columns number, last day, now,
next, what (extended, ends, to decide). By last day, then number; days as YYYY-MM-DD. Without an offer, next is left
empty.
"""

_PAPERS: Final = (
    (f"{_FOLDER}/vehicles_and_storage.md", "2026-02-09 11:50", _RULES),
    (
        f"{_FOLDER}/offers.csv",
        "2026-03-09 15:30",
        "number,offer,accept by\nV-01,EUR 418 a month and 12.5 cents a kilometre,2026-05-15\n"
        "V-02,EUR 300 a month and EUR 4.45 a pallet,2026-04-30\nV-03,EUR 541 a month,2026-03-13\n"
        "V-05,EUR 995 a quarter,2026-03-13\nV-06,EUR 948 a month,2026-05-29\nV-08,EUR 196 a month,2026-03-31\n"
        "V-09,EUR 225 a quarter,2026-05-04\nV-11,EUR 1490 a month,2026-03-31\nV-12,EUR 162 a month,2026-04-10\n"
        "V-14,EUR 75 a month and EUR 2.15 a box,2026-05-08\nV-15,EUR 634 a month,2026-07-31\n",
    ),
    (
        f"{_FOLDER}/use.csv",
        "2026-03-03 10:05",
        "month,V-01 km,V-02 pallets,V-14 boxes\n"
        + "".join(f"{month},{a},{b},{c}\n" for month, a, b, c in zip(_MONTHS, _KM, _PALLETS, _BOXES, strict=True)),
    ),
    (
        f"{_FOLDER}/offers_2025.csv",
        "2025-03-10 15:30",
        "number,offer,accept by\nV-03,EUR 520 a month,2025-04-10\nV-05,EUR 980 a quarter,2025-04-30\n"
        "V-11,EUR 1450 a month,2025-04-15\n",
    ),
)


def _year(number: str, price: str) -> Decimal:
    fixed, _, each = price.partition("+")
    times, part = fixed.split("*")
    return cents(Decimal(times) * Decimal(part) + (Decimal(each) * _USE[number] if each else 0))


def _worked_out(number: str, price: str, step: str) -> Mapping[str, Any]:
    now = _year(number, price)
    if step == "-":
        return {"now": now, "after": Decimal(0), "rise": Decimal(1000)}
    after = _year(number, step)
    return {"now": now, "after": after, "rise": (after - now) * 100 / now}


def _fate(contract: Contract, limit: int) -> str:
    if contract.rise > limit:
        return "ends"
    return "to decide" if contract.after > 12000 else "extended"


DRAWER: Final = Drawer(
    folder=_FOLDER,
    contracts=told(_TERMS, _worked_out),
    papers=_PAPERS,
    to_read=tuple(path for path, _, _ in _PAPERS[:3]),
    mails=(
        (
            "anders@frosthaul.example",
            "Cold trailer, one more look",
            "2026-03-11 09:15",
            "Hi Gareth,\n\nmy boss says I may go down to EUR 912 a month for another year of the cold trailer, if you "
            "accept by the end of May. I can't go any lower than that, I have asked.\n\nAnders, Frosthaul",
        ),
        (
            "desk@trundlehire.example",
            "Curtain trailer",
            "2026-03-16 13:40",
            "Dear Mr Rahimi,\n\nour offer ran out on Friday, and the trailer is still in your yard, which we like. The "
            "541 a month is open until 10 April, then it goes to somebody else.\n\nTrundle Hire",
        ),
        (
            "contracts@portlandholding.example",
            "Quayside Yards is part of Portland Holding",
            "2026-02-25 10:30",
            "To all tenants\n\nQuayside Yards has been part of Portland Holding since 1 February. Prices, places and "
            "offers stay the same. Extensions should be sent to contracts@portlandholding.example, and no longer to "
            "the yard.\n\n"
            "Portland Holding",
        ),
        (
            "facility",
            "Pool car",
            "2026-03-13 11:20",
            "Gareth, 995 for the pool car was not bad, was it? I would take it, even if the day has passed. "
            "They will not "
            "mind.\n\nVikram",
        ),
        (
            "coo",
            "What I decide on the fleet",
            "2026-03-12 15:10",
            "Gareth,\n\nmake it 12,000 for vehicles and storage, I don't need to see anything below that any "
            "more. And "
            "Joan has enough on her desk: what she is responsible for in the register is Ivo's until the "
            "summer.\n\nNiamh",
        ),
    ),
    chat=(
        (
            "planner",
            "2026-03-10 12:25",
            "for the record: 4.45 a pallet is robbery. I would count last year's pallets, not these",
        ),
        ("logistics", "2026-03-17 10:40", "could we say 5 percent for whatever has wheels?"),
    ),
    note=(
        "Contracts, fleet",
        "2026-03-16 12:20",
        "- Niamh has an open task for the overflow hall, from the winter\n- offers run out, check the dates\n"
        "- the yard has new owners",
    ),
    tasks=(
        ("Decide: Overflow hall", "2026-02-27", "coo", False),
        ("Find another: Pool car", "2025-05-30", "facility", True),
    ),
    fate=_fate,
    mail=lambda contract, what: (amount(contract.after),),
    mailed={"extended": "Please extend {number} by a year, at EUR {said} for the twelve months."},
    tasked={
        "ends": ("Find another", lambda contract: "planner" if contract.owner == "junior" else contract.owner),
        "to decide": ("Decide", lambda contract: "coo"),
    },
    ended="ends",
    columns=("number", "last day", "now", "next", "what"),
    row=lambda contract, what: (contract.number, contract.last, contract.now, contract.after or "", what),
    sheet=f"{_FOLDER}/extensions_20260318.csv",
    subject="Vehicles and storage",
    event="Vehicles and storage, the year ahead",
    start="2026-03-24 11:00",
    search='trailer OR offer OR Portland OR fleet OR "pool car" after:2026/02/15',
)
