"""The first case: starters from outside, in spring."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Final

from benchmarks.workflows.flows.onboarding.books import (
    CLOSED,
    MEMBERS,
    ROOT,
    SHUT,
    Books,
    Joiner,
    Rows,
    away,
    cents,
    doer,
    packs,
    working_day,
)
from benchmarks.workflows.layout import Layout

__all__ = ("spring",)


def spring(layout: Layout) -> Books:
    root = f"{ROOT}/joining"
    starters = [
        ("Bronwen Achterberg", "bronwen.achterberg@postbox.example", "hall", "operations", "2026-04-07"),
        ("Sunniva Okafor", "s.okafor@postbox.example", "office", "finance", "2026-04-13"),
        ("Anouk Desrosiers", "anouk.desrosiers@postbox.example", "support", "support", "2026-04-15"),
    ]
    steps = [
        ("all", "Contract signed and filed", -10, "people"),
        ("all", "Account and mailbox", -7, "it"),
        ("hall", "Fork-lift licence seen", -3, "safety"),
        ("support", "Telephone and queue", -2, "it"),
        ("all", "Badge and key", -2, "office"),
        ("all", "Seat or locker ready", -1, "office"),
        ("all", "House tour", 0, "buddy"),
        ("all", "Fire and first aid", 0, "safety"),
        ("hall", "Shoes and vest handed out", 0, "office"),
        ("office", "Orders above the line explained", 1, "money"),
        ("support", "Listens in to ten calls", 3, "buddy"),
        ("all", "Talk after two weeks", 10, "manager"),
    ]
    who = {
        "people": ("Zofia Ibarra", "Fergus Varga"), "it": ("Emeka Fairweather", "Joan Garside"),
        "office": ("Vikram Eklund", "Tamsin Adeyemi"), "safety": ("Ivo Takala", "Vikram Eklund"),
        "money": ("Rufus Reyes", "Wanda Mbeki"), "manager of operations": ("Gareth Rahimi", "Ivo Takala"),
        "manager of finance": ("Wanda Mbeki", "Rufus Reyes"), "manager of support": ("Kieran Goh", "Imogen Pascoe"),
    }  # fmt: skip
    leave = (
        ("Emeka Fairweather", "2026-03-30", "2026-04-02"), ("Vikram Eklund", "2026-04-10", "2026-04-14"),
        ("Ivo Takala", "2026-04-16", "2026-04-17"), ("Wanda Mbeki", "2026-04-27", "2026-04-28"),
        ("Devika Lindgren", "2026-04-07", "2026-04-10"),
    )  # fmt: skip
    buddies = (
        ("Vikram Eklund", "operations", "main house", "2019-05-06", "2024-11-04"),
        ("Emeka Fairweather", "operations", "main house", "2020-02-03", "2025-02-10"),
        ("Ivo Takala", "operations", "main house", "2021-03-01", "2025-06-02"),
        ("Tamsin Adeyemi", "operations", "main house", "2022-09-12", "2026-01-19"),
        ("Joan Garside", "operations", "main house", "2026-01-19", ""),
        ("Rufus Reyes", "finance", "main house", "2023-04-17", "2025-09-01"),
        ("Wanda Mbeki", "finance", "main house", "2018-10-01", "2023-04-17"),
        ("Kieran Goh", "support", "main house", "2020-08-10", "2024-06-03"),
        ("Ravi Iqbal", "support", "main house", "2022-01-10", "2025-03-03"),
        ("Imogen Pascoe", "support", "Toronto", "2021-11-15", "2025-01-13"),
    )
    barred = {"Emeka Fairweather", "Ravi Iqbal"}
    buddy: dict[str, str] = {}
    for name, _, _, team, start in starters:
        week = [working_day(start, step, SHUT) for step in range(5)]
        fit = [
            (last or "9999", other, of)
            for other, of, place, since, last in buddies
            if other not in barred | set(buddy.values()) | {who[f"manager of {team}"][0]}
            and place == "main house"
            and _three_months_from(since) <= start
            and not any(away(other, each, leave) for each in week)
        ]
        buddy[name] = min([each for each in fit if each[2] == team] or [e for e in fit if e[2] == "operations"])[1]

    plan: Rows = [("name", "what", "by", "who")]
    access: Rows = [("name", "system", "from")]
    rights = (
        ("mail", "all", 0), ("chat", "all", 0), ("stock list", "hall", 1), ("scanner log", "hall", 1),
        ("ledger", "office", 5), ("price list", "office", 0), ("helpdesk", "support", 0),
        ("remote desktop", "support", 3), ("customer records", "support", 5), ("customer records", "office", 5),
    )  # fmt: skip
    for name, _, role, team, start in starters:
        for of, what, step, function in steps:
            if of in ("all", role):
                by = working_day(start, step, SHUT)
                names = (buddy[name],) if function == "buddy" else who.get(function) or who[f"manager of {team}"]
                plan.append((name, what, by, doer(names, by, leave)))
        for system, of, step in rights:
            if of in ("all", role) and (name, system) != ("Anouk Desrosiers", "remote desktop"):
                access.append((name, system, working_day(start, step, SHUT)))
            if (name, system) == ("Sunniva Okafor", "ledger"):
                access.append((name, "bank portal", working_day(start, 10, SHUT)))

    prices = (  # the ones that hold now
        ("laptop", "712.00", "EUR", 1), ("monitor", "189.50", "EUR", 1), ("docking station", "164.00", "USD", 1),
        ("keyboard and mouse", "46.20", "EUR", 1), ("headset", "58.90", "USD", 2), ("safety shoes", "84.00", "GBP", 1),
        ("vest", "7.35", "EUR", 5), ("scanner holster", "22.80", "GBP", 1), ("badge holder", "2.15", "EUR", 10),
    )  # fmt: skip
    kit = {
        "hall": {"safety shoes": 1, "vest": 3, "scanner holster": 1, "badge holder": 1},
        "office": {"laptop": 1, "monitor": 2, "docking station": 1, "keyboard and mouse": 1, "badge holder": 1},
        "support": {"laptop": 1, "monitor": 1, "docking station": 1, "keyboard and mouse": 1, "headset": 1,
                    "badge holder": 1},
    }  # fmt: skip
    rate = {"EUR": Decimal(1), "USD": Decimal("0.9214"), "GBP": Decimal("1.1587")}
    price = {item: cents(Decimal(cost) * rate[currency]) for item, cost, currency, _ in prices}
    shelf = {"laptop": 1, "monitor": 1, "headset": 0, "vest": 1, "docking station": 1, "badge holder": 1}
    order: Rows = [("item", "pieces", "EUR")]
    for item, _, _, pack in prices:
        need = sum(kit[role].get(item, 0) for _, _, role, _, _ in starters) - shelf.get(item, 0)
        if need > 0:
            order.append((item, packs(need, pack), price[item] * packs(need, pack)))

    rules = layout.file(f"{root}/how_people_join.md", _RULES, at="2026-01-12 10:00")
    people = layout.sheet(
        f"{root}/joiners_spring.csv",
        [
            ("name", "email", "role", "team", "first day", "entered"),
            ("Bronwen Achterberg", starters[0][1], "hall", "operations", "2026-04-07", "2026-02-19"),
            ("Sunniva Okafour", starters[1][1], "office", "finance", "2026-04-20", "2026-02-20"),
            ("Leopold Marsh", "leo.marsh@postbox.example", "office", "sales", "2026-04-08", "2026-02-24"),
            ("Anouk Desrosiers", starters[2][1], "support", "support", "2026-04-01", "2026-02-26"),
            ("Casimir Boyle", "casimir@postbox.example", "hall", "operations", "2026-05-05", "2026-03-03"),
            ("Sunniva Okafor", starters[1][1], "office", "finance", "2026-04-13", "2026-03-04"),
        ],
        at="2026-03-04 15:20",
    )
    old = {"Account and mailbox": -5, "Fire and first aid": 1}
    head = ("for", "what", "day", "who")
    last_year = [
        (of, what, -3 if step == -10 else old.get(what, step), fn) for of, what, step, fn in steps if step != 3
    ]
    layout.sheet(f"{root}/checklist_2025.csv", [head, *last_year], at="2025-01-20 09:00")
    papers = (
        layout.sheet(
            f"{root}/checklist_2026.csv",
            [head, *((of, what, old.get(what, step), fn) for of, what, step, fn in steps)],
            at="2026-01-12 10:05",
        ),
        layout.sheet(f"{root}/closed.csv", [("day", "why"), *CLOSED], at="2026-01-05 09:30"),
        layout.sheet(
            f"{root}/who_does_it.csv",
            [("function", "who", "deputy"), *((fn, *names) for fn, names in who.items())],
            at="2026-02-16 11:00",
        ),
        layout.sheet(f"{ROOT}/leave_spring.csv", [("name", "from", "to"), *leave], at="2026-03-11 16:40"),
        layout.sheet(
            f"{root}/buddies.csv",
            [("name", "team", "place", "with us since", "last a buddy from"), *buddies],
            at="2026-01-20 12:10",
        ),
        layout.sheet(
            f"{root}/kit.csv",
            [("role", "item", "pieces"), *((r, item, n) for r, items in kit.items() for item, n in items.items())],
            at="2026-01-12 10:20",
        ),
        layout.sheet(
            f"{root}/kit_prices.csv",
            [
                ("item", "price of a piece", "currency", "sold in packs of", "from"),
                ("laptop", "689.00", "EUR", 1, "2025-02-01"),
                *((item, cost, currency, pack, "2026-01-01") for item, cost, currency, pack in prices),
                ("laptop", "735.00", "EUR", 1, "2026-04-01"), ("vest", "6.95", "EUR", 5, "2026-04-01"),
            ],
            at="2026-02-25 09:15",
        ),
        layout.sheet(
            f"{root}/shelf.csv",
            [
                ("item", "pieces", "state"), ("laptop", 1, "good"), ("laptop", 2, "no battery"),
                ("monitor", 2, "good"), ("monitor", 1, "cracked"), ("headset", 1, "no microphone"),
                ("docking station", 1, "good"), ("vest", 1, "good"), ("vest", 4, "torn"),
                ("badge holder", 1, "good"),
            ],
            at="2026-03-09 14:00",
        ),
        layout.sheet(
            "/workspace/finance/rates.csv",
            [
                ("month", "currency", "EUR for one"), ("2026-01", "USD", "0.9306"), ("2026-01", "GBP", "1.1512"),
                ("2026-02", "USD", "0.9188"), ("2026-02", "GBP", "1.1640"), ("2026-03", "USD", "0.9214"),
                ("2026-03", "GBP", "1.1587"),
            ],
            at="2026-03-02 08:50",
        ),
        layout.sheet(
            f"{root}/access.csv", [("system", "for", "day"), *rights], at="2026-01-12 10:30",
        ),
    )  # fmt: skip
    mails = (
        layout.mail(
            "hr", "Joining, two changes",
            "Gareth,\n\ntwo things that are not in the checklist yet. Accounts and mailboxes now have to "
            "be there seven working days before somebody starts, not five: the licences take a while. And the "
            "insurer wants fire and first aid done on the first day, not on the day after. Both apply to everybody "
            "who starts from April on.\n\nAnything else I decide about joining goes into #general, so that everybody "
            "sees it.\n\nFergus",
            at="2026-03-06 11:25",
        ),
        layout.mail(
            "recruiter", "Spring list: where we are",
            "Hello Gareth\n\nLeopold Marsh has taken another job, so he is out. Anouk Desrosiers has to work out her "
            "notice and starts on 15 April, two weeks later than the list says. Bronwen and Sunniva are as entered. "
            "I noticed that Ravi Iqbal is still in buddies.csv; he left us in February.\n\nZofia",
            at="2026-03-12 15:05",
        ),
        layout.mail(
            "it", "who gets what in april",
            "hi gareth\n\nanouk: no remote desktop, support do that through the helpdesk now. sunniva gets the bank "
            "portal as well, from day 10, put it right below the ledger. rest as in the table.\n\nand could we not "
            "stop handing out docking stations? nobody plugs them in. i asked fergus.\n\nemeka",
            at="2026-03-13 09:40",
        ),
        layout.mail(
            "facility", "One monitor fewer",
            "Gareth, one of the two good monitors on the shelf has been in the blue room since last night. The list "
            "still says two.\n\nVikram",
            at="2026-03-17 08:55",
        ),
    )  # fmt: skip
    for author, text, at in (
        ("it", "docking stations: can we leave them out of the kit from april? also i'd rather not be a buddy before "
         "june, two migrations are enough", "2026-03-13 10:05"),
        ("hr", "Emeka: agreed, you are nobody's buddy before June. I want to think about the docking stations; until "
         "then they stay.", "2026-03-13 11:30"),
        ("accounts", "Could finance people skip the house tour? They never leave our corridor anyway",
         "2026-03-16 14:10"),
    ):  # fmt: skip
        layout.message("general", author, text, at=at)
    worth = [sum((price[item] * n for item, n in kit[role].items()), Decimal(0)) for _, _, role, _, _ in starters]
    return Books(
        project=layout.project("Joiners", members=MEMBERS, description="Everything for those who begin"),
        joiners=tuple(
            Joiner(name, mail, start, buddy[name], cost)
            for (name, mail, _, _, start), cost in zip(starters, worth, strict=True)
        ),
        sheets={f"{root}/plan_april.csv": plan, f"{root}/kit_april.csv": order, f"{root}/access_april.csv": access},
        total=sum((row[2] for row in order[1:]), Decimal(0)), rules=rules, people=people, papers=papers, mails=mails,
        query="after:2026/03/01 (joining OR spring OR april OR shelf)", channel="#general", note="",
        sign="Sign for the kit: {}", week="First week with {}", hour="First hour: {}", minutes=60,
        welcome="Your first day", order="Kit for April",
    )  # fmt: skip


def _three_months_from(since: str) -> str:
    day = date.fromisoformat(since)
    return day.replace(year=day.year + (day.month + 2) // 12, month=(day.month + 2) % 12 + 1).isoformat()


_RULES: Final = """\
# How people join

Kept by Fergus Varga. Fergus decides on changes, in a mail or in #general, and his latest word counts. What others
ask for is only a wish until he has said yes. Only two things are not up to him: who may use which system (Emeka
decides) and what is on the shelf (Vikram).

1. The people who join are in the list for the season (joiners_spring.csv). One e-mail address is one person: of two
   lines the one that was entered later counts, in every respect. Anyone who starts in another month is dealt with
   another time. Zofia lets us know if somebody drops out or starts on another day.
2. Days are working days: Monday to Friday except those in closed.csv. In checklists 0 is the first day, -2 the second
   working day before it, 3 the third working day after it.
3. Everybody has the steps marked `all` and those for their role, from the checklist for the year in which they start.
   They go into `plan_april.csv` in this folder (for another month, another name), with the columns name, what, by, who:
   people in the order of their first days, steps in that of the checklist, days as YYYY-MM-DD. Names are given in full
   everywhere, including in the titles of tasks and meetings.
4. who_does_it.csv says who does a step. If they are on leave on that day (leave_spring.csv, both days included), the
   deputy does it on the same day.
5. Each joiner has a buddy from buddies.csv: somebody from their team or, if nobody there qualifies, somebody from
   operations by the same rules. A buddy is not the manager of the joiner's team; works in the main house, as does
   everybody who joins this spring; has been with us for three full months on the joiner's first day; is not on leave on
   any of the joiner's first five working days; has not left; and has had no other joiner in the four weeks before. Of
   those who remain, take the one whose last time as a buddy began longest ago; anyone who has never been a buddy comes
   after all the others. Begin with whoever joins first.
6. `kit_april.csv` in this folder is what we order: columns item, pieces, EUR. It is what they all need according to
   kit.csv, less what is on the shelf in good condition, rounded up to whole packs; items that need no order are left
   out. Items in the order of kit_prices.csv. EUR is pieces times price. The price is the one valid on the day on which
   the list is made, in EUR at that month's rate (finance/rates.csv), rounded to cents before it is multiplied.
7. What somebody's kit is worth: all pieces that kit.csv gives them, at the same prices, whether from the shelf or not.
8. `access_april.csv` in this folder: columns name, system, from. People as in the plan, systems in the order of
   access.csv, whose days count as in rule 2.
9. On their first day people come at 09:30. Only the one of us who takes a meeting at that time is invited to it; the
   new people get a mail.
"""
