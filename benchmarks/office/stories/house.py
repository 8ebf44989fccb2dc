"""Story lines of rooms and halls: taller shelves, and a small place in another town."""

from __future__ import annotations

from benchmarks.office.ledger import DAY, Meeting, Note, ToDo
from benchmarks.office.people import OWNER
from benchmarks.office.stage import Stage

__all__ = ("branch", "shelves")

_TOWNS = ("Hallbridge", "Wexcombe", "Thornmere", "Aldersby", "Quenholm")


def shelves(stage: Stage) -> None:
    """Taller racking: priced, put off a week for the floor, up."""
    rng = stage.rng("terms")
    bays = [rng.randrange(72, 96, 4) for _ in range(4)]
    stage.fact("slots", "count", sum(bays))
    stage.fact("price", "money", rng.randrange(14200, 18800, 100))
    stage.fact("moving", "money", rng.randrange(1900, 2900, 50))
    stage.date("survey", 16)
    stage.date("move", 15)
    stage.change("move", 9, stage.day(22))
    lines = "".join(f"bay {n},{bay},{bay * 3 // 2}\n" for n, bay in enumerate(bays, 1))
    more = sum(bay * 3 // 2 for bay in bays)
    path = "/workspace/operations/shelves/layout.csv"
    stage.file(4, "planner", path, f"bay,places,places then\n{lines}sum,{{slots}},{more}\n", name="layout", at="10:20")
    less = [bay * 3 // 2 - (3 if n == 3 else 0) for n, bay in enumerate(bays)]
    lines = "".join(f"bay {n},{bay},{then}\n" for n, (bay, then) in enumerate(zip(bays, less, strict=True), 1))
    text = f"bay,places,places then\n{lines}sum,{{slots}},{sum(less)}\n"
    stage.file(18, "planner", path, text, name="layout", at="11:30")
    stage.file(
        10,
        "planner",
        "/workspace/operations/shelves/move_plan.md",
        name="plan",
        at="15:00",
        text="# Racking\n\n- floor is looked at on {survey:full}\n- bays are empty by the evening before {move:full}\n"
        "- old shelves go into the annex\n- tallest truck is tried first\n",
    )
    stage.play("shelves")
    stage.add(
        Meeting,
        stage.moment("d5@10:10", "planner"),
        "planner",
        title="Racking: tape on the floor",
        starts=stage.moment("d10@13:30", "planner"),
        minutes=45,
        place="Hall",
        people=(("logistics", "accepted"), ("facility", "accepted"), ("junior", "accepted")),
        text="Bring chalk.",
    )
    stage.add(
        Meeting,
        stage.moment("d9@16:00", "landlord"),
        "landlord",
        title="Survey of the slab",
        starts=stage.moment("d16@08:30", OWNER),
        minutes=90,
        place="Hall",
        people=(("facility", "accepted"),),
    )
    main = stage.add(
        ToDo,
        stage.moment("d9@10:20", OWNER),
        OWNER,
        text="Empty bays one to four",
        project="Operations",
        due=stage.day(21),
        done=stage.day(21) * DAY + 16 * 60 + 30,
        assignee="logistics",
        priority=2,
        labels=("shelves",),
    )
    stage.comment(main, "d11@09:30", "logistics", "Annex takes half. Where do I put the oranges?")
    stage.comment(main, "d11@10:05", OWNER, "Corridor, labels outwards, until {move}.")
    for text, who in (("Move the label printer out of bay two", "it"), ("Tell the carrier about the closed bays", "")):
        stage.add(
            ToDo,
            main.at + 4,
            OWNER,
            text=text,
            project="Operations",
            due=stage.day(18),
            done=stage.day(18) * DAY + 11 * 60,
            assignee=who,
            parent=main.id,
        )


def branch(stage: Stage) -> None:
    """Two rooms in another town: a page, a rent that comes down, an opening three weeks late for want of a line."""
    rng = stage.rng("terms")
    rent = rng.randrange(1280, 1560, 20)
    asked = rent + rng.choice((140, 160, 180))
    stage.fact("town", "text", rng.choice(_TOWNS))
    stage.fact("rent", "money", asked)
    stage.change("rent", 16, rent)
    items = {"rent": 12 * asked, "line": 1900, "insurance": 2200, "furniture": 5400, "power and water": 3100}
    total = sum(items.values())
    stage.fact("ceiling", "money", -(-total // 1000) * 1000 + 1000)
    for name, number in (("keys", 30), ("dug", 65), ("open", 49)):
        stage.date(name, number)
    stage.change("open", 38, stage.day(70))
    path = "/workspace/branch/budget.csv"
    lines = "".join(f"{name},{value},0,{value}\n" for name, value in items.items())
    stage.file(
        3, OWNER, path, f"item in EUR,plan,spent,left\n{lines}sum,{total},0,{total}\n", name="budget", at="15:10"
    )
    spent = {"rent": 2 * rent, "line": 1850, "insurance": 2200, "furniture": 5120, "power and water": 260}
    lines = "".join(f"{name},{plan},{spent[name]},{plan - spent[name]}\n" for name, plan in items.items())
    all_spent = sum(spent.values())
    text = f"item in EUR,plan,spent,left\n{lines}sum,{total},{all_spent},{total - all_spent}\n"
    stage.file(70, OWNER, path, text, name="budget", at="14:00")
    stage.file(
        31,
        "facility",
        "/workspace/branch/lease_summary.md",
        name="lease",
        at="11:00",
        text="# Rooms in {town}\n\n- {rent} a month with heating, three years\n- keys since {keys:full}\n"
        "- wiring is ours\n- no view\n",
    )
    stage.play("branch")
    stage.add(
        Meeting,
        stage.moment("d16@09:40", "facility"),
        "facility",
        title="Look at two rooms in {town}",
        starts=stage.moment("d18@11:00", "facility"),
        minutes=120,
        place="{branch.town}",
        people=(("it", "accepted"), ("landlord", "accepted")),
        text="Torch, tape measure, nose.",
    )
    stage.add(
        Meeting,
        stage.moment("d43@10:00", OWNER),
        OWNER,
        title="Opening in {town}",
        starts=stage.moment("d70@11:00", OWNER),
        minutes=60,
        place="{branch.town}",
        people=(("ceo", "accepted"), ("support", "accepted"), ("facility", "tentative"), ("marketing", "declined")),
        text="Scissors: {@ceo}. Kettle is there.",
    )
    main = stage.add(
        ToDo,
        stage.moment("d31@09:10", OWNER),
        OWNER,
        text="Open the rooms in {town}",
        project="Branch",
        due=stage.day(70),
        done=stage.day(70) * DAY + 12 * 60,
        section="Before the doors open",
        labels=("branch",),
    )
    for text, who, number in (
        ("Electrician for the sockets", "facility", 36),
        ("Order the line", "it", 38),
        ("Bench, lamp, spares for a month", "", 63),
        ("Sign above the door", "facility", 63),
    ):
        stage.add(
            ToDo,
            main.at + number,
            OWNER,
            text=text,
            project="Branch",
            due=stage.day(number),
            done=stage.day(number) * DAY + 16 * 60,
            assignee=who,
            parent=main.id,
            section="Before the doors open",
        )
    later = stage.add(
        ToDo,
        stage.moment("d71@09:30", OWNER),
        OWNER,
        text="Count spares in {town} once a month",
        project="Branch",
        due=stage.day(98),
        done=stage.day(98) * DAY + 10 * 60,
        assignee="it",
        section="Afterwards",
    )
    stage.comment(main, "d42@10:15", "it", "They dig until {dug}. I've seen the hole; it's a proper hole.")
    stage.comment(later, "d98@09:50", "it", "Nothing missing. One spare too many, which is a first.")
    stage.add(
        Note,
        stage.moment("d18@15:30", OWNER),
        OWNER,
        title="{town}, first look",
        tags=("branch",),
        text="- dry, says {@facility}\n- sockets older than me\n- bakery next door, dangerous",
    )
