"""A sample as an office has it: mails in `gmail`, events in `calendar`, papers and the rest in `filesystem`.

Nothing of the answer key is in it. Mails and events have ids in the order of their days, papers lie in a folder; what
a row or a file was in the sample is known to checks alone (`homes`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime, time, timedelta
from email.utils import parseaddr
from functools import lru_cache
from typing import Any

from benchmarks.probe import worlds
from benchmarks.probe.grammar.people import PERSONAS, persona
from benchmarks.probe.grammar.setting import Person
from benchmarks.probe.records import Document, Sample
from benchmarks.probe.scoring.answers import DETAILS
from benchmarks.probe.workplace.acts import FINDINGS, HOW, SHARED, listed
from harness.suite import SuiteError
from servers.kernel import Owner, World

__all__ = ("DOCUMENTS", "FORM", "PEOPLE", "homes", "poured", "staff", "world")

DOCUMENTS, PEOPLE = "/workspace/Documents", "/workspace/People"
FORM: Mapping[str, Any] = {"evidence": [], **dict.fromkeys(DETAILS, "")}
"""`FINDINGS` before anybody filled it in."""
_OPENS = time(9)
_FIRST_EVENT = 5_000
"""Events are numbered from here, so that no id is that of a mail too."""
_AMISS = re.compile(r"[^\w .,&()'-]+")
_TITLE = 120


def world(name: str) -> World:
    """The world of the sample of that name. Raises `SuiteError`."""
    return poured(worlds.sample(name))


def staff(sample: Sample) -> tuple[Person, ...]:
    """Everybody whom the person may write to: the firm's people, and those outside whom they know.

    Raises:
        SuiteError: the sample is not of the grammar, so that nobody knows who there is.
    """
    return _staff(sample.id, sample.persona_id)


@lru_cache(8)
def _staff(id: str, whose: str) -> tuple[Person, ...]:
    _, seed, number, *_ = (*id.split("-"), "", "", "")
    if not (seed.isdigit() and number.isdigit()):
        raise SuiteError(f"sample {id}: only samples of the grammar can be poured into mail, calendar and files")
    who = persona(int(seed), int(number) % PERSONAS)
    if who.id != whose:
        raise SuiteError(f"sample {id} is of persona {whose}, and {who.id} was made for it")
    return (who.me, *who.staff)


def homes(sample: Sample) -> dict[str, str]:
    """The sample's document by the id of its mail or event, or by the path of its file."""
    return {home: document.id for home, document in _placed(sample)}


def poured(sample: Sample) -> World:
    """A sample's rows. Raises `SuiteError`."""
    whose = sample.world_model["persona"]
    if not isinstance(whose, dict):
        raise SuiteError(f"sample {sample.id}: its world model has no persona")
    owner = Owner(name=str(whose["name"]), address=str(whose["email"]))
    now = datetime.combine(datetime.fromisoformat(sample.now), _OPENS)
    emails, envelopes, events, files = [], [], [], {}
    for home, document in _placed(sample):
        match document.type:
            case "email":
                email, envelope = _email(home, document.payload, owner)
                emails.append(email)
                envelopes += envelope
            case "event":
                events.append(_event(home, document.payload, owner))
            case "document":
                files[home] = (_paper(document.payload), _moment(document.payload["date"]))
    for path, text in _people(staff(sample)):
        files[path] = (text, now - timedelta(days=60))
    files[HOW] = (listed([(each.type, each.description) for each in sample.actions]), now - timedelta(days=60))
    files[FINDINGS] = (json.dumps(FORM, indent=2) + "\n", now)
    folders = {path: now - timedelta(days=400) for path in (DOCUMENTS, PEOPLE, SHARED)}
    return World(
        sample.id,
        now,
        {
            "gmail": {"emails": emails, "envelopes": envelopes},
            "calendar": {"events": events},
            "todoist": {"tasks": []},
            "filesystem": {
                "entries": [
                    *(_entry(path, made, kind="directory") for path, made in sorted(folders.items())),
                    *(_entry(path, made, text=text) for path, (text, made) in sorted(files.items())),
                ]
            },
        },
        owner=owner,
    )


def _placed(sample: Sample) -> Iterable[tuple[str, Document]]:
    """Each document with its home: mails and events by day, papers by path."""
    mails = sorted((each for each in sample.documents if each.type == "email"), key=lambda each: _day(each, "date"))
    yield from ((f"{number:08d}", each) for number, each in enumerate(mails, 1))
    events = sorted((each for each in sample.documents if each.type == "event"), key=lambda each: _day(each, "start"))
    yield from ((f"{number:08d}", each) for number, each in enumerate(events, _FIRST_EVENT + 1))
    taken: set[str] = set()
    for each in sorted((each for each in sample.documents if each.type == "document"), key=lambda e: _day(e, "date")):
        name = f"{_day(each, 'date')[:10]} {_named(str(each.payload['title']))}"
        number = next(n for n in range(1, len(taken) + 2) if _numbered(name, n).casefold() not in taken)
        taken.add(_numbered(name, number).casefold())
        yield f"{DOCUMENTS}/{_numbered(name, number)}.txt", each


def _named(title: str) -> str:
    """A title as the name of a file."""
    return " ".join(_AMISS.sub(" ", title).split())[:_TITLE].strip(" .")


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} ({number})"


def _day(document: Document, field: str) -> str:
    return str(document.payload[field])


def _moment(value: Any) -> datetime:
    found = datetime.fromisoformat(str(value))
    return found if "T" in str(value) else datetime.combine(found, _OPENS)


def _clock(value: Any) -> str:
    return _moment(value).strftime("%Y-%m-%d %H:%M:%S")


def _persons(value: Any) -> list[tuple[str, str]]:
    """(name, address) of each "Name <address>" of a field."""
    given = value if isinstance(value, list) else [value] if value else []
    return [(name, address.lower()) for name, address in (parseaddr(str(each)) for each in given)]


def _email(id: str, payload: Mapping[str, Any], owner: Owner) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The row of a mail, and that of its envelope where it needs one."""
    mine = owner.address.lower()
    (name, sender), *_ = _persons(payload["from"])
    to = [address for _, address in _persons(payload["to"])]
    sent = sender == mine
    row = {
        "id": id,
        "folder": "outbox" if sent else "inbox",
        "address": (to[0] if to else "") if sent else sender,
        "subject": payload["subject"],
        "sent_datetime": _clock(payload["date"]),
        "body": payload["body"],
        "cc": [address for _, address in _persons(payload.get("cc"))],
    }
    alone = len(to) <= 1 if sent else to == [mine]
    envelope = {"id": id, "to": [] if alone else to, "sender_name": "" if sent else name}
    return row, [] if sent and alone else [envelope]


def _event(id: str, payload: Mapping[str, Any], owner: Owner) -> dict[str, Any]:
    mine = owner.address.lower()
    (_, organizer), *_ = _persons(payload["organizer"])
    guests = [
        {"address": address, "name": name, "response": "accepted"}
        for name, address in _persons(payload["attendees"])
        if address != mine
    ]
    start, end = _moment(payload["start"]), _moment(payload["end"])
    return {
        "id": id,
        "event_name": payload["title"],
        "participant_email": guests[0]["address"] if guests else "",
        "event_start": _clock(payload["start"]),
        "duration": str(int((end - start).total_seconds()) // 60),
        "location": payload.get("location") or "",
        "description": payload["description"],
        "organizer": organizer,
        "attendees": guests,
        "response": "" if organizer == mine else "accepted",
    }


def _paper(payload: Mapping[str, Any]) -> str:
    return f"{payload['title']}\n{payload['author']}, {payload['date']}\n\n{payload['content']}\n"


def _people(known: Iterable[Person]) -> Iterable[tuple[str, str]]:
    """A file for each team, with a line for each person."""
    teams: dict[str, list[Person]] = {}
    for each in known:
        teams.setdefault(each.team, []).append(each)
    for team, members in sorted(teams.items()):
        lines = [f"{each.name}, {each.role}, {each.address}" for each in sorted(members, key=lambda each: each.name)]
        title = team[:1].upper() + team[1:]
        yield f"{PEOPLE}/{_named(title)}.txt", f"{title}\n\n" + "\n".join(lines) + "\n"


def _entry(path: str, made: datetime, *, kind: str = "file", text: str | None = None) -> dict[str, Any]:
    at = made.isoformat()
    return {"id": path, "path": path, "kind": kind, "text": text, "created": at, "modified": at}
