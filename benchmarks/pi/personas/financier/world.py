"""What the financier's apps hold when her episode begins: texts from `texts`, figures from the program."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from benchmarks.pi import skills
from benchmarks.pi.cast import FINANCIER, Someone, password
from benchmarks.pi.catalogue import amazon, phone, splitwise, spotify, web
from benchmarks.pi.market import backtest, quotes
from servers.kernel import World, own_yaml

__all__ = ("NOW", "SEED", "world")

NOW: Final = datetime(2026, 4, 13, 9, 0)
"""A Monday; her first request comes after it."""

SEED: Final = 20260413

Row = dict[str, Any]

_TEXTS: Final = Path(__file__).parent / "texts"
_PRIVATE: Final = ("filesystem", "gmail", "simple_note", "todoist")
"""Apps of hers that want a login; those of the catalogue bring their accounts."""


@cache
def world(seed: int = SEED) -> World:
    """Her own texts and figures, her skills, and what the catalogue says of phone, shop, expenses, music and web.

    Equal seeds give equal digests.
    """
    diary = _read("diary")
    rows: dict[str, dict[str, list[Row]]] = {
        "gmail": _mail(),
        "calendar": {"events": list(_events(diary["events"]))},
        "filesystem": {},
        "todoist": _todoist(diary),
        "simple_note": {
            "notes": [
                {
                    "id": f"N{n}",
                    "title": each["title"],
                    "text": each["text"],
                    "created": _moment(each["at"]),
                    "changed": _moment(each["at"]),
                    "username": FINANCIER.self.address,
                }
                for n, each in enumerate(diary["notes"], 1)
            ]
        },
        "memory": {
            "memories": [
                {"id": f"M{n}", "text": each["text"], "kept": _moment(each["at"]), "changed": _moment(each["at"])}
                for n, each in enumerate(diary["memories"], 1)
            ]
        },
    }
    for app, made in (("amazon", amazon.rows), ("spotify", spotify.rows)):
        rows[app] = made(seed, NOW, FINANCIER)
    rows["phone"] = phone.rows(
        seed, NOW, FINANCIER, [(_who(first).address, said) for first, said in _read("phone").items()]
    )
    rows["splitwise"] = _shared(splitwise.rows(seed, NOW, FINANCIER))
    rows["web"] = web.rows()
    rows["skills"] = {"files": skills.rows(skills.OFFERED["financier"])}
    for app in _PRIVATE:
        account = {"username": FINANCIER.self.address, "password": password(seed, FINANCIER, app)}
        rows[app]["accounts"] = [{"id": "A1", **account, "name": FINANCIER.self.name}]
    rows["filesystem"]["entries"] = list(_entries(seed, rows))
    return World("financier", NOW, rows, owner=FINANCIER.owner)


def _read(name: str) -> Any:
    return own_yaml((_TEXTS / f"{name}.yaml").read_text(encoding="utf-8"))


def _moment(at: datetime | str) -> str:
    return (at if isinstance(at, datetime) else datetime.fromisoformat(at)).isoformat()


def _who(first: str) -> Someone:
    """Somebody of the cast by first name in lower case. Raises `KeyError` where nobody has it."""
    return {each.name.split()[0].lower(): each for each in FINANCIER.people}[first]


def _mail() -> dict[str, list[Row]]:
    emails: list[Row] = []
    begun: dict[str, Row] = {}
    for n, each in enumerate(sorted(_read("mail"), key=lambda each: _moment(each["at"])), 1):
        first = begun.get(each.get("answers", ""))
        row = {
            "id": f"{n:08d}",
            "folder": "outbox" if "to" in each else "inbox",
            "address": _who(each.get("to") or each["from"]).address,
            "subject": f"Re: {first['subject']}" if first else each["subject"],
            "sent_datetime": _moment(each["at"]).replace("T", " "),
            "body": each["text"],
            "thread": first["id"] if first else None,
        }
        emails.append(row)
        if "key" in each:
            begun[each["key"]] = row
    return {"emails": emails}


def _shared(rows: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """What she shares with others, with the group of `weekends` besides. Nell writes it down in the evening."""
    group, made = f"G{len(rows['groups']) + 1}", _read("weekends")
    ids = {row["username"]: row["id"] for row in rows["users"]}
    people = {
        first: ids[FINANCIER.self.address if first == "marit" else _who(first).address] for first in made["members"]
    }
    begun = _moment(made["created"])
    rows["groups"].append({"id": group, "name": made["name"], "description": made["description"], "created": begun})
    for user in people.values():
        rows["members"].append(
            {"id": f"M{len(rows['members']) + 1}", "group_id": group, "user_id": user, "joined": begun}
        )
    for each in made["expenses"]:
        expense, shared = f"E{len(rows['expenses']) + 1}", each.get("among")
        typed = each.get("typed", each["day"] + timedelta(days=1))
        rows["expenses"].append(
            {
                "id": expense,
                "group_id": group,
                "description": each["for"],
                "category": each["kind"],
                "amount": each["amount"],
                "paid_by": people[each["by"]],
                "split": "unequal" if shared else "equal",
                "day": each["day"].isoformat(),
                "notes": each.get("notes", ""),
                "recorded": datetime.combine(typed, time(22, 10)).isoformat(),
            }
        )
        for first, amount in (shared or dict.fromkeys(people, each["amount"] // len(people))).items():
            share = {"expense_id": expense, "user_id": people[first], "amount": amount}
            rows["shares"].append({"id": f"SH{len(rows['shares']) + 1}", **share})
    return rows


def _events(events: list[Row]) -> Iterator[Row]:
    for n, each in enumerate(events, 1):
        people = [_who(first) for first in each["people"]]
        yield {
            "id": f"{n:08d}",
            "event_name": each["name"],
            "participant_email": people[0].address if people else "",
            "event_start": _moment(each["at"]).replace("T", " "),
            "duration": str(each["minutes"]),
            "location": each.get("where", ""),
            "organizer": FINANCIER.self.address,
            "attendees": [
                {"address": who.address, "name": who.name, "response": "accepted", "optional": False} for who in people
            ],
        }


def _todoist(diary: Row) -> dict[str, list[Row]]:
    ids = {each["name"]: f"P{n}" for n, each in enumerate(diary["projects"], 1)}
    return {
        "people": [
            {"id": f"U{n}", "name": who.name, "email": who.address}
            for n, who in enumerate((FINANCIER.self, *FINANCIER.of("colleague")), 1)
        ],
        "projects": [
            {
                "id": ids[each["name"]],
                "name": each["name"],
                "owner": FINANCIER.self.address,
                "members": [_who(first).address for first in each["members"]],
            }
            for each in diary["projects"]
        ],
        "tasks": [
            {
                "id": f"T{n}",
                "content": each["name"],
                "project_id": ids[each["in"]],
                "assignee": _who(each["to"]).address if "to" in each else None,
                "due_date": each["due"].isoformat() if "due" in each else None,
                "completed": _moment(each["done"]) if "done" in each else None,
                "position": n,
            }
            for n, each in enumerate(diary["tasks"], 1)
        ],
    }


def _entries(seed: int, rows: dict[str, dict[str, list[Row]]]) -> Iterator[Row]:
    """Files with the folders that they lie in, each folder as old as its first file."""
    home = f"/home/{FINANCIER.self.address}"
    texts = [(each["path"].replace("~", home), _moment(each["at"]), each["text"]) for each in _read("files")]
    texts += [(path, _moment(at), text) for path, at, text in _computed(seed)]
    texts.append(("/workspace/ACCOUNTS.md", "2026-01-05T09:00:00", _accounts(rows)))
    made: dict[str, Row] = {}
    for path, at, text in sorted(texts, key=lambda each: each[1]):
        above = [path.rsplit("/", n)[0] for n in range(1, path.count("/"))]
        for folder in sorted(set(above) - {"", "/workspace", "/home"} - set(made)):
            made[folder] = {"kind": "directory", "text": None, "created": at, "modified": at}
        made[path] = {"kind": "file", "text": text, "created": at, "modified": at}
    return ({"id": path, "path": path, **made[path]} for path in sorted(made))


def _accounts(rows: dict[str, dict[str, list[Row]]]) -> str:
    held = [(app, each) for app in sorted(rows) for each in rows[app].get("accounts", ())]
    lines = (f"| {app} | {each['username']} | {each['password']} |" for app, each in held)
    return "# Accounts\n\n| app | username | password |\n|---|---|---|\n" + "\n".join(lines) + "\n"


def _computed(seed: int) -> Iterator[tuple[str, datetime, str]]:
    """The vendor's fortnight, Hanne's series, and her report, which holds out a random quarter of the days."""
    delivery = quotes.as_csv(quotes.delivered(seed))
    yield "/workspace/market/vendor/halldata-sterling-swaps-2026-04-10.csv", datetime(2026, 4, 10, 17, 45), delivery
    observed = backtest.rates(seed)
    series = "date,rate_pct\n" + "".join(f"{day},{rate:.4f}\n" for day, rate in _levels(observed))
    folder, at = "/workspace/validation/short-rate/from-hanne", datetime(2026, 4, 7, 9, 20)
    yield f"{folder}/short-rate-series.csv", at, series
    out = backtest.run(*backtest.by_share(observed, seed))
    report = (
        "# Short-rate model: back-test\n\n"
        f"Hanne Brightwell, Tuesday 7 April 2026. Daily rates, {observed[0].day} to {observed[-1].day}, "
        f"{len(observed)} days.\n\n"
        f"A random quarter of the days was held out ({out.days}), and the model, tomorrow's rate as a straight line in "
        "today's, fitted to the rest by least squares. It tells a band of 95% "
        f"for the next day. {len(out.exceptions)} of the days held out were outside, where {out.days * 0.05:.1f} are "
        f"expected; Kupiec's p value is {out.p_value:.3f}. I see no reason to change anything.\n"
    )
    yield f"{folder}/short-rate-backtest.md", at, report


def _levels(observed: tuple[backtest.Observation, ...]) -> Iterator[tuple[date, float]]:
    """The series with the day that the first change is counted from."""
    first = observed[0]
    yield first.day - timedelta(1), first.before
    for each in observed:
        yield each.day, each.rate
