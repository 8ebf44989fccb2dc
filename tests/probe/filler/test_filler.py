"""What filler is like: its length, its variety, its shapes, and what it never says."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.probe.filler import day_words, filler, prose
from benchmarks.probe.grammar.entities import nouns
from benchmarks.probe.grammar.lines import entries
from benchmarks.probe.records import Kind
from tests.probe.filler.scenes import GIVEN, KINDS, PROJECTS, planned, sample, sentences, setting

NAMES = re.compile(
    rf"\b(?:{'|'.join(entries('themes'))}) (?:{'|'.join((*nouns(), *entries('catchwords')))})\b"
    rf"|\b(?:{'|'.join(entries('areas'))}) [a-z]+ desk\b|\b[a-z]+ desk at (?:{'|'.join(entries('areas'))})\b"
    rf"|\b(?:{'|'.join(entries('nicknames'))}) [a-z]+\b"
)
"""What things are called, which says nothing of them."""
EACH_KIND: tuple[Kind, ...] = ("email", "event", "document")
FORBIDDEN = [
    line
    for line in (Path(__file__).parent / "forbidden.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def count(paragraphs: list[str]) -> int:
    return sum(len(each.split()) for each in paragraphs)


@pytest.mark.parametrize("kind", EACH_KIND)
def test_a_document_is_as_long_as_asked_within_three_per_cent(kind: Kind) -> None:
    draw = random.Random(1)
    given = setting(draw)
    asked = [draw.randint(480, 900) for _ in range(150)]

    off = [abs(count(filler(draw, given, kind, words)) / words - 1) for words in asked]

    assert max(off) <= 0.03


@pytest.mark.parametrize("words", [0, 8, 20, 45, 90, 129, 130, 160, 300, 1500, 2600])
def test_short_and_very_long_texts_have_their_length_too(words: int) -> None:
    draw = random.Random(words)
    found = [count(filler(draw, setting(draw), kind, words)) for kind in EACH_KIND for _ in range(10)]

    assert all(abs(each - words) <= max(2, words * 0.03) for each in found)


def test_the_same_draw_gives_the_same_text() -> None:
    assert list(islice(sample(3), 12)) == list(islice(sample(3), 12))


@pytest.mark.slow
def test_the_text_is_the_same_in_another_process_whatever_its_hash_seed() -> None:
    program = "from tests.probe.filler.scenes import sample; print(chr(12).join(sample(4)), end='')"
    found = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            check=True,
        ).stdout.decode()
        for seed in ("1", "2")
    ]

    assert found == ["\f".join(sample(4))] * 2


def test_nothing_that_a_bottleneck_is_stated_in_is_ever_said() -> None:
    texts = [NAMES.sub("thing", text) for number in range(2) for text in sample(number)]
    patterns = [re.compile(each, 0 if "[A-Z]" in each else re.IGNORECASE) for each in FORBIDDEN]

    found = [f"{each.pattern}: {match[0]}" for each in patterns for text in texts for match in each.finditer(text)]

    assert found == []


def test_in_a_sample_few_sentences_are_said_twice() -> None:
    shares = []
    for number in range(5):
        said = Counter(each for text in sample(number) for each in sentences(text))
        shares.append(1 - len(said) / said.total())

    assert max(shares) < 0.08


def test_no_sentence_stands_in_more_than_two_per_cent_of_documents() -> None:
    texts = [text for number in range(26) for text in sample(number)]
    held = Counter(each for text in texts for each in set(sentences(text)))

    assert len(texts) > 2000
    assert [(each, times) for each, times in held.most_common(3) if times > len(texts) * 0.02] == []


def test_nothing_is_left_unfilled() -> None:
    assert [text for text in sample(5) if re.search(r"[{}\[\]~]|  | [.,;]", text)] == []


def test_a_document_tells_of_people_and_projects_of_the_setting() -> None:
    text = " ".join(sample(6))

    assert sum(f" {name} " in text or f" {name}'s " in text for name in GIVEN) > 24
    assert all(name in text for name in PROJECTS)
    assert "Corvane Foods" in text
    assert "Moana" not in text


def test_days_are_said_in_words_that_can_be_counted() -> None:
    weekdays = re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b")

    assert {match[0] for text in sample(7) for match in weekdays.finditer(text)} <= set(day_words())


def test_an_event_has_an_agenda_of_what_follows_in_the_time_that_there_is() -> None:
    draw = random.Random(8)
    given = setting(draw)
    for scene in (each for each in planned(draw, given) if each.minutes):
        paragraphs = prose(draw, replace(given, scene=scene), "event", 700).paragraphs

        points = dict(re.findall(r"^\d\. (.+) \((\d+) min\)$", paragraphs[1], re.MULTILINE))
        headings = [each.rstrip(":") for each in paragraphs if each.rstrip(":") in points]
        assert len(headings) > 2
        assert headings == [*points][: len(headings)]
        assert sum(map(int, points.values())) == scene.minutes


def test_a_mail_has_paragraphs_and_no_headings() -> None:
    draw = random.Random(9)
    paragraphs = [each for _ in range(20) for each in filler(draw, setting(draw), "email", 600)]

    assert [each for each in paragraphs if "\n" not in each and not each.endswith((".", "!", "?", '"'))] == []


def test_documents_have_headings_lists_and_tables() -> None:
    draw = random.Random(10)
    paragraphs = [each for _ in range(20) for each in filler(draw, setting(draw), "document", 700)]

    assert sum("\n" not in each and not each.endswith((".", "!", "?", '"')) for each in paragraphs) > 60
    assert any(re.search(r"^(-|\*|•) .+\n(-|\*|•) ", each, re.MULTILINE) for each in paragraphs)
    assert any(re.search(r"^.* \| .*\n.* \| ", each) for each in paragraphs)


def test_a_title_names_what_the_text_is_about() -> None:
    draw = random.Random(11)
    given = setting(draw)
    for kind, scene in zip(KINDS, planned(draw, given), strict=True):
        text = " ".join(prose(draw, replace(given, scene=scene), kind, 600).paragraphs).lower()

        assert scene.project.lower() in text
        words = [word for word in re.findall(r"[a-z]{4,}", scene.title.lower()) if word != "with"]
        assert any(word[:4] in text for word in words), scene.title


def test_too_few_people_or_words_are_refused() -> None:
    draw = random.Random(12)

    with pytest.raises(ValueError, match="four people"):
        filler(draw, setting(draw, people=3), "email", 500)
    with pytest.raises(ValueError, match="not -1"):
        filler(draw, setting(draw), "email", -1)
