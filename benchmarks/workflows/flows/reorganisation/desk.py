"""The first case: a desk is closed, and its work goes by areas."""

from __future__ import annotations

from typing import Final

from benchmarks.workflows.flows.reorganisation.books import Books, Deal, Handed, Hands, Rows, eur, series, worth
from benchmarks.workflows.layout import Layout, person

__all__ = ("desk",)

_DESK: Final = ("support", "support2")
"""Who is at the desk; the second has left the house."""
_GBP: Final = "1.1587"


def desk(layout: Layout) -> Books:
    """Lay out the papers, and say how it is decided who gets what."""
    root = "/workspace/teams/desk"
    areas = {
        "Power": ("planner", "logistics"), "Demo sets": ("sdr", "am2"), "Parts": ("logistics", "planner"),
        "Visits": ("product", "hr"), "Returns": ("accounts", "controller"), "Courses": ("", ""),
    }  # fmt: skip
    leave = (
        ("planner", "2026-03-30", "2026-04-02"), ("product", "2026-04-07", "2026-04-10"),
        ("accounts", "2026-04-14", "2026-04-17"), ("am1", "2026-03-26", "2026-03-27"),
    )  # fmt: skip
    project = layout.project(
        "Installations",
        members=("support", "support2", "planner", "logistics", "junior", "facility", "it", "sdr", "am2", "product",
                 "accounts", "controller", "hr"),
    )  # fmt: skip
    sections = {area: layout.section(project, area, place) for place, area in enumerate(areas)}
    # title, area, who has it, due, priority
    laid = [
        ("Ladder for the roof of the older store", "Visits", "support", "2026-04-09", "p3"),
        ("Order sockets for the kiosk", "Power", "support2", "2026-03-20", "p3"),
        ("Fetch the demo set from the county show", "Demo sets", "support", "2026-03-27", "p2"),
        ("Clean the demo probes", "Demo sets", "support", "2026-04-02", "p4"),
        ("Minimum of spare probes for the summer", "Parts", "support", "2026-03-31", "p3"),
        ("Box of fuses to Hallbridge", "Parts", "planner", "2026-04-10", "p3"),
        ("Photographs of the unit on the roof", "Visits", "support", "2026-04-14", "p1"),
        ("Credit note for nine gateways", "Returns", "support", "", "p2"),
        ("Slides for the fitters' course", "Courses", "support", "2026-04-20", "p3"),
        ("Room for the fitters' course", "Courses", "product", "2026-04-15", "p3"),
        ("Say what became of the two lost loggers", "Returns", "support2", "2026-04-16", "p1"),
    ]
    tasks = [
        (layout.task(title, project=project, due=due, assignee=who, section_id=sections[area], priority=priority),
         title, area, who, due, priority)
        for title, area, who, due, priority in laid
    ]  # fmt: skip
    layout.task(
        "Meter for the annex", project=project, due="2026-02-06", assignee="support2", section_id=sections["Power"],
        completed="2026-02-05T15:10:00",
    )  # fmt: skip
    companies = {
        name: (layout.customer(name, industry=industry, domain=domain, owner="am1"), industry)
        for name, industry, domain in (
            ("Farrow Vaccines", "Pharma", "farrowvaccines.example"), ("Northmere Foods", "Food", "northmere.example"),
            ("Tolland Hauliers", "Logistics", "tolland.example"), ("Saltway Stores", "Logistics", "saltway.example"),
        )
    }  # fmt: skip
    takers = {"Pharma": "am1", "Food": "am2", "Logistics": "sdr"}
    # title, company, who has it, amount in the CRM, currency, stage, close, amount that holds
    trade = (
        ("Roof sensors", "Farrow Vaccines", "support", 8400, "EUR", "Proposal", "2026-05-12", 8400),
        ("Blast freezers for two halls", "Northmere Foods", "support", 9200, "GBP", "Qualified", "2026-06-09", 9200),
        ("Night depot", "Tolland Hauliers", "support2", 6150, "EUR", "Negotiation", "2026-04-21", 6150),
        ("Ice store", "Northmere Foods", "support", 14000, "EUR", "Negotiation", "2026-04-10", 14000),
        ("Sample room", "Farrow Vaccines", "support2", 2650, "EUR", "Lost", "2026-02-27", 2650),
        ("Tea warehouse", "Tolland Hauliers", "am1", 3020, "EUR", "Lead", "2026-07-01", 3020),
        ("Salt barn", "Saltway Stores", "support", 22500, "EUR", "Lead", "2026-06-30", 4800),
    )
    deals = [
        (worth(layout, title, owner=who, amount=amount, currency=currency, stage=stage, close=close,
               company=companies[company][0]), title, companies[company][1], who, amount, currency, stage, holds)
        for title, company, who, amount, currency, stage, close, holds in trade
    ]  # fmt: skip
    fitters = series(
        layout, "Fitters on Monday", start="2025-10-06 15:30", minutes=30, people=("planner", "support", "support2"),
        rule="FREQ=WEEKLY",
    )  # fmt: skip
    spare = series(
        layout, "Spare parts", start="2025-10-15 11:00", minutes=30, people=("support", "product"),
        rule="FREQ=WEEKLY;INTERVAL=2",
    )  # fmt: skip
    series(
        layout, "What came back", start="2025-10-08 14:00", minutes=20, people=("logistics", "accounts"),
        rule="FREQ=WEEKLY;INTERVAL=2",
    )  # fmt: skip
    series(
        layout, "Roof visits of the winter", start="2025-11-06 16:00", minutes=30, people=("support", "product"),
        rule="FREQ=WEEKLY", until="2026-02-26",
    )  # fmt: skip
    files = (
        ("desk/course_slides.odp", "Courses", "support", "2027-12-31"),
        ("desk/demo_list.ods", "Demo sets", "support", "2026-12-31"),
        ("desk/fuses_2024.ods", "Power", "support2", "2026-01-31"),
        ("desk/keys_of_roofs.ods", "Visits", "support2", "2028-12-31"),
        ("desk/parts_minimum.ods", "Parts", "planner", "2026-12-31"),
        ("desk/power_plan.odt", "Power", "support", "2026-04-03"),
        ("desk/returns_2025.ods", "Returns", "support2", "2026-03-31"),
        ("desk/visit_protocols.odt", "Visits", "support", "2027-06-30"),
        ("desk/wish_list.odt", "", "support", "2026-12-31"),
        ("hall/power_meters.ods", "Power", "facility", "2026-12-31"),
    )

    def decide(start: str, heir: str, limit: int) -> Hands:
        gone = {who for who, first, last in leave if first <= start <= last}

        def new(area: str) -> str:
            return next((who for who in areas.get(area, ()) if who and who not in gone), heir)

        over = [
            (due or "9999", Handed(id, title, who, new(area)))
            for id, title, area, who, due, priority in tasks
            if who == "support2"
            or (who == "support" and not (due and due < start) and priority != "p1" and not title.startswith("Credit"))
        ]
        sold = []
        for id, title, industry, who, amount, currency, stage, holds in deals:
            if stage != "Lost" and (who == "support2" or (who == "support" and stage != "Negotiation")):
                value = eur(holds, currency, _GBP)
                sold.append(
                    Deal(id, title, who, "sales_vp" if value > limit else takers[industry], value,
                         None if holds == amount else float(holds))
                )  # fmt: skip
        kept: Rows = [("file", "area", "owner", "keep until")]
        given = []
        for path, area, who, until in files:
            goes = who in _DESK and until >= start
            if goes:
                given.append(Handed(path, path, who, new(area)))
            kept.append((path, area, person(new(area) if goes else who).name, until))
        return Hands(
            tasks=[each for _, each in sorted(over, key=lambda one: (one[0], one[1].what))],
            deals=sorted(sold, key=lambda one: one.what),
            meetings=[
                Handed(fitters, "Fitters on Monday", "support", new("Courses")),
                Handed(spare, "Spare parts", "support", new("Parts")),
            ],
            files=given,
            stay={fitters: ["planner"], spare: ["product"]},
            leave={fitters: ["support", "support2"], spare: ["support"]},
            register=kept,
        )

    def named(post: str) -> str:
        return person(post).name if post else ""

    rules = layout.file(f"{root}/closing_a_desk.md", _RULES, at="2026-02-27 17:00")
    register = layout.sheet(
        "/workspace/teams/register.csv",
        [
            ("file", "area", "owner", "keep until"),
            *((path, area, named(who), until) for path, area, who, until in files),
        ],
        at="2026-02-13 12:00",
    )  # fmt: skip
    papers = (
        layout.sheet(
            f"{root}/areas.csv",
            [
                ("area", "who takes it", "if away"),
                *(
                    (area, named("am1" if area == "Visits" else who), named(deputy))
                    for area, (who, deputy) in areas.items()
                ),
            ],
            at="2026-03-02 09:30",
        ),
        layout.sheet(
            f"{root}/deals_by_industry.csv",
            [("industry", "who takes it"), *((industry, named(who)) for industry, who in takers.items())],
            at="2026-03-02 09:35",
        ),
        layout.sheet(
            f"{root}/meetings.csv",
            [
                ("meeting", "area"), ("Fitters on Monday", "Courses"), ("Spare parts", "Parts"),
                ("What came back", "Returns"), ("Roof visits of the winter", "Visits"),
            ],
            at="2026-03-02 09:40",
        ),
        layout.sheet(
            "/workspace/teams/away.csv",
            [("name", "from", "to"), *((named(who), first, last) for who, first, last in leave)],
            at="2026-03-13 16:30",
        ),
        layout.sheet(
            "/workspace/teams/rates.csv",
            [("month", "currency", "EUR for one"), ("2026-02", "GBP", "1.1640"), ("2026-03", "GBP", _GBP)],
            at="2026-03-02 08:50",
        ),
        register,
    )  # fmt: skip
    mails = (
        layout.mail(
            "coo", "The desk: visits",
            "Gareth, I have changed my mind about the visits. Devika is on the road too much, so Olga takes them, "
            "and if "
            "she is away, Fergus as before. Everything else in areas.csv is as we said.\n\nNiamh",
            at="2026-03-10 08:45",
        ),
        layout.mail(
            "procurement@saltway.example", "Salt barn: smaller than we thought",
            "Dear Mr Rahimi,\n\nthe board has cut the project down to the small barn. By your price list that makes "
            "4,800 EUR instead of the 22,500 we talked about; please plan with that. We still intend to decide in "
            "June.\n\n"
            "Purchasing, Saltway Stores",
            at="2026-03-12 10:30",
        ),
        layout.mail(
            "support", "desk and deals",
            "Hi Gareth\n\nwould it not be nicer if I kept the blast freezers? I know them well. I've asked "
            "Niamh.\n\nKieran",
            at="2026-03-13 14:50",
        ),
        layout.mail(
            "coo", "Re Kieran's freezers",
            "No, it goes like the others. He needs his hands free for support.\n\nNiamh",
            at="2026-03-16 09:05",
        ),
    )  # fmt: skip
    for author, text, at in (
        ("facility", "couldn't the files about power come to me when the desk closes? I have the meters anyway",
         "2026-03-11 11:20"),
        ("coo", "One at a time, Vikram. They go with their area, as written.", "2026-03-11 12:05"),
        ("logistics", "parts are fine with me, I've cleared two shelves", "2026-03-12 15:15"),
    ):  # fmt: skip
        layout.message("operations", author, text, at=at)
    note = layout.note(
        "Niamh, about the desk",
        "16 March\n\n- the credit note for the nine gateways stays with Kieran, he has promised the customer\n"
        "- the keys of the van stay where they are\n- courses: nobody found yet",
        at="2026-03-16 17:20",
    )
    return Books(
        look="/workspace/teams", rules=rules, papers=papers, mails=mails,
        query="after:2026/03/01 (desk OR barn OR freezers)", channel="#operations", note=note, project=project,
        sheet=f"{root}/handover.csv", register=register, decide=decide,
    )  # fmt: skip


_RULES: Final = """\
# Closing a desk

Niamh Jansson decides what happens to a desk, by mail, in a channel, or by telling me (then it is in my notes; Gareth).
Her latest word counts, and overrides this page. Others may ask; she decides.

The installation desk consists of Kieran Goh, who will work for support alone from now on, and Ravi Iqbal, who has left
us. What belongs to others stays where it is.

1. Tasks of the two go to whoever takes over the area, which is the section the task is in (areas.csv). Kieran finishes
   what is due before the day of the change, and whatever has priority p1. All of Ravi's are handed over. Completed
   tasks stay as they are.
2. Anyone who is away on the day of the change (teams/away.csv, both days included) gets nothing; it all goes to the
   person in the column "if away".
3. Open deals of the two go by the industry of the company, according to the CRM (deals_by_industry.csv, whatever
   away.csv says), but large ones go to the head of sales; what counts as large is said each time. Kieran himself
   finishes what he is negotiating; what Ravi was negotiating is handed over like the rest.
4. What a deal is worth: its amount, in EUR at this month's rate (teams/rates.csv), rounded to cents. If the customer
   has written another amount since, that one counts, and it is corrected in the CRM together with the owner. Nothing
   else is changed there.
5. Standing meetings of mine that still take place: whoever takes over the area (meetings.csv) is invited in place of
   the people from the desk, who are removed; the whole series is changed, not only the days to come. A meeting without
   anybody from the desk stays as it is.
6. Files: teams/register.csv is overwritten, the same lines in the same order, with the new owner if the owner was one
   of the two and the file is still to be kept on the day of the change. They go by area. Names in full.
7. Anything that has no area, or an area that nobody takes over, goes to whoever I name.
8. `handover.csv` in this folder lists everything that changes hands: columns kind, what, from, to. First the tasks, by
   due day, those without one last; then the deals and the meetings, each by title; then the files in the order of the
   register. kind is task, deal, meeting or file, what is the title or the file, from and to are full names. If a
   meeting loses two people, from is the one who is still with us. Everything is handed over today, whatever the day of
   the change.
9. The mail about it is always called "Hand-over". It gives two figures: how many items the list has, and what the
   deals among them are worth together in EUR.
"""
