"""A suite of the samples in a folder, as `harness build probe` and `harness import probe` leave one.

Samples stand in files of their own, half a megabyte each. What tasks say of them is in the folder's index, so that a
suite is at hand without reading any; a file that is not as the index says is refused by its name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from benchmarks.probe import checks, suite
from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.sizes import counted
from benchmarks.probe.pouring import key_of, poured
from benchmarks.probe.records import Action, Difficulty, Level, Sample
from benchmarks.probe.reference import play
from benchmarks.probe.scoring.execution import ungrounded
from benchmarks.probe.single_shot import told
from harness.cli.building import INDEX, Made, whole
from harness.core.lines import read_lines
from harness.suite import Suite, SuiteError, Whole
from harness.task import Call, Task
from servers.kernel import Owner, World, amiss

__all__ = ("Whose", "entry", "filed", "indexed", "opened")

_KEPT = 8
_NAMES = ("persona_full_name", "persona_name", "name", "full_name")
_ADDRESSES = ("persona_email", "email", "email_address")
_MAILBOX = re.compile(r"<([^<>@\s]+@[^<>\s]+)>|\b([\w.+-]+@[\w-]+(?:\.[\w-]+)+)")


class Whose(BaseModel):
    """What `suite.json` says: whose suite it is, its name, and whether it is scored as published."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    benchmark: str = "probe"
    name: str
    paper: bool = False


class _Entry(BaseModel):
    """A line of the index: what a task says of a sample, and the digests of its files, its key and its world."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    inputs: str
    files: dict[str, str]
    difficulty: Difficulty
    level: Level
    template: str
    persona: str
    tokens: int
    documents: int
    actions: int
    relevant: int
    action: str | None
    key: str
    world: str
    who: str
    address: str
    reports: tuple[str, ...]
    ungrounded: tuple[str, ...]
    source: dict[str, str] = {}
    world_model: dict[str, JsonValue]


def indexed(sample: Sample) -> dict[str, JsonValue]:
    """What the index says of a sample: sizes, answer, digests, and what its task is told."""
    owner = _owner(sample)
    return {
        "difficulty": sample.difficulty,
        "level": sample.level,
        "template": sample.template,
        "persona": sample.persona_id,
        "tokens": counted(sample),
        "documents": len(sample.documents),
        "actions": len(sample.actions),
        "relevant": len(sample.gold.true_positives),
        "action": sample.gold.action,
        "key": key_of(sample),
        "world": poured(sample, owner).digest,
        "who": owner.name,
        "address": owner.address,
        "reports": [*_reports(sample.world_model)],
        "ungrounded": [*ungrounded(sample)],
        "world_model": sample.world_model,
    }


def entry(sample: Sample) -> Made:
    """A sample as a file of the folder, and its line in the index."""
    text = json.dumps(sample.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"
    return Made({filed(sample.id): text}, indexed(sample))


def filed(name: str) -> str:
    """Where the sample of that name lies."""
    return f"samples/{name}.json"


def opened(folder: Path) -> Suite:
    """The suite in a folder. Raises `SuiteError`, which names the file, where something is not as it was left."""
    whose = _whose(folder / "suite.json")
    lines = read_lines(folder / INDEX, _Entry, SuiteError, "; build or import it anew")
    entries = {each.name: each for each in lines}
    if not entries:
        raise SuiteError(f"{folder / INDEX} has no samples")
    read = lru_cache(_KEPT)(partial(_read, folder, entries))

    def world(name: str) -> World:
        sample = read(name)
        return poured(sample, Owner(name=entries[name].who, address=entries[name].address))

    def solved(task: Task, toolsets: Mapping[str, str]) -> tuple[Call, ...]:
        sample = read(task.world)
        return tuple(_fitting(sample, call) for call in suite.act(sample, toolsets))

    rules = checks.Rules(lambda task: read(task.world), whose.paper)
    ours = suite.load(total=1)
    return Suite(
        name=whose.name,
        version="1-paper" if whose.paper else "1",
        description=f"{len(entries)} samples in {folder} (PROBE)",
        tasks=tuple(map(_task, entries.values())),
        world=world,
        worlds={name: each.world for name, each in entries.items()},
        checks={name: partial(check, rules=rules) for name, check in checks.CHECKS.items()},
        questions=partial(checks.queries, rules=rules),
        programs={each.persona: play for each in entries.values() if each.level == "grammar"},
        solved=solved,
        settings=ours.settings,
        whole=lambda task: Whole(told(read(task.world)), "actions", "choose_action"),
        report=ours.report,
        headline=ours.headline,
        system=ours.system,
        toolsets=ours.toolsets,
        unchecked=ours.unchecked,
    )


def _whose(path: Path) -> Whose:
    try:
        return Whose.model_validate_json(path.read_bytes())
    except OSError as error:
        raise SuiteError(f"{path} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        raise SuiteError(f"{path} is not as it was left: {amiss(error)}") from None


def _read(folder: Path, entries: Mapping[str, _Entry], name: str) -> Sample:
    if name not in entries:
        raise SuiteError(f"{folder} has no sample {name!r}")
    path = filed(name)
    content = whole(folder, path, entries[name].files.get(path, ""))
    if content is None:
        raise SuiteError(f"{folder / path} is not as it was left: build or import it anew")
    return Sample.model_validate_json(content)


def _task(each: _Entry) -> Task:
    facts = {
        "difficulty": each.difficulty,
        **({} if each.level == "grammar" else {"level": each.level}),
        "persona": each.persona,
        "cause": each.template,
        "held_out": each.template in causes() and causes()[each.template].held_out,
        "key": each.key,
        "control": each.action is None,
    }
    return suite.task_of(suite.Asked(each.name, each.action, each.who, each.reports, each.world_model, facts))


def _fitting(sample: Sample, call: Call) -> Call:
    """The call as the tool takes it: a published key may have parameters that its action lacks, and lack others."""
    action: Action = next(each for each in sample.actions if each.id == call.arguments["action"])
    schema = action.params_schema
    taken = {name: value for name, value in call.arguments["parameters"].items() if name in schema.properties}
    empty = {name: "not said" for name in schema.required if taken.get(name) in (None, "", [])}
    return call.model_copy(update={"arguments": {**call.arguments, "parameters": {**taken, **empty}}})


# Of world models that others wrote.


def _owner(sample: Sample) -> Owner:
    """Whose work it is: name and address as the world model has them, the address else from a mailbox of that name."""
    model = sample.world_model
    persona = model.get("persona")
    places = [persona, model] if isinstance(persona, dict) else [model]
    name = _first(places, _NAMES) or (persona if isinstance(persona, str) else "") or sample.persona_id
    return Owner(name=name, address=_first(places, _ADDRESSES) or _address(sample, name))


def _first(places: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    return next((place[name] for place in places for name in names if isinstance(place.get(name), str)), "")


def _address(sample: Sample, name: str) -> str:
    for document in sample.documents:
        for value in document.payload.values():
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, str) and len(each) < 200 and name in each and (found := _MAILBOX.search(each)):
                    return found[1] or found[2]
    return "the user's address"


def _reports(model: Mapping[str, Any]) -> Sequence[str]:
    """Who reports to the persona: names, or the `name` of each; nobody where the world model does not say."""
    for place in ("organization", "organizational_structure"):
        structure = model.get(place)
        listed = structure.get("direct_reports") if isinstance(structure, dict) else None
        if isinstance(listed, list):
            names = [each.get("name") if isinstance(each, dict) else each for each in listed]
            return [name for name in names if isinstance(name, str)]
    return ()
