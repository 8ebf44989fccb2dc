"""What lies on which shelf, as it is and as the sheets have it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from random import Random
from typing import Final, NamedTuple

from benchmarks.workflows.flows.stock_count.items import BAYS, ITEMS, Count, Item, size

__all__ = ("BY", "Line", "Slip", "booked", "filled", "shown", "slips", "weighed")

BY: Final = dict(zip(BAYS, ("Joan", "Tamsin", "Joan", "Ivo", "Tamsin", "Vikram"), strict=True))
"""Who counted which bay."""
_CAME: Final = ("2025-10-14", "2025-11-20", "2025-12-09", "2026-01-08", "2026-01-15", "2026-02-03", "2026-02-24")
"""Days on which goods came in."""
_REMARKS: Final = ("", "", "", "", "top shelf", "", "", "behind the ladder", "", "two rows")


class Line(NamedTuple):
    """A line of a sheet: what is on a shelf of one item. `counted` is packs, cartons, pieces or kilos by `unit`."""

    shelf: str
    item: str
    counted: str
    unit: str
    came: str
    remark: str
    pieces: int


class Slip(NamedTuple):
    """Pieces that were taken out of a bay on the day of the count, negative where they came back."""

    number: str
    time: str
    item: str
    bay: str
    pieces: int
    late: bool


def booked(draw: Random, count: Count) -> tuple[dict[str, int], dict[str, int], dict[str, str]]:
    """What the book says of each item, what is there at the end of the day, and which are off by what percent."""
    book = {
        item.name: (draw.randint(80, 260) * 10 + draw.randint(0, 9) if item.cost < 3 else draw.randint(420, 990))
        for item in ITEMS
    }
    far = _off(draw, count)
    there = {}
    for n, item in enumerate(ITEMS):
        pieces = book[item.name]
        if item.name in far:
            percent = Decimal(far[item.name])
            exact = abs(percent) * pieces / 100
            # Beyond the limit it is rounded up, within it down, so that none is off by just the limit.
            more = int(exact) + (1 if any(0 < abs(percent) - limit < 1 for limit in (2, 5, 10)) else 0)
            there[item.name] = pieces + (more if percent > 0 else -more)
        elif n % 4 == 1:
            there[item.name] = pieces
        else:
            step = max(1, round(pieces * draw.uniform(0.15, count.small) / 100))
            there[item.name] = pieces + draw.choice((-1, 1)) * step
    return book, there, far


def _off(draw: Random, count: Count) -> dict[str, str]:
    """Items that are near the limit or beyond it, with the percent by which they are off; dear ones are not weighed."""
    names = draw.sample([item.name for item in ITEMS if 0 < item.pack <= 60 and item.cost < 3], len(count.off))
    return dict(zip(names, count.off, strict=True))


def slips(draw: Random, times: Mapping[str, str], left: Collection[str]) -> list[Slip]:
    """What was taken or brought back on that day; what happened after a bay was counted is late.

    Items that are `left` have none, since they are recounted and nobody could say from when a recount is.
    """
    found = []
    for n, item in enumerate(draw.sample([item for item in ITEMS if item.name not in left], 17)):
        minutes = 8 * 60 + 20 + n * 27 + draw.randint(0, 20)
        at = f"{minutes // 60:02d}:{minutes % 60:02d}"
        at = f"{at[:4]}7" if at == times[item.bay] else at
        pieces = draw.randint(4, 38) * (-1 if n in (5, 11, 14) else 1)
        found.append(Slip(f"S{410 + n}", at, item.name, item.bay, pieces, at > times[item.bay]))
    return sorted(found, key=lambda slip: slip.time)


def filled(draw: Random, count: Count, pieces: Mapping[str, int]) -> list[Line]:
    """Shelves on which so many pieces of each item lie, three or four lines each, by bay.

    One of them is on a shelf that was a customer's until February.
    """
    lines, taken = [], dict.fromkeys(BAYS, 0)
    for item in ITEMS:
        left = pieces[item.name]
        parts = draw.choice((3, 4, 4))
        for part in range(parts):
            bay = item.bay if part < 2 else draw.choice(BAYS)
            taken[bay] += 1
            shelf = f"{BAYS.index(bay) + 1}-{taken[bay]:02d}"
            share = left if part == parts - 1 else int(left * draw.uniform(0.22, 0.48))
            line = _line(draw, count, item, shelf, share, last=part == parts - 1)
            left -= line.pieces
            lines.append(line)
    return sorted(line._replace(shelf="3-42") if line.shelf == "3-14" else line for line in lines)


def _line(draw: Random, count: Count, item: Item, shelf: str, share: int, *, last: bool) -> Line:
    came, remark = draw.choice(_CAME), draw.choice(_REMARKS)
    if item.gram:
        return Line(shelf, item.name, weighed(draw, item, share), "kg", came, remark, share)
    cartons = draw.random() < 0.55 or item.name == "flat cell"
    unit = "ct" if item.carton and share > item.carton and cartons else "pk"
    many, rest = divmod(share, size(item, unit, came))
    if last and not (count.loose and unit == "pk" and many and rest):
        return Line(shelf, item.name, str(share), "pc", came, remark, share)
    if not many:
        return Line(shelf, item.name, str(share), "pc", came, remark, share)
    if last or (count.loose and unit == "pk" and rest and draw.random() < 0.5):
        return Line(shelf, item.name, f"{many} + {rest}", unit, came, remark, share)
    return Line(shelf, item.name, str(many), unit, came, remark, share - rest)


def weighed(draw: Random, item: Item, pieces: int) -> str:
    """Kilos on the scale, box and all; cut down to whole pieces they are that many."""
    grams = int(item.box + (pieces + Decimal(draw.randint(35, 65)) / 100) * item.gram)
    if (grams - item.box) // item.gram != pieces:
        raise ValueError(f"{pieces} of {item.name} cannot be weighed to the gram")
    return f"{grams / 1000:.3f}"


def shown(lines: Sequence[Line], wrong: Mapping[tuple[str, str], str]) -> list[Line]:
    """Lines as the sheets have them, `wrong` being what is counted wrongly, by shelf and item."""
    return [line._replace(counted=wrong.get((line.shelf, line.item), line.counted)) for line in lines]
