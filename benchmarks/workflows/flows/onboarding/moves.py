"""The third case: people of the house who go to another team, in other places, with what they have already."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from benchmarks.workflows.flows.onboarding.books import (
    MEMBERS,
    ROOT,
    Books,
    Joiner,
    Rows,
    cents,
    doer,
    packs,
    working_day,
)
from benchmarks.workflows.layout import Layout, company

__all__ = ("moves",)

_WEEKS: Final = ("2026-04-06", "2026-04-13", "2026-04-20", "2026-04-27", "2026-05-04", "2026-05-11")


def moves(layout: Layout) -> Books:
    """Lay out the papers, and work out what follows from them."""
    root = f"{ROOT}/moves"
    # name, from, to, first day, place: in the order of the first days
    movers = (
        ("Delphine Cowley", "sales", "support", "2026-04-07", "London"),
        ("Farah Lacey", "engineering", "operations", "2026-04-08", "Helsinki"),
        ("Joan Garside", "operations", "finance", "2026-04-20", "London"),
    )
    closed = (
        ("2026-04-02", "Helsinki", "new heating in the house"), ("2026-04-03", "London", "Good Friday"),
        ("2026-04-03", "Toronto", "Good Friday"),
        ("2026-04-03", "Helsinki", "Good Friday"), ("2026-04-06", "London", "Easter Monday"),
        ("2026-04-06", "Helsinki", "Easter Monday"), ("2026-05-01", "Helsinki", "May Day"),
        ("2026-05-04", "London", "bank holiday"), ("2026-05-14", "Helsinki", "Ascension"),
        ("2026-05-18", "Toronto", "Victoria Day"),
    )  # fmt: skip
    steps = (
        ("Letter with the new title", -10, "people"), ("List of open work", -5, "old manager"),
        ("Place in the new rota", -3, "new manager"), ("New rights given", 0, "systems"),
        ("Introduction to the team", 0, "guide"), ("First task done together", 2, "guide"),
        ("Old rights taken back", 5, "systems"), ("Talk after a month", 20, "new manager"),
    )  # fmt: skip
    who = {
        "people": ("Fergus Varga", "Zofia Ibarra"), "systems": ("Emeka Fairweather", "Vikram Eklund"),
        "manager sales": ("Giulia Cheung", "Devika Lindgren"),
        "manager engineering": ("Tobias Hollis", "Wilhelm Dlamini"),
        "manager support": ("Kieran Goh", "Imogen Pascoe"),
        "manager operations": ("Gareth Rahimi", "Ivo Takala"), "manager finance": ("Wanda Mbeki", "Rufus Reyes"),
    }  # fmt: skip
    leave = (
        ("Giulia Cheung", "2026-03-27", "2026-04-02"), ("Tobias Hollis", "2026-03-26", "2026-03-30"),
        ("Wilhelm Dlamini", "2026-03-27", "2026-03-27"),
        ("Kieran Goh", "2026-03-30", "2026-04-01"), ("Emeka Fairweather", "2026-04-13", "2026-04-17"),
        ("Fergus Varga", "2026-04-02", "2026-04-02"), ("Gareth Rahimi", "2026-05-06", "2026-05-08"),
        ("Olga Yilmaz", "2026-04-09", "2026-04-10"),
    )  # fmt: skip
    willing = {
        "operations": ("Ivo Takala", "Joan Garside", "Tamsin Adeyemi", "Vikram Eklund"),
        "support": ("Emeka Fairweather", "Kieran Goh", "Olga Yilmaz", "Ivo Takala"),
        "finance": ("Rufus Reyes", "Devika Lindgren", "Tamsin Adeyemi", "Wanda Mbeki"),
    }
    hours = {
        "Devika Lindgren": [22, 31, 34, 30, 33, 29], "Emeka Fairweather": [33, 0, 37, 36, 30, 31],
        "Ivo Takala": [30, 25, 24, 28, 36, 38], "Joan Garside": [20, 22, 18, 20, 21, 20],
        "Kieran Goh": [18, 20, 22, 19, 20, 24], "Olga Yilmaz": [24, 27, 26, 28, 35, 33],
        "Rufus Reyes": [26, 25, 33, 37, 32, 26], "Tamsin Adeyemi": [34, 28, 29, 27, 31, 33],
        "Vikram Eklund": [31, 30, 28, 33, 25, 27], "Wanda Mbeki": [20, 21, 25, 24, 22, 26],
    }  # fmt: skip
    corrected = {name: list(weeks) for name, weeks in hours.items()}
    corrected["Olga Yilmaz"][1] = 38
    corrected["Tamsin Adeyemi"][4] = 39
    guides: dict[str, str] = {}
    for name, _, team, start, _ in movers:
        first = max(place for place, monday in enumerate(_WEEKS) if monday <= start)
        sums = {
            other: sum(corrected[other][first : first + 4])
            for other in willing[team]
            if other != who[f"manager {team}"][0]
            and other not in guides.values()
            and other not in {each[0] for each in movers}
        }
        guides[name] = min(sums, key=lambda other: sums[other])
        assert list(sums.values()).count(sums[guides[name]]) == 1

    rights = {
        "sales": ("customer records", "offers", "price list", "telephone queue"),
        "engineering": ("device log", "release board", "remote desktop", "price list"),
        "support": ("helpdesk", "telephone queue", "remote desktop", "customer records"),
        "operations": ("stock list", "scanner log", "price list", "purchase orders"),
        "finance": ("ledger", "purchase orders", "bank portal", "price list"),
    }
    extra = {"Delphine Cowley": ("photo library",), "Farah Lacey": ("test bench",)}
    kept = {("Farah Lacey", "release board")}
    plan: Rows = [("name", "step", "day", "who")]
    access: Rows = [("name", "system", "what", "day")]
    for name, old, new, start, place in movers:
        shut = [day for day, where, _ in closed if where == place]
        back = 10 if "sales" not in (old, new) else 5
        for step, number, function in steps:
            when = working_day(start, back if step == "Old rights taken back" else number, shut)
            team = {"old manager": f"manager {old}", "new manager": f"manager {new}"}.get(function, function)
            names = (guides[name],) if function == "guide" else (*who[team], "Niamh Jansson")
            plan.append((name, step, when, doer(names, when, leave)))
        held = (*rights[old], *extra.get(name, ()))
        access += [(name, system, "give", start) for system in sorted(rights[new]) if system not in held]
        access += [
            (name, system, "take", working_day(start, back, shut))
            for system in sorted(held)
            if system not in rights[new] and (name, system) not in kept
        ]

    prices = (
        ("laptop", "712.00", "EUR", 1), ("tablet", "528.00", "USD", 1), ("monitor", "189.50", "EUR", 1),
        ("docking station", "164.00", "USD", 1), ("headset", "46.80", "EUR", 2), ("card reader", "31.25", "EUR", 1),
        ("foot rest", "38.60", "EUR", 1), ("safety shoes", "84.00", "GBP", 1), ("vest", "7.35", "EUR", 5),
    )  # fmt: skip
    rate = {"EUR": Decimal(1), "USD": Decimal("0.9214"), "GBP": Decimal("1.1587")}
    price = {item: cents(Decimal(cost) * rate[currency]) for item, cost, currency, _ in prices}
    kit = {
        "support": {"laptop": 1, "monitor": 1, "docking station": 1, "headset": 2, "foot rest": 1},
        "operations": {"tablet": 1, "monitor": 1, "safety shoes": 1, "vest": 2},
        "finance": {"laptop": 1, "monitor": 2, "docking station": 1, "card reader": 1},
        "sales": {"laptop": 1, "monitor": 1, "docking station": 1, "headset": 1},
    }
    holds = {
        "Delphine Cowley": {"laptop": 1, "monitor": 1, "docking station": 1, "headset": 1},
        "Farah Lacey": {"laptop": 1, "headset": 1},
        "Joan Garside": {"laptop": 0, "monitor": 1, "tablet": 1, "safety shoes": 1, "vest": 2},
    }
    lacks = {
        name: {item: lack for item, n in kit[team].items() if (lack := n - holds[name].get(item, 0)) > 0}
        for name, _, team, _, _ in movers
    }
    lacks["Farah Lacey"].pop("safety shoes")
    shelf = {"monitor": 1, "docking station": 0, "vest": 1, "foot rest": 1}
    order: Rows = [("item", "pieces", "EUR")]
    for item, _, _, pack in prices:
        need = sum(lack.get(item, 0) for lack in lacks.values()) - shelf.get(item, 0)
        if need > 0:
            order.append((item, packs(need, pack), price[item] * packs(need, pack)))

    rules = layout.file(f"{root}/moving_teams.md", _RULES, at="2026-02-23 14:30")
    people = layout.sheet(
        f"{root}/moves.csv",
        [
            ("name", "from", "to", "first day", "place", "state"),
            ("Delphine Cowley", "sales", "support", "2026-04-07", "London", "yes"),
            ("Wilhelm Dlamini", "engineering", "support", "2026-04-14", "Helsinki", "yes"),
            ("Joan Garside", "operations", "finance", "2026-04-13", "London", "yes"),
            ("Yannick Saarinen", "marketing", "sales", "2026-04-20", "London", "asked for"),
            ("Farah Lacey", "engineering", "operations", "2026-04-15", "Helsinki", "asked for"),
        ],
        at="2026-03-05 16:00",
    )
    layout.sheet(
        f"{root}/prices_2025.csv",
        [
            ("item", "a piece", "currency", "packs of"),
            *((item, Decimal(cost) - Decimal("1.50"), currency, pack) for item, cost, currency, pack in prices),
        ],
        at="2025-03-10 09:00",
    )
    papers = (
        layout.sheet(
            f"{root}/steps.csv",
            [("step", "day", "who"), *steps],
            at="2026-02-23 14:35",
        ),
        layout.sheet(f"{root}/closed_by_place.csv", [("day", "place", "why"), *closed], at="2026-01-07 10:10"),
        layout.sheet(
            f"{root}/who_is_who.csv",
            [("function", "who", "deputy"), *((function, *names) for function, names in who.items())],
            at="2026-02-23 14:50",
        ),
        layout.sheet(f"{ROOT}/leave_second_quarter.csv", [("name", "from", "to"), *leave], at="2026-03-12 11:15"),
        layout.sheet(
            f"{root}/guides.csv",
            [("team", "would guide"), *((team, name) for team, names in willing.items() for name in names)],
            at="2026-03-03 09:20",
        ),
        layout.sheet(
            f"{root}/hours_planned.csv",
            [("name", *(f"week of {monday}" for monday in _WEEKS)), *((name, *w) for name, w in hours.items())],
            at="2026-03-09 17:00",
        ),
        layout.sheet(
            f"{root}/rights.csv",
            [
                ("system", *rights),
                *(
                    (system, *("x" if system in rights[team] else "" for team in rights))
                    for system in sorted({system for systems in rights.values() for system in systems})
                ),
            ],
            at="2026-02-23 15:05",
        ),
        layout.sheet(
            f"{root}/rights_beside.csv",
            [
                ("name", "system", "until"), ("Delphine Cowley", "photo library", ""),
                ("Joan Garside", "remote desktop", "2026-02-28"), ("Farah Lacey", "test bench", ""),
                ("Yannick Saarinen", "photo library", ""),
            ],
            at="2026-03-02 10:30",
        ),
        layout.sheet(
            f"{root}/team_kit.csv",
            [("team", "item", "pieces"), *((t, item, n) for t, items in kit.items() for item, n in items.items())],
            at="2026-02-23 15:20",
        ),
        layout.sheet(
            f"{root}/who_has_what.csv",
            [
                ("name", "item", "pieces"),
                *(
                    (name, item, 1 if (name, item) == ("Joan Garside", "laptop") else n)
                    for name, items in holds.items()
                    for item, n in items.items()
                ),
                ("Wilhelm Dlamini", "laptop", 1), ("Wilhelm Dlamini", "monitor", 2),
            ],
            at="2026-03-04 13:45",
        ),
        layout.sheet(
            f"{root}/prices_2026.csv",
            [("item", "a piece", "currency", "packs of"), *prices],
            at="2026-01-19 09:00",
        ),
        layout.sheet(
            f"{root}/spare_kit.csv",
            [
                ("item", "pieces", "where"), ("monitor", 1, "cage"), ("monitor", 3, "lent to the offsite"),
                ("docking station", 2, "lent to the offsite"), ("vest", 1, "cage"), ("foot rest", 1, "cage"),
            ],
            at="2026-03-10 12:00",
        ),
        layout.sheet(
            "/workspace/finance/rates.csv",
            [
                ("month", "currency", "EUR for one"), ("2026-02", "USD", "0.9188"), ("2026-02", "GBP", "1.1640"),
                ("2026-03", "USD", "0.9214"), ("2026-03", "GBP", "1.1587"),
            ],
            at="2026-03-02 08:50",
        ),
    )  # fmt: skip
    mails = (
        layout.mail(
            "coo", "Moves: Wilhelm",
            "Gareth, Wilhelm is staying where he is after all, Tobias cannot spare him. I have told them both. Joan "
            "goes "
            "a week later than the list says, Wanda has the auditors in until then.\n\nNiamh",
            at="2026-03-11 18:20",
        ),
        layout.mail(
            "hr", "Rights when people move",
            "Hi Gareth,\n\nafter what happened in January: old rights are to be taken back on the tenth working day "
            "after the first, not on the fifth. People could not hand over in five.\n\nThere may be one more thing, "
            "I'll say so in #general.\n\nFergus",
            at="2026-03-09 10:10",
        ),
        layout.mail(
            "it", "moves: bits and pieces",
            "hi\n\njoans laptop is written off, the hinge went and nobody repairs that one. farah keeps the release "
            "board until her last two tests are signed, so don't take that. and could kieran be guide for delphine? "
            "he would like to, he says.\n\nemeka",
            at="2026-03-16 09:15",
        ),
        layout.mail(
            "logistics", "My hours",
            "Hi Gareth,\n\nfor the plan: in the week of 4 May I have the yearly count, so make that 39 "
            "hours.\n\nTamsin",
            at="2026-03-12 14:25",
        ),
        layout.mail(
            "product", "before I go on leave",
            "Gareth, my week of 13 April is going to be 38 hours and not what the sheet says, the audit of the "
            "firmware "
            "release falls in it. Back on Monday!\n\nOlga",
            at="2026-03-13 17:10",
        ),
    )  # fmt: skip
    for author, text, at in (
        ("facility", "Those who move desks could take their chairs along, I won't count them", "2026-03-10 09:05"),
        ("hr", "About rights after a move: if sales is one of the two teams it stays on the fifth working day. "
         "Customer data, no exceptions.", "2026-03-13 12:05"),
        ("am1", "I'd rather have the introduction on the second day, Mondays are mad", "2026-03-16 10:45"),
        ("hr", "The introduction stays on the first day, Devika, sorry.", "2026-03-16 11:20"),
    ):  # fmt: skip
        layout.message("general", author, text, at=at)
    note = layout.note(
        "Niamh on the phone, moves",
        "Tuesday.\n\n- Farah Lacey: yes, but from 8 April, not the 15th\n- Yannick: no, he can ask again in "
        "autumn\n- Farah "
        "has safety shoes from the test hall and doesn't want any others. Niamh is fine with that: leave them out",
        at="2026-03-17 17:35",
        tags=["people"],
    )
    return Books(
        project=layout.project("Team moves", members=MEMBERS),
        joiners=tuple(
            Joiner(
                name, _mailbox(name), start, guides[name],
                sum((price[item] * n for item, n in lacks[name].items()), Decimal(0)),
            )
            for name, _, _, start, _ in movers
        ),
        sheets={
            f"{root}/plan_spring.csv": plan, f"{root}/order_spring.csv": order, f"{root}/rights_spring.csv": access,
        },
        total=sum((row[2] for row in order[1:]), Decimal(0)), rules=rules, people=people, papers=papers, mails=mails,
        query="after:2026/03/08 (moves OR move OR hours)", channel="#general", note=note, sign="Approve kit: {}",
        week="Guide {}", hour="New team: {}", minutes=30, welcome="Your move", order="Kit for the moves",
    )  # fmt: skip


def _mailbox(name: str) -> str:
    return next(who.address for who in company().people.values() if who.name == name)


_RULES: Final = """\
# Moving teams

The rules are kept by Fergus Varga; he changes them by mail or in #general, and his latest word counts. Wishes are not
rules. Who moves, when, and any exception for one person is for Niamh to decide: by mail, or as I noted it after talking
to her (Gareth). Emeka may say what individual people keep and which of their kit is written off. Everybody tells me
when their hours change.

1. Everybody in moves.csv with Niamh's yes, that is, with `yes` there unless she has said something else since; a later
   yes from her is just as good. People in the order of their first days, in all sheets.
2. Days are working days, Monday to Friday, at the place where the person who moves works: closed_by_place.csv. 0 is the
   first day in the new team, -3 the third working day before it, 5 the fifth after it.
3. `plan_spring.csv` in this folder: columns name, step, day, who. Every step of steps.csv for everybody, in that order.
   Days as YYYY-MM-DD; names in full, here and in all titles, where NAME is the person who moves.
4. who_is_who.csv says who; the old manager is that of the old team, the new one that of the new team. If they are on
   leave that day (leave_second_quarter.csv, both days included) it is the deputy, and if the deputy is away too, Niamh
   Jansson. A guide does what guides do, on leave or not.
5. A guide is one of those who are willing to guide people in the new team (guides.csv), but not its manager, and nobody
   who moves this spring. It is whoever has the fewest hours planned (hours_planned.csv) over four weeks, the first of
   which is the week of the first day. Nobody guides two people; whoever moves first gets a guide first.
6. Kit is what people in the new team have (team_kit.csv) and the person who moves does not have yet (who_has_what.csv).
   They simply keep what they no longer need.
7. `order_spring.csv` in this folder: columns item, pieces, EUR, in the order of the prices. What they lack between
   them, less what is in the cage (spare_kit.csv), in whole packs; no line if nothing is ordered. EUR is pieces times
   price; this year's prices, in EUR at this month's rate (finance/rates.csv), each rounded to cents before it is
   multiplied.
8. What somebody's new kit is worth is counted at the same prices, piece by piece, whether from the cage or not.
9. `rights_spring.csv` in this folder: columns name, system, what, day. `give` what the new team has and they do not
   have, on the first day; `take` what they have and the new team does not, on the day of the step "Old rights taken
   back". They have what rights.csv gives their old team, and what rights_beside.csv says for as long as it lasts. For
   each person first what is given, then what is taken, both by name of the system.
10. People who move are expected at 09:30 on the first day, London time. Only the person who holds the meeting about it
    is invited to it; the one who moves gets a mail.
"""
