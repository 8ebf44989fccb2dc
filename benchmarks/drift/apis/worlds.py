"""Three towns, each made from its name: customers, shops, orders and all that hangs on them, consistent throughout.

Whatever is drawn is keyed by the town and by what it decides, so that a row more changes no other. Ids are numbers of
four digits that tell nothing: not when a row was made, and not what it belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import cache
from itertools import count
from typing import Any, Final, TypeAlias

from benchmarks.drift.apis import names
from benchmarks.drift.template import Draw, Rows
from servers.kernel import World

__all__ = ("NOW", "TODAY", "WORLDS", "rows", "world")

WORLDS: Final = ("apis-harwick", "apis-tallen", "apis-brisa")

NOW: Final = datetime(2027, 4, 6, 9, 0)
TODAY: Final = NOW.date()
"""A Tuesday."""

DISTRICTS: Final = ("Harbour", "Old Town", "Mill Hill", "Eastgate", "Lakeside")

_LIMITS: Final = {"weather": (40, 120), "flights": (40, 120), "payments": (40, 60), "parcels": (60, 120)}
"""Services that put up with less than any number of calls: calls a day, and outages in a thousand."""

_STATES: Final = ("open", "open", "open", "on hold", "shipped", "shipped", "delivered", "delivered")
"""Of orders, each as often as it is there."""

_TIMES: Final = tuple(f"{hour:02d}:{minute}" for hour in range(6, 21) for minute in ("05", "20", "40"))

Row: TypeAlias = dict[str, Any]


@cache
def world(name: str) -> World:
    """The starting rows of the town. Raises KeyError for a name that is not among `WORLDS`."""
    return World(name, NOW, {"apis": rows(name), "answer": {"submissions": []}})


@cache
def rows(name: str) -> Rows:
    """The same as plain data: table -> rows. Raises KeyError for a name that is not among `WORLDS`."""
    if name not in WORLDS:
        raise KeyError(f"there is no world {name!r}, only {', '.join(WORLDS)}")
    return _Town(name).rows


def _day(ahead: int) -> str:
    return (TODAY + timedelta(days=ahead)).isoformat()


class _Town:
    """The rows of a town, table by table in the order of what they refer to."""

    def __init__(self, name: str) -> None:
        self._draw = Draw("apis", name)
        self._name = name
        self._taken: set[int] = set()
        self.rows: dict[str, list[Row]] = {}
        self._people()
        self._trade()
        self._deliveries()
        self._flights()
        self._rooms()
        self._vehicles()
        self._weather()
        self._tickets()
        self._library()
        self._town_hall()
        self.rows["limits"] = [
            {"id": service, "quota": quota, "outages": outages, "seed": self._pick(f"limit {service}", 10**6)}
            for service, (quota, outages) in _LIMITS.items()
        ]
        self.rows["usage"] = []

    def _pick(self, what: str, below: int) -> int:
        return self._draw.number(what, below)

    def _one(self, what: str, of: Sequence[Any]) -> Any:
        return self._draw.one(what, of)

    def _some(self, what: str, of: Sequence[Any], number: int) -> list[Any]:
        """So many different ones, in the order of the draw."""
        keyed = sorted((self._pick(f"{what} {place}", 2**48), place) for place in range(len(of)))
        return [of[place] for _, place in keyed[:number]]

    def _add(self, table: str, made: Sequence[Row]) -> list[Row]:
        """Keep these rows, each with an id of its own among all ids of the town."""
        kept = []
        for place, row in enumerate(made):
            for attempt in count():
                number = 1000 + self._pick(f"id {table} {place} {attempt}", 9000)
                if number not in self._taken:
                    break
            self._taken.add(number)
            kept.append({"id": str(number), **row})
        self.rows[table] = kept
        return kept

    def _people(self) -> None:
        """Two of each surname at least, and no two of one name."""
        people: list[Row] = []
        seen: set[str] = set()
        for place, surname in enumerate(names.SURNAMES * 2):
            for attempt in count():
                first = self._one(f"first {place} {attempt}", names.FIRST)
                if f"{first} {surname}" not in seen:
                    break
            seen.add(f"{first} {surname}")
            key = f"person {place}"
            people.append(
                {
                    "name": f"{first} {surname}",
                    "email": f"{first}.{surname}@post.example".lower(),
                    "street": f"{1 + self._pick(key + ' number', 60)} {self._one(key + ' street', names.STREETS)}",
                    "district": self._one(key + " district", DISTRICTS),
                    "contact": self._one(key + " contact", ("email", "email", "phone", "post")),
                    "status": "active",
                }
            )
        self._customers = self._add("customers", self._some("people", people, len(people)))

    def _customer(self, what: str) -> str:
        return str(self._one(f"customer of {what}", self._customers)["id"])

    def _trade(self) -> None:
        shops = self._add(
            "shops",
            [{"name": name, "district": self._one(f"shop {name}", DISTRICTS)} for name in names.SHOPS],
        )
        goods = [(category, *each) for category, these in names.GOODS.items() for each in these]
        products = self._add(
            "products",
            [
                {
                    "shop_id": self._one(f"shop of {name}", shops)["id"],
                    "name": name,
                    "category": category,
                    "price": price - 3 + self._pick(f"price of {name}", 7),
                    "stock": 12 + self._pick(f"stock of {name}", 40),
                    "status": "listed",
                }
                for category, name, price in goods
            ],
        )
        self._products = {row["id"]: row for row in products}
        orders: list[Row] = []
        pairs: set[tuple[str, str]] = set()
        for place in range(3 * len(self._customers)):
            customer = self._customers[place % len(self._customers)]["id"]
            product = self._one(f"product of order {place}", products)["id"]
            if (customer, product) in pairs:
                continue  # whoever says "the lamp that Ines Berg ordered" means one order
            pairs.add((customer, product))
            status = self._one(f"status of order {place}", _STATES)
            orders.append(
                {
                    "customer_id": customer,
                    "product_id": product,
                    "quantity": 1 + self._pick(f"quantity {place}", 5),
                    "placed": _day(-3 - self._pick(f"placed {place}", 30)),
                    "status": status,
                }
            )
        self._orders = self._add("orders", orders)
        self._invoices()

    def _invoices(self) -> None:
        made = [
            {
                "customer_id": order["customer_id"],
                "order_id": order["id"],
                "amount": order["quantity"] * self._products[order["product_id"]]["price"],
                "due": _day(5 + self._pick(f"due {order['id']}", 25)),
                "status": self._one(f"paid {order['id']}", ("open", "open", "paid")),
            }
            for order in self._orders
        ]
        invoices = self._add("invoices", made)
        placed = {order["id"]: order["placed"] for order in self._orders}
        self._add(
            "payments",
            [
                {
                    "invoice_id": invoice["id"],
                    "amount": invoice["amount"],
                    "method": self._one(f"method {invoice['id']}", ("card", "transfer", "cash")),
                    "made": max(placed[invoice["order_id"]], _day(-1 - self._pick(f"made {invoice['id']}", 14))),
                    "refunded": 0,
                }
                for invoice in invoices
                if invoice["status"] == "paid"
            ],
        )

    def _deliveries(self) -> None:
        carriers = self._add(
            "carriers",
            [{"name": name, "days": days, "price": price, "max_kg": kg} for name, days, price, kg in names.CARRIERS],
        )
        points = self._add(
            "points", [{"name": name, "district": self._one(f"point {name}", DISTRICTS)} for name in names.POINTS]
        )
        usual = {row["id"]: self._one(f"usual point of {row['id']}", points)["id"] for row in self._customers}
        made = []
        for order in self._orders:
            if order["status"] not in ("shipped", "delivered"):
                continue
            key, done = f"parcel of {order['id']}", order["status"] == "delivered"
            elsewhere = self._one(key + " point", [None, *(row["id"] for row in points)])
            made.append(
                {
                    "order_id": order["id"],
                    "carrier_id": self._one(key + " carrier", carriers)["id"],
                    "weight_kg": 1 + self._pick(key + " weight", 9),
                    "sent": _day(-1 - self._pick(key + " sent", 2)),
                    "point_id": usual[order["customer_id"]] if done else elsewhere,
                    "status": "delivered" if done else "in transit",
                }
            )
        self._add("parcels", made)

    def _flights(self) -> None:
        flights = self._add(
            "flights",
            [
                {
                    "origin": origin,
                    "destination": destination,
                    "airline": airline,
                    "day": _day(ahead),
                    "departs": self._one(key + " departs", _TIMES),
                    "price": 60 + 3 * self._pick(key + " price", 60),
                    "seats": 120,
                }
                for origin, destination in names.ROUTES
                for ahead in range(2, 9)
                for airline in names.AIRLINES[: 2 + (ahead % 2)]
                for key in (f"flight {origin} {destination} {ahead} {airline}",)
            ],
        )
        guests = self._some("flyers", self._customers, 14)
        self._add(
            "bookings",
            [
                {
                    "flight_id": self._one(f"flight of {row['id']}", flights)["id"],
                    "customer_id": row["id"],
                    "cabin": self._one(f"cabin of {row['id']}", ("economy", "business")),
                    "status": "booked",
                }
                for row in guests
            ],
        )

    def _rooms(self) -> None:
        rooms = self._add(
            "rooms",
            [
                {
                    "hotel": hotel,
                    "number": f"{floor}0{place}",
                    "beds": 1 + self._pick(f"beds {hotel} {floor} {place}", 3),
                    "price": 55 + 5 * self._pick(f"price {hotel} {floor} {place}", 20),
                }
                for hotel in names.HOTELS
                for floor in (1, 2, 3)
                for place in (1, 2, 3)
            ],
        )
        stays = []
        for guest, room in zip(self._some("guests", self._customers, 16), self._some("let", rooms, 16), strict=True):
            arrival = 3 + self._pick(f"arrival {guest['id']}", 12)
            stays.append(
                {
                    "room_id": room["id"],
                    "customer_id": guest["id"],
                    "arrival": _day(arrival),
                    "departure": _day(arrival + 2 + self._pick(f"nights {guest['id']}", 3)),
                    "status": "booked",
                }
            )
        self._add("stays", stays)

    def _vehicles(self) -> None:
        seats = {"car": 5, "van": 3, "bike": 1}
        vehicles = self._add(
            "vehicles",
            [
                {
                    "name": name,
                    "kind": kind,
                    "seats": seats[kind],
                    "price": {"car": 40, "van": 65, "bike": 9}[kind] + self._pick(f"price {name}", 12),
                    "status": "in service",
                }
                for name, kind in names.VEHICLES
            ],
        )
        drivers = self._some("drivers", self._customers, 9)
        rentals = []
        for driver, vehicle in zip(drivers, self._some("rented", vehicles, 9), strict=True):
            start = 1 + self._pick(f"start {driver['id']}", 6)
            rentals.append(
                {
                    "vehicle_id": vehicle["id"],
                    "customer_id": driver["id"],
                    "start": _day(start),
                    "end": _day(start + 1 + self._pick(f"days {driver['id']}", 3)),
                    "status": "booked",
                }
            )
        self._add("rentals", rentals)

    def _weather(self) -> None:
        self._add(
            "forecasts",
            [
                {
                    "district": district,
                    "day": _day(ahead),
                    "high": 9 + self._pick(key + " high", 14),
                    "low": self._pick(key + " low", 8),
                    "rain_mm": 1 + self._pick(key + " rain", 24),
                    "wind_kmh": 4 + self._pick(key + " wind", 60),
                }
                for district in DISTRICTS
                for ahead in range(10)
                for key in (f"forecast {district} {ahead}",)
            ],
        )
        self._add(
            "warnings",
            [
                {
                    "district": district,
                    "kind": self._one(f"warning {district}", ("storm", "frost", "flood")),
                    "day": _day(1 + self._pick(f"warned {district}", 6)),
                    "level": 1 + self._pick(f"level {district}", 3),
                }
                for district in DISTRICTS
            ],
        )
        told = [
            {
                "customer_id": row["id"],
                "district": district,
                "channel": row["contact"],
                "status": "on",
            }
            for row in self._some("told", self._customers, 10)
            for district in self._some(f"districts of {row['id']}", DISTRICTS, 2)
        ]
        self._add("alerts", told)

    def _tickets(self) -> None:
        topics = ("delivery", "billing", "damage", "account", "warranty")
        staff = [(first, topics[place % 5]) for place, first in enumerate(self._some("staff", names.FIRST, 7))]
        family = self._some("families", names.SURNAMES, 6)
        agents = self._add(
            "agents",
            [{"name": f"{first} {family[place % 6]}", "topic": topic} for place, (first, topic) in enumerate(staff)],
        )
        made = []
        for place, customer in enumerate(self._some("complaints", self._customers, 24)):
            for nth in range(1 + place % 2):
                key = f"ticket {customer['id']} {nth}"
                topic = self._some(f"topics of {customer['id']}", topics, 2)[nth]
                made.append(
                    {
                        "customer_id": customer["id"],
                        "topic": topic,
                        "priority": self._one(key + " priority", ("low", "normal", "high")),
                        "opened": _day(-1 - self._pick(key, 20)),
                        "status": self._one(key + " status", ("open", "open", "closed")),
                        "agent_id": self._one(key + " agent", agents)["id"],
                    }
                )
        self._add("tickets", made)

    def _library(self) -> None:
        books = self._add(
            "books",
            [
                {"title": title, "author": author, "year": 1961 + self._pick(f"year {title}", 60), "copies": 3}
                for title, author in names.BOOKS
            ],
        )
        loans = []
        lent: dict[str, int] = {}
        for place, reader in enumerate(self._some("readers", self._customers, 14)):
            for book in self._some(f"books of {reader['id']}", books, 1 + place % 2):
                if lent.get(book["id"], 0) == 2:  # one copy is always in
                    continue
                lent[book["id"]] = lent.get(book["id"], 0) + 1
                due = _day(1 + self._pick(f"due {reader['id']} {book['id']}", 18))
                loan = {"book_id": book["id"], "customer_id": reader["id"], "due": due, "extended": 0, "status": "out"}
                loans.append(loan)
        self._add("loans", loans)

    def _town_hall(self) -> None:
        desks = self._add(
            "desks", [{"name": name, "district": self._one(f"desk {name}", DISTRICTS)} for name in names.DESKS]
        )
        working = [ahead for ahead in range(1, 9) if (TODAY + timedelta(days=ahead)).weekday() < 5]
        slots = self._add(
            "slots",
            [
                {"desk_id": desk["id"], "day": _day(ahead), "time": time}
                for desk in desks
                for ahead in working
                for time in ("08:40", "10:20", "13:00", "15:30")
            ],
        )
        visitors = self._some("visitors", self._customers, 30)
        booked: list[Row] = []
        seen: set[tuple[str, str]] = set()
        for place, slot in enumerate(self._some("taken", slots, 66)):
            visitor = visitors[place % len(visitors)]["id"]
            if (visitor, slot["desk_id"]) in seen:
                continue  # whoever says "Ines Berg's tax appointment" means one
            seen.add((visitor, slot["desk_id"]))
            booked.append({"slot_id": slot["id"], "customer_id": visitor, "status": "booked"})
        self._add("appointments", booked)


def days(first: int, last: int) -> tuple[date, ...]:
    """The days from so many ahead of today to so many."""
    return tuple(TODAY + timedelta(days=ahead) for ahead in range(first, last + 1))
