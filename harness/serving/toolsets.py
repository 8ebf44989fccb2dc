"""Toolsets of apps, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from harness.core.near import near
from servers.kernel import quoted

if TYPE_CHECKING:
    from servers.kernel import App, Toolset

__all__ = ("apps_of", "toolset_of")


def toolset_of(app: App, wanted: str | None, place: str = "") -> Toolset:
    """The toolset of an app by its name, by default the usual one.

    Raises `ConfigProblem`, which begins with `place`, where the app does not have it or what it needs is not installed.
    """
    found = app.default if wanted is None else app.toolsets.get(wanted)
    if found and not found.lacking:
        return found
    from harness.core.config import ConfigProblem  # only now: `harness serve` starts without

    if found:
        raise ConfigProblem(f"{place}{found.lacking}")
    meant, known = near(str(wanted), app.toolsets), ", ".join(app.toolsets)
    there = f".{meant} Known: {known}." if meant else f"; it has {known}"
    raise ConfigProblem(f"{place}{app.name} has no toolset {quoted(wanted)}{there}")


def apps_of(toolsets: Mapping[str, Toolset]) -> list[App]:
    """The apps behind a mapping of toolsets."""
    return [toolset.app for toolset in toolsets.values()]
