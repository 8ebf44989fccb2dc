"""The branch's ledger: papers in four currencies with VAT in them, for accounts that a list has the names of."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.workflows.flows.quarterly.books import working_day_after, working_days
from benchmarks.workflows.layout import Layout

__all__ = ("ACCOUNTS", "LEDGER", "Paper", "lay_branch")

LEDGER: Final = "/workspace/finance/board/invoices/branch"
ACCOUNTS: Final = "/workspace/finance/accounts/accounts.csv"

_ACCOUNTS: Final = (
    ("101", "Ashmoor Hospital", "GBP", 20), ("104", "Brindle Farm Eggs", "GBP", 20), ("107", "Carrow Blood", "GBP", 0),
    ("110", "Dunmere Cheese", "EUR", 23), ("113", "Easterly Seeds", "GBP", 20), ("116", "Fairlie Creamery", "EUR", 23),
    ("119", "Fennimore Foods", "CAD", 5), ("122", "Kestrelby Hallbridge", "GBP", 20), ("125", "Halden Fisk", "NOK", 25),
    ("128", "Hartwell Vets", "GBP", 20), ("131", "Larkspur Dairies", "EUR", 21), ("134", "Lofthus Meieri", "NOK", 25),
    ("137", "Marram Oysters", "EUR", 21), ("140", "Mosquito Bay Foods", "CAD", 13), ("143", "Penhale Ice", "GBP", 20),
    ("146", "Kestrelby Tarn Street", "EUR", 21), ("149", "Sedgewick Labs", "EUR", 0),
    ("152", "Stord Sykehus", "NOK", 0), ("155", "Tolland Meats", "CAD", 13), ("158", "Vik Bakeri", "NOK", 15),
)  # fmt: skip
_WORTH: Final = {"EUR": Decimal(1), "GBP": Decimal("1.145"), "CAD": Decimal("0.622"), "NOK": Decimal("0.0851")}


class Paper(NamedTuple):
    """A line of the ledger; `gross` in cents of its currency, `kind` inv, cr or pf."""

    number: str
    day: str
    account: str
    gross: int
    currency: str
    vat: int
    kind: str

    @property
    def customer(self) -> str:
        return next(name for account, name, _, _ in _ACCOUNTS if account == self.account)

    @property
    def net(self) -> Decimal:
        """Without VAT, rounded to cents."""
        net = Decimal(self.gross) / (100 + self.vat)
        return net.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


_PUT_RIGHT: Final[dict[str, dict[str, Any]]] = {"B-3085": {"gross": 104566}, "B-3120": {"kind": "cr"}}
_CANCELLED: Final = frozenset({"B-3100"})
"""What Rufus puts right in mails and messages."""
_TRIALS: Final = {"149": "2026-01-16", "137": "2025-12-19"}
"""Accounts on trial, and the last day of it; notes in the CRM say so."""


def lay_branch(layout: Layout) -> list[Paper]:
    """Lay out the ledger and its list of accounts; the papers that count, each once and put right."""
    rng = Random("quarterly-report: branch ledger")
    sheets: dict[str, list[Paper]] = {}
    number = 3010
    for day in working_days("2025-11-18", "2026-03-05"):
        for _ in range(rng.choice((2, 3, 3, 3))):
            number += 1
            paper = _drawn(rng, f"B-{number}", day)
            entered = day
            for _ in range(rng.choice((0, 0, 1, 2, 6))):
                entered = working_day_after(entered)
            sheets.setdefault(entered[:7], []).append(paper)
    for twice, later in ((3030, "2025-12"), (3077, "2026-01"), (3119, "2026-02"), (3150, "2026-02")):
        (paper,) = (each for lines in sheets.values() for each in lines if each.number == f"B-{twice}")
        sheets[later].insert(rng.randrange(len(sheets[later])), paper)
    for month, lines in sheets.items():
        rows = [
            (p.number, p.day, p.account, f"{p.gross / 100:.2f}", p.currency, f"{p.vat}%" if p.vat else "", p.kind)
            for p in lines
        ]
        layout.sheet(
            f"{LEDGER}/ledger_{month.replace('-', '_')}.csv",
            (("paper", "day", "account", "gross", "cur", "VAT", "kind"), *rows), at="2026-03-16 17:40",
        )  # fmt: skip
    accounts = [(account, name, currency) for account, name, currency, _ in _ACCOUNTS]
    layout.sheet(ACCOUNTS, (("account", "name", "currency"), *accounts), at="2025-11-03 09:00")
    papers = {p.number: p._replace(**_PUT_RIGHT.get(p.number, {})) for month in sheets for p in sheets[month]}
    return [
        p for p in papers.values()
        if p.kind != "pf" and "Kestrelby" not in p.customer and p.number not in _CANCELLED
        and not (p.day <= _TRIALS.get(p.account, ""))
    ]  # fmt: skip


def _drawn(rng: Random, number: str, day: str) -> Paper:
    account, _, currency, vat = rng.choice(_ACCOUNTS)
    kind = rng.choices(("inv", "cr", "pf"), weights=(76, 15, 9))[0]
    euros = rng.randint(340_00, 470_00) if kind == "cr" else rng.randint(95_00, 1_840_00)
    gross = int(Decimal(euros) / _WORTH[currency] * (100 + vat) / 100)
    if kind == "cr" and rng.random() < 0.2:
        gross *= 2
    return Paper(number, day, account, gross, currency, vat, kind)
