"""Story lines of money: a carrier who wants more, and a customer who counts."""

from __future__ import annotations

from benchmarks.office.ledger import DAY, Meeting, Note, ToDo
from benchmarks.office.people import OWNER
from benchmarks.office.stage import Stage

__all__ = ("dispute", "price_rise")


def price_rise(stage: Stage) -> None:
    """A carrier asks for a fifth more; half the pallets become flexible, and a list keeps the figure from before."""
    rate = stage.rng("terms").randrange(60, 75)
    asked, agreed = rate * 6 // 5, rate * 27 // 25
    for name, value in (
        ("rate", rate),
        ("asked", asked),
        ("agreed", agreed),
        ("cheap", rate - 3),
        ("limit", agreed + 2),
        ("dear", asked + 6),
    ):
        stage.fact(name, "money", value)
    stage.date("from", 28)
    stage.change("from", 12, stage.day(35))
    compared = stage.file(
        4,
        "logistics",
        "/workspace/suppliers/carriers.csv",
        name="compare",
        at="13:50",
        text="carrier,EUR per pallet place,remark\n{office.freight},{asked:num},knows our dock\n"
        "the cheap one,{cheap:num},drops boxes\nthe dear one,{dear:num},sings\n",
    )
    stage.file(
        14,
        "freight",
        "/workspace/contracts/carrier_rates.md",
        name="contract",
        at="09:05",
        text="# Rates\n\nA pallet place to the mainland: {agreed}, from {from:full}, for twelve months.\n"
        "Half the places are flexible by a day.\n",
    )
    stage.play("price_rise")
    stage.error("stale record", [compared], "the table has {asked}, agreed is {agreed}")
    stage.add(
        Meeting,
        stage.moment("d4@16:10", OWNER),
        OWNER,
        title="{office.freight}: what do we offer?",
        starts=stage.moment("d8@11:00", OWNER),
        minutes=30,
        place="Small room",
        people=(("planner", "accepted"), ("logistics", "accepted"), ("controller", "tentative")),
        text="Flexible days are our coin. The limit is {limit}.",
    )
    task = stage.add(
        ToDo,
        stage.moment("d15@09:30", OWNER),
        OWNER,
        text="Mark flexible pallets in the loading list",
        project="Suppliers",
        due=stage.day(33),
        done=stage.day(32) * DAY + 10 * 60,
        assignee="planner",
        labels=("carrier",),
    )
    stage.comment(task, "d18@11:15", "planner", "Letter F in column six. {@logistics} has been shown, twice.")
    stage.add(
        Note,
        stage.moment("d14@12:30", OWNER),
        OWNER,
        title="Carrier",
        tags=("suppliers",),
        text="{agreed} a place from {from}, a year. They asked {asked}; we paid {rate}. Flexible half, ask {@planner}.",
    )


def dispute(stage: Stage) -> None:
    """A customer holds back a payment and is right; a slip was missing; the sum becomes smaller and the day later."""
    rng = stage.rng("terms")
    unit, freight, got = rng.choice((46, 52, 58)), rng.choice((38, 44)), rng.randrange(9, 16)
    stage.fact("got", "count", got)
    stage.fact("billed", "money", unit * (got + 2) + freight)
    stage.fact("right", "money", unit * (got + 2))
    stage.date("due", 14)
    stage.change("due", 4, stage.day(28))
    for name, number in (("one", -8), ("two", -1)):
        stage.date(name, number)
    head = (
        "position,delivered,quantity,unit price,total\n"
        f"probe,{{one:iso}},{got},{unit},{got * unit}\nprobe,{{two:iso}},2,{unit},{2 * unit}\n"
    )
    path = "/workspace/finance/statement_probes.csv"
    stage.file(
        4, OWNER, path, head + f"freight,,1,{freight},{freight}\nsum,,,,{{billed:num}}\n", name="statement", at="10:50"
    )
    stage.file(5, "controller", path, head + "sum,,,,{right:num}\n", name="statement", at="16:00")
    stage.play("dispute")
    task = stage.add(
        ToDo,
        stage.moment("d5@09:15", OWNER),
        OWNER,
        text="A slip of its own for what is missing",
        project="Operations",
        due=stage.day(21),
        done=stage.day(22) * DAY + 9 * 60 + 40,
        assignee="logistics",
        labels=("paper",),
    )
    stage.comment(task, "d17@14:10", "logistics", "Printer does both slips in one go now. I only grumbled once.")
    stage.add(
        Meeting,
        stage.moment("d1@16:20", "controller"),
        "controller",
        title="Probes for {office.regular}: two slips",
        starts=stage.moment("d3@14:00", "controller"),
        minutes=30,
        place="Small room",
        people=(("logistics", "accepted"), ("am1", "declined")),
    )
