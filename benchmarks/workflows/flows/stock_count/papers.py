"""What is written about a count: how it is done, recounts, and everything else that was said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from benchmarks.workflows.flows.stock_count.items import MAILBOXES, Count
from benchmarks.workflows.flows.stock_count.shelves import Line
from benchmarks.workflows.layout import Layout

__all__ = ("letters", "rules")

_LOOSE: Final = """
   "6 + 4" is six packs and four loose pieces."""
_MOVED: Final = """
    If a supplier has written to us that orders go elsewhere, send them there."""
_RULES: Final = """\
# How we count

1. Each bay has a sheet, one line for each shelf and item. "unit" says what was counted: pc pieces, pk packs, ct
   cartons, kg kilos. Everything after that is in pieces: book, lists, recounts, slips.{loose}
2. How many pieces are in a pack or carton is in pack_sizes.csv; if a size has changed, the day on which the goods came
   in ("came in") decides: the last size that begins on or before it.
3. What is weighed (weights.csv): kilos less the box, divided by the weight of a piece, rounded down to whole pieces,
   line by line.
4. Lines with the remark "broken" do not count. Nor do any lines for shelves that are a customer's on the day of the
   count (not_ours.csv). What is not in that list yet is in the notes to the customer in the CRM.
5. What was moved during the count counts once, where it ended up. A recount of a shelf replaces what the sheet says. If
   there are several, the last one counts. Tamsin, Ivo and Joan recount, nobody else.
6. The book shows the end of the day. Each bay was counted at its own time (times.csv). What was taken after it
   (slips.csv) is deducted, what was brought back after it is added; earlier slips are in the count already. One number
   is one slip.
7. What is on hold on the day of the count (on_hold.csv) is counted like the rest and gets a line in the differences,
   but it is not ordered. Since March new holds, and holds that end, have only been in Gareth's calendar, as "Hold:
   ITEM" and "Hold ends: ITEM", and apply from that day on.
8. The old book is the latest list before the count. The difference of an item is what is there less the old book.
9. New book: `book_YYYYMMDD.csv` beside the old ones, named after the day of the count. Columns item, place, pieces; in
   the order of the old book, all items; places as they were.
10. Differences: `differences.csv` in the folder of the count. Columns item, difference, EUR. Only items with a
    difference, in the order of the book. EUR is the difference times what a piece cost on the day of the count
    (finance/unit_costs.csv), pounds at the last rate in finance/pounds.csv on or before that day, rounded to cents once
    (half a cent up), negative if pieces are missing. Wanda corrects prices.{least}
11. What is now below its order point in when_to_order.csv is ordered, as many pieces as bring it up to the other
    number. Suppliers only deliver whole packs of the newest size, so the order is rounded up to those; items without
    packs are ordered by the piece. One mail to each supplier, with all their items and how many pieces we want of each,
    subject "Order after the count".{moved}
"""


def rules(count: Count) -> str:
    """The page for a count."""
    least = f"\n    A line worth less than {count.least} EUR, up or down, is left out." if count.least != "0" else ""
    return _RULES.format(loose=_LOOSE if count.loose else "", least=least, moved=_MOVED if count.moved else "")


def letters(
    layout: Layout,
    count: Count,
    *,
    again: Sequence[Line],
    early: int,
    scale: Line,
    twice: tuple[Line, Line] | None,
    holds: Sequence[str],
    freed: str,
    firm: str,
    mailbox: str,
) -> tuple[str, ...]:
    """Lay out all that was said; the mails that count.

    `again` are four lines that were recounted (the first one twice, `early` before the end), `scale` one that was
    weighed and written down wrongly, `twice` what was carried, from and to. `holds` are on hold since March, `freed` is
    not any longer. `firm` has a new `mailbox` for orders, if any has.
    """
    first, second, third, fourth = again
    day = count.day
    mails: tuple[str, ...] = (
        layout.mail(
            "logistics", f"Count of the {int(day[-2:])}th: one more look",
            f"Hi Gareth,\n\nI was not sure about shelf {first.shelf} and did the {first.item} there again: {early} "
            f"pieces, not what the sheet says. I did the {second.item} on {second.shelf} as well, {second.pieces} "
            "pieces.\n\nTamsin",
            at=f"{day} 17:25",
        ),
        layout.mail(
            "planner", "Flat cells",
            "Hello Gareth\n\nThe cartons of the flat cell have eleven packs in them, 264 pieces, and always have. "
            "pack_sizes.csv says twelve. I have told nobody else.\n\nRegards\nIvo Takala",
            at="2026-03-11 11:20",
        ),
        layout.mail(
            "controller", "A wrong price", "Gareth, hello,\n\nThe padded bag has been at 0.62 in unit_costs.csv since "
            "January. It costs 0.26, I swapped the digits when I typed it.\n\nYours, Wanda", at="2026-03-10 16:15",
        ),
    )  # fmt: skip
    layout.mail(
        "vendor", "Our prices from April", "Dear Mr Rahimi,\n\nfrom 1 April 2026 our prices rise by two percent "
        "throughout. Orders until then are at today's.\n\nKind regards", at="2026-03-09 10:02",
    )  # fmt: skip
    layout.mail(
        "qa", "Loggers in the test room", "Hi Gareth,\n\nwe counted as well, since everybody else does: 41 loggers "
        "and 12 "
        "wall brackets in the test room, all written off in 2024.\n\nFarah", at=f"{day} 15:50",
    )  # fmt: skip
    if firm:
        mails += (
            layout.mail(
                MAILBOXES[firm], "Our orders desk has moved",
                f"Dear customer,\n\nfrom 2 March 2026 please send orders to {mailbox}. This mailbox is no "
                f"longer read by anybody who packs boxes.\n\n{firm}",
                at="2026-02-24 09:12",
            ),
        )  # fmt: skip
    if twice:
        gone, there = twice
        layout.message(
            "operations", "logistics",
            f"we carried the {gone.item} from shelf {gone.shelf} over to {there.shelf} while we were counting, so they "
            f"are on two sheets. {there.shelf} has them all", at=f"{day} 16:40",
        )  # fmt: skip
    for channel, author, at, text in (
        (
            "operations",
            "junior",
            f"{day} 16:58",
            f"shelf {scale.shelf}, {scale.item}: the scale said {scale.counted} kg, I wrote it down from memory",
        ),
        (
            "operations",
            "facility",
            f"{day} 17:04",
            f"for the count: I make it {third.pieces + 60} {third.item} on {third.shelf}, seen from the door",
        ),
        (
            "operations",
            "junior",
            f"{day} 17:15",
            f"and {third.shelf} again: {third.pieces} {third.item}, piece by piece this time",
        ),
        (
            "general",
            "it",
            f"{day} 17:40",
            "stock of the help desk: 14 toners, 3 mice. not in your bays, before anybody asks",
        ),
        (
            "operations",
            "planner",
            "2026-03-17 18:05",
            f"third time lucky with the {first.item} on {first.shelf}: "
            f"{first.pieces} pieces. two boxes were behind the door. forget the mail",
        ),
        (
            "operations",
            "planner",
            "2026-03-17 18:11",
            f"{fourth.shelf}, {fourth.item}: {fourth.pieces} pieces. the sheet says something else",
        ),
    ):
        layout.message(channel, author, text, at=at)
    for item, begin, text in (
        (holds[0], "2026-03-05 09:00", "Wrong batch, until Farah has looked at it"),
        (holds[1], "2026-03-18 14:00", "From today, until the new drawing is there"),
    ):
        layout.event(f"Hold: {item}", start=begin, minutes=15, people=("qa",), description=text)
    layout.event(f"Hold ends: {freed}", start="2026-03-10 09:00", minutes=15, people=("qa",), description="All fine")
    for company, at, text in (
        ("C3", "2026-03-04", "Jessop have rented shelf 4-41 from us since Monday 2 March, for their own boxes"),
        ("C2", "2026-03-05", "Grantley asked for a shelf of their own (5-02?) from April, not decided"),
    ):
        layout.about(company, text, author="logistics", day=at)
    return mails
