"""What an assistant puts off comes back with the first session at or after its time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from harness.core.task import Session, Task
from harness.play.opening import OpenTask, begun
from servers import catalog
from servers.kernel import Engine, World

MONDAY = datetime(2026, 4, 13, 9)
TIMES = (MONDAY, datetime(2026, 4, 13, 17), datetime(2026, 4, 16, 9))
TASK = Task(
    id="two-days",
    world="office",
    apps=("desk",),
    sessions=tuple(Session(requests={"original": f"Session {n}."}, now=now) for n, now in enumerate(TIMES)),
)


@pytest.fixture
def opened() -> Iterator[OpenTask]:
    engine, toolsets = Engine(), {"desk": catalog.app("desk").default}
    base = engine.load(World("office", MONDAY, {"desk": {}}))
    record = begun("toy", TASK, prompt="original", agent="a", condition="c")
    task = OpenTask(engine, base, TASK, record, toolsets)
    task.begin()
    yield task
    task.close()
    engine.close()


async def put_off(opened: OpenTask, what: str, at: str, repeat: str | None = None) -> None:
    given = {"action": "add", "what": what, "at": at} | ({"repeat": repeat} if repeat else {})
    assert (await opened.sandbox.call("desk", "schedule_task", given)).status == "ok"


@pytest.mark.anyio
async def test_it_comes_back_once_with_the_first_session_after_its_time(opened: OpenTask) -> None:
    await put_off(opened, "Look at the fixing.", "2026-04-14 08:00")
    requests = [opened.begin().request for _ in TIMES[1:]]

    assert requests == [
        "Session 1.",
        "Session 2.\n\nScheduled by you, and due since:\n- Look at the fixing. (due 2026-04-14 08:00)",
    ]


@pytest.mark.anyio
async def test_what_repeats_comes_back_for_each_of_its_times_in_order(opened: OpenTask) -> None:
    await put_off(opened, "Second.", "2026-04-14 08:00", "weekday")
    await put_off(opened, "First.", "2026-04-13 17:00")
    requests = [opened.begin().request for _ in TIMES[1:]]

    assert requests[0].endswith("- First. (due 2026-04-13 17:00)")
    assert requests[1].count("- Second.") == 3
    assert "First." not in requests[1]
