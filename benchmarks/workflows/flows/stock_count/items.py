"""What lies in the stock: items with their packs, weights, suppliers and costs, and what each count is like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, NamedTuple

__all__ = ("BAYS", "COUNTS", "ITEMS", "MAILBOXES", "NEW_PACKS", "POUND", "ROOT", "Books", "Count", "Item", "size")

ROOT: Final = "/workspace/operations/stock"
BAYS: Final = ("bay one", "bay two", "bay three", "bay four", "bay five", "bay six")
MAILBOXES: Final = {
    "Harrowgate Seals": "orders@harrowgateseals.example",
    "Pell & Dunmore": "sales@pelldunmore.example",
    "Voltaire Cells": "orders@voltairecells.example",
    "Tarn Metalwork": "desk@tarnmetalwork.example",
    "Oatley Board": "supply@oatleyboard.example",
}
POUND: Final = (("2026-02-13", "1.148"), ("2026-02-27", "1.153"), ("2026-03-09", "1.157"), ("2026-03-16", "1.162"),
                ("2026-03-18", "1.171"))  # fmt: skip
"""Day -> EUR for a pound."""


class Item(NamedTuple):
    """An item. `pack` and `carton` are pieces, 0 where there is none; `before` is the pack until `since`.

    `gram` is what a piece weighs, 0 where nobody weighs it, and `box` the box it is weighed in. `cost` is in the
    currency of the supplier, `older` what it was last year.
    """

    name: str
    bay: str
    supplier: str
    pack: int
    carton: int
    before: int
    gram: Decimal
    box: int
    cost: Decimal
    older: Decimal

    @property
    def currency(self) -> str:
        """Pell & Dunmore are paid in pounds."""
        return "GBP" if self.supplier == "Pell & Dunmore" else "EUR"


_SUPPLIERS: Final = {
    "H": "Harrowgate Seals", "P": "Pell & Dunmore", "V": "Voltaire Cells", "T": "Tarn Metalwork", "O": "Oatley Board",
}  # fmt: skip
_TABLE: Final = """\
gasket set      | one   | H | 20  | 240  | 25 |      |     | 1.85 | 1.70
o-ring, small   | one   | H | 0   | 0    | 0  | 2.4  | 412 | 0.12 | 0.11
o-ring, large   | one   | H | 0   | 0    | 0  | 5.6  | 412 | 0.19 | 0.19
logger shell    | one   | H | 12  | 144  | 0  |      |     | 3.40 | 3.10
lid seal        | one   | H | 50  | 600  | 0  |      |     | 0.36 | 0.33
cable gland     | one   | H | 30  | 0    | 24 |      |     | 0.78 | 0.74
antenna stub    | two   | P | 10  | 120  | 0  |      |     | 1.15 | 1.15
probe cable     | two   | P | 15  | 0    | 0  |      |     | 3.75 | 3.20
probe tip       | two   | P | 40  | 480  | 50 |      |     | 0.94 | 0.90
charging lead   | two   | P | 20  | 200  | 0  |      |     | 1.62 | 1.74
test plug       | two   | P | 0   | 0    | 0  | 11.2 | 655 | 0.48 | 0.46
status light    | two   | P | 100 | 0    | 0  |      |     | 0.27 | 0.25
coin cell       | three | V | 25  | 500  | 20 |      |     | 0.92 | 0.88
flat cell       | three | V | 24  | 264  | 0  |      |     | 1.12 | 1.04
lithium pack    | three | V | 8   | 0    | 0  |      |     | 4.30 | 3.75
cell holder     | three | V | 60  | 720  | 0  |      |     | 0.33 | 0.33
contact spring  | three | V | 0   | 0    | 0  | 3.1  | 412 | 0.07 | 0.06
cell tray       | three | V | 36  | 0    | 30 |      |     | 0.57 | 0.52
wall bracket    | four  | T | 12  | 96   | 0  |      |     | 2.25 | 2.05
din rail clip   | four  | T | 50  | 600  | 0  |      |     | 0.44 | 0.44
corner plate    | four  | T | 25  | 0    | 20 |      |     | 0.86 | 0.80
hex bolt        | four  | T | 0   | 0    | 0  | 9.8  | 655 | 0.09 | 0.08
lock nut        | four  | T | 0   | 0    | 0  | 4.3  | 655 | 0.05 | 0.05
mounting strap  | four  | T | 15  | 180  | 0  |      |     | 1.38 | 1.30
shipping carton | five  | O | 40  | 0    | 0  |      |     | 0.58 | 0.55
foam insert     | five  | O | 40  | 480  | 36 |      |     | 0.31 | 0.29
seal sticker    | five  | O | 500 | 5000 | 0  |      |     | 0.03 | 0.03
paper sleeve    | five  | O | 80  | 960  | 0  |      |     | 0.14 | 0.13
padded bag      | five  | O | 50  | 0    | 60 |      |     | 0.26 | 0.22
cooling pouch   | five  | O | 18  | 216  | 0  |      |     | 1.07 | 0.98
label sheet     | six   | O | 100 | 1200 | 0  |      |     | 0.11 | 0.10
desiccant bag   | six   | H | 75  | 0    | 0  |      |     | 0.16 | 0.15
mesh filter     | six   | H | 30  | 360  | 0  |      |     | 0.68 | 0.61
spacer ring     | six   | T | 0   | 0    | 0  | 6.7  | 655 | 0.13 | 0.12
hinge pin       | six   | T | 45  | 0    | 40 |      |     | 0.39 | 0.36
spare fuse      | six   | V | 20  | 400  | 0  |      |     | 0.23 | 0.21"""


def _items() -> tuple[Item, ...]:
    rows = ([cell.strip() for cell in line.split("|")] for line in _TABLE.splitlines())
    return tuple(
        Item(
            name, f"bay {bay}", _SUPPLIERS[supplier], int(pack), int(carton), int(before), Decimal(gram or 0),
            int(box or 0), Decimal(cost), Decimal(older),
        )
        for name, bay, supplier, pack, carton, before, gram, box, cost, older in rows
    )  # fmt: skip


ITEMS: Final = _items()
NEW_PACKS: Final = "2026-01-12"
"""From when on what came in has the new pack."""


def size(item: Item, unit: str, came: str) -> int:
    """Pieces in a unit ("pk", "ct", "pc") that came in on a day."""
    if unit == "ct":
        return item.carton
    return 1 if unit == "pc" else item.before if item.before and came < NEW_PACKS else item.pack


class Count(NamedTuple):
    """What is particular about the count of a case.

    `off`: by how many percent of the book items are off that are near the limit or beyond it. `twice`: something moved
    while they counted stands on two sheets. `loose`: some lines have packs and loose pieces ("6 + 4"). `least`:
    differences worth less than this are left out. `moved`: a supplier takes orders elsewhere now.
    """

    day: str
    tag: str
    off: tuple[str, ...]
    small: float
    twice: bool = False
    loose: bool = False
    least: str = "0"
    moved: bool = False


COUNTS: Final = (
    Count("2026-03-13", "0313", ("5.07", "-5.1", "7.3", "-10.6", "4.92", "-4.94"), 1.9),
    Count("2026-03-16", "0316", ("2.03", "-2.04", "-5.4", "10.3", "1.97", "-1.95"), 1.6, twice=True, least="5"),
    Count("2026-03-17", "0317", ("-10.2", "10.15", "13.2", "9.84", "-9.87", "5.3", "-2.2"), 1.9, loose=True,
          moved=True),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Books:
    """What holds once all is read: pieces by item, and where the papers are."""

    tag: str
    day: str
    counted: Mapping[str, int]
    book: Mapping[str, int]
    hold: frozenset[str]
    points: Mapping[str, int]
    bring_up: Mapping[str, int]
    costs: Mapping[str, Decimal]
    """EUR a piece, not rounded."""
    papers: Mapping[str, str]
    mails: tuple[str, ...]
    mailboxes: Mapping[str, str]
    least: Decimal
    lines: int
