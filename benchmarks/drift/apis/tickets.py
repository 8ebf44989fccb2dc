"""Tasks over tickets and who sees to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis import finding
from benchmarks.drift.apis.made import Taken, by, change, changes, insert, names, template, told, where
from benchmarks.drift.apis.mentions import Item, Way, choice, item, person
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.things import everybody
from benchmarks.drift.apis.worlds import TODAY
from benchmarks.drift.template import Outcome, Rows, Template, Values

__all__ = ("TEMPLATES",)


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
    play("tickets", "reopen_ticket", ticket_id=finding.ticket(play, v["ticket"]))


def _assign_truth(rows: Rows, taken: Taken) -> Outcome | None:
    ticket = by(rows, "tickets", taken["ticket"])
    if ticket["status"] == "closed" or ticket["agent_id"] == taken["agent"]:
        return None
    return changes(change("tickets", ticket["id"], agent_id=taken["agent"]))


def _assign(play: Play, v: Mapping[str, Any]) -> None:
    ticket, agent = finding.ticket(play, v["ticket"]), finding.agent(play, v["agent"])
    play("tickets", "assign_ticket", ticket_id=ticket, agent_id=agent)


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
    last = {row["priority"] for row in where(rows, "tickets", customer_id=values["customer"].value)}
    if len(last) == 1:
        yield Way("A2", "the priority that their tickets always have", ["low", "normal", "high"], left=list(last))


def _open_truth(rows: Rows, taken: Taken) -> Outcome | None:
    ticket = {"customer_id": taken["customer"], "topic": taken["topic"], "priority": taken["priority"]}
    return changes(insert("tickets", **ticket, opened=TODAY.isoformat()))


def _open(play: Play, v: Mapping[str, Any]) -> None:
    customer = finding.customer(play, v["customer"])
    play("tickets", "open_ticket", customer_id=customer, topic=v["topic"], priority=v["priority"])


OPEN_TICKET: Final = template(
    "open-ticket",
    "apis-brisa",
    (
        person("customer", "customer", " for {value}", everybody),
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


TEMPLATES: Final[tuple[Template, ...]] = (
    REOPEN,
    ASSIGN,
    OPEN_TICKET,
    HELPERS,
)
