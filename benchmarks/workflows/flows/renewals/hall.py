"""Contracts around the hall, which run on unless they are ended."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flows.renewals.terms import Contract, Drawer, cents, told
from benchmarks.workflows.plan import day

__all__ = ("DRAWER",)

_FOLDER: Final = "/workspace/contracts/hall"
_INDEX: Final = Decimal("3.55")
"""From 118.4 to 122.6, in percent to two places."""

_TERMS: Final = """\
@ H-03 | Cleaning | Brisk & Daughter | office at briskdaughter | 2026-08-31 | 3m | 12*1180 | index 3
Brisk & Daughter clean the hall and the offices, five evenings a week.
- EUR 1,180 a month.
- The price follows the index each year (rule 4), by 3% at most.
- Until 31 August 2026. Notice: three months. Letters to office@briskdaughter.example
@ H-04 | Forklift lease | Brandt Lifting | leases at brandtlifting | 2026-07-15 | 8w | 4*1290 | 4.5
Two forklifts, serviced and insured by Brandt Lifting.
- EUR 1,290 a quarter, 4.5% more from each renewal.
- Runs to 15 July 2026; to be ended eight weeks before, in writing, leases@brandtlifting.example
@ H-06 | Waste collection | Moorgate Carriers | desk at moorgatecarriers | 2026-06-30 | 3m | 12*212 | index
Three bins, twice a week.
- EUR 212 a month, with the index, no upper limit.
- To 30 June 2026, notice three months. desk@moorgatecarriers.example
@ H-07 | Coffee machines | Otto Brew | hello at ottobrew | 2026-11-30 | 2m | 12*145 | 5 | listed=2026-05-31
Two machines and what goes into them.
- EUR 145 a month, 5% more after each year.
- To 31 May 2026; notice two months. hello@ottobrew.example

Amendment of 12 January 2026: the end is moved to 30 November 2026, in return for the new grinder. Everything else
stays.
@ H-09 | Alarm monitoring | Sentinel Watch | accounts at sentinelwatch | 2026-06-15 | 6w | 12*96 | +90 | kept
SAFETY. Fire and burglary, day and night.
- EUR 96 a month; from a renewal the whole year costs EUR 90 more.
- Ends 15 June 2026. Notice six weeks. accounts@sentinelwatch.example
@ H-10 | Floor mats | Lindale Textile | notices at lindale | 2026-05-29 | 1m | 12*38 | +24
Six mats, changed every second Tuesday.
- EUR 38 a month. Each renewal adds EUR 24 to the year.
- To 29 May 2026, notice a month. mats@lindaletextile.example
@ H-11 | Cold chamber service | Frostwerk | service at frostwerk | 2026-07-31 | 3m | 4*2350 | 3
Four visits a year, parts apart.
- EUR 2,350 a quarter, with a step of 6% at renewal.
- To 31 July 2026. Notice: three months. service@frostwerk.example
@ H-12 | Rack rental | Tarn Metalwork | rental at tarnmetalwork | 2026-06-30 | 2m | 12*1950 | 4.2
Forty bays of heavy rack in the back hall.
- EUR 1,950 a month, 4.2% more from the renewal.
- To 30 June 2026, two months' notice, rental@tarnmetalwork.example
@ H-14 | Plant care | Greenfold | team at greenfold | 2026-04-30 | 6w | 12*74 | 5 | kept
Eleven plants, one of them a palm.
- EUR 74 a month, rising by 5%.
- To 30 April 2026, six weeks. team@greenfold.example
@ H-15 | Compressor service | Airlow | post at airlow | 2026-05-15 | 3m | 2*480 | 7
Twice a year, with the test for the insurer.
- EUR 480 each half-year, 7% more at renewal.
- To 15 May 2026; three months' notice. post@airlow.example
@ H-16 | Water coolers | Clearspring | orders at clearspring | 2026-07-10 | 10w | 4*61 | 4
Three coolers; bottles are extra.
- EUR 61 a quarter, 4% more from the renewal.
- To 10 July 2026. Ten weeks' notice, orders@clearspring.example
@ H-18 | Pest control | Hedley & Son | jim at hedleyson | 2026-09-30 | 4m | 4*165 | 4.5
Traps along the dock, looked after every month.
- EUR 165 a quarter. A renewal costs 4.5% more.
- To 30 September 2026, notice four months, jim@hedleyson.example
@ H-20 | Dock door service | Portico Doors | care at porticodoors | 2026-06-12 | 2m | 4*2050 | 4.1
Four doors, two visits a year, call-outs within a day.
- EUR 2,050 a quarter, 4.1% more at renewal.
- Ends 12 June 2026, notice two months. care@porticodoors.example
@ H-22 | Window cleaning | Brisk & Daughter | office at briskdaughter | 2026-08-14 | 2m | 4*130 | 5
The skylights, once a quarter, with their own ladder.
- EUR 130 a quarter; 5% more from each renewal.
- To 14 August 2026, two months' notice. office@briskdaughter.example
"""

_RULES: Final = """\
# Hall contracts: what happens before they renew

By Quentin Nakamura and Niamh Jansson. Either of us may change this or make an exception, by mail or in #operations;
our latest word counts. Other people's wishes are welcome, and change nothing.

1. What counts is the contract's own page in terms/, with its amendments, and what the supplier has told us by mail
   since. The register only helps to find things.
2. A contract runs on for a year if it is not ended in time. The last day for that is its end less the notice: months
   back to the same day of the month, or to the last day of a month that has no such day; a week is seven days. If that
   day is a Saturday or a Sunday, it is the Friday before.
3. A round looks at all contracts whose last day is between the day of the round and the day that is set for it, both
   included. If it has already passed, the contract runs on and is not part of the round.
4. Now and next: what a contract costs in a year now, and what it would cost in the year after. The index is
   index_services.csv, from the December before last to last December, in percent to two places. EUR, in cents.
5. If next is above now by more than the percentage set for the round, we want to get out of it; otherwise it runs on.
   Contracts that say SAFETY at the top always run on.
6. Of those that we want to get out of, Gareth himself ends those that will cost (next) EUR 5,000 or less. Above that
   Niamh decides, above EUR 20,000 Quentin does.
7. Ending is a mail to the supplier, "Your contract with us", one for each contract, with its number and the day on
   which it ends. What somebody else decides gets no mail but a task for them in the project Contracts, "Decide:
   WHAT". If there is such a task already and it is open, do not make a second one: change its date, and leave it with
   whoever has it.
8. The list is round_YYYYMMDD.csv in contracts/hall, named after the day of the round, with the columns number, last
   day, now, next, what. Last days as YYYY-MM-DD; sorted by these, then by number. What is one of: runs on, ended, to
   decide.
"""

_PAPERS: Final = (
    (f"{_FOLDER}/before_they_renew.md", "2026-01-20 10:30", _RULES),
    (
        f"{_FOLDER}/before_they_renew_2024.md",
        "2024-01-15 10:30",
        "# Hall contracts (2024)\n\nWhatever gets dearer is ended. Weekends do not matter.\n"
        "Vikram decides up to EUR 2,000.\n",
    ),
    (
        f"{_FOLDER}/index_services.csv",
        "2026-02-10 09:20",
        "month,index\n2024-11,118.1\n2024-12,118.4\n2025-01,118.7\n2025-02,119.0\n2025-03,119.6\n2025-04,120.1\n"
        "2025-05,120.3\n2025-06,120.4\n2025-07,120.9\n2025-08,121.2\n2025-09,121.5\n2025-10,121.9\n2025-11,122.3\n"
        "2025-12,122.6\n2026-01,123.1\n",
    ),
)


def _worked_out(number: str, price: str, step: str) -> Mapping[str, Any]:
    times, each = price.split("*")
    now = Decimal(times) * Decimal(each)
    if step.startswith("+"):
        after = now + Decimal(step[1:])
    else:
        percent = min(_INDEX, Decimal(step[6:] or 100)) if step.startswith("index") else Decimal(step)
        after = cents(now * (100 + percent) / 100)
    return {"now": now, "after": after, "rise": (after - now) * 100 / now}


def _fate(contract: Contract, limit: int) -> str:
    if contract.kept or contract.rise <= limit:
        return "runs on"
    return "ended" if contract.after <= 8000 else "to decide"


DRAWER: Final = Drawer(
    folder=_FOLDER,
    contracts=told(_TERMS, _worked_out),
    papers=_PAPERS,
    to_read=(_PAPERS[0][0], _PAPERS[2][0]),
    mails=(
        (
            "service@frostwerk.example",
            "Cold chamber: this year's step",
            "2026-02-24 09:40",
            "Dear Mr Rahimi,\n\nwe have been late twice, and it would not be right to send you the full six "
            "per cent for "
            "that. From the renewal in August it is 3% and not 6%. Please file this mail with the contract.\n\n"
            "Agnes Thiel\nFrostwerk",
        ),
        (
            "mats@lindaletextile.example",
            "We are moving house",
            "2026-03-02 12:10",
            "Dear customer,\n\nplease send whatever concerns a contract, notices above all, to notices@lindale.example "
            "from now on. This mailbox is for mats that have gone missing, and nobody who can sign anything reads "
            "it.\n\n"
            "Lindale Textile",
        ),
        (
            "cfo",
            "Small contracts",
            "2026-03-06 16:20",
            "Gareth,\n\nfor hall contracts your own limit is 8,000 from now on. I would rather not see another "
            "forklift on my desk. The 20,000 stays as it is.\n\nQuentin",
        ),
        (
            "facility",
            "The mats",
            "2026-03-12 10:50",
            "Hi Gareth, when you go through the contracts: could the mats stay? Everybody who comes in from the dock "
            "appreciates them.\n\nVikram",
        ),
    ),
    chat=(
        ("planner", "2026-03-12 15:20", "if Pest control goes, who tells the mice"),
        (
            "coo",
            "2026-03-16 14:20",
            "Gareth, the plants stay, whatever Greenfold asks for them. I promised the people upstairs",
        ),
    ),
    note=(
        "Contracts, before the round",
        "2026-03-13 17:10",
        "- Otto Brew: grinder, and a new end date\n- Tarn: Quentin has had a task since autumn",
    ),
    tasks=(
        ("Decide: Rack rental", "2025-11-28", "cfo", False),
        ("Decide: Dock door service", "2025-06-13", "coo", True),
    ),
    fate=_fate,
    mail=lambda contract, what: (day(contract.end),),
    mailed={"ended": "We are not renewing {number}. It ends on {said}."},
    tasked={"to decide": ("Decide", lambda contract: "coo" if contract.after <= 20000 else "cfo")},
    ended="ended",
    columns=("number", "last day", "now", "next", "what"),
    row=lambda contract, what: (contract.number, contract.last, contract.now, contract.after, what),
    sheet=f"{_FOLDER}/round_20260318.csv",
    subject="Hall contracts",
    event="Hall contracts, line by line",
    start="2026-03-26 11:00",
    search="chamber OR mats OR contract OR contracts after:2026/02/15",
)
