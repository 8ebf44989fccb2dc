"""Relays that stick: stores with their gateways, by region, and who looks after each of them by now."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from random import Random
from typing import Any, Final

from benchmarks.workflows.flows.incident.devices import CLIENTS, Found, Hit, typed
from benchmarks.workflows.layout import Layout

__all__ = ("lay_relays",)

_REGIONS: Final = ("east", "north", "south", "west")
_TOWNS: Final = (
    "Albury", "Bramley", "Corfe", "Dunton", "Elm Hill", "Fawley", "Garth", "Hythe", "Ilford", "Jarrow", "Kelso",
    "Leigh", "Malton", "Newick", "Oakham", "Penrith", "Quorn", "Ripley", "Selby", "Thirsk", "Ulceby", "Viney", "Wells",
    "Yarm",
)  # fmt: skip
_KINDS: Final = ("Wharf", "Market", "Yard", "Road", "Hall", "Court", "Lane", "Cross", "Green", "Mill")
_AFFECTED: Final = (
    ("K-104", "K-201", 13), ("K-130", "K-201", 17), ("K-142", "K-201", 13), ("K-121", "K-204", 19),
    ("K-145", "K-204", 12),
    ("K-109", "", 19), ("K-126", "", 21), ("K-138", "", 21),
)  # fmt: skip
"""Stores with the fault, as the sheets have it: customer, dealer ("" for none), how many."""
_WEEKS: Final = tuple(
    [f"2023-W{week:02d}" for week in range(36, 53) if week != 51] + [f"2024-W{week:02d}" for week in range(1, 9)]
)
_WELL: Final = (("C", "2023-W35"), ("C", "2023-W34"), ("C", "2023-W51"), ("C", "2024-W09"), ("B", ""), ("D", ""))


def _stores(rng: Random) -> list[dict[str, Any]]:
    names = [f"{town} {kind}" for town in _TOWNS for kind in _KINDS]
    rng.shuffle(names)
    wanted = [(customer, dealer, True) for customer, dealer, count in _AFFECTED for _ in range(count)]
    wanted += [(*rng.choice(_AFFECTED)[:2], False) for _ in range(58)]
    rng.shuffle(wanted)
    stores = []
    for customer, dealer, faulty in wanted:
        board, built = ("C", rng.choice(_WEEKS)) if faulty else rng.choice(_WELL)
        built = built or rng.choice(_WEEKS)
        made = date.fromisocalendar(int(built[:4]), int(built[6:]), 1)
        installed = made + timedelta(rng.randint(20, 150))
        plan = rng.choice(
            ("", "", "", "", "2026-01-31", "2026-03-12", "2026-03-31", "2026-08-31", "2026-03-17", "2026-03-19")
        )
        stores.append({
            "store": names.pop(), "customer": customer, "dealer": dealer, "board": board, "built": built, "plan": plan,
            "gateways": rng.choice((1, 1, 1, 1, 2)), "installed": f"{installed}", "region": rng.choice(_REGIONS),
            "faulty": faulty,
        })  # fmt: skip
    return stores


def lay_relays(layout: Layout, folder: str, papers: dict[str, str], companies: dict[str, str]) -> Found:
    """Lay out the sheets of each region and the plans; how many gateways of whom are free and how many are paid."""
    rng = Random("incident: relays")
    stores = _stores(rng)
    head = ("store", "number", "customer", "dealer", "board", "built", "gateways", "installed")
    lists = []
    for region in _REGIONS:
        rows = [
            (
                each["store"], each["customer"], typed(each["customer"], place),
                CLIENTS[each["dealer"]].name if each["dealer"] else "", each["board"], each["built"], each["gateways"],
                each["installed"],
            )
            for place, each in enumerate(stores) if each["region"] == region
        ]  # fmt: skip
        lists.append(layout.sheet(f"/workspace/devices/gateways/{region}.csv", (head, *rows), at="2026-02-27 15:20"))
    plans = sorted((each["store"], each["plan"]) for each in stores if each["plan"])
    papers["plans"] = layout.sheet(
        "/workspace/customers/care_plans.csv", (("store", "plan until"), *plans), at="2026-03-03 11:45"
    )
    left = [each for each in stores if each["faulty"]]
    rng.shuffle(left)

    def taken(customer: str, many: int = 1, **wanted: Any) -> list[dict[str, Any]]:
        """Stores with the fault that nothing was said of yet."""
        found = [
            each for each in left
            if each["customer"] == customer and all(each[key] == value for key, value in wanted.items())
        ][:many]  # fmt: skip
        for each in found:
            left.remove(each)
        return found

    changed = [each for number in ("K-104", "K-121", "K-126", "K-109", "K-138", "K-142") for each in taken(number)]
    twos = [each for number in ("K-130", "K-126", "K-138") for each in taken(number, gateways=2)]
    lines = [(each["store"], each["gateways"], "D", "2025-11-20") for each in changed]
    lines += [(each["store"], 1, "D", "2026-01-15") for each in twos]
    lines += [(each["store"], 1, "C", "2025-10-08") for each in taken("K-109")]
    papers["boards"] = layout.sheet(
        "/workspace/devices/boards_changed.csv", (("store", "gateways", "new board", "day"), *sorted(lines)),
        at="2026-03-06 12:00",
    )  # fmt: skip
    for each in changed:
        each["gateways"] = 0
    for each in twos:
        each["gateways"] -= 1
    mails = _say(layout, companies, taken)
    return Found(
        _hits(stores), sum(each["faulty"] and each["gateways"] > 0 for each in stores), tuple(mails), tuple(lists)
    )


def _hits(stores: list[dict[str, Any]]) -> tuple[Hit, ...]:
    counts: Counter[tuple[str, str, bool]] = Counter()
    for each in stores:
        if each["faulty"]:
            whose = each["dealer"] if each["dealer"] and each["customer"] != "K-142" else each["customer"]
            free = each["installed"] >= "2024-03-18" or each["plan"] >= "2026-03-18"
            counts[whose, each["region"], free] += each["gateways"]
    return tuple(
        Hit(
            number, tuple((r, (counts[number, r, True], counts[number, r, False])) for r in _REGIONS
                          if counts[number, r, True] + counts[number, r, False]),
        )
        for number in CLIENTS if any(whose == number for whose, _, _ in +counts)
    )  # fmt: skip


def _say(layout: Layout, companies: dict[str, str], taken: Any) -> list[str]:
    """What is said of single stores; who may changes them."""
    one, two = taken("K-130", 2, gateways=1)
    three, four = taken("K-121", 2, gateways=1)
    mails = [
        layout.mail(
            "leonie.wark@ottershaw.example",
            f"{one['store']} and {two['store']}",
            "Hello Gareth,\n\nFenwick have emptied "
            f"{one['store']} and {two['store']}, both dark since the weekend.\n\nLeonie Wark\nOttershaw Cold Systems",
            at="2026-03-11 10:30",
        ),
        layout.mail(
            "rosa.kettle@marrick.example",
            f"{three['store']}",
            f"Dear Gareth,\n\n{three['store']} is empty, as of 6 March. "
            f"{four['store']} is not, it is only being painted.\n\nRosa Kettle, Marrick Refrigeration",
            at="2026-03-13 16:20",
        ),
        layout.mail(
            "leonie.wark@ottershaw.example",
            f"{two['store']} again",
            f"Hello Gareth,\n\nFenwick changed their mind and keep "
            f"{two['store']}: it is cold and full of fish. {one['store']} stays empty.\n\nLeonie Wark",
            at="2026-03-16 09:15",
        ),
    ]
    one["gateways"] = three["gateways"] = 0
    unplanned = taken("K-126", 9, plan="", gateways=1)
    five, six = [each for each in unplanned if each["installed"] < "2024-03-18"][:2]
    layout.about(
        companies["K-126"],
        f"Care plan for {five['store']} signed, runs to 30 June 2026. The list will follow.",
        author="am1",
        day="2026-03-10",
    )
    layout.about(
        companies["K-126"],
        f"They would like a care plan for {six['store']} too, nothing signed.",
        author="am1",
        day="2026-03-12",
    )
    five["plan"] = "2026-06-30"
    seven, eight = taken("K-138", 2, gateways=1)
    layout.about(
        companies["K-138"],
        f"{seven['store']} has belonged to Borrowfell since 1 March, with everything in it.",
        author="am1",
        day="2026-03-09",
    )
    seven["customer"] = "K-109"
    (nine,) = taken("K-145", gateways=1)
    layout.about(
        companies["K-145"],
        f"{nine['store']} left Marrick for us on 1 March. We look after it ourselves.",
        author="am1",
        day="2026-03-05",
    )
    layout.about(
        companies["K-145"],
        f"Marrick and Inverdale are friends again: {nine['store']} is with Marrick as before.",
        author="am1",
        day="2026-03-13",
    )
    layout.mail(
        "sdr",
        f"{eight['store']}",
        f"Hello Gareth, I passed {eight['store']} and saw no light. Empty, perhaps?\n\nDelphine",
        at="2026-03-12 17:35",
    )
    (ten,) = taken("K-104", gateways=1)
    layout.message(
        "operations", "junior", f"{ten['store']} may have board D by now, the cover looks new", at="2026-03-13 10:40"
    )
    return mails
