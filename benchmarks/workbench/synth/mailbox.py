"""What a scaled mailbox holds beside the core mails: threads, partners, newsletters, spam, and everybody's slips.

Made so that no request changes its meaning: a thread has one subject, `Re: ...` or `Fw: ...`, and nothing has it
without the prefix; a colleague writes few enough mails a day for one search to show them; only colleagues' own
mails hold their addresses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import chain, cycle, product
from random import Random
from typing import Any, NamedTuple

from benchmarks.workbench.synth import clutter, names

__all__ = ("MOST_A_DAY", "outside", "threads")

MOST_A_DAY = 4
"""Mails of one colleague on one day, core mails included: one less than a search shows."""
_Row = dict[str, Any]
_RECENT = 60
"""Subjects of the latest threads, at least: no more than there are mails in them."""
_QUOTED = 3
"""Mails back that a reply quotes."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class _Said(NamedTuple):
    """What one mail of a thread says, to be quoted by the next."""

    who: str
    day: date
    text: str


def threads(
    rng: Random, people: Sequence[str], spans: Sequence[tuple[Sequence[date], int]], core: Sequence[Mapping[str, Any]]
) -> list[_Row]:
    """Mails among colleagues in threads of up to eight within two weeks; so many in each stretch of working days."""
    written = Counter((mail["address"], mail["sent_datetime"][:10]) for mail in core)
    subjects = _subjects(rng)
    rows: list[_Row] = []
    for days, total in spans:
        goal = len(rows) + total
        while len(rows) < goal:
            begin = rng.randrange(len(days))
            rows += _thread(rng, people, days[begin : begin + 10], goal - len(rows), *next(subjects), written)
    return rows


def _thread(
    rng: Random,
    people: Sequence[str],
    days: Sequence[date],
    most: int,
    subject: str,
    thing: str,
    place: str,
    written: Counter[tuple[str, str]],
) -> Iterator[_Row]:
    """One thread: a mail a day or two, never twice in a row by the same person."""
    circle = rng.sample(people, rng.randint(2, 4))
    length = min(rng.randint(2, 8), 2 * len(days), most)
    said: list[_Said] = []
    for moment in sorted({_moment(rng, day) for day in rng.sample([*days, *days], length)}):
        who = rng.choice([one for one in circle if not said or one != said[-1].who])
        day = moment.date()
        if written[who, str(day)] < MOST_A_DAY:
            written[who, str(day)] += 1
            text = _sentences(rng, thing, place)
            yield _inbox(who, subject, moment, _reply(rng, who, text, said))
            said.append(_Said(who, day, text))


def _moment(rng: Random, day: date) -> datetime:
    return datetime.combine(day, time()) + timedelta(seconds=rng.randrange(7 * 3600, 20 * 3600))


def _subjects(rng: Random) -> Iterator[tuple[str, str, str]]:
    """Subject, thing and place of threads. The first few never come back, others after all the rest."""
    deck = [
        (f"{'Fw' if rng.random() < 0.25 else 'Re'}: {thing} for {place}", thing.lower(), place)
        for thing, place in product(clutter.THINGS, clutter.PLACES)
    ]
    rng.shuffle(deck)
    return chain(deck[:_RECENT], cycle(deck[_RECENT:]))


def _sentences(rng: Random, thing: str, place: str) -> str:
    lines = [line.format(thing, place) for line in rng.sample(clutter.ANSWERS, rng.choice((1, 1, 2)))]
    if rng.random() < 0.04:
        lines.insert(0, rng.choice(clutter.MISDIRECTED))
    text = " ".join(lines)
    return _slip(rng, text) if rng.random() < 0.25 else text


def _reply(rng: Random, who: str, text: str, said: Sequence[_Said]) -> str:
    """A mail that quotes the ones before it, the newest first, each a level deeper."""
    parts = [f"{rng.choice(names.MAIL_OPENINGS)}\n\n{text}\n\n{rng.choice(names.MAIL_CLOSINGS)}\n{_first(who)}"]
    for depth, earlier in enumerate(reversed(said[-_QUOTED:]), start=1):
        mark, when = "> " * depth, f"{earlier.day.day}/{earlier.day.month}"
        parts.append(f"{mark}{_first(earlier.who)} wrote on {when}:\n{mark}{earlier.text}")
    return "\n\n".join(parts)


def _first(address: str) -> str:
    return address.partition(".")[0].title()


def _slip(rng: Random, text: str) -> str:
    """The text with one typing error: letters swapped, doubled, left out or mistaken."""
    at = rng.randrange(1, len(text) - 2)
    here, after = text[at], text[at + 1]
    slips = (after + here, here + here + after, after, rng.choice(_LETTERS) + after)
    return text[:at] + rng.choice(slips) + text[at + 2 :]


def outside(rng: Random, days: Sequence[date], total: int) -> list[_Row]:
    """So many mails from elsewhere on any day of the week; some of them are sent twice."""
    kinds = rng.choices((_partner, _news, _spam, _receipt), (38, 22, 30, 10), k=total)
    rows: list[_Row] = []
    for kind in kinds:
        if rows and rng.random() < 0.02:
            again = rows[-1]
            moment = datetime.fromisoformat(again["sent_datetime"]) + timedelta(seconds=rng.randrange(1, 59))
            rows.append({**again, "sent_datetime": str(moment)})
            continue
        moment = datetime.combine(rng.choice(days), time()) + timedelta(seconds=rng.randrange(24 * 3600 - 60))
        sender, subject, body = kind(rng)
        rows.append(_inbox(sender, subject, moment, body))
    return rows


def _number(rng: Random) -> str:
    return f"{rng.choice('ABCDEFGH')}-{rng.randrange(10_000, 100_000)}"


def _partner(rng: Random) -> tuple[str, str, str]:
    number, sender = _number(rng), rng.choice(clutter.PARTNERS)
    line = rng.choice(clutter.PARTNER_LINES).format(number)
    text = _slip(rng, line) if rng.random() < 0.1 else line
    body = f"Good day,\n\n{text}\n\nKind regards\n{sender.partition('@')[2].partition('.')[0].title()}"
    if rng.random() < 0.4:
        earlier = rng.choice(clutter.PARTNER_LINES).format(number)
        body += f"\n\n> Good day,\n> {earlier}"
        return sender, f"Re: {number}", body
    return sender, f"Your reference {number}", body


def _news(rng: Random) -> tuple[str, str, str]:
    title, sender = rng.choice(clutter.NEWS)
    items = "\n".join(f"- {item}" for item in rng.sample(clutter.NEWS_ITEMS, 4))
    body = f"{title}\n\n{items}\n\nYou get this because you subscribed. Unsubscribe at any time."
    if rng.random() < 0.1:  # read in the wrong encoding somewhere on its way
        body = body.replace("-", "â€“")
    return sender, f"{title}, issue {rng.randrange(100, 1000)}", body


def _spam(rng: Random) -> tuple[str, str, str]:
    amount = str(rng.randrange(20, 9_000))
    word = "".join(rng.choices(_LETTERS, k=9))
    line = rng.choice(clutter.SPAM_LINES).format(f"{amount} euros")
    return (
        f"{word}@{word[::-1]}.example",
        rng.choice(clutter.SPAM).format(amount),
        f"{line}\n\nhttp://{word}.example/{amount}",
    )


def _receipt(rng: Random) -> tuple[str, str, str]:
    number, amount = _number(rng), rng.randrange(5, 900)
    body = f"Thank you for shopping with us.\n\nOrder {number}\nTotal {amount}.{rng.randrange(100):02d} EUR"
    return rng.choice(clutter.SHOPS), f"Order confirmation {number}", body


def _inbox(address: str, subject: str, moment: datetime, body: str) -> _Row:
    return {"folder": "inbox", "address": address, "subject": subject, "sent_datetime": str(moment), "body": body}
