"""The published layout of a sample: `<id>_input.json` for the agent, `<id>_output.json` for the key.

Fields go by the names of the paper (appendix B) or of its code, whichever a file has. What is read is kept whole, with
fields that nobody here knows, and written as it was. A sample made from it holds what may be seen: documents as id,
type and payload alone, under other ids and in another order, since in the files both tell which are evidence; actions
without the mark on the right one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

from pydantic import JsonValue, ValidationError

from benchmarks.probe.records import Action, Details, Document, Gold, Kind, Parameter, ParamsSchema, Sample
from servers.kernel import amiss

__all__ = ("Published", "PublishedError", "Side", "Source", "exported", "imported", "pair", "pairs", "read", "sides")

Side = Literal["input", "output"]
_SIDES: tuple[Side, ...] = ("input", "output")

_OURS = "workplace"
"""The field of a key that holds what the layout has no place for."""

_KINDS: Mapping[str, Kind] = {
    "email": "email", "mail": "email", "event": "event", "calendar": "event", "calendar_event": "event",
    "meeting": "event", "document": "document", "doc": "document", "text_document": "document", "text": "document",
}  # fmt: skip
_CODE: Mapping[Kind, Mapping[str, str]] = {
    "email": {"from": "sender", "date": "timestamp"},
    "event": {"start": "start_time", "end": "end_time"},
    "document": {},
}
"""Fields of a payload that the published code calls otherwise."""

_PEOPLE = re.compile(r"(?:^|_)(?:to|cc|recipients|attendees|participants|members|stakeholders)$")
_PERSON = re.compile(r"(?:^|_)(?:recipient|assignee|approver|decider|reviewer|owner|person|contact|manager)$")
_DATE = re.compile(r"(?:^|_)(?:date|deadline|due|day)(?:_|$)")
_ID = re.compile(r"(?:^|_)(?:id|ids|number|ticket|reference)$")
_MARKS = ("solves_bottleneck",)


class PublishedError(ValueError):
    """A file of the published layout that cannot be used; the text names file and field."""


@dataclass(frozen=True)
class Published:
    """One sample as published: both files whole, and where they were read from, for errors."""

    id: str
    given: dict[str, Any]
    key: dict[str, Any]
    given_file: str = ""
    key_file: str = ""

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Write both files, as the published code does, and say where."""
        folder.mkdir(parents=True, exist_ok=True)
        texts = self.files()
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        first, second = texts
        return folder / first, folder / second

    def files(self) -> dict[str, str]:
        """Both files by name, the input first."""
        sides = {"input": self.given, "output": self.key}
        return {
            f"{self.id}_{side}.json": json.dumps(each, indent=2, ensure_ascii=False) for side, each in sides.items()
        }


@dataclass(frozen=True)
class Source:
    """A sample, and for each document the id that it was published under."""

    sample: Sample
    ids: Mapping[str, str]


def sides(folder: Path) -> dict[str, dict[Side, Path]]:
    """The files of every sample below a folder, by its id, in the order of ids.

    Raises `PublishedError` where two files are of one sample and side.
    """
    found: dict[str, dict[Side, Path]] = {}
    for side in _SIDES:
        for path in sorted(folder.rglob(f"*_{side}.json")):
            there = found.setdefault(path.name.removesuffix(f"_{side}.json"), {})
            if side in there:
                raise PublishedError(f"{path}: there is {there[side]} already, of the same id")
            there[side] = path
    return dict(sorted(found.items()))


def pair(id: str, there: Mapping[Side, Path]) -> tuple[Path, Path]:
    """Input and output of a sample. Raises `PublishedError` for one without the other."""
    if len(there) == 1:
        (path,) = there.values()
        (lacking,) = set(_SIDES) - there.keys()
        raise PublishedError(f"{path}: {id}_{lacking}.json is not there")
    return there["input"], there["output"]


def pairs(folder: Path) -> list[tuple[str, Path, Path]]:
    """Id, input and output of every sample below a folder, by id. Raises `PublishedError` for one without the other."""
    return [(id, *pair(id, there)) for id, there in sides(folder).items()]


def read(given: Path, key: Path) -> Published:
    """Both files of a sample. Raises `PublishedError` for one that is missing or is not a JSON object."""
    id = given.name.removesuffix(".json").removesuffix("_input")
    return Published(id, _object(given), _object(key), str(given), str(key))


def imported(published: Published, seed: int) -> Source:
    """The sample to play, in an order that `seed` decides. Raises `PublishedError`."""
    given = _Node(published.given_file or f"{published.id}_input.json", "", published.given)
    key = _Node(published.key_file or f"{published.id}_output.json", "", published.key)
    draw = Random(f"{seed}:{published.id}")
    points = list(given.field("data_points", "documents", "corpus").items())
    draw.shuffle(points)
    old: dict[str, str] = {}
    documents = []
    for number, point in enumerate(points, 1):
        was, id = point.field("id").text(), f"D{number:03d}"
        if was in old:
            raise point.wrong(f"there is a document {was!r} already")
        old[was] = id
        payload = point.field("payload", "content").mapping()
        documents.append(Document(id=id, type=_kind(point.field("type")), payload=payload))
    world = given.field("world_model")
    actions: list[Action] = []
    for node in world.field("available_actions", "actions").items():
        action = _action(node)
        if any(action.id == each.id for each in actions):
            raise node.wrong(f"there is an action {action.id!r} already")
        actions.append(action)
    draw.shuffle(actions)
    ours = key.maybe(_OURS)
    sample = Sample(
        id=published.id,
        persona_id=ours.field("persona_id").text() if ours else _persona(world, published.id),
        difficulty=_difficulty(world, key),
        level=ours.field("level").text() if ours else "model",  # type: ignore[arg-type]
        template=ours.field("template").text() if ours else "",
        now=ours.field("now").text() if ours else "",
        world_model={
            name: _unmarked(value)
            for name, value in world.mapping().items()
            if name not in ("available_actions", "actions", *(("context_difficulty",) if ours else ()))
        },
        documents=tuple(documents),
        actions=tuple(actions),
        gold=_gold(key, ours, old, {action.id for action in actions}),
    )
    return Source(sample, {id: was for was, id in old.items()})


def exported(sample: Sample, names: Literal["paper", "code"] = "code") -> Published:
    """A sample of ours in the published layout, with fields of payloads called as in the paper or in its code.

    What the layout has no place for stands in the key, under one name of its own.
    """
    gold = sample.gold
    world = {**sample.world_model, "context_difficulty": sample.difficulty}
    actions = [action.model_dump(mode="json") for action in sample.actions]
    marked = [{**each, "solves_bottleneck": 1 if each["id"] == gold.action else None} for each in actions]
    given = {
        "world_model": {**world, "available_actions": actions},
        "data_points": [
            {"id": each.id, "type": each.type, "payload": _renamed(each, names)} for each in sample.documents
        ],
    }
    true_positives = set(gold.true_positives)
    key = {
        "world_model": {**world, "available_actions": marked},
        "bottleneck": {"description": gold.description},
        "checklist": {"checklist_id": f"checklist_{sample.id}", "required_steps": _steps(gold)},
        "true_positive_ids": list(gold.true_positives),
        "distractor_ids": [each.id for each in sample.documents if each.id not in true_positives],
        _OURS: {
            "persona_id": sample.persona_id,
            "level": sample.level,
            "template": sample.template,
            "now": sample.now,
            "details": gold.details.model_dump(mode="json"),
            "mentions": {name: list(each) for name, each in gold.mentions.items()},
            "neutral_ids": list(gold.neutral),
        },
    }
    return Published(sample.id, given, key)


class _Node:
    """A value of a file, which knows where it is."""

    def __init__(self, file: str, path: str, value: Any) -> None:
        self.file, self.path, self.value = file, path, value

    def wrong(self, problem: str) -> PublishedError:
        return PublishedError(f"{self.file}: {self.path or 'the file'}: {problem}")

    def mapping(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.wrong("has to be an object")
        return self.value

    def fields(self) -> Iterator[tuple[str, _Node]]:
        """Every field by name, also one that is null."""
        return (
            (name, _Node(self.file, f"{self.path}.{name}".lstrip("."), each)) for name, each in self.mapping().items()
        )

    def maybe(self, *names: str) -> _Node | None:
        """The field of the first name that is there and not null."""
        for name in names:
            if self.mapping().get(name) is not None:
                return _Node(self.file, f"{self.path}.{name}".lstrip("."), self.value[name])
        return None

    def field(self, *names: str) -> _Node:
        found = self.maybe(*names)
        if found is None:
            also = f" (or {', '.join(names[1:])})" if names[1:] else ""
            raise _Node(self.file, f"{self.path}.{names[0]}".lstrip("."), None).wrong(f"is missing{also}")
        return found

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.wrong("has to be a text")
        return self.value

    def items(self) -> Iterator[_Node]:
        if not isinstance(self.value, list):
            raise self.wrong("has to be a list")
        return (_Node(self.file, f"{self.path}[{number}]", each) for number, each in enumerate(self.value))

    def texts(self) -> tuple[str, ...]:
        return tuple(each.text() for each in self.items())


def _object(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
    except FileNotFoundError:
        raise PublishedError(f"{path}: is not there") from None
    except RecursionError:
        raise PublishedError(f"{path}: cannot be read as JSON: nested too deeply") from None
    except (OSError, ValueError) as error:
        raise PublishedError(f"{path}: cannot be read as JSON: {error}") from None
    return _Node(str(path), "", found).mapping()


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is not a number")


def _kind(node: _Node) -> Kind:
    found = _KINDS.get(node.text().lower())
    if found is None:
        raise node.wrong(f"{node.text()!r} is none of {', '.join(_KINDS)}")
    return found


def _persona(world: _Node, otherwise: str) -> str:
    found = world.maybe("persona_id", "persona_full_name", "persona_name")
    return found.text() if found else otherwise


def _difficulty(world: _Node, key: _Node) -> Literal["easy", "medium", "hard"]:
    bottleneck = key.field("bottleneck")
    inside = bottleneck.maybe("difficulty") if isinstance(bottleneck.value, dict) else None
    found = world.maybe("context_difficulty", "difficulty") or inside or world.field("context_difficulty")
    match found.text().lower():
        case "easy" | "medium" | "hard" as difficulty:
            return difficulty
        case other:
            raise found.wrong(f"{other!r} is none of easy, medium, hard")


def _action(node: _Node) -> Action:
    schema = node.maybe("params_schema", "parameters", "schema")
    required = schema.maybe("required") if schema else None
    properties = schema.maybe("properties") if schema else None
    names = required.texts() if required else ()
    taken: dict[str, Parameter] = {name: _guessed(name) for name in names}
    for name, each in (properties.mapping() if properties else {}).items():
        taken[name] = _parameter(name, each, name in names)
    constraints = node.maybe("constraints")
    return Action(
        id=node.field("id", "action_id").text(),
        type=node.field("type", "action_type").text(),
        description=node.field("description").text(),
        constraints=constraints.texts() if constraints else (),
        params_schema=ParamsSchema(required=names, properties=taken),
    )


def _parameter(name: str, given: Any, required: bool) -> Parameter:
    """A parameter as ours are written, or what can be told of a JSON Schema."""
    try:
        return Parameter.model_validate(given)
    except ValidationError:
        about = given.get("description", "") if isinstance(given, dict) else ""
        return _guessed(name, required).model_copy(update={"description": about if isinstance(about, str) else ""})


def _guessed(name: str, critical: bool = True) -> Parameter:
    """A parameter of which the file has the name alone. All that are required count as critical."""
    plain = name.lower()
    for pattern, kind in ((_PEOPLE, "people"), (_PERSON, "person"), (_DATE, "date"), (_ID, "id")):
        if pattern.search(plain):
            return Parameter.model_validate({"kind": kind, "critical": critical})
    return Parameter(kind="text", critical=critical)


def _gold(key: _Node, ours: _Node | None, ids: Mapping[str, str], actions: set[str]) -> Gold:
    bottleneck = key.field("bottleneck")
    told = bottleneck if isinstance(bottleneck.value, str) else bottleneck.field("description")
    action, parameters = _task(key, actions)
    nothing = Details(who_blocked=None, who_blocker=None, what_task=None, why_root_cause=None)
    return Gold(
        description=told.text(),
        details=_details(ours.field("details"), ids) if ours else nothing,
        action=action,
        parameters=parameters,
        mentions={name: each.texts() for name, each in ours.field("mentions").fields()} if ours else {},
        true_positives=_renumbered(key.field("true_positive_ids", "true_positives"), ids),
        neutral=_renumbered(ours.field("neutral_ids"), ids) if ours else (),
    )


def _task(key: _Node, actions: set[str]) -> tuple[str | None, dict[str, JsonValue]]:
    """The right action and its parameters: the last step of the checklist."""
    steps = key.field("checklist").field("required_steps", "steps")
    for step in steps.items():
        kind = step.field("step_type", "type")
        if kind.text() not in ("task_execution", "task_selection"):
            continue
        criteria = step.field("success_criteria")
        action = criteria.maybe("correct_action", "action_id", "action")
        if action is None and key.maybe(_OURS):
            return None, {}
        action = criteria.field("correct_action", "action_id", "action")
        if action.text() not in actions:
            raise action.wrong(f"{action.text()!r} is none of the actions")
        parameters = criteria.maybe("correct_parameters", "parameters")
        return action.text(), parameters.mapping() if parameters else {}
    raise steps.wrong("none has the step_type task_execution")


def _details(node: _Node, ids: Mapping[str, str]) -> Details:
    given: dict[str, Any] = dict(node.mapping())
    for name, each in node.fields():
        if each.value is not None and (stated := each.maybe("stated_in")):
            given[name] = {**each.mapping(), "stated_in": [ids.get(id, id) for id in stated.texts()]}
    try:
        found = Details.model_validate(given)
    except ValidationError as error:
        raise node.wrong(amiss(error)) from None
    for name, detail in found:
        if detail and isinstance(detail.value, dict) and detail.value.keys() != {"type", "object"}:
            raise node.field(name).field("value").wrong("a cause has `type` and `object`, and no more")
    return found


def _renumbered(node: _Node, ids: Mapping[str, str]) -> tuple[str, ...]:
    """Documents under their new ids, in their new order."""
    found = []
    for each in node.items():
        was = each.field("id").text() if isinstance(each.value, dict) else each.text()
        if was not in ids:
            raise each.wrong(f"{was!r} is none of the documents")
        found.append(ids[was])
    return tuple(sorted(set(found)))


def _unmarked(value: Any) -> Any:
    """A value without what marks the right action, wherever it stands."""
    if isinstance(value, dict):
        return {name: _unmarked(each) for name, each in value.items() if name not in _MARKS}
    return [_unmarked(each) for each in value] if isinstance(value, list) else value


def _renamed(document: Document, names: Literal["paper", "code"]) -> dict[str, JsonValue]:
    other = _CODE[document.type] if names == "code" else {}
    return {other.get(name, name): value for name, value in document.payload.items()}


def _steps(gold: Gold) -> Sequence[dict[str, Any]]:
    """The three steps of a checklist (appendix B.3.1), as the published code writes them."""
    return [
        {
            "checklist_idx": "search_001",
            "step_type": "retrieval",
            "description": "Find the documents that tell of the bottleneck.",
            "success_criteria": {"required_items": list(gold.true_positives)},
            "evidence_required": list(gold.true_positives),
            "previous_action_idx": None,
        },
        {
            "checklist_idx": "identification_001",
            "step_type": "identification",
            "description": "Tell what the bottleneck is.",
            "success_criteria": {"target_problem": gold.description, "problem_description": gold.description},
            "evidence_required": [],
            "previous_action_idx": "search_001",
        },
        {
            "checklist_idx": "task_selection_001",
            "step_type": "task_execution",
            "description": "Take the action that resolves it.",
            "success_criteria": {"correct_action": gold.action, "correct_parameters": dict(gold.parameters)},
            "evidence_required": [],
            "previous_action_idx": "identification_001",
        },
    ]
