"""The folder of an organisation as nodes: every choice keyed by what it decides, so that it is the same everywhere."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from benchmarks.drift.template import Draw, Rows
from benchmarks.drift.terminal.files import ROOT, slug
from benchmarks.drift.terminal.places import PLACES, Place
from servers.kernel import Owner, World

__all__ = ("NOW", "WORLDS", "rows", "world")

NOW = datetime(2025, 4, 28, 9, 15)
WORLDS: tuple[str, ...] = tuple(place.name for place in PLACES)

_BY_NAME = {place.name: place for place in PLACES}
_SHELVES = ("R1", "R2", "R3", "R4")
_MANY_LOGS, _FIRST_LOG = 8, date(2025, 3, 27)


def world(name: str) -> World:
    """The world of that name. Raises KeyError."""
    place = _BY_NAME[name]
    address = f"{slug(place.owner).replace('-', '.')}@{slug(place.about)}.example"
    return World(name, NOW, {"terminal": rows(name)}, owner=Owner(name=place.owner, address=address))


@cache
def rows(name: str) -> Rows:
    """The nodes of that world, by path. Raises KeyError."""
    made = {node["path"]: node for node in _nodes(_BY_NAME[name], Draw("terminal", name))}
    for path in list(made):
        folder = path.rpartition("/")[0]
        while folder != ROOT:
            made.setdefault(folder, _node(folder, kind="directory", mode="755"))
            folder = folder.rpartition("/")[0]
    return {"nodes": [made[path] for path in sorted(made)]}


def _node(
    path: str, content: str = "", kind: str = "file", mode: str = "644", data: str | None = None
) -> dict[str, Any]:
    whole = path if path.startswith(ROOT) else f"{ROOT}/{path}"
    return {"id": whole, "path": whole, "kind": kind, "mode": mode, "content": content, "data": data}


def _nodes(place: Place, draw: Draw) -> Iterator[dict[str, Any]]:
    yield _node("README.md", _readme(place))
    yield from _invoices(place, draw)
    yield from _logs(place, draw)
    yield from _photos(place, draw)
    yield from _lists(place, draw)
    yield from _papers(place, draw)
    for folder in ("archive", "albums/website", "albums/print"):
        yield _node(folder, kind="directory", mode="755")


def _readme(place: Place) -> str:
    services = "".join(f"- {service.name}: {service.known}\n" for service in place.services)
    return (
        f"# Files of {place.about}\n\n"
        "To archive a file is to move it to `archive`, under its own name.\n"
        "A write-protected file has mode 444, a private one 600; all others have 644.\n"
        "Invoices are `open`, `paid` or `cancelled`. To-do lists: new items go to the end.\n\n"
        f"Logs, one a day for each of these:\n\n{services}"
    )


def _invoices(place: Place, draw: Draw) -> Iterator[dict[str, Any]]:
    lines = "".join(f"{party.name},{party.kind},{party.town}\n" for party in place.parties)
    yield _node("customers.csv", f"name,kind,town\n{lines}")
    first = 1000 + draw.number("first invoice", 40) * 10
    for number in range(first, first + 28):
        key = f"invoice {number}"
        party = place.parties[(number - first) % len(place.parties)]
        dated = date(2025, 1, 8) + timedelta(days=(number - first) * 4 + draw.number(f"{key} day", 3))
        cents = 4_000 + draw.number(f"{key} amount", 90_000)
        status = ("open", "paid", "open", "paid")[(number - first + (number - first) // 7) % 4]
        yield _node(
            f"invoices/{dated:%Y-%m}/{number}-{slug(party.name)}.txt",
            f"Invoice: {number}\nCustomer: {party.name}\nDate: {dated}\nDue: {dated + timedelta(days=30)}\n"
            f"Amount: {cents / 100:.2f}\nStatus: {status}\n",
        )


def _logs(place: Place, draw: Draw) -> Iterator[dict[str, Any]]:
    for service in place.services:
        for number in range(_MANY_LOGS):
            dated = _FIRST_LOG + timedelta(days=number)
            key = f"log {service.name} {dated}"
            lines = []
            for line in range(12 + draw.number(key, 14)):
                at = datetime(2025, 1, 1, 6) + timedelta(minutes=line * 25 + draw.number(f"{key} {line} at", 25))
                level = draw.one(f"{key} {line} level", ("ERROR", "WARN", "WARN", "INFO", "INFO", "INFO", "INFO"))
                message = draw.one(f"{key} {line} message", service.lines[level])
                lines.append(f"{at:%H:%M:%S} {level} {message}\n")
            yield _node(f"logs/{service.name}-{dated}.log", "".join(lines))


def _photos(place: Place, draw: Draw) -> Iterator[dict[str, Any]]:
    for event in place.events:
        start = 2000 + draw.number(f"photos {event}", 700) * 10
        for number in range(start, start + 3 + draw.number(f"how many {event}", 3)):
            raw = bytes([0xFF, 0xD8, 0xFF, 0xE0]) + bytes(draw.number(f"{number} {at}", 256) for at in range(12))
            yield _node(f"photos/{event}/IMG_{number}.jpg", data=urlsafe_b64encode(raw).decode())


def _lists(place: Place, draw: Draw) -> Iterator[dict[str, Any]]:
    lines = []
    for item, unit in place.items:
        quantity, price = 1 + draw.number(f"{item} quantity", 40), 50 + draw.number(f"{item} price", 190) * 10
        lines.append(f"{item},{quantity},{unit},{price / 100:.2f},{draw.one(f'{item} shelf', _SHELVES)}\n")
    yield _node("stock.csv", f"item,quantity,unit,price,shelf\n{''.join(lines)}")
    for person in place.people:
        listed = [
            f"- [{'x' if draw.number(f'{person} {task} done', 3) == 0 else ' '}] {task}\n"
            for task in place.tasks
            if draw.number(f"{person} {task}", 2)
        ]
        yield _node(f"todo/{slug(person)}.md", f"# {person}\n\n{''.join(listed)}- [ ] Tidy the shared folder\n")
    for config in place.configs:
        told = "".join(
            f"# {key}: {unit}, from {low} to {high}\n{key} = {value}\n"
            for key, (value, low, high, unit, _) in config.keys.items()
        )
        yield _node(f"config/{config.name}.ini", f"[{config.name}]\n{told}")


def _papers(place: Place, draw: Draw) -> Iterator[dict[str, Any]]:
    for number in range(9):
        dated = date(2025, 1, 14) + timedelta(days=11 * number)
        topics = [
            topic for at, topic in enumerate(place.topics) if (number + at) % 3 != draw.number(f"note {number}", 3)
        ]
        lines = "".join(f"- {topic}: {draw.one(f'{number} {topic}', place.sayings)}\n" for topic in topics)
        yield _node(f"notes/{dated}.md", f"# Meeting of {dated.day} {dated:%B %Y}\n\n{lines}")
    for what in place.backups:
        for number in range(5):
            dated = date(2025, 2, 2) + timedelta(days=14 * number)
            yield _node(f"backups/{what}-{dated}.bak", f"{what} {dated} {draw.number(f'{what} {dated}', 10**8):08d}\n")
    for party in place.parties[:5]:
        for year in (2024, 2025):
            mode = draw.one(f"agreement {party.name} {year}", ("644", "600", "444"))
            yield _node(
                f"agreements/{slug(party.name)}-{year}.txt",
                f"Agreement of {place.about} with {party.name}, {party.town}\nFor the year {year}.\n",
                mode=mode,
            )
