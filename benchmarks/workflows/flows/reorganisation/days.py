"""The third case: somebody works fewer days, and others take what they have room for."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Final

from benchmarks.workflows.flows.reorganisation.books import Books, Deal, Handed, Hands, Rows, eur, series, worth
from benchmarks.workflows.layout import Layout, person

__all__ = ("days",)

_RATES: Final = {"EUR": "1", "GBP": "1.1587"}
_WHO: Final = "am1"
"""Whose days become fewer."""


def days(layout: Layout) -> Books:
    """Lay out the papers, and say how it is decided who gets what."""
    root = "/workspace/teams/fewer_days"
    hours = {"am2": Decimal("21"), "sdr": Decimal("19.5"), "marketing": Decimal("17")}
    pipeline = {"sdr": Decimal("16400"), "am2": Decimal("17900")}
    leave = (
        ("sdr", "2026-04-13", "2026-04-17"),
        ("am2", "2026-04-21", "2026-04-22"),
        ("am1", "2026-05-04", "2026-05-08"),
    )
    project = layout.project(
        "Key accounts", members=("am1", "am2", "sdr", "marketing", "facility", "junior", "it", "support")
    )
    # title, who has it, due, hours as in the list (None: nothing there), topic, hours that hold
    laid = (
        ("Ask Farrow for a quotation we may print", "am1", "2026-04-09", "3.5", "stories", "3.5"),
        ("Service contract of the pier", "am1", "2026-04-10", "6", "contracts", "6"),
        ("Probe swap for the bakery chain", "am1", "2026-04-15", "2.5", "devices", "2.5"),
        ("Answer the tender of the blood bank", "am1", "2026-04-22", "9", "tenders", "0.5"),
        ("Photographs of the creamery", "support", "2026-04-14", "2", "stories", "2"),
        ("Call the fruit terminal back", "am1", "2026-03-31", "0.5", "devices", "0.5"),
        ("Find out who orders at the ice rink now", "am1", "2026-04-20", None, "", None),
        ("Visit plan for the summer", "am1", "2026-04-06", "4.5", "tenders", "4.5"),
        ("Renewal of the hangar", "am1", "", "5", "contracts", "5"),
        ("Tidy the list of old loggers", "am1", "", "3.5", "devices", "3.5"),
    )
    tasks = [
        (layout.task(title, project=project, due=due, assignee=who), title, who, due, topic, holds)
        for title, who, due, _, topic, holds in laid
    ]
    layout.task(
        "Letter to the creamery", project=project, due="2026-03-06", assignee="am1", completed="2026-03-05T10:20:00"
    )
    companies = {
        name: layout.customer(name, industry=industry, domain=f"{name.lower().replace(' ', '')}.example", owner="am1")
        for name, industry in (
            ("Blood Bank West", "Health"), ("Pier Bakeries", "Food"), ("Hangar Nine", "Logistics"),
            ("Fruit Terminal", "Food"), ("Ullswater Creamery", "Food"),
        )
    }  # fmt: skip
    # title, company, who has it, amount in the CRM, currency, stage, close, amount that holds
    trade = (
        ("Blood bank with all floors", "Blood Bank West", "am1", 18900, "GBP", "Proposal", "2026-06-02", 18900),
        ("Six ovens", "Pier Bakeries", "am1", 4100, "EUR", "Qualified", "2026-05-08", 4100),
        ("Third year of the hangar", "Hangar Nine", "am1", 7300, "EUR", "Negotiation", "2026-04-24", 7300),
        ("Ripening rooms", "Fruit Terminal", "am1", 9600, "GBP", "Lead", "2026-05-27", 9600),
        ("New hall of the creamery", "Ullswater Creamery", "am1", 11000, "EUR", "Proposal", "2026-06-18", 3700),
        ("Shop counters", "Pier Bakeries", "sdr", 2900, "EUR", "Lead", "2026-06-30", 2900),
        ("Cheese cellar", "Ullswater Creamery", "am1", 1500, "EUR", "Lost", "2026-02-20", 1500),
    )
    deals = [
        (worth(layout, title, owner=who, amount=amount, currency=currency, stage=stage, close=close,
               company=companies[company]), title, who, amount, currency, stage, close, holds)
        for title, company, who, amount, currency, stage, close, holds in trade
    ]  # fmt: skip
    # title, first day, guests, topic
    met = (
        ("Contracts that end soon", "2025-10-09 10:30", ("am1", "controller"), "contracts", 4),
        ("Devices in the field", "2025-10-10 11:00", ("support", "am1"), "devices", 2),
        ("Stories for the website", "2025-10-14 15:30", ("am1", "marketing"), "stories", 4),
        ("Tenders", "2025-10-15 11:00", ("am1", "product", "controller"), "tenders", 2),
    )
    meetings = [
        (series(layout, title, start=start, minutes=30, people=people, rule=f"FREQ=WEEKLY;INTERVAL={weeks}"), title,
         start, people, topic)
        for title, start, people, topic, weeks in met
    ]  # fmt: skip
    stand_in = {"contracts": "", "devices": "am2", "stories": "marketing", "tenders": "sdr"}
    files = (
        ("key/bakery_probes.ods", "devices", "am1", "yes"), ("key/contracts_2026.ods", "contracts", "am1", "yes"),
        ("key/creamery_photos.zip", "stories", "support", "yes"), ("key/devices_2023.ods", "devices", "am1", "no"),
        ("key/loggers_old.ods", "devices", "am1", "yes"), ("key/quotations.odt", "stories", "am1", "yes"),
        ("key/rink_contacts.ods", "", "am1", "yes"), ("key/tender_texts.odt", "tenders", "am1", "yes"),
        ("key/tenders_2024.zip", "tenders", "am1", "no"), ("key/visits.ods", "tenders", "sdr", "yes"),
    )  # fmt: skip

    def decide(start: str, heir: str, limit: int) -> Hands:
        load = dict(hours)
        over = []
        for id, title, who, due, topic, holds in sorted(tasks, key=lambda one: (one[3] or "9999", one[1])):
            if who != _WHO or topic == "contracts" or (due and due < start):
                continue
            if holds is None:
                over.append(Handed(id, title, who, heir))
                continue
            free = [one for one in load if not any(w == one and first <= due <= last for w, first, last in leave)]
            taker = min(free, key=lambda one: load[one])
            assert sum(load[one] == load[taker] for one in free) == 1
            load[taker] += Decimal(holds)
            over.append(Handed(id, title, who, taker))
        sums = dict(pipeline)
        sold = []
        for id, title, who, amount, currency, stage, _, left in sorted(deals, key=lambda one: one[6]):
            if who != _WHO or stage in ("Negotiation", "Lost"):
                continue
            value = eur(left, currency, _RATES[currency])
            taker = "sales_vp"
            if value <= limit:
                taker = min(sums, key=lambda one: sums[one])
                sums[taker] += value
            sold.append(Deal(id, title, who, taker, value, None if left == amount else float(left)))
        changed = [
            (Handed(id, title, _WHO, stand_in[topic] or heir), people)
            for id, title, first, people, topic in meetings
            if date.fromisoformat(first[:10]).weekday() > 2
        ]
        kept: Rows = [("file", "topic", "whose", "in use")]
        given = []
        for path, topic, who, used in files:
            taker = who
            if who == _WHO and used == "yes" and topic != "contracts":
                taker = stand_in.get(topic) or heir
                given.append(Handed(path, path, who, taker))
            kept.append((path, topic, person(taker).name, used))
        return Hands(
            tasks=over,
            deals=sorted(sold, key=lambda one: one.what),
            meetings=[each for each, _ in changed],
            files=given,
            stay={each.id: [who for who in people if who != _WHO] for each, people in changed},
            leave={each.id: [_WHO] for each, _ in changed},
            register=kept,
        )

    rules = layout.file(f"{root}/fewer_days.md", _RULES, at="2026-03-04 11:00")
    register = layout.sheet(
        f"{root}/files.csv",
        [
            ("file", "topic", "whose", "in use"),
            *((path, topic, person(who).name, used) for path, topic, who, used in files),
        ],
        at="2026-03-04 11:20",
    )  # fmt: skip
    papers = (
        layout.sheet(
            f"{root}/work_list.csv",
            [
                ("task", "hours", "topic"),
                *((title, guess, topic) for title, _, _, guess, topic, _ in laid if guess is not None),
            ],
            at="2026-03-06 15:45",
        ),
        layout.sheet(
            f"{root}/hours_taken.csv",
            [
                ("name", "hours a week already taken", "as of"), (person("am2").name, "21", "2026-03-09"),
                (person("sdr").name, "16", "2026-03-02"), (person("sdr").name, "19.5", "2026-03-09"),
                (person("marketing").name, "23", "2026-03-09"),
            ],
            at="2026-03-09 09:10",
        ),
        layout.sheet(
            f"{root}/open_deals.csv",
            [
                ("name", "open deals in EUR", "as of"), (person("am2").name, "12650", "2026-02-27"),
                (person("sdr").name, "14200", "2026-02-27"), (person("am2").name, "17900", "2026-03-13"),
                (person("sdr").name, "16400", "2026-03-13"),
            ],
            at="2026-03-13 17:30",
        ),
        layout.sheet(
            f"{root}/stand_ins.csv",
            [
                ("topic", "who"),
                *((topic, person(who).name if who else "") for topic, who in {**stand_in, "tenders": "am2"}.items()),
            ],
            at="2026-03-04 11:30",
        ),
        layout.sheet(
            f"{root}/away.csv",
            [("name", "from", "to"), *((person(who).name, first, last) for who, first, last in leave)],
            at="2026-03-12 10:15",
        ),
        layout.sheet(
            f"{root}/rates.csv",
            [("month", "currency", "EUR for one"), ("2026-02", "GBP", "1.1640"), ("2026-03", "GBP", "1.1587")],
            at="2026-03-02 08:50",
        ),
        register,
    )  # fmt: skip
    mails = (
        layout.mail(
            "marketing", "my hours",
            "Gareth, the trade fair in May is off. Put me down with 17 hours instead of 23.\n\nYannick",
            at="2026-03-11 14:40",
        ),
        layout.mail(
            "am1", "the list of my work",
            "Hi Gareth,\n\na correction to my list: the blood bank's tender is down to half an hour, "
            "not nine hours, the rest is written. For the ice rink I really can't say how long it will take, so it is "
            "not in there.\n\nAnd if I may make a wish: I would like to keep the bakery, tasks and "
            "deals.\n\nDevika",
            at="2026-03-12 09:55",
        ),
        layout.mail(
            "sales_vp", "Devika: what she keeps",
            "Gareth,\n\nshe has asked me about the bakery. No, it goes like everything else. And "
            "Delphine stands in for tenders, not Laleh, who has enough with the ferries.\n\nGiulia",
            at="2026-03-13 18:30",
        ),
        layout.mail(
            "accounts@ullswatercreamery.example", "New hall",
            "Dear Mr Rahimi,\n\nwe are only building the first part of the hall this year. That leaves 3,700 EUR "
            "for loggers; "
            "the 11,000 will have to wait. Ms Lindgren knows.\n\nUllswater Creamery",
            at="2026-03-10 12:00",
        ),
    )  # fmt: skip
    for author, text, at in (
        ("am2", "Could tasks go by time zone? I never reach the ones in Europe before noon", "2026-03-11 16:20"),
        ("sales_vp", "Everybody can ring at four in the afternoon, Laleh. By hours, as in the paper.",
         "2026-03-11 17:45"),
        ("sdr", "who has the key to the poster cupboard?", "2026-03-12 10:05"),
    ):  # fmt: skip
        layout.message("sales", author, text, at=at)
    note = layout.note(
        "Giulia, Devika's days",
        "Friday, on the phone.\n\n- contracts stay with Devika, tasks and files. Only the meeting about them is "
        "on a Thursday, she has nobody for that yet\n- she finishes deals in negotiation herself\n- I am to name "
        "the day",
        at="2026-03-13 12:20",
    )
    return Books(
        look="/workspace/teams", rules=rules, papers=papers, mails=mails,
        query="after:2026/03/01 (hours OR devika OR hall OR list)", channel="#sales", note=note, project=project,
        sheet=f"{root}/handover.csv", register=register, decide=decide,
    )  # fmt: skip


_RULES: Final = """\
# Fewer days

When somebody works fewer days, part of their work goes to others. Giulia Cheung decides about sales: by mail, in
#sales, or by telling me (then it is in my notes; Gareth). Her latest word counts. People know best about their own
hours and how long their own tasks take, so there their word counts; about everything else they may ask her.

From the change on, Devika Lindgren works on Monday, Tuesday and Wednesday.

1. Open tasks of Devika's: she still does what is due before the day of the change, and keeps what belongs to the topic
   contracts. The rest goes to Laleh Barrow, Delphine Cowley and Yannick Saarinen. Topics and hours of tasks are in
   work_list.csv.
2. Take the tasks one by one by due day, those without one last, within a day by title. Each goes to whichever of the
   three has the fewest hours by then: those they had already (hours_taken.csv, the latest line of each) and those of
   the tasks they have just been given. Anyone who is away on the day it is due (away.csv, both days included) does not
   get it.
3. A task for which nobody knows the hours goes to whoever I name, and adds no hours to anybody.
4. Open deals of hers: she keeps what is in negotiation, and everything of Calder Pharma's. Anything else that is worth
   more than a limit, which is said each time, goes to Giulia. The rest, one by one by the day on which they should
   close, goes to Laleh or Delphine, whichever has less in open deals by then: what they had (open_deals.csv, the latest
   line of each) and what they have just been given.
5. Worth is the amount in EUR, at this month's rate (rates.csv), rounded to cents. If the customer has written another
   amount since, that one counts; correct it in the CRM when the deal is handed over. Change nothing else there.
6. Standing meetings that I have called and she is in, on days on which she will not work: whoever stands in for the
   topic (stand_ins.csv; the title says which topic) is invited and she is removed, in the whole series. On other days
   nothing changes, and meetings called by others are up to them.
7. Files: files.csv is overwritten, same lines, same order, new names in full. Files of hers that are in use go to
   whoever stands in for their topic, except contracts; old ones stay with her.
8. If nobody stands in, or there is no topic, it goes to whoever I name.
9. `handover.csv` in this folder: columns kind, what, from, to, a line for each task, deal, meeting and file that is
   handed over, in this order of kinds. Tasks in the order of rule 2, deals and meetings by title, files as in
   files.csv. What is the title or the file; names in full. All of it is done today.
10. The mail about it has the subject "Hand-over". It gives two figures: how many items the list has, and what the deals
    among them are worth together in EUR.
"""
