"""How acts are headed, listed and done."""

from __future__ import annotations

from datetime import date

import pytest

from benchmarks.probe.records import CATEGORIES
from benchmarks.probe.workplace.acts import PLACES, WAYS, Heading, Place, Wanted, call, heading, listed, offered, signs

TODAY = date(2026, 3, 12)
WANTED = Wanted("Ada Fox", "ada.fox@firm.example", "AB/1234", "12/34567/KL", "Needed for CD/5678.")


def test_every_category_has_one_way_and_a_word_of_its_own() -> None:
    assert sorted(WAYS) == sorted(CATEGORIES)
    assert len({way.word.casefold() for way in WAYS.values()}) == len(WAYS)
    assert {way.place for way in WAYS.values()} == set(PLACES)


def test_actions_of_one_category_are_told_apart_by_number() -> None:
    types = ["request_approval", "create_task", "request_approval"]

    assert signs(types) == ["Approval 1", "Job 1", "Approval 2"]


def test_what_is_listed_can_be_read_again() -> None:
    actions = [(category, f"Do {category}: well.") for category in (*CATEGORIES, "send_email")]

    found = {each.id: each for each in offered(listed(actions))}

    assert [found[sign].description for sign in signs([category for category, _ in actions])] == [
        said for _, said in actions
    ]
    assert all(each.type in each.description for each in found.values())


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Approval 2: AB/1234, K-12345", "mail"),
        (" approval 02 :AB/1234 ,  K-12345 ", "mail"),
        ("New date 1: AB/1234, K-12345", "event"),
        ("Review 3: AB/1234, K-12345", "task"),
        ("COPY 1: AB/1234, K-12345", "file"),
    ],
)
def test_a_heading_is_read_in_any_case_and_spacing(text: str, place: Place) -> None:
    found = heading(text, place)

    assert found is not None
    assert found[1:] == ("AB/1234", "K-12345", "")


def test_a_heading_may_name_the_person() -> None:
    found = heading("Job 1: AB/1234, K-12345, Ada Fox", "task")

    assert found == Heading("Job 1", "AB/1234", "K-12345", "Ada Fox")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Approval: AB/1234, K-12345", "mail"),
        ("Approval 1 AB/1234, K-12345", "mail"),
        ("Request 1: AB/1234, K-12345", "mail"),
        ("Re: Approval 1: AB/1234, K-12345", "mail"),
        ("Approval 1: AB/1234, K-12345", "event"),
    ],
)
def test_what_is_signed_otherwise_is_no_act(text: str, place: Place) -> None:
    assert heading(text, place) is None


@pytest.mark.parametrize("category", CATEGORIES)
def test_an_act_is_done_in_the_app_of_its_way(category: str) -> None:
    way = WAYS[category]

    found = call(f"{way.word} 1", WANTED, TODAY)

    assert found.app == PLACES[way.place][0]
    texts = str(found.arguments)
    assert f"{way.word} 1: AB/1234, 12/34567/KL" in texts
    assert WANTED.text in texts
    assert (WANTED.address if way.place in ("mail", "event") else WANTED.name) in texts
