"""Fixtures for teams that test agents of their own: a workplace on loopback, and tasks that score themselves.

`sandbox` and `task` are what a marker of the same name describes, opened:

    @pytest.mark.task("hr-leave", "hr-leave-enter")
    def test_the_agent_enters_leave(task): ...

Without the marker they are what opens one, for as many as a test wants: `task("hr-leave", id)`.
Everything ends with the test. Nothing is imported before a test asks for a fixture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from harness.front.opened import Sandbox, Task
    from harness.front.workplace import Workplace

__all__ = ("pytest_configure", "sandbox", "task")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "sandbox(*apps, world=..., toolsets=...): the fixture `sandbox` is one with these apps"
    )
    config.addinivalue_line(
        "markers", "task(suite, id, prompt=..., ask=..., toolsets=...): the fixture `task` is this one"
    )


@pytest.fixture
def _workplace() -> Iterator[Workplace]:
    from harness.front.workplace import Workplace

    with Workplace() as workplace:
        yield workplace


@pytest.fixture
def sandbox(request: pytest.FixtureRequest, _workplace: Workplace) -> Sandbox | Callable[..., Sandbox]:
    """The sandbox that the test's marker describes, or without one `sandbox("gmail", "calendar", world=...)`."""
    marker = request.node.get_closest_marker("sandbox")
    return _workplace.sandbox(*marker.args, **marker.kwargs) if marker else _workplace.sandbox


@pytest.fixture
def task(request: pytest.FixtureRequest, _workplace: Workplace) -> Task | Callable[..., Task]:
    """The task that the test's marker names, or without one `task("hr-leave", id)`."""
    marker = request.node.get_closest_marker("task")
    return _workplace.task(*marker.args, **marker.kwargs) if marker else _workplace.task
