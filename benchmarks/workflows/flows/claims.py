"""A fortnight's returns settled: what came back and why, by whose terms, from stock or as a credit, and who is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final, NamedTuple

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.layout import TODAY, Layout, first, person
from benchmarks.workflows.plan import Plan, amount, cents, says, spoken
from harness.task import Expected

__all__ = ("FLOW",)

_ROOT: Final = "/workspace/customers/claims"
_OURS: Final = frozenset({"defect", "transit", "wrong item"})
"""Reasons that are our fault."""


class _Firm(NamedTuple):
    """A customer with its terms. `moved`: where its contact is written to by now."""

    name: str
    domain: str
    contact: str
    owner: str
    days: int
    fee: int
    days_before: int
    fee_before: int
    moved: str = ""


class _Claim(NamedTuple):
    """A claim. `seen` and `came` are what holds once all is read; `came` is 0 where it counts in no round of ours."""

    number: str
    firm: int
    product: str
    said: int
    invoice: str
    invoiced: str
    price: str
    currency: str
    reason: str
    wish: str
    back: str
    hall: int
    freight: str
    came: int
    seen: str
    lot: str = "-"


class _Round(NamedTuple):
    """What is particular about a round.

    `fees`: customers whose fee was changed since the file, by their number; `first_word`: what it was changed to before
    that. `asked`: for whom `author` would like to waive it, which nobody takes up. `part`: what stock there is goes
    out, and the rest is credited. `least`: smaller credits are not paid. `half`: in the first half of the time to
    return the fee is half. `recall`: a lot that is taken back whatever was found. `glance`: a count
    by somebody whose counts do not hold.
    """

    tag: str
    last: str
    firms: tuple[_Firm, ...]
    claims: tuple[_Claim, ...]
    stock: Mapping[str, tuple[int, int]]
    fees: Mapping[int, int]
    asked: int
    author: str
    first_word: int = -1
    part: bool = False
    least: str = "0"
    half: bool = False
    recall: str = ""
    glance: str = ""


def _claims(text: str) -> tuple[_Claim, ...]:
    """Claims written as lines, in the order of their fields."""
    rows = [line.split(",") for line in text.split("\n") if line]
    return tuple(
        _Claim(*(int(cell) if cell.isdigit() and "-" not in cell else cell for cell in row))  # type: ignore[arg-type]
        for row in rows
    )


_RATES: Final = {
    ("GBP", "2025-11"): "1.14", ("GBP", "2025-12"): "1.14", ("GBP", "2026-01"): "1.15", ("GBP", "2026-02"): "1.16",
    ("GBP", "2026-03"): "1.17", ("CAD", "2025-11"): "0.62", ("CAD", "2025-12"): "0.61", ("CAD", "2026-01"): "0.63",
    ("CAD", "2026-02"): "0.62", ("CAD", "2026-03"): "0.64",
}  # fmt: skip

_ROUNDS: Final = (
    _Round(
        tag="0313", last="2026-03-13", fees={1: 0}, asked=3, author="sdr",
        glance="CL-407 went past me this morning, looked more like 11 to me",
        firms=(
            _Firm("Ashmere Creamery", "ashmerecreamery.example", "Petra Lund", "am1", 30, 15, 60, 10),
            _Firm("Bellcote Vaccines", "bellcotevaccines.example", "Rupert Oyelaran", "am1", 45, 20, 45, 20),
            _Firm("Corrie Fisheries", "corriefisheries.example", "Isla Munro", "am1", 30, 10, 30, 5,
                  "isla.munro@corrieseafoods.example"),
            _Firm("Dunmow Couriers", "dunmowcouriers.example", "Stefan Braid", "am1", 20, 25, 20, 15),
        ),
        claims=_claims("""
CL-401,0,gateway,3,INV-7702,2025-12-15,186.00,EUR,unwanted,credit,2026-03-03,3,18.40,3,unwanted
CL-402,0,logger,14,INV-7761,2026-02-09,64.50,EUR,defect,credit,2026-03-04,14,12.75,9,defect
CL-403,1,logger,10,INV-7748,2026-01-28,58.20,GBP,unwanted,credit,2026-03-06,10,9.60,10,unwanted
CL-404,1,door probe,6,INV-7770,2026-02-16,41.30,GBP,defect,replace,2026-03-09,6,7.85,6,misuse
CL-405,2,door probe,8,INV-7755,2026-02-03,44.90,EUR,transit,replace,2026-03-10,8,22.30,8,transit
CL-406,2,logger,14,INV-7757,2026-02-04,61.75,EUR,defect,replace,2026-03-05,14,16.20,14,defect
CL-407,3,wall cradle,12,INV-7766,2026-02-12,27.40,EUR,unwanted,credit,2026-03-03,12,11.10,12,unwanted
CL-408,0,logger,14,INV-7761,2026-02-09,64.50,EUR,defect,credit,2026-03-04,14,12.75,0,twice
CL-409,3,gateway,2,INV-7779,2026-02-24,198.00,EUR,wrong item,replace,2026-03-11,2,14.65,2,wrong item
CL-410,3,logger,5,INV-7783,2026-02-27,66.00,EUR,defect,replace,2026-03-16,5,8.25,0,late
"""),
        stock={"logger": (22, 12), "door probe": (15, 6), "gateway": (9, 4), "wall cradle": (40, 0)},
    ),
    _Round(
        tag="0316", last="2026-03-16", fees={2: 8}, asked=1, author="am2", first_word=5, part=True, least="15",
        firms=(
            _Firm("Elmhurst Blood Bank", "elmhurstblood.example", "Carys Whitlock", "am2", 30, 12, 30, 12),
            _Firm("Fallow Ridge Farms", "fallowridge.example", "Dale Koskinen", "am2", 40, 18, 90, 8),
            _Firm("Garrick Ices", "garrickices.example", "Noor Baptiste", "am2", 35, 20, 35, 20),
            _Firm("Hexworth Labs", "hexworthlabs.example", "Lionel Trask", "am2", 25, 10, 25, 10,
                  "claims@hexworthlabs.example"),
        ),
        claims=_claims("""
CL-421,3,logger,16,INV-7811,2026-02-18,63.40,EUR,defect,replace,2026-03-12,16,19.90,16,defect
CL-422,0,logger,9,INV-7794,2026-02-05,88.00,CAD,transit,replace,2026-03-06,9,31.20,9,transit
CL-423,0,door probe,4,INV-7795,2026-02-05,62.50,CAD,defect,credit,2026-03-06,4,15.00,4,misuse
CL-424,1,gateway,4,INV-7709,2025-12-18,271.00,CAD,unwanted,credit,2026-03-10,4,44.00,4,unwanted
CL-425,1,wall cradle,20,INV-7801,2026-02-11,39.60,CAD,unwanted,credit,2026-03-11,20,27.50,17,unwanted
CL-426,2,logger,12,INV-7798,2026-02-09,65.10,EUR,unwanted,credit,2026-03-13,12,17.30,12,unwanted
CL-427,2,door probe,5,INV-7806,2026-02-13,45.00,EUR,wrong item,replace,2026-03-09,5,13.80,5,wrong item
CL-428,3,gateway,1,INV-7790,2026-01-30,192.00,EUR,unwanted,credit,2026-03-05,1,14.20,1,defect
CL-429,2,logger,12,INV-7789,2026-02-09,65.10,EUR,unwanted,credit,2026-03-13,12,17.30,0,twice
CL-430,1,logger,6,INV-7815,2026-02-24,90.00,CAD,defect,credit,2026-03-17,6,21.00,0,late
"""),
        stock={"logger": (31, 14), "door probe": (18, 10), "gateway": (3, 3), "wall cradle": (52, 12)},
    ),
    _Round(
        tag="0317", last="2026-03-17", fees={0: 30}, asked=2, author="am1", half=True, recall="K25-09",
        glance="17 in the crate of CL-441 if you ask me, but I did not open the small box",
        firms=(
            _Firm("Inverlea Transport", "inverleatransport.example", "Moira Castle", "am1", 40, 20, 40, 10),
            _Firm("Jarrow Cold Store", "jarrowcold.example", "Bram Attwell", "am1", 30, 16, 30, 16,
                  "b.attwell@jarrowgroup.example"),
            _Firm("Kelso Pharmacy Supply", "kelsopharmacy.example", "Anya Featherby", "am1", 28, 24, 84, 12),
            _Firm("Lydd Produce", "lyddproduce.example", "Oscar Penhale", "am1", 36, 14, 36, 14),
        ),
        claims=_claims("""
CL-441,2,logger,18,INV-7720,2025-12-30,59.90,GBP,unwanted,credit,2026-03-09,18,24.10,18,unwanted,K25-11
CL-442,0,gateway,5,INV-7832,2026-02-20,189.00,EUR,unwanted,credit,2026-03-10,5,33.60,5,unwanted
CL-443,1,logger,7,INV-7821,2026-02-10,62.80,EUR,defect,credit,2026-03-11,7,10.45,7,misuse,K25-09
CL-444,1,door probe,9,INV-7824,2026-02-12,43.70,EUR,defect,replace,2026-03-06,9,12.15,9,misuse,D25-09
CL-445,3,door probe,11,INV-7829,2026-02-17,46.20,EUR,transit,replace,2026-03-13,10,20.95,11,transit,D25-07
CL-446,3,wall cradle,30,INV-7836,2026-02-26,26.85,EUR,unwanted,credit,2026-03-16,30,41.70,30,unwanted
CL-447,2,gateway,3,INV-7828,2026-02-16,164.50,GBP,wrong item,replace,2026-03-16,3,17.75,3,wrong item
CL-448,0,logger,10,INV-7735,2026-01-15,64.00,EUR,unwanted,credit,2026-03-12,10,15.55,10,unwanted,K25-10
CL-449,3,wall cradle,30,INV-7836,2026-02-26,26.85,EUR,unwanted,credit,2026-03-16,30,41.70,0,twice
CL-450,0,door probe,4,INV-7841,2026-02-27,45.50,EUR,defect,credit,2026-03-18,4,9.10,0,late,D25-07
"""),
        stock={"logger": (28, 20), "door probe": (24, 14), "gateway": (11, 8), "wall cradle": (66, 30)},
    ),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _Books:
    """The round, where its papers lie, and ids."""

    round: _Round
    papers: tuple[str, ...]
    mails: tuple[str, ...]
    companies: tuple[str, ...]
    contacts: tuple[str, ...]
    project: str


def _lay(layout: Layout, number: int) -> _Books:
    of = _ROUNDS[number]
    folder = f"{_ROOT}/round_{of.tag}"
    claims, firms = of.claims, of.firms
    once = [c for c in claims if c.seen != "twice"]
    sheets: tuple[tuple[str, str, str, list[tuple[Any, ...]]], ...] = (
        (f"{folder}/register.csv", f"{of.last} 16:00", "claim,customer,product,pieces,invoice,they say,they want",
         [(c.number, firms[c.firm].name, c.product, c.said, c.invoice, c.reason, c.wish) for c in claims]),
        (f"{folder}/goods_in.csv", "2026-03-18 07:50", "claim,came back on,counted,lot",
         [(c.number, c.back, c.hall, c.lot) for c in sorted(once, key=lambda c: c.back)]),
        (f"{folder}/freight_back.csv", f"{of.last} 16:30", "claim,waybill of,cost,currency",
         [(c.number, _sent(c), c.freight, c.currency) for c in claims if c.came]),
        (f"{_ROOT}/invoices.csv", "2026-03-02 10:00", "invoice,day,customer,product,price each,currency",
         [(c.invoice, c.invoiced, firms[c.firm].name, c.product, c.price, c.currency)
          for c in sorted(once, key=lambda c: c.invoice)]),
        (f"{_ROOT}/terms_2025.csv", "2025-01-09 10:00", "customer,days to return,fee %",
         [(f.name, f.days_before, f.fee_before) for f in firms]),
        (f"{_ROOT}/terms_2026.csv", "2026-01-07 15:10", "customer,days to return,fee %",
         [(f.name, f.days, f.fee) for f in firms]),
        (f"{_ROOT}/rates.csv", "2026-03-02 08:45", "currency,month,EUR for one",
         [(*key, rate) for key, rate in _RATES.items()]),
        (f"{_ROOT}/exchange_stock.csv", "2026-03-17 18:10", "product,on the shelf,of these promised",
         [(name, *held) for name, held in of.stock.items()]),
    )  # fmt: skip
    papers = [
        layout.file(f"{_ROOT}/how_we_settle.md", _rules(of), at="2026-01-08 11:20"),
        *(layout.sheet(path, [head.split(","), *rows], at=at) for path, at, head, rows in sheets),
    ]
    ids = [layout.customer(f.name, industry="Cold chain", domain=f.domain, owner=f.owner) for f in firms]
    people = [
        layout.contact(f.contact, email=_old(f), owner=f.owner, company_id=id, job_title="Returns", status="Won")
        for f, id in zip(firms, ids, strict=True)
    ]
    project = layout.project("Claims", members=("cfo", "coo", "sales_vp", "controller", "logistics"))

    ((favoured, fee),) = of.fees.items()
    found = [c for c in claims if c.came and c.seen != c.reason]
    lines = "\n".join(f"{c.number}: {c.seen}. {_FOUND[n]}" for n, c in enumerate(found))
    mails = [
        layout.mail(
            "qa",
            f"On the bench: claims of round {of.tag}",
            f"Hi Gareth,\n\nI have had everything from this round open that was said to be broken or that rattled. "
            f"Where I differ from the register:\n\n{lines}\n\nThe rest is what the customer says it is.\n\nFarah",
            at="2026-03-17 15:12",
        ),
        layout.mail(
            "sales_vp",
            f"{firms[favoured].name}: fee",
            _FEE[_ROUNDS.index(of)].format(name=firms[favoured].name, fee=max(of.first_word, 0) or fee),
            at="2026-03-12 16:40",
        ),
    ]
    if of.first_word >= 0:
        layout.message(
            "sales",
            "sales_vp",
            f"{firms[favoured].name} again: I was too quick on the 12th. The fee is {fee} percent, for this round too.",
            at="2026-03-16 17:05",
        )
    layout.message(
        "sales", of.author, _ASKED[_ROUNDS.index(of)].format(name=firms[of.asked].name), at="2026-03-17 15:20"
    )
    mails += [
        layout.mail(
            firm.moved,
            "New address for returns",
            f"Dear Mr Rahimi,\n\nplease use this address from 1 March 2026 on; {_old(firm)} is closed and nothing sent "
            f"there arrives.\n\n{firm.contact}\n{firm.name}",
            at="2026-03-02 09:30",
        )
        for firm in firms
        if firm.moved
    ]
    for claim in claims:
        if claim.came and claim.came != claim.hall:
            layout.message(
                "operations",
                "logistics",
                f"{claim.number} counted again, every box opened this time: {claim.came} pieces",
                at="2026-03-17 17:20",
            )
    if of.glance:
        layout.message("operations", "junior", of.glance, at="2026-03-17 17:35")
    return _Books(
        round=of, papers=tuple(papers), mails=tuple(mails), companies=tuple(ids), contacts=tuple(people),
        project=project,
    )  # fmt: skip


def _sent(claim: _Claim) -> str:
    """The day of the waybill: everything took a week."""
    return (date.fromisoformat(claim.back) - timedelta(days=7)).isoformat()


def _old(firm: _Firm) -> str:
    return f"{firm.contact.lower().replace(' ', '.')}@{firm.domain}"


_FEE: Final = (
    "Gareth,\n\nwe sold {name} the wrong thing this winter and I will not charge them for saying so. Their fee is "
    "{fee} percent from now on, your round included, whatever year the invoice is of. The days stay.\n\nGiulia",
    "Gareth,\n\n{name} signed for another two years. In return their fee goes down to {fee} percent, and that counts "
    "for the round which is running now. Nothing else in the terms moves.\n\nGiulia",
    "Gareth,\n\n{name} order, look and send back, every month. As of this round their fee is {fee} percent, for "
    "invoices of either year. The time they have and the rest of our rules stay as they are.\n\nGiulia",
)
_ASKED: Final = (
    "could we not waive the fee for {name} as well? they have been lovely on the phone. just an idea",
    "I would love to let {name} off the fee this once, the winter was hard on them. Giulia, what do you think?",
    "{name} asked me whether the fee is really necessary. I would say no, but it is not mine to say",
)
_FOUND: Final = (
    "Somebody had a screwdriver in it, and not to tighten anything",
    "I have photographs, should anybody want to argue",
)


def _rules(of: _Round) -> str:
    return _RULES.format(
        half=_HALF if of.half else "",
        recall=_RECALL.format(lot=of.recall) if of.recall else "",
        stock=_PART if of.part else _WHOLE,
        least=_LEAST.format(least=of.least) if of.least != "0" else "",
    )


_LEAST: Final = """
   Where goods and freight of a claim come to less than {least} EUR together, both are 0. A replacement goes out all
   the same."""
_HALF: Final = """ Unwanted goods that are back in the first half of those days (the middle day
   included) cost half the fee."""
_RECALL: Final = " Lot {lot} is recalled: whatever comes back\n   of it is a defect, no matter what the bench found."
_WHOLE: Final = "all of its pieces if so many are free, or else none, and it is credited"
_PART: Final = "as many of its pieces as are free, and only the rest is credited"
_RULES: Final = """\
# How we settle claims

1. A round has a folder, named after its last day. What came back after that day waits for the next round: no line, no
   word to anybody. A claim that stands in the register twice (same customer, product, pieces; numbers of invoices get
   mistyped) is settled once, under the lower number.
2. We settle the pieces that the hall counted (goods_in.csv), not those that the customer wrote. If Tamsin counts again
   and says so in #operations, that holds.
3. The reason is what the customer says, unless Farah's bench found another.{recall}
4. Defect, transit and wrong item are our fault: full price, and their freight back. Unwanted: price less the fee, if
   the goods were back within the days to return, counted from the day of the invoice, and nothing if not; no freight.
   Misuse: nothing at all.{half}
5. The terms of the year of the invoice hold (terms_2025.csv, terms_2026.csv). Giulia alone changes terms, and her last
   word holds. What others write about terms are wishes.
6. Who wants a replacement and is owed the full price gets it from the exchange stock (exchange_stock.csv):
   {stock}. Free is what lies on the shelf less what
   is promised. First back, first served. Replaced pieces are not credited, their freight is.
7. All is settled in EUR: goods at the rate of the month of the invoice, freight at that of the month of the waybill
   (rates.csv). Goods of a claim, after the fee and in EUR, and its freight are each rounded to cents, halves up, and
   nothing is rounded before that.{least}
8. `settlement.csv` in the folder of the round: claim, pieces, goods EUR, freight EUR, credit EUR; by claim, all that
   are settled, those that get nothing with 0. Pieces are all that were settled, replaced ones too; credit is goods
   plus freight.
9. `replacements.csv` beside it: claim, product, pieces; by claim, only what goes out.
10. Each customer in the round gets one mail, to its contact in the CRM, subject "Your claims". It has the number of
    each settled claim and its credit in EUR, 0.00 if that is it, and the pieces that we send, if any. If a contact has
    written to us from another address since, put that into the CRM first.
11. The company's record in the CRM gets a note, word for word "Round MMDD: N EUR", N being the sum of its credits with
    two decimals, no thousands separator (Round 0227: 81.50 EUR).
12. We talk about a round at 10:00, unless Gareth wants another time.
"""


class _Line(NamedTuple):
    claim: _Claim
    goods: Decimal
    freight: Decimal
    sent: int

    @property
    def credit(self) -> Decimal:
        return self.goods + self.freight


def _settled(of: _Round) -> list[_Line]:
    free = {name: shelf - promised for name, (shelf, promised) in of.stock.items()}
    lines = []
    for c in sorted((c for c in of.claims if c.came), key=lambda c: c.back):
        firm = of.firms[c.firm]
        reason = "defect" if of.recall and c.lot == of.recall else c.seen
        goods, freight, sent = Decimal(0), Decimal(0), 0
        if reason in _OURS:
            if c.wish == "replace" and (of.part or free[c.product] >= c.came):
                sent = min(free[c.product], c.came)
                free[c.product] -= sent
            goods = Decimal(c.price) * (c.came - sent) * _rate(c.currency, c.invoiced)
            freight = Decimal(c.freight) * _rate(c.currency, _sent(c))
        elif reason == "unwanted":
            before = c.invoiced < "2026"
            days = firm.days_before if before else firm.days
            fee = Decimal(of.fees.get(c.firm, firm.fee_before if before else firm.fee))
            took = (date.fromisoformat(c.back) - date.fromisoformat(c.invoiced)).days
            if took <= days:
                if of.half and took * 2 <= days:
                    fee /= 2
                goods = Decimal(c.price) * c.came * (100 - fee) / 100 * _rate(c.currency, c.invoiced)
        goods, freight = cents(goods), cents(freight)
        if goods + freight < Decimal(of.least):
            goods = freight = Decimal("0.00")
        lines.append(_Line(c, goods, freight, sent))
    return sorted(lines, key=lambda line: line.claim.number)


def _rate(currency: str, day: str) -> Decimal:
    return Decimal(1) if currency == "EUR" else Decimal(_RATES[currency, day[:7]])


def _plan(books: _Books, values: Values) -> Plan:
    of = books.round
    lines = _settled(of)
    high = [line.claim.number for line in lines if line.credit > values["limit"]]
    if not high:
        raise Unfit("no credit is above that")

    plan = Plan()
    look = plan.read("filesystem", "directory_tree", path=_ROOT)
    rules = plan.open(books.papers[0], after=look)
    papers = [plan.open(each, after=rules, loop="papers") for each in books.papers[1:]]
    searches = [
        plan.read("gmail", "find_emails", query=query, after=papers, loop="searches")
        for query in (f"round {of.tag}", "from:giulia after:2026-02-01", 'subject:"new address"')
    ]
    mails = [plan.conversation(each, after=searches, loop="mails") for each in books.mails]
    chats = [
        plan.read("chat", "get_messages", channel=f"#{name}", after=mails, loop="chats")
        for name in ("operations", "sales")
    ]
    records = [
        plan.read("crm", "find_records", kind="company", query=firm.name, after=papers, loop="companies")
        for firm in of.firms
    ]
    people = [plan.read("crm", "get_record", record_id=id, after=records, loop="records") for id in books.companies]
    projects = plan.read("todoist", "find_projects")

    folder = f"{_ROOT}/round_{of.tag}"
    settled = plan.save_sheet(
        f"{folder}/settlement.csv",
        [
            ("claim", "pieces", "goods EUR", "freight EUR", "credit EUR"),
            *((line.claim.number, line.claim.came, line.goods, line.freight, line.credit) for line in lines),
        ],
        after=(*papers, *mails, *chats),
    )
    plan.save_sheet(
        f"{folder}/replacements.csv",
        [
            ("claim", "product", "pieces"),
            *((line.claim.number, line.claim.product, line.sent) for line in lines if line.sent),
        ],
        after=settled,
    )
    corrected = settled
    for firm, contact in zip(of.firms, books.contacts, strict=True):
        if firm.moved:
            corrected = plan.change(
                "crm", "save_contact", "customers", contact, {"customer_email": firm.moved}, contact_id=contact,
                email=firm.moved, after=(*mails, *people),
            )  # fmt: skip
    written = settled
    for number, firm in enumerate(of.firms):
        theirs = [line for line in lines if line.claim.firm == number]
        told = "\n".join(
            f"{line.claim.number}: credit {line.credit:.2f} EUR" + (f", {line.sent} pieces sent" if line.sent else "")
            for line in theirs
        )
        facts = [
            fact
            for line in theirs
            for fact in (line.claim.number, amount(line.credit), *((str(line.sent),) if line.sent else ()))
        ]
        written = plan.mail(
            firm.moved or _old(firm),
            f"Dear {firm.contact},\n\nthis is how your claims are settled:\n\n{told}\n\n{person('owner').name}",
            subject="Your claims",
            expects=says(*facts),
            after=(settled, corrected),
            loop="letters",
        )
    for number, id in enumerate(books.companies):
        total = sum((line.credit for line in lines if line.claim.firm == number), Decimal("0.00"))
        text = f"Round {of.tag}: {total:.2f} EUR"
        note: dict[str, Any] = {"record_id": id, "text": text, "day": TODAY, "author": person("owner").address}
        plan.write(
            "crm", "add_note", Expected(op="insert", app="crm", table="notes", values=note), record_id=id, text=text,
            after=(settled, *people, written), loop="notes",
        )  # fmt: skip
    plan.tasks(
        [
            {
                "title": f"Release the credit: {number}", "project": books.project, "due": values["due"],
                "assignee": values["approver"],
            }
            for number in high
        ],
        after=(settled, projects),
    )  # fmt: skip
    whole = sum((line.credit for line in lines), Decimal(0))
    plan.mail(
        values["reader"],
        f"The credits of round {of.tag} come to {whole:.2f} EUR.",
        subject="Credits of the round",
        expects=says(amount(whole)),
        after=settled,
    )
    plan.book(
        "Claims of the round",
        start=f"{values['meeting']} {values['hour']}",
        minutes=30,
        people=(values["approver"],),
        after=settled,
    )
    return plan


FLOW: Final = Flow(
    name="claims",
    domain="sales",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "limit": SlotSpec(
            kind="threshold", dimension="constraint", subdimension="numeric_bound", options=(550, 640, 780),
            text=lambda value: f"{value} EUR", why="No paper says from which credit on somebody has to release it.",
        ),
        "approver": SlotSpec(
            kind="person", role="who releases credits", dimension="input", subdimension="identifier", text=first,
            options=("sales_vp", "coo", "cfo"), why="Any of three could release money, and no rule says who does.",
        ),
        "due": SlotSpec(
            kind="due_date", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-20", "2026-03-24", "2026-03-26"), why="Nothing says when.",
        ),
        "reader": SlotSpec(
            kind="person", role="who gets the sum", dimension="input", subdimension="identifier", text=first,
            options=("controller", "accounts", "logistics"), guessability=0.5,
            why="It is one of few who deal with credits.",
        ),
        "meeting": SlotSpec(
            kind="date", role="day of the meeting", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-25", "2026-03-27", "2026-03-31"), why="Nothing says when.",
        ),
        "hour": SlotSpec(
            kind="time", dimension="constraint", subdimension="temporal", options=("10:00", "11:30", "15:00"),
            guessability=1.0, why="how_we_settle.md says 10:00 unless told otherwise.",
        ),
    },
    cases=(
        Case(
            wording=(
                "The claims round that ended on 13 March is still lying about in customers/claims/round_0313. Please "
                "settle it the way how_we_settle.md has it, with everything that belongs to it: both sheets, the mails "
                "to the customers, the CRM. Every claim with a credit of more than {limit} needs a task \"Release the "
                "credit: CLAIM\" for {approver}, in the project Claims and due {due}. {reader} gets the sum of all "
                "credits in EUR, subject \"Credits of the round\". Then put half an hour \"Claims of the round\" into "
                "the calendar at {hour} on {meeting}, with whoever releases the credits."
            ),
            values={
                "limit": 640, "approver": "coo", "due": "2026-03-20", "reader": "controller",
                "meeting": "2026-03-25", "hour": "10:00",
            },
        ),
        Case(
            wording=(
                "Can you see Monday's claims round through? The papers are in customers/claims/round_0316 and the "
                "rules one level up, in how_we_settle.md: sheets, letters by mail, records, all of it. I want "
                "{approver} to release the larger credits, so for each claim that is credited more than {limit} make a "
                "task \"Release the credit: CLAIM\" in the project Claims, to be done by {due}. Tell {reader} what all "
                "the credits come to in EUR (subject \"Credits of the round\"). And book 30 minutes on {meeting} at "
                "{hour}, \"Claims of the round\", with the person who has those tasks."
            ),
            values={
                "limit": 550, "approver": "cfo", "due": "2026-03-24", "reader": "logistics", "meeting": "2026-03-27",
                "hour": "10:00",
            },
        ),
        Case(
            wording=(
                "Yesterday was the last day of a claims round (customers/claims/round_0317) and the customers are "
                "waiting. Please do for it what how_we_settle.md asks, from the sheets to the mails and the CRM. "
                "Credits over {limit} I would like {approver} to look at: a task for each such claim, \"Release the "
                "credit: CLAIM\", project Claims, due {due}. The two of us meet about it on {meeting} at {hour} for "
                "half an hour; call it \"Claims of the round\". {reader} only has to know the sum of the "
                "credits in EUR, by mail with the subject \"Credits of the round\"."
            ),
            values={
                "limit": 780, "approver": "sales_vp", "due": "2026-03-26", "reader": "accounts",
                "meeting": "2026-03-31", "hour": "10:00",
            },
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
