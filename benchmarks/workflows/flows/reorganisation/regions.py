"""The second case: customers are split by region, and all that is theirs goes with them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from benchmarks.workflows.flows.reorganisation.books import Books, Deal, Handed, Hands, Rows, eur, series, worth
from benchmarks.workflows.layout import Layout, person

__all__ = ("regions",)

_RATES: Final = {"EUR": "1", "GBP": "1.1587", "USD": "0.9214"}
_KEEPERS: Final = {"north": "am1", "south": "sdr", "overseas": "am2"}


def regions(layout: Layout) -> Books:
    """Lay out the papers, and say how it is decided who gets what."""
    root = "/workspace/teams/regions"
    # customer, town, postcode, industry, where they belong once all is read
    customers = (
        ("Alder Dairies", "York", "YO24 3BD", "Food", "north"), ("Brackwell Ice", "Oxford", "OX4 7QT", "Food", "south"),
        ("Corrigan Fish", "Aberdeen", "AB11 8LR", "Seafood", "north"),
        ("Dunmore Foods", "Nottingham", "NG7 4PX", "Food", "north"),
        ("Ellery Pharma", "Exeter", "EX2 6GN", "Pharma", "south"), ("Fjordline", "Bergen", "", "Seafood", "overseas"),
        ("Garrick Transport", "Lancaster", "LA1 5SD", "Logistics", "south"),
        ("Hollin Meats", "Newcastle", "NE1 9FW", "Food", "south"),
        ("Iveson Cold", "Brighton", "BN1 2HK", "Food", "south"),
    )  # fmt: skip
    keeper = {name: _KEEPERS[region] for name, _, _, _, region in customers}
    project = layout.project(
        "Customer care", members=("am1", "am2", "sdr", "support", "facility", "junior", "it", "logistics")
    )
    # title, customer, who has it, due
    laid = (
        ("Corrigan Fish: call about the alarm", "Corrigan Fish", "sdr", "2026-03-27"),
        ("Dunmore Foods: new address for invoices", "Dunmore Foods", "am1", "2026-04-10"),
        ("Marlow Ices: swap the gateway", "Iveson Cold", "am1", "2026-04-02"),
        ("Garrick Transport: third logger", "Garrick Transport", "am1", "2026-04-09"),
        ("Hollin Meats: renew the service", "Hollin Meats", "sdr", "2026-04-14"),
        ("Fjordline: customs papers", "Fjordline", "sdr", "2026-03-31"),
        ("Complaint: Ellery Pharma, late batch", "Ellery Pharma", "am1", "2026-04-07"),
        ("New answers for the phone", "", "sdr", "2026-04-15"),
        ("Brackwell Ice: ask for a reference", "Brackwell Ice", "sdr", "2026-04-17"),
        ("Corrigan Fish: visit in May", "Corrigan Fish", "sdr", ""),
        ("Alder Dairies: label rolls", "Alder Dairies", "support", "2026-04-08"),
    )
    tasks = [
        (layout.task(title, project=project, due=due, assignee=who), title, customer, who, due)
        for title, customer, who, due in laid
    ]
    layout.task(
        "Alder Dairies: certificates", project=project, due="2026-03-11", assignee="sdr",
        completed="2026-03-10T11:30:00",
    )  # fmt: skip
    companies = {
        name: layout.customer(name, industry=industry, domain=f"{name.lower().replace(' ', '')}.example", owner="am1")
        for name, _, _, industry, _ in customers
    }
    # title, customer, who has it, amount in the CRM, currency, stage, close, amount that holds
    trade = (
        ("Second dairy", "Alder Dairies", "sdr", 4300, "EUR", "Proposal", "2026-05-29", 4300),
        ("Harbour hall", "Corrigan Fish", "sdr", 4400, "GBP", "Qualified", "2026-06-30", 4400),
        ("Winter loggers", "Ellery Pharma", "am1", 3900, "EUR", "Proposal", "2026-04-09", 3900),
        ("Racks for the ferry", "Fjordline", "sdr", 5300, "USD", "Qualified", "2026-04-14", 5300),
        ("Cutting room", "Hollin Meats", "sdr", 2700, "EUR", "Lead", "2026-06-15", 2700),
        ("Depot in the south", "Garrick Transport", "am1", 12000, "EUR", "Proposal", "2026-05-20", 5950),
        ("Trial with two probes", "Brackwell Ice", "am1", 1850, "EUR", "Lead", "2026-05-06", 1850),
        ("Old freezers", "Corrigan Fish", "sdr", 3300, "EUR", "Lost", "2026-02-20", 3300),
    )
    deals = [
        (worth(layout, title, owner=who, amount=amount, currency=currency, stage=stage, close=close,
               company=companies[customer]), title, customer, who, amount, currency, stage, close, holds)
        for title, customer, who, amount, currency, stage, close, holds in trade
    ]  # fmt: skip
    meetings = [
        (series(layout, title, start=start, minutes=30, people=people, rule=rule), title, customer, people)
        for title, customer, start, people, rule in (
            ("Corrigan Fish: monthly", "Corrigan Fish", "2025-10-07 16:00", ("sdr", "support"),
             "FREQ=WEEKLY;INTERVAL=4"),
            ("Ellery Pharma: monthly", "Ellery Pharma", "2025-10-14 16:00", ("sdr", "support"),
             "FREQ=WEEKLY;INTERVAL=4"),
            ("Garrick Transport: loads", "Garrick Transport", "2025-10-22 15:00", ("am1", "logistics"),
             "FREQ=WEEKLY;INTERVAL=2"),
            ("Hollin Meats: how it goes", "Hollin Meats", "2025-11-12 12:00", ("sdr",), "FREQ=WEEKLY;INTERVAL=8"),
        )
    ]  # fmt: skip
    files = (
        ("care/alder_sites.ods", "Alder Dairies", "sdr", "open"), ("care/answers.odt", "", "sdr", "open"),
        ("care/brackwell_map.pdf", "Brackwell Ice", "am1", "open"),
        ("care/corrigan_2024.ods", "Corrigan Fish", "sdr", "closed"),
        ("care/corrigan_alarms.ods", "Corrigan Fish", "sdr", "open"),
        ("care/dunmore_halls.ods", "Dunmore Foods", "sdr", "open"),
        ("care/ellery_batches.ods", "Ellery Pharma", "am1", "open"),
        ("care/fjordline_customs.odt", "Fjordline", "am2", "open"),
        ("care/garrick_lorries.ods", "Garrick Transport", "am1", "open"),
        ("care/hollin_service.odt", "Hollin Meats", "sdr", "open"),
        ("care/marlow_gateways.ods", "Iveson Cold", "am1", "open"),
        ("care/price_letters.odt", "", "sales_vp", "closed"),
    )  # fmt: skip
    split = ("am1", "am2", "sdr")

    def decide(start: str, heir: str, limit: int) -> Hands:
        last = (date.fromisoformat(start) + timedelta(days=13)).isoformat()
        over = [
            (due or "9999", Handed(id, title, who, keeper.get(customer, heir)))
            for id, title, customer, who, due in tasks
            if who in split
            and not (due and due < start)
            and not title.startswith("Complaint:")
            and keeper.get(customer, heir) != who
        ]
        sold = []
        for id, title, customer, who, amount, currency, stage, close, holds in deals:
            value = eur(holds, currency, _RATES[currency])
            taker = "sales_vp" if value > limit else keeper[customer]
            if stage != "Lost" and taker != who and not start <= close <= last:
                sold.append(Deal(id, title, who, taker, value, None if holds == amount else float(holds)))
        changed = [
            (Handed(id, title, next(each for each in people if each in split), keeper[customer]), people)
            for id, title, customer, people in meetings
            if keeper[customer] not in people
        ]
        kept: Rows = [("file", "customer", "keeper", "state")]
        given = []
        for path, customer, who, state in files:
            taker = keeper.get(customer, heir) if state == "open" and who in split else who
            if taker != who:
                given.append(Handed(path, path, who, taker))
            kept.append((path, _called(customer), person(taker).name, state))
        return Hands(
            tasks=[each for _, each in sorted(over, key=lambda one: (one[0], one[1].what))],
            deals=sorted(sold, key=lambda one: one.what),
            meetings=[each for each, _ in changed],
            files=given,
            stay={each.id: [who for who in people if who != each.old] for each, people in changed},
            leave={each.id: [each.old] for each, _ in changed},
            register=kept,
        )

    rules = layout.file(f"{root}/two_regions.md", _RULES, at="2026-03-02 15:00")
    register = layout.sheet(
        f"{root}/who_keeps_what.csv",
        [
            ("file", "customer", "keeper", "state"),
            *((path, _called(customer), person(who).name, state) for path, customer, who, state in files),
        ],
        at="2026-02-25 10:00",
    )
    letters = (
        ("AB", "north"), ("BN", "south"), ("DD", "north"), ("EX", "south"), ("LA", "north"), ("NE", "north"),
        ("NG", "south"), ("OX", "south"), ("SO", "south"), ("YO", "north"),
    )  # fmt: skip
    papers = (
        layout.sheet(
            f"{root}/customers.csv",
            [
                ("customer", "town", "postcode", "called before"),
                *(
                    (name, town, code, "Marlow Ices" if name == "Iveson Cold" else "")
                    for name, town, code, _, _ in customers
                ),
            ],
            at="2026-02-27 11:40",
        ),
        layout.sheet(f"{root}/postcodes.csv", [("begins with", "region"), *letters], at="2026-03-02 15:10"),
        layout.sheet(
            f"{root}/rates.csv",
            [
                ("month", "currency", "EUR for one"), ("2026-02", "GBP", "1.1640"), ("2026-02", "USD", "0.9188"),
                ("2026-03", "GBP", "1.1587"), ("2026-03", "USD", "0.9214"),
            ],
            at="2026-03-02 08:50",
        ),
        register,
    )  # fmt: skip
    mails = (
        layout.mail(
            "office@garricktransport.example", "We have moved",
            "Dear all,\n\nsince the beginning of March you will find us at the docks in Southampton, SO14 3JF. The "
            "yard in "
            "Lancaster is closed.\n\nGarrick Transport",
            at="2026-03-05 09:00",
        ),
        layout.mail(
            "office@garricktransport.example", "Depot: what we can spend",
            "Dear Mr Rahimi,\n\nfor the new depot we have 5,950 EUR and not a cent more, so please forget the 12,000. "
            "The offer as you changed it on the phone is fine.\n\nGarrick Transport",
            at="2026-03-11 13:30",
        ),
        layout.mail(
            "sales_vp", "Hollin and Alder",
            "Gareth,\n\nboth asked whether they may keep Delphine. Hollin Meats may, for everything, they have had "
            "three people in two years. Alder Dairies may not, they will get used to it.\n\nGiulia",
            at="2026-03-12 16:10",
        ),
        layout.mail(
            "am1", "regions",
            "Hi Gareth,\n\nI could take all complaints, north and south, if that helps? And I would love to keep "
            "Ellery. I wrote to Giulia, no answer yet.\n\nDevika",
            at="2026-03-16 10:25",
        ),
    )  # fmt: skip
    for author, text, at in (
        ("sales_vp", "Regions, one correction: Nottingham is north. NG postcodes go with York, not with Oxford.",
         "2026-03-13 14:20"),
        ("sdr", "Should we do deals by size instead of by postcode? Just thinking aloud.", "2026-03-16 11:00"),
        ("sales_vp", "No. Postcodes.", "2026-03-16 14:05"),
    ):  # fmt: skip
        layout.message("sales", author, text, at=at)
    note = layout.note(
        "Giulia on the phone",
        "17 March, about the regions.\n\n- overseas is Laleh, I had that right\n- south is Delphine, north Devika: the "
        "other way round from what I wrote down last week!\n- she does not want to see the sheet",
        at="2026-03-17 16:50",
    )
    return Books(
        look="/workspace/teams", rules=rules, papers=papers, mails=mails,
        query="after:2026/03/01 (garrick OR regions OR hollin)", channel="#sales", note=note, project=project,
        sheet=f"{root}/handover.csv", register=register, decide=decide,
    )  # fmt: skip


def _called(customer: str) -> str:
    """The customer as the register of files calls them."""
    return "Marlow Ices" if customer == "Iveson Cold" else customer


_RULES: Final = """\
# Two regions, and overseas

Giulia Cheung decides about regions and customers: by mail, in #sales, or by telling me (then it is in my notes;
Gareth). Her latest word counts, and overrides this page. An idea from somebody else is just an idea.

1. Customer care used to be Devika Lindgren, Delphine Cowley and Laleh Barrow for everybody. Now north is Delphine,
   south Devika, overseas Laleh. Only what one of the three has can change hands, and only for customers in
   customers.csv.
2. A customer belongs to the region given by the letters at the beginning of the postcode (postcodes.csv); one without
   a postcode belongs to overseas. The postcode is the one the customer has today. A customer may have had another name.
3. Tasks go to whoever has the customer's region. What is due before the day of the change stays where it is, and so do
   complaints. What does not concern a customer goes to whoever I name, and the same goes for files.
4. Open deals go the same way, except that those above a limit, which is said each time, go to Giulia. Deals that should
   close within the first two weeks (the day of the change is the first of fourteen days) stay with whoever has them.
5. What a deal is worth: its amount in EUR, at this month's rate (rates.csv), rounded to cents. What the customer has
   written since overrides the CRM; if such a deal changes hands its amount is corrected at the same time.
6. Standing meetings with a customer: whichever of the three is in it is replaced by the right one, in the whole series;
   the others stay. If the right one is already in it there is nothing to do.
7. who_keeps_what.csv is overwritten: same lines, same order, with the new keeper's full name. Files that are closed
   stay as they are.
8. `handover.csv` in this folder: columns kind, what, from, to, one line for each item that changes hands. kind is
   task, deal, meeting, file, in this order. Tasks by due day, those without a day last; deals and meetings by title;
   files as in who_keeps_what.csv. what is the title or the file as written there. Names in full.
9. We do it all at once, today, even if the change itself comes later.
10. The mail about it is called "Hand-over", as for all changes. It gives two figures: how many items the list has, and
    what the deals among them are worth together in EUR.
"""
