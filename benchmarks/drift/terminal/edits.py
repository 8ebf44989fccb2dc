"""Templates that add to files or change what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from benchmarks.drift.template import Mention, Outcome, Rows, Slot, Template, Value, Values
from benchmarks.drift.terminal.files import (
    ROOT,
    changes,
    configs,
    day,
    file,
    invoices,
    nodes,
    parties,
    shell,
    slug,
    stock,
)  # fmt: skip
from benchmarks.drift.terminal.places import Place
from benchmarks.drift.terminal.speaking import alike, any_of, days, disagreeing, false, near, unlike

__all__ = ("config_set", "invoice_state", "stock_add", "todo_add")

NOT_YET = "not on it yet"
"""What is said of an item that a list has."""


def config_set(place: Place) -> Template:
    """A setting gets another value."""

    def files(rows: Rows, values: Values) -> list[Value]:
        return [Value(config.name, config.name) for config in place.configs]

    def keys(rows: Rows, values: Values) -> list[Value]:
        return [Value(key, key) for key in configs(rows)[values["file"].value]]

    def several(rows: Rows, values: Values) -> list[Value]:
        return [value for value in files(rows, values) if len(configs(rows)[value.value]) > 1]

    def amounts(rows: Rows, values: Values) -> list[Value]:
        _, low, high, _ = configs(rows)[values["file"].value][values["key"].value]
        return [Value(str(amount), amount) for amount in range(low, high + 1, max(1, (high - low) // 12))]

    def which(rows: Rows, values: Values) -> Iterator[Mention]:
        own, there = values["file"], files(rows, values)
        having = [value for value in there if values["key"].value in configs(rows)[value.value]]
        family = [value for value in there if value.value in alike([each.value for each in there], own.value, "-")]
        last = own.value.split("-")[-1]
        sharing = [value for value in there if value.value.split("-")[-1] == last]
        yield from any_of("E3", f"the {last} configuration", sharing, own)
        yield from any_of("E3", f"the {own.value.split('-')[0]} configuration", family, own)
        yield from any_of("A1", "the configuration", having, own)
        yield from any_of("A2", f"one of the configurations that have {values['key'].text}", having, own)
        if len(having) > 1:
            yield from disagreeing(
                own,
                [unlike(having, own)],
                lambda named, told: f"the {named.text} configuration in {told.text}.ini",
            )
        if ghost := near(own.value, "-"):
            yield from false(
                "P2", f"the {ghost} configuration", f"There is no {ghost} configuration.", [*family, *having], own
            )

    def what(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["key"]
        known = {key: told[4] for config in place.configs for key, told in config.keys.items()}
        yield from any_of("E1", known[own.value], [own], own)
        yield from any_of("A1", "", keys(rows, values), own, request="Set {file} to {value}.")

    def amount(rows: Rows, values: Values) -> Iterator[Mention]:
        own, there = values["value"], amounts(rows, values)
        now, low, high, unit = configs(rows)[values["file"].value][values["key"].value]
        way, side = ("more", [v for v in there if v.value > now]) if own.value > now else (
            "less", [v for v in there if v.value < now],
        )  # fmt: skip
        yield from any_of("E4", f"a bit {way}", side, own)
        yield from any_of("A1", "the new value", there, own)
        close = [value for value in there if abs(value.value - own.value) <= (high - low) // 4]
        yield from any_of("A2", f"something between {close[0].value - 1} and {close[-1].value + 1}", close, own)

        def step(named: Value, told: Value) -> str:
            by = told.value - now
            return f"{named.text} ({abs(by)} {unit} {'more' if by > 0 else 'less'} than it is now)" if by else ""

        yield from disagreeing(own, [unlike(there, own, own.value)], step)
        rule = f"It may be from {low} to {high}."
        yield from false("P4", str(high + 50), rule, [there[-1], there[len(there) // 2]], own)
        yield from false("P3", str(now), f"It is {now} already.", [there[0], there[-1]], own, now)

    def truth(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
        known = configs(rows)
        if values["key"] not in known[values["file"]]:
            return None
        now, low, high, _ = known[values["file"]][values["key"]]
        if not low <= values["value"] <= high:
            return None
        path = f"{ROOT}/config/{values['file']}.ini"
        node = nodes(rows)[path]
        line = f"\n{values['key']} = "
        text = node["content"].replace(f"{line}{now}\n", f"{line}{values['value']}\n")
        return changes(rows, {path: file(path, node, text)})

    return Template(
        id=f"terminal-config-set-{place.short}",
        environment="terminal",
        world=place.name,
        kind="change",
        slots=(
            Slot(
                id="file", kind="entity", role="configuration", domain=files, mentions=which,
                span="the {value} configuration", asks=("which configuration", "which file"),
                says="The {value} configuration",
            ),
            Slot(
                id="key", kind="field", role="setting", domain=keys, mentions=what,
                asks=("which setting", "what should be set", "which key"), says="It is {value}",
            ),
            Slot(
                id="value", kind="value", role="new value", domain=amounts, mentions=amount,
                asks=("what value", "how much", "which number"), says="It is to be {value}",
            ),
        ),
        wordings=(
            "Set {key} in {file} to {value}.",
            "In {file}, please change {key} to {value}.",
            "Please put {key} in {file} at {value}.",
        ),
        draw=lambda rows, draw: _drawn(rows, draw, ("file", several), ("key", keys), ("value", amounts)),
        truth=truth,
        solve=lambda rows, v: [
            shell(f"sed -i 's/^{v['key']} = .*/{v['key']} = {v['value']}/' config/{v['file']}.ini")
        ],
    )  # fmt: skip


def _drawn(rows: Rows, draw: Any, *domains: tuple[str, Any]) -> Values:
    """A value for each slot in turn, of a domain that may depend on those before."""
    values: dict[str, Value] = {}
    for slot, domain in domains:
        values[slot] = draw.one(slot, domain(rows, values))
    return values


def todo_add(place: Place) -> Template:
    """An item more on somebody's list."""
    tasks = tuple(
        Value(text, text)
        for text in (
            *place.tasks, "Renew the parking permit", "Send the figures to the accountant", "Water the plants",
            "Check the fire extinguishers",
        )
    )  # fmt: skip
    due = tuple(day(str(date(2025, 5, 5) + timedelta(days=number))) for number in range(12))

    def people(rows: Rows, values: Values) -> list[Value]:
        return [Value(person, slug(person)) for person in place.people]

    def who(rows: Rows, values: Values) -> Iterator[Mention]:
        own, there = values["person"], people(rows, values)
        first = own.text.split(" ")[0]
        family = [value for value in there if value.text.split(" ")[0] == first]
        yield from any_of("E3", f"{first}'s to-do list", family, own)
        yield from any_of("A2", f"the to-do list of one of those called {first}", family, own)
        yield from any_of("A1", "the to-do list", there, own)
        yield from disagreeing(
            own,
            [unlike(there, own)],
            lambda named, told: f"{named.text}'s to-do list (todo/{told.value}.md)",
        )
        ghost = f"{first} Vane"
        yield from false("P2", f"{ghost}'s to-do list", f"Nobody here is called {ghost}.", [*family, *there], own)

    def listed(rows: Rows, person: str) -> list[str]:
        text = nodes(rows)[f"{ROOT}/todo/{person}.md"]["content"]
        return [line[6:] for line in text.splitlines() if line.startswith("- [")]

    def what(rows: Rows, values: Values) -> Iterator[Mention]:
        own, on = values["task"], listed(rows, values["person"].value)
        new = [task for task in tasks if task.value not in on]
        yield from false(
            "P3", f"“{on[0]}” (which is {NOT_YET})", f"“{on[0]}” is on that list already.", new, own, on[0], NOT_YET
        )
        yield from any_of("A2", "one of the jobs that come round every year", tasks[-4:], own)
        yield from any_of("A1", "the usual item", new, own)

    def when(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["due"]
        for mention in days(own, due, ", to be done by ", "item"):
            if mention.fault not in ("A1", "P1", "E4"):
                yield mention
        yield from any_of("E4", ", to be done soon", due, own)

    def line(values: Mapping[str, Any]) -> str:
        return f"- [ ] {values['task']}" + (f" (by {values['due']})" if values["due"] else "")

    def truth(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
        path = f"{ROOT}/todo/{values['person']}.md"
        if values["task"] in listed(rows, values["person"]):
            return None
        node = nodes(rows)[path]
        return changes(rows, {path: file(path, node, f"{node['content']}{line(values)}\n")})

    return Template(
        id=f"terminal-todo-add-{place.short}",
        environment="terminal",
        world=place.name,
        kind="insert",
        slots=(
            Slot(
                id="person", kind="entity", role="whose list", domain=people, mentions=who, span="{value}'s to-do list",
                asks=("whose list", "which person", "which list"), says="It is for {value}",
            ),
            Slot(
                id="task", kind="value", role="item", domain=lambda rows, values: tasks, mentions=what,
                span="“{value}”", asks=("which item", "what should be added", "what task"),
                says="The item is: {value}",
            ),
            Slot(
                id="due", kind="date", role="day it is due", domain=lambda rows, values: due, mentions=when,
                span=", to be done by {value}", drops=True, asks=("by when", "which day", "what deadline"),
                says="By {value}",
            ),
        ),
        wordings=(
            "Add {task} to the end of {person}{due}; write it as “- [ ] item (by YYYY-MM-DD)”.",
            "Please put {task} at the end of {person}{due}, in the form “- [ ] item (by YYYY-MM-DD)”.",
        ),
        draw=lambda rows, draw: _drawn(
            rows, draw, ("person", people), ("task", lambda *_: tasks), ("due", lambda *_: due)
        ),
        truth=truth,
        solve=lambda rows, v: [shell(f"echo '{line(v)}' >> todo/{v['person']}.md")],
    )  # fmt: skip


NEW = (("raffle tickets", "rolls"), ("first-aid kits", "pieces"), ("wall hooks", "packs"), ("doormats", "pieces"))
SHELVES = tuple(Value(shelf, shelf) for shelf in ("R1", "R2", "R3", "R4"))
QUANTITIES = tuple(Value(str(number), number) for number in (2, 3, 4, 6, 8, 10, 12, 18, 24))
PRICES = tuple(Value(price, price) for price in ("1.50", "2.20", "3.75", "4.90", "6.00", "7.40", "12.00"))


def stock_add(place: Place) -> Template:
    """A new line in the stock list."""
    items = tuple(Value(f"{item} (counted in {unit})", [item, unit]) for item, unit in NEW)

    def item(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["item"]
        old = stock(rows)[0]
        words = f"{old['item']} (counted in {old['unit']}; {NOT_YET})"
        told = f"{old['item'].capitalize()} are on the list already."
        yield from false("P3", words, told, items, own, [old["item"], old["unit"]], NOT_YET)
        pieces = [value for value in items if value.value[1] == own.value[1]]
        yield from any_of("A2", f"one of the new things that are counted in {own.value[1]}", pieces, own)
        yield from any_of("A1", "the new item", items, own)

    def quantity(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["quantity"]
        side = [value for value in QUANTITIES if (value.value <= 6) == (own.value <= 6)]
        yield from any_of("E4", "a few of them" if own.value <= 6 else "plenty of them", side, own)
        yield from any_of("A1", "what has come", QUANTITIES, own)
        yield from disagreeing(
            own,
            [unlike(QUANTITIES, own, own.value)],
            lambda named, told: "" if told.value % 2 else f"{named.text} (two boxes of {told.value // 2})",
        )
        between = f"between {side[0].value - 1} and {side[-1].value + 1} of them"
        yield from any_of("A2", between, side, own)
        yield from false("P4", "minus 5", "There cannot be fewer than none.", QUANTITIES[2:], own)

    def price(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["price"]
        yield from any_of("E4", "at a fair price", PRICES, own)
        yield from any_of("A1", "at the usual price", PRICES, own)
        yield from disagreeing(
            own,
            [unlike(PRICES, own, 2)],
            lambda named, told: f"at {named.text} each ({10 * float(told.value):.2f} for ten)",
        )

    def shelf(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["shelf"]
        yield from any_of("A1", "where there is room", SHELVES, own)
        yield from any_of("A2", "on one of the first three shelves", SHELVES[:3], own)
        holds = {row["shelf"]: row["item"] for row in reversed(stock(rows))}
        yield from disagreeing(
            own,
            [shelf for shelf in SHELVES if shelf != own and shelf.value in holds],
            lambda named, told: (
                f"on shelf {named.text} (beside the {holds[told.value]})" if told.value in holds else ""
            ),
        )
        yield from false("P1", "on shelf R9", "There is no shelf R9.", SHELVES, own)

    def line(values: Mapping[str, Any]) -> str:
        name, unit = values["item"]
        return f"{name},{values['quantity']},{unit},{values['price']},{values['shelf']}"

    def truth(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
        if values["item"][0] in [row["item"] for row in stock(rows)] or values["quantity"] < 0:
            return None
        path = f"{ROOT}/stock.csv"
        node = nodes(rows)[path]
        return changes(rows, {path: file(path, node, f"{node['content']}{line(values)}\n")})

    return Template(
        id=f"terminal-stock-add-{place.short}",
        environment="terminal",
        world=place.name,
        kind="insert",
        slots=(
            Slot(
                id="item", kind="value", role="item", domain=lambda rows, values: items, mentions=item,
                asks=("which item", "what is new", "what should be added"), says="It is {value}",
            ),
            Slot(
                id="quantity", kind="quantity", role="how many", domain=lambda rows, values: QUANTITIES,
                mentions=quantity, asks=("how many", "what quantity"), says="There are {value}",
            ),
            Slot(
                id="price", kind="quantity", role="price", domain=lambda rows, values: PRICES, mentions=price,
                span="at {value} each", asks=("which price", "how much", "what do they cost"),
                says="They are {value} each",
            ),
            Slot(
                id="shelf", kind="entity", role="shelf", domain=lambda rows, values: SHELVES, mentions=shelf,
                span="on shelf {value}", asks=("which shelf", "where"), says="On shelf {value}",
            ),
        ),
        wordings=(
            "Add {item} to the end of the stock list: {quantity}, {price}, {shelf}.",
            "There is something new for the end of the stock list: {item}. Enter {quantity}, {price}, {shelf}.",
        ),
        draw=lambda rows, draw: _drawn(
            rows, draw, ("item", lambda *_: items), ("quantity", lambda *_: QUANTITIES),
            ("price", lambda *_: PRICES), ("shelf", lambda *_: SHELVES),
        ),
        truth=truth,
        solve=lambda rows, v: [shell(f"echo '{line(v)}' >> stock.csv")],
    )  # fmt: skip


def invoice_state(place: Place) -> Template:
    """An invoice is paid, or cancelled."""

    def there(rows: Rows, values: Values) -> list[Value]:
        return [Value(str(each.number), each.number) for each in invoices(rows) if each.status == "open"]

    def which(rows: Rows, values: Values) -> Iterator[Mention]:
        own, found = values["invoice"], {each.number: each for each in invoices(rows)}
        mine, still = found[own.value], there(rows, values)
        theirs = [value for value in still if found[value.value].customer == mine.customer]
        yield from any_of("E3", f"the {mine.customer} invoice", theirs, own)
        town = parties(rows)[mine.customer][1]
        sent = [value for value in still if parties(rows)[found[value.value].customer][1] == town]
        yield from any_of("A2", f"one of the invoices to {town}", sent, own)
        if mine.amount == max(found[value.value].amount for value in theirs):
            yield from any_of("A2", f"the largest open invoice to {mine.customer}", theirs, own, found=True)
        month = [value for value in still if found[value.value].dated[:7] == mine.dated[:7]]
        yield from any_of("A2", f"an invoice of {date.fromisoformat(mine.dated):%B}", month, own)
        yield from any_of("A1", "the invoice", still, own)
        other = next((value for value in still if found[value.value].customer != mine.customer), None)
        if other:
            yield from disagreeing(
                own,
                [other],
                lambda named, told: f"invoice {named.text}, the one to {found[told.value].customer},",
                lambda told: [v for v in still if found[v.value].customer == found[told.value].customer],
            )
        large = [value for value in still if found[value.value].amount > 500]
        paid = [each for each in invoices(rows) if each.status == "paid"]
        last, settled = max(found), paid[0].number
        state = "" if values["action"].value == "paid" else "still open"
        words = f"invoice {settled}, which is {state}," if state else f"invoice {settled}"
        yield from false("P3", words, f"Invoice {settled} is paid already.", [*theirs, *large], own, settled, state)
        if own in still[-2:]:
            yield from false(
                "P2", f"invoice {last + 4}", f"There is no invoice {last + 4}; the last is {last}.", still[-2:], own
            )

    def actions(rows: Rows, values: Values) -> Iterator[Mention]:
        own = values["action"]
        yield from any_of("I4", "", ACTED, own, request="Please deal with {invoice}.")
        yield from any_of("I2", "", ACTED, own, request="It cannot stay like this with {invoice}, which is still open.")

    def truth(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
        for each in invoices(rows):
            if each.number == values["invoice"] and each.status == "open":
                node = nodes(rows)[each.path]
                text = node["content"].replace("Status: open", f"Status: {values['action']}")
                return changes(rows, {each.path: file(each.path, node, text)})
        return None

    return Template(
        id=f"terminal-invoice-state-{place.short}",
        environment="terminal",
        world=place.name,
        kind="change",
        slots=(
            Slot(
                id="action", kind="action", role="what to do with it", domain=lambda rows, values: ACTED,
                mentions=actions, asks=("what should I do", "which status", "paid or cancelled"),
                says="It is to be marked as {value}",
            ),
            Slot(
                id="invoice", kind="entity", role="invoice", domain=there, mentions=which, span="invoice {value}",
                asks=("which invoice", "what number", "whose invoice"), says="Invoice {value}",
            ),
        ),
        wordings=(
            "Set the status of {invoice} to {action}.",
            "Please put {invoice} down as {action}.",
            "In its file, please enter {invoice} as {action}.",
        ),
        draw=lambda rows, draw: {"invoice": draw.one("invoice", there(rows, {})), "action": draw.one("action", ACTED)},
        truth=truth,
        solve=lambda rows, v: [shell(f"sed -i 's/^Status: .*/Status: {v['action']}/' invoices/*/{v['invoice']}-*.txt")],
        risky=True,
    )  # fmt: skip


ACTED = (Value("paid", "paid"), Value("cancelled", "cancelled"))
