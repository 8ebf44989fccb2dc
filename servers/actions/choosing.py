"""What tools of all surfaces do: list actions, check a choice, enter it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, Field, JsonValue

from servers.actions.tables import Action, Decision, Kind, Parameter
from servers.kernel import NotFound, Page, Ref, Rejected, State, excerpt, paged, quoted

__all__ = ("TEXT", "ActionId", "Chosen", "Evidence", "Given", "Listed", "chosen", "listed")

_EVIDENCE, TEXT, _LISTED = 200, 10_000, 40

_FIGURES = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")

ActionId = Annotated[str, Ref(Action), Field(description="Id of an action, as `list_actions` returns it.")]
Given = Annotated[
    dict[str, JsonValue], Field(description="The action's parameters by name, as described by `list_actions`.")
]
Evidence = Annotated[
    list[str], Field(max_length=_EVIDENCE, description="Ids of the documents that the choice rests on.")
]

_EXAMPLES: Mapping[Kind, JsonValue] = {
    "person": "Name Surname",
    "people": ["Name Surname"],
    "date": "2025-06-13",
    "id": "AB-1234",
    "enum": "",
    "amount": 100,
    "text": "...",
}


class Listed(BaseModel):
    """An action, with its parameters by name: what kind each is of, whether it is required, and what it is."""

    id: str
    type: str
    description: str
    constraints: list[str]
    parameters: dict[str, str]


class Chosen(BaseModel):
    """What was entered."""

    decision: str
    action: str
    parameters: dict[str, JsonValue]


class _NoAction(NotFound):
    """No action has that id; the text names those there are."""

    def __init__(self, id: str, known: Sequence[Action]) -> None:
        super().__init__("action", id)
        example = f" For example: {_example(known[0])}" if known else ""
        self.args = (f"{self.args[0]} There are {', '.join(each.id for each in known) or 'none'}.{example}",)


def listed(state: State, skip: int) -> Page[Listed]:
    """The actions there are, forty at a time."""
    return paged(
        state.find(Action),
        skip,
        lambda action: Listed(
            id=action.id,
            type=action.type,
            description=action.description,
            constraints=action.constraints,
            parameters={
                name: _told(each, name in action.params_schema.required)
                for name, each in action.params_schema.known().items()
            },
        ),
        size=_LISTED,
    )


def chosen(state: State, decision: Decision, *, once: bool) -> Chosen:
    """Enter a decision, the only one of its day where `once` says so.

    Raises `NotFound` for an action that is not there, `Rejected` for parameters that do not fit it.
    """
    known = state.find(Action)
    action = next((each for each in known if each.id == decision.action), None)
    if action is None:
        raise _NoAction(decision.action, known)
    _check(action, decision.parameters)
    if once:
        for before in state.find(Decision):
            if before.made.date() == decision.made.date():
                raise Rejected(f"{before.action} was chosen already ({before.id}); only one action can be taken a day.")
    entered = state.add(decision)
    return Chosen(decision=entered.id, action=action.id, parameters=entered.parameters)


def _check(action: Action, given: Mapping[str, JsonValue]) -> None:
    known = action.params_schema.known()
    problems = [f"it has no parameter {quoted(name)}" for name in given if name not in known]
    problems += [f"it needs {name}" for name in action.params_schema.required if _missing(given.get(name))]
    for name, value in given.items():
        if name in known and value is not None and (problem := _unfit(known[name], value)):
            problems.append(f"{name} {problem}")
    if problems:
        takes = ", ".join(f"{name} ({each.kind})" for name, each in known.items()) or "nothing"
        raise Rejected(f"{action.id}: {'; '.join(problems[:10])}. It takes {takes}. For example: {_example(action)}")


def _missing(value: JsonValue) -> bool:
    return value is None or value == "" or value == []


def _unfit(parameter: Parameter, value: JsonValue) -> str:
    """Why a parameter cannot have that value; "" where it can."""
    text = isinstance(value, str)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    match parameter.kind:
        case "people":
            listed = isinstance(value, list) and all(isinstance(each, str) for each in value)
            return "" if text or listed else "must be a list of names or addresses"
        case "date":
            return "" if text and _names_day(str(value)) else f"must be a day, such as {_EXAMPLES['date']}"
        case "amount":
            return "" if text or number else "must be a number or a text"
        case "id":
            return "" if text or number else "must be a text"
        case "enum" if parameter.choices and value not in parameter.choices:
            given = excerpt(json.dumps(value, ensure_ascii=False), 100)
            return f"must be one of {', '.join(parameter.choices)}, not {given}"
        case _:
            return "" if text else "must be a text"


def _names_day(text: str) -> bool:
    """Whether a text may name a day: not where it is empty, or in figures one that no calendar has.

    In words it may be anything: what is meant, whoever reads the decision has to find out.
    """
    if found := _FIGURES.match(text.strip()):
        with suppress(ValueError):
            return bool(date(*map(int, found.groups())))
        return False
    return bool(text.strip())


def _told(parameter: Parameter, required: bool) -> str:
    kind = f"one of {', '.join(parameter.choices)}" if parameter.choices else parameter.kind
    about = f": {parameter.description}" if parameter.description else ""
    return f"{kind}, {'required' if required else 'may be left out'}{about}"


def _example(action: Action) -> str:
    """A right call, as far as form goes."""
    known = action.params_schema.known()
    names = action.params_schema.required or list(known)[:1]
    given: dict[str, Any] = {
        name: known[name].choices[0] if known[name].choices else _EXAMPLES[known[name].kind] for name in names
    }
    return f"action={action.id!r}, parameters={json.dumps(given, ensure_ascii=False)}"
