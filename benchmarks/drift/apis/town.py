"""Tasks over what the town runs: weather and alerts, the support desk, the library, appointments at the town hall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis.made import Taken, ahead, by, change, changes, insert, names, template, told, where
from benchmarks.drift.apis.mentions import Item, Way, amount, choice, day, deed, item, person
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.worlds import DISTRICTS, TODAY, days
from benchmarks.drift.template import Outcome, Rows, Template, Value, Values

__all__ = ("TEMPLATES",)

_DISTRICTS: Final = {district: district for district in DISTRICTS}
_WATER: Final = ["Harbour", "Lakeside"]


def _everybody(rows: Rows, values: Values) -> Sequence[str]:
    return [row["id"] for row in rows["customers"]]


def _customer(play: Play, customer: str) -> str:
    """The id as the service of customers gives it."""
    found: str = play("customers", "get_customer", customer_id=customer)["customer_id"]
    return found


# Weather.


def _district_ways(rows: Rows, values: Values) -> Iterable[Way]:
    every = list(DISTRICTS)
    yield Way("E1", "the boatmen's quarter", ["Harbour"])
    yield Way("A2", "one of the districts on the water", _WATER)
    yield Way("A2", "one of the districts away from the water", [each for each in every if each not in _WATER])
    yield Way("P2", "Eastmill", ["Eastgate", "Mill Hill"], "There is no district called Eastmill.")


def _forecast_truth(rows: Rows, taken: Taken) -> Outcome | None:
    found = where(rows, "forecasts", district=taken["district"], day=taken["day"])
    return told((row[taken["what"]] for row in found), "number")


def _forecast(play: Play, v: Mapping[str, Any]) -> None:
    play.answer(play("weather", "get_forecast", district=v["district"], day=v["day"])[v["what"]])


def _figure_ways(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("E1", "What will the mercury climb to", ["high"])
    yield Way("E1", "How hard, in km/h, will it blow", ["wind_kmh"])
    yield Way("E3", "What is the temperature", ["high", "low"])
    yield Way("A2", "How rough will the weather be", ["rain_mm", "wind_kmh"])


FORECAST: Final = template(
    "forecast",
    "apis-harwick",
    (
        choice("what", "field", "which figure of the forecast", "{value}",
               {"high": "What is the highest temperature", "low": "What is the lowest temperature",
                "rain_mm": "How many millimetres of rain are forecast",
                "wind_kmh": "How fast, in km/h, will the wind be"},
               _figure_ways, without="What is the forecast"),
        choice("district", "filter", "district", " in {value}", _DISTRICTS, _district_ways),
        day("day", "day", " on {value}", lambda rows, values: [each.isoformat() for each in days(0, 9)]),
    ),
    ("{what}{district}{day}? One number will do.", "{what}{district}{day}? Just the figure, please."),
    _forecast_truth,
    _forecast,
    kind="read",
)  # fmt: skip


def _subscribe_truth(rows: Rows, taken: Taken) -> Outcome | None:
    alert = {"customer_id": taken["customer"], "district": taken["district"]}
    if where(rows, "alerts", **alert, status="on"):
        return None
    channel = {} if taken["channel"] == "email" else {"channel": taken["channel"]}
    return changes(insert("alerts", **alert, **channel))


def _subscribe(play: Play, v: Mapping[str, Any]) -> None:
    customer = _customer(play, v["customer"])
    play("weather", "subscribe", customer_id=customer, district=v["district"], channel=v["channel"])


def _alert_channels(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("E1", " by snail mail", ["post"])
    yield Way("E1", " with a ring", ["phone"])
    yield Way("A2", " in writing", ["email", "post"])
    every = ["email", "phone", "post"]
    yield Way("P1", " on their pager", every, f"{values['customer'].text} has no pager.")
    known = by(rows, "customers", values["customer"].value)["contact"]
    yield Way("A2", " the way they like to be reached", every, left=[known])


SUBSCRIBE: Final = template(
    "subscribe",
    "apis-tallen",
    (
        person("customer", "customer", "{value}", _everybody, without="a customer"),
        choice("district", "value", "district", " for {value}", _DISTRICTS, _district_ways),
        choice("channel", "value", "how they are told", "{value}",
               {"email": " by email", "phone": " by phone", "post": " by post"}, _alert_channels),
    ),
    ("Set up a weather alert{district} so that {customer} is warned{channel}.",
     "{customer} would like a weather alert{district}, to be told{channel}. Please set it up."),
    _subscribe_truth,
    _subscribe,
    kind="insert",
)  # fmt: skip


def _alerts(rows: Rows, values: Values) -> list[Item]:
    people = names(rows, "customers")
    return [
        Item(row["id"], people[row["customer_id"]], f"{row['district']} alert", f"{row['district']} alerts")
        for row in where(rows, "alerts", status="on")
    ]


def _unsubscribe_truth(rows: Rows, taken: Taken) -> Outcome | None:
    return changes(change("alerts", taken["alert"], status="off"))


def _unsubscribe(play: Play, v: Mapping[str, Any]) -> None:
    found = [each for each in play.items("weather", "find_alerts") if each["alert_id"] == v["alert"]]
    play("weather", "unsubscribe", alert_id=found[0]["alert_id"])


UNSUBSCRIBE: Final = template(
    "unsubscribe",
    "apis-brisa",
    (item("alert", "weather alert", "alert", _alerts, past=("asked for in 2019", "asked for nothing in 2019")),),
    ("Switch off {alert}.", "{alert} is not wanted any more. Please switch it off."),
    _unsubscribe_truth,
    _unsubscribe,
    kind="change",
)


# The support desk.


def _tickets(rows: Rows, status: str) -> list[Item]:
    """Tickets in that state: "Ines Berg's billing ticket"."""
    people = names(rows, "customers")
    return [
        Item(row["id"], people[row["customer_id"]], f"{row['topic']} ticket", f"{row['topic']} tickets")
        for row in where(rows, "tickets", status=status)
    ]


_LAST_YEAR = ("opened last year", "opened no ticket last year")


def _reopen_truth(rows: Rows, taken: Taken) -> Outcome | None:
    if by(rows, "tickets", taken["ticket"])["status"] == "open":
        return None
    return changes(change("tickets", taken["ticket"], status="open"))


def _ticket(play: Play, ticket: str) -> dict[str, Any]:
    (found,) = [each for each in play.items("tickets", "find_tickets") if each["ticket_id"] == ticket]
    return found


REOPEN: Final = template(
    "reopen-ticket",
    "apis-harwick",
    (
        item(
            "ticket",
            "ticket",
            "ticket",
            lambda rows, values: _tickets(rows, "closed"),
            past=_LAST_YEAR,
            already=lambda rows, values: _tickets(rows, "open"),
            state="is open",
        ),
    ),
    ("Reopen {ticket}.", "{ticket} was closed too soon. Please reopen it."),
    _reopen_truth,
    lambda play, v: _reopen(play, v),
    kind="change",
)


def _reopen(play: Play, v: Mapping[str, Any]) -> None:
    play("tickets", "reopen_ticket", ticket_id=_ticket(play, v["ticket"])["ticket_id"])


def _assign_truth(rows: Rows, taken: Taken) -> Outcome | None:
    ticket = by(rows, "tickets", taken["ticket"])
    if ticket["status"] == "closed" or ticket["agent_id"] == taken["agent"]:
        return None
    return changes(change("tickets", ticket["id"], agent_id=taken["agent"]))


def _assign(play: Play, v: Mapping[str, Any]) -> None:
    ticket = _ticket(play, v["ticket"])["ticket_id"]
    play("tickets", "assign_ticket", ticket_id=ticket, agent_id=v["agent"])


def _other_agents(rows: Rows, values: Values) -> Sequence[str]:
    now = by(rows, "tickets", values["ticket"].value)["agent_id"] if "ticket" in values else ""
    return [row["id"] for row in rows["agents"] if row["id"] != now]


def _agent_ways(rows: Rows, values: Values) -> Iterable[Way]:
    own, ticket = by(rows, "agents", values["agent"].value), by(rows, "tickets", values["ticket"].value)
    every = list(_other_agents(rows, values))
    others = {
        row["agent_id"]
        for row in where(rows, "tickets", customer_id=ticket["customer_id"])
        if row["id"] != ticket["id"]
    }
    if others == {own["id"]}:
        yield Way("E3", "whoever has their other ticket", every, left=list(others))
    topics = [row["id"] for row in where(rows, "agents", topic=own["topic"])]
    yield Way("A2", f"somebody who does {own['topic']}", topics)
    yield Way("A2", "somebody else", every)
    yield Way("P1", "the night shift", every, "The desk has no night shift.")


ASSIGN: Final = template(
    "assign-ticket",
    "apis-tallen",
    (
        item(
            "ticket",
            "ticket",
            "ticket",
            lambda rows, values: _tickets(rows, "open"),
            past=_LAST_YEAR,
            already=lambda rows, values: _tickets(rows, "closed"),
            state="is closed",
        ),
        person("agent", "agent at the support desk", " to {value}", _other_agents, ways=_agent_ways, table="agents"),
    ),
    ("Hand {ticket} over{agent}.", "Please assign {ticket}{agent}."),
    _assign_truth,
    _assign,
    kind="change",
)


_TOPICS: Final = {"delivery": "delivery", "billing": "billing", "damage": "damage", "account": "their account"}


def _topic_ways(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("E1", " about the bill", ["billing"])
    yield Way("E1", " about something broken", ["damage"])
    yield Way("A2", " about how their order arrived", ["delivery", "damage"])
    yield Way("A2", " about money or their account", ["billing", "account"])
    yield Way("P1", " about the recall of their lamp", list(_TOPICS), "No lamp has been recalled.")


def _urgency_ways(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("E1", "drop-everything priority", ["high"])
    yield Way("E1", "whenever-you-can priority", ["low"])
    yield Way("E4", "some priority", ["normal", "high"])
    yield Way("E4", "not much priority", ["low", "normal"])


def _open_truth(rows: Rows, taken: Taken) -> Outcome | None:
    ticket = {"customer_id": taken["customer"], "topic": taken["topic"], "priority": taken["priority"]}
    return changes(insert("tickets", **ticket, opened=TODAY.isoformat()))


def _open(play: Play, v: Mapping[str, Any]) -> None:
    customer = _customer(play, v["customer"])
    play("tickets", "open_ticket", customer_id=customer, topic=v["topic"], priority=v["priority"])


OPEN_TICKET: Final = template(
    "open-ticket",
    "apis-brisa",
    (
        person("customer", "customer", " for {value}", _everybody),
        choice("topic", "value", "topic", "{value}",
               {topic: f" about {text}" for topic, text in _TOPICS.items()}, _topic_ways),
        choice("priority", "value", "priority", " with {value}",
               {"low": "low priority", "normal": "normal priority", "high": "high priority"}, _urgency_ways),
    ),
    ("Open a ticket{customer}{topic}{priority}.", "We need a ticket{customer}{topic}{priority}. Please open one."),
    _open_truth,
    _open,
    kind="insert",
)  # fmt: skip


def _helpers_truth(rows: Rows, taken: Taken) -> Outcome | None:
    agents = names(rows, "agents")
    wanted = {} if taken["status"] is None else {"status": taken["status"]}
    found = where(rows, "tickets", topic=taken["topic"], **wanted)
    return told({agents[row["agent_id"]] for row in found})


def _helpers(play: Play, v: Mapping[str, Any]) -> None:
    found = play.items("tickets", "find_tickets", topic=v["topic"], status=v["status"])
    agents = {each["agent_id"]: each["name"] for each in play.items("tickets", "find_agents")}
    play.answer(*sorted({agents[each["agent_id"]] for each in found}))


HELPERS: Final = template(
    "helpers",
    "apis-tallen",
    (
        choice("topic", "filter", "topic", " about {value}",
               {"delivery": "delivery", "billing": "billing", "damage": "damage", "account": "accounts"},
               lambda rows, values: (
                   Way("E1", "bills", ["billing"]),
                   Way("E1", "broken goods", ["damage"]),
                   Way("A2", "how things arrived", ["delivery", "damage"]),
                   Way("P1", "the flood of 2033", list(_TOPICS), "There has been no flood of 2033."),
               ),
               without=" about that matter"),
        choice("status", "filter", "state of the tickets", "{value}", {"open": "open", "closed": "closed"},
               lambda rows, values: (
                   Way("E1", "pending", ["open"]),
                   Way("P1", "escalated", ["open", "closed"], "No ticket has been escalated."),
               ),
               drops=True),
    ),
    ("Which agents have {status} tickets{topic}? Name each once.",
     "Give me the names of the agents who have {status} tickets{topic}, each once."),
    _helpers_truth,
    _helpers,
    kind="read",
)  # fmt: skip


# The library.


def _loans(rows: Rows, values: Values) -> list[Item]:
    """Books that somebody has: "Ines Berg's copy of Night Market"."""
    people, books = names(rows, "customers"), {row["id"]: row["title"] for row in rows["books"]}
    return [
        Item(
            row["id"],
            people[row["customer_id"]],
            f"copy of {books[row['book_id']]}",
            f"copies of {books[row['book_id']]}",
        )
        for row in where(rows, "loans", status="out")
    ]


def _loan(play: Play, loan: str) -> dict[str, Any]:
    (found,) = [each for each in play.items("library", "find_loans") if each["loan_id"] == loan]
    return found


_MUSEUM = ("borrowed from the museum", "borrowed nothing from the museum")


def _due_truth(rows: Rows, taken: Taken) -> Outcome | None:
    return told([by(rows, "loans", taken["loan"])["due"]], "date")


DUE: Final = template(
    "loan-due",
    "apis-harwick",
    (item("loan", "loan", "book", _loans, numbered="loan", past=_MUSEUM),),
    ("When is {loan} due back at the library?", "By what date does {loan} have to be back at the library?"),
    _due_truth,
    lambda play, v: play.answer(_loan(play, v["loan"])["due"]),
    kind="read",
)


def _extend_truth(rows: Rows, taken: Taken) -> Outcome | None:
    loan = by(rows, "loans", taken["loan"])
    if loan["extended"] >= 2 or not 1 <= taken["days"] <= 28:
        return None
    later = {"due": ahead(loan["due"], taken["days"]), "extended": loan["extended"] + 1}
    return changes(change("loans", loan["id"], **later))


def _extend(play: Play, v: Mapping[str, Any]) -> None:
    loan = _loan(play, v["loan"])["loan_id"]
    play("library", "extend_loan", loan_id=loan, days=v["days"])


def _lengths(rows: Rows, values: Values) -> Sequence[int]:
    return (3, 5, 7, 10, 14, 21, 28)


def _length_ways(rows: Rows, values: Values) -> Iterable[Way]:
    every = list(_lengths(rows, values))
    yield Way("E4", " a little", [3, 5, 7])
    yield Way("E4", " for quite a while", [14, 21, 28])
    yield Way("A2", " by a number of whole weeks", [7, 14, 21, 28])
    yield Way("P4", " by 90 days", every, "The library extends by 28 days at most.")


EXTEND: Final = template(
    "extend-loan",
    "apis-brisa",
    (
        item("loan", "loan", "book", _loans, numbered="loan", past=_MUSEUM),
        amount("days", "days more", "{value}", _lengths, _length_ways, before=" by ", unit=" days"),
    ),
    ("Extend the loan of {loan}{days}.", "Please extend the loan of {loan}{days}."),
    _extend_truth,
    _extend,
    kind="change",
)


def _loan_deed_truth(rows: Rows, taken: Taken) -> Outcome | None:
    if taken["deed"] == "extend":
        return _extend_truth(rows, {"loan": taken["loan"], "days": 14})
    return changes(change("loans", taken["loan"], status="returned"))


def _loan_deed(play: Play, v: Mapping[str, Any]) -> None:
    loan = _loan(play, v["loan"])["loan_id"]
    if v["deed"] == "extend":
        play("library", "extend_loan", loan_id=loan, days=14)
    else:
        play("library", "return_book", loan_id=loan)


LOAN_DEED: Final = template(
    "loan-deed",
    "apis-tallen",
    (
        deed(
            "deed",
            "what is to be done about the loan",
            {"return": "book it in as returned", "extend": "extend the loan by 14 days"},
            ("see to it", "bring that up to date"),
            ("{loan} is nearly due.", "I do not want to hear about {loan} again."),
        ),
        item("loan", "loan", "book", _loans, numbered="loan", past=_MUSEUM),
    ),
    ("About {loan}: please {deed}.", "As to {loan}, {deed}, please."),
    _loan_deed_truth,
    _loan_deed,
    kind="change",
)


def _books(rows: Rows, values: Values) -> list[Value]:
    return [Value(row["title"], row["id"]) for row in rows["books"]]


def _book_ways(rows: Rows, values: Values) -> Iterable[Way]:
    own = by(rows, "books", values["book"].value)
    yield Way("E3", f"the {own['author']} book", [row["id"] for row in where(rows, "books", author=own["author"])])
    yield Way("A2", f"something by {own['author']}", [row["id"] for row in where(rows, "books", author=own["author"])])
    nights = [row["id"] for row in rows["books"] if row["title"] in ("Night Market", "Winter Ferries")]
    yield Way("P2", "Night Ferries", nights, "There is no book called Night Ferries.")
    lights = [row["id"] for row in rows["books"] if row["title"] in ("Harbour Lights", "Letters to a Lighthouse")]
    yield Way("P2", "Lighthouse Harbour", lights, "There is no book called Lighthouse Harbour.")
    for other in rows["books"]:
        if other["author"] != own["author"]:
            yield Way("A3", f"{own['title']} by {other['author']}", [
                own["id"], *(row["id"] for row in where(rows, "books", author=other["author"]))
            ])  # fmt: skip
            break


def _lend_truth(rows: Rows, taken: Taken) -> Outcome | None:
    book = by(rows, "books", taken["book"])
    if len(where(rows, "loans", book_id=book["id"], status="out")) >= book["copies"]:
        return None
    due = ahead(TODAY.isoformat(), 21)
    return changes(insert("loans", book_id=book["id"], customer_id=taken["customer"], due=due))


def _lend(play: Play, v: Mapping[str, Any]) -> None:
    book = play("library", "get_book", book_id=v["book"])["book_id"]
    play("library", "lend_book", book_id=book, customer_id=_customer(play, v["customer"]))


LEND: Final = template(
    "lend-book",
    "apis-harwick",
    (
        choice("book", "entity", "book", "{value}", _books, _book_ways, without="the book that was put aside"),
        person("customer", "reader", " to {value}", _everybody),
    ),
    ("Lend {book}{customer}.", "Please have the library lend {book}{customer}."),
    _lend_truth,
    _lend,
    kind="insert",
)


# Appointments.


def _desks(rows: Rows, values: Values) -> list[Value]:
    return [Value(row["name"], row["id"]) for row in rows["desks"]]


def _desk_ways(rows: Rows, values: Values) -> Iterable[Way]:
    every = {row["name"]: row["id"] for row in rows["desks"]}
    yield Way("E1", "wedding", [every["registry"]])
    yield Way("E1", "driveway", [every["parking permit"]])
    yield Way("A2", "permit", [every["parking permit"], every["building permit"]])
    yield Way("P2", "passport registry", [every["passport"], every["registry"]], "There is no passport registry.")
    yield Way("P2", "tax permit", [every["tax"], every["parking permit"]], "There is no such thing as a tax permit.")


def _taken_slots(rows: Rows) -> set[str]:
    return {row["slot_id"] for row in where(rows, "appointments", status="booked")}


def _times_truth(rows: Rows, taken: Taken) -> Outcome | None:
    gone = _taken_slots(rows)
    free = [row for row in where(rows, "slots", desk_id=taken["desk"], day=taken["day"]) if row["id"] not in gone]
    return told(row["time"] for row in free) if taken["only"] == "all" else told([min(r["time"] for r in free)])


def _times(play: Play, v: Mapping[str, Any]) -> None:
    slots = play.items("appointments", "find_slots", desk_id=v["desk"], day=v["day"])
    free = [each["time"] for each in slots if each["free"]]
    play.answer(*(free if v["only"] == "all" else [min(free)]))


def _working(rows: Rows, values: Values) -> Sequence[str]:
    return sorted({row["day"] for row in rows["slots"]})


def _booked(rows: Rows, values: Values) -> list[Item]:
    """Appointments: "Ines Berg's registry appointment"."""
    people, desks = names(rows, "customers"), names(rows, "desks")
    slots = {row["id"]: row for row in rows["slots"]}
    return [
        Item(
            row["id"],
            people[row["customer_id"]],
            f"{desks[slots[row['slot_id']]['desk_id']]} appointment",
            f"{desks[slots[row['slot_id']]['desk_id']]} appointments",
        )
        for row in where(rows, "appointments", status="booked")
    ]


_HOURS: Final = {time: f" at {time}" for time in ("08:40", "10:20", "13:00", "15:30")}


def _hour_ways(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("A2", " in the morning", ["08:40", "10:20"])
    yield Way("A2", " in the afternoon", ["13:00", "15:30"])
    yield Way("E4", " not too early", ["10:20", "13:00", "15:30"])
    yield Way("P1", " in their evening hours", list(_HOURS), "There are no hours in the evening.")


def _slot(rows: Rows, desk: str, day: str, time: str) -> str | None:
    """The slot, if it is free."""
    gone = _taken_slots(rows)
    found = [row["id"] for row in where(rows, "slots", desk_id=desk, day=day, time=time) if row["id"] not in gone]
    return found[0] if found else None


def _book_truth(rows: Rows, taken: Taken) -> Outcome | None:
    slot = _slot(rows, taken["desk"], taken["day"], taken["time"])
    return changes(insert("appointments", slot_id=slot, customer_id=taken["customer"])) if slot else None


def _book(play: Play, v: Mapping[str, Any]) -> None:
    slots = play.items("appointments", "find_slots", desk_id=v["desk"], day=v["day"])
    (slot,) = [each["slot_id"] for each in slots if each["time"] == v["time"]]
    play("appointments", "book_appointment", slot_id=slot, customer_id=_customer(play, v["customer"]))


def _sunday(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("P4", "Sunday, 11 April", list(_working(rows, values)), "The town hall is closed on Sundays.")


BOOK_APPOINTMENT: Final = template(
    "book-appointment",
    "apis-brisa",
    (
        choice("desk", "entity", "what the appointment is for", "a {value} appointment", _desks, _desk_ways,
               without="an appointment"),
        person("customer", "visitor", " for {value}", _everybody),
        day("day", "day", " on {value}", _working, _sunday),
        choice("time", "value", "time", "{value}", _HOURS, _hour_ways),
    ),
    ("Book {desk} at the town hall{customer}{day}{time}.", "Please make {desk} at the town hall{customer}{day}{time}."),
    _book_truth,
    _book,
    kind="insert",
)  # fmt: skip


def _move_truth(rows: Rows, taken: Taken) -> Outcome | None:
    old = by(rows, "slots", by(rows, "appointments", taken["appointment"])["slot_id"])
    slot = _slot(rows, old["desk_id"], taken["day"], taken["time"])
    return changes(change("appointments", taken["appointment"], slot_id=slot)) if slot else None


def _move(play: Play, v: Mapping[str, Any]) -> None:
    every = play.items("appointments", "find_appointments")
    (own,) = [each for each in every if each["appointment_id"] == v["appointment"]]
    for desk in play.items("appointments", "find_desks"):
        slots = play.items("appointments", "find_slots", desk_id=desk["desk_id"])
        if own["slot_id"] in [each["slot_id"] for each in slots]:
            (slot,) = [each["slot_id"] for each in slots if (each["day"], each["time"]) == (v["day"], v["time"])]
            play("appointments", "move_appointment", appointment_id=own["appointment_id"], slot_id=slot)
            return


MOVE_APPOINTMENT: Final = template(
    "move-appointment",
    "apis-harwick",
    (
        item(
            "appointment",
            "appointment",
            "appointment",
            _booked,
            past=("made in January", "made no appointment in January"),
        ),
        day("day", "new day", " to {value}", _working, _sunday, without=" to another day"),
        choice("time", "value", "new time", "{value}", _HOURS, _hour_ways),
    ),
    ("Move {appointment}{day}{time}.", "Please reschedule {appointment}{day}{time}."),
    _move_truth,
    _move,
    kind="change",
)


TIMES: Final = template(
    "free-times",
    "apis-brisa",
    (
        choice("only", "field", "all free times or the first", "{value}",
               {"all": "Which times are still free", "first": "What is the first time that is still free"},
               lambda rows, values: (Way("E3", "What is still to be had", ["all", "first"]),),
               without="How do things stand"),
        choice("desk", "entity", "what the times are for", " for {value} appointments", _desks, _desk_ways),
        day("day", "day", " on {value}", _working, _sunday),
    ),
    ("{only}{desk} at the town hall{day}?", "{only}{desk} at the town hall{day}? Give times as hh:mm."),
    _times_truth,
    _times,
    kind="read",
)  # fmt: skip


TEMPLATES: Final[tuple[Template, ...]] = (
    FORECAST, SUBSCRIBE, UNSUBSCRIBE, REOPEN, ASSIGN, OPEN_TICKET, HELPERS, DUE, EXTEND, LOAN_DEED, LEND,
    BOOK_APPOINTMENT, MOVE_APPOINTMENT, TIMES,
)  # fmt: skip
