"""Worlds that are moved in time, and clocks that run."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field

from servers.kernel import App, Dated, Engine, Table, World
from tests.kernel import desk

MARCH = "2025-03-13"
JUNE = "2025-06-05"
DAYS = 84


class Note(Table, name="notes"):
    day: date
    moment: datetime | None
    text: Dated
    maybe: Annotated[Dated | None, Field(description="May be empty.")] = None
    several: list[Dated]
    plain: str


app = App("pad", "Notes.", tables=(Note,))


def read(world: World) -> list[Note]:
    engine = Engine()
    try:
        return engine.layer(engine.load(world)).state(app).find(Note)
    finally:
        engine.close()


def noted(text: str = MARCH) -> World:
    values = {"day": MARCH, "moment": f"{MARCH}T09:30:00", "text": text, "several": [MARCH, "no date"], "plain": MARCH}
    return World("pad", datetime(2025, 3, 13), {"pad": {"notes": [{"id": MARCH, **values}]}})


def test_dates_and_marked_texts_move_with_their_world_and_nothing_else_does() -> None:
    (note,) = read(noted().moved(DAYS))

    assert note == Note(
        id=MARCH,
        day=date.fromisoformat(JUNE),
        moment=datetime.fromisoformat(f"{JUNE} 09:30:00"),
        text=JUNE,
        several=[JUNE, "no date"],
        plain=MARCH,
    )


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("2025-03-13 23:59:59", "2025-06-05 23:59:59"),
        ("Called on 2025-03-13: busy. Again 2025-12-24.", "Called on 2025-06-05: busy. Again 2026-03-18."),
        ("2025-02-30 is no day", "2025-02-30 is no day"),
        ("9999-12-31", "9999-12-31"),
        ("12025-03-13, 2025-03-130, 555-03-13", "12025-03-13, 2025-03-130, 555-03-13"),
        ("13 March 2025", "13 March 2025"),
    ],
)
def test_in_texts_whole_iso_dates_move(text: str, later: str) -> None:
    assert read(noted(text).moved(DAYS))[0].text == later


def test_a_moved_world_is_another_and_comes_back_from_disk(tmp_path: Path) -> None:
    world = noted()
    moved = world.moved(DAYS)
    moved.write(tmp_path)

    assert moved.now == datetime(2025, 6, 5)
    assert World.read(tmp_path) == moved
    assert len({world.digest, moved.digest, moved.moved(7).digest}) == 3
    assert moved.moved(-DAYS).digest == world.moved(0).digest == world.digest


def test_where_a_clock_runs_it_tells_the_time_also_to_copies() -> None:
    scene = desk.Scene()
    time = [desk.NOW]
    scene.layer.clock = lambda: time[0]
    copy = scene.layer.fork()
    time[0] += timedelta(hours=1)
    scene.layer.reset()

    assert scene.state.now == copy.now == desk.NOW + timedelta(hours=1)
    scene.engine.close()
