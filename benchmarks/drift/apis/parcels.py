"""Tasks over parcels and the points where they are picked up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis import finding
from benchmarks.drift.apis.made import Taken, by, change, changes, names, template, told, where
from benchmarks.drift.apis.mentions import Item, Way, choice, disagreeing, item
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.things import parcels_under_way
from benchmarks.drift.template import Outcome, Rows, Template, Value, Values

__all__ = ("TEMPLATES",)


def _parcel_point_truth(rows: Rows, taken: Taken) -> Outcome | None:
    parcel = by(rows, "parcels", taken["parcel"])
    return told([names(rows, "points")[parcel["point_id"]]]) if parcel["point_id"] else None


def _parcel_point(play: Play, v: Mapping[str, Any]) -> None:
    parcel = play("parcels", "track_parcel", parcel_id=finding.parcel(play, v["parcel"]))
    points = play.items("parcels", "find_points")
    play.answer(*(each["name"] for each in points if each["point_id"] == parcel["point_id"]))


def _waiting(rows: Rows, values: Values) -> list[Item]:
    at = {row["id"] for row in rows["parcels"] if row["point_id"]}
    return [each for each in parcels_under_way(rows) if each.id in at]


PARCEL_POINT: Final = template(
    "parcel-point",
    "apis-tallen",
    (item("parcel", "parcel", "parcel", _waiting, past=("sent back in March", "sent nothing back in March")),),
    ("At which pickup point will {parcel} be?", "Where is {parcel} to be picked up? I need the name of the point."),
    _parcel_point_truth,
    _parcel_point,
    kind="read",
)


def _redirect_truth(rows: Rows, taken: Taken) -> Outcome | None:
    parcel = by(rows, "parcels", taken["parcel"])
    if parcel["status"] != "in transit" or parcel["point_id"] == taken["point"]:
        return None
    return changes(change("parcels", parcel["id"], point_id=taken["point"]))


def _redirect(play: Play, v: Mapping[str, Any]) -> None:
    parcel, point = finding.parcel(play, v["parcel"]), finding.point(play, v["point"])
    play("parcels", "redirect_parcel", parcel_id=parcel, point_id=point)


def _other_points(rows: Rows, values: Values) -> list[Value]:
    now = by(rows, "parcels", values["parcel"].value)["point_id"] if "parcel" in values else None
    return [Value(row["name"], row["id"]) for row in rows["points"] if row["id"] != now]


def _usual(rows: Rows, parcel: str) -> set[str]:
    """Where the other parcels of whoever gets this one were picked up."""
    owner = {row["id"]: row["customer_id"] for row in rows["orders"]}
    who = owner[by(rows, "parcels", parcel)["order_id"]]
    return {row["point_id"] for row in where(rows, "parcels", status="delivered") if owner[row["order_id"]] == who}


def _point_ways(rows: Rows, values: Values) -> Iterable[Way]:
    own = by(rows, "points", values["point"].value)
    every = [each.value for each in _other_points(rows, values)]
    yield Way("A2", f"a pickup point in {own['district']}", [
        row["id"] for row in where(rows, "points", district=own["district"])
    ])  # fmt: skip
    yield Way("A2", "another pickup point", every)
    yield Way("P1", "the pickup point at the airport", every, "There is no pickup point at the airport.")
    usual = _usual(rows, values["parcel"].value)
    if usual == {own["id"]}:
        yield Way("A2", "where they always pick up their parcels", every, left=list(usual))
    called = {each.value: each.text for each in _other_points(rows, values)}
    yield from disagreeing(
        own["id"],
        [id for id in every if id != own["id"]][:1],
        lambda named, told: f"{called[named]} (pickup point {told})",
    )


def _there_already(rows: Rows, values: Values) -> Sequence[Item]:
    at = {row["id"] for row in where(rows, "parcels", point_id=values["point"].value)} if "point" in values else set()
    return [each for each in parcels_under_way(rows) if each.id in at]


REDIRECT_PARCEL: Final = template(
    "redirect-parcel",
    "apis-brisa",
    (
        item(
            "parcel",
            "parcel",
            "parcel",
            lambda rows, values: parcels_under_way(rows),
            already=_there_already,
            state="goes there",
        ),
        choice("point", "entity", "pickup point", " to {value}", _other_points, _point_ways),
    ),
    ("Redirect {parcel}{point}.", "Please have {parcel} sent{point} instead."),
    _redirect_truth,
    _redirect,
    kind="change",
)


TEMPLATES: Final[tuple[Template, ...]] = (
    PARCEL_POINT,
    REDIRECT_PARCEL,
)
