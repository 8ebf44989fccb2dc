"""A fortnight of the late crew by the clock: breaks, quarters of an hour, nights on call, advances."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flows.payroll.books import ROOT, Books, cents, leads, note, number, reminder, said, summed
from benchmarks.workflows.layout import Layout

__all__ = ("fortnight",)

_DAYS: Final = (
    "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06",
    "2026-03-09", "2026-03-10", "2026-03-11", "2026-03-12", "2026-03-13",
)  # fmt: skip
_PUNCHES: Final = """\
Rosa Tennant | 1400-2230 1400-2240 1355-2230 1300-2320 1400-2230 | 1400-2230 1405-2350 1400-2230 1200-2300 1400-2230
Idris Cole | 1400-2230 sick sick 1400-2230 1400-2210 | 1400-2230 1230-2230 1400-2235 1400-? 1400-2230
Owen Marsh | 1300-2200 1300-2200 1300-2215 1300-2200 1300-2130 | 1300-2200 1300-2200 1300-2300 1300-2200 1300-2200
Maya Fenn | 1400-2230 1400-2305 1400-2230 1400-2230 1400-2245 | leave leave 1400-2230 1315-2230 1400-2235
Lech Borowski | 1800-2330 1400-2230 1400-2300 1400-2230 1200-2230 | 1400-2255 1130-2230 1400-2230 1200-2310 1200-2230
Siobhan Pryce | 1400-2230 1400-2230 1400-2245 1400-2230 sick | sick 1400-2230 1400-2230 1345-2230 1400-2230
Dario Keel | 1400-2230 1200-2230 1400-2230 1500-0115 1400-2230 | 1200-2230 1400-2230 1400-? 1400-2320 1345-2310"""
_LATE_STAFF: Final = {
    "Rosa Tennant": ("loading", "14.60"), "Idris Cole": ("loading", "14.64"), "Owen Marsh": ("loading", "monthly"),
    "Maya Fenn": ("wrapping", "15.20"), "Lech Borowski": ("wrapping", "16.35"),
    "Siobhan Pryce": ("cold store", "15.20"), "Dario Keel": ("cold store", "16.35"),
}  # fmt: skip
_ON_CALL: Final = ("Dario", "Rosa", "Lech", "Maya", "Idris", "Rosa", "Lech", "Dario", "Maya", "Siobhan")
"""By day, as the file has it."""
_LATE: Final = """\
# Pay of the late crew

Fortnight by fortnight, from the clock. Fergus Varga keeps this page. What he writes elsewhere after it, mail or chat,
goes before it; what the rest of us would like does not, until he has said yes.

1. `clock_*.csv` has one line for each person and day. Time there is out less in, less the break: half an hour when it
   was more than six hours, three quarters when it was more than nine, none otherwise. Out may be after midnight.
2. What is left is cut down to the full quarter of an hour, day by day. Up to eight hours a day are plain hours, the
   rest is overtime, paid at one and a quarter times.
3. A missing "out" is the person's last pass of that day in `hall_door.csv`.
4. Leave counts eight plain hours. So does a sick day, except the first one of each illness, which is not paid. A
   weekend in the middle does not make it a new illness.
5. Late time is what lies after 20:00, with nothing taken off for breaks, cut down to the quarter of an hour day by
   day. Each hour of it carries EUR 2.40 besides its ordinary pay.
6. A night on call is EUR 35. The list is `on_call.csv`; nights may be swapped, and a swap holds once the lead of
   whoever takes the night has said so.
7. Advances that are still open (`advances.csv`, kept by Rufus Reyes, whose word on them is enough) come off the EUR.
   One given in pounds comes off in EUR at the rate of the day on which it was given (`fx.csv`, the last line on or
   before it).
8. Whoever has "monthly" in late_staff.csv clocks in with the rest but has a salary, and does not appear in anything
   below.

In the folder of the fortnight I want to find

- `pay_20260302.csv` with name, hours, overtime, late hours, nights, EUR, in the order of late_staff.csv. `hours` are
  the plain ones; EUR is rounded to cents at the very end, half a cent up, and is what is left after advances.
  Whatever is summed up later is the sum of these rounded figures;
- `no_out_20260302.csv` with name, day (YYYY-MM-DD), out (HH:MM), for each "out" that came from the door, by day.

`overtime_late.csv`, one folder up, gets one more line: first day of the fortnight, overtime of all, late hours of all.
The lead of each station gets a mail "Late crew, 2 to 13 March" with the hours of each of theirs, plain and overtime in
one figure, and nothing about money. The crew reads in #operations on which day the run is; it usually is the Friday of
the week after the fortnight.
"""


def fortnight(layout: Layout) -> Books:
    """Lay the case out."""
    folder = f"{ROOT}/late_20260302"
    clocked = {
        name.strip(): [*first.split(), *second.split()]
        for name, first, second in (line.split("|") for line in _PUNCHES.splitlines())
    }
    heads = ("name", "day", "in", "out")
    lines = {name: list(map(_punched, times)) for name, times in clocked.items()}
    sheets = tuple(
        layout.sheet(
            f"{folder}/clock_{_DAYS[first][5:7]}{_DAYS[first][8:]}.csv",
            [heads, *((name, _DAYS[n], *lines[name][n]) for n in range(first, first + 5) for name in lines)],
            at=f"{_DAYS[first + 4]} 23:55",
        )
        for first in (0, 5)
    )
    ends = dict(zip(_DAYS, _ON_CALL, strict=True))
    whole = {name.split()[0]: name for name in _LATE_STAFF}
    papers = (
        layout.sheet(
            f"{ROOT}/late_staff.csv",
            [("name", "station", "EUR an hour"), *((name, *rest) for name, rest in _LATE_STAFF.items())],
            at="2026-02-20 14:15",
        ),
        layout.sheet(
            f"{folder}/hall_door.csv",
            [
                ("day", "time", "name"), ("2026-03-11", "13:57", "Dario Keel"), ("2026-03-11", "18:02", "Dario Keel"),
                ("2026-03-11", "22:20", "Dario Keel"), ("2026-03-11", "21:58", "Dario Keel"),
                ("2026-03-12", "13:58", "Idris Cole"), ("2026-03-12", "22:47", "Idris Cole"),
                ("2026-03-12", "23:21", "Dario Keel"), ("2026-03-13", "22:31", "Idris Cole"),
            ],
            at="2026-03-14 06:00",
        ),
        layout.sheet(
            f"{folder}/on_call.csv", [("night of", "who"), *((at, whole[who]) for at, who in ends.items())],
            at="2026-02-26 15:10",
        ),
        layout.sheet(
            f"{ROOT}/advances.csv",
            [
                ("name", "given on", "amount", "currency", "taken off on"),
                ("Maya Fenn", "2026-01-15", "80", "EUR", "2026-01-30"),
                ("Rosa Tennant", "2026-02-27", "150", "EUR", ""),
                ("Lech Borowski", "2026-03-04", "100", "GBP", ""), ("Owen Marsh", "2026-03-05", "200", "EUR", ""),
            ],
            at="2026-03-06 12:30",
        ),
        layout.sheet(
            f"{ROOT}/fx.csv",
            [("day", "EUR for a pound"), ("2026-02-27", "1.142"), ("2026-03-03", "1.158"), ("2026-03-06", "1.151"),
             ("2026-03-13", "1.163")],
            at="2026-03-13 17:05",
        ),
        leads(layout, {"loading": "logistics", "wrapping": "planner", "cold store": "facility"}),
    )  # fmt: skip
    layout.sheet(f"{ROOT}/late_20260216/on_call.csv",
                 [("night of", "who"), *((f"2026-02-{n}", whole[who]) for n, who in zip(range(16, 21), _ON_CALL[5:],
                                                                                       strict=True))],
                 at="2026-02-12 15:00")  # fmt: skip
    before = [("from", "overtime", "late hours"), ("2026-02-02", "9.5", "131.25"), ("2026-02-16", "12.25", "118.5")]
    ledger = layout.sheet(f"{ROOT}/overtime_late.csv", before, at="2026-03-04 09:55")
    mails = (
        layout.mail(
            "hr", "Late money", "Hi Gareth,\n\nSigned this morning: after eight in the evening it is EUR 2.80 an hour, "
            "from Monday 9 March on. Days before that stay as they are.\n\nThanks, Fergus", at="2026-03-05 15:30",
        ),
        layout.mail(
            "accounts", "Advances, late crew", "Gareth,\n\nRosa Tennant came by on Tuesday and put fifty euros of her "
            "advance on my desk, in coins. She has a receipt; my list will have it when I have counted them again. "
            "It is fifty.\n\nRufus", at="2026-03-12 11:15",
        ),
        layout.mail(
            "hr", "Cold store", "Hi Gareth,\n\nEmeka looks after the cold store crew from this month on, since the "
            "sensors are his anyway. leads.csv knows nothing yet. Vikram does.\n\nThanks, Fergus",
            at="2026-03-03 09:20",
        ),
        layout.mail(
            "it", "On call, 13 March", "Dear Gareth,\n\nSiobhan Pryce asks whether Maya Fenn could be on call for her "
            "on the 13th; they have agreed between them. It is fine with me.\n\nBest regards, Emeka",
            at="2026-03-04 13:40",
        ),
    )  # fmt: skip
    asked = "Late hours, cold store"
    question = layout.mail(
        "it", asked, "Dear Gareth,\n\nHow many late hours did Siobhan Pryce and Dario Keel have in the fortnight, "
        "each? I would like to know whom the cold keeps up.\n\nBest regards, Emeka", at="2026-03-16 09:05", read=False,
    )  # fmt: skip
    layout.message("operations", "logistics", "on call: Idris does Wednesday night, the 11th, for Dario. ok from me",
                   at="2026-03-10 12:20")  # fmt: skip
    layout.message("operations", "planner", "Maya does not take the 13th, her sister marries on the Saturday. Siobhan "
                   "keeps her night", at="2026-03-05 11:05")  # fmt: skip
    layout.message("operations", "it", "a cut to five minutes instead of quarters would be fairer, no? the clock can "
                   "do it", at="2026-03-06 10:30")  # fmt: skip

    out = {("Idris Cole", "2026-03-12"): "22:47", ("Dario Keel", "2026-03-11"): "22:20"}
    nights = {name: sum(whole[who] == name for who in ends.values()) for name in _LATE_STAFF}
    nights["Idris Cole"] += 1
    nights["Dario Keel"] -= 1
    advances = {"Rosa Tennant": number(100), "Lech Borowski": number(100) * number("1.158")}
    pay: list[tuple[Any, ...]] = [("name", "hours", "overtime", "late hours", "nights", "EUR")]
    over, told = dict[str, Decimal](), dict[str, dict[str, Decimal]]()
    for name, (station, rate) in _LATE_STAFF.items():
        if rate == "monthly":
            continue
        plain, extra, late, money = Decimal(0), Decimal(0), Decimal(0), Decimal(0)
        for n, (on, (begin, end)) in enumerate(zip(_DAYS, lines[name], strict=True)):
            if begin in ("leave", "sick"):
                plain += 0 if begin == "sick" and lines[name][n - 1][0] != "sick" else 8
                continue
            there, after = _clocked(begin, out.get((name, on), end))
            plain, extra = plain + min(there, number(8)), extra + max(there - 8, Decimal(0))
            late += after
            money += after * number("2.80" if on >= "2026-03-09" else "2.40")
        money += number(rate) * (plain + extra * number("1.25")) + 35 * nights[name] - advances.get(name, Decimal(0))
        over[name] = extra
        told.setdefault(station, {})[name] = plain + extra
        pay.append((name, plain, extra, late, nights[name], cents(money)))
    lates = {line[0]: line[3] for line in pay}
    return Books(
        tree=ROOT, rules=layout.file(f"{ROOT}/late_crew.md", _LATE, at="2026-02-20 14:40"), papers=papers,
        sheets=sheets, search="late OR advances OR cold OR call after:2026/03/02", mails=(*mails, question),
        note=note(layout, "Long evenings: "), reminder=reminder(layout, "Late crew: first fortnight of March"),
        pay=(f"{folder}/pay_20260302.csv", pay),
        beside=(f"{folder}/no_out_20260302.csv",
                [("name", "day", "out"), *sorted(((*key, at) for key, at in out.items()), key=lambda line: line[1])]),
        ledger=(ledger, [*before, ("2026-03-02", summed(over.values()), summed(line[3] for line in pay[1:]))]),
        overtime=over,
        told={"logistics": told["loading"], "planner": told["wrapping"], "it": told["cold store"]},
        lead_subject="Late crew, 2 to 13 March", total=summed(line[5] for line in pay[1:]),
        total_subject="Late crew: what it costs", title="Long evenings: ", question=question, asks="it", asked=asked,
        answer=("Siobhan", said(lates["Siobhan Pryce"]), "Dario", said(lates["Dario Keel"])),
    )  # fmt: skip


def _punched(text: str) -> tuple[str, str]:
    if text in ("leave", "sick"):
        return text, ""
    begin, end = text.split("-")
    return f"{begin[:2]}:{begin[2:]}", "" if end == "?" else f"{end[:2]}:{end[2:]}"


def _clocked(begin: str, end: str) -> tuple[Decimal, Decimal]:
    """Hours there and hours late, both in full quarters."""
    first, last = (int(at[:2]) * 60 + int(at[3:]) for at in (begin, end))
    last += 24 * 60 if last < first else 0
    length = last - first
    net = length - (45 if length > 540 else 30 if length > 360 else 0)
    return Decimal(net // 15) / 4, Decimal(max(0, last - 20 * 60) // 15) / 4
