"""Names and days in texts."""

from __future__ import annotations

import pytest

from benchmarks.probe.scoring.matcher import days, named, person_names, vague, words
from benchmarks.probe.scoring.people import others, people, person
from tests.probe.scoring.toys import sample


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Eva Løvås", ("eva", "løvas")),
        ("PRJ-104/b", ("prj", "104", "b")),
        ("prj104", ("prj", "104")),
        ("  ", ()),
        ("It's", ("it", "s")),
    ],
)
def test_a_text_is_compared_by_its_words(text: str, found: tuple[str, ...]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("text", "wanted", "others", "found"),
    [
        ("Ask ada BERG.", ["Ada Berg"], [], (True, False)),
        ("Ask Ada Fox.", ["Ada", "Ada Berg"], ["Ada Fox"], (False, True)),
        ("Ask Ada Fox, or Ada.", ["Ada", "Ada Berg"], ["Ada Fox"], (True, True)),
        ("Adam Berg", ["Ada Berg"], [], (False, False)),
        ("the price list", ["the kiln price list"], [], (False, False)),
        ("our kiln price list", ["The Kiln Price List"], [], (True, False)),
        ("PL-1044", ["PL-104"], [], (False, False)),
        ("anything", [""], [], (False, False)),
    ],
)
def test_a_name_is_found_as_whole_words_and_longer_names_come_first(
    text: str, wanted: list[str], others: list[str], found: tuple[bool, bool]
) -> None:
    assert named(text, wanted, others)[:2] == found


def test_what_belongs_to_no_name_is_left() -> None:
    assert named("PL-104 and PL-105", ["PL-104"]).rest == ("and", "pl", "105")
    assert named("PL-104 and PL-105", ["PL-104"]).figures
    assert not named("the list PL-104", ["PL-104"]).figures


def test_a_name_with_an_address_is_both() -> None:
    assert person_names(["Ada Berg <ada@quarry.example>", "Ada"]) == ["Ada Berg", "ada@quarry.example", "Ada"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2025-06-12T09:30", [(2025, 6, 12)]),
        ("12 June 2025", [(2025, 6, 12)]),
        ("the 12th of June", [(None, 6, 12)]),
        ("June 12th, 2025", [(2025, 6, 12)]),
        ("Jun 12", [(None, 6, 12)]),
        ("12.06.2025 or 13/6/2025", [(2025, 6, 12), (2025, 6, 13)]),
        ("on 3 May and on 4 May 2025", [(None, 5, 3), (2025, 5, 4)]),
        ("31 June, 2025-02-30, room 12, version 1.2", []),
        ("May I have 12?", []),
    ],
)
def test_days_are_read_in_many_forms(text: str, found: list[tuple[int | None, int, int]]) -> None:
    assert days(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("by next Friday", True), ("at the end of the month", True), ("in two weeks", True), ("soon", False)],
)
def test_a_day_may_be_spoken_of_without_being_named(text: str, found: bool) -> None:
    assert vague(text) is found


def test_people_are_those_of_the_world_model_and_of_documents_each_with_all_names() -> None:
    assert people(sample()) == (
        ("Cem Dal", "cem@quarry.example"),
        ("Ada Berg", "ada.berg@quarry.example"),
        ("Eva Løvås", "eva@quarry.example"),
        ("Ada Fox", "fox@quarry.example"),
    )


def test_a_person_is_found_by_any_name_and_others_are_the_rest() -> None:
    assert person(sample(), ["cem@quarry.example", "Cem"]) == ("cem@quarry.example", "Cem", "Cem Dal")
    assert others(sample(), ["Ada Berg", "Cem Dal", "Eva Løvås"]) == ("Ada Fox", "fox@quarry.example")
