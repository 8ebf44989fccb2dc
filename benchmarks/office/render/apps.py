"""The other apps as rows: calendar, chat, tasks, customers, files, notes, directory."""

from __future__ import annotations

from typing import Any

from benchmarks.office.ledger import DAY, NOW, Busy, Chat, Comment, DealStep, FileVersion, Meeting, Note, ToDo, day_of
from benchmarks.office.names import BRANCHES
from benchmarks.office.people import OWNER, OWNER_ZONE, Person
from benchmarks.office.render.texts import Texts
from benchmarks.office.stage import keyed
from benchmarks.office.words import later

__all__ = ("calendar", "chat", "crm", "directory", "filesystem", "simple_note", "todoist")

_Row = dict[str, Any]


def _moment(texts: Texts, at: int) -> str:
    return f"{texts.moment(at):%Y-%m-%dT%H:%M:%S}"


def _day(texts: Texts, day: int) -> str:
    return str(later(texts.today, day))


def _there(texts: Texts) -> list[Person]:
    """Who is in the company at `now`."""
    people = texts.ledger.company.people.values()
    return [person for person in people if person.inside and (person.left is None or person.left >= 0)]


def calendar(texts: Texts) -> dict[str, list[_Row]]:
    """The tables of `calendar`: what the owner has been invited to by `now`."""
    meetings = [each for each in texts.ledger.of(Meeting) if each.at <= NOW]
    numbers = list(range(1, len(meetings) + 1))
    keyed(texts.ledger.seed, "event ids").shuffle(numbers)
    ids = {meeting.id: f"{number:08d}" for meeting, number in zip(meetings, numbers, strict=True)}
    people = texts.ledger.company.people
    rows: list[_Row] = []
    for each in sorted(meetings, key=lambda each: each.starts):
        asked = [] if each.sender == OWNER else [(each.sender, "accepted")]
        asked += [pair for pair in each.people if pair[0] not in (OWNER, each.sender)]
        row: _Row = {
            "id": ids[each.id],
            "event_name": texts.plain(each, each.title),
            "participant_email": people[asked[0][0]].address if asked else "",
            "event_start": texts.stamp(each.starts),
            "duration": str(each.minutes),
            "all_day": each.all_day,
            "location": texts.plain(each, each.place),
            "description": texts.plain(each, each.text),
            "organizer": people[each.sender].address,
            "attendees": [
                {"address": people[key].address, "name": people[key].name, "response": said} for key, said in asked
            ],
            "response": "" if each.sender == OWNER else each.response,
            "recurrence": each.recurrence,
            "until": None if each.until is None else _day(texts, each.until),
            "skipped": [_day(texts, day) for day in each.skipped],
        }
        if each.series:
            row |= {"series": ids[each.series], "original": _day(texts, each.original or 0)}
        rows.append(row)
    zones = sorted({person.zone for person in people.values() if person.inside} - {OWNER_ZONE})
    shared = [next(p for p in people.values() if p.inside and p.zone == zone) for zone in zones]
    calendars = [
        {"id": f"C{n}", "name": person.name, "zone": person.zone, "owner": person.address}
        for n, person in enumerate(shared, 1)
    ]
    busy = [
        {
            "id": f"B{n}",
            "person": people[each.sender].address,
            "start": _moment(texts, each.starts),
            "minutes": each.minutes,
        }
        for n, each in enumerate((each for each in texts.ledger.of(Busy) if each.at <= NOW), 1)
    ]
    return {"events": rows, "calendars": calendars, "busy": busy}


def chat(texts: Texts) -> dict[str, list[_Row]]:
    """The tables of `chat`."""
    company = texts.ledger.company
    inside = [person for person in company.people.values() if person.inside]
    members = {person.key: f"U{n:03d}" for n, person in enumerate(inside, 1)}
    handles: dict[str, str] = {}
    for person in inside:
        handle = person.first.lower()
        handles[person.key] = handle if handle not in handles.values() else person.address.partition("@")[0]
    said = [each for each in texts.ledger.of(Chat) if each.at <= NOW]
    ids = {each.id: f"M{n:05d}" for n, each in enumerate(said, 1)}
    there = {**company.channels, **{_place(each): _place(each).split("+") for each in said if "+" in each.channel}}
    channels = {name: f"C{n:03d}" for n, name in enumerate(there, 1)}
    joined = [(name, key) for name, keys in there.items() for key in keys]
    last: dict[str, int] = {}
    began: dict[str, int] = {}
    for each in said:
        began.setdefault(_place(each), each.at)
        last[_place(each)] = each.at
    reactions = [(each, emoji, who) for each in said for emoji, who in each.reactions]
    return {
        "members": [
            {
                "id": members[each.key],
                "handle": handles[each.key],
                "name": each.name,
                "address": each.address,
                "title": each.title,
                "zone": each.zone,
                "active": each.left is None or each.left >= 0,
                "status": "on leave" if any(first <= 0 <= end for first, end in each.away) else "",
            }
            for each in inside
        ],
        "channels": [
            {
                "id": id,
                "kind": "direct" if "+" in name else "private" if name == "offsite" else "public",
                "name": "" if "+" in name else name,
                "created": _moment(texts, began[name] if "+" in name else -180 * DAY + 540),
            }
            for name, id in channels.items()
        ],
        "channel_members": [
            {
                "id": f"J{n:04d}",
                "channel_id": channels[name],
                "member_id": members[key],
                "last_read": _moment(texts, last.get(name, NOW) - (300 if name == "sales" else 0))
                if key == OWNER
                else None,
            }
            for n, (name, key) in enumerate(joined, 1)
        ],
        "messages": [
            {
                "id": ids[each.id],
                "channel_id": channels[_place(each)],
                "author_id": members[each.sender],
                "text": texts.chat(each, each.text),
                "sent": _moment(texts, each.at),
                "thread": ids[each.answers] if each.answers else None,
            }
            for each in said
        ],
        "reactions": [
            {"id": f"R{n:05d}", "message_id": ids[each.id], "member_id": members[who], "emoji": emoji}
            for n, (each, emoji, who) in enumerate(reactions, 1)
        ],
    }


def _place(each: Chat) -> str:
    """The channel of a message; a direct conversation is one, whoever is named first. Raises ValueError."""
    if "+" not in each.channel:
        return each.channel
    keys = sorted(each.channel.split("+"))
    if OWNER not in keys or each.sender not in keys:
        raise ValueError(f"{each.id}: {each.channel!r} is no direct conversation of the owner and its writer")
    return "+".join(keys)


def todoist(texts: Texts) -> dict[str, list[_Row]]:
    """The tables of `todoist`."""
    company = texts.ledger.company
    todos = [each for each in texts.ledger.of(ToDo) if each.at <= NOW]
    comments = [each for each in texts.ledger.of(Comment) if each.at <= NOW]
    project_of = {each.id: each.project for each in todos}
    names = sorted({each.project for each in todos})
    projects = {name: f"P{n}" for n, name in enumerate(names, 1)}
    helpers = {
        name: sorted(
            (
                {each.assignee for each in todos if each.project == name and each.assignee}
                | {each.sender for each in todos if each.project == name}
                | {each.sender for each in comments if project_of[each.task] == name}
            )
            - {OWNER}
        )
        for name in names
    }
    ids = {each.id: f"T{n}" for n, each in enumerate(todos, 1)}
    sections = {
        pair: f"S{n}"
        for n, pair in enumerate(sorted({(each.project, each.section) for each in todos if each.section}), 1)
    }
    labels = {name: f"L{n}" for n, name in enumerate(sorted({name for each in todos for name in each.labels}), 1)}
    tagged = [(each, name) for each in todos for name in each.labels]
    own = company.person(OWNER).address
    people = sorted({key for keys in helpers.values() for key in keys} | {"planner", "logistics", "it"})
    return {
        "people": [
            {"id": f"U{n}", "name": company.person(key).name, "email": company.person(key).address}
            for n, key in enumerate(people, 1)
        ],
        "projects": [
            {"id": id, "name": name, "owner": own, "members": [company.person(key).address for key in helpers[name]]}
            for name, id in projects.items()
        ],
        "sections": [
            {"id": id, "project_id": projects[project], "name": name, "position": n}
            for n, ((project, name), id) in enumerate(sections.items())
        ],
        "labels": [{"id": id, "name": name} for name, id in labels.items()],
        "task_labels": [
            {"id": f"TL{n}", "task_id": ids[each.id], "label_id": labels[name]}
            for n, (each, name) in enumerate(tagged, 1)
        ],
        "comments": [
            {
                "id": f"C{n}",
                "task_id": ids[each.task],
                "text": texts.chat(each, each.text),
                "posted": _moment(texts, each.at),
                "author": None if each.sender == OWNER else company.person(each.sender).address,
            }
            for n, each in enumerate(comments, 1)
        ],
        "tasks": [
            {
                "id": ids[each.id],
                "content": texts.plain(each, each.text),
                "project_id": projects[each.project],
                "section_id": sections.get((each.project, each.section)),
                "parent_id": ids[each.parent] if each.parent else "",
                "assignee": company.person(each.assignee).address if each.assignee else None,
                "due_date": None if each.due is None else _day(texts, each.due),
                "priority": f"p{each.priority}",
                "completed": None if each.done is None or each.done > NOW else _moment(texts, each.done),
                "position": n,
            }
            for n, each in enumerate(todos)
        ],
    }


def crm(texts: Texts) -> dict[str, list[_Row]]:
    """The tables of `crm`: deals as their last step left them, whether that is true or not."""
    company, ledger = texts.ledger.company, texts.ledger
    steps = [each for each in ledger.of(DealStep) if each.at <= NOW]
    last = {each.deal: each for each in steps}
    deals = {key: f"D{n}" for n, key in enumerate(last, 1)}
    homes = ("client", "prospect", "regular")
    companies = {home: f"C{n}" for n, home in enumerate(homes, 1)}
    contacts = [person for person in company.people.values() if person.team in homes]
    customers = {person.key: f"{n:08d}" for n, person in enumerate(contacts, 1)}
    stages = {"client": "Won", "prospect": "Proposal", "regular": "Won"}
    before: dict[str, str | None] = {}
    moves: list[_Row] = []
    notes: list[_Row] = []
    for n, each in enumerate(steps, 1):
        by, day = company.person(each.sender).address, _day(texts, day_of(each.at))
        moves.append(
            {
                "id": f"H{n}",
                "deal_id": deals[each.deal],
                "before": before.get(each.deal),
                "after": each.stage,
                "day": day,
                "by": by,
                "reason": each.reason,
            }
        )
        before[each.deal] = each.stage
        if each.note:
            notes.append(
                {
                    "id": f"N{len(notes) + 1}",
                    "record_id": deals[each.deal],
                    "text": texts.plain(each, each.note),
                    "day": day,
                    "author": by,
                }
            )
    return {
        "customers": [
            {
                "id": customers[each.key],
                "assigned_to_email": company.person("am2" if each.team == "prospect" else "am1").address,
                "customer_name": each.name,
                "customer_email": each.address,
                "customer_phone": each.phones[1],
                "product_interest": "Hardware",
                "status": stages[each.team],
                "job_title": each.title,
                "company_id": companies[each.team],
            }
            for each in contacts
        ],
        "companies": [
            {
                "id": id,
                "name": company.outside[home],
                "industry": BRANCHES[company.outside[home]],
                "domain": next(p.address for p in contacts if p.team == home).partition("@")[2],
                "owner": company.person("am2" if home == "prospect" else "am1").address,
            }
            for home, id in companies.items()
        ],
        "owners": [
            {"id": f"O{n}", "name": each.name, "address": each.address}
            for n, each in enumerate(company.team("sales"), 1)
        ],
        "deals": [
            {
                "id": id,
                "title": ledger.deals[key]["title"],
                "owner": company.person(ledger.deals[key]["owner"]).address,
                "amount": ledger.facts[last[key].amount].at(last[key].at),
                "currency": "EUR",
                "stage": last[key].stage,
                "close_date": _day(texts, int(ledger.facts[ledger.deals[key]["close"]].at(0))),
                "company_id": companies[ledger.deals[key]["company"]],
                "contact_id": customers[ledger.deals[key]["contact"]],
                "closed": _day(texts, day_of(last[key].at)) if last[key].stage in ("Won", "Lost") else None,
                "reason": last[key].reason,
            }
            for key, id in deals.items()
        ],
        "stage_changes": moves,
        "notes": notes,
    }


def filesystem(texts: Texts) -> dict[str, list[_Row]]:
    """The entries of `filesystem`: the last version of each file, and the directories above."""
    first: dict[str, int] = {}
    latest: dict[str, tuple[int, str]] = {}
    for version in texts.ledger.of(FileVersion):
        if version.at <= NOW:
            path, text = texts.file(version)
            first.setdefault(path, version.at)
            latest[path] = version.at, text
    folders: dict[str, int] = {}
    for path, at in first.items():
        parts = path.split("/")
        for depth in range(3, len(parts)):
            folder = "/".join(parts[:depth])
            folders[folder] = min(at, folders.get(folder, at))
    entries: list[_Row] = [
        {"id": path, "path": path, "kind": "directory", "created": _moment(texts, at), "modified": _moment(texts, at)}
        for path, at in folders.items()
    ]
    for path, (at, text) in latest.items():
        entries.append(
            {
                "id": path,
                "path": path,
                "kind": "file",
                "text": text,
                "created": _moment(texts, first[path]),
                "modified": _moment(texts, at),
            }
        )
    return {"entries": sorted(entries, key=lambda row: str(row["path"]))}


def simple_note(texts: Texts) -> dict[str, list[_Row]]:
    """The notes of the owner."""
    return {
        "notes": [
            {
                "id": f"N{n}",
                "title": texts.plain(each, each.title),
                "text": texts.plain(each, each.text),
                "tags": list(each.tags),
                "pinned": each.pinned,
                "created": _moment(texts, each.at),
                "changed": _moment(texts, each.at),
            }
            for n, each in enumerate((each for each in texts.ledger.of(Note) if each.at <= NOW), 1)
        ]
    }


def directory(texts: Texts) -> dict[str, list[_Row]]:
    """The addresses of who is in the company."""
    return {"people": [{"id": str(n), "email_address": each.address} for n, each in enumerate(_there(texts), 1)]}
