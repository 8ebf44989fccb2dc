"""Tasks over forecasts and alerts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from benchmarks.drift.apis import finding
from benchmarks.drift.apis.made import Taken, by, change, changes, insert, names, template, told, where
from benchmarks.drift.apis.mentions import Item, Way, choice, day, item, person
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.things import DISTRICTS, district_ways, everybody
from benchmarks.drift.apis.worlds import days
from benchmarks.drift.template import Outcome, Rows, Template, Values

__all__ = ("TEMPLATES",)


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
        choice("what", "value", "which figure of the forecast", "{value}",
               {"high": "What is the highest temperature", "low": "What is the lowest temperature",
                "rain_mm": "How many millimetres of rain are forecast",
                "wind_kmh": "How fast, in km/h, will the wind be"},
               _figure_ways, without="What is the forecast"),
        choice("district", "filter", "district", " in {value}", DISTRICTS, district_ways),
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
    customer = finding.customer(play, v["customer"])
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
        person("customer", "customer", "{value}", everybody, without="a customer"),
        choice("district", "value", "district", " for {value}", DISTRICTS, district_ways),
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
    play("weather", "unsubscribe", alert_id=finding.alert(play, v["alert"]))


UNSUBSCRIBE: Final = template(
    "unsubscribe",
    "apis-brisa",
    (item("alert", "weather alert", "alert", _alerts, past=("asked for in 2019", "asked for nothing in 2019")),),
    ("Switch off {alert}.", "{alert} is not wanted any more. Please switch it off."),
    _unsubscribe_truth,
    _unsubscribe,
    kind="change",
)


TEMPLATES: Final[tuple[Template, ...]] = (
    FORECAST,
    SUBSCRIBE,
    UNSUBSCRIBE,
)
