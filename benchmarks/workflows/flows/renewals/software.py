"""Contracts for software, by the seat, of which there are more than people who log in."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flows.renewals.terms import Contract, Drawer, cents, told
from benchmarks.workflows.plan import day

__all__ = ("DRAWER",)

_FOLDER: Final = "/workspace/contracts/software"
_RATES: Final = {"EUR": Decimal(1), "USD": Decimal("0.9240"), "GBP": Decimal("1.1510")}

_TERMS: Final = """\
@ S-02 | Pinboard | Pinboard Labs | billing at pinboardlabs | 2026-05-31 | 30d | 12*9.00 USD | 3 | owner=product
Boards for projects. 12 seats at USD 9.00 a month each.
Next term: 3% more a seat. This term ends on 31 May 2026; thirty days' notice. billing@pinboardlabs.example
@ S-04 | Labelwise | Labelwise Ltd | contracts at labelwise | 2026-06-14 | 60d | 6*24.00 GBP | 5 | owner=support2
Labels from the ticket system. 6 seats, GBP 24.00 a month each.
A new term is 5% dearer. Term to 14 June 2026, notice 60 days. contracts@labelwise.example
@ S-05 | Draughtline | Draughtline | office at draughtline | 2026-06-30 | 45d | 4*62.00 EUR | 4 | owner=firmware
Drawings and parts lists. 4 seats, EUR 62.00 a month each.
From the next term 4% more. To 30 June 2026; 45 days. office@draughtline.example
@ S-08 | Shiftboard | Rota Works | hello at rotaworks | 2026-05-10 | 30d | 22*3.50 EUR | =3.80 | kept; owner=planner
Who works when. 22 seats at EUR 3.50 a month.
2% more from the next term. Ends 10 May 2026, 30 days' notice. hello@rotaworks.example
@ S-09 | Fieldnotes | Marginal Software | renewals at marginal | 2026-04-30 | 14d | 9*11.00 USD | 2 | owner=support
Notes from visits. 9 seats, USD 11.00 a month each, 2% more with a new term.
Term to 30 April 2026. Fourteen days' notice, renewals@marginal.example
@ S-11 | Vaultkey | Vaultkey | legal at vaultkey | 2026-05-20 | 30d | 30*4.00 USD | 9 | kept; owner=it
SECURITY. Everybody's passwords. 30 seats at USD 4.00 a month, next term 9% more.
To 20 May 2026, 30 days. legal@vaultkey.example
@ S-12 | Chartwell | Chartwell Statistics | licence at chartwell | 2026-09-15 | 90d | 5*40.00 USD | 6 | owner=qa
Statistics for the test bench. 5 seats, USD 40.00 a month each; 6% more after each term.
To 15 September 2026, notice ninety days. licence@chartwell.example
@ S-13 | Postcard | Postcard Mailings | team at postcardmail | 2026-04-01 | 30d | 2*19.00 EUR | 8 | owner=marketing
The newsletter. 2 seats, EUR 19.00 a month, 8% more after the term.
To 1 April 2026; thirty days. team@postcardmail.example
@ S-15 | Transcribe | Verbatim Tools | accounts at verbatim | 2026-06-10 | 30d | 10*14.50 GBP | 3.5 | owner=hr
Minutes from recordings. 10 seats at GBP 14.50 a month, 3.5% more from the next term.
Ends 10 June 2026; 30 days. accounts@verbatim.example
@ S-17 | Mapline | Mapline | desk at mapline | 2026-05-29 | 40d | 3*30.00 EUR | 4.5 | owner=logistics
Routes for the vans. 3 seats, EUR 30.00 a month each, 4.5% more next time.
To 29 May 2026. Forty days. desk@mapline.example
"""

_LOGINS: Final = """\
Pinboard: olga.yilmaz 03-11, imogen.bianchi 03-16, i.bianchi 01-22, wilhelm.dlamini 02-27, farah.lacey 03-13
Pinboard: bot-import 03-17, ravi.iqbal 02-12, kieran.goh 01-05, yannick.saarinen 2025-12-19, tobias.hollis 02-04
Pinboard: niamh.jansson 2025-10-08, ivo.takala 03-03
Labelwise: ravi.iqbal 02-13, kieran.goh 03-10, imogen.pascoe 03-17, emeka.fairweather 01-29
Draughtline: wilhelm.dlamini 03-12, farah.lacey 02-19, olga.yilmaz 01-15, tobias.hollis 03-02
Shiftboard: ivo.takala 03-17, tamsin.adeyemi 03-17, joan.garside 03-16, vikram.eklund 02-26, tablet-dock 03-17
Shiftboard: tablet-hall 03-17, ada.brennan 03-16, piotr.lis 03-17, marek.zielony 02-27, sunniva.holt 03-13
Shiftboard: callum.reid 03-17, dora.fekete 03-12, c.reid 2025-12-30, ines.faro 03-16, tomas.beck 01-09
Shiftboard: owen.pryce 03-17, leila.haddad 03-17, bruno.costa 2025-12-31, nadia.orlov 02-25, gwen.tully 03-10
Shiftboard: rosa.menke 03-16, hal.denby 2025-11-27
Fieldnotes: kieran.goh 03-09, imogen.pascoe 02-24, ravi.iqbal 02-10, bot-crm 03-17, devika.lindgren 03-16
Fieldnotes: laleh.barrow 02-18, delphine.cowley 2025-12-12, olga.yilmaz 02-06, farah.lacey 01-08
Chartwell: farah.lacey 03-17, imogen.bianchi 01-28, bot-bench 03-17, wilhelm.dlamini 2025-09-30
Postcard: yannick.saarinen 03-05
Transcribe: fergus.varga 03-12, zofia.ibarra 03-13, f.varga 02-03, niamh.jansson 03-04, dafydd.yorke 01-20
Transcribe: quentin.nakamura 02-11, wanda.mbeki 03-03, ravi.iqbal 01-30, giulia.cheung 02-26, yannick.saarinen 03-10
Transcribe: olga.yilmaz 2025-12-18
Mapline: tamsin.adeyemi 03-16, joan.garside 03-05
"""
_GONE: Final = ("ravi.iqbal", "marek.zielony")


def _logins() -> list[tuple[str, str, str]]:
    found = []
    for line in _LOGINS.splitlines():
        tool, _, users = line.partition(": ")
        for each in users.split(", "):
            user, moment = each.split()
            found.append((tool, user, moment if len(moment) == 10 else f"2026-{moment}"))
    return found


def _used(tool: str) -> int:
    """People who logged in this year: each once, without those who have left, tablets and robots."""
    people = [user for name, user, moment in _logins() if name == tool and moment >= "2026" and user not in _GONE]
    whole = {user for user in people if "." in user and len(user.partition(".")[0]) > 1}
    short = {f"{user[0]}.{user.partition('.')[2]}" for user in whole}
    return len(whole) + len({user for user in people if user[1] == "." and user not in short})


def _worked_out(number: str, price: str, step: str) -> Mapping[str, Any]:
    booked, _, each = price.partition("*")
    cost, currency = Decimal(each.split()[0]), each.split()[1]
    new = Decimal(step[1:]) if step.startswith("=") else cost * (100 + Decimal(step)) / 100
    used = _used(_NAMES[number])
    wanted = int(booked) if number == "S-11" else min(int(booked), used + -(-used // 10))
    return {
        "now": cents(12 * int(booked) * cost * _RATES[currency]),
        "after": cents(12 * wanted * new * _RATES[currency]),
        "rise": (new - cost) * 100 / cost,
        "seats": (int(booked), wanted),
    }


_NAMES: Final = {
    part.split(" | ")[0]: part.split(" | ")[1] for part in _TERMS.split("@ ") if " | " in part
}  # fmt: skip

_RULES: Final = """\
# Software: before a term ends

Tobias Hollis and Emeka Fairweather. Only the two of us change this page, or exempt a tool, in a mail or a message; our
latest word counts. If you use a tool you may plead for it with one of us.

1. The contract's own page (terms/) applies, with whatever its supplier has announced by mail since. The register says
   who is responsible for a tool. If that person has left, it is whoever their head has named.
2. A term that nobody ends is followed by another one of a year. The last day is the day on which the term ends, less
   the days of notice; if that is on a weekend, the Friday before. We look at the tools whose last day falls between
   today and the day that is set, both included, and at no others.
3. Seats in use: people who have logged in since 1 January (logins.csv). Leave out anyone who has left us since (HR
   lets us know by mail), bot- and tablet-. An old address with an initial (j.doe) is the person with the full name
   (jane.doe).
4. Seats wanted: those in use, and one spare for every ten or part of ten (7 want 1, 12 want 2). Never more than are
   booked.
5. If the price of a seat goes up by more than the percentage that is set, the tool is ended. Otherwise, if fewer seats
   are wanted than are booked, the number is cut; if not, it goes on as it is. Tools with SECURITY on their page go on
   with all the seats that they have. A tool that is exempt is not ended for its price, but its seats are looked at.
6. Money, for the list: now is the seats booked at today's price, next the seats wanted (SECURITY: booked) at the next
   term's, both for twelve months, even if the tool is ended. In EUR at the rate that Finance has fixed for the current
   quarter (finance/fixed_rates.csv), rounded to cents once, at the end.
7. List: contracts/software/terms_YYYYMMDD.csv, named after the day it is made, with the columns number, tool, last
   day, seats, now, next, what. By last day (YYYY-MM-DD), then number. Seats are those wanted. What is ended, cut or
   goes on.
8. Suppliers get a mail for each contract if a tool is ended (number of the contract, and the day on which the term
   ends) or cut (number of the contract, and how many seats we want). Subject in both cases: "Your contract with us".
9. If a tool is ended, whoever is responsible for it gets a task "Move off: TOOL" in the project Contracts. If there is
   already an open one, change its date instead of making a second one.
"""

_PAPERS: Final = (
    (f"{_FOLDER}/before_a_term_ends.md", "2026-01-26 13:15", _RULES),
    (
        f"{_FOLDER}/logins.csv",
        "2026-03-17 18:05",
        "tool,user,last login\n" + "".join(",".join(each) + "\n" for each in _logins()),
    ),
    (
        "/workspace/finance/fixed_rates.csv",
        "2026-01-07 09:50",
        "quarter,currency,EUR for 1\n2025-Q4,USD,0.9310\n2025-Q4,GBP,1.1460\n2026-Q1,USD,0.9240\n2026-Q1,GBP,1.1510\n"
        "2026-Q2 (plan),USD,0.9300\n2026-Q2 (plan),GBP,1.1550\n",
    ),
    (
        f"{_FOLDER}/logins_2025.csv",
        "2025-09-30 18:05",
        "tool,user,last login\nMapline,tamsin.adeyemi,2025-09-29\nPostcard,yannick.saarinen,2025-09-18\n"
        "Chartwell,wilhelm.dlamini,2025-09-30\n",
    ),
)


def _fate(contract: Contract, limit: int) -> str:
    booked, wanted = contract.seats
    if contract.rise > limit and not contract.kept:
        return "ended"
    return "cut" if wanted < booked else "goes on"


DRAWER: Final = Drawer(
    folder=_FOLDER,
    contracts=told(_TERMS, _worked_out),
    papers=_PAPERS,
    to_read=tuple(path for path, _, _ in _PAPERS[:3]),
    mails=(
        (
            "hello@rotaworks.example",
            "Shiftboard: your new price",
            "2026-03-04 11:05",
            "Hello Gareth,\n\nnew servers, new prices. From your next term on a seat of Shiftboard is EUR "
            "3.80 a month, instead "
            "of the two per cent in the contract. We know that is more. It is also faster.\n\nTeam Rota Works",
        ),
        (
            "cto",
            "Shiftboard",
            "2026-03-10 14:30",
            "Gareth,\n\nI saw what they want for it. Shiftboard is exempt, half of the hall lives in it. "
            "Do look at "
            "the seats though.\n\nTobias",
        ),
        (
            "hr",
            "Goodbyes, first quarter",
            "2026-03-02 16:15",
            "Hello Gareth,\n\nfor your lists: Ravi Iqbal left us on 13 February, Marek Zielony (hall) on 27 February. "
            "Sunniva Holt is taking a few weeks off from the 16th, but she is coming back.\n\nFergus",
        ),
        (
            "support",
            "What Ravi was responsible for",
            "2026-02-18 10:40",
            "Morning Gareth. Ravi's things have been shared out: Emeka is responsible for Labelwise from now on, "
            "the rack of spare "
            "units is Imogen Pascoe's, the plant is mine.\n\nKieran",
        ),
    ),
    chat=(
        ("logistics", "2026-03-13 12:10", "please not Mapline. the vans would end up in the sea"),
        ("junior", "2026-03-16 10:25", "wouldn't a spare seat for every five be wiser? we queued for Pinboard"),
    ),
    note=(
        "Contracts for software",
        "2026-03-12 17:30",
        "- logins are from last night\n- Tamsin had a task for Mapline already, never done",
    ),
    tasks=(
        ("Move off: Mapline", "2026-01-30", "logistics", False),
        ("Move off: Chartwell", "2025-08-29", "qa", True),
    ),
    fate=_fate,
    mail=lambda contract, what: (day(contract.end) if what == "ended" else str(contract.seats[1]),),
    mailed={
        "ended": "We are not going on with {number} after {said}, when its term ends.",
        "cut": "For the next term of {number} we want {said} seats.",
    },
    tasked={"ended": ("Move off", lambda contract: "it" if contract.number == "S-04" else contract.owner)},
    ended="ended",
    columns=("number", "tool", "last day", "seats", "now", "next", "what"),
    row=lambda contract, what: (
        contract.number, contract.what, contract.last, contract.seats[1], contract.now, contract.after, what,
    ),
    sheet=f"{_FOLDER}/terms_20260318.csv",
    subject="Software, next terms",
    event="Software, next terms",
    start="2026-03-31 15:00",
    search="Shiftboard OR Labelwise OR goodbyes OR contract after:2026/02/10",
)  # fmt: skip
