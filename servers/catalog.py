"""Which apps there are: the folders beside this file, and installed plugins. The only place that knows.

A folder `servers/<name>/` is the app `<name>`; a plugin is an entry point of the group
`workplace_harness.apps` whose name is the app's and whose value is the module. Both expose `app`.
An app is imported when asked for, not before.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from traceback import walk_tb

from servers.kernel import App

__all__ = ("GROUP", "BrokenApp", "UnknownApp", "app", "apps", "clashes", "folders", "names")

GROUP = "workplace_harness.apps"

_HERE = os.path.dirname(__file__)  # a text: with `Path` a look takes four times as long, for each app that is asked for


class UnknownApp(LookupError):
    """No app has that name. `where` is what names it, and stands before the text."""

    def __init__(self, name: str, known: Iterable[str], where: str = "") -> None:
        self.name, self.known = name, tuple(known)
        close = difflib.get_close_matches(name, self.known, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        super().__init__(f"{where}There is no app {name!r}.{hint} Available: {', '.join(self.known)}.")


class BrokenApp(ImportError):
    """An app that exists and cannot be used; the text names its folder or package, and what went wrong."""


def folders() -> tuple[str, ...]:
    """Names of the apps that are folders here, sorted."""
    return tuple(sorted(filter(_is_app, os.listdir(_HERE))))


def names() -> tuple[str, ...]:
    """Names of all apps, sorted, without importing any."""
    return tuple(sorted({*folders(), *_plugins()}))


def clashes() -> tuple[str, ...]:
    """A line for each plugin that has the name of another app: of a folder, which goes first, or of a plugin."""
    return tuple(
        _clash(point) for name, points in _plugins().items() for point in (points if _is_folder(name) else points[1:])
    )


def apps() -> dict[str, App]:
    """All apps by name, sorted. Raises `BrokenApp` for the first that cannot be imported, or has another's name."""
    if clash := next(iter(clashes()), ""):
        raise BrokenApp(clash)
    return {name: app(name) for name in names()}


def app(name: str) -> App:
    """The app of that name. Raises `UnknownApp`, with what there is, and `BrokenApp`, also for two plugins."""
    if _is_folder(name):
        origin, module = f"servers/{name}", f"servers.{name}"
    elif points := _plugins().get(name):
        if len(points) > 1:
            raise BrokenApp(_clash(points[1]))
        origin, module = f"plugin {name!r} ({points[0].value})", points[0].value
    else:
        raise UnknownApp(name, names())
    try:
        found = getattr(import_module(module), "app", None)
    except Exception as error:
        said = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
        raise BrokenApp(f"{origin} cannot be imported: {said}{_place(error, module)}") from error
    if not isinstance(found, App):
        raise BrokenApp(f"{origin} does not expose `app`, an App")
    if found.name != name:
        raise BrokenApp(f"{origin} exposes the app {found.name!r}; its name must be {name!r}")
    return found


def _is_folder(name: str) -> bool:
    """Whether that app is a folder here: asked of one, it looks into no other."""
    return name in os.listdir(_HERE) and _is_app(name)


def _is_app(entry: str) -> bool:
    return entry != "kernel" and os.path.exists(f"{_HERE}/{entry}/__init__.py")


def _place(error: Exception, module: str) -> str:
    """File and line where importing an app failed: the last of its own code, since what that calls is seldom wrong."""
    if isinstance(error, SyntaxError):
        return f" ({error.filename}:{error.lineno})" if error.filename else ""
    own = module if module.startswith("servers.") else module.partition(".")[0]
    frames = [
        (frame.f_code.co_filename, line)
        for frame, line in walk_tb(error.__traceback__)
        if f"{frame.f_globals.get('__name__', '')}.".startswith(f"{own}.")
    ]
    return f" ({frames[-1][0]}:{frames[-1][1]})" if frames else ""


def _clash(point: EntryPoint) -> str:
    return f"plugin {point.name!r} ({point.value}) has the name of another app; rename it"


def _plugins() -> dict[str, list[EntryPoint]]:
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, []).append(point)
    return found
