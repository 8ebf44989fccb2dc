"""Items of a build: kept by what was asked, asked for again where a reply will not do, never paid for twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from pydantic import BaseModel, ConfigDict

from benchmarks.probe.pipeline.work import Client, Dropped, PipelineError, Spent, Work
from harness.core.config import LlmConfig, Price
from harness.models.cassette import Cassette
from harness.models.llm import aclose
from harness.models.replies import ModelFault
from harness.stub import Fault, Reply, StubServer
from tests.probe.pipeline.scripts import DOWN


class Colour(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str


class Model:
    """Replies one after the other, the last one over and over."""

    def __init__(self, *replies: str | Fault) -> None:
        self.replies, self.asked = replies, 0

    def __call__(self, request: dict[str, Any]) -> Reply | Fault:
        reply = self.replies[min(self.asked, len(self.replies) - 1)]
        self.asked += 1
        return reply if isinstance(reply, Fault) else Reply(text=reply)


def colours(folder: Path, script: Model, *names: str, check: Callable[[Colour], object] | None = None, seed: int = 1,
            settings: dict[str, Any] | None = None, **fields: Any) -> list[str]:  # fmt: skip
    """What a model says that these colours are, all asked side by side."""

    async def one(work: Work, name: str) -> str:
        return (await work.item("colours", {"of": name}, f"What is {name}?", Colour, check=check)).name

    async def work() -> list[str]:
        async with StubServer(script) as stub:
            try:
                told = {"model": "openai/stub", "api_base": stub.base_url, "retries": 0, **(settings or {})}
                config = LlmConfig(kind="llm", price=Price(prompt=1e6, completion=1e6), **told)
                work = Work(Client(config, **fields), folder, seed)
                return await work.all([partial(one, work, each) for each in names])
            finally:
                await aclose()

    return anyio.run(work)


def test_an_item_is_asked_for_once(tmp_path: Path) -> None:
    model = Model('{"name": "red"}')

    assert colours(tmp_path, model, "grass") == colours(tmp_path, model, "grass") == ["red"]
    assert model.asked == 1


def test_what_a_check_holds_is_not_put_into_words(tmp_path: Path) -> None:
    class Suite:
        def __repr__(self) -> str:
            pytest.fail("a whole suite was put into words")

    def fits(suite: Suite, colour: Colour) -> None:
        assert colour.name

    assert colours(tmp_path, Model('{"name": "red"}'), "grass", check=partial(fits, Suite())) == ["red"]


@pytest.mark.parametrize(
    "other", [{"seed": 2}, {"settings": {"temperature": 0.5}}, {"settings": {"model": "openai/x"}}]
)
def test_another_seed_model_or_setting_is_another_item(other: dict[str, Any], tmp_path: Path) -> None:
    model = Model('{"name": "red"}')
    colours(tmp_path, model, "grass")
    colours(tmp_path, model, "grass", **other)

    assert model.asked == 2


@pytest.mark.parametrize(
    ("reply", "why"),
    [("Sure! It is red.", "Invalid JSON"), ("{}", "name: Field required"), ('{"name": "red", "x": 1}', "x: Extra")],
)
def test_a_malformed_reply_is_asked_for_again_and_its_problem_kept(reply: str, why: str, tmp_path: Path) -> None:
    found = colours(tmp_path, Model(reply, '{"name": "red"}'), "grass")

    (path,) = (tmp_path / "colours").glob("*.json")
    calls = json.loads(path.read_text(encoding="utf-8"))["calls"]
    assert found == ["red"]
    assert why in calls[0]["problem"]
    assert calls[1]["problem"] == ""


def test_a_reply_that_does_not_hold_up_is_asked_for_again(tmp_path: Path) -> None:
    def green(colour: Colour) -> None:
        if colour.name != "green":
            raise ValueError("grass is green")

    assert colours(tmp_path, Model('{"name": "red"}', '{"name": "green"}'), "grass", check=green) == ["green"]


def test_three_replies_that_will_not_do_are_the_end_of_an_item_and_kept(tmp_path: Path) -> None:
    model = Model("no")
    for _ in range(2):
        with pytest.raises(Dropped, match="none of 3 replies could be read"):
            colours(tmp_path, model, "grass")

    assert model.asked == 3


def test_what_does_not_fit_the_model_is_the_end_of_an_item(tmp_path: Path) -> None:
    with pytest.raises(Dropped, match="does not fit"):
        colours(tmp_path, Model(Fault(fault="context", times=None)), "grass")


def test_of_items_that_fail_side_by_side_the_first_one_is_told(tmp_path: Path) -> None:
    def never(colour: Colour) -> None:
        raise ValueError(f"{colour.name} is none")

    with pytest.raises(Dropped, match="a is none"):
        colours(tmp_path, Model(*[f'{{"name": "{each}"}}' for each in "aaabbb"]), "grass", "sky", check=never, width=1)


def test_a_provider_that_has_gone_ends_the_build_and_loses_nothing(tmp_path: Path) -> None:
    with pytest.raises(ModelFault):
        colours(tmp_path, Model('{"name": "red"}', DOWN), "grass", "sky", "sea", width=1)
    model = Model('{"name": "red"}')

    assert colours(tmp_path, model, "grass", "sky", "sea") == ["red"] * 3
    assert model.asked == 2


def test_nothing_is_asked_once_the_money_is_spent(tmp_path: Path) -> None:
    model = Model('{"name": "red"}')
    with pytest.raises(Spent, match="what was made is kept"):
        colours(tmp_path, model, "grass", "sky", max_cost=0.5, width=1)

    assert model.asked == 1
    assert colours(tmp_path, model, "grass", "sky", max_cost=900.0) == ["red", "red"]


def test_money_that_was_spent_before_counts(tmp_path: Path) -> None:
    colours(tmp_path, Model('{"name": "red"}'), "grass")
    model = Model('{"name": "red"}')
    with pytest.raises(Spent):
        colours(tmp_path, model, "grass", "sky", max_cost=0.5, width=1)

    assert model.asked == 0


def test_a_cassette_has_all_replies(tmp_path: Path) -> None:
    colours(tmp_path / "one", Model('{"name": "red"}', '{"name": "blue"}'), "grass", "sky", width=1,
            cassette=Cassette(tmp_path / "replies.jsonl", "record"))  # fmt: skip
    silent = Model(DOWN)
    found = colours(tmp_path / "two", silent, "sky", "grass", cassette=Cassette(tmp_path / "replies.jsonl", "replay"))

    assert found == ["blue", "red"]
    assert silent.asked == 0


def test_a_kept_item_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    colours(tmp_path, Model('{"name": "red"}'), "grass")
    (path,) = (tmp_path / "colours").glob("*.json")
    path.write_text(path.read_text(encoding="utf-8")[:40], encoding="utf-8")

    with pytest.raises(PipelineError, match=f"{path.name} cannot be read.*; remove it"):
        colours(tmp_path, Model('{"name": "red"}'), "grass")
