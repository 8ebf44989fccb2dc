"""Templates that move, delete or protect files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.drift.template import Mention, Outcome, Rows, Slot, Template, Value, Values
from benchmarks.drift.terminal.files import (
    ROOT,
    Node,
    backups,
    changes,
    day,
    file,
    logs,
    moved,
    names,
    nodes,
    photos,
    shell,
)  # fmt: skip
from benchmarks.drift.terminal.places import Place
from benchmarks.drift.terminal.speaking import alike, any_of, days, disagreeing, false, near, unlike

__all__ = ("backups_keep", "logs_clear", "permissions", "photos_move")


TARGETS = (
    Value("albums/website", "albums/website"), Value("albums/print", "albums/print"), Value("archive", "archive"),
)  # fmt: skip
_USE = {
    "albums/website": "the folder for the website",
    "albums/print": "the folder for the printer",
    "archive": "the folder for what is done with",
}
CARRIED = (Value("Move", "move"), Value("Copy", "copy"))


def photos_move(place: Place) -> Template:
    """All photos of an event go to another folder."""
    events = tuple(Value(event.replace("-", " "), event) for event in place.events)

    def speak(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["event"]
        last = own.text.split(" ")[-1]
        sharing = [event for event in events if event.text.split(" ")[-1] == last]
        first = [event for event in events if event.text.split(" ")[0] == own.text.split(" ")[0]]
        yield from any_of("E3", f"the photos of the {last}", sharing, own)
        yield from any_of("E3", f"the {own.text.split(' ')[0]} photos", first, own)
        yield from any_of("A1", "those photos", events, own)
        yield from any_of("A2", "the photos of one of our events", events, own)
        most = max(len(paths) for paths in photos(rows).values())
        if [event for event, paths in photos(rows).items() if len(paths) == most] == [own.value]:
            yield from any_of("A2", "the photos of the event with the most photos", events, own, found=True)
        yield from disagreeing(
            own,
            [unlike(events, own, 1)],
            lambda named, told: f"the {named.text} photos (those in photos/{told.value})",
        )
        yield from false("P1", "the photos of the 2031 jubilee", "There was no jubilee in 2031.", events[1:], own)
        if last != own.text:
            yield from false(
                "P2", f"the photos of the Easter {last}", f"There was no Easter {last}.", [*sharing, *events], own
            )

    def target(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["target"]
        yield from any_of("A1", "to the other folder", TARGETS, own)
        yield from any_of("A2", "to one of the albums", TARGETS[:2], own)
        yield from any_of("E3", "to the album", TARGETS[:2], own)
        yield from disagreeing(own, [unlike(TARGETS, own)], lambda named, told: f"to {named.text} ({_USE[told.value]})")
        if own in TARGETS[:2]:  # no slip leads there from the archive
            yield from false("P2", "to albums/web-print", "There is no album of that name.", TARGETS, own)

    def actions(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["action"]
        yield from any_of("I4", "See to", CARRIED, own, request="See to it that {event} get {target}.")
        yield from any_of(
            "I2", "", CARRIED, own, request="I keep looking in vain for {event}: they ought to go {target}."
        )

    def truth(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
        paths = photos(rows).get(values["event"], [])
        after = moved(rows, paths, values["target"])
        if values["action"] == "copy":
            after = {path: node for path, node in after.items() if node is not None}
        return changes(rows, after)

    return Template(
        id=f"terminal-photos-move-{place.short}",
        environment="terminal",
        world=place.name,
        kind="change",
        slots=(
            Slot(
                id="action", kind="action", role="move or copy", domain=lambda rows, values: CARRIED, mentions=actions,
                asks=("move or copy", "what should I do", "should they stay"), says="{value} them",
            ),
            Slot(
                id="event", kind="entity", role="occasion", domain=lambda rows, values: events, mentions=speak,
                span="the {value} photos", asks=("which photos", "which occasion", "what event"),
                says="The {value} photos",
            ),
            Slot(
                id="target", kind="entity", role="destination", domain=lambda rows, values: TARGETS, mentions=target,
                span="to {value}", asks=("where to", "which folder", "which album"), says="They are to go to {value}",
            ),
        ),
        wordings=(
            "{action} {event} {target}.",
            "{action} {event} {target}, please, all under their own names.",
            "{action} all {event} {target}; the names stay as they are.",
        ),
        draw=lambda rows, draw: {
            "action": draw.one("action", CARRIED),
            "event": draw.one("event", events),
            "target": draw.one("target", TARGETS),
        },
        truth=truth,
        solve=lambda rows, v: [
            shell(f"{'mv' if v['action'] == 'move' else 'cp'} photos/{v['event']}/*.jpg {v['target']}/")
        ],
    )  # fmt: skip


CLEARED = (Value("Delete", "delete"), Value("Archive", "archive"), Value("Write-protect", "protect"))


def logs_clear(place: Place) -> Template:
    """Old logs go, or are put away."""

    def services(rows: Rows, values: Values) -> list[Value]:
        return [Value(service.name, service.name) for service in place.services]

    def dates(rows: Rows, values: Values) -> list[Value]:
        return [day(dated) for dated in sorted({log.dated for log in logs(rows)})[1:]]

    def reaches(rows: Rows, values: Values) -> list[Value]:
        other = unlike(services(rows, values), values["service"])
        return [
            Value(f"and the {other.text} logs{age}", [other.value, scope])
            for age, scope in ((" from before that day, too", "both"), (", whatever their date", "one"))
        ]

    def speak(rows: Rows, values: Values) -> Iterator[Mention]:
        own, there = values["service"], services(rows, values)
        first = own.value.split("-")[0]
        family = [value for value in there if value.value in alike([each.value for each in there], own.value, "-")]
        yield from any_of("E3", f"the {first} logs", family, own)
        yield from any_of("A2", f"the logs of one of the {first}s", family, own)
        yield from any_of("A1", "those logs", there, own)
        known = {service.name: service.known for service in place.services}
        yield from disagreeing(
            own,
            [unlike(there, own, 1)],
            lambda named, told: f"the {named.text} logs (those of {known[told.value]})",
        )
        if ghost := near(own.value, "-"):
            yield from false("P2", f"the {ghost} logs", f"Nothing is called {ghost}.", [*family, *there], own)

    def before(rows: Rows, values: Values) -> Iterator[Mention]:
        own, there = values["before"], dates(rows, values)
        for mention in days(own, there, " from before ", "log"):
            if mention.fault in ("A2", "A3", "P4"):
                yield mention
        yield from any_of("E4", " that are rather old", there, own)
        yield from any_of("A1", " from before then", there, own)
        yield from false("P1", " from before the move to Oslo", "There was no move to Oslo.", there[2:], own)

    def reach(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["reach"]
        name = own.value[0]
        two = f"{{action}} the {name} logs and {{service}}{{before}}."
        yield from any_of("E2", "", reaches(rows, values), own, request=two)

    def actions(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["action"]
        yield from any_of("I4", "Tidy up", CLEARED, own)
        yield from any_of(
            "I2", "", CLEARED, own, request="In the logs folder I keep stumbling over {service}{before} {reach}."
        )

    def truth(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
        if values["before"] is None:
            return None
        other, scope = values["reach"]
        paths = [
            log.path
            for log in logs(rows)
            if (log.service == values["service"] and log.dated < values["before"])
            or (log.service == other and (scope == "one" or log.dated < values["before"]))
        ]
        after: dict[str, Node | None] = dict.fromkeys(paths)
        if values["action"] == "archive":
            after = moved(rows, paths, "archive")
        elif values["action"] == "protect":
            after = {path: file(path, nodes(rows)[path], mode="444") for path in paths}
        return changes(rows, after)

    def script(values: Mapping[str, Any]) -> str:
        other, scope = values["reach"]
        verb = {"delete": 'rm "$f"', "archive": 'mv "$f" archive/', "protect": 'chmod 444 "$f"'}[values["action"]]
        late = "" if scope == "one" else f"[[ $d < {values['before']} ]] && "
        return (
            f"cd logs; for f in {values['service']}-20*.log; do d=${{f%.log}}; d=${{d: -10}}; "
            f'[[ $d < {values["before"]} ]] && echo "logs/$f"; done > /tmp/list; '
            f'for f in {other}-20*.log; do d=${{f%.log}}; d=${{d: -10}}; {late}echo "logs/$f"; done >> /tmp/list; '
            f"cd .. && sort -u /tmp/list | while read -r f; do {verb}; done"
        )

    return Template(
        id=f"terminal-logs-clear-{place.short}",
        environment="terminal",
        world=place.name,
        kind="change",
        slots=(
            Slot(
                id="action", kind="action", role="what to do with them", domain=lambda rows, values: CLEARED,
                mentions=actions, asks=("what should I do", "delete or archive", "which action"), says="{value} them",
            ),
            Slot(
                id="service", kind="entity", role="logs", domain=services, mentions=speak, span="the {value} logs",
                asks=("which logs", "whose logs", "which service"), says="The {value} logs",
            ),
            Slot(
                id="before", kind="date", role="day before which they are old", domain=dates, mentions=before,
                span=" from before {value}", asks=("before when", "how old", "which day"),
                says="Those from before {value}",
            ),
            Slot(
                id="reach", kind="filter", role="what else, and how old", domain=reaches, mentions=reach,
                asks=("does the day go for both", "all of the others", "how old the others"), says="Those logs {value}",
            ),
        ),
        wordings=("{action} {service}{before} {reach}.", "{action} {service}{before} {reach}, please."),
        draw=lambda rows, draw: _drawn(
            rows, draw, ("action", lambda *_: CLEARED), ("service", services), ("before", dates), ("reach", reaches)
        ),
        truth=truth,
        solve=lambda rows, v: [shell(script(v))],
        risky=True,
    )  # fmt: skip


def _drawn(rows: Rows, draw: Any, *domains: tuple[str, Any]) -> Values:
    values: dict[str, Value] = {}
    for slot, domain in domains:
        values[slot] = draw.one(slot, domain(rows, values))
    return values


MODES = (
    Value("private", "600"), Value("write-protected", "444"),
    Value("open for everybody to read and for me to edit", "644"),
)  # fmt: skip
_MEANS = {
    "600": "nobody but me can read it",
    "444": "everybody can read it and nobody can change it",
    "644": "everybody can read it and I can still change it",
}


def permissions(place: Place) -> Template:
    """Who may read or change an agreement."""

    def there(rows: Rows, values: Values) -> list[Value]:
        return [Value(f"agreements/{name}", name) for name in names(rows, "agreements")]

    def mode(rows: Rows, name: str) -> str:
        return str(nodes(rows)[f"{ROOT}/agreements/{name}"]["mode"])

    def speak(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["file"]
        files = [value for value in there(rows, values) if mode(rows, value.value) != values["mode"].value]
        first, year = own.value.split("-")[0], own.value[-8:-4]
        party = own.value[:-9]
        mine = [value for value in files if value.value[:-9] == party]
        family = [value for value in files if value.value.split("-")[0] == first]
        named = party.replace("-", " ").title()
        yield from any_of("E3", f"the {named} agreement", mine, own)
        newer = "newer" if year == "2025" else "older"
        yield from any_of("E3", f"the {newer} {named} agreement", mine, own, found=True)
        yield from any_of("E3", f"the {first.title()} agreement of {year}", [v for v in family if year in v.value], own)
        yield from any_of("A2", f"one of the agreements for {year}", [v for v in files if year in v.value], own)
        yield from any_of("A1", "the agreement", files, own)
        yield from disagreeing(
            own,
            [other for other in mine if other != own],
            lambda named, told: f"{named.text}, the agreement for {told.value[-8:-4]},",
        )
        ghost = f"agreements/{party}-2023.txt"
        yield from false("P2", ghost, "There is none for 2023.", [*mine, *files], own)

    def modes(rows: Rows, values: Values) -> Iterator[Mention]:
        own, now = values["mode"], mode(rows, values["file"].value)
        others = [value for value in MODES if value.value != now]
        plain = {"600": "for my eyes only", "444": "safe from being changed", "644": "open like most files here"}
        yield from any_of("E1", plain[own.value], [own], own)
        yield from any_of("E4", "a bit safer", [value for value in others if value.value != "644"], own)
        yield from any_of("A1", "what it should be", others, own)
        yield from disagreeing(
            own,
            [value for value in others if value != own],
            lambda named, told: f"{named.text}, so that {_MEANS[told.value]}",
        )
        if is_ := next((value for value in MODES if value.value == now), None):
            yield from false("P3", is_.text, f"It is {is_.text} already.", others, own, is_.value)

    def truth(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
        path = f"{ROOT}/agreements/{values['file']}"
        node = nodes(rows).get(path)
        return changes(rows, {path: file(path, node, mode=values["mode"])}) if node else None

    return Template(
        id=f"terminal-permissions-{place.short}",
        environment="terminal",
        world=place.name,
        kind="change",
        slots=(
            Slot(
                id="file", kind="entity", role="agreement", domain=there, mentions=speak,
                asks=("which agreement", "which file", "of which year"), says="It is {value}",
            ),
            Slot(
                id="mode", kind="value", role="who may read or change it", domain=lambda rows, values: MODES,
                mentions=modes, asks=("which permissions", "who may read", "what mode"), says="It is to be {value}",
            ),
        ),
        wordings=(
            "Make {file} {mode}.",
            "Please make {file} {mode}, as the README explains it.",
            "From now on {file} is to be {mode}.",
        ),
        draw=lambda rows, draw: _drawn(rows, draw, ("file", there), ("mode", lambda *_: MODES)),
        truth=truth,
        solve=lambda rows, v: [shell(f"chmod {v['mode']} agreements/{v['file']}")],
        risky=True,
    )  # fmt: skip


BACKUPS = 5
"""Of everything that is backed up."""
COUNTS = tuple(Value(text, number) for number, text in enumerate(("one", "two", "three", "four"), 1))


def backups_keep(place: Place) -> Template:
    """Of the backups of something the newest stay, the others go."""

    def whats(rows: Rows, values: Values) -> list[Value]:
        return [Value(what, what) for what in backups(rows)]

    def speak(rows: Rows, values: Values) -> Iterator[Mention]:
        own, there = values["what"], whats(rows, values)
        first = own.value.split("-")[0]
        family = [value for value in there if value.value.split("-")[0] == first]
        yield from any_of("E3", f"the {first} backups", family, own)
        yield from any_of("A2", f"one set of {first} backups", family, own)
        yield from any_of("A1", "those backups", there, own)
        yield from disagreeing(
            own,
            [unlike(there, own)],
            lambda named, told: f"the {named.text} backups (backups/{told.value}-*)",
        )
        if ghost := near(own.value, "-"):
            yield from false("P2", f"the {ghost} backups", f"There are no {ghost} backups.", [*family, *there], own)

    def left(named: Value, told: Value) -> str:
        gone = COUNTS[BACKUPS - told.value - 1].text
        return f"newest {named.text} (so that {gone} of the five {'goes' if gone == 'one' else 'go'})"

    def counts(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["count"]
        yield from any_of("E4", "newest few", COUNTS[1:], own)
        yield from any_of("A1", "newest ones", COUNTS, own)
        yield from disagreeing(own, [unlike(COUNTS, own, own.value)], left)
        yield from false("P4", "newest nine", "There are only five.", COUNTS[1:], own)

    def rests(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["rest"]
        yield from any_of("I4", "deal with the others", RESTS, own)
        yield from any_of(
            "I2", "", RESTS, own, request="There are more of {what} in one place than the {count} that I need."
        )

    def truth(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
        there = backups(rows).get(values["what"], [])
        old = there[: max(0, len(there) - values["count"])]
        if values["count"] > len(there):
            return None
        return changes(rows, moved(rows, old, "archive") if values["rest"] == "archive" else dict.fromkeys(old))

    def script(values: Mapping[str, Any]) -> str:
        verb = 'rm "$f"' if values["rest"] == "delete" else 'mv "$f" archive/'
        return f"ls backups/{values['what']}-2*.bak | head -n -{values['count']} | while read -r f; do {verb}; done"

    return Template(
        id=f"terminal-backups-keep-{place.short}",
        environment="terminal",
        world=place.name,
        kind="change",
        slots=(
            Slot(
                id="what", kind="entity", role="what is backed up", domain=whats, mentions=speak,
                span="the {value} backups", asks=("which backups", "backups of what"), says="The {value} backups",
            ),
            Slot(
                id="count", kind="quantity", role="how many stay", domain=lambda rows, values: COUNTS, mentions=counts,
                span="newest {value}", asks=("how many", "what number"), says="The newest {value}",
            ),
            Slot(
                id="rest", kind="action", role="what to do with the others", domain=lambda rows, values: RESTS,
                mentions=rests, asks=("what should I do with the others", "delete or archive"), says="Please {value}",
            ),
        ),
        wordings=(
            "Of {what}, keep the {count} and {rest}.",
            "Of {what}, please keep only the {count} and {rest}.",
            "Of {what}, leave the {count} in place and {rest}.",
        ),
        draw=lambda rows, draw: _drawn(
            rows, draw, ("what", whats), ("count", lambda *_: COUNTS), ("rest", lambda *_: RESTS)
        ),
        truth=truth,
        solve=lambda rows, v: [shell(script(v))],
        risky=True,
    )  # fmt: skip


RESTS = (Value("delete the others", "delete"), Value("archive the others", "archive"))
