"""Services of the town: weather, tickets of its support desk, library, appointments at the town hall."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from pydantic import Field

from servers.apis.endpoint import Body, Day, Id, Refused, Service, found, integral, shown
from servers.apis.tables import (
    Agent,
    Alert,
    Appointment,
    Book,
    Channel,
    Desk,
    District,
    Forecast,
    Loan,
    Priority,
    Slot,
    Ticket,
    TicketStatus,
    Topic,
    Warning,
)
from servers.apis.trade import buyer
from servers.kernel import State

__all__ = ("SERVICES",)

_LENT, _MOST_DAYS, _MOST_TIMES = 21, 28, 2
"""Days for which a book is lent, by which that is put off at most, and how often."""

weather = Service("weather")


@weather.reads
def get_forecast(state: State, district: District, day: Day) -> Body:
    rows = state.find(Forecast, "district = ? AND day = ?", [district, day])
    if not rows:
        raise Refused(404, f"There is no forecast for {district} on {day}.")
    return shown(rows[0])


@weather.reads
def list_forecasts(state: State, district: District) -> Body:
    return found(state, Forecast, "day high low", district=district)


@weather.reads
def find_warnings(state: State, district: District | None = None, day: Day | None = None) -> Body:
    return found(state, Warning, district=district, day=day)


@weather.reads
def find_alerts(state: State, customer_id: Id | None = None, district: District | None = None) -> Body:
    return found(state, Alert, customer_id=customer_id, district=district)


@weather.writes
def subscribe(state: State, customer_id: Id, district: District, channel: Channel = "email") -> Body:
    customer = buyer(state, customer_id)
    if state.find(Alert, "customer_id = ? AND district = ? AND status = 'on'", [customer_id, district]):
        raise Refused(409, f"Customer {customer_id} has an alert for {district} already.")
    return shown(state.add(Alert(customer_id=customer.id, district=district, channel=channel)))


@weather.writes
def unsubscribe(state: State, alert_id: Id) -> Body:
    alert = state.get(Alert, alert_id)
    if alert.status == "off":
        raise Refused(409, f"Alert {alert_id} is off already.")
    return shown(state.save(alert.model_copy(update={"status": "off"})))


tickets = Service("tickets")


@tickets.reads
def find_tickets(
    state: State, customer_id: Id | None = None, topic: Topic | None = None, status: TicketStatus | None = None
) -> Body:
    return found(state, Ticket, customer_id=customer_id, topic=topic, status=status)


@tickets.reads
def find_agents(state: State, name: Id | None = None, topic: Topic | None = None) -> Body:
    return found(state, Agent, name=name, topic=topic)


@tickets.writes
def open_ticket(state: State, customer_id: Id, topic: Topic, priority: Priority) -> Body:
    customer = buyer(state, customer_id)
    opened = state.now.date()
    return shown(state.add(Ticket(customer_id=customer.id, topic=topic, priority=priority, opened=opened)))


@tickets.writes
def assign_ticket(state: State, ticket_id: Id, agent_id: Id) -> Body:
    ticket, agent = state.get(Ticket, ticket_id), state.get(Agent, agent_id)
    if ticket.status == "closed":
        raise Refused(409, f"Ticket {ticket_id} is closed.")
    if ticket.agent_id == agent.id:
        raise Refused(409, f"Ticket {ticket_id} is with agent {agent_id} already.")
    return shown(state.save(ticket.model_copy(update={"agent_id": agent.id})))


@tickets.writes
def reopen_ticket(state: State, ticket_id: Id) -> Body:
    ticket = state.get(Ticket, ticket_id)
    if ticket.status == "open":
        raise Refused(409, f"Ticket {ticket_id} is open already.")
    return shown(state.save(ticket.model_copy(update={"status": "open"})))


@tickets.writes
def close_ticket(state: State, ticket_id: Id) -> Body:
    ticket = state.get(Ticket, ticket_id)
    if ticket.status == "closed":
        raise Refused(409, f"Ticket {ticket_id} is closed already.")
    return shown(state.save(ticket.model_copy(update={"status": "closed"})))


library = Service("library")


def _out(state: State, loan_id: str) -> Loan:
    loan = state.get(Loan, loan_id)
    if loan.status == "returned":
        raise Refused(409, f"Loan {loan_id} has ended: the book is back.")
    return loan


@library.reads
def find_books(state: State, title: Id | None = None, author: Id | None = None) -> Body:
    return found(state, Book, "title author", title=title, author=author)


@library.reads
def get_book(state: State, book_id: Id) -> Body:
    out = len(state.find(Loan, "book_id = ? AND status = 'out'", [book_id]))
    book = state.get(Book, book_id)
    return {**shown(book), "in": book.copies - out}


@library.reads
def find_loans(state: State, customer_id: Id | None = None, book_id: Id | None = None) -> Body:
    return found(state, Loan, customer_id=customer_id, book_id=book_id)


@library.writes
def lend_book(state: State, book_id: Id, customer_id: Id) -> Body:
    book, customer = state.get(Book, book_id), buyer(state, customer_id)
    if len(state.find(Loan, "book_id = ? AND status = 'out'", [book_id])) >= book.copies:
        raise Refused(409, f"No copy of book {book_id} is in.")
    due = state.now.date() + timedelta(days=_LENT)
    return shown(state.add(Loan(book_id=book.id, customer_id=customer.id, due=due)))


@library.writes
def extend_loan(state: State, loan_id: Id, days: Annotated[int, Field(ge=1, le=_MOST_DAYS), integral]) -> Body:
    loan = _out(state, loan_id)
    if loan.extended >= _MOST_TIMES:
        raise Refused(422, f"Loan {loan_id} has been extended {loan.extended} times, which is the limit.")
    later = loan.model_copy(update={"due": loan.due + timedelta(days=days), "extended": loan.extended + 1})
    return shown(state.save(later))


@library.writes
def return_book(state: State, loan_id: Id) -> Body:
    return shown(state.save(_out(state, loan_id).model_copy(update={"status": "returned"})))


appointments = Service("appointments")


def _kept(state: State, appointment_id: str) -> Appointment:
    appointment = state.get(Appointment, appointment_id)
    if appointment.status == "cancelled":
        raise Refused(409, f"Appointment {appointment_id} is cancelled.")
    if (day := state.get(Slot, appointment.slot_id).day) < state.now.date():
        raise Refused(409, f"Appointment {appointment_id} was on {day}.")
    return appointment


def _open_slot(state: State, slot_id: str) -> Slot:
    slot = state.get(Slot, slot_id)
    if slot.day < state.now.date():
        raise Refused(422, f"slot_id: slot {slot_id} was on {slot.day}.")
    if state.find(Appointment, "slot_id = ? AND status = 'booked'", [slot_id]):
        raise Refused(409, f"Slot {slot_id} is taken.")
    return slot


@appointments.reads
def find_desks(state: State, name: Id | None = None, district: District | None = None) -> Body:
    return found(state, Desk, name=name, district=district)


@appointments.reads
def find_slots(state: State, desk_id: Id, day: Day | None = None) -> Body:
    taken = {row.slot_id for row in state.find(Appointment, "status = 'booked'")}
    items = found(state, Slot, desk_id=desk_id, day=day)["items"]
    return {"items": [{**item, "free": item["slot_id"] not in taken} for item in items]}


@appointments.reads
def find_appointments(state: State, customer_id: Id | None = None, slot_id: Id | None = None) -> Body:
    return found(state, Appointment, customer_id=customer_id, slot_id=slot_id)


@appointments.writes
def book_appointment(state: State, slot_id: Id, customer_id: Id) -> Body:
    slot, customer = _open_slot(state, slot_id), buyer(state, customer_id)
    return shown(state.add(Appointment(slot_id=slot.id, customer_id=customer.id)))


@appointments.writes
def move_appointment(state: State, appointment_id: Id, slot_id: Id) -> Body:
    appointment = _kept(state, appointment_id)
    if appointment.slot_id == slot_id:
        raise Refused(409, f"Appointment {appointment_id} is in slot {slot_id} already.")
    slot = _open_slot(state, slot_id)
    if state.get(Slot, appointment.slot_id).desk_id != slot.desk_id:
        raise Refused(422, f"slot_id: slot {slot_id} is at another desk.")
    return shown(state.save(appointment.model_copy(update={"slot_id": slot.id})))


@appointments.writes(irreversible=True)
def cancel_appointment(state: State, appointment_id: Id) -> Body:
    return shown(state.save(_kept(state, appointment_id).model_copy(update={"status": "cancelled"})))


SERVICES = (weather, tickets, library, appointments)
