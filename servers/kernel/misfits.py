"""Arguments that do not fit a tool, as its caller is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from servers.kernel.bounds import NAME, quoted
from servers.kernel.dated import form
from servers.kernel.schema import names

__all__ = ("misfits",)

_TOLD, _NAMES = 900, 20
"""Characters of all problems that an error lists, and names that there are."""


def misfits(error: ValidationError, schema: Mapping[str, Any]) -> list[str]:
    """Each problem, of many the first, and how many more there are."""
    found = error.errors(include_url=False, include_input=False)
    told: set[tuple[str | int, ...]] = set()  # where names that there are were told already
    problems: list[str] = []
    for each in found:
        within = each["loc"][:-1]
        problem = _problem(each, [] if within in told else names(schema, within))
        if problems and len("; ".join([*problems, problem])) > _TOLD:
            return [*problems, f"and {len(found) - len(problems):,} more"]
        problems.append(problem)
        if each["type"] == "extra_forbidden":
            told.add(within)
    return problems


def _problem(error: Any, known: list[str]) -> str:
    where = quoted(".".join(map(str, error["loc"])) or "arguments")
    if error["type"] == "extra_forbidden":
        there = ", ".join(_near_first(str(error["loc"][-1]), known))
        return f"unknown argument {where}" + (f" (there are {there})" if there else "")
    if error["type"] == "missing":
        return f"{where} is required"
    if error["type"] == "value_error":  # of a validator of ours: its own words
        return f"{where}: {error['ctx']['error']}"
    return f"{where}: {error['msg'][:1].lower()}{error['msg'][1:]}{form(error['type'])}"


def _near_first(name: str, known: list[str]) -> list[str]:
    """The names, of many those first that are near one, and the rest counted."""
    if len(known) <= _NAMES:
        return known
    near = get_close_matches(name[:NAME], known, n=_NAMES)
    ordered = [*near, *(each for each in known if each not in near)]
    return [*ordered[:_NAMES], f"{len(known) - _NAMES} more"]
