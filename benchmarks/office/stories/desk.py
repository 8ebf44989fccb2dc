"""What lies in shared folders and on desks beside all stories: lists, procedures, tasks, short words, busy times."""

from __future__ import annotations

import csv
import json
import re
from functools import cache
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from benchmarks.office.ledger import DAY, Busy, DealStep, ToDo
from benchmarks.office.people import OWNER, Person
from benchmarks.office.stage import Stage, weekday, workday

__all__ = ("colleagues", "desk", "papers", "sheets")

_STOCK = (
    ("logger", "bay one", 40), ("gateway", "bay one", 12), ("probe", "bay two", 60), ("enclosure", "bay two", 130),
    ("battery pack", "bay three", 90), ("label roll", "bay three", 25), ("corner board", "bay four", 400),
    ("mounting plate", "bay four", 75),
)  # fmt: skip
_TEAM = ("planner", "logistics", "facility", "it")

_LATER = {"Europe/Helsinki": -120, "America/Toronto": 300}
"""How many minutes later than in the office a working day begins elsewhere."""


class _Paper(NamedTuple):
    path: str
    who: str
    day: int
    text: str


@cache
def _papers() -> tuple[_Paper, ...]:
    text = (Path(__file__).parent / "papers.txt").read_text(encoding="utf-8")
    found = []
    for part in re.split(r"^# (?=/workspace)", text, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        path, who, day = (each.strip() for each in head.split("|"))
        found.append(_Paper(path, who, int(day), body.strip() + "\n"))
    return tuple(found)


def _day(number: int) -> str:
    """The name of a fact that is that day."""
    return f"dm{-number}" if number < 0 else f"d{number}"


def _table(head: str, *rows: tuple[object, ...]) -> str:
    """Rows as a spreadsheet exports them; facts are named in cells."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([head.split(","), *rows])
    return text.getvalue()


def _works(person: Person, day: int) -> bool:
    return weekday(day) < 5 and person.works(day)


def papers(stage: Stage) -> None:
    """Procedures, minutes and notes, each as somebody wrote it one day."""
    for n, each in enumerate(_papers()):
        stage.file(each.day, each.who, each.path, each.text, name=f"paper{n}")


def sheets(stage: Stage) -> None:
    """Tables as spreadsheets export them, and what devices export. Their figures are those of facts, or add up."""
    _stock(stage)
    _money(stage)
    _who_is_where(stage)
    _customers(stage)
    _devices(stage)


def _stock(stage: Stage) -> None:
    rng = stage.rng("stock")
    for n, day in enumerate((-156, -91, -29)):
        counts = [(name, place, usual + rng.randrange(-usual // 3, usual // 3)) for name, place, usual in _STOCK]
        path = f"/workspace/operations/stock/stock_list{f'_{{{_day(day)}:file}}' if n else ''}.csv"
        text = _table("item,place,units", *counts, ("sum", "", sum(count for *_, count in counts)))
        stage.file(day, "planner", path, text, name=f"stock{n}", at="10:05")
    text = _table("item,order below", *((name, usual // 3) for name, _, usual in _STOCK))
    stage.file(-90, "planner", "/workspace/operations/stock/reorder_points.csv", text, name="reorder", at="14:15")


def _money(stage: Stage) -> None:
    """The budget by month, and small lists that add up."""
    rng = stage.rng("money lists")
    plan = rng.randrange(4200, 5200, 100)
    used = [plan + rng.randrange(-420, 380, 10) for _ in range(5)]
    months = [(f"{{{_day(-165 + 30 * n)}:month}}", "EUR", plan, each, plan - each) for n, each in enumerate(used)]
    total = ("sum", "", 5 * plan, sum(used), 5 * plan - sum(used))
    path = "/workspace/finance/operations/budget.csv"
    stage.file(-17, OWNER, path, _table("month,currency,plan,spent,left", *months, total), name="budget", at="16:30")
    for path, head, items, low, high, day, who in (
        ("finance/operations/travel", "what,month,cost in EUR", "trains,rooms,parking,meals", 60, 900, -23, "planner"),
        (
            "finance/operations/petty_cash",
            "what,month,cost in EUR",
            "milk,stamps,tape,cactus,salt",
            3,
            40,
            -9,
            "junior",
        ),
        ("finance/overtime", "team,month,hours", "hall,planning,support", 8, 46, -30, "controller"),
        ("operations/breakages", "what,month,units", "lids,corners,screens,dropped", 1, 12, -27, "logistics"),
        ("operations/late_deliveries", "cause,month,deliveries", "carrier,stock,us", 1, 9, -34, "planner"),
    ):
        lines = [(item, f"{{{_day(day - 21)}:month}}", rng.randrange(low, high)) for item in items.split(",")]
        text = _table(head, *lines, ("sum", "", sum(value for *_, value in lines)))
        stage.file(day, who, f"/workspace/{path}.csv", text, name=path)


def _who_is_where(stage: Stage) -> None:
    """Rota, attendance, leave and telephone numbers, as they were on the day of the list."""
    company = stage.ledger.company
    team = [company.person(key) for key in _TEAM]
    for n, monday in enumerate((-58, -37, -9)):
        lines = [
            (f"{{{_day(day)}:iso}}", person.name, shift)
            for turn, day in enumerate(range(monday, monday + 5))
            for shift, place in (("early", turn), ("late", turn + 1))
            if _works(person := team[(place + n) % len(team)], day)
        ]
        path = f"/workspace/operations/rota/rota_{{{_day(monday)}:file}}.csv"
        stage.file(monday - 5, "planner", path, _table("day,name,shift", *lines), name=f"rota{n}", at="15:20")
    days = [day for day in range(-30, -18) if weekday(day) < 5]
    text = _table(
        "name,day,there",
        *(
            (person.name, f"{{{_day(day)}:iso}}", "yes" if _works(person, day) else "no")
            for person in (*team, company.person("junior"))
            for day in days
        ),
    )
    stage.file(-18, "hr", "/workspace/people/attendance_hall.csv", text, name="attendance", at="09:40")
    spans = [(person, span) for person in company.people.values() if person.inside for span in person.away]
    lines = []
    for person, span in spans:
        for end, day in zip(("from", "to"), span, strict=True):
            stage.fact(f"{person.key}-{end}", "date", day)
        lines.append((person.name, f"{{{person.key}-from:iso}}", f"{{{person.key}-to:iso}}"))
    stage.file(-132, "hr", "/workspace/people/leave.csv", _table("name,from,to", *lines), name="leave", at="10:30")
    listed = [person for person in company.people.values() if person.inside and person.joined is None]
    day = stage.day(-75)
    text = _table("name,phone,address", *((p.name, p.phones[day >= p.signature_changes], p.address) for p in listed))
    phones = stage.file(-75, "facility", "/workspace/people/phone_list.csv", text, name="phones", at="11:45")
    moved = ", ".join(person.name for person in listed if day < person.signature_changes <= 0)
    stage.error("stale record", [phones], f"other numbers since: {moved}")


def _customers(stage: Stage) -> None:
    """Prices, contacts and the pipeline, as offers and the CRM have them on that day."""
    ledger = stage.ledger
    prices = (("logger", "{deal.unit:num}"), ("gateway", "{deal.gateway:num}"))
    text = _table(
        "position,currency,quantity,unit price,total", *((name, "EUR", 1, price, price) for name, price in prices)
    )
    stage.file(-135, "sales_vp", "/workspace/finance/price_list.csv", text, name="prices", at="16:20")
    at = stage.moment("d-9@15:00", "am2")
    steps: dict[str, DealStep] = {}
    for event in sorted(ledger.of(DealStep), key=lambda each: each.at):
        if event.at < at:
            steps[event.deal] = event
    lines = [(ledger.deals[key]["title"], step.stage, "EUR", f"{{{step.amount}:num}}") for key, step in steps.items()]
    total = sum(int(ledger.facts[step.amount].at(at)) for step in steps.values())
    path = f"/workspace/customers/pipeline_{{{_day(-9)}:file}}.csv"
    text = _table("deal,stage,currency,amount", *lines, ("sum", "", "", total))
    stage.file(-9, "am2", path, text, name="pipeline", at="15:00")
    day = stage.day(-53)
    contacts = [
        (p.name, f"{{office.{p.team}}}", p.title, p.address, p.phones[day >= p.signature_changes])
        for p in ledger.company.people.values()
        if p.team in ("client", "prospect", "regular")
    ]
    text = _table("name,company,title,address,phone", *contacts)
    stage.file(-53, "am1", "/workspace/customers/contacts.csv", text, name="contacts", at="13:15")
    counts = [(f"{{office.{name}}}", count) for name, count in (("client", 2), ("regular", 31), ("prospect", 1))]
    since, total = f"{{{_day(-174)}:iso}}", sum(count for _, count in counts)
    text = _table("customer,since,deliveries", *((name, since, count) for name, count in counts), ("sum", "", total))
    stage.file(-22, "logistics", "/workspace/customers/deliveries.csv", text, name="deliveries", at="12:05")


def _devices(stage: Stage) -> None:
    """What units and machines export: readings with their summary, settings."""
    rng = stage.rng("readings")
    for n, (unit, day, around) in enumerate((("c-0417", -46, 4), ("c-0422", -46, 5), ("f-1103", -15, -19))):
        readings = [round(around + rng.uniform(-1.4, 1.6), 1) for _ in range(12)]
        export = {
            "unit": unit,
            "day": f"{{{_day(day)}:iso}}",
            "count": len(readings),
            "lowest": min(readings),
            "highest": max(readings),
            "readings": [{"minute": 5 * k, "celsius": each} for k, each in enumerate(readings)],
        }
        path = f"/workspace/devices/exports/{unit}.json"
        stage.file(day, "qa", path, json.dumps(export, indent=1) + "\n", name=f"export{n}", at="15:40")
    settings: dict[str, dict[str, object]] = {
        "gateway": {"interval_minutes": 5, "retry_spread_minutes": 10, "buffer_days": 90, "port": 443},
        "alarm": {"silent_site_minutes": 30, "nights": "ring", "repeat_minutes": 15, "beep": "soft"},
        "label_printer": {"width_mm": 62, "speed": "slow", "sings": True},
    }
    for name, values in settings.items():
        path = f"/workspace/devices/config/{name}.json"
        stage.file(-29, "it", path, json.dumps(values, indent=1) + "\n", name=name, at="11:10")


def desk(stage: Stage) -> None:
    """Tasks with sections, labels, subtasks and what people wrote below them, and short words between two."""
    stage.play("desk")
    for text, section, labels, who, (day, due, done), parts, comments in (
        ("Count the hall", "Half year", ("stock",), "planner", (-160, -156, -156), ("Top shelves", "Annex"),
         (("planner", -156, "Both counts agree: stock_list.csv."),)),
        ("Service of the fork-lifts", "Half year", ("hall",), "logistics", (-124, -110, -109), (),
         (("logistics", -112, "Mechanic comes a day earlier, with the small van."),)),
        ("Detectors in the annex", "Safety", ("safety",), "it", (-82, -70, -70), ("Ladder from {@facility}",), ()),
        ("Desk and lamp for the new one", "People", ("people",), "facility", (-70, -59, -60), ("Badge", "Plant"),
         (("facility", -60, "Chair goes up. Down as well, but faster."),)),
        ("Arrows on the floor", "Safety", ("hall", "safety"), "planner", (-44, -30, -27), (),
         (("planner", -31, "Paint is here, dry weather isn't."), ("owner", -30, "Then the dry day after."))),
        ("Try paper instead of foam", "Half year", ("stock",), "logistics", (-27, 9, None), ("Old foam used up",),
         (("junior", -12, "Two bags of foam left, one of them mine to sit on."),)),
        ("Rota for the next four weeks", "Team", ("people",), "planner", (-16, 2, None), (),
         (("planner", -6, "Two holes on late shifts, I'm asking round."),)),
        ("Answer the insurer", "Safety", ("safety", "paper"), "", (-7, 5, None),
         ("Stacking heights from {@logistics}", "Number of cells per shelf"),
         (("owner", -6, "Questions are in insurer_questions.md."),)),
        ("New lease of the photocopier", "Team", ("paper",), "it", (-20, -8, -9), (),
         (("it", -9, "Same machine, less money, fewer songs."),)),
        ("Book the chamber for drop tests", "Half year", ("quality",), "", (-13, -10, -11), (), ()),
    ):  # fmt: skip
        task = stage.add(
            ToDo,
            stage.moment(f"d{day}@09:05", OWNER),
            OWNER,
            text=text,
            project="Operations",
            due=workday(due),
            done=None if done is None else workday(done) * DAY + 16 * 60 + 20,
            assignee=who,
            section=section,
            labels=labels,
            priority=3,
        )
        for n, part in enumerate(parts):
            stage.add(
                ToDo,
                task.at + 3 + n,
                OWNER,
                text=part,
                project="Operations",
                due=task.due,
                done=None if task.done is None else task.done - 60 * (n + 1),
                parent=task.id,
                section=section,
            )
        for who, number, words in comments:
            stage.comment(task, f"d{number}@11:30", who, words)


def colleagues(stage: Stage) -> None:
    """When colleagues are busy in the days around `now`, as far as the owner's calendar is told."""
    company = stage.ledger.company
    for key in ("coo", "planner", "logistics", "product", "sales_vp", "controller", "cto"):
        person, rng = company.person(key), stage.rng("busy", key)
        for day in range(-2, 13):
            if not _works(person, day):
                continue
            at = 9 * 60 + _LATER.get(person.zone, 0) + rng.randrange(0, 150, 30)
            for _ in range(rng.randrange(3)):
                minutes = rng.choice((30, 60, 60, 90))
                stage.add(Busy, -5 * DAY + 9 * 60, key, starts=day * DAY + at, minutes=minutes)
                at += minutes + rng.randrange(30, 180, 30)
