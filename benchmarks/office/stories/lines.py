"""Story lines of the office itself: an outage, a post filled, a contract renewed, an offsite, a round, a project."""

from __future__ import annotations

from benchmarks.office.ledger import DAY, Meeting, Note, ToDo
from benchmarks.office.people import CLOSED, HOLIDAY, OWNER
from benchmarks.office.stage import Stage, weekday

__all__ = ("hiring", "incident", "offsite", "people_moves", "project", "renewal", "weekly")


def incident(stage: Stage) -> None:
    """Readings stop, a certificate is renewed, a review is written, customers get a credit."""
    stage.fact("credit", "money", stage.rng("terms").randrange(610, 1480, 10))
    for name, number in (("letter", 4), ("comments", 8), ("quiet", 25), ("page", 46)):
        stage.date(name, number)
    stage.file(
        4,
        OWNER,
        "/workspace/incidents/letter_{letter:file}.md",
        name="letter",
        at="14:10",
        text="# Gap in the readings\n\nNo reading was lost. They were kept in the units and came in late.\n\n"
        "- 00:00 UTC: a certificate of the receiving side expires, open connections stay\n"
        "- 04:30: connections are renewed and refused, readings stop arriving\n"
        "- 04:41: our own alarm notices, muted for the night\n- 07:52: first report by a customer\n"
        "- before noon: certificate replaced, readings of the night arrive\n\n"
        "What we have changed since: the reminder for certificates goes to two people and not to a mailbox, our alarm "
        "rings at night, and gateways try again one after the other.\n\nSent on {letter:full}.\n",
    )
    review = stage.add(
        Meeting,
        stage.moment("d3@17:00", "cto"),
        "cto",
        title="Review of the outage",
        starts=stage.moment("d9@10:00", "cto"),
        minutes=60,
        people=tuple((who, "accepted") for who in ("support", "qa", "firmware", "product", "coo")),
        text="What we learned, who does what by when.",
        place="Blue room",
    )
    stage.play("incident")
    stage.add(
        ToDo,
        review.starts + 70,
        OWNER,
        text="Collect what sites said on the phone",
        project="Operations",
        due=stage.day(11),
        done=stage.day(10) * DAY + 15 * 60,
    )
    stage.add(
        ToDo,
        review.starts + 75,
        "product",
        text="Status page",
        project="Operations",
        assignee="dev",
        due=stage.date("page2", 46),
        priority=2,
    )
    stage.add(
        Note,
        stage.moment("d1@08:40", OWNER),
        OWNER,
        title="Calls during the outage",
        tags=("incidents",),
        text="Eleven calls, half of them {@planner}'s. Everybody asked how they would have noticed by themselves.",
    )


def hiring(stage: Stage) -> None:
    """A warehouse lead is looked for, two people come, one begins."""
    rng = stage.rng("terms")
    stage.fact("salary", "money", rng.randrange(41000, 48000, 500))
    stage.fact("fee", "money", rng.randrange(6200, 8200, 50))
    for name, number in (
        ("advert", 4),
        ("week", 21),
        ("talk1", 22),
        ("decide", 30),
        ("answer", 37),
        ("start", 58),
    ):
        stage.date(name, number)
    stage.file(
        1,
        "recruiter",
        "/workspace/hiring/profile.md",
        name="profile",
        at="08:50",
        text="# Warehouse lead\n\n- runs the hall, two shifts\n- licence for fork-lifts\n- advert out by {advert}\n",
    )
    stage.play("hiring")
    for n, who in enumerate(("candidate", "candidate2")):
        stage.add(
            Meeting,
            stage.moment("d15@12:00", "recruiter"),
            "recruiter",
            title=f"Conversation with {{@@{who}}}",
            starts=stage.moment(f"d{22 + n}@10:00", OWNER),
            minutes=60,
            place="Blue room",
            people=((who, "accepted"), ("logistics", "accepted")),
            text="Then a tour of the hall.",
        )
    stage.add(
        ToDo,
        stage.moment("d30@09:00", OWNER),
        OWNER,
        text="Call the runner-up",
        project="Operations",
        due=stage.day(31),
        done=stage.day(31) * DAY + 17 * 60,
    )


def renewal(stage: Stage) -> None:
    """A licence is renewed at the price that clause nine allows; a list keeps an older figure."""
    old = stage.rng("terms").randrange(8200, 11800, 100)
    cap = old * 104 // 100
    for name, value in (("old", old), ("cap", cap), ("middle", old * 109 // 100), ("asked", old * 123 // 100)):
        stage.fact(name, "money", value)
    for name, number in (("ends", 42), ("notice", 42 + 273)):
        stage.date(name, number)
    listed = stage.file(
        2,
        "accounts",
        "/workspace/finance/contracts.csv",
        name="list",
        text="supplier,what,EUR per year,until\n{office.vendor},planning licence,{middle:num},{ends:iso}\n",
    )
    stage.file(
        4,
        "vendor_legal",
        "/workspace/contracts/planning_licence.md",
        name="contract",
        at="08:00",
        text="# Renewal of the planning licence\n\nPrice per year: {cap}\nIn force until a year after {ends:full}.\n"
        "Notice by {notice:iso}.\nClause 9: the price rises by four per cent a year at most.\n",
    )
    stage.play("renewal")
    stage.error("stale record", [listed], "the list has {middle}, agreed is {cap}")
    stage.add(
        Meeting,
        stage.moment("d11@16:30", OWNER),
        OWNER,
        title="Last day for notice: {office.vendor}",
        people=(),
        starts=int(stage.ledger.facts["renewal.notice"].at(0)) * DAY,
        minutes=DAY,
        all_day=True,
    )
    stage.add(
        Note,
        stage.moment("d4@11:10", OWNER),
        OWNER,
        title="Clause nine",
        tags=("suppliers",),
        pinned=True,
        text="They may add four per cent and no more. We pay {old}, so {cap} is the ceiling.",
    )


def offsite(stage: Stage) -> None:
    """Two days away: a poll, a house, a room list, an agenda that changes its subject."""
    rng = stage.rng("terms")
    stage.fact("hall", "money", rng.randrange(900, 1600, 50))
    stage.fact("beds", "money", rng.randrange(2800, 4200, 50))
    for name, number in (("count", 3), ("a", 30), ("b", 37), ("hold", 11), ("names", 18)):
        stage.date(name, number)
    stage.fact("since", "date", stage.day(-130))
    guests = [stage.ledger.company.person(key).name for key in stage.ledger.company.channels["offsite"]]
    guests.insert(1, guests.pop(5))  # room two is on the ground floor, for whoever uses a wheelchair
    draft = _rooms(guests)
    guests[2], guests[4] = guests[4], guests[2]
    final = _rooms(guests)
    stage.file(10, "facility", "/workspace/offsite/rooms.csv", draft, name="rooms", at="15:30")
    stage.file(15, "facility", "/workspace/offsite/rooms.csv", final, name="rooms", at="09:20")
    stage.add(
        Meeting,
        stage.moment("d7@16:00", "facility"),
        "facility",
        title="Offsite",
        minutes=2 * DAY,
        all_day=True,
        starts=stage.day(30) * DAY,
        place="{office.venue}",
        text="Bring nothing that squeaks.",
        people=tuple(
            (key, "accepted") for key in stage.ledger.company.channels["offsite"] if key not in (OWNER, "facility")
        ),
    )
    stage.play("offsite")
    stage.file(
        29,
        OWNER,
        "/workspace/offsite/cost_per_customer.csv",
        name="cost",
        at="15:00",
        text="customer,since,deliveries,cost per delivery (EUR)\n"
        "{office.client},{since:iso},2,212\n{office.regular},{since:iso},31,88\n{office.prospect},{since:iso},1,340\n",
    )
    parent = stage.add(
        ToDo,
        stage.moment("d5@09:10", OWNER),
        OWNER,
        text="Prepare the offsite",
        project="Operations",
        due=stage.day(29),
        done=stage.day(29) * DAY + 16 * 60,
    )
    for text in ("Cost table for the first morning", "Show {@planner} the phone list"):
        stage.add(
            ToDo,
            parent.at + 2,
            OWNER,
            text=text,
            project="Operations",
            due=stage.day(29),
            parent=parent.id,
            done=stage.day(29) * DAY + 15 * 60 + 20,
        )


def _rooms(guests: list[str]) -> str:
    """The room list of nine: five alone, four two and two."""
    rooms = (1, 2, 3, 4, 5, 6, 6, 7, 7)
    lines = (
        f"{name},{room},{'double' if room > 5 else 'single'},{'ground floor' if room == 2 else ''}"
        for name, room in zip(guests, rooms, strict=True)
    )
    return "name,number,room,remark\n" + "\n".join(lines) + "\n"


def weekly(stage: Stage) -> None:
    """The round of the team: a series, moved once and left out once."""
    for name, number in (("closed", 49), ("moved", 50)):
        stage.date(name, number)
    stage.fact("holiday", "date", HOLIDAY)
    people = tuple((who, "accepted") for who in ("planner", "logistics", "facility", "it"))
    closed, moved = (int(stage.ledger.facts[f"weekly.{name}"].at(0)) for name in ("closed", "moved"))
    stage.date("minuted", 70)
    stage.file(
        74,
        "planner",
        "/workspace/operations/minutes_{minuted:file}.md",
        name="minutes",
        at="14:20",
        text="# Round of {minuted:full}\n\n- lead times have grown to six weeks; sales must be told\n- labels: done\n"
        "- absent: {@junior}\n",
    )
    round_ = stage.add(
        Meeting,
        stage.moment("d1@09:00", OWNER),
        OWNER,
        title="Weekly round",
        starts=stage.day(7) * DAY + 10 * 60,
        minutes=60,
        people=people,
        place="Large room",
        recurrence="FREQ=WEEKLY",
        skipped=tuple(sorted(each for each in CLOSED if weekday(each) == weekday(closed) and each > stage.base)),
        text="One thing that went well, one that didn't.",
    )
    stage.add(
        Meeting,
        stage.moment("d46@11:00", OWNER),
        OWNER,
        title="Weekly round",
        starts=moved * DAY + 10 * 60,
        minutes=60,
        people=tuple((who, "declined" if who == "it" else "accepted") for who, _ in people),
        place="Small room",
        series=round_.id,
        original=closed,
    )
    stage.play("weekly")


def people_moves(stage: Stage) -> None:
    """Somebody joins, somebody leaves."""
    stage.date("start", 14)
    stage.date("last", 39)
    stage.file(
        1,
        OWNER,
        "/workspace/operations/first_week.md",
        name="week",
        text="# First week of {@@junior}\n\nBegins {start:full}.\n\n"
        "- hall with {@logistics}\n- stock with {@planner}\n",
    )
    stage.play("people_moves")
    stage.add(
        Meeting,
        stage.moment("d2@10:10", "hr"),
        "hr",
        title="Welcome, {@junior}",
        starts=stage.day(14) * DAY + 9 * 60 + 30,
        minutes=30,
        people=(("junior", "accepted"), ("facility", "accepted"), ("it", "tentative")),
        place="Kitchen",
    )
    stage.add(
        Meeting,
        stage.moment("d24@10:10", "support"),
        "support",
        title="Cake for {@support2}",
        place="Kitchen",
        starts=stage.day(39) * DAY + 15 * 60,
        minutes=45,
        people=(("support2", "accepted"), ("product", "declined")),
    )


def project(stage: Stage) -> None:
    """Scanners for the warehouse: tried, ordered, a week late, live."""
    rng = stage.rng("terms")
    cost = 9 * rng.choice((420, 465, 490, 515))
    stage.fact("cost", "money", cost)
    stage.fact("budget", "money", cost + rng.randrange(900, 1500, 100))
    stage.date("live_old", 56)
    first = stage.date("live", 56)
    stage.change("live", 35, first + 7)
    plan = "# Scanners\n\n- two models tried by logistics\n- budget {budget}\n- live on {live:iso}\n"
    stage.file(0, OWNER, "/workspace/scanners/plan.md", plan, name="plan", at="09:05")
    stage.file(
        35, OWNER, "/workspace/scanners/plan.md", plan + "- cradles late, one week lost\n", name="plan", at="09:20"
    )
    stage.play("project")
    for text, number, done in (
        ("Order nine grey scanners", 18, 18),
        ("Fit two access points", 40, 39),
        ("Train both shifts", 52, 53),
        ("Ask for a softer beep", 64, 64),
        ("Write up wish number one: scans into our own log", 130, None),
    ):
        stage.add(
            ToDo,
            stage.moment(f"d{min(number - 2, 62)}@09:40", OWNER),
            OWNER,
            text=text,
            project="Scanners",
            due=stage.day(number),
            done=None if done is None else stage.day(done) * DAY + 14 * 60,
        )
