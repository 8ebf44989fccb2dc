"""What does not fit in a config's values: file, line and field, and what would be right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from harness.core.agent_config import KINDS
from harness.core.config import ConfigProblem, user_settings
from harness.core.near import near
from harness.core.validation import unechoed
from harness.core.yaml_file import Where, begins, dotted

__all__ = ("validated",)

Model = TypeVar("Model", bound=BaseModel)


def validated(
    model: type[Model], path: Path, data: dict[str, Any], lines: Mapping[Where, int], given: Iterable[str] = ()
) -> Model:
    """The settings that values make; `lines` says where in the file each stands, and `given` what is not from there.

    Raises `ConfigProblem`, with a line for each problem.
    """
    try:
        return model.model_validate(data, context={"folder": path.parent})
    except ValidationError as error:
        problems = [_explain(model, path, data, lines, frozenset(given), each) for each in unechoed(error)]
        raise ConfigProblem("\n".join(problems)) from None


def _explain(
    model: type[BaseModel], path: Path, data: Any, lines: Mapping[Where, int], given: frozenset[str], error: Any
) -> str:
    where, loc, value = _where(data, error["loc"]), error["loc"], error["input"]
    line = next((lines[where[:n]] for n in range(len(where), -1, -1) if where[:n] in lines), None)
    source = f"--{where[0]}" if where and where[0] in given else f"{path}:{line}" if line else f"{path}"
    match error["type"]:
        case "extra_forbidden":
            fields = _fields(model, loc[:-1], data)
            what = f"no such setting.{near(str(loc[-1]), fields)} Known: {', '.join(fields)}."
        case "missing":
            where, what = (*where, str(loc[-1])), "is required and missing"
        case "union_tag_not_found" | "model_attributes_type":
            what = f"an agent is a mapping with a `kind`, one of {', '.join(KINDS)}"
        case "union_tag_invalid":
            kind = str(value["kind"])
            where, what = (
                (*where, "kind"),
                f"{kind!r} is not a kind of agent.{near(kind, KINDS)} Known: {', '.join(KINDS)}.",
            )
        case "user_kind":
            known = error["ctx"]["known"]
            what = f"{value!r:.60} is not a kind of user.{near(str(value), known)} Known: {', '.join(known)}."
        case "user_plugin":
            what = error["msg"]
        case "literal_error":
            expected = str(error["ctx"]["expected"])
            close = near(str(value), re.findall("'([^']*)'", expected))
            what = f"{value!r:.60} is not allowed; write {expected}.{close}"
        case "model_type" | "dict_type":
            what = f"must be a mapping, not {value!r:.60}"
        case "tuple_type":
            what = f"must be a list, not {value!r:.60}"
        case "too_short":
            what = "needs at least one"
        case "value_error":
            what = str(error["ctx"]["error"])
        case _:
            what = f"{error['msg'][:1].lower()}{error['msg'][1:]}, not {value!r:.60}"
    told = f"{dotted(where)}: {what}" if where else what
    if error["type"] == "value_error":  # one about several settings begins with the one that it would have mended
        inner = f"{dotted(where)}.{what}" if where else what
        place = begins(inner, lines)
        if len(place) > len(where):
            source, told = f"{path}:{lines[place]}", inner
    return f"{source}: {told}"


def _where(data: Any, loc: Sequence[str | int]) -> Where:
    """Pydantic's location as a path into the data: without the kind that it has after an agent, and what is missing."""
    where: Where = ()
    for step in (*loc[:2], *loc[3:]) if loc[:1] == ("agents",) else loc:  # `command` is a setting too
        inside = data if isinstance(data, dict) else dict(enumerate(data)) if isinstance(data, list) else {}
        if step in inside:
            where, data = (*where, step), inside[step]
    return where


def _fields(model: type[BaseModel], loc: Sequence[str | int], data: Any) -> list[str]:
    """What the model at pydantic's location `loc` in another has for settings."""
    at = 2 if loc[:1] == ("conditions",) else 0
    if loc[at : at + 1] == ("user",):
        of = data["conditions"][loc[1]] if at else data
        annotation: Any = user_settings(of["user"].get("kind", "grounded"), of["user"])
        loc = loc[at + 1 :]
    else:
        annotation = model
    for step in loc:
        models = list(_models(annotation))
        if len(models) > 1:
            annotation = KINDS[str(step)]
        elif models:
            annotation = models[0].model_fields[str(step)].annotation
        else:
            annotation = next(arg for arg in reversed(get_args(annotation)) if arg is not Ellipsis)
    return list(next(_models(annotation)).model_fields)


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """Models that a value of this annotation may be, looking into unions but not into containers."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif get_origin(annotation) not in (dict, tuple, list, Literal, None):
        for inner in get_args(annotation):
            yield from _models(inner)
