"""Templates that only look: count, add up, find, compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.drift.template import Mention, Outcome, Rows, Slot, Template, Value, Values
from benchmarks.drift.terminal.files import (
    ROOT,
    day,
    invoices,
    logs,
    names,
    nodes,
    parties,
    said,
    shell,
    stock,
)  # fmt: skip
from benchmarks.drift.terminal.places import Place
from benchmarks.drift.terminal.speaking import alike, any_of, days, disagreeing, false, near, unlike
from benchmarks.drift.terminal.worlds import NOW
from harness.task import Call
from servers.terminal.running import printed

__all__ = ("invoice_sum", "log_count", "notes_find", "stock_low")

Solve = Callable[[Rows, Mapping[str, Any]], Sequence[Call]]


def _answered(script: Callable[[Mapping[str, Any]], str]) -> Solve:
    """Run a script, and submit the lines that it prints."""

    def solve(rows: Rows, values: Mapping[str, Any]) -> Sequence[Call]:
        text = script(values)
        lines = printed(_told(rows), text, NOW).splitlines()
        return (shell(text), Call(app="answer", tool="submit_answer", arguments={"answers": lines}))

    return solve


def _told(rows: Rows) -> dict[str, dict[str, Any]]:
    return {path: {key: value for key, value in node.items() if key != "id"} for path, node in nodes(rows).items()}


LEVELS = (Value("ERROR", "ERROR"), Value("WARN", "WARN"), Value("INFO", "INFO"))
_PLAIN = {"ERROR": "outright failures", "WARN": "mere grumbles", "INFO": "routine entries"}


def log_count(place: Place) -> Template:
    """How many lines of a severity a day's log has."""

    def levels(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["level"]
        yield from any_of("E1", _PLAIN[own.value], [own], own)
        yield from any_of("E3", "lines about trouble", LEVELS[:2], own)
        yield from any_of("A1", "lines of that kind", LEVELS, own)
        yield from false("P1", "FATAL lines", "No log has FATAL lines.", LEVELS[:2], own)

    def services(rows: Rows, values: Values) -> list[Value]:
        return [Value(service.name, service.name) for service in place.services]

    def speak(rows: Rows, values: Values) -> Iterator[Mention]:
        own, there = values["service"], services(rows, values)
        family = [value for value in there if value.value in alike([each.value for each in there], own.value, "-")]
        first = own.value.split("-")[0]
        yield from any_of("E3", f"{first} log", family, own)
        yield from any_of("A2", f"log of one of the {first}s", family, own)
        yield from any_of("A1", "log we talked about", there, own)
        known = {service.name: service.known for service in place.services}
        yield from disagreeing(
            own, [unlike(there, own)], lambda named, told: f"{named.text} log (the one of {known[told.value]})"
        )
        if ghost := near(own.value, "-"):
            yield from false("P2", f"{ghost} log", f"Nothing is called {ghost}.", family, own)

    def there(rows: Rows, values: Values) -> list[Value]:
        return [day(dated) for dated in sorted({log.dated for log in logs(rows)})]

    def truth(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
        for log in logs(rows):
            if (log.service, log.dated) == (values["service"], values["day"]):
                count = sum(severity == values["level"] for severity, _ in log.lines)
                return said([str(count)], "number") if count else None
        return None

    return Template(
        id=f"terminal-log-count-{place.short}",
        environment="terminal",
        world=place.name,
        kind="read",
        slots=(
            Slot(
                id="level", kind="value", role="severity", domain=lambda rows, values: LEVELS, mentions=levels,
                span="{value} lines", asks=("which lines", "which severity", "what level"), says="The {value} lines",
            ),
            Slot(
                id="service", kind="entity", role="log", domain=services, mentions=speak, span="{value} log",
                asks=("which log", "which service", "whose log"), says="The log of {value}",
            ),
            Slot(
                id="day", kind="date", role="day of the log", domain=there, span=" of {value}",
                mentions=lambda rows, values: days(values["day"], there(rows, values), " of ", "log"),
                asks=("which day", "what date", "when"), says="The one of {value}",
            ),
        ),
        wordings=(
            "How many {level} are there in the {service}{day}?",
            "Please count the {level} in the {service}{day}; I only need the number.",
            "I need to know how many {level} the {service}{day} has.",
        ),
        draw=lambda rows, draw: {
            "level": draw.one("level", LEVELS),
            "service": draw.one("service", services(rows, {})),
            "day": draw.one("day", there(rows, {})),
        },
        truth=truth,
        solve=_answered(lambda v: f"grep -c ' {v['level']} ' logs/{v['service']}-{v['day']}.log"),
    )  # fmt: skip


MONTHS = tuple(Value(text, f"2025-0{at}") for at, text in enumerate(("January", "February", "March", "April"), 1))
_BEFORE = {"2025-02": "the first month", "2025-03": "the first two months", "2025-04": "the first three months"}
STATUSES = (Value("open", "open"), Value("paid", "paid"))


def _customers(rows: Rows, values: Values) -> list[Value]:
    return [Value(name, name) for name in parties(rows)]


def invoice_sum(place: Place) -> Template:
    """What somebody's invoices come to."""

    def speak(rows: Rows, values: Values) -> Iterator[Mention]:
        own, there = values["party"], _customers(rows, values)
        about = parties(rows)
        family = [value for value in there if value.value in alike([each.value for each in there], own.value, " ")]
        town = about[own.value][1]
        yield from any_of("E3", f" to {own.value.split(' ')[0]}", family, own)
        same = [value for value in there if about[value.value][1] == town]
        yield from any_of("A2", f" to one of our customers in {town}", same, own)
        yield from disagreeing(
            own,
            [value for value in there if about[value.value][1] != town][:1],
            lambda named, told: f" to {named.text} (the one in {about[told.value][1]})",
            lambda told: [each for each in there if about[each.value][1] == about[told.value][1]],
        )
        other = next(value for value in there if value.value.split(" ")[-1] != own.value.split(" ")[-1])
        ghost = f"{own.value.split(' ')[0]} {other.value.split(' ')[-1]}"
        if ghost not in about:
            yield from false("P2", f" to {ghost}", f"No customer is called {ghost}.", [other, *family], own)
        yield from any_of("A1", " to that customer", there, own)

    def states(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["status"]
        yield from any_of("E1", {"open": "outstanding", "paid": "settled"}[own.value], [own], own)
        yield from false("P1", "disputed", "No invoice is disputed.", STATUSES, own)

    def months(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["month"]
        yield from any_of("A2", " of some month this year", MONTHS, own)
        yield from any_of("E4", " of some weeks ago", MONTHS[2:], own)
        yield from disagreeing(
            own,
            [unlike(MONTHS, own, int(own.value[-1]))],
            lambda named, told: f" of {named.text} (those in invoices/{told.value})",
        )
        yield from false("P1", " of August", "It is April; August has no invoices yet.", MONTHS[2:], own)

    def truth(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
        amounts = [
            invoice.amount
            for invoice in invoices(rows)
            if invoice.customer == values["party"]
            and values["status"] in (None, invoice.status)
            and (values["month"] is None or invoice.dated.startswith(values["month"]))
        ]
        return said([f"{sum(amounts):.2f}"], "number") if amounts else None

    def script(values: Mapping[str, Any]) -> str:
        files = f"invoices/{values['month'] or '*'}/*.txt"
        status = f"&& $0 ~ /Status: {values['status']}\\n/" if values["status"] else ""
        return (
            f'for f in {files}; do cat "$f"; echo; done | '
            f"awk -v RS='' -F'\\n' -v who=\"Customer: {values['party']}\" "
            f'\'{{ $0 = $0 "\\n" }} $2 == who {status} {{ sub(/Amount: /, "", $5); sum += $5 }} '
            'END { printf "%.2f\\n", sum }\''
        )

    return Template(
        id=f"terminal-invoice-sum-{place.short}",
        environment="terminal",
        world=place.name,
        kind="read",
        slots=(
            Slot(
                id="party", kind="entity", role="customer", domain=_customers, mentions=speak, span=" to {value}",
                asks=("which customer", "whose invoices", "to whom"), says="Those to {value}",
            ),
            Slot(
                id="status", kind="filter", role="state of the invoices", domain=lambda rows, values: STATUSES,
                mentions=states, drops=True, asks=("which state", "open or paid", "which status"),
                says="The {value} ones",
            ),
            Slot(
                id="month", kind="date", role="month of the invoices", domain=lambda rows, values: MONTHS,
                mentions=months, span=" of {value}", drops=True, asks=("which month", "what period", "when"),
                says="Those of {value}",
            ),
        ),
        wordings=(
            "What do the {status} invoices{party}{month} add up to?",
            "Please add up the {status} invoices{party}{month} and give me the sum.",
            "I need the total of the {status} invoices{party}{month}.",
        ),
        draw=lambda rows, draw: {
            "party": draw.one("party", _customers(rows, {})),
            "status": draw.one("status", STATUSES),
            "month": draw.one("month", MONTHS),
        },
        truth=truth,
        solve=_answered(script),
    )  # fmt: skip


def notes_find(place: Place) -> Template:
    """In which notes something comes up."""
    terms = tuple(Value(topic, topic) for topic in place.topics)

    def speak(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["term"]
        first = own.value.split(" ")[0]
        if first != "the":
            family = [term for term in terms if term.value.split(" ")[0] == first]
            yield from any_of("E3", first, family, own)
            yield from false("P2", f"{first} Vane", f"Nobody is called {first} Vane.", [*family, *terms], own)
        people = [term for term in terms if term.value[0].isupper() and term.value.split(" ")[-1][0].isupper()]
        yield from any_of("A2", "one of the two people we talked about so often", people, own)
        matters = [term for term in terms if term not in people]
        yield from any_of("A2", "one of the matters that keep coming back", matters, own)
        yield from any_of("A1", "it", terms, own)
        yield from false("P1", "the strike", "There was no strike, and no note mentions one.", terms[2:], own)

    def since(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["since"]
        yield from any_of("A2", " from some time in spring on", MONTHS[1:], own)
        yield from any_of("E4", " of late", MONTHS[1:], own)
        yield from disagreeing(
            own,
            [unlike(MONTHS[1:], own, int(own.value[-1]))],
            lambda named, told: f" from {named.text} on (so without {_BEFORE[told.value]} of the year)",
        )
        yield from false("P4", " from month 13 on", "A year has twelve months.", MONTHS[1:], own)

    def truth(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
        there = nodes(rows)
        return said(
            [
                name
                for name in names(rows, "notes")
                if values["term"] in there[f"{ROOT}/notes/{name}"]["content"] and name >= (values["since"] or "")
            ]
        )

    return Template(
        id=f"terminal-notes-find-{place.short}",
        environment="terminal",
        world=place.name,
        kind="read",
        slots=(
            Slot(
                id="term", kind="value", role="subject", domain=lambda rows, values: terms, mentions=speak,
                asks=("which subject", "what should they mention", "who or what"), says="It is about {value}",
            ),
            Slot(
                id="since", kind="date", role="earliest month", domain=lambda rows, values: MONTHS[1:], mentions=since,
                span=" from {value} on", drops=True, asks=("since when", "which month", "how far back"),
                says="From {value} on",
            ),
        ),
        wordings=(
            "Which notes{since} mention {term}? Give me the file names.",
            "Find the notes{since} that mention {term}, and list their file names.",
            "I am looking for the notes{since} that mention {term}; file names are enough.",
        ),
        draw=lambda rows, draw: {"term": draw.one("term", terms), "since": draw.one("since", MONTHS[1:])},
        truth=truth,
        solve=_answered(
            lambda v: f"cd notes && grep -lF \"{v['term']}\" *.md | awk '$0 >= \"{v['since'] or ''}\"' | sort"
        ),
    )  # fmt: skip


LIMITS = tuple(Value(str(limit), limit) for limit in (5, 8, 10, 12, 15, 20))
FIELDS = (Value("quantity", "quantity"), Value("price", "price"))


def stock_low(place: Place) -> Template:
    """What of the stock is below a limit."""

    def shelves(rows: Rows, values: Values) -> list[Value]:
        return [Value(shelf, shelf) for shelf in sorted({row["shelf"] for row in stock(rows)})]

    def speak(rows: Rows, values: Values) -> Iterator[Mention]:
        own, there = values["shelf"], shelves(rows, values)
        other = unlike(there, own)
        yield from any_of("A1", " on that shelf", there, own)
        yield from any_of("A2", " on one of the first shelves", there[:3], own)
        item = {row["shelf"]: row["item"] for row in reversed(stock(rows))}
        yield from disagreeing(
            own, [other], lambda named, told: f" on shelf {named.text} (the one with the {item[told.value]})"
        )
        yield from any_of("A2", f" on the shelf with the {item[own.value]}", there, own, found=True)
        yield from false("P1", " on shelf R9", "There is no shelf R9.", there, own)

    def fields(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["field"]
        yield from any_of("E1", {"quantity": "count", "price": "cost"}[own.value], [own], own)
        yield from any_of("A1", "figure", FIELDS, own)

    def limits(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["limit"]
        yield from any_of("E4", " that is rather low", LIMITS, own)
        yield from any_of("A1", " below the limit", LIMITS, own)
        close = [limit for limit in LIMITS if abs(limit.value - own.value) <= 5]
        yield from any_of("A2", f" below a limit between {close[0].value - 1} and {close[-1].value + 1}", close, own)
        if values["field"].value == "quantity":
            yield from disagreeing(
                own,
                [unlike(LIMITS, own, own.value)],
                lambda named, told: f" below {named.text} ({told.value - 1} at most)",
            )
        yield from false("P4", " below minus 1", "Nothing in the list is below nought.", LIMITS, own)

    def reach(rows: Rows, values: Values) -> Iterator[Mention]:
        yield from any_of("E2", "", REACHES, values["reach"], request=both_ways)

    def low(row: Mapping[str, str], values: Mapping[str, Any]) -> bool:
        return bool(float(row[values["field"]]) < values["limit"])

    def truth(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
        found = []
        for row in stock(rows):
            here, below = row["shelf"] == values["shelf"], low(row, values)
            besides = row["unit"] == unit and (below or values["reach"] == "one")
            if (here and below) or besides:
                found.append(row["item"])
        return said(found)

    unit = place.items[0][1]
    loose = f"what is counted in {unit} on any shelf"
    both_ways = f"List everything counted in {unit} and the items{{shelf}} with a {{field}}{{limit}}."

    def script(values: Mapping[str, Any]) -> str:
        column = {"quantity": 2, "price": 4}[values["field"]]
        loose = "1" if values["reach"] == "one" else f"${column} < {values['limit']}"
        return (
            f'tail -n +2 stock.csv | awk -F, \'($5 == "{values["shelf"]}" && ${column} < {values["limit"]}) || '
            f'($3 == "{unit}" && {loose}) {{ print $1 }}\' | sort'
        )

    return Template(
        id=f"terminal-stock-low-{place.short}",
        environment="terminal",
        world=place.name,
        kind="read",
        slots=(
            Slot(
                id="shelf", kind="entity", role="shelf", domain=shelves, mentions=speak, span=" on shelf {value}",
                asks=("which shelf", "where"), says="Shelf {value}",
            ),
            Slot(
                id="field", kind="field", role="column of the stock list", domain=lambda rows, values: FIELDS,
                mentions=fields, asks=("which column", "quantity or price", "which figure"), says="The {value}",
            ),
            Slot(
                id="limit", kind="quantity", role="limit", domain=lambda rows, values: LIMITS, mentions=limits,
                span=" below {value}", asks=("which limit", "how low", "below what"), says="Below {value}",
            ),
            Slot(
                id="reach", kind="filter", role="what the limit is for", domain=lambda rows, values: REACHES,
                mentions=reach, asks=("limit for both", "also those counted", "what the limit applies to"),
                says=f"What is counted in {unit} comes {{value}}",
            ),
        ),
        wordings=(
            f"Which items{{shelf}} have a {{field}}{{limit}}? Also list {loose}, {{reach}}.",
            f"List the items{{shelf}} with a {{field}}{{limit}}, and also {loose}, {{reach}}.",
        ),
        draw=lambda rows, draw: {
            "shelf": draw.one("shelf", shelves(rows, {})),
            "field": draw.one("field", FIELDS),
            "limit": draw.one("limit", LIMITS),
            "reach": draw.one("reach", REACHES),
        },
        truth=truth,
        solve=_answered(script),
    )  # fmt: skip


REACHES = (
    Value("with the same limit", "both"),
    Value("with no limit", "one"),
)
"""Whether a limit is for both sorts of items, or for the one that is named with it."""
