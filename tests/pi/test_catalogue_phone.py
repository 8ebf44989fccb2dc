"""What is on a persona's phone: equal each time, fit for the app, and told of days before now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from benchmarks.pi.cast import FINANCIER
from benchmarks.pi.catalogue import phone
from servers.kernel import Engine, World
from servers.phone import app
from tests.apps.shop import Shop

NOW = datetime(2026, 4, 13, 9)
THREADS: list[tuple[str, list[dict[str, Any]]]] = [
    (
        "rafe.lindqvist@postbox.example",
        [
            {"at": "2026-04-01T19:00", "text": "Rope or no rope?"},
            {"at": "2026-04-01T19:02", "text": "Rope.", "mine": True},
        ],
    )
]
ROWS = phone.rows(7, NOW, FINANCIER, THREADS)


@pytest.fixture
def shown() -> Iterator[Shop]:
    engine = Engine()
    layer = engine.layer(engine.load(World("phone", NOW, {"phone": ROWS}, owner=FINANCIER.owner)))
    calls = Shop(app, layer)
    (account,) = ROWS["accounts"]
    calls("log_in", username=account["username"], password=account["password"])
    yield calls
    layer.close()
    engine.close()


def test_equal_arguments_give_equal_rows_and_another_seed_others() -> None:
    assert phone.rows(7, NOW, FINANCIER, THREADS) == ROWS
    assert phone.rows(8, NOW, FINANCIER, THREADS) != ROWS


def test_everybody_of_the_cast_is_in_the_contacts_once() -> None:
    emails = Counter(row["email"] for row in ROWS["contacts"])

    assert {each.address for each in FINANCIER.people} <= emails.keys()
    assert len({row["number"] for row in ROWS["contacts"]}) == len(ROWS["contacts"]) == 37


def test_texts_are_from_before_now_and_none_repeats_all_over() -> None:
    sent = [datetime.fromisoformat(row["sent"]) for row in ROWS["messages"]]

    assert sent == sorted(sent)
    assert max(sent) < NOW
    assert max(Counter(row["text"] for row in ROWS["messages"]).values()) <= 2
    assert len(sent) > 50


def test_a_thread_of_the_persona_is_among_them(shown: Shop) -> None:
    mine, theirs = shown("view_message_thread", other="Rafe Lindqvist")["items"]

    assert (theirs["text"], mine["text"], mine["sender"]) == ("Rope or no rope?", "Rope.", FINANCIER.self.phone)


@pytest.mark.parametrize(
    ("tool", "given"),
    [("search_contacts", {"query": "mar"}), ("search_messages", {"query": "boiler"}), ("view_alarm", {})],
)
def test_there_is_something_to_find(shown: Shop, tool: str, given: dict[str, Any]) -> None:
    assert shown(tool, **given)["items"]


def test_near_names_have_to_be_told_apart(shown: Shop) -> None:
    assert {row["name"] for row in shown("search_contacts", query="tull")["items"]} >= {
        "Mark Tully",
        "Marc Tull",
        "Marc Tulloch",
    }
