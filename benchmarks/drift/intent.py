"""Intent recovery: how much of a request an agent's own account of it has (docs/benchmarks/drift.md, Intent).

What counts are the slots of the request's frame and its action. What is looked for follows from the task alone, and no
model reads anything.

A value counts in any of the forms in which users hear it, by the id that tools have for it, or where all words and
figures occur that it could be told by, in whatever order: "at most 110 euros per night" for "110 euros a night or
less". A day may lack its year, and a month may be "April", "Apr 2026", "2026-04" or "04/2026"; another year is another
day or month. Synonyms do not count.

To read is what an account is about that asks for something and orders nothing. Counting, listing and adding up are not
told apart, nor insertions and changes, and orders in the passive voice are not heard.

What is withheld counts for less than that: where the faulty request has a value by these rules too (all its words,
attached in another way; a day beside a weekday that it is not), to repeat the request recovers nothing of it. Words
that a fault only added are left out.
"""

from __future__ import annotations

import re
from calendar import month_name
from typing import Any, Final

from benchmarks.drift.tasks import FAULTY, NOISE
from harness.task import Slot, Task
from userssim.proposed import own, told
from userssim.wish import Known, holds

__all__ = ("ordered", "recovered")

_ORDERS: Final = (
    r"add(?!\Wup\b) append apply archive arrange assign buy cancel change clear confirm correct create cut delay "
    "delete discard drop edit empty enroll? enter erase extend fix insert lend lower make mark merge move pause pay "
    "postpone put raise rebook redirect reduce refund register remove rename reopen replace reschedule reserve reset "
    "resume revoke schedule send set switch transfer unlock unsubscribe update upgrade wipe withdraw write-protect"
)
"""Verbs that have something changed. "Add up" has not."""
_ALSO_NOUNS: Final = (
    "book close copy file hire keep let log note open order place plan post record rent return sign store"
)
"""Such verbs that may begin a noun as well ("order 1312", "open invoices"): an article or the like follows."""
_BEFORE: Final = (
    r"(?:^|[.;:!?,]\s+|\b(?:please|and|then|or|but|also)\s+|\b(?:can|could|will|would) you\s+(?:please )?"
    r"|\b(?:me|you|us|agent|assistant|wants?|wanted|like|asked|asks|is|was|job|task|request) to\s+)"
)
"""What stands before an order. Elsewhere the same word may be part of what is asked: "to be paid", "the set"."""
_ORDERED: Final = re.compile(
    rf"{_BEFORE}(?:(?:{'|'.join(_ORDERS.split())})(?!\w)"
    rf"|(?:{'|'.join(_ALSO_NOUNS.split())}) (?:an?|the|th[ei]se?|that|those|all|every|each|both|it|them|him|her)"
    r"(?!\w))",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(
    r"\?|(?<!\w)(?:who|whose|whom|what|which|when|where|how|why|counts?|counting|list(?:s|ing)?|names?|numbers?|totals?"
    r"|sums?|average|find(?:ing)?|shows?|give|tell|reports?|look(?:ing)?|search|identify|determine|calculate|compute"
    r"|add up|get|retrieve|fetch|know|need|highest|lowest|most|least|check|amount|query|select)(?!\w)",
    re.IGNORECASE,
)


def recovered(task: Task, account: str) -> float | None:
    """The share of the frame's slots, action included, that an account has; None without an account, or slots.

    The action is that of the frame: the slot that says it, else whether something is to be read or written.
    """
    if not account.strip() or not task.slots:
        return None
    for each in (each for one in task.sessions for brief in one.briefs.values() for each in brief.stated):
        if each.slot.kind == NOISE:
            account = account.replace(each.value, " ")
    found = [_has(account, slot, task) for slot in task.slots]
    kind = str(task.facts.get("kind", ""))
    if kind and not any(slot.dimension == "action" for slot in task.slots):
        orders = ordered(account)
        found.append(orders if kind != "read" else not orders and bool(_ASKED.search(account)))
    return sum(found) / len(found)


def ordered(account: str) -> bool:
    """Whether a text orders something to be changed."""
    return bool(_ORDERED.search(account))


def _has(account: str, slot: Slot, task: Task) -> bool:
    """Whether an account has a slot's value.

    Of a withheld one the faulty request may have all words too, in another order or beside what contradicts them. To
    repeat that tells nothing of what was understood, so that the value has to be there word for word, and not in it.
    """
    withheld = slot.name in task.facts.get("hidden", ())
    known = _known(slot, task if withheld else None)
    if not _says(account, slot, known):
        return False
    faulty = next((one.requests[FAULTY] for one in task.sessions if FAULTY in one.requests), "")
    if not withheld or not _says(faulty, slot, known):
        return True
    return holds(account, slot.text) and _folded(faulty) not in _folded(account)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _says(text: str, slot: Slot, known: Known) -> bool:
    """In one of the forms of the value, by the id that tools have for it, or in the words that it can be told by."""
    if months := _months(slot.value):
        return all(re.search(form, text, re.IGNORECASE) for form in months)
    if own(text, known):
        return True
    if known.day:
        return False
    return told(text, slot.text) and (not _is_number(slot.value) or own(text, _bare(slot)))


def _known(slot: Slot, task: Task | None) -> Known:
    """The slot as simulated users know it, with what it might be taken for where a task is given that withholds it."""
    briefs = (brief for one in task.sessions for brief in one.briefs.values()) if task else ()
    rivals = next((each.slot.others for brief in briefs for each in brief.withheld if each.id == slot.name), ())
    value = slot.value
    day = value[:10] if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d(?!\d)", value) else ""
    key = str(value) if isinstance(value, str | int) and not day and not _is_number(value) else ""
    return Known(
        id=slot.name, kind=slot.kind, value=slot.text, role=slot.role, day=day,
        key="" if key.casefold() == slot.text.casefold() else key, others=rivals,
    )  # fmt: skip


def _bare(slot: Slot) -> Known:
    """The number alone: 110 of "110 euros a night or less"."""
    return Known(id=slot.name, kind=slot.kind, value=str(slot.value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _months(value: Any) -> list[str]:
    """Forms of each month that a value is (2026-04, or a list of such): "April 2026", "Apr", "04/2026"; else none.

    The year may be missing, and no other may stand there.
    """
    given = value if isinstance(value, list) else [value]
    found = [re.fullmatch(r"(\d{4})-(\d\d)", each) if isinstance(each, str) else None for each in given]
    return [_month(each[1], int(each[2])) for each in found if each] if all(found) else []


def _month(year: str, month: int) -> str:
    name = month_name[month]
    return (
        rf"(?<!\w)(?:{name}|{name[:3]}\.?)(?!\w)(?:,? (?:of )?{year}(?!\w)|(?!,? (?:of )?\d{{4}}(?!\w)))"
        rf"|(?<!\w){year}[-/.]{month:02d}(?![\w-])|(?<![\w/.-])0?{month}[-/.]{year}(?!\w)"
    )
