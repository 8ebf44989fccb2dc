"""Twelve services: what agents learn of them, what they answer, and that both toolsets answer alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from functools import cache
from itertools import islice, pairwise, product
from random import Random
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from benchmarks.drift.apis.worlds import NOW, rows
from servers.apis import COUNTED, SERVICES, app, called, down, flattened
from servers.apis.calls import Called
from servers.apis.endpoint import Endpoint
from servers.kernel import Engine, InvalidArguments, Layer, World

ENDPOINTS = [endpoint for service in SERVICES.values() for endpoint in service.endpoints.values()]
WRITING = [endpoint for endpoint in ENDPOINTS if endpoint.writes]

DATE = "Tue, 06 Apr 2027"
"""Today, as every answer has it."""
every_endpoint = pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda e: f"{e.service}.{e.name}")

OPEN = {**rows("apis-harwick"), "limits": []}
"""A town whose services take any number of calls and are never down."""


class Town:
    """Calls of the services in a sandbox of its own."""

    def __init__(self, layer: Layer) -> None:
        self.layer = layer

    def __call__(self, service: str, endpoint: str, **arguments: Any) -> dict[str, Any]:
        """The answer through the gateway."""
        call = {"service": service, "endpoint": endpoint, "arguments": arguments}
        return app.default.tool("call_endpoint").call(self.layer.state(app), call).data

    def flat(self, endpoint: Endpoint, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The answer of the endpoint's own tool."""
        name = flattened(Called(endpoint, arguments))
        return app.toolsets["flat"].tool(name).call(self.layer.state(app), arguments).data

    def changed(self) -> list[str]:
        """Tables with rows that differ from the start, without what is counted."""
        return [change.table for change in self.layer.changes() if change.table != COUNTED]

    def used(self, service: str) -> int:
        """Calls of today that the service has counted."""
        usage = app.table(COUNTED)
        return sum(row.used for row in self.layer.state(app).find(usage, "id = ?", [service]))  # type: ignore[attr-defined]


@pytest.fixture
def town() -> Town:
    return limited()


@cache
def made(limits: tuple[tuple[str, int, int], ...]) -> Any:
    """The town, with services that have a quota and outages."""
    limited = [{"id": name, "quota": quota, "outages": outages, "seed": 3} for name, quota, outages in limits]
    return Engine().load(World("town", NOW, {"apis": {**OPEN, "limits": limited}}))


def limited(*limits: tuple[str, int, int]) -> Town:
    return Town(Layer(made(limits)))


def id_of(table: str, **wanted: Any) -> str:
    """The id of the first row with these values."""
    found: str = next(row["id"] for row in OPEN[table] if all(row[key] == value for key, value in wanted.items()))
    return found


def candidates(endpoint: Endpoint) -> Iterator[dict[str, Any]]:
    """Arguments that might do, of the right kinds: ids of rows that are there, days to come, small numbers."""
    hints = get_type_hints(endpoint.function, include_extras=True)
    tables = {table.noun.replace(" ", "_"): table.table_name for table in app.tables}
    days = [(NOW.date() + timedelta(days=ahead)).isoformat() for ahead in (30, 35, 2, 4, 7, 12)]
    columns = {"title": "books", "name": "", "author": "books"}
    drawn: dict[str, list[Any]] = {}
    for parameter in endpoint.parameters:
        if parameter.optional:
            continue
        name, hint = parameter.name, hints[parameter.name]
        if name.endswith("_id"):
            drawn[name] = [row["id"] for row in OPEN[tables[name.removesuffix("_id")]]]
        elif parameter.kind == "date":
            drawn[name] = days
        elif parameter.kind == "integer":
            drawn[name] = [7, 1]
        elif get_origin(hint) is Literal:
            drawn[name] = list(get_args(hint))
        else:
            drawn[name] = [f"new {columns.get(name, name)}"]
    order = Random(0)
    for values in drawn.values():
        order.shuffle(values)
    yield from (dict(zip(drawn, values, strict=True)) for values in islice(product(*drawn.values()), 4000))


@cache
def succeeding(service: str, name: str) -> dict[str, Any]:
    """Arguments with which the endpoint does what it is for."""
    endpoint = SERVICES[service].endpoints[name]
    for arguments in candidates(endpoint):
        layer = Layer(made(()))
        try:
            if Town(layer)(service, name, **arguments)["status"] < 300:
                return arguments
        finally:
            layer.close()
    raise AssertionError(f"{service}.{name} takes none of the arguments that were tried")


def test_there_are_twelve_services_of_six_endpoints_and_half_of_them_write() -> None:
    assert {len(service.endpoints) for service in SERVICES.values()} == {6}
    assert (len(SERVICES), len(ENDPOINTS), len(WRITING)) == (12, 72, 37)
    assert {endpoint.name for endpoint in ENDPOINTS if endpoint.irreversible} == {
        "cancel_appointment", "cancel_booking", "cancel_order", "cancel_stay", "close_account", "pay_invoice",
        "refund_payment", "retire_vehicle", "return_parcel", "withdraw_product",
    }  # fmt: skip
    assert all(endpoint.writes for endpoint in ENDPOINTS if endpoint.irreversible)


def test_the_gateway_is_served_unless_somebody_asks_for_the_other() -> None:
    assert app.default.name == "gateway"
    assert app.apart


def test_agents_learn_of_an_endpoint_its_parameters_and_what_they_may_be_and_nothing_else(town: Town) -> None:
    listed = app.default.tool("list_endpoints").call(town.layer.state(app), {"service": "flights"}).data["result"]

    assert listed[0] == {
        "name": "find_flights",
        "parameters": {
            "origin": "string; optional",
            "destination": "string; optional",
            "day": "date, YYYY-MM-DD; optional",
        },
    }
    booking = next(endpoint for endpoint in listed if endpoint["name"] == "book_flight")
    assert booking["parameters"]["cabin"] == "one of economy, business; optional"
    assert {key for endpoint in listed for key in endpoint} == {"name", "parameters"}
    assert town.layer.changes() == []


@every_endpoint
def test_a_tool_of_its_own_takes_what_the_gateway_lists(endpoint: Endpoint) -> None:
    tool = app.toolsets["flat"].tools[f"{endpoint.service}_{endpoint.name}"]
    schema = tool.input_schema
    kinds = {"string": "string", "date": "string", "integer": "integer"}

    assert {name: part["type"] for name, part in schema["properties"].items()} == {
        parameter.name: kinds[parameter.kind] for parameter in endpoint.parameters
    }
    assert schema.get("required", []) == [each.name for each in endpoint.parameters if not each.optional]
    assert "irreversible" not in (tool.description + str(schema)).lower()


@every_endpoint
def test_what_the_gateway_says_of_a_parameter_the_tool_says_too(endpoint: Endpoint) -> None:
    schema = app.toolsets["flat"].tools[f"{endpoint.service}_{endpoint.name}"].input_schema

    for parameter in endpoint.parameters:
        said = schema["properties"][parameter.name]["description"]
        assert parameter.format.casefold() in said.casefold() or (parameter.format, said) in (
            ("string", "Text."),
            ("integer", "A whole number."),
        )


@pytest.mark.parametrize("toolset", ["gateway", "flat"])
def test_every_answer_says_what_day_it_is_with_its_weekday_and_year(town: Town, toolset: str) -> None:
    call = {"service": "catalog", "endpoint": "find_shops", "arguments": {}}
    tool, given = ("call_endpoint", call) if toolset == "gateway" else ("catalog_find_shops", {})
    found = app.toolsets[toolset].tool(tool).call(town.layer.state(app), given).data

    assert found["date"] == DATE


def test_the_tools_of_endpoints_tell_nothing_by_their_annotations() -> None:
    tools = app.toolsets["flat"].tools.values()

    assert {(tool.kind, tool.destructive, tool.idempotent) for tool in tools} == {("writes", True, False)}


@every_endpoint
def test_an_endpoint_answers_and_changes_rows_only_if_it_writes(endpoint: Endpoint, town: Town) -> None:
    answer = town(endpoint.service, endpoint.name, **succeeding(endpoint.service, endpoint.name))

    assert answer["status"] == (201 if endpoint.writes else 200)
    assert answer["body"]
    assert bool(town.changed()) == endpoint.writes
    assert town.used(endpoint.service) == 1


@every_endpoint
def test_both_toolsets_answer_alike_and_leave_the_same_rows(endpoint: Endpoint) -> None:
    first, second = limited(), limited()
    given = succeeding(endpoint.service, endpoint.name)
    wrong = {name: "no-such-thing" if isinstance(value, str) else 9999 for name, value in given.items()}
    for arguments in (given, wrong, given, given):  # the second time what it does is often done already
        through_gateway = first(endpoint.service, endpoint.name, **arguments)

        assert second.flat(endpoint, arguments) == through_gateway
    assert first.layer.digest() == second.layer.digest()


@every_endpoint
def test_what_is_turned_down_changes_nothing_but_the_count(endpoint: Endpoint, town: Town) -> None:
    refused = 0
    for arguments in islice(candidates(endpoint), 40):
        before = town.layer.fork()
        answer = town(endpoint.service, endpoint.name, **arguments)
        if answer["status"] >= 400:
            refused += 1
            assert {change.table for change in town.layer.changes(before)} <= {COUNTED}
            assert "body" not in answer
        before.close()
    if any(each.name.endswith("_id") and not each.optional for each in endpoint.parameters):
        wrong = {name: "0" if name.endswith("_id") else value for name, value in arguments.items()}
        answer = town(endpoint.service, endpoint.name, **wrong)
        assert answer["status"] == 404 or (endpoint.name == "find_slots" and answer["body"] == {"items": []})


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"stay_id": "1", "arrival": "2027-05-01"}, "departure: this parameter is required."),
        ({"stay_id": "1", "arrival": "1 May", "departure": "2027-05-03"}, 'arrival: "1 May" is not a day; write'),
        ({"stay_id": "1", "arrival": "1741", "departure": "2027-05-03"}, 'arrival: "1741" is not a day; write YYYY'),
        (
            {"stay_id": 7.5, "arrival": "2027-05-01", "departure": "2027-05-03"},
            'stay_id: 7.5 is not a text; write it in quotes, "7.5".',
        ),
        (
            {"stay_id": None, "arrival": "2027-05-01", "departure": "2027-05-03"},
            "stay_id: this parameter is required.",
        ),
        ({"stay_id": "1", "arrival": None, "departure": "2027-05-03"}, "arrival: this parameter is required."),
        ({"stay_id": True, "arrival": "2027-05-01"}, "stay_id: true is not a text; give a text."),
        ({"stay_id": ["1"], "arrival": "2027-05-01"}, 'stay_id: ["1"] is not a text; give a text.'),
        ({"stay_id": {"id": "1"}, "arrival": "2027-05-01"}, 'stay_id: {"id": "1"} is not a text; give a text.'),
        (
            {"stay_id": "1", "arrival": "2027-05-01", "departure": "2027-05-03", "nights": 2},
            "nights: change_stay has no such parameter; it has stay_id, arrival, departure.",
        ),
    ],
)
def test_arguments_that_do_not_fit_are_a_400_that_names_the_parameter_and_is_not_counted(
    arguments: dict[str, Any], error: str, town: Town
) -> None:
    answer = town("hotels", "change_stay", **arguments)

    assert answer["status"] == 400
    assert answer["error"].startswith(error)
    assert town.layer.changes() == []


def test_an_id_of_digits_may_be_written_as_a_number(town: Town) -> None:
    id = id_of("customers")
    get = SERVICES["customers"].endpoints["get_customer"]

    assert town("customers", "get_customer", customer_id=int(id)) == town("customers", "get_customer", customer_id=id)
    assert town.flat(get, {"customer_id": int(id)})["status"] == 200


def test_a_choice_that_is_not_one_is_told_those_there_are(town: Town) -> None:
    answer = town("customers", "set_contact", customer_id=id_of("customers"), channel="fax")

    assert (answer["status"], answer["error"]) == (400, "channel: input should be 'email', 'phone' or 'post'.")


def test_a_tool_of_its_own_refuses_what_it_does_not_declare(town: Town) -> None:
    with pytest.raises(InvalidArguments, match="'nights'"):
        town.flat(SERVICES["hotels"].endpoints["get_room"], {"room_id": "1", "nights": 2})


def test_an_endpoint_that_is_not_there_is_a_404_with_those_there_are(town: Town) -> None:
    answer = town("orders", "delete_order", order_id="1")

    assert answer["status"] == 404
    assert answer["error"].startswith("orders has no endpoint 'delete_order', only find_orders, get_order")
    assert town.layer.changes() == []


def test_of_an_endpoint_with_a_long_name_that_is_not_there_the_start_is_told_and_how_much_more_there_is(
    town: Town,
) -> None:
    told = town("orders", "x" * 5_000)["error"]

    assert told.startswith(f"orders has no endpoint '{'x' * 200} [... 4,800 more characters]', only find_orders")


def test_an_id_of_nothing_is_a_404_that_names_it(town: Town) -> None:
    assert town("orders", "get_order", order_id="12") == {
        "status": 404,
        "date": DATE,
        "error": "No order has the id '12'.",
    }


def test_what_is_so_already_is_a_409(town: Town) -> None:
    ticket = id_of("tickets", status="open")

    assert town("tickets", "reopen_ticket", ticket_id=ticket) == {
        "status": 409,
        "date": DATE,
        "error": f"Ticket {ticket} is open already.",
    }


def test_what_a_rule_forbids_is_a_422_that_names_the_parameter(town: Town) -> None:
    stay = id_of("stays")
    answer = town("hotels", "change_stay", stay_id=stay, arrival="2027-05-04", departure="2027-05-01")

    assert answer == {
        "status": 422,
        "date": DATE,
        "error": "departure: 2027-05-01 is not after the arrival on 2027-05-04.",
    }


def test_what_one_endpoint_calls_an_id_all_others_do() -> None:
    nouns = {f"{table.noun.replace(' ', '_')}_id" for table in app.tables}
    taken = {each.name for endpoint in ENDPOINTS for each in endpoint.parameters if each.name.endswith("_id")}
    kept = {name for table in app.tables for name in table.model_fields if name.endswith("_id")}

    assert taken | kept <= nouns


@pytest.mark.parametrize("toolset", ["gateway", "flat"])
def test_true_is_no_number(town: Town, toolset: str) -> None:
    endpoint, arguments = SERVICES["catalog"].endpoints["set_price"], {"product_id": id_of("products"), "price": True}
    if toolset == "flat":
        with pytest.raises(InvalidArguments, match="price"):
            town.flat(endpoint, arguments)
    else:
        assert town("catalog", "set_price", **arguments)["error"] == "price: input should be a valid integer."
    assert town.changed() == []


def test_a_cancelled_order_gives_its_pieces_back(town: Town) -> None:
    product = id_of("products", status="listed")
    before = town("catalog", "get_product", product_id=product)["body"]["stock"]
    order = town("orders", "place_order", customer_id=id_of("customers"), product_id=product, quantity=1)["body"]
    town("orders", "cancel_order", order_id=order["order_id"])

    assert town("catalog", "get_product", product_id=product)["body"]["stock"] == before


def test_an_appointment_is_not_moved_to_where_it_is(town: Town) -> None:
    appointment, slot = next((row["id"], row["slot_id"]) for row in OPEN["appointments"] if row["status"] == "booked")
    answer = town("appointments", "move_appointment", appointment_id=appointment, slot_id=slot)

    assert answer["error"] == f"Appointment {appointment} is in slot {slot} already."


def test_a_flight_says_how_many_seats_are_free(town: Town) -> None:
    flight = succeeding("flights", "book_flight")["flight_id"]
    before = town("flights", "get_flight", flight_id=flight)["body"]
    town("flights", "book_flight", flight_id=flight, customer_id=id_of("customers"))

    assert 0 < before["free"] <= before["seats"]
    assert town("flights", "get_flight", flight_id=flight)["body"]["free"] == before["free"] - 1


@pytest.mark.parametrize("endpoint", ["cancel_booking", "change_flight"])
def test_a_booking_stays_once_its_flight_has_left(town: Town, endpoint: str) -> None:
    arguments = succeeding("flights", endpoint)
    booked = next(row["flight_id"] for row in OPEN["bookings"] if row["id"] == arguments["booking_id"])
    day = date.fromisoformat(next(row["day"] for row in OPEN["flights"] if row["id"] == booked))
    town.layer.now = datetime.combine(day + timedelta(days=1), datetime.min.time())
    answer = town("flights", endpoint, **arguments)

    assert answer["error"] == f"Booking {arguments['booking_id']} is for flight {booked}, which has left, on {day}."
    assert town.changed() == []


@pytest.mark.parametrize(
    ("service", "endpoint", "said"),
    [
        ("hotels", "cancel_stay", "Stay {stay_id} ended on "),
        ("hotels", "change_stay", "Stay {stay_id} ended on "),
        ("vehicles", "extend_rental", "Rental {rental_id} ended on "),
        ("appointments", "cancel_appointment", "Appointment {appointment_id} was on "),
        ("appointments", "move_appointment", "Appointment {appointment_id} was on "),
    ],
)
def test_what_lies_in_the_past_stays_as_it_was(town: Town, service: str, endpoint: str, said: str) -> None:
    arguments = succeeding(service, endpoint)
    town.layer.now = NOW + timedelta(days=25)
    answer = town(service, endpoint, **arguments)

    assert answer["error"].startswith(said.format(**arguments))
    assert town.changed() == []


def test_a_stay_may_be_cancelled_on_its_last_day(town: Town) -> None:
    arguments = succeeding("hotels", "cancel_stay")
    stay = next(row for row in OPEN["stays"] if row["id"] == arguments["stay_id"])
    town.layer.now = datetime.combine(date.fromisoformat(stay["departure"]), datetime.min.time())

    assert town("hotels", "cancel_stay", **arguments)["body"]["status"] == "cancelled"


def test_a_vehicle_that_is_booked_is_not_retired(town: Town) -> None:
    arguments = succeeding("vehicles", "rent_vehicle")
    town("vehicles", "rent_vehicle", **arguments)
    answer = town("vehicles", "retire_vehicle", vehicle_id=arguments["vehicle_id"])

    assert answer["error"] == f"Vehicle {arguments['vehicle_id']} is booked."


def test_a_spent_quota_is_a_429_for_all_endpoints_of_that_service_alone() -> None:
    town = limited(("weather", 2, 0))
    assert [town("weather", "find_warnings")["status"] for _ in range(3)] == [200, 200, 429]

    answer = town("weather", "list_forecasts", district="Harbour")

    assert answer["error"] == "weather takes 2 calls a day, and they are used up."
    assert town.used("weather") == 2
    assert town("tickets", "find_agents")["status"] == 200


def test_a_quota_is_there_again_the_next_day() -> None:
    town = limited(("weather", 1, 0))
    assert [town("weather", "find_warnings")["status"] for _ in range(2)] == [200, 429]

    town.layer.now = datetime(2027, 4, 7, 8)

    assert town("weather", "find_warnings")["status"] == 200


def test_an_outage_is_a_503_and_passes_when_the_call_is_made_again() -> None:
    town = limited(("flights", 500, 400))
    answers = [town("flights", "find_flights", day="2027-04-08") for _ in range(40)]
    statuses = [answer["status"] for answer in answers]

    assert set(statuses) == {200, 503}
    assert all(after == 200 for before, after in pairwise(statuses) if before == 503)
    assert answers[statuses.index(503)]["error"] == "flights is not available at the moment. Try again."


def test_a_call_that_meets_an_outage_does_nothing() -> None:
    town = limited(("flights", 500, 1000))  # down at the first call, as it never is twice in a row
    arguments = succeeding("flights", "book_flight")

    assert town("flights", "book_flight", **arguments)["status"] == 503
    assert town.changed() == []
    assert town("flights", "book_flight", **arguments)["status"] == 201
    assert town.changed() == ["bookings"]


def test_outages_depend_on_seed_endpoint_and_number_and_never_come_twice_in_a_row() -> None:
    find, get = (SERVICES["flights"].endpoints[name] for name in ("find_flights", "get_flight"))
    met = [down(3, 100, find, number) for number in range(1, 2001)]

    assert not any(first and second for first, second in pairwise(met))
    assert 0.07 < sum(met) / len(met) < 0.11
    assert met != [down(3, 100, get, number) for number in range(1, 2001)]
    assert met != [down(4, 100, find, number) for number in range(1, 2001)]


def test_what_a_recorded_call_called_is_known_through_both_toolsets() -> None:
    arguments = {"order_id": "12"}
    through_gateway = called("call_endpoint", {"service": "orders", "endpoint": "cancel_order", "arguments": arguments})
    flat = called("orders_cancel_order", arguments)

    assert flat == through_gateway == Called(SERVICES["orders"].endpoints["cancel_order"], arguments)
    assert flat is not None
    assert flat.endpoint.irreversible
    assert flattened(flat) == "orders_cancel_order"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_endpoints", {"service": "orders"}),
        ("call_endpoint", {"service": "orders", "endpoint": "burn_order", "arguments": {}}),
        ("call_endpoint", {"service": ["orders"], "endpoint": "get_order", "arguments": {}}),
        ("call_endpoint", {"service": "orders", "endpoint": "get_order", "arguments": "12"}),
        ("orders_burn_order", {}),
    ],
)
def test_a_call_that_reaches_no_endpoint_called_nothing(tool: str, arguments: dict[str, Any]) -> None:
    assert called(tool, arguments) is None
