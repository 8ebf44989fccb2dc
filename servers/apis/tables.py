"""What the services keep, and the app over it: tables by service, and what is counted of calls."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Final, Literal

from pydantic import Field

from servers.kernel import App, Ref, Table

__all__ = (
    "COUNTED", "Agent", "Alert", "Appointment", "Book", "Booking", "Carrier", "Channel", "Customer", "Desk",
    "District", "Flight", "Forecast", "Invoice", "InvoiceStatus", "Limit", "Loan", "Method", "Order",
    "OrderStatus", "Parcel", "ParcelStatus", "Payment", "Point", "Priority", "Product", "Rental", "Room", "Shop",
    "Slot", "Stay", "Ticket", "TicketStatus", "Topic", "Usage", "Vehicle", "Warning", "app",
)  # fmt: skip

District = Literal["Harbour", "Old Town", "Mill Hill", "Eastgate", "Lakeside"]
Channel = Literal["email", "phone", "post"]
Priority = Literal["low", "normal", "high"]
Method = Literal["card", "transfer", "cash"]
Topic = Literal["delivery", "billing", "damage", "account", "warranty"]
OrderStatus = Literal["open", "on hold", "shipped", "delivered", "cancelled"]
ParcelStatus = Literal["in transit", "delivered", "returned"]
InvoiceStatus = Literal["open", "paid"]
TicketStatus = Literal["open", "closed"]


class Customer(Table, name="customers", noun="customer"):
    name: str
    email: str
    street: str
    district: District
    contact: Channel = "email"
    status: Literal["active", "closed"] = "active"


class Shop(Table, name="shops", noun="shop"):
    name: str
    district: District


class Product(Table, name="products", noun="product"):
    """Something a shop sells. `price` is in whole euros, `stock` in pieces."""

    shop_id: Annotated[str, Ref(Shop)]
    name: str
    category: str
    price: int
    stock: int
    status: Literal["listed", "withdrawn"] = "listed"


class Order(Table, name="orders", noun="order"):
    customer_id: Annotated[str, Ref(Customer)]
    product_id: Annotated[str, Ref(Product)]
    quantity: int
    placed: date
    status: OrderStatus = "open"


class Carrier(Table, name="carriers", noun="carrier"):
    """Who brings parcels, in how many `days` and at what `price`; nothing heavier than `max_kg`."""

    name: str
    days: int
    price: int
    max_kg: int


class Point(Table, name="points", noun="point"):
    """Where parcels are picked up."""

    name: str
    district: District


class Parcel(Table, name="parcels", noun="parcel"):
    """A parcel on its way. `point_id` is where it waits to be picked up; none if it comes to the door."""

    order_id: Annotated[str, Ref(Order)]
    carrier_id: Annotated[str, Ref(Carrier)]
    weight_kg: int
    sent: date
    point_id: Annotated[str | None, Ref(Point)] = None
    status: ParcelStatus = "in transit"


class Invoice(Table, name="invoices", noun="invoice"):
    customer_id: Annotated[str, Ref(Customer)]
    order_id: Annotated[str, Ref(Order)]
    amount: int
    due: date
    status: InvoiceStatus = "open"


class Payment(Table, name="payments", noun="payment"):
    """What was paid on an invoice, in whole euros, and how much of it was given back."""

    invoice_id: Annotated[str, Ref(Invoice)]
    amount: int
    method: Method
    made: date
    refunded: int = 0


class Flight(Table, name="flights", noun="flight"):
    origin: str
    destination: str
    airline: str
    day: date
    departs: str
    price: int
    seats: int


class Booking(Table, name="bookings", noun="booking"):
    flight_id: Annotated[str, Ref(Flight)]
    customer_id: Annotated[str, Ref(Customer)]
    cabin: Literal["economy", "business"] = "economy"
    status: Literal["booked", "cancelled"] = "booked"


class Room(Table, name="rooms", noun="room"):
    hotel: str
    number: str
    beds: int
    price: int


class Stay(Table, name="stays", noun="stay"):
    room_id: Annotated[str, Ref(Room)]
    customer_id: Annotated[str, Ref(Customer)]
    arrival: date
    departure: date
    status: Literal["booked", "cancelled"] = "booked"


class Forecast(Table, name="forecasts", noun="forecast"):
    """A day's weather: degrees Celsius, millimetres of rain, wind in km/h."""

    district: District
    day: date
    high: int
    low: int
    rain_mm: int
    wind_kmh: int


class Warning(Table, name="warnings", noun="warning"):
    district: District
    kind: Literal["storm", "frost", "heat", "flood"]
    day: date
    level: int


class Alert(Table, name="alerts", noun="alert"):
    """A wish to be told when a warning is out for a district."""

    customer_id: Annotated[str, Ref(Customer)]
    district: District
    channel: Channel = "email"
    status: Literal["on", "off"] = "on"


class Agent(Table, name="agents", noun="agent"):
    """Somebody at the support desk."""

    name: str
    topic: Topic


class Ticket(Table, name="tickets", noun="ticket"):
    customer_id: Annotated[str, Ref(Customer)]
    topic: Topic
    priority: Priority
    opened: date
    status: TicketStatus = "open"
    agent_id: Annotated[str | None, Ref(Agent)] = None


class Book(Table, name="books", noun="book"):
    title: str
    author: str
    year: int
    copies: int


class Loan(Table, name="loans", noun="loan"):
    """A book that a customer has until `due`; `extended` counts how often that was put off."""

    book_id: Annotated[str, Ref(Book)]
    customer_id: Annotated[str, Ref(Customer)]
    due: date
    extended: int = 0
    status: Literal["out", "returned"] = "out"


class Desk(Table, name="desks", noun="desk"):
    """A desk of the town hall, and what it is for."""

    name: str
    district: District


class Slot(Table, name="slots", noun="slot"):
    desk_id: Annotated[str, Ref(Desk)]
    day: date
    time: str


class Appointment(Table, name="appointments", noun="appointment"):
    slot_id: Annotated[str, Ref(Slot)]
    customer_id: Annotated[str, Ref(Customer)]
    status: Literal["booked", "cancelled"] = "booked"


class Vehicle(Table, name="vehicles", noun="vehicle"):
    name: str
    kind: Literal["car", "van", "bike"]
    seats: int
    price: int
    status: Literal["in service", "retired"] = "in service"


class Rental(Table, name="rentals", noun="rental"):
    vehicle_id: Annotated[str, Ref(Vehicle)]
    customer_id: Annotated[str, Ref(Customer)]
    start: date
    end: date
    status: Literal["booked", "cancelled"] = "booked"


class Limit(Table, name="limits", noun="limit"):
    """What a service, named by `id`, puts up with.

    It takes `quota` calls a day. Of a thousand calls about `outages` find it down: which ones depends on `seed`, the
    endpoint and the number of the call. A service without a row takes any number and is never down.
    """

    quota: int
    outages: int = 0
    seed: int = 0


class Usage(Table, name="usage", noun="usage"):
    """Calls that a service, named by `id`, has been given: `used` on `day`, and to each endpoint ever."""

    day: date
    used: int = 0
    numbers: dict[str, int] = Field(default={})


COUNTED: Final = Usage.table_name
"""The table that every call changes, also one that reads or is turned down: not part of what anybody asked for."""

app = App(
    "apis",
    "Call the services of a town: its shops, carriers, town hall, library and others.",
    tables=(
        Customer, Shop, Product, Order, Carrier, Point, Parcel, Invoice, Payment, Flight, Booking, Room, Stay, Forecast,
        Warning, Alert, Agent, Ticket, Book, Loan, Desk, Slot, Appointment, Vehicle, Rental, Limit, Usage,
    ),
    apart=True,
)  # fmt: skip
