"""Services for who is on the road: flights, hotels, vehicles."""

from __future__ import annotations

from typing import Literal

from servers.apis.endpoint import Body, Count, Day, Id, Refused, Service, found, shown
from servers.apis.tables import Booking, Flight, Rental, Room, Stay, Vehicle
from servers.apis.trade import buyer
from servers.kernel import State

__all__ = ("SERVICES",)

flights = Service("flights")


def _booked(state: State, booking_id: str) -> Booking:
    booking = state.get(Booking, booking_id)
    if booking.status == "cancelled":
        raise Refused(409, f"Booking {booking_id} is cancelled.")
    flight = state.get(Flight, booking.flight_id)
    if flight.day < state.now.date():
        raise Refused(409, f"Booking {booking_id} is for flight {flight.id}, which has left, on {flight.day}.")
    return booking


def _free_seats(state: State, flight: Flight) -> int:
    return flight.seats - len(state.find(Booking, "flight_id = ? AND status = 'booked'", [flight.id]))


def _with_a_seat(state: State, flight_id: str) -> Flight:
    flight = state.get(Flight, flight_id)
    if flight.day < state.now.date():
        raise Refused(422, f"flight_id: flight {flight_id} has left, on {flight.day}.")
    if _free_seats(state, flight) <= 0:
        raise Refused(409, f"Flight {flight_id} is full.")
    return flight


@flights.reads
def find_flights(state: State, origin: Id | None = None, destination: Id | None = None, day: Day | None = None) -> Body:
    return found(
        state, Flight, "origin destination day departs airline price", origin=origin, destination=destination, day=day
    )


@flights.reads
def get_flight(state: State, flight_id: Id) -> Body:
    flight = state.get(Flight, flight_id)
    return {**shown(flight), "free": _free_seats(state, flight)}


@flights.reads
def find_bookings(state: State, customer_id: Id | None = None, flight_id: Id | None = None) -> Body:
    return found(state, Booking, customer_id=customer_id, flight_id=flight_id)


@flights.writes
def book_flight(
    state: State, flight_id: Id, customer_id: Id, cabin: Literal["economy", "business"] = "economy"
) -> Body:
    flight, customer = _with_a_seat(state, flight_id), buyer(state, customer_id)
    return shown(state.add(Booking(flight_id=flight.id, customer_id=customer.id, cabin=cabin)))


@flights.writes
def change_flight(state: State, booking_id: Id, flight_id: Id) -> Body:
    booking, flight = _booked(state, booking_id), state.get(Flight, flight_id)
    if booking.flight_id == flight.id:
        raise Refused(409, f"Booking {booking_id} is for flight {flight_id} already.")
    old = state.get(Flight, booking.flight_id)
    if (old.origin, old.destination) != (flight.origin, flight.destination):
        raise Refused(422, f"flight_id: a booking from {old.origin} to {old.destination} stays on that route.")
    _with_a_seat(state, flight_id)
    return shown(state.save(booking.model_copy(update={"flight_id": flight.id})))


@flights.writes(irreversible=True)
def cancel_booking(state: State, booking_id: Id) -> Body:
    return shown(state.save(_booked(state, booking_id).model_copy(update={"status": "cancelled"})))


hotels = Service("hotels")


def _stay(state: State, stay_id: str) -> Stay:
    stay = state.get(Stay, stay_id)
    if stay.status == "cancelled":
        raise Refused(409, f"Stay {stay_id} is cancelled.")
    if stay.departure < state.now.date():
        raise Refused(409, f"Stay {stay_id} ended on {stay.departure}.")
    return stay


def _free(state: State, stay: Stay) -> Stay:
    """The stay, if its days make sense and nobody else has the room then."""
    if stay.departure <= stay.arrival:
        raise Refused(422, f"departure: {stay.departure} is not after the arrival on {stay.arrival}.")
    if stay.arrival < state.now.date():
        raise Refused(422, f"arrival: {stay.arrival} has passed.")
    for other in state.find(Stay, "room_id = ? AND status = 'booked'", [stay.room_id]):
        if other.id != stay.id and other.arrival < stay.departure and stay.arrival < other.departure:
            raise Refused(409, f"Room {stay.room_id} is taken from {other.arrival} to {other.departure}.")
    return stay


@hotels.reads
def find_rooms(state: State, hotel: Id | None = None, beds: Count | None = None) -> Body:
    return found(state, Room, "hotel number beds price", hotel=hotel, beds=beds)


@hotels.reads
def get_room(state: State, room_id: Id) -> Body:
    return shown(state.get(Room, room_id))


@hotels.reads
def find_stays(state: State, customer_id: Id | None = None, room_id: Id | None = None) -> Body:
    return found(state, Stay, customer_id=customer_id, room_id=room_id)


@hotels.writes
def book_room(state: State, room_id: Id, customer_id: Id, arrival: Day, departure: Day) -> Body:
    room, customer = state.get(Room, room_id), buyer(state, customer_id)
    wanted = Stay(room_id=room.id, customer_id=customer.id, arrival=arrival, departure=departure)
    return shown(state.add(_free(state, wanted)))


@hotels.writes
def change_stay(state: State, stay_id: Id, arrival: Day, departure: Day) -> Body:
    stay = _stay(state, stay_id)
    if (stay.arrival, stay.departure) == (arrival, departure):
        raise Refused(409, f"Stay {stay_id} is from {arrival} to {departure} already.")
    return shown(state.save(_free(state, stay.model_copy(update={"arrival": arrival, "departure": departure}))))


@hotels.writes(irreversible=True)
def cancel_stay(state: State, stay_id: Id) -> Body:
    return shown(state.save(_stay(state, stay_id).model_copy(update={"status": "cancelled"})))


vehicles = Service("vehicles")


def _in_service(state: State, vehicle_id: str) -> Vehicle:
    vehicle = state.get(Vehicle, vehicle_id)
    if vehicle.status == "retired":
        raise Refused(409, f"Vehicle {vehicle_id} is retired.")
    return vehicle


def _unclaimed(state: State, rental: Rental) -> Rental:
    """The rental, if its days make sense and nobody else has the vehicle then."""
    if rental.end < rental.start:
        raise Refused(422, f"end: {rental.end} is before the start on {rental.start}.")
    for other in state.find(Rental, "vehicle_id = ? AND status = 'booked'", [rental.vehicle_id]):
        if other.id != rental.id and other.start <= rental.end and rental.start <= other.end:
            raise Refused(409, f"Vehicle {rental.vehicle_id} is out from {other.start} to {other.end}.")
    return rental


@vehicles.reads
def find_vehicles(state: State, name: Id | None = None, kind: Literal["car", "van", "bike"] | None = None) -> Body:
    return found(state, Vehicle, "name kind price status", name=name, kind=kind)


@vehicles.reads
def get_vehicle(state: State, vehicle_id: Id) -> Body:
    return shown(state.get(Vehicle, vehicle_id))


@vehicles.reads
def find_rentals(state: State, vehicle_id: Id | None = None, customer_id: Id | None = None) -> Body:
    return found(state, Rental, vehicle_id=vehicle_id, customer_id=customer_id)


@vehicles.writes
def rent_vehicle(state: State, vehicle_id: Id, customer_id: Id, start: Day, end: Day) -> Body:
    vehicle, customer = _in_service(state, vehicle_id), buyer(state, customer_id)
    if start < state.now.date():
        raise Refused(422, f"start: {start} has passed.")
    wanted = Rental(vehicle_id=vehicle.id, customer_id=customer.id, start=start, end=end)
    return shown(state.add(_unclaimed(state, wanted)))


@vehicles.writes
def extend_rental(state: State, rental_id: Id, end: Day) -> Body:
    rental = state.get(Rental, rental_id)
    if rental.status == "cancelled":
        raise Refused(409, f"Rental {rental_id} is cancelled.")
    if rental.end < state.now.date():
        raise Refused(409, f"Rental {rental_id} ended on {rental.end}.")
    if end <= rental.end:
        raise Refused(422, f"end: rental {rental_id} runs until {rental.end} as it is.")
    return shown(state.save(_unclaimed(state, rental.model_copy(update={"end": end}))))


@vehicles.writes(irreversible=True)
def retire_vehicle(state: State, vehicle_id: Id) -> Body:
    vehicle = _in_service(state, vehicle_id)
    today = state.now.date()
    if any(row.end >= today for row in state.find(Rental, "vehicle_id = ? AND status = 'booked'", [vehicle_id])):
        raise Refused(422, f"Vehicle {vehicle_id} is booked.")
    return shown(state.save(vehicle.model_copy(update={"status": "retired"})))


SERVICES = (flights, hotels, vehicles)
