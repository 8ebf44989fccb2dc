from collections.abc import Iterator
from typing import Any

import pytest

from servers.analytics import Plot, app
from tests.apps.desk import Desk, desk


def visit(place: int, day: str, visitor: str, seconds: int, source: str, engaged: bool) -> dict[str, Any]:
    return {
        "id": str(place),
        "date_of_visit": day,
        "visitor_id": visitor,
        "page_views": 3,
        "session_duration_seconds": seconds,
        "traffic_source": source,
        "user_engaged": engaged,
    }


VISITS = [
    visit(0, "2023-10-03", "0042", 10, "direct", True),
    visit(1, "2023-10-01", "0007", 20, "referral", False),
    visit(2, "2023-10-01", "0042", 25, "direct", False),
    visit(3, "2023-10-01", "1111", 22, "direct", True),
]
PLOT = {
    "time_min": "2023-10-01",
    "time_max": "2023-10-03",
    "value_to_plot": "visits_search_engine",
    "plot_type": "histogram",
}


@pytest.fixture
def analytics() -> Iterator[Desk]:
    with desk(app, {"visits": VISITS}) as calls:
        yield calls


def test_a_visitor_is_every_visit_in_table_order_with_typed_values(analytics: Desk) -> None:
    visits = analytics("get_visitor_information_by_id", visitor_id="0042")

    assert [visit["date_of_visit"] for visit in visits] == ["2023-10-03", "2023-10-01"]
    assert visits[0] == {
        "date_of_visit": "2023-10-03",
        "visitor_id": "0042",
        "page_views": 3,
        "session_duration_seconds": 10,
        "traffic_source": "direct",
        "user_engaged": True,
    }


def test_an_unknown_visitor_is_named(analytics: Desk) -> None:
    assert "'42'" in analytics.refusal("get_visitor_information_by_id", visitor_id="42")
    assert "visitor_id" in analytics.refusal("get_visitor_information_by_id", visitor_id="")


def test_visits_are_counted_by_day_in_order_of_days(analytics: Desk) -> None:
    assert list(analytics("total_visits_count").items()) == [("2023-10-01", 3), ("2023-10-03", 1)]


def test_days_bound_a_count_inclusively(analytics: Desk) -> None:
    assert analytics("total_visits_count", time_min="2023-10-03", time_max="2023-10-03") == {"2023-10-03": 1}
    assert analytics("total_visits_count", time_max="2023-10-02", time_min=None) == {"2023-10-01": 3}
    assert analytics("total_visits_count", time_min="2024-01-01") == {}


def test_bounds_are_compared_as_text(analytics: Desk) -> None:
    assert analytics("total_visits_count", time_min="yesterday") == {}
    assert analytics("total_visits_count", time_max="yesterday") == {"2023-10-01": 3, "2023-10-03": 1}


def test_engaged_visits_are_counted_by_day_zero_included(analytics: Desk) -> None:
    assert analytics("engaged_users_count") == {"2023-10-01": 1, "2023-10-03": 1}
    assert analytics("traffic_source_count", traffic_source="referral") == {"2023-10-01": 1, "2023-10-03": 0}


def test_a_traffic_source_is_matched_exactly(analytics: Desk) -> None:
    assert analytics("traffic_source_count", traffic_source="Direct") == {"2023-10-01": 0, "2023-10-03": 0}
    assert analytics("traffic_source_count", time_min="2023-10-02", traffic_source="direct") == {"2023-10-03": 1}


def test_without_a_traffic_source_all_visits_count(analytics: Desk) -> None:
    assert analytics("traffic_source_count", traffic_source=None) == analytics("total_visits_count")
    assert analytics("traffic_source_count", traffic_source="") == analytics("total_visits_count")


def test_the_average_duration_of_a_day_keeps_its_digits(analytics: Desk) -> None:
    assert analytics("get_average_session_duration") == {"2023-10-01": 22.333333333333332, "2023-10-03": 10.0}


def test_a_plot_is_recorded_under_the_path_it_returns(analytics: Desk) -> None:
    path = analytics("create_plot", **PLOT)

    assert path == "plots/2023-10-01_2023-10-03_visits_search_engine_histogram.png"
    assert analytics.layer.state(app).find(Plot) == [Plot(id="1", file_path=path)]


def test_the_same_plot_again_is_another(analytics: Desk) -> None:
    analytics("create_plot", **PLOT)
    analytics("create_plot", **PLOT)

    assert [plot.id for plot in analytics.layer.state(app).find(Plot)] == ["1", "2"]


def test_the_dates_of_a_plot_are_not_checked_but_must_be_given(analytics: Desk) -> None:
    assert analytics("create_plot", **{**PLOT, "time_min": "May"}).startswith("plots/May_")
    assert "time_max" in analytics.refusal("create_plot", **{**PLOT, "time_max": ""})


@pytest.mark.parametrize(("argument", "wrong"), [("value_to_plot", "direct"), ("plot_type", "pie")])
def test_a_plot_takes_the_values_it_names(analytics: Desk, argument: str, wrong: str) -> None:
    refusal = analytics.refusal("create_plot", **{**PLOT, argument: wrong})

    assert f"'{PLOT[argument]}'" in refusal
