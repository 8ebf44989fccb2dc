"""What `create_plot` draws, and when."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from struct import unpack
from typing import Any, get_args

import pytest

from servers.analytics import Value, app
from servers.analytics.draw import Chart, Kind, draw, period, points
from servers.kernel import Image
from tests.apps.desk import Desk, desk

pytest.importorskip("matplotlib", reason="plots are drawn with the extra `plots`")

FIRST = date(2023, 9, 1)
SOURCES = ("direct", "referral", "search engine", "social media")
VISITS = [
    {
        "id": str(n),
        "date_of_visit": str(FIRST + timedelta(days=n * n % 29)),
        "visitor_id": f"{n:04d}",
        "page_views": 2,
        "session_duration_seconds": n % 17,
        "traffic_source": SOURCES[n % 4],
        "user_engaged": n % 3 == 0,
    }
    for n in range(60)
]
SEPTEMBER = {"time_min": "2023-09-01", "time_max": "2023-09-30"}


@pytest.fixture
def analytics() -> Iterator[Desk]:
    with desk(app, {"visits": VISITS}) as calls:
        yield calls


def shown(desk: Desk, **arguments: Any) -> Image | str:
    given = {**SEPTEMBER, "value_to_plot": "total_visits", "plot_type": "bar", **arguments}
    picture = app.toolset("workbench").tool("create_plot").call(desk.layer.state(app), given).picture
    assert picture
    return picture()


def chart(kind: Kind = "bar", **changes: Any) -> Chart:
    base = Chart("Visits", "visits", kind, date(2023, 9, 1), date(2023, 9, 30), {date(2023, 9, 3): 4})
    return base._replace(**changes)


def size(image: Image | str) -> tuple[int, int]:
    """Width and height from a PNG's header."""
    assert isinstance(image, Image), image
    assert (image.mime, image.data[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    width, height = unpack(">II", image.data[16:24])
    return width, height


@pytest.mark.parametrize("kind", get_args(Kind))
@pytest.mark.parametrize("value", get_args(Value))
def test_every_value_is_drawn_in_every_way_at_the_same_size(analytics: Desk, value: str, kind: str) -> None:
    assert size(shown(analytics, value_to_plot=value, plot_type=kind)) == (800, 450)


def test_kinds_values_periods_and_rows_each_give_another_picture(analytics: Desk) -> None:
    pictures = [shown(analytics, plot_type=kind) for kind in get_args(Kind)]
    pictures += [shown(analytics, value_to_plot=value) for value in get_args(Value)[1:]]
    pictures += [shown(analytics, time_min="2023-09-02")]
    with desk(app, {"visits": VISITS[:-1]}) as fewer:
        pictures += [shown(fewer)]

    assert len(set(pictures)) == len(pictures)


def test_the_same_plot_is_the_same_bytes_also_in_another_process() -> None:
    program = """\
import hashlib, sys
from tests.apps.test_plots import chart
from servers.analytics.draw import draw
sys.stdout.write(hashlib.sha256(draw(chart("line")).data).hexdigest())
"""
    sums = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path), "TZ": zone},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    ]  # fmt: skip

    assert sums[0] == sums[1]
    assert len(sums[0]) == 64


@pytest.mark.parametrize("kind", get_args(Kind))
def test_periods_of_a_day_and_of_all_time_can_be_drawn(kind: Kind) -> None:
    day = date(2023, 9, 3)

    assert size(draw(chart(kind, first=day, last=day))) == (800, 450)
    assert size(draw(chart(kind, first=date.min, last=date.max))) == (800, 450)
    assert size(draw(chart(kind, figures={day: 0}, empty=None))) == (800, 450)


def test_days_without_visits_count_as_none_and_have_no_average() -> None:
    last = date(2023, 9, 5)

    assert [value for _, value in points(chart(last=last))] == [0, 0, 4, 0, 0]
    assert points(chart(last=last, empty=None)) == [(date(2023, 9, 3), 4)]


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("May", "2023-09-30", "'May'"),
        ("2023-09-01", "2023-9-30", "'2023-9-30'"),
        ("20230901", "2023-09-30", "'20230901'"),
        ("2023-09-30", "2023-09-01", "begins on 2023-09-30"),
    ],
)
def test_a_period_that_is_none_is_recorded_and_not_drawn(analytics: Desk, first: str, last: str, said: str) -> None:
    picture = shown(analytics, time_min=first, time_max=last)

    assert isinstance(picture, str)
    assert picture.startswith("No picture: ")
    assert said in picture
    assert len(analytics.layer.changes()) == 1


def test_a_period_without_visits_is_recorded_and_not_drawn(analytics: Desk) -> None:
    picture = shown(analytics, time_min="2030-01-01", time_max="2030-01-31")

    assert picture == "No picture: there were no visits from 2030-01-01 to 2030-01-31."


def test_a_period_of_one_day_is_one() -> None:
    assert period("2023-09-01", "2023-09-01") == (date(2023, 9, 1), date(2023, 9, 1))


def test_without_matplotlib_a_sentence_says_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ModuleNotFoundError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    said = draw(chart())

    assert isinstance(said, str)
    assert "workplace-harness[plots]" in said


def test_a_user_s_own_matplotlib_settings_change_nothing() -> None:
    import matplotlib

    plain = draw(chart())
    with matplotlib.rc_context({"axes.facecolor": "black", "font.size": 30}):
        assert draw(chart()) == plain
