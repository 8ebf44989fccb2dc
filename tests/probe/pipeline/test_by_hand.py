"""Forms for those who rewrite and read without a model's interface, and the folder of samples that comes of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.probe import naming, worlds
from benchmarks.probe.pipeline import stored
from benchmarks.probe.pipeline.by_hand import checked, main, reading_form, writing_form
from benchmarks.probe.pipeline.grounds import Grounds, grounds, told
from benchmarks.probe.pipeline.work import PipelineError
from benchmarks.probe.records import Sample
from harness.suite import SuiteError

NUMBER = 3


@cache
def base() -> Sample:
    return worlds.sample(naming.named(1, NUMBER, "easy"))


@cache
def ground() -> Grounds:
    return grounds(base())


@cache
def blank() -> str:
    return json.dumps(writing_form(base()))


def filled() -> dict[str, Any]:
    """The form, its paragraphs told anew by a few words before each."""
    form: dict[str, Any] = json.loads(blank())
    for page in form["documents"].values():
        for paragraph in page["paragraphs"].values():
            paragraph["new"] = f"Well then. {paragraph['text']}"
    return form


def read(form: dict[str, Any]) -> dict[str, Any]:
    """The other form, filled by somebody who understands everything."""
    found: dict[str, Any] = json.loads(json.dumps(reading_form(base(), form)))
    for id, page in found["documents"].items():
        page["facts"] = [told(each) for each in ground().facts(id)]
        page["same"] = [pair for passage in ground().passages[id] for pair in passage.alike]
    return found


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was written and understood, stored."""
    form = filled()
    return stored.store(base(), checked(base(), [form], [read(form)]), tmp_path_factory.mktemp("kept"), by="somebody")


def test_whoever_reads_is_told_of_no_fact() -> None:
    form = reading_form(base(), filled())

    assert all(page.keys() == {"text", "names", "facts", "same"} for page in form["documents"].values())
    assert all(page["facts"] == [] for page in form["documents"].values())
    assert form["kinds"].keys() > {"due", "why"}


def test_what_was_written_and_understood_is_stored_and_loaded(kept: Path) -> None:
    form = filled()
    found = stored.load(kept.stem, kept.parent)

    assert stored.names(kept.parent) == [f"rewrite-1-{NUMBER:04d}-easy"] == [found.id]
    assert (found.level, found.gold) == ("rewrite", base().gold)
    assert sum("Well then. " in json.dumps(each.payload) for each in found.documents) == len(form["documents"])


def test_forms_may_come_in_parts(tmp_path: Path) -> None:
    whole = filled()
    ids = [*whole["documents"]]
    parts = [{**whole, "documents": {id: whole["documents"][id] for id in some}} for some in (ids[:30], ids[30:])]

    assert checked(base(), parts, [read(each) for each in parts]).keys() == set(ids)


def test_what_does_not_agree_is_told_by_document() -> None:
    form = filled()
    reading = read(form)
    first, second, *_ = reading["documents"]
    reading["documents"][first]["facts"].pop()
    del reading["documents"][second]

    with pytest.raises(PipelineError) as refused:
        checked(base(), [form], [reading])
    lines = str(refused.value).splitlines()
    assert lines[0].startswith(f"{first}: not found: ")
    assert lines[1] == f"{second}: not read yet"


def test_a_paragraph_left_empty_is_named() -> None:
    form = filled()
    first = next(iter(form["documents"]))
    place = next(iter(form["documents"][first]["paragraphs"]))
    form["documents"][first]["paragraphs"][place]["new"] = ""

    with pytest.raises(PipelineError, match=f"{first}, paragraph {place}: it lacks"):
        reading_form(base(), form)


def test_a_form_of_another_sample_is_refused() -> None:
    with pytest.raises(PipelineError, match=r"the form is of grammar-1-0003-easy .*, not of grammar-1-0004-hard"):
        reading_form(worlds.sample("grammar-1-0004-hard"), filled())


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (
            lambda head, line: (head, line.replace("Well then. ", "Well. ", 1)),
            ":2: it is not the sample",
        ),
        (lambda head, line: (head, ""), ":2: the line: Invalid JSON"),
        (lambda head, line: ("{}", line), ":1: pin: Field required"),
        (
            lambda head, line: (head.replace("-easy", "-hard"), line),
            f"it holds rewrite-1-{NUMBER:04d}-hard: name it so",
        ),
    ],
)
def test_a_stored_sample_that_is_not_as_it_was_is_refused(
    spoil: Callable[[str, str], tuple[str, str]], why: str, kept: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(kept, tmp_path))
    head, line = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(spoil(head, line)), encoding="utf-8")

    with pytest.raises(SuiteError, match=why):
        stored.load(path.stem, tmp_path)


def test_a_stored_sample_does_not_follow_its_base(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = stored.load(kept.stem, kept.parent)
    monkeypatch.setattr(worlds, "generate", lambda *_, **__: pytest.fail("its base was made"))

    assert stored.load(kept.stem, kept.parent) == before


def test_a_sample_that_is_not_stored_is_refused_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="holds no sample 'rewrite-1-0001-hard'; there are: none"):
        stored.load("rewrite-1-0001-hard", tmp_path)


def test_what_comes_with_the_package_can_be_loaded() -> None:
    for name in stored.names():
        assert stored.load(name).level == "rewrite"


def test_the_command_line_goes_from_form_to_stored_sample(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrote, reads, kept = tmp_path / "wrote.json", tmp_path / "read.json", tmp_path / "kept"
    assert main(["write", "0", str(wrote), "--parts", "2"]) == 0
    parts = sorted(tmp_path.glob("wrote-*.json"))
    form = json.loads(parts[0].read_text(encoding="utf-8"))
    base = worlds.sample(form["base"])
    for page in form["documents"].values():
        for paragraph in page["paragraphs"].values():
            paragraph["new"] = paragraph["text"]
    parts[0].write_text(json.dumps(form), encoding="utf-8")
    assert main(["read", str(parts[0]), str(reads)]) == 0
    assert main(["check", str(parts[0]), "--read", str(reads), "--store", str(kept)]) == 1

    assert len(parts) == 2
    assert json.loads(reads.read_text(encoding="utf-8"))["base"] == base.id
    assert "not written yet" in capsys.readouterr().err
    assert not kept.exists()


def test_a_file_that_is_no_form_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.json"
    path.write_text("[]", encoding="utf-8")

    assert main(["read", str(path), str(tmp_path / "y.json")]) == 1
    assert f"{path}: it is no form" in capsys.readouterr().err
