"""The published formats of run folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from harness import schemas
from tests.cli.conftest import Call


@pytest.mark.parametrize("name", schemas.MODELS)
def test_published_schemas_are_current(name: str) -> None:
    assert json.loads(schemas.published(name)) == schemas.schema(name), "run `python -m harness.schemas`"


def test_what_a_run_leaves_on_disk_fits_the_published_schemas(call: Call, config: Path, tmp_path: Path) -> None:
    call("eval", config, "--output", "here", "--limit", 3)
    files = {"run": [tmp_path / "here" / "run.json"], "trial": sorted((tmp_path / "here" / "trials").iterdir())}

    assert len(files["trial"]) == 12
    for name, paths in files.items():
        validator = Draft202012Validator(json.loads(schemas.published(name)))
        for path in paths:
            assert [error.message for error in validator.iter_errors(json.loads(path.read_text()))] == []


def test_schemas_carry_their_version() -> None:
    assert [schemas.schema(name)["$id"] for name in schemas.MODELS] == [
        "urn:workplace-harness:run:2", "urn:workplace-harness:trial:2",
    ]  # fmt: skip
