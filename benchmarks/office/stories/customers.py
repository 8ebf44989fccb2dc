"""A customer from first mail to signed order, one that is lost, and an old one with an invoice in between."""

from __future__ import annotations

from benchmarks.office.ledger import DealStep, Meeting, Note, ToDo
from benchmarks.office.names import BRANCHES, DEALS
from benchmarks.office.people import OWNER
from benchmarks.office.stage import Stage, weekday

__all__ = ("deal", "deal_lost", "pipeline")

_OFFER = """\
position,currency,quantity,unit price,total
logger,EUR,{units},{unit},{loggers}
gateway,EUR,{gateways},{gateway_price},{gateway_total}
fitting,EUR,{days},{day_price},{fitting}
service (first year),EUR,1,{service},{service}
sum,,,,{price:num}
"""


def deal(stage: Stage) -> None:
    """Two cold stores: asked about, visited, offered, offered for less, signed, fitted."""
    rng = stage.rng("terms")
    units, unit, gateways = rng.randrange(64, 132, 4), rng.choice((149, 155, 162, 168)), rng.randint(9, 13)
    gateway, per_day, service = 320, rng.choice((1150, 1200, 1260)), rng.choice((1800, 2150, 2400))

    def sheet(gateways: int, days: int) -> tuple[int, str]:
        parts = {
            "units": units,
            "unit": unit,
            "loggers": units * unit,
            "gateways": gateways,
            "gateway_price": gateway,
            "gateway_total": gateways * gateway,
            "days": days,
            "day_price": per_day,
            "fitting": days * per_day,
            "service": service,
        }
        text = _OFFER
        for key, value in parts.items():
            text = text.replace(f"{{{key}}}", str(value))
        return units * unit + gateways * gateway + days * per_day + service, text

    full, full_sheet = sheet(gateways, 5)
    less, less_sheet = sheet(gateways - 2, 4)
    stage.fact("units", "count", units)
    stage.fact("unit", "money", unit)
    stage.fact("gateway", "money", gateway)
    stage.fact("price", "money", full)
    stage.change("price", 22, less)
    for name, number in (("visit", 9), ("first", 44), ("second", 62), ("deadline", 30), ("quoted", 18)):
        stage.date(name, number)
    path = "/workspace/customers/offer_{quoted:file}.csv"
    stage.file(17, "am1", path, full_sheet, name="quote", at="09:15")
    stage.file(22, "am1", path, less_sheet, name="quote", at="08:40")
    for number, stage_name, who, note in (
        (0, "Lead", "am1", ""),
        (14, "Qualified", "am1", "Visited both stores. Older one first; worried about late delivery."),
        (18, "Proposal", "am1", "Offer of {price} sent, sheet followed a little later."),
        (22, "Negotiation", "am1", "Two gateways fewer, one day of fitting less: {price} now."),
        (28, "Won", "am1", "Signed at {price}. First store {first:iso}, second {second:iso}."),
    ):
        stage.add(
            DealStep,
            stage.moment(f"d{number}@17:20", who),
            who,
            deal="deal",
            stage=stage_name,
            note=note,
            amount=f"{stage.story}.price",
            reason="Promise about late batches" if stage_name == "Won" else "",
        )
    stage.ledger.deals["deal"] = {
        "title": "Loggers for two cold stores",
        "company": "client",
        "contact": "buyer",
        "owner": "am1",
        "close": stage.ledger.facts["deal.deadline"].id,
    }
    stage.add(
        Meeting,
        stage.moment("d2@09:30", "am1"),
        "am1",
        title="Visit to {office.client}",
        starts=stage.moment("d9@10:30", "am1"),
        minutes=120,
        place="{office.client}, goods entrance",
        people=(("buyer", "accepted"),),
        text="Bring two demo units. Warm socks.",
    )
    for n, (name, text) in enumerate((("first", "older"), ("second", "newer"))):
        day = int(stage.ledger.facts[f"{stage.story}.{name}"].at(0))
        day_before = day - (3 if weekday(day) == 0 else 1)
        task = stage.add(
            ToDo,
            stage.moment(f"d{29 + n}@08:50", OWNER),
            OWNER,
            text=f"Lorry to the {text} store of {{office.client}}",
            project="Deliveries",
            due=day,
            done=day * 1440 + 17 * 60,
            assignee="logistics",
            priority=2,
        )
        stage.add(
            ToDo,
            task.at + 4,
            OWNER,
            text="Ask for somebody with keys to the roof space",
            project="Deliveries",
            due=day_before,
            done=day_before * 1440 + 15 * 60,
            parent=task.id,
        )
    stage.add(
        Note,
        stage.moment("d9@15:40", OWNER),
        OWNER,
        title="{office.client}: what I saw",
        tags=("customers",),
        text="- walls of forty centimetres, signal fine by the door\n- goods entrance, front door sticks\n"
        "- {@@buyer} decides what, {@@buyer_boss} whether",
    )
    stage.play("deal")
    followup = stage.marks["followup"]
    stage.error("forgotten attachment", [stage.marks["empty"], followup], "the sheet came sixteen minutes later")


def deal_lost(stage: Stage) -> None:
    """A trial that pleases and an order that goes elsewhere. The CRM still has the deal as a proposal."""
    price = stage.rng("terms").randrange(7200, 9900, 40)
    stage.fact("price", "money", price)
    stage.date("ship", 3)
    stage.date("holds", 35)
    for number, name in ((1, "Lead"), (4, "Qualified"), (22, "Proposal")):
        last = stage.add(
            DealStep,
            stage.moment(f"d{number}@16:00", "am2"),
            "am2",
            deal="lost",
            stage=name,
            amount=f"{stage.story}.price",
            note="Forty units quoted at {price}." if number == 22 else "",
        )
    stage.ledger.deals["lost"] = {
        "title": "Packing hall, forty units",
        "company": "prospect",
        "contact": "prospect",
        "owner": "am2",
        "close": f"{stage.story}.holds",
    }
    stage.add(
        ToDo,
        stage.moment("d1@14:20", OWNER),
        OWNER,
        text="Ship four trial units to {office.prospect}",
        project="Deliveries",
        due=stage.day(3),
        done=stage.day(3) * 1440 + 11 * 60,
    )
    stage.play("deal_lost")
    stage.error("stale record", [last], "lost to a house that leases; the CRM was never told")


def pipeline(stage: Stage) -> None:
    """What else is in the CRM: smaller deals without much talk."""
    rng, outside = stage.rng("deals"), stage.ledger.company.outside
    of_client, of_prospect = (DEALS[BRANCHES[outside[home]]] for home in ("client", "prospect"))
    for n, (title, company, contact, who, steps) in enumerate(
        (
            ("Two more chambers", "regular", "regular", "am1", ("Lead", "Proposal", "Won")),
            (of_client[0], "client", "buyer", "am1", ("Lead", "Qualified", "Proposal")),
            ("Ferry terminal", "prospect", "prospect", "am2", ("Lead", "Qualified", "Proposal", "Negotiation")),
            (of_prospect[2], "prospect", "prospect", "am2", ("Lead", "Lost")),
            (of_client[1], "client", "buyer", "am1", ("Lead", "Qualified", "Lost")),
            ("Service year, prolonged", "regular", "regular", "am1", ("Proposal", "Won")),
        )
    ):
        key = f"deal{n}"
        stage.fact(f"sum{n}", "money", rng.randrange(900, 16000, 50))
        stage.date(f"close{n}", 8 + 19 * n + 30 + (120 if steps[-1] == "Proposal" else 0))
        for step, name in enumerate(steps):
            stage.add(
                DealStep,
                stage.moment(f"d{8 + 19 * n + 9 * step}@15:30", who),
                who,
                deal=key,
                stage=name,
                amount=f"{stage.story}.sum{n}",
                reason="No budget this year" if name == "Lost" else "",
            )
        stage.ledger.deals[key] = {
            "title": title,
            "company": company,
            "contact": contact,
            "owner": who,
            "close": f"{stage.story}.close{n}",
        }
