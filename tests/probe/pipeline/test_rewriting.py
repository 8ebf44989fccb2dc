"""Samples of the grammar told anew: kept where a reader finds exactly what they state, resumed, or dropped."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest

from benchmarks.probe.grammar.documents import TEXT
from benchmarks.probe.pipeline.grounds import Grounds, grounds
from benchmarks.probe.pipeline.rewriting import Reading, Told, assembled, kinds, misread, mistold, rewrite, shown
from benchmarks.probe.pipeline.work import Client, Dropped, Work
from benchmarks.probe.records import Sample
from harness.core.config import LlmConfig, Price
from harness.models.llm import aclose
from harness.models.replies import ModelFault
from harness.stub import Fault, Reply, StubServer
from tests.probe.grammar.samples import sample
from tests.probe.pipeline.scripts import DOWN, Teller, files


def base() -> Sample:
    return sample(3, "easy")


@cache
def ground() -> Grounds:
    return grounds(base())


def told(folder: Path, script: Callable[[dict[str, Any]], Reply | Fault], **fields: Any) -> Sample:
    """The base told anew by this model, whose replies are kept in a folder."""

    async def work() -> Sample:
        async with StubServer(script) as stub:
            try:
                config = LlmConfig(
                    kind="llm", model="openai/stub", api_base=stub.base_url, retries=0,
                    price=Price(prompt=1.0, completion=1.0),
                )  # fmt: skip
                return await rewrite(base(), Work(Client(config, **fields), folder, 1))
            finally:
                await aclose()

    return anyio.run(work)


def head(id: str) -> str:
    """What a document begins with for its reader, and no other."""
    return shown(next(each for each in base().documents if each.id == id)).partition("\n\n")[0]


class Whole(NamedTuple):
    folder: Path
    sample: Sample


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """The base told anew, without anything that came between."""
    folder = tmp_path_factory.mktemp("whole")
    return Whole(folder, told(folder, Teller(base())))


def test_a_sample_told_anew_has_other_words_and_the_same_key(whole: Whole) -> None:
    found = whole.sample

    assert (found.id, found.level, found.gold) == ("rewrite-7-0003-easy", "rewrite", base().gold)
    changed = [each.id for each in base().documents if ground().passages[each.id]]
    texts = {each.id: str(each.payload[TEXT[each.type]]) for each in found.documents}
    assert [id for id, text in texts.items() if "Well then.\n" in text] == changed


@pytest.mark.parametrize("phase", ["rewrite", "extract"])
def test_a_build_that_was_interrupted_ends_like_one_that_was_not(phase: str, whole: Whole, tmp_path: Path) -> None:
    with pytest.raises(ModelFault):
        told(tmp_path, Teller(base(), lambda at, count, _: DOWN if at == phase and count == 5 else None))
    model = Teller(base())
    found = told(tmp_path, model)

    assert 0 < model.asked["rewrite"] < len(base().documents) or phase == "extract"
    assert (files(tmp_path), found) == (files(whole.folder), whole.sample)


def test_what_is_there_is_not_asked_for_again(whole: Whole) -> None:
    model = Teller(base())

    assert told(whole.folder, model) == whole.sample
    assert sum(model.asked.values()) == 0


def test_a_document_that_was_misread_is_rewritten_and_the_writer_told_why(tmp_path: Path) -> None:
    model = Teller(base(), lambda at, count, _: Reply(text='{"facts": []}') if (at, count) == ("extract", 0) else None)
    told(tmp_path, model, width=1)

    again = [path for path in (tmp_path / "rewrite").glob("*.json")
             if json.loads(path.read_text(encoding="utf-8"))["of"]["attempt"] == 2]  # fmt: skip
    asked = json.loads(again[0].read_text(encoding="utf-8"))["calls"][0]["request"]["messages"][0]["content"]
    assert len(again) == 1
    assert "- not found: " in asked


def test_a_document_misread_three_times_has_its_sample_dropped(tmp_path: Path) -> None:
    ids = [id for id, passages in ground().passages.items() if passages]
    lost = {head(id) for id in ids[2:5]}
    model = Teller(
        base(),
        lambda at, _, asked: (
            Reply(text='{"facts": []}') if at == "extract" and any(it in asked for it in lost) else None
        ),
    )
    with pytest.raises(Dropped) as dropped:
        told(tmp_path, model)

    assert dropped.value.phase == "extract"
    assert dropped.value.problem.startswith(f"document {ids[2]} was misread 3 times")
    assert model.asked["extract"] == len(ids) + 2 * len(lost)


def test_a_reader_may_use_any_name_that_the_documents_have_for_a_thing() -> None:
    ways = {value: name for name, values in ground().names.items() for value in values}
    id = next(id for id, passages in ground().passages.items() if passages)
    said = [
        {"kind": fact.kind, **{name: _loud(name, ways.get(value, value)) for name, value in _values(fact).items()}}
        for fact in ground().facts(id)
    ]
    found, wrong = misread(ground(), id, Reading(facts=tuple(said), same=_pairs(id)))

    assert [each["kind"] for each in said]
    assert found == (*ground().facts(id), *ground().mentions(id))
    assert wrong == []


def test_an_invented_fact_and_one_told_twice_are_both_seen() -> None:
    id = next(id for id, passages in ground().passages.items() if passages)
    facts = [{"kind": each.kind, **_values(each)} for each in ground().facts(id)]
    _, wrong = misread(ground(), id, Reading(facts=(*facts, facts[0]), same=_pairs(id)))
    _, missed = misread(ground(), id, Reading(facts=tuple(facts[1:]), same=_pairs(id)))

    assert [each.split(":")[0] for each in wrong] == ["found, but not there"]
    assert [each.split(":")[0] for each in missed] == ["not found"]


def test_what_a_reader_says_of_other_work_does_not_count() -> None:
    id = next(id for id, passages in ground().passages.items() if passages)
    facts = [{"kind": each.kind, **_values(each)} for each in ground().facts(id)]
    known = next(each["task"] for each in facts if each["kind"] == "due")
    other = [
        {"kind": "settled", "task": "Zanzibar lamp count"},
        {"kind": "run", "desk": "Zanzibar lamp desk", "person": "Jo Ek"},
    ]
    _, wrong = misread(
        ground(), id, Reading(facts=(*facts, *other, {"kind": "settled", "task": known}), same=_pairs(id))
    )

    assert wrong == [f"found, but not there: the piece of work {known} is done, or has been sent"]


def test_names_of_interest_are_those_of_which_facts_tell_somewhere() -> None:
    need = next(fact for facts in map(ground().facts, ground().passages) for fact in facts if fact.kind == "needs")

    assert set(ground().named(f"The {need['task']}, the Zanzibar lamp count.")) == {need["task"]}


def test_a_paragraph_keeps_its_names_its_shape_and_about_its_length() -> None:
    passage = next(each for passages in ground().passages.values() for each in passages)

    assert mistold(passage, passage.text) == ""
    assert "lacks" in mistold(passage, passage.text.replace(passage.keep[0], "it"))
    assert "one paragraph" in mistold(passage, f"{passage.text}\n\nAnd more.")
    assert "words" in mistold(passage, f"{passage.text} {'more ' * 400}")


def test_two_names_of_one_thing_have_to_stay_one_thing() -> None:
    hard = grounds(sample(3, "hard"))
    id, passage = next((id, each) for id, passages in hard.passages.items() for each in passages if each.alike)
    facts = tuple({"kind": each.kind, **_values(each)} for each in hard.facts(id))
    _, wrong = misread(hard, id, Reading(facts=facts))

    assert f"not found: that {passage.alike[0][0]} and {passage.alike[0][1]} are one thing" in wrong


def test_the_proofs_are_run_on_what_the_reader_found() -> None:
    right = {id: Told({}, (*ground().facts(id), *ground().mentions(id))) for id in ground().passages}
    lost = {**right, base().gold.true_positives[0]: Told({}, ())}

    assert assembled(base(), right).documents == base().documents
    with pytest.raises(Dropped, match="proofs: proof 1: 0 live chains, expected one"):
        assembled(base(), lost)


def test_every_fact_stands_in_one_passage_with_its_names() -> None:
    for id, passages in ground().passages.items():
        assert sum(len(each.facts) for each in passages) == len((*ground().facts(id), *ground().mentions(id)))
        assert all(name in each.text or name.lower() in each.text.lower() for each in passages for name in each.keep)


def test_every_kind_of_fact_is_explained_to_readers() -> None:
    assert all("{" in gloss for _, gloss in kinds())
    assert len(kinds(causes=True)) > 20


def _loud(argument: str, name: str) -> str:
    return name if argument == "cause" else f"The  {name.upper()}"


def _values(fact: Any) -> dict[str, str]:
    from benchmarks.probe.grammar.facts import ARGUMENTS

    return dict(zip(ARGUMENTS[fact.kind], fact.values, strict=True))


def _pairs(id: str) -> tuple[tuple[str, ...], ...]:
    return tuple(pair for passage in ground().passages[id] for pair in passage.alike)
