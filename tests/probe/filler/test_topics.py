"""The files of topics: what is in them, and what a reader says of one that cannot be read."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from benchmarks.probe.filler.frames import Figure, Frame, Page, frame
from benchmarks.probe.filler.topics import PARTS, WORK, Topic, general, read, topics, work
from benchmarks.probe.filler.writing import write_about
from tests.probe.filler.scenes import KINDS, setting

GOOD = """\
# the fair
! The fair in {city}
%% city: Lyon; Turin; Graz; Porto
% gear: racks; lamps; stools; screens

## The stand; Our stand
We [counted|saw] {~40} {gear} in {city}; {@a} had guessed {~90}.
"""


def frames(topic: Topic) -> list[Frame]:
    found = list(topic.titles)
    for section in topic.sections:
        found += [*section.passages, *section.personal]
        found += [] if section.name in PARTS + WORK[1:] else section.headings
        found += [each for listing in (*section.lists, *section.tables) for each in (listing.head, listing.row)]
    return found


def longest(found: Frame) -> str:
    """What such a frame says whatever is drawn."""
    return max((part for part in found.parts if isinstance(part, str)), key=len, default="")


def longest_text(found: Frame) -> str:
    return "".join(part if isinstance(part, str) else "x" for part in found.parts)


def test_there_are_sixty_topics_and_more_and_over_two_thousand_sentences_to_draw_from() -> None:
    every = [*topics(), general()]
    passages = [
        each for topic in every for section in topic.sections for each in (*section.passages, *section.personal)
    ]
    ends = sum(len(re.findall(r"[.?!](?= |$)", longest_text(each))) for each in passages)

    assert len(topics()) >= 60
    assert ends > 2000


def test_all_that_stands_in_a_file_is_said_in_some_document() -> None:
    """Within 75 documents on each topic, of which no more are written than it takes until all has been said."""
    given = setting(random.Random(1))
    every, unsaid = [], []
    for topic in topics():
        draw, left = random.Random(f"1 {topic.name}"), {longest(each).lower() for each in frames(topic)}
        for number in range(75):
            if not left:
                break
            title, paragraphs = write_about(topic, draw, given, KINDS[number * 13 % len(KINDS)], 1380)
            text = "\n".join((title, *paragraphs)).lower()
            left = {each for each in left if each not in text}
            every.append(text)
        unsaid += [(topic.name, each) for each in sorted(left)]
        short = (write_about(topic, draw, given, "email", 60 + 8 * number) for number in range(6))
        every += ["\n".join(each.paragraphs).lower() for each in short]

    everything = "\n".join(every)
    answers = [
        each
        for section in work().sections
        if section.name in ("Answers", "Again", "Remarks")
        for each in section.passages
    ]
    common = [*frames(general())[1:], *(each for each in frames(work())[1:] if each not in answers)]
    unsaid += [("general", longest(each)) for each in common if longest(each).lower() not in everything]
    assert unsaid == []


def test_general_has_a_section_for_each_part_of_a_document() -> None:
    assert set(PARTS) <= {section.name for section in general().sections}


def test_work_has_a_section_for_each_side_of_it() -> None:
    assert [section.name for section in work().sections] == [*WORK]


def test_a_file_is_read_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "fair.txt").write_text(GOOD, encoding="utf-8")

    topic = read(tmp_path / "fair.txt")

    assert topic.name == "fair"
    assert topic.once == {"city"}
    assert topic.words["gear"] == ("racks", "lamps", "stools", "screens")
    assert [section.name for section in topic.sections] == ["The stand"]


@pytest.mark.parametrize(
    ("line", "wrong", "says"),
    [
        (7, "We counted {~40} {geer}.", "no list is called 'geer'; there are city, gear"),
        (7, "We [counted] them.", r"\[counted\] has one choice"),
        (7, "We [counted|saw them.", "a bracket without its other half"),
        (7, "We [saw [two|three]|met] them.", "a bracket without its other half, or one within another"),
        (7, "We saw {gear.", "a brace without its other half"),
        (7, "We saw {@z}.", r"\{@z\} is no slot"),
        (7, "We saw {gear5}.", r"\{gear5\} is no slot"),
        (7, "- What we took: {gear}", "a list is `- what leads to it = a point"),
        (7, "- What we took = {@a}", "a point names a word list"),
        (4, "% gear: racks; lamps", "a word list has 4 different words"),
        (4, "% gear: racks; lamps; racks; stools", "a word list has 4 different words"),
        (4, "% city: Lyon; Turin; Graz; Porto", "there is a list 'city' already"),
        (4, "% firm: a; b; c; d", "there is a list 'firm' already"),
        (4, "% Gear racks", "a word list is `% name: word; word`"),
        (2, "! The fair in {town}", "no list is called 'town'"),
        (5, "We counted them.", "a passage stands in a section"),
    ],
)
def test_what_cannot_be_read_is_named_with_file_and_line(tmp_path: Path, line: int, wrong: str, says: str) -> None:
    lines = GOOD.splitlines()
    lines[line - 1] = wrong
    (tmp_path / "fair.txt").write_text("\n".join(lines), encoding="utf-8")

    with pytest.raises(ValueError, match=rf"fair\.txt:{line}: .*{says}"):
        read(tmp_path / "fair.txt")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (GOOD.replace("# the fair\n", "", 1), "a topic begins with"),
        (GOOD.replace("! The fair in {city}\n", ""), "a topic begins with"),
        (GOOD + "## Empty\n", "section 'Empty' has no heading or no passage"),
    ],
)
def test_what_a_file_lacks_is_named(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "fair.txt").write_text(text, encoding="utf-8")

    with pytest.raises(ValueError, match=says):
        read(tmp_path / "fair.txt")


def test_a_frame_knows_its_slots() -> None:
    found = frame("{@a} saw [{~3} {gear}|{Gear2}].").slots()

    assert [type(each).__name__ for each in found] == ["Person", "Figure", "Word", "Word"]
    assert found[1:] == [Figure("", 3), *found[2:]]
    assert [each[:3] for each in found[2:]] == [("gear", "", False), ("gear", "2", True)]


def page(seed: int) -> Page:
    gear = ("racks", "lamps", "stools", "screens")
    return Page(random.Random(seed), ["Ilse", "Goran", "Yuki", "Zoran"], {"gear": gear}, spelled=seed % 2 == 0)


@pytest.mark.parametrize("seed", range(30))
def test_within_a_passage_the_same_slot_says_the_same_and_another_something_else(seed: int) -> None:
    text = frame("{@a}, {@b} and {@a} saw {gear}, {gear2}, {gear3}, {gear4}, {gear} and {~40} or {~40}").say(page(seed))

    words = re.findall(r"[\w]+", text)
    assert words[0] == words[3] != words[1]
    assert words[5] == words[9]
    assert len(set(words[5:9])) == 4
    assert words[11] == words[13]


@pytest.mark.parametrize("seed", range(30))
def test_a_part_stays_less_than_its_whole_and_a_share_below_its_limit(seed: int) -> None:
    text = (
        frame("{~50} of {~70}, {~95} per cent, {~9} points").say(page(seed)).replace("nine", "9").replace("eight", "8")
    )

    part, whole, share, points = (
        int(each) for each in re.findall(r"\d+", text.replace("seven", "7").replace("six", "6"))
    )
    assert 30 < part < whole < 100
    assert share <= 98
    assert points <= 10


@pytest.mark.parametrize("seed", range(30))
def test_two_shares_stay_within_a_whole_and_nobody_counts_eleven_in_ten(seed: int) -> None:
    first, second, third = frame("{~50} per cent, {~30} per cent, {~9} in ten").say(page(2 * seed + 1)).split(", ")

    assert int(first.split()[0]) + int(second.split()[0]) <= 100
    assert int(third.split()[0]) <= 9


def test_what_a_document_keeps_is_the_same_in_all_its_passages() -> None:
    held = page(3)

    first, second = (frame("{guests~400} of {~90}").say(held).split(" of ") for _ in range(2))

    assert first[0] == second[0]
    assert first[1] != second[1]


def test_a_number_at_the_start_of_a_sentence_has_a_capital() -> None:
    assert re.fullmatch("Three|Four", frame("They came. {~3}").say(page(2)).split(". ")[1])
