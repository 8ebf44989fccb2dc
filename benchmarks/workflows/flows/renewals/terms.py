"""Contracts told as text: their terms as the files have them, and above each what holds once all is read."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

from benchmarks.workflows.plan import Fact

__all__ = ("Contract", "Drawer", "cents", "told")


@dataclass(frozen=True, kw_only=True)
class Contract:
    """A contract: `end` and `notice` (3m, 6w, 45d) as they hold, EUR a year `now` and `after`, `rise` in percent.

    `kept` ones are not ended for their price, `apart` ones are none of the job's; `seats` are booked and wanted.
    """

    number: str
    what: str
    supplier: str
    mailbox: str
    end: str
    notice: str
    text: str
    now: Decimal
    after: Decimal
    rise: Decimal
    kept: bool = False
    apart: bool = False
    owner: str = ""
    seats: tuple[int, int] = (0, 0)
    listed: str = ""

    @property
    def last(self) -> str:
        """The last working day on which something can be said."""
        end, count = date.fromisoformat(self.end), int(self.notice[:-1])
        if self.notice[-1] == "m":
            month = end.year * 12 + end.month - 1 - count
            year, month = month // 12, month % 12 + 1
            day = date(year, month, min(end.day, monthrange(year, month)[1]))
        else:
            day = end - timedelta(days=count * (7 if self.notice[-1] == "w" else 1))
        while day.weekday() > 4:
            day -= timedelta(days=1)
        return day.isoformat()


@dataclass(frozen=True, kw_only=True)
class Drawer:
    """One case: the contracts of one sort, the papers around them, and the rules as they hold.

    `fate` says what becomes of a contract at a limit of percent: a word of the list. Words in `mailed` have a mail to
    the supplier, in these words, that says the facts of `mail`; words in `tasked` a task: how its title begins, and
    whose it is.
    """

    folder: str
    contracts: tuple[Contract, ...]
    papers: tuple[tuple[str, str, str], ...]
    to_read: tuple[str, ...]
    mails: tuple[tuple[str, str, str, str], ...]
    chat: tuple[tuple[str, str, str], ...]
    note: tuple[str, str, str]
    tasks: tuple[tuple[str, str, str, bool], ...]
    fate: Callable[[Contract, int], str]
    mail: Callable[[Contract, str], tuple[Fact, ...]]
    mailed: Mapping[str, str]
    tasked: Mapping[str, tuple[str, Callable[[Contract], str]]]
    ended: str
    columns: tuple[str, ...]
    row: Callable[[Contract, str], tuple[Any, ...]]
    sheet: str
    subject: str
    event: str
    start: str
    search: str


def told(text: str, worked_out: Callable[[str, str, str], Mapping[str, Any]]) -> tuple[Contract, ...]:
    """Contracts from text: `@ number | what | supplier | mailbox | end | notice | price | step | options`, then terms.

    A head may go on in indented lines. `worked_out` makes of number, price and step what they come to; `.example` is
    left out of mailboxes.
    """
    found = []
    for part in text.split("@ ")[1:]:
        head, *lines = part.splitlines()
        while lines[0].startswith("  "):
            head += lines.pop(0)
        number, what, supplier, mailbox, end, notice, price, step, *more = (each.strip() for each in head.split("|"))
        options: dict[str, Any] = {}
        for option in more[0].split("; ") if more else ():
            name, _, value = option.partition("=")
            options[name] = value or True
        body = "\n".join(lines).strip()
        mail = mailbox.replace(" at ", "@") + ".example"
        found.append(
            Contract(
                number=number, what=what, supplier=supplier, mailbox=mail, end=end, notice=notice,
                text=f"# {what} ({number})\n\n{body}\n", **worked_out(number, price, step), **options,
            )
        )  # fmt: skip
    return tuple(found)


_CENT: Final = Decimal("0.01")


def cents(value: Decimal) -> Decimal:
    """Rounded to cents, halves up."""
    return value.quantize(_CENT, rounding=ROUND_HALF_UP)
