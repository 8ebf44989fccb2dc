"""The same tools under other names, with other texts, or some of them hidden: a surface derived from another.

What lies below stays as it is. A derived toolset holds its tools under their own names, and so do records of calls
to them; agents see `Tool.shown` and call that (`own_names`).
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping
from typing import Any

from servers.kernel.app import Toolset, unfit
from servers.kernel.tool import Tool

__all__ = ("as_shown", "overlaid", "own_names", "prefixed")


def overlaid(toolset: Toolset, rename: Mapping[str, str], describe: Mapping[str, str], hide: Iterable[str]) -> Toolset:
    """A toolset of the same app and name, changed; everything is addressed by the names that `toolset` has.

    `rename` maps tools to the names shown, `describe` a tool or `tool.parameter` to its text, `hide` lists tools
    and optional parameters (`tool.parameter`). Where a text names a renamed tool in backticks, it names it anew;
    texts of `describe` stay as given. Raises ValueError that begins with the setting at fault.
    """
    hidden = frozenset(hide)
    for place in sorted(hidden):
        _check(toolset, place, "hide")
        if _needed(toolset, place):
            raise ValueError(f"hide: {place} cannot be hidden, as no call goes without it")
    for setting, places in (("rename", rename), ("describe", describe)):
        for place in places:
            _check(toolset, place, f"{setting}.{place}")
            if not hidden.isdisjoint({place, place.partition(".")[0]}):
                raise ValueError(f"{setting}.{place}: it is hidden too; leave one of the two out")
    for name, shown in rename.items():
        if name not in toolset.tools:
            raise ValueError(f"rename.{name}: only tools have other names, not parameters")
        if problem := unfit(toolset.app.name, shown):
            raise ValueError(f"rename.{name}: {problem}")
    derived = _derived(toolset, rename, describe, hidden)
    if not derived.tools:
        raise ValueError(f"hide: no tool of {_title(toolset)} is left")
    return derived


def prefixed(toolset: Toolset) -> Toolset:
    """A toolset whose tools are shown as `<app>_<tool>`, as wherever those of several apps stand side by side."""
    names = {name: f"{toolset.app.name}_{tool.shown}" for name, tool in toolset.tools.items()}
    return _derived(toolset, names, {}, frozenset())


def _derived(
    toolset: Toolset, rename: Mapping[str, str], describe: Mapping[str, str], hidden: frozenset[str]
) -> Toolset:
    """Raises ValueError for two tools of one name."""
    derived = Toolset(toolset.app, toolset.name, structured=toolset.structured, needs=toolset.needs)
    named = {toolset.tools[name].shown: shown for name, shown in rename.items()}  # as texts have them so far
    derived.instructions = _renamed(toolset.instructions, named)
    taken: dict[str, str] = {}
    for name, tool in toolset.tools.items():
        if name not in hidden:
            changed = derived.tools[name] = _changed(tool, rename.get(name, tool.alias), named, describe, hidden)
            if (other := taken.setdefault(changed.shown, name)) != name:
                at, beside = (name, other) if name in rename else (other, name)
                raise ValueError(f"rename.{at}: {beside} is shown as {changed.shown!r} too")
    return derived


def own_names(toolset: Toolset) -> dict[str, str]:
    """Shown name -> own name, of every tool."""
    return {tool.shown: name for name, tool in toolset.tools.items()}


def as_shown(toolset: Toolset, text: str) -> str:
    """A text that names tools in backticks, such as an error, with the names under which they are shown."""
    return _renamed(text, {name: tool.shown for name, tool in toolset.tools.items() if tool.alias})


def _check(toolset: Toolset, place: str, where: str) -> None:
    """Raises ValueError for a tool or a parameter that is not there."""
    name, dot, parameter = place.partition(".")
    if name not in toolset.tools:
        raise ValueError(f"{where}: {_title(toolset)} has no tool {name!r}; it has {', '.join(toolset.tools)}")
    known = toolset.tools[name].input_schema["properties"]
    if dot and parameter not in known:
        raise ValueError(f"{where}: {name} has no parameter {parameter!r}; it has {', '.join(known) or 'none'}")


def _needed(toolset: Toolset, place: str) -> bool:
    name, _, parameter = place.partition(".")
    return parameter in toolset.tools[name].input_schema.get("required", ())


def _title(toolset: Toolset) -> str:
    return f"{toolset.app.name}/{toolset.name}"


def _changed(
    tool: Tool, alias: str, named: Mapping[str, str], describe: Mapping[str, str], hidden: frozenset[str]
) -> Tool:
    own = tool.name
    parameters = {name for name in tool.input_schema["properties"] if f"{own}.{name}" in hidden}
    changed = tool.without(parameters) if parameters else copy.copy(tool)
    changed.alias = alias
    changed.description = describe.get(own) or _renamed(tool.description, named)
    changed.input_schema = _described(changed.input_schema, named)
    changed.output_schema = _described(changed.output_schema, named)
    for name, schema in changed.input_schema["properties"].items():
        if text := describe.get(f"{own}.{name}"):
            schema["description"] = text
    return changed


def _described(schema: Any, rename: Mapping[str, str]) -> Any:
    """A copy of a schema whose descriptions name tools as they are shown."""
    if isinstance(schema, dict):
        return {
            key: _renamed(value, rename)
            if key == "description" and isinstance(value, str)
            else _described(value, rename)
            for key, value in schema.items()
        }
    if isinstance(schema, list):
        return [_described(value, rename) for value in schema]
    return schema


def _renamed(text: str, rename: Mapping[str, str]) -> str:
    return text if not rename else re.sub(r"`(\w+)`", lambda match: f"`{rename.get(match[1], match[1])}`", text)
