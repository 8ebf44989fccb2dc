"""How lifelike an office is, in figures against wanted ranges: `python -m benchmarks.office.measure [SIZE] [SEED]`."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from benchmarks.office.authors import recognised
from benchmarks.office.check import parts
from benchmarks.office.ledger import BACK, NOW, Ledger, Mail
from benchmarks.office.people import OWNER_ZONE, Person
from benchmarks.office.render.mailbox import mail_ids
from benchmarks.office.render.texts import RULE, Texts
from benchmarks.office.runs import runs
from benchmarks.office.world import SEED, SIZES, ledger
from benchmarks.office.world import world as office
from servers.kernel import World

__all__ = ("Measure", "measures", "shared_runs")

_MAILS = {"small": (300, 500), "medium": (1_900, 2_100), "large": (9_800, 10_200)}
_AHEAD = {"small": (5, 80), "medium": (40, 400), "large": (200, 2_000)}
_READ = 40
"""Of how many mails of an author it is tried to tell who wrote them."""
_Row = Mapping[str, Any]


class Measure(NamedTuple):
    """A figure, and the range that is wanted."""

    name: str
    value: float
    low: float
    high: float

    @property
    def fits(self) -> bool:
        """Whether it lies in the range."""
        return self.low <= self.value <= self.high


def measures(world: World, told: Ledger, size: str = "small") -> list[Measure]:
    """The table. Figures about mails are read from rows; the ledger only says which mail answers which.

    Ranges are those of a size, but most are the same for all.
    """
    texts = Texts(told, world.now.date())
    events = {id: texts.mails[mail] for mail, id in mail_ids(texts).items()}
    rows = sorted(world.rows["gmail"]["emails"], key=lambda row: str(row["sent_datetime"]))
    people = told.company.people
    mails = [(row, events[row["id"]]) for row in rows]
    threads: dict[str, list[tuple[_Row, Mail]]] = {}
    for row, mail in mails:
        threads.setdefault(row["thread"] or row["id"], []).append((row, mail))
    personal = [pair for pair in mails if pair[1].kind == "person"]
    others = Counter(row["address"] for row, mail in personal)
    begun = [parts_ for parts_ in threads.values() if parts_[0][1].kind == "person"]
    lengths = sorted(map(len, begun))
    inside = [person for person in people.values() if person.inside]
    state = {row["id"]: row for row in world.rows["gmail"]["threads"]}
    unread = [row for row in state.values() if not row["read"]]
    firsts = Counter(person.first for person in people.values())
    errors = Counter(error.kind for error in told.errors)
    old = [key for key, some in threads.items() if (world.now - _moment(some[-1][0])).days > 21]
    return [
        Measure("mails", len(rows), *_MAILS[size]),
        Measure("mails in the last month, % of the mean month", _last_month(world), 60, 140),
        Measure("people", len(people), 38, 45),
        Measure("levels of the organisation", len({person.level for person in inside}), 4, 4),
        Measure("time zones", len({person.zone for person in people.values()}), 3, 3),
        Measure("joiners and leavers", sum(p.joined is not None or p.left is not None for p in inside), 2, 6),
        Measure("people on leave at some time", sum(bool(person.away) for person in inside), 4, 20),
        Measure("automatic replies", sum(mail.kind == "auto" for _, mail in mails), size != "small", 12),
        Measure("people who share a first name", sum(n for n in firsts.values() if n > 1), 2, 10),
        Measure("internal mail within its sender's hours, %", _within_hours(personal, people), 90, 100),
        Measure("median delay of an answer, hours", _delay(personal, events), 1, 4),
        Measure("conversations never answered, %", 100 * sum(n == 1 for n in lengths) / len(begun), 20, 30),
        Measure("five correspondents' share, %", _share(others, 5), 38, 42),
        Measure("longest conversation, mails", lengths[-1], 15, 60),
        Measure("median conversation, mails", median(lengths), 1, 4),
        Measure("conversations that people join, %", 100 * sum(map(_joined, begun)) / len(begun), 3, 30),
        Measure("conversations whose subject drifts", sum(map(_drifts, begun)), 1, 10),
        Measure("sent, % of all", 100 * sum(row["folder"] == "outbox" for row in rows) / len(rows), 20, 30),
        Measure("newsletters, notices and spam, %", 100 * (len(mails) - len(personal)) / len(mails), 8, 20),
        Measure("conversations unread, %", 100 * len(unread) / len(threads), 3, 15),
        Measure("old conversations archived, %", 100 * sum(state[key]["archived"] for key in old) / len(old), 60, 95),
        Measure(
            "conversations with a label, %", 100 * len(world.rows["gmail"]["thread_labels"]) / len(threads), 15, 50
        ),
        Measure("drafts", len(world.rows["gmail"]["drafts"]), 1, 8),
        Measure("signatures that are seen to change", _changing(personal, people), 3, 40),
        Measure("authors told apart out of ten, %", _recognised(personal, people), 60, 100),
        Measure("the same without greetings and goodbyes, %", _recognised(personal, people, _between), 20, 100),
        Measure("runs of eight words that unrelated mails share", len(shared_runs(world, told)), 0, 0),
        Measure("forgotten attachments", errors["forgotten attachment"], 1, 5),
        Measure("stale records", errors["stale record"], 1, 10),
        Measure("duplicates", errors["duplicate"], 1, 10),
        Measure("events that lie ahead", sum(event.at > NOW for event in told.events), *_AHEAD[size]),
    ]


def shared_runs(world: World, told: Ledger) -> dict[str, set[str]]:
    """Runs of eight words in mails of different conversations, outside quotes and signatures, and whose they are."""
    texts = Texts(told, world.now.date())
    events = {id: texts.mails[mail] for mail, id in mail_ids(texts).items()}
    seen: dict[str, set[str]] = {}
    for row in world.rows["gmail"]["emails"]:
        mail = events[row["id"]]
        if mail.twin:
            continue
        own, _, _ = parts(row["body"])
        for run in runs(own.partition(RULE)[0]):
            seen.setdefault(run, set()).add(row["thread"] or row["id"])
    return {run: where for run, where in seen.items() if len(where) > 1}


def _last_month(world: World) -> float:
    ages = [(world.now - _moment(row)).days for row in world.rows["gmail"]["emails"]]
    return 100 * sum(age < 30 for age in ages) / len(ages) * (BACK / 30)


def _moment(row: _Row) -> datetime:
    return datetime.fromisoformat(row["sent_datetime"])


def _within_hours(mails: Sequence[tuple[_Row, Mail]], people: Mapping[str, Person]) -> float:
    ours = [(row, people[mail.sender]) for row, mail in mails if people[mail.sender].inside]
    within = 0
    for row, person in ours:
        there = _moment(row).replace(tzinfo=ZoneInfo(OWNER_ZONE)).astimezone(ZoneInfo(person.zone))
        within += person.hours[0] <= there.hour * 60 + there.minute <= person.hours[1] and there.weekday() < 5
    return 100 * within / len(ours)


def _delay(mails: Sequence[tuple[_Row, Mail]], events: Mapping[str, Mail]) -> float:
    sent = {mail.id: _moment(row) for row, mail in mails}
    waits = [(_moment(row) - sent[mail.answers]) / timedelta(hours=1) for row, mail in mails if mail.answers in sent]
    return median(waits)


def _share(counts: Counter[str], first: int) -> float:
    return 100 * sum(n for _, n in counts.most_common(first)) / counts.total()


def _present(mail: Mail) -> set[str]:
    return {mail.sender, *mail.to, *mail.cc}


def _joined(mails: Sequence[tuple[_Row, Mail]]) -> bool:
    return any(not _present(mail) <= _present(mails[0][1]) for _, mail in mails)


def _drifts(mails: Sequence[tuple[_Row, Mail]]) -> bool:
    return len({re.sub(r"^(Re|Fwd): ", "", row["subject"]) for row, mail in mails if mail.kind == "person"}) > 1


def _changing(mails: Sequence[tuple[_Row, Mail]], people: Mapping[str, Person]) -> int:
    seen: dict[str, set[str]] = {}
    for row, mail in mails:
        if RULE in parts(row["body"])[0]:
            seen.setdefault(mail.sender, set()).add(parts(row["body"])[0].rpartition(RULE)[2])
    return sum(len(signatures) == 2 for signatures in seen.values())


def _recognised(
    mails: Sequence[tuple[_Row, Mail]], people: Mapping[str, Person], kept: Callable[[str], str] = str
) -> float:
    names = re.compile(rf"\b({'|'.join(sorted({word for each in people.values() for word in each.name.split()}))})\b")
    by: dict[str, list[str]] = {}
    for row, mail in mails:
        by.setdefault(mail.sender, []).append(row["body"])
    ten = sorted(by, key=lambda key: (-len(by[key]), key))[:10]
    some = {key: by[key][:: -(-len(by[key]) // _READ)] for key in ten}
    return 100 * recognised(
        {key: [names.sub("N", kept(parts(body)[0].partition(RULE)[0])) for body in some[key]] for key in ten}
    )


def _between(text: str) -> str:
    """A mail without greeting and goodbye: short paragraphs at its ends."""
    paragraphs = text.split("\n\n")
    if len(paragraphs) > 1 and len(paragraphs[0].split()) <= 5:
        del paragraphs[0]
    if len(paragraphs) > 1 and len(paragraphs[-1].split()) <= 5:
        del paragraphs[-1]
    return "\n\n".join(paragraphs)


def _lines(found: Sequence[Measure]) -> Iterator[str]:
    for each in found:
        yield f"{each.name:<50}{each.value:>8.1f}   {each.low:g} to {each.high:g}{'' if each.fits else '   NOT'}"


def _main(given: Sequence[str]) -> int:
    size = next((word for word in given if word in SIZES), "small")
    seed = next((int(word) for word in given if word.isdigit()), SEED)
    found = measures(office(seed, size), ledger(seed, size), size)
    sys.stdout.write("\n".join(_lines(found)) + "\n")
    return int(not all(each.fits for each in found))


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
