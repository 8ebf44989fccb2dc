"""Analytics: visits to the company's website, with the six tools of WorkBench (appendix A.5, release of 2024).

Visits are read-only. `create_plot` records the plot that was asked for and its path, and offers the drawn plot to
whoever serves pictures; nothing keeps it, since rows and arguments give it again.
As in the release, dates are compared as text and neither bound is checked: a plot between dates that are none is
recorded all the same, and cannot be drawn.

Departures from the release, each where it has a defect: numbers are numbers, and stay so whatever was asked
before; the values that `create_plot` names are those it takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, Field

from servers.analytics.draw import Chart, Kind, draw, period
from servers.kernel import App, Dated, Illustrated, Image, NotFound, Rejected, State, Table

__all__ = ("Plot", "Visit", "app")


class Visit(Table, name="visits", ids="{}"):
    """One visit. `visitor_id` is four digits and may recur; `date_of_visit` is YYYY-MM-DD."""

    date_of_visit: Dated
    visitor_id: str
    page_views: int
    session_duration_seconds: int
    traffic_source: str
    user_engaged: bool


class Plot(Table, name="plots", ids="{}"):
    """A plot that was asked for."""

    file_path: str


class VisitRecord(BaseModel):
    """A visit as the tools show it."""

    date_of_visit: str
    visitor_id: str
    page_views: int
    session_duration_seconds: int
    traffic_source: str
    user_engaged: bool


app = App("analytics", "Count and plot visits to the company's website.", tables=(Visit, Plot))
workbench = app.toolset("workbench")

Value = Literal[
    "total_visits",
    "session_duration_seconds",
    "user_engaged",
    "visits_direct",
    "visits_referral",
    "visits_search_engine",
    "visits_social_media",
]
First = Annotated[str | None, Field(description="First day to count, YYYY-MM-DD. Leave out for no bound.")]
Last = Annotated[str | None, Field(description="Last day to count, YYYY-MM-DD, inclusive. Leave out for no bound.")]


@workbench.reads
def get_visitor_information_by_id(
    state: State,
    visitor_id: Annotated[str, Field(description="A visitor's number: four digits, leading zeros included.")],
) -> list[VisitRecord]:
    """List every visit of one visitor."""
    if not visitor_id:
        raise Rejected("visitor_id must not be empty.")
    visits = state.find(Visit, "visitor_id = ?", [visitor_id])
    if not visits:
        raise NotFound("visitor", visitor_id)
    return [VisitRecord(**visit.model_dump(exclude={"id"})) for visit in visits]


@workbench.writes
def create_plot(
    state: State,
    time_min: Annotated[str, Field(description="First day of the plot, YYYY-MM-DD.")],
    time_max: Annotated[str, Field(description="Last day of the plot, YYYY-MM-DD, inclusive.")],
    value_to_plot: Annotated[Value, Field(description="What to plot, day by day.")],
    plot_type: Annotated[Kind, Field(description="How to plot it.")],
) -> Illustrated[str]:
    """Plot one value of the website's traffic over a period and return the path of the plot.

    It records that the plot was asked for; calling it again records another. Clients that take images get the plot too.
    """
    if not time_min or not time_max:
        raise Rejected("time_min and time_max must not be empty.")
    plot = state.add(Plot(file_path=f"plots/{time_min}_{time_max}_{value_to_plot}_{plot_type}.png"))
    return Illustrated(plot.file_path, lambda: _picture(state, time_min, time_max, value_to_plot, plot_type))


@workbench.reads
def total_visits_count(state: State, time_min: First = None, time_max: Last = None) -> dict[str, int]:
    """Count the visits of each day.

    Returns an object from day to number. Days without a visit are left out.
    """
    return _by_day(state, "count(*)", [], time_min, time_max)


@workbench.reads
def engaged_users_count(state: State, time_min: First = None, time_max: Last = None) -> dict[str, int]:
    """Count the visits of each day whose visitor was engaged.

    Returns an object from day to number: 0 for a day with visits but none engaged. Days without a visit are left out.
    """
    return _by_day(state, "count(*) FILTER (user_engaged)", [], time_min, time_max)


@workbench.reads
def traffic_source_count(
    state: State,
    time_min: First = None,
    time_max: Last = None,
    traffic_source: Annotated[
        str | None,
        Field(
            description="Where visitors came from, exactly: `direct`, `referral`, `search engine` or `social media`. "
            "Leave out to count all."
        ),
    ] = None,
) -> dict[str, int]:
    """Count the visits of each day that came from one traffic source.

    Returns an object from day to number: 0 for a day with visits but none from there. Days without one are left out.
    """
    if not traffic_source:
        return _by_day(state, "count(*)", [], time_min, time_max)
    return _by_day(state, "count(*) FILTER (traffic_source = ?)", [traffic_source], time_min, time_max)


@workbench.reads
def get_average_session_duration(state: State, time_min: First = None, time_max: Last = None) -> dict[str, float]:
    """Average the length of the visits of each day.

    Returns an object from day to seconds. Days without a visit are left out.
    """
    return _by_day(state, "avg(session_duration_seconds)", [], time_min, time_max)


class _Metric(NamedTuple):
    """What a value is called, the unit of its axis, and how a day's visits give it."""

    title: str
    unit: str
    aggregate: str
    empty: float | None = 0


def _visits_from(source: str, said: str) -> _Metric:
    return _Metric(f"Visits from {said}", "visits", f"count(*) FILTER (traffic_source = '{source}')")


_METRICS: Final[Mapping[Value, _Metric]] = {
    "total_visits": _Metric("Visits", "visits", "count(*)"),
    "session_duration_seconds": _Metric("Average session length", "seconds", "avg(session_duration_seconds)", None),
    "user_engaged": _Metric("Engaged visits", "visits", "count(*) FILTER (user_engaged)"),
    "visits_direct": _Metric("Direct visits", "visits", "count(*) FILTER (traffic_source = 'direct')"),
    "visits_referral": _visits_from("referral", "referrals"),
    "visits_search_engine": _visits_from("search engine", "search engines"),
    "visits_social_media": _visits_from("social media", "social media"),
}


def _picture(state: State, time_min: str, time_max: str, value: Value, kind: Kind) -> Image | str:
    metric = _METRICS[value]
    try:
        first, last = period(time_min, time_max)
        by_day = _by_day(state, metric.aggregate, [], time_min, time_max)
        figures = {date.fromisoformat(day): figure for day, figure in by_day.items()}
    except ValueError as error:
        return f"No picture: {error}."
    return draw(Chart(metric.title, metric.unit, kind, first, last, figures, metric.empty))


def _by_day(
    state: State, aggregate: str, params: list[str], time_min: str | None, time_max: str | None
) -> dict[str, Any]:
    bounds = {"date_of_visit >= ?": time_min, "date_of_visit <= ?": time_max}
    given = {condition: day for condition, day in bounds.items() if day}
    rows = state.query(
        f"SELECT date_of_visit, {aggregate} FROM visits WHERE {' AND '.join(given) or 'true'} "
        "GROUP BY date_of_visit ORDER BY date_of_visit",
        [*params, *given.values()],
    )
    return dict(rows)
