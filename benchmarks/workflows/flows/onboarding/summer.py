"""The second case: people for the summer in the hall, some of them for part of the week."""

from __future__ import annotations

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

__all__ = ("summer",)


def summer(layout: Layout) -> Books:
    root = f"{ROOT}/summer_hall"
    days = ("Mon", "Tue", "Wed", "Thu", "Fri")
    # name, mail, contract, until, shift, days, first day, shoes, vest, been here before
    starters = (
        ("Ottilie Brandt", "o.brandt@postbox.example", "season", "2026-09-25", "early", "Mon Tue Wed", "2026-04-13",
         "38", "S", "no"),
        ("Kwabena Rusk", "kwabena.rusk@postbox.example", "season", "2026-09-11", "late", "Tue Thu Fri", "2026-04-14",
         "43", "L", "yes"),
        ("Barnaby Quist", "barnaby@postbox.example", "staff", "", "early", "Mon Tue Wed Thu Fri", "2026-04-27", "44",
         "L", "no"),
    )  # fmt: skip
    steps = (
        ("Contract filed", "all", "yes", -8, "people"), ("Bank details to payroll", "all", "no", -5, "money"),
        ("Badge", "all", "yes", -3, "keys"), ("Locker", "all", "yes", -1, "keys"),
        ("Gate and dock", "all", "yes", 0, "yard"), ("Round of the hall", "all", "no", 0, "buddy"),
        ("Scanner practice", "all", "no", 1, "buddy"), ("Lifting and carrying", "all", "yes", 3, "training"),
        ("Fork-lift course", "staff", "no", 4, "training"), ("Short talk", "all", "yes", 5, "head"),
        ("Talk before the trial ends", "staff", "yes", 20, "head"),
    )  # fmt: skip
    who = {
        "people": ("Zofia Ibarra", "Fergus Varga"), "money": ("Rufus Reyes", "Wanda Mbeki"),
        "keys": ("Vikram Eklund", "Joan Garside"), "yard": ("Tamsin Adeyemi", "Ivo Takala"),
        "training": ("Ivo Takala", "Vikram Eklund"), "head": ("Gareth Rahimi", "Niamh Jansson"),
    }  # fmt: skip
    leave = (
        ("Zofia Ibarra", "2026-03-30", "2026-04-01"), ("Rufus Reyes", "2026-04-02", "2026-04-09"),
        ("Tamsin Adeyemi", "2026-04-14", "2026-04-14"), ("Ivo Takala", "2026-04-20", "2026-04-28"),
        ("Gareth Rahimi", "2026-05-05", "2026-05-08"), ("Vikram Eklund", "2026-04-23", "2026-04-24"),
    )  # fmt: skip
    shifts = (
        ("Vikram Eklund", "late", "2019-05-06"), ("Emeka Fairweather", "early", "2020-02-03"),
        ("Ivo Takala", "early", "2021-03-01"), ("Tamsin Adeyemi", "late", "2022-09-12"),
        ("Joan Garside", "early", "2026-01-19"),
    )  # fmt: skip
    swapped = {"Vikram Eklund": "early", "Emeka Fairweather": "late"}
    own = {each[0]: [days.index(one) for one in each[5].split()] for each in starters}
    buddy: dict[str, str] = {}
    for name, _, _, _, shift, _, start, *_ in starters:
        two = [working_day(start, step, SHUT, own[name]) for step in (0, 1)]
        buddy[name] = min(
            (since, other)
            for other, usual, since in shifts
            if swapped.get(other, usual) == shift
            and other not in buddy.values()
            and not any(away(other, each, leave) for each in two)
        )[1]

    lines = []
    doors = (
        ("main gate", "all", 0), ("early door", "early", 0), ("night lock", "late", 0), ("cold store", "all", 5),
        ("battery room", "staff", 4),
    )  # fmt: skip
    access: Rows = [("name", "door", "from", "to")]
    for place, (name, _, contract, until, shift, _, start, _, _, before) in enumerate(starters):
        for number, (what, of, again, step, function) in enumerate(steps):
            if of in ("all", contract) and (again == "yes" or before == "no"):
                by = working_day(start, step, SHUT, own[name])
                names = (buddy[name],) if function == "buddy" else who[function]
                lines.append((by, place, number, name, what, doer(names, by, leave)))
        for door, of, step in doors:
            if of in ("all", shift, contract):
                access.append((name, door, working_day(start, step, SHUT, own[name]), until or "open"))
    plan: Rows = [("day", "name", "what", "who"), *((by, *rest) for by, _, _, *rest in sorted(lines))]

    # item: net price, VAT in percent, pack, size or not, pieces, whether returners get it, for staff alone
    goods = {
        "safety shoes": ("61.50", 0, 1, 7, 1, False, False), "vest": ("6.40", 0, 3, 8, 2, False, False),
        "pair of gloves": ("2.60", 20, 6, 0, 3, True, False), "locker lock": ("11.90", 20, 1, 0, 1, True, False),
        "scanner strap": ("8.75", 20, 1, 0, 1, True, False), "rain jacket": ("54.30", 20, 1, 0, 1, False, True),
    }  # fmt: skip
    shelf = {"safety shoes 44": 1, "vest S": 1, "pair of gloves": 2, "locker lock": 1, "scanner strap": 1}
    order: Rows = [("item", "pieces", "EUR")]
    worth = dict.fromkeys(own, Decimal(0))
    for item, (net, vat, pack, size, pieces, kept, staff) in goods.items():
        need: dict[str, int] = {}
        for each in starters:
            if (kept or each[9] == "no") and (not staff or each[2] == "staff"):
                key = f"{item} {each[size]}" if size else item
                need[key] = need.get(key, 0) + pieces
                worth[each[0]] += cents(pieces * Decimal(net) * (100 + vat) / 100)
        for key in sorted(need, key=lambda key: "SML".find(key[-1])):
            if (ordered := packs(need[key] - shelf.get(key, 0), pack)) > 0:
                order.append((key, ordered, cents(ordered * Decimal(net) * (100 + vat) / 100)))

    rules = layout.file(f"{root}/how_we_take_people_on.md", _RULES, at="2026-02-09 13:00")
    people = layout.sheet(
        f"{root}/starters.csv",
        [
            ("name", "email", "status", "contract", "until", "shift", "works", "first day", "shoes", "vest",
             "was here before"),
            _entered(starters[0], "signed"),
            _entered(starters[1], "signed", until="2026-08-28"),
            ("Perpetua Lowe", "p.lowe@postbox.example", "signed", "staff", "", "late", "Mon Tue Wed Thu Fri",
             "2026-04-20", "41", "M", "no"),
            ("Jolanta Weir", "jweir@postbox.example", "declined", "season", "2026-09-25", "early", "Wed Thu",
             "2026-04-15", "39", "M", "yes"),
            _entered(starters[2], "offered", start="2026-04-20"),
        ],
        at="2026-03-10 17:10",
    )  # fmt: skip
    listed_price = {"safety shoes": "68.00", "pair of gloves": "3.10"}
    papers = (
        layout.sheet(
            f"{root}/steps.csv",
            [
                ("what", "for", "returners too", "day", "who"),
                *((w, of, a, 2 if w == "Lifting and carrying" else n, fn) for w, of, a, n, fn in steps),
            ],
            at="2026-02-09 13:10",
        ),
        layout.sheet(f"{root}/closed_days.csv", [("day", "why"), *CLOSED], at="2026-01-05 09:35"),
        layout.sheet(
            f"{root}/functions.csv",
            [("function", "who", "if away"), *((fn, *names) for fn, names in who.items())],
            at="2026-02-09 13:20",
        ),
        layout.sheet(f"{ROOT}/leave_to_may.csv", [("name", "from", "to"), *leave], at="2026-03-12 09:00"),
        layout.sheet(f"{root}/shifts.csv", [("name", "shift", "here since"), *shifts], at="2026-02-27 16:15"),
        layout.sheet(
            f"{root}/kit.csv",
            [
                ("item", "pieces", "by size", "returners too", "for"),
                *(
                    (item, n, "yes" if size else "no", "yes" if given else "no", "staff" if staff else "all")
                    for item, (_, _, _, size, n, given, staff) in goods.items()
                ),
            ],
            at="2026-02-09 13:30",
        ),
        layout.sheet(
            f"{root}/prices.csv",
            [
                ("item", "EUR a piece without VAT", "VAT percent", "sold in packs of"),
                *(
                    (item, listed_price.get(item, net), vat, pack)
                    for item, (net, vat, pack, *_) in goods.items()
                ),
            ],
            at="2026-01-30 10:40",
        ),
        layout.sheet(
            f"{root}/cupboard.csv",
            [
                ("item", "size", "pieces", "state"), ("safety shoes", "38", 1, "sole gone"),
                ("safety shoes", "44", 1, "good"), ("safety shoes", "42", 2, "good"), ("vest", "S", 1, "good"),
                ("vest", "M", 6, "good"), ("vest", "L", 2, "zip broken"), ("pair of gloves", "", 4, "good"),
                ("locker lock", "", 1, "good"), ("locker lock", "", 3, "no key"), ("scanner strap", "", 1, "good"),
            ],
            at="2026-03-06 11:50",
        ),
        layout.sheet(f"{root}/doors.csv", [("door", "for", "day"), *doors], at="2026-02-09 13:40"),
    )  # fmt: skip
    mails = (
        layout.mail(
            "recruiter", "Summer people, latest",
            "Hi Gareth,\n\nBarnaby Quist signed this morning, but he can only start a week after the day in the list. "
            "Perpetua Lowe has called it off. And in Kwabena's case the office typed the wrong end date: it runs until "
            "11 September.\n\nZofia",
            at="2026-03-16 12:20",
        ),
        layout.mail(
            "planner", "shifts after easter",
            "gareth, emeka and vikram change places from 13 april until the end of may, each takes the other's shift. "
            "the file i'll do when i get to it. ivo",
            at="2026-03-13 16:45",
        ),
        layout.mail(
            "desk@staveleyworkwear.example", "Your enquiry: shoes and gloves",
            "Dear Mr Rahimi,\n\nwe can offer you safety shoes at 61.50 EUR and gloves at 2.60 EUR the pair, without "
            "VAT, packs as before. The offer is valid until 31 March.\n\nStaveley Workwear, order desk",
            at="2026-03-02 10:05",
        ),
        layout.mail(
            "desk@staveleyworkwear.example", "Winter offer: vests",
            "Dear Mr Rahimi,\n\nvests at 5.10 EUR without VAT for orders that reach us by 28 February.\n\nStaveley "
            "Workwear, order desk",
            at="2026-01-22 09:30",
        ),
    )  # fmt: skip
    for author, text, at in (
        ("hr", "Hall, for the summer people: lifting and carrying is done on the first day from now on, not later.",
         "2026-03-10 09:50"),
        ("facility", "Do season people need a badge at all? I could lend them the visitors' ones.", "2026-03-11 13:15"),
        ("coo", "Not while the insurer is looking, please. Everybody has a badge.", "2026-03-11 13:40"),
        ("facility", "mice in the cupboard. two of the four pairs of gloves are left, i threw out the others",
         "2026-03-16 08:40"),
        ("hr", "I was too quick with lifting and carrying: it goes to day 3, by their own working days. The first "
        "day is "
         "too full.", "2026-03-17 10:20"),
    ):  # fmt: skip
        layout.message("general", author, text, at=at)
    return Books(
        project=layout.project("Summer hall", members=MEMBERS),
        joiners=tuple(Joiner(each[0], each[1], each[6], buddy[each[0]], worth[each[0]]) for each in starters),
        sheets={f"{root}/calendar.csv": plan, f"{root}/kit_order.csv": order, f"{root}/keys.csv": access},
        total=sum((row[2] for row in order[1:]), Decimal(0)), rules=rules, people=people, papers=papers, mails=mails,
        query="after:2026/01/15 (summer OR shifts OR offer)", channel="#general", note="",
        sign="Receipt for {}", week="Show {} the hall", hour="Welcome {}", minutes=45,
        welcome="Welcome to the hall", order="Summer kit",
    )  # fmt: skip


def _entered(starter: tuple[str, ...], status: str, until: str = "", start: str = "") -> tuple[str, ...]:
    """Somebody as the list has them."""
    name, mail, contract, ends, shift, works, first, *rest = starter
    return (name, mail, status, contract, until or ends, shift, works, start or first, *rest)


_RULES: Final = """\
# How we take people on in the hall

The rules are Fergus Varga's. He changes them in #general or by mail; his latest word counts, and what anybody else
suggests changes nothing. Vikram says what is in the cupboard, Ivo who works which shift, and Zofia knows the contracts
best; each of them may correct their table by mail or in a channel.

1. Everybody in starters.csv who has signed is taken on. Wherever people are listed: by first day.
2. Before the first day (0) days are counted in working days of the house: Monday to Friday without closed_days.csv.
   After it they are counted in days on which that person works (column works), again without closed days.
3. `calendar.csv` here: columns day, name, what, who. The steps in steps.csv for all and for their contract; anyone who
   was here before has only the steps that returners have, too. Sorted by day; within a day in the order of people, then
   as in steps.csv. Days as YYYY-MM-DD; names in full, there and in every title.
4. functions.csv says who does it, and who does it if that person is away that day (leave_to_may.csv, both days
   included).
5. A buddy works the same shift on the joiner's first day, is not away on the first two days that the joiner works, and
   looks after nobody else on this list. If there are several, take the one who has been here longest. First come, first
   served.
6. `kit_order.csv` here: columns item, pieces, EUR. The pieces in kit.csv for all of them together, less what is good in
   the cupboard, in whole packs. What goes by size is counted, taken from the cupboard and packed size by size, and its
   item is named after it ("vest M"). In the order of prices.csv; sizes from small to large. Returners still have what
   is not marked for returners. If nothing has to be ordered there is no line.
7. EUR includes VAT, for the whole line, rounded to cents at the end. A supplier's offer that is still valid on the day
   of the list overrides prices.csv.
8. What somebody gets is worth its price with VAT, at the same prices, each kind of item rounded to cents, wherever it
   comes from. What returners still have is not counted.
9. `keys.csv` here: columns name, door, from, to. Doors for all, for their shift as in starters.csv, and for their
   contract, in the order of doors.csv, whose days are counted as in 2. To: the last day of the contract, or the word
   open.
10. Their first day begins at 09:30, whatever the shift. Only the one of us who gives the welcome is invited to it; the
    new people get a mail.
"""
