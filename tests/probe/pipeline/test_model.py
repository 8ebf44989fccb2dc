"""Samples that a model makes whole: every phase, interrupted in each, wrong replies, and an adversary at the end."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest

from benchmarks.probe.pipeline.adversary import BOUNDS, auc, masked
from benchmarks.probe.pipeline.building import Whole
from benchmarks.probe.pipeline.model import ROUND, Making, named
from benchmarks.probe.pipeline.papers import KINDS
from benchmarks.probe.pipeline.scene import said
from benchmarks.probe.pipeline.work import Client, Dropped, Work, prompt
from benchmarks.probe.pouring import poured
from benchmarks.probe.records import ESSENTIAL, Sample
from harness.core.config import LlmConfig
from harness.models.llm import aclose
from harness.models.replies import ModelFault
from harness.stub import Fault, Reply, StubServer
from tests.probe.pipeline.scripts import DOWN, PHASES, Maker, files

SMALL = Making(personas=3, per_persona=2, documents=12, words=(30, 60), rounds=0)
MADE = tuple(each for each in PHASES if each not in ("rewrite", "extract", "revision", "adversary"))


def make(folder: Path, script: Callable[[dict[str, Any]], Reply | Fault], making: Making = SMALL) -> Sample:
    """The first sample of a set, made by this model."""

    async def work() -> Sample:
        async with StubServer(script) as stub:
            try:
                config = LlmConfig(kind="llm", model="openai/stub", api_base=stub.base_url, retries=0)
                whole = Whole(Work(Client(config), folder / "work", 1), folder, 1, making)
                return await whole(named(1, 0, making))
            finally:
                await aclose()

    return anyio.run(work)


def dropped(folder: Path, script: Callable[[dict[str, Any]], Reply | Fault], making: Making = SMALL) -> Dropped:
    """Why this model's first sample is given up."""
    with pytest.raises(Dropped) as found:
        make(folder, script, making)
    return found.value


class Made(NamedTuple):
    folder: Path
    sample: Sample


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("whole")
    return Made(folder, make(folder, Maker()))


@pytest.fixture
def found(whole: Made) -> Sample:
    return whole.sample


def test_a_sample_has_what_every_sample_has(found: Sample) -> None:
    assert (found.id, found.level, found.difficulty) == ("model-1-000-0-easy", "model", "easy")
    assert len(found.documents) == 12
    assert 24 <= len(found.actions) <= 27
    assert poured(found).name == found.id


def test_each_detail_is_stated_in_evidence_and_none_tells_all(found: Sample) -> None:
    details = {name: each for name, each in found.gold.details if each is not None}
    homes = Counter(id for name in ESSENTIAL for id in details[name].stated_in)

    assert all(each.stated_in and set(each.stated_in) <= set(found.gold.true_positives) for each in details.values())
    assert max(homes.values()) < len(ESSENTIAL)


def test_the_right_parameters_stand_in_the_evidence(found: Sample) -> None:
    action = next(each for each in found.actions if each.id == found.gold.action)
    evidence = json.dumps([each.payload for each in found.documents if each.id in found.gold.true_positives])

    critical = [name for name, each in action.params_schema.properties.items() if each.critical]
    assert critical
    assert all(said(str(found.gold.parameters[name]), evidence) for name in critical)


def test_evidence_is_of_no_place_day_or_length_of_its_own(found: Sample) -> None:
    """The program places documents before it is known which are evidence; the order of the file tells nothing."""
    again = [each for each in found.documents if each.id in found.gold.true_positives]

    assert [each.id for each in found.documents] == [f"d{place:02d}" for place in range(1, 13)]
    assert [each.id for each in again] != [f"d{place:02d}" for place in range(1, len(again) + 1)]


@pytest.mark.parametrize("phase", MADE)
def test_a_build_interrupted_in_a_phase_ends_like_one_that_was_not(phase: str, whole: Made, tmp_path: Path) -> None:
    with pytest.raises(ModelFault):
        make(tmp_path, Maker(lambda at, count, _: DOWN if at == phase and count == (phase in LATER) else None))

    assert make(tmp_path, Maker()) == whole.sample
    assert files(tmp_path) == files(whole.folder)


LATER = ("evidence", "distractors", "enhancement", "review")
"""Phases of more than one item: these stop at the second."""


@pytest.mark.parametrize(
    ("phase", "reply", "why"),
    [
        ("persona", '{"name": "Bo", "occupation": "x", "location": "x", "about": "x"}', "the person is called"),
        ("relationships", '{"relationships": []}', "expected 3 to 5 relationships"),
        ("bottlenecks", '{"bottlenecks": []}', "expected 2 bottlenecks"),
        ("actions", '{"actions": [], "solves": "x"}', "actions with ids of their own"),
        ("plan", '{"documents": []}', "expected 2 documents"),
        ("evidence", '{"title": "x", "author": "Bo", "content": "x"}', "Field required|nobody is called|words"),
        ("review", "Looks good to me.", "Invalid JSON"),
    ],
)
def test_a_reply_that_will_not_do_is_told_why_and_the_sample_dropped_after_three(
    phase: str, reply: str, why: str, tmp_path: Path
) -> None:
    given_up = dropped(tmp_path, Maker(lambda at, *_: Reply(text=reply) if at == phase else None))

    assert given_up.phase == phase
    assert any(each in given_up.problem for each in why.split("|"))


def test_actions_name_nobody_of_the_case(tmp_path: Path) -> None:
    model = Maker()

    def naming(at: str, count: int, asked: str) -> Reply | None:
        if at != "actions":
            return None
        told = model.reply(at, asked)
        told["actions"][3]["description"] = "Ask for the Alder survey."
        return Reply(text=json.dumps(told))

    assert "names nobody and nothing of a case, unlike 'Alder survey'" in dropped(tmp_path, Maker(naming)).problem


def test_evidence_with_a_low_score_is_written_anew_and_then_passes(tmp_path: Path) -> None:
    model = Maker(lambda at, _, asked: Reply(text='{"score": 6, "issues": ["dry"]}')
                  if at == "review" and '"score"' in asked and model.asked["revision"] == 0 else None)  # fmt: skip
    make(tmp_path, model)

    assert model.asked["revision"] >= 1
    assert "- it was given 6 of 10\n- dry" in model.prompts["revision"]


def test_evidence_below_seven_after_two_revisions_drops_the_sample(tmp_path: Path) -> None:
    low = lambda at, _, asked: Reply(text='{"score": 6}') if at == "review" and '"score"' in asked else None  # noqa: E731
    given_up = dropped(tmp_path, Maker(low))

    assert given_up.phase == "review"
    assert "was written 3 times; it was given 6 of 10" in given_up.problem


@pytest.mark.parametrize("said", ['{"states": ["who"]}', '{"defeats": ["it is done"]}', '{"another": true}'])
def test_no_distractor_tells_of_the_case_defeats_it_or_is_one(said: str, tmp_path: Path) -> None:
    bad = lambda at, _, asked: Reply(text=said) if at == "review" and '"defeats"' in asked else None  # noqa: E731

    assert dropped(tmp_path, Maker(bad)).phase == "review"


def test_enhancement_and_its_prompt_are_the_same_for_evidence_and_distractors(whole: Made) -> None:
    places = Counter(
        json.loads(path.read_text(encoding="utf-8"))["of"]["place"]
        for path in (whole.folder / "work" / "enhancement").glob("*.json")
    )

    assert places == Counter(range(12))


def test_bottlenecks_of_the_same_persona_are_told_to_writers_as_what_to_avoid(whole: Made) -> None:
    path = next((whole.folder / "work" / "distractors").glob("*.json"))
    asked = json.loads(path.read_text(encoding="utf-8"))["calls"][0]["request"]["messages"][0]["content"]

    assert "belongs to other cases:\n- " in asked
    assert "cannot finish the Birch survey" in asked.partition("belongs to other cases")[2]


def test_an_adversary_that_ranks_evidence_first_stops_the_set_and_names_what_it_used(tmp_path: Path) -> None:
    making = SMALL.model_copy(update={"personas": 6, "rounds": 1})
    given_up = dropped(tmp_path, Knowing(), making)

    (first,) = json.loads((tmp_path / "adversary.json").read_text(encoding="utf-8"))
    views = {each["name"]: each for each in first["views"]}
    assert given_up.phase == "adversary"
    assert making.room == 7
    assert [each.split("-")[2] for each in first["samples"]] == ["001", "002", "003", "004", "005"]
    assert views["masked"]["found"]
    assert views["masked"]["mean"] > BOUNDS[1]
    assert views["masked"]["artifacts"] == [{"name": "telling", "pattern": "says survey"}]
    assert not views["metadata"]["found"]


def test_what_an_adversary_named_is_told_to_writers_of_the_next_round(tmp_path: Path) -> None:
    making = SMALL.model_copy(update={"personas": 6, "rounds": 2})
    model = Knowing(rounds=1)
    made = make(tmp_path, model, making)

    assert made.id == "model-1-000-0-easy"
    assert "Follow none of them:\n- telling: says survey" in model.prompts["distractors"]


def test_the_area_under_the_curve_counts_pairs_and_halves_of_ties() -> None:
    assert auc({"a": 0, "b": 1, "c": 2, "d": 3}, ["a"], "abcd") == 1.0
    assert auc({"b": 0, "a": 1, "c": 2, "d": 3}, ["a", "d"], "abcd") == 0.25
    assert auc({"b": 0}, ["a"], "abc") == 0.25
    assert auc({}, ["a"], "ab") == 0.5


def test_a_masked_text_has_no_names_and_no_numbers(found: Sample) -> None:
    texts = " ".join(each["text"] for each in masked(found))
    names = [word for each in found.world_model["relationships"] for word in each["name"].split()]  # type: ignore[union-attr,index,call-overload]

    assert "_ survey" in texts
    assert not any(name in texts for name in ("Alder", *names))
    assert not any(sign.isdigit() for sign in texts)


@pytest.mark.parametrize("text", ["by 2027-03-02.", "on 2 March", "due March 2, 2027", "the 2nd of March", "02 Mar"])
def test_a_day_is_said_in_any_of_the_usual_ways(text: str) -> None:
    assert said("2027-03-02", text)
    assert not said("2027-03-02", text.replace("2", "4"))


def test_every_kind_of_distractor_has_a_prompt() -> None:
    kinds = {each for shares in KINDS.values() for each in shares}
    folder = Path(prompt.__code__.co_filename).with_name("prompts")

    assert kinds == {path.stem.removeprefix("distractor_") for path in folder.glob("distractor_*.j2")}


class Knowing(Maker):
    """An adversary who is told by the masked texts alone, for so many rounds."""

    def __init__(self, rounds: int = 9) -> None:
        super().__init__()
        self._left = rounds * ROUND

    def _adversary(self, prompt: str) -> Any:
        told = super()._adversary(prompt)
        if "likelihood" in told:
            return told
        if "without names" in prompt and self._left:
            self._left -= 1
            shown = json.loads(prompt.split("-----\n")[1])
            told["ranking"] = [each["id"] for each in sorted(shown, key=lambda each: "survey" not in each["text"])]
            told["artifacts"] = [{"name": "telling", "pattern": "says survey"}]
        else:
            told["ranking"] = []
        return told
