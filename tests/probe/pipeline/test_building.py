"""The one function that builds a set of these levels from settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread

from benchmarks.probe.pipeline.building import Built, build
from harness.core.config import ConfigProblem
from harness.models.llm import ModelError
from harness.stub import StubServer
from tests.probe.pipeline.scripts import Maker

MAKING = {"personas": 2, "per_persona": 2, "documents": 12, "words": [30, 60], "rounds": 0}


def built(folder: Path, **fields: Any) -> Built:
    async def work() -> Built:
        async with StubServer(Maker()) as stub:
            llm = {"model": "openai/stub", "api_base": stub.base_url, "retries": 0}
            config = {"llm": llm, "number": 1, "making": MAKING, **fields}
            return await to_thread.run_sync(lambda: build("model", config, folder))

    return anyio.run(work)


def test_a_set_is_built_from_settings(tmp_path: Path) -> None:
    found = built(tmp_path)

    (line,) = (tmp_path / "index.jsonl").read_text(encoding="utf-8").splitlines()
    assert found.samples == ("model-1-000-0-easy",) == (json.loads(line)["id"],)


def test_a_recorded_build_is_replayed_without_a_model(tmp_path: Path) -> None:
    cassette = tmp_path / "replies.jsonl"
    built(tmp_path / "one", record=str(cassette))
    config = {"llm": {"model": "openai/stub", "retries": 0}, "number": 1, "making": MAKING, "replay": str(cassette)}
    found = build("model", config, tmp_path / "two")

    one, two = (tmp_path / each / "samples" / f"{found.samples[0]}.json" for each in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"number": 0}, "number: Input should be greater"),
        ({"colour": 1}, "colour: Extra inputs"),
        ({"making": {"rounds": -1}}, "making.rounds: Input should be greater"),
        ({"llm": {"temperature": 1}}, "llm.model: Field required"),
        ({"llm": {"model": "openai/stub", "colour": 1}}, "llm.colour: Extra inputs"),
        ({"record": "a.jsonl", "replay": "b.jsonl"}, "record and replay"),
        ({"max_cost": 1, "llm": {"model": "openai/stub", "api_base": "http://127.0.0.1:9"}}, "max_cost needs a price"),
    ],
)
def test_a_setting_that_cannot_be_is_named(fields: dict[str, Any], why: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigProblem, match=why):
        build("model", {"llm": {"model": "openai/stub"}, **fields}, tmp_path)


def test_a_model_without_a_provider_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="LiteLLM knows no such provider"):
        build("rewrite", {"llm": {"model": "stub"}}, tmp_path / "set")

    assert not (tmp_path / "set").exists()
