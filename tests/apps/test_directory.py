from collections.abc import Iterator

import pytest

from servers.directory import app
from tests.apps.desk import Desk, desk

PEOPLE = ["tariq.lund@harbor.example", "ines.okafor@harbor.example", "sam.lund@harbor.example"]


@pytest.fixture
def directory() -> Iterator[Desk]:
    rows = [{"id": str(place), "email_address": email} for place, email in enumerate(PEOPLE)]
    with desk(app, {"people": rows}) as calls:
        yield calls


def test_a_name_is_found_in_the_address_regardless_of_case(directory: Desk) -> None:
    assert directory("find_email_address", name="OKAFOR") == ["ines.okafor@harbor.example"]


def test_every_match_is_given_in_the_directorys_order(directory: Desk) -> None:
    assert directory("find_email_address", name="lund") == ["tariq.lund@harbor.example", "sam.lund@harbor.example"]


@pytest.mark.parametrize("name", ["sam lund", "l.nd", "%", "("])
def test_a_name_is_literal_text(directory: Desk, name: str) -> None:
    assert directory("find_email_address", name=name) == []


def test_a_dot_between_names_is_the_dot_of_the_address(directory: Desk) -> None:
    assert directory("find_email_address", name="Sam.Lund") == ["sam.lund@harbor.example"]


def test_a_missing_name_is_refused(directory: Desk) -> None:
    assert "name" in directory.refusal("find_email_address", name="")
    assert "'name'" in directory.refusal("find_email_address", name=None)
    assert "'name' is required" in directory.refusal("find_email_address")
