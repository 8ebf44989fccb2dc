"""What a sample is poured into: its documents in `datastore`, its actions in `actions`; and what pins the two."""

from __future__ import annotations

import hashlib
from datetime import datetime, time
from typing import Any, NamedTuple

from benchmarks.probe.records import Action, Document, Sample
from harness.suite import SuiteError
from servers.kernel import Owner, World, canonical

__all__ = ("Pin", "choices", "key_of", "pin_of", "poured")

_OPENS = time(9)
_TABLES = {"email": "emails", "event": "events", "document": "documents"}


class Pin(NamedTuple):
    """One sample: its name and number, its cause, the right action (ids), digests of its answer key and its world.

    `action` is "-" where there is none, as of a control.
    """

    name: str
    template: str
    action: str
    key: str
    world: str

    @property
    def number(self) -> int:
        return int(self.name.split("-")[2])

    @property
    def difficulty(self) -> str:
        return self.name.rsplit("-", 1)[1]


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


def pin_of(made: Sample) -> Pin:
    """The pin of a sample."""
    return Pin(made.id, made.template, made.gold.action or "-", key_of(made), poured(made).digest)


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
