"""Samples by name, and the world that one is poured into: its documents in `datastore`, its actions in `actions`."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, time
from functools import lru_cache
from typing import Any, get_args

from benchmarks.probe import days
from benchmarks.probe.controls import control
from benchmarks.probe.filler import filler
from benchmarks.probe.grammar.generate import NUMBER, generate
from benchmarks.probe.records import Action, Difficulty, Document, Sample
from harness.suite import SuiteError
from servers.kernel import Owner, World, canonical

__all__ = (
    "base_of",
    "choices",
    "control_of",
    "days_of",
    "key_of",
    "named",
    "parsed",
    "poured",
    "rewrite_of",
    "sample",
    "world",
)

_KEPT = 8
"""Samples that a process keeps: jobs come grouped by world, and each is half a megabyte and a third of a second."""
_NAME = re.compile(rf"(grammar|control|days|rewrite)-(\d{{1,9}})-(\d{{4}})-({'|'.join(get_args(Difficulty))})")
_DERIVED = re.compile(r"\A(?:control|rewrite|days)-")
_OPENS = time(9)
_TABLES = {"email": "emails", "event": "events", "document": "documents"}


def named(seed: int, number: int, difficulty: Difficulty) -> str:
    """What the sample of this number is called, and its world and task with it."""
    return f"grammar-{seed}-{number:04d}-{difficulty}"


def control_of(name: str) -> str:
    """The name of a sample's control, and of its world and task."""
    return name.replace("grammar-", "control-", 1)


def days_of(name: str) -> str:
    """The name of a sample one of whose documents arrives during the week, and of its world and task."""
    return name.replace("grammar-", "days-", 1)


def rewrite_of(name: str) -> str:
    """The name of a sample told anew, and of its world and task."""
    return name.replace("grammar-", "rewrite-", 1)


def base_of(name: str) -> str:
    """The name of the sample that one of this name is made from: for a control, one with days or one told anew."""
    return _DERIVED.sub("grammar-", name)


def parsed(name: str) -> tuple[int, int, Difficulty]:
    """Seed, number and difficulty of the sample of that name, also of one made from it. Raises `SuiteError`."""
    found = _NAME.fullmatch(name)
    if found is None or int(found[3]) >= NUMBER:
        raise SuiteError(f"no sample is called {name!r}; names look like {named(1, 17, 'hard')}, up to {NUMBER - 1}")
    level: Difficulty = found[4]  # type: ignore[assignment]
    return int(found[2]), int(found[3]), level


@lru_cache(_KEPT)
def sample(name: str) -> Sample:
    """The sample of that name, generated and proved, or made of one: a control, with days, or as told anew.

    The last few are kept.

    Raises:
        ValueError: a control for which the sample has no room, which would be a fault of the grammar.
        SuiteError: no sample can have that name, or what is stored of it is not as it was.
    """
    if name.startswith("rewrite-"):
        from benchmarks.probe.pipeline import stored  # which makes the sample that was told anew

        return stored.load(name)
    seed, number, level = parsed(name)
    if name.startswith("days-"):
        return days.derived(sample(base_of(name)), days.coming(name))
    if base_of(name) != name:
        return control(sample(base_of(name)), name)
    return generate(seed, number, difficulty=level, filler=filler)


def world(name: str) -> World:
    """The world of the sample of that name, without what is still to arrive. Raises `SuiteError`."""
    made = sample(name)
    if name.startswith("days-"):
        made = made.model_copy(update={"documents": made.documents[:-1]})
    return poured(made)


def poured(sample: Sample, owner: Owner | None = None) -> World:
    """A sample's rows: nothing of its answer key, not even which parameters are critical.

    Whose they are is what the world model says, unless an owner is given. Raises `SuiteError`.
    """
    if owner is None:
        persona = sample.world_model["persona"]
        if not isinstance(persona, dict):
            raise SuiteError(f"sample {sample.id}: its world model has no persona")
        owner = Owner(name=str(persona["name"]), address=str(persona["email"]))
    datastore: dict[str, list[dict[str, Any]]] = {table: [] for table in _TABLES.values()}
    for place, document in enumerate(sample.documents, 1):
        datastore[_TABLES[document.type]].append(_document(place, document))
    return World(
        sample.id,
        datetime.combine(datetime.fromisoformat(sample.now), _OPENS),
        {
            "datastore": datastore,
            "actions": {"actions": choices(sample), "decisions": []},
        },
        owner=owner,
    )


def choices(sample: Sample) -> list[dict[str, Any]]:
    """A sample's actions as they are served, without what tells which parameters are critical."""
    return [_action(each) for each in sample.actions]


def key_of(sample: Sample) -> str:
    """A short digest of the answer key, which is in no world."""
    return hashlib.sha256(canonical(sample.gold.model_dump(mode="json"))).hexdigest()[:16]


def _document(place: int, document: Document) -> dict[str, Any]:
    return {"id": document.id, "place": place, "payload": document.payload}


def _action(action: Action) -> dict[str, Any]:
    schema = action.params_schema
    return {
        "id": action.id,
        "type": action.type,
        "description": action.description,
        "constraints": [*action.constraints],
        "params_schema": {
            "required": [*schema.required],
            "properties": {
                name: {"kind": each.kind, "description": each.description, "choices": [*each.choices]}
                for name, each in schema.properties.items()
            },
        },
    }
