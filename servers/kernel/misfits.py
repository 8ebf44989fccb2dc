"""Arguments that do not fit a tool, as its caller is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from servers.kernel.dated import form
from servers.kernel.schema import names

__all__ = ("misfits",)

_SHOWN, _SHOWN_NAME = 20, 200
"""Problems that an error lists, and characters of the name of what is at fault."""


def misfits(error: ValidationError, schema: Mapping[str, Any]) -> list[str]:
    """Each problem, of very many the first."""
    found = error.errors(include_url=False, include_input=False)
    more = [f"and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
    told: set[tuple[str | int, ...]] = set()  # where names that there are were told already
    problems = []
    for each in found[:_SHOWN]:
        within = each["loc"][:-1]
        problems.append(_problem(each, [] if within in told else names(schema, within)))
        if each["type"] == "extra_forbidden":
            told.add(within)
    return [*problems, *more]


def _problem(error: Any, known: list[str]) -> str:
    where = ".".join(map(str, error["loc"]))[:_SHOWN_NAME] or "arguments"
    if error["type"] == "extra_forbidden":
        there = ", ".join(_near_first(str(error["loc"][-1]), known))
        return f"unknown argument {where!r}" + (f" (there are {there})" if there else "")
    if error["type"] == "missing":
        return f"{where!r} is required"
    if error["type"] == "value_error":  # of a validator of ours: its own words
        return f"{where!r}: {error['ctx']['error']}"
    return f"{where!r}: {error['msg'][:1].lower()}{error['msg'][1:]}{form(error['type'])}"


def _near_first(name: str, known: list[str]) -> list[str]:
    """The names, of many those first that are near one, and the rest counted."""
    if len(known) <= _SHOWN:
        return known
    near = get_close_matches(name[:_SHOWN_NAME], known, n=_SHOWN)
    ordered = [*near, *(each for each in known if each not in near)]
    return [*ordered[:_SHOWN], f"{len(known) - _SHOWN} more"]
