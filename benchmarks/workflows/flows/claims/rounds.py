"""Rounds of returned goods: firms and their terms, claims drawn line by line, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from random import Random
from typing import Final, NamedTuple

from benchmarks.workflows.plan import cents

__all__ = ("MOST_FREIGHT", "RATES", "ROUNDS", "Claim", "Firm", "Invoice", "Line", "Round", "Settled", "settle")

_OURS: Final = frozenset({"defect", "transit", "wrong item"})
"""Reasons that are our fault."""
MOST_FREIGHT: Final = Decimal("21.50")
"""EUR of freight that a claim can have."""
RATES: Final = {
    ("GBP", "2025-11"): "1.142", ("GBP", "2025-12"): "1.147", ("GBP", "2026-01"): "1.153", ("GBP", "2026-02"): "1.161",
    ("GBP", "2026-03"): "1.168", ("CAD", "2025-11"): "0.621", ("CAD", "2025-12"): "0.614", ("CAD", "2026-01"): "0.632",
    ("CAD", "2026-02"): "0.627", ("CAD", "2026-03"): "0.638",
}  # fmt: skip
_PRICES: Final = {
    "logger": 2960, "door probe": 1485, "wall cradle": 940, "battery door": 385, "probe sleeve": 655,
    "mount plate": 795, "data cable": 1120, "gateway": 5810,
}  # fmt: skip
"""Product -> what it costs about, in hundredths. Gateways are dear, and stand in claims near a limit only."""


class Firm(NamedTuple):
    """A customer with its terms. `moved`: where its contact is written to by now."""

    name: str
    domain: str
    contact: str
    owner: str
    currency: str
    days: int
    fee: int
    days_before: int
    fee_before: int
    moved: str = ""


class Invoice(NamedTuple):
    """An invoice with its rebate in percent, and what single pieces cost on it. `printed` is the rebate it names."""

    number: str
    day: str
    firm: int
    rebate: int
    printed: int
    prices: Mapping[str, Decimal]


class Line(NamedTuple):
    """A line of a claim. `said` and `reason` are the customer's; `came` and `seen` hold once all is read."""

    product: str
    said: int
    invoice: str
    reason: str
    hall: int
    came: int
    seen: str
    lot: str


class Claim(NamedTuple):
    """A claim. `state` is "" for one that is settled, else "twice" or "late"."""

    number: str
    firm: int
    wish: str
    back: str
    waybill: str
    freight: Decimal
    lines: tuple[Line, ...]
    state: str = ""


class Settled(NamedTuple):
    """What comes of a claim in EUR; `sent` is pieces by line, counted from 1."""

    claim: Claim
    goods: Decimal
    freight: Decimal
    sent: Mapping[int, int]

    @property
    def pieces(self) -> int:
        """All that came."""
        return sum(line.came for line in self.claim.lines)

    @property
    def credit(self) -> Decimal:
        """What they get."""
        return self.goods + self.freight


@dataclass(frozen=True, kw_only=True)
class Round:
    """What is particular about a round.

    `fees`: customers whose fee was changed since the file, by their number; `first_word`: what it was changed to before
    that. `asked`: for whom `author` would like to waive it, which nobody takes up. `part`: what stock there is goes
    out, and the rest is credited. `least`: smaller credits are not paid. `half`: in the first half of the time to
    return the fee is half. `recall`: a lot that is taken back whatever was found. `near`: credits that some claims come
    to. `grace`: an invoice whose goods may come back until a later day.
    """

    tag: str
    last: str
    first: int
    firms: tuple[Firm, ...]
    near: tuple[int, ...]
    fees: Mapping[int, int]
    asked: int
    author: str
    first_word: int = -1
    part: bool = False
    least: str = "0"
    half: bool = False
    recall: str = ""
    invoices: Mapping[str, Invoice]
    claims: tuple[Claim, ...]
    stock: Mapping[str, tuple[int, int]]
    grace: tuple[str, str] = ("", "")


def settle(of: Round) -> list[Settled]:
    """What comes of each claim that is settled, by number."""
    free = {name: shelf - promised for name, (shelf, promised) in of.stock.items()}
    found = []
    for claim in sorted((claim for claim in of.claims if not claim.state), key=lambda each: (each.back, each.number)):
        goods, ours, sent = Decimal(0), 0, dict[int, int]()
        for number, line in enumerate(claim.lines, 1):
            reason = "defect" if of.recall and line.lot == of.recall else line.seen
            credited, fee = line.came, Decimal(0)
            if reason in _OURS:
                ours += line.came
                if claim.wish == "replace" and free[line.product] and (of.part or free[line.product] >= line.came):
                    sent[number] = min(free[line.product], line.came)
                    free[line.product] -= sent[number]
                    credited -= sent[number]
            elif reason == "unwanted":
                fee = _fee(of, claim, of.invoices[line.invoice])
            else:
                fee = Decimal(100)
            goods += _worth(of, claim, line, credited, fee)
        pieces = sum(line.came for line in claim.lines)
        rate = _rate(of.firms[claim.firm].currency, claim.waybill)
        freight = min(cents(claim.freight * ours / pieces * rate), MOST_FREIGHT)
        if goods + freight < Decimal(of.least):
            goods = freight = Decimal("0.00")
        found.append(Settled(claim, goods, freight, sent))
    return sorted(found, key=lambda each: each.claim.number)


def _worth(of: Round, claim: Claim, line: Line, pieces: int, fee: Decimal) -> Decimal:
    invoice = of.invoices[line.invoice]
    price = invoice.prices[line.product] * (100 - invoice.rebate) / 100
    return cents(price * pieces * (100 - fee) / 100 * _rate(of.firms[claim.firm].currency, invoice.day))


def _fee(of: Round, claim: Claim, invoice: Invoice) -> Decimal:
    """Percent that are kept of unwanted goods; all of it where they came too late."""
    firm, before = of.firms[claim.firm], invoice.day < "2026"
    days = firm.days_before if before else firm.days
    took = (date.fromisoformat(claim.back) - date.fromisoformat(invoice.day)).days
    if took > days and not (invoice.number == of.grace[0] and claim.back <= of.grace[1]):
        return Decimal(100)
    fee = Decimal(of.fees.get(claim.firm, firm.fee_before if before else firm.fee))
    return fee / 2 if of.half and took * 2 <= days else fee


def _rate(currency: str, day: str) -> Decimal:
    return Decimal(1) if currency == "EUR" else Decimal(RATES[currency, day[:7]])


# -- drawing


def _less(day: str, days: int) -> str:
    return (date.fromisoformat(day) - timedelta(days=days)).isoformat()


def _drawn(of: Round) -> Round:
    """The round with its invoices, claims and stock."""
    draw = Random(f"claims {of.tag}")
    invoices = {}
    for firm, terms in enumerate(of.firms):
        for n in range(6):
            # None is as old as just the days to return, so that nothing hangs on how a border is read.
            old = (terms.days - 9, terms.days - 4, terms.days + 3, 16, 74, terms.days + 17)[n] + draw.randint(0, 1) * 2
            number = f"INV-{of.first * 10 + firm * 61 + n * 7 + draw.randint(0, 5)}"
            rebate = draw.choice((0, 0, 3, 4, 6))
            prices = {name: Decimal(round(cost * draw.uniform(0.93, 1.09))) / 100 for name, cost in _PRICES.items()}
            printed = rebate
            if (firm, n) == (2, 1):
                rebate, printed = 5, 0
            invoices[number] = Invoice(number, _less(of.last, old), firm, rebate, printed, prices)
    stock = {name: (draw.randint(12, 30), 0) for name in _PRICES}
    stock = {name: (shelf, shelf - draw.randint(3, 9)) for name, (shelf, _) in stock.items()}
    of = replace(of, invoices=invoices, stock=stock)
    claims: list[Claim] = []
    for n in range(28):
        number, firm = f"CL-{of.first + n}", draw.randrange(4) if n > 7 else n % 4
        back = _less(of.last, draw.choice((0, 1, 3, 4, 5, 6, 7, 8, 10, 11)))
        wish = "credit" if n < len(of.near) else draw.choice(("credit", "credit", "replace"))
        freight = Decimal(draw.randint(820, 4100)) / 100
        claim = Claim(number, firm, wish, back, _less(back, draw.randint(4, 8)), freight, _lines(draw, of, firm, back))
        claims.append(claim)
    if of.least != "0":
        claims[9:11] = [_small(of, claim, pieces) for claim, pieces in zip(claims[9:11], (4, 5), strict=True)]
    of = replace(of, grace=_grace(of, claims[6:13]))
    for n, target in enumerate(of.near):
        claims[n], of = _near(draw, of, claims[n], n, target)
    doubled = claims[13]
    other = [number for number in of.invoices if of.invoices[number].firm == doubled.firm]
    lines = tuple(
        line._replace(invoice=other[other.index(line.invoice) - 1]) if n == 1 else line
        for n, line in enumerate(doubled.lines)
    )
    claims.append(doubled._replace(number=f"CL-{of.first + 28}", lines=lines, state="twice"))
    for n in (20, 25):
        back = _less(of.last, -1 if of.last > "2026-03-16" else -2)
        claims[n] = claims[n]._replace(back=back, waybill=_less(back, 5), state="late")
    mixed = sorted(claims[:28], key=lambda _: draw.random())
    mixed = [claim._replace(number=f"CL-{of.first + place}") for place, claim in enumerate(mixed)]
    return _corrected(draw, replace(of, claims=(*mixed, claims[28])))


def _lines(draw: Random, of: Round, firm: int, back: str) -> tuple[Line, ...]:
    found = []
    numbers = [number for number, invoice in of.invoices.items() if invoice.firm == firm]
    for product in draw.sample([name for name in _PRICES if name != "gateway"], draw.choice((4, 5, 5, 6))):
        pieces = draw.randint(2, 9)
        reason = draw.choice(("unwanted", "unwanted", "unwanted", "defect", "transit", "wrong item"))
        lot = f"{product[0].upper()}25-{draw.randint(6, 11):02d}"
        number = draw.choice([number for number in numbers if _clear(of, firm, of.invoices[number], back)])
        found.append(Line(product, pieces, number, reason, pieces, pieces, reason, lot))
    return tuple(found)


def _small(of: Round, claim: Claim, pieces: int) -> Claim:
    """The claim with a few cheap things, so that it comes to less than is paid, or to a little more."""
    claim = claim._replace(firm=2, wish="credit")
    fees = {
        number: _fee(of, claim, invoice)
        for number, invoice in of.invoices.items()
        if invoice.firm == 2 and _clear(of, 2, invoice, claim.back)
    }
    number = min(fees, key=lambda each: fees[each])
    line = Line("battery door", pieces, number, "unwanted", pieces, pieces, "unwanted", "B25-10")
    return claim._replace(
        lines=(line, line._replace(product="wall cradle", seen="misuse", reason="defect", lot="W25-10"))
    )


def _clear(of: Round, firm: int, invoice: Invoice, back: str) -> bool:
    """Whether it is beyond doubt if goods of an invoice came in time, and in the first half of it."""
    days = of.firms[firm].days_before if invoice.day < "2026" else of.firms[firm].days
    took = (date.fromisoformat(back) - date.fromisoformat(invoice.day)).days
    return took > 0 and took != days and took * 2 not in (days - 1, days, days + 1)


def _near(draw: Random, of: Round, claim: Claim, n: int, target: int) -> tuple[Claim, Round]:
    """The claim with gateways on an invoice of their own, so that its credit is just about so much."""
    numbers = [number for number, invoice in of.invoices.items() if invoice.firm == claim.firm]
    number = numbers[3 if n < 4 else 5]
    claim = claim._replace(lines=(Line("gateway", 1, number, "defect", 1, 1, "defect", f"G25-{n + 6:02d}"),
                                  *claim.lines[1:]))  # fmt: skip
    invoice = of.invoices[number]
    each = _rate(of.firms[claim.firm].currency, invoice.day) * (100 - invoice.rebate) / 100

    def rest() -> Decimal:
        """What all but the gateways comes to."""
        alone = replace(of, claims=(claim,), least="0")
        return settle(alone)[0].credit - _worth(of, claim, claim.lines[0], claim.lines[0].came, Decimal(0))

    pieces = max(1, round((target - rest()) / (Decimal("58.10") * each)))
    line = claim.lines[0]._replace(said=pieces, hall=pieces, came=pieces)
    claim = claim._replace(lines=(line, *claim.lines[1:]))
    price = ((target + Decimal(draw.randint(-40, 40)) / 100 - rest()) / pieces / each).quantize(Decimal("0.01"))
    prices = {**invoice.prices, "gateway": price}
    return claim, replace(of, invoices={**of.invoices, number: invoice._replace(prices=prices)})


def _corrected(draw: Random, of: Round) -> Round:
    """The round with what was wrong at first: reasons that the bench does not share, counts that were done again.

    What holds stays as it is; so the credits of claims near a limit do, and what papers say at first is beside them.
    """
    near = [claim for claim in of.claims if any(line.product == "gateway" for line in claim.lines)]
    doubled = of.claims[-1].lines[0]
    others = [claim for claim in of.claims if claim not in near and not claim.state and claim.lines[0] != doubled]
    changed = {}
    for n, claim in enumerate([*near[:4], *draw.sample(others, 4)]):
        place = next((p for p, line in enumerate(claim.lines) if line.seen != "unwanted" and p), len(claim.lines) - 1)
        line = claim.lines[place]
        if n in (0, 5):
            line = line._replace(said=line.came + 2, hall=line.came + (1 if n else -1))
        else:
            line = line._replace(reason="unwanted" if line.seen != "unwanted" else "defect")
        changed[claim.number] = claim._replace(lines=(*claim.lines[:place], line, *claim.lines[place + 1 :]))
    for claim in [claim for claim in others if claim.number not in changed][:3]:
        line = claim.lines[0]._replace(said=claim.lines[0].came + 1)
        changed[claim.number] = claim._replace(lines=(line, *claim.lines[1:]))
    misused = [claim for claim in others if claim.number not in changed and claim.wish == "credit"][:2]
    for claim in misused:
        line = claim.lines[-1]._replace(reason="defect", seen="misuse")
        changed[claim.number] = claim._replace(lines=(*claim.lines[:-1], line))
    claims = tuple(changed.get(claim.number, claim) for claim in of.claims)
    return replace(of, claims=claims)


def _grace(of: Round, claims: Sequence[Claim]) -> tuple[str, str]:
    """An invoice of which something came too late, and a day on which it would have been in time."""
    invoice, back = next(
        (line.invoice, claim.back)
        for claim in claims for line in claim.lines
        if line.seen == "unwanted" and _fee(of, claim, of.invoices[line.invoice]) == 100
    )  # fmt: skip
    return invoice, _less(back, -1)


@cache
def _rounds() -> tuple[Round, ...]:
    return tuple(map(_drawn, _GIVEN))


_NOTHING: Final[Mapping[str, Invoice]] = {}
_GIVEN: Final = (
    Round(
        tag="0313", last="2026-03-13", first=401, fees={1: 0}, asked=3, author="sdr",
        near=(647, 789, 633, 629, 556, 544),
        firms=(
            Firm("Ashmere Creamery", "ashmerecreamery.example", "Petra Lund", "am1", "EUR", 30, 15, 88, 10),
            Firm("Bellcote Vaccines", "bellcotevaccines.example", "Rupert Oyelaran", "am1", "GBP", 45, 20, 70, 20),
            Firm("Corrie Fisheries", "corriefisheries.example", "Isla Munro", "am1", "EUR", 33, 10, 80, 5,
                 "isla.munro@corrieseafoods.example"),
            Firm("Dunmow Couriers", "dunmowcouriers.example", "Stefan Braid", "am1", "EUR", 26, 25, 81, 15),
        ),
        invoices=_NOTHING, claims=(), stock={},
    ),
    Round(
        tag="0316", last="2026-03-16", first=431, fees={2: 8}, asked=1, author="am2", first_word=5, part=True,
        least="15", near=(557, 791, 545, 541, 536),
        firms=(
            Firm("Elmhurst Blood Bank", "elmhurstblood.example", "Carys Whitlock", "am2", "CAD", 30, 12, 84, 12),
            Firm("Fallow Ridge Farms", "fallowridge.example", "Dale Koskinen", "am2", "CAD", 40, 18, 90, 8),
            Firm("Garrick Ices", "garrickices.example", "Noor Baptiste", "am2", "EUR", 35, 20, 72, 20),
            Firm("Hexworth Labs", "hexworthlabs.example", "Lionel Trask", "am2", "EUR", 27, 10, 78, 15,
                 "claims@hexworthlabs.example"),
        ),
        invoices=_NOTHING, claims=(), stock={},
    ),
    Round(
        tag="0317", last="2026-03-17", first=461, fees={0: 30}, asked=2, author="am1", half=True, recall="D25-09",
        near=(789, 794, 771, 766, 648, 633),
        firms=(
            Firm("Inverlea Transport", "inverleatransport.example", "Moira Castle", "am1", "EUR", 40, 20, 80, 10),
            Firm("Jarrow Cold Store", "jarrowcold.example", "Bram Attwell", "am1", "EUR", 30, 16, 90, 16,
                 "b.attwell@jarrowgroup.example"),
            Firm("Kelso Pharmacy Supply", "kelsopharmacy.example", "Anya Featherby", "am1", "GBP", 28, 24, 84, 12),
            Firm("Lydd Produce", "lyddproduce.example", "Oscar Penhale", "am1", "EUR", 36, 14, 74, 14),
        ),
        invoices=_NOTHING, claims=(), stock={},
    ),
)  # fmt: skip
ROUNDS: Final = _rounds()
