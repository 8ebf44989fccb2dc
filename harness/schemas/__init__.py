"""The published formats as JSON Schema: of a run folder `run.json` and `trials/*.json`, and of a suite's task files.

`python -m harness.schemas` writes the files anew from the models they describe; with a name, `python -m harness.schemas
task`, it prints that schema.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from pydantic import BaseModel

from harness.core import task_files
from harness.core.task import Task
from harness.core.trajectory import RECORD_VERSION
from harness.record.store import RunHead, TrialRecord

__all__ = ("MODELS", "published", "schema")

MODELS: dict[str, type[BaseModel]] = {"run": RunHead, "trial": TrialRecord, "task": Task}
"""Schema name -> the model whose JSON it describes."""


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of one format, made from its model."""
    if name == "task":
        return task_files.schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:workplace-harness:{name}:{RECORD_VERSION}",
        **MODELS[name].model_json_schema(mode="serialization"),
    }


def published(name: str) -> str:
    """The text of the schema file that ships with this package."""
    return (resources.files("harness.schemas") / f"{name}.json").read_text(encoding="utf-8")
