"""Finding with the services what a request names in words: by the names it says, never by an id that it does not.

Each function takes the id that a slot has, looks up what people call that row, and from there on goes by what the
services answer. That it ends at one row, and the right one, shows that the words are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.drift.apis.made import by
from benchmarks.drift.apis.play import Play

__all__ = (
    "agent", "alert", "appointment", "book", "booking", "customer", "desk", "flight", "invoice", "loan", "order",
    "parcel", "point", "product", "rental", "room", "stay", "ticket", "vehicle",
)  # fmt: skip

Body = dict[str, Any]


def _one(found: Sequence[Body], what: Callable[[Body], bool] = lambda body: True) -> Body:
    """The only one of which it is true. Raises ValueError if there are others, or none."""
    (body,) = [each for each in found if what(each)]
    return body


def _named(play: Play, service: str, endpoint: str, table: str, id: str, key: str = "name") -> Body:
    """The row whose name or title is exactly that of the row `id`."""
    name = by(play.rows, table, id)[key]
    return _one(play.items(service, endpoint, **{key: name}), lambda body: bool(body[key] == name))


def customer(play: Play, id: str) -> str:
    """The customer's id, by name."""
    return str(_named(play, "customers", "find_customers", "customers", id)["customer_id"])


def product(play: Play, id: str) -> str:
    """The product's id, by name."""
    return str(_named(play, "catalog", "find_products", "products", id)["product_id"])


def order(play: Play, id: str) -> str:
    """The order's id, by who ordered what."""
    row = by(play.rows, "orders", id)
    who, what = customer(play, row["customer_id"]), product(play, row["product_id"])
    return str(_one(play.items("orders", "find_orders", customer_id=who, product_id=what))["order_id"])


def invoice(play: Play, order_id: str) -> str:
    """The id of an order's invoice."""
    return str(_one(play.items("payments", "find_invoices", order_id=order(play, order_id)))["invoice_id"])


def parcel(play: Play, id: str) -> str:
    """The parcel's id, by who ordered what is in it."""
    ordered = order(play, by(play.rows, "parcels", id)["order_id"])
    return str(_one(play.items("parcels", "find_parcels", order_id=ordered))["parcel_id"])


def point(play: Play, id: str) -> str:
    """The pickup point's id, by name."""
    return str(_named(play, "parcels", "find_points", "points", id)["point_id"])


def room(play: Play, id: str) -> str:
    """The room's id, by hotel and number."""
    row = by(play.rows, "rooms", id)
    found = play.items("hotels", "find_rooms", hotel=row["hotel"])
    return str(_one(found, lambda body: bool(body["number"] == row["number"]))["room_id"])


def stay(play: Play, id: str) -> Body:
    """The stay, by guest and hotel."""
    row = by(play.rows, "stays", id)
    hotel = by(play.rows, "rooms", row["room_id"])["hotel"]
    stays = play.items("hotels", "find_stays", customer_id=customer(play, row["customer_id"]))
    return _one(stays, lambda body: bool(play("hotels", "get_room", room_id=body["room_id"])["hotel"] == hotel))


def flight(play: Play, id: str) -> str:
    """The flight's id, by route, day and airline."""
    row = by(play.rows, "flights", id)
    route = {key: row[key] for key in ("origin", "destination", "day")}
    found = [
        play("flights", "get_flight", flight_id=body["flight_id"])
        for body in play.items("flights", "find_flights", **route)
    ]
    return str(_one(found, lambda body: bool(body["airline"] == row["airline"]))["flight_id"])


def booking(play: Play, id: str) -> tuple[str, Body]:
    """The id of a booking and its flight, by passenger and destination."""
    row = by(play.rows, "bookings", id)
    to = by(play.rows, "flights", row["flight_id"])["destination"]
    booked = {
        body["booking_id"]: play("flights", "get_flight", flight_id=body["flight_id"])
        for body in play.items("flights", "find_bookings", customer_id=customer(play, row["customer_id"]))
    }
    ((found, flown),) = [each for each in booked.items() if each[1]["destination"] == to]
    return found, flown


def vehicle(play: Play, id: str) -> str:
    """The vehicle's id, by name."""
    return str(_named(play, "vehicles", "find_vehicles", "vehicles", id)["vehicle_id"])


def rental(play: Play, id: str) -> str:
    """The rental's id, by driver and kind of vehicle."""
    row = by(play.rows, "rentals", id)
    kind = by(play.rows, "vehicles", row["vehicle_id"])["kind"]
    rentals = play.items("vehicles", "find_rentals", customer_id=customer(play, row["customer_id"]))
    found = _one(
        rentals,
        lambda body: bool(play("vehicles", "get_vehicle", vehicle_id=body["vehicle_id"])["kind"] == kind),
    )
    return str(found["rental_id"])


def alert(play: Play, id: str) -> str:
    """The alert's id, by customer and district."""
    row = by(play.rows, "alerts", id)
    who = customer(play, row["customer_id"])
    return str(_one(play.items("weather", "find_alerts", customer_id=who, district=row["district"]))["alert_id"])


def ticket(play: Play, id: str) -> str:
    """The ticket's id, by customer and topic."""
    row = by(play.rows, "tickets", id)
    who = customer(play, row["customer_id"])
    return str(_one(play.items("tickets", "find_tickets", customer_id=who, topic=row["topic"]))["ticket_id"])


def agent(play: Play, id: str) -> str:
    """The agent's id, by name."""
    return str(_named(play, "tickets", "find_agents", "agents", id)["agent_id"])


def book(play: Play, id: str) -> str:
    """The book's id, by title."""
    return str(_named(play, "library", "find_books", "books", id, "title")["book_id"])


def loan(play: Play, id: str) -> Body:
    """The loan, by reader and book."""
    row = by(play.rows, "loans", id)
    who, what = customer(play, row["customer_id"]), book(play, row["book_id"])
    return _one(play.items("library", "find_loans", customer_id=who, book_id=what))


def desk(play: Play, id: str) -> str:
    """The desk's id, by what it is for."""
    return str(_named(play, "appointments", "find_desks", "desks", id)["desk_id"])


def appointment(play: Play, id: str) -> tuple[str, list[Body]]:
    """The appointment's id, by visitor and desk, and all slots of that desk."""
    row = by(play.rows, "appointments", id)
    slots = play.items(
        "appointments", "find_slots", desk_id=desk(play, by(play.rows, "slots", row["slot_id"])["desk_id"])
    )
    there = {body["slot_id"] for body in slots}
    who = customer(play, row["customer_id"])
    found = _one(
        play.items("appointments", "find_appointments", customer_id=who),
        lambda body: bool(body["slot_id"] in there),
    )
    return str(found["appointment_id"]), slots
