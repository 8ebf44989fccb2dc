"""A tool that holds up everything else is named."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path

import anyio
import pytest
from mcp.client.client import Client

from harness.play.run import evaluate
from harness.serving import watchdog
from harness.serving.host import HttpHost
from harness.serving.sandbox import Sandbox
from harness.serving.watchdog import Watchdog
from servers import catalog
from servers.kernel import App, Defect, Engine, State
from tests.harness import toy


class Clock:
    """Seconds that pass when told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def run(dog: Watchdog, work: Callable[[], object], sandbox: str = "sandbox 0a1b2c3d") -> None:
    """Have a tool of an app do that, watched."""
    app = App("slow", "Takes its time.")

    @app.reads
    def dawdle(state: State) -> str:
        """Take some time."""
        work()
        return "Done."

    engine = Engine()
    layer = engine.layer(engine.load(toy.world()))
    assert dog.call(app.default.tool("dawdle"), layer.state(app), {}, sandbox).text == "Done."
    engine.close()


def test_a_call_that_takes_too_long_is_named_once_while_it_runs() -> None:
    clock, told = Clock(), list[str]()
    dog = Watchdog(5, clock=clock, tell=told.append)

    def work() -> None:
        for clock.now in (4.9, 6.0, 7.0):
            dog.look()
        assert told == ["slow tool: slow.dawdle in sandbox 0a1b2c3d has held up everything else for 6.0 s"]

    run(dog, work)

    assert len(told) == 1
    assert [(held.app, held.tool, held.seconds) for held in dog.held] == [("slow", "dawdle", 6.0)]


def test_a_call_that_lets_nobody_look_is_named_at_its_end() -> None:
    clock, told = Clock(), list[str]()

    run(Watchdog(5, clock=clock, tell=told.append), lambda: setattr(clock, "now", 62.0))

    assert told == ["slow tool: slow.dawdle in sandbox 0a1b2c3d has held up everything else for 62.0 s"]


def test_a_call_that_fails_late_is_named_too() -> None:
    clock, told = Clock(), list[str]()

    def work() -> None:
        clock.now = 6.0
        raise RuntimeError("broken")

    with pytest.raises(Defect):
        run(Watchdog(5, clock=clock, tell=told.append), work)
    assert len(told) == 1


def test_each_call_is_measured_by_itself() -> None:
    clock, told = Clock(), list[str]()
    dog = Watchdog(5, clock=clock, tell=told.append)
    for _ in range(3):
        run(dog, lambda: setattr(clock, "now", clock.now + 4))
        clock.now += 100
        dog.look()

    assert told == []


def test_a_thread_looks_while_the_event_loop_cannot() -> None:
    told, ticks = threading.Event(), count(step=10)

    run(Watchdog(5, clock=lambda: float(next(ticks)), tell=lambda _: told.set()), lambda: told.wait(20))

    assert told.is_set()


def test_it_is_said_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()

    run(Watchdog(5, clock=clock), lambda: setattr(clock, "now", 6.0), sandbox="")

    assert capsys.readouterr().err == "slow tool: slow.dawdle has held up everything else for 6.0 s\n"


def test_a_run_keeps_the_name_of_a_slow_tool_and_of_the_trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog.WATCHDOG, "_limit", -1.0)
    evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "slow")
    monkeypatch.undo()
    evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "quick")

    lines = (tmp_path / "slow" / watchdog.FILE).read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("slow tool: projects.update_task in trial 0 of toy-1 (") for line in lines)
    assert not (tmp_path / "quick" / watchdog.FILE).exists()


def test_a_sandbox_that_is_served_is_named_by_the_start_of_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog.WATCHDOG, "_limit", -1.0)
    toolsets = {"projects": catalog.app("projects").default}

    async def main() -> str:
        engine = Engine()
        host = HttpHost(toolsets.values())
        id = host.add(Sandbox(engine.layer(engine.load(toy.world())), toolsets))
        async with host.run(), Client(host.url(id, "projects")) as client:
            await client.call_tool("search_tasks", {"board": "Design"})
        engine.close()
        return id

    id = anyio.run(main)

    assert watchdog.WATCHDOG.held[-1].sandbox == f"sandbox {id[:8]}"
