"""Searching messages: the operators of `find_messages`, each query with the ids that it finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.apps.test_chat import MESSAGES, Chat, office

EVERYTHING = [f"M{n:05d}" for n in (13, 11, 9, 10, 14, 12, 6, 5, 4, 3, 2, 1, 8)]
"""What the owner sees, newest first: all but the private channel of others."""


@pytest.fixture(scope="module")
def chat() -> Iterator[Chat]:
    with office() as calls:
        yield calls


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", EVERYTHING),
        ("   ", EVERYTHING),
        ("launch", [10, 12, 6, 3, 8]),
        ("LAUNCH budget", [6]),
        ("budget launch", [6]),
        ("launch -plan", [10, 12, 6, 3]),
        ("handbook OR printer", [2, 1]),
        ("budget OR plan OR printer launch", [6, 8]),
        ("from:me -printer OR broken", [4, 2]),
        ('"OR" handbook', []),
        ('"launch page"', [3]),
        ('"page launch"', []),
        ("\u201claunch page\u201d", [3]),
        ('launch -"launch page"', [10, 12, 6, 8]),
        ("50%", [6]),
        ("_", []),
        ("12:30", [6]),
        ("http://lumen.example/page?v=2", [5]),
        ("@maya.chen", [14]),
        ("from:me", [4, 2]),
        ("from:@lena", [4, 2]),
        ("From:maya.chen", [9, 12, 5, 3]),
        ('from:"Maya Chen"', [9, 12, 5, 3]),
        ("from:tom@lumen.example launch", [10, 6, 8]),
        ("from:maya.silva", []),
        ("-from:tom -from:maya.chen", [11, 4, 2, 1]),
        ("in:#launch", [6, 5, 4, 3]),
        ("in:launch from:me", [4]),
        ("in:@maya.chen", [9]),
        ("in:C006", [11, 10]),
        ("in:old-plans", [8]),
        ("-in:#launch -in:#general", [11, 9, 10, 14, 12, 8]),
        ("to:me", [13, 11, 9, 10, 3]),
        ("to:me launch", [10, 3]),
        ("to:me is:dm", [11, 9, 10]),
        ("to:tom", [11, 1]),
        ("to:maya.chen", [13, 14]),
        ("is:dm", [11, 9, 10]),
        ("-is:dm after:2026-03-11", [13, 14, 12]),
        ("is:thread", [5, 4, 3]),
        ("has:thread", [3]),
        ("-has:thread in:launch", [6, 5, 4]),
        ("has:link", [5, 1]),
        ("has:reaction", [3, 1]),
        ("has::eyes:", [3]),
        ("has::+1:", [1]),
        ("-has:reaction has:link", [5]),
        ("on:2026-03-12", [13, 11]),
        ("after:2026-03-11 before:2026-03-11", [9, 10, 14, 12]),
        ("before:2026-03-02", [1, 8]),
        ("after:9999-12-31", []),
        ("-on:2026-03-12 after:2026-03-11", [9, 10, 14, 12]),
        ("-", EVERYTHING),
    ],
)
def test_a_query_finds(chat: Chat, query: str, expected: list[Any]) -> None:
    assert chat.ids("find_messages", query=query) == [
        each if isinstance(each, str) else f"M{each:05d}" for each in expected
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"mentions": True}, [13, 3]),
        ({"mentions": True, "unread": True}, [13]),
        ({"unread": True}, [13, 11, 9, 6, 5]),
        ({"unread": True, "query": "in:#launch"}, [6, 5]),
        ({"unread": True, "query": "-is:dm -budget"}, [13, 5]),
        ({"mentions": True, "query": "launch"}, [3]),
    ],
)
def test_what_is_unread_or_mentions_the_owner_is_found(
    chat: Chat, arguments: dict[str, Any], expected: list[int]
) -> None:
    assert chat.ids("find_messages", **arguments) == [f"M{number:05d}" for number in expected]


@pytest.mark.parametrize(
    ("query", "refusal"),
    [
        ("from:", "query: from: is followed by nothing; write from:maya or from:me, without a space."),
        ("in: general", "query: in: is followed by nothing; write in:#general or in:@maya, without a space."),
        ("from:maya", "from: of query: 'maya' may be Maya Chen <maya.chen@lumen.example>, Maya Silva"),
        ("from:nobody", "from: of query: 'nobody' is nobody known here"),
        ("in:#nowhere", "in: of query: you see no channel '#nowhere'."),
        ("in:#salaries", "in: of query: you see no channel '#salaries'."),
        ("in:@tom", "in: of query: there is no conversation with Tom Ode (@tom) yet"),
        ("has:file", "query: has:file is not known; write has:link, has:reaction, has:thread or has::eyes:."),
        ("is:unread", "query: is:unread is not known; write is:thread or is:dm."),
        ("after:yesterday", "query: after:yesterday needs a day; write after:2026-03-12."),
        ("on:2026-02-30", "query: on:2026-02-30 needs a day; write on:2026-03-12."),
        ("before:2026-3-1", "query: before:2026-3-1 needs a day"),
        (
            "sender:tom",
            "query: sender: is not an operator; there are from:, to:, in:, has:, is:, after:, before:, on:.",
        ),
        ("after:2026-03-12 before:2026-03-11", "query: after:2026-03-12 is later than before:2026-03-11."),
        ("launch OR", "query: OR needs something on both sides; write lift OR dock."),
        ("OR launch", "query: OR needs something on both sides"),
        ("launch OR OR page", "query: OR needs something on both sides"),
        ("re: budget", 'Put text with a colon in quotes, such as "re: budget".'),
        ('"launch', 'query: a quotation mark is left open; write "two words" for a phrase.'),
        (f"has:{'x' * 1_000}", "'query': string should have at most 1000 characters."),
        (" ".join(map(str, range(33))), "query has more than 32 words and operators; write fewer."),
    ],
)
def test_an_operator_that_makes_no_sense_is_refused_with_an_example(chat: Chat, query: str, refusal: str) -> None:
    assert refusal in chat.refusal("find_messages", query=query)


def test_a_hit_says_where_it_stands(chat: Chat) -> None:
    (answer,) = chat("find_messages", query='"Done: http"')["items"]
    (direct,) = chat("find_messages", query="lunch")["items"]

    assert answer == {
        "id": "M00005",
        "channel": "#launch",
        "author": "Maya Chen (@maya.chen)",
        "sent": "2026-03-10 14:00",
        "text": "Done: http://lumen.example/page?v=2",
        "thread": "M00003",
        "unread": True,
    }
    assert (direct["channel"], direct["people"]) == ("C005", "Maya Chen")


def test_a_detailed_hit_has_its_whole_text_and_reactions(chat: Chat) -> None:
    (draft,) = chat("find_messages", query="draft", detail="detailed")["items"]

    assert draft["reactions"] == ["eyes: Lena Brandt, Tom Ode"]


@pytest.mark.parametrize(
    ("text", "hit"),
    [
        ("@lena", True),
        ("Hi @LENA, look", True),
        ("(@lena)", True),
        ("@lena.", True),
        ("@lena's turn", True),
        ("@lena... or not", True),
        ("@tom\n@lena", True),
        ("@here please", True),
        ("@everyone", True),
        ("@lenard", False),
        ("@lena.brandt", False),
        ("@lena-m", False),
        ("mail lena@lena", False),
        ("x@lena.example", False),
        ("`@lena` and `@here`", False),
        ("lena", False),
    ],
)
def test_a_mention_is_a_handle_of_its_own(text: str, hit: bool) -> None:
    row = {**MESSAGES[0], "text": text, "author_id": "U003"}
    with office(messages=[row], reactions=[]) as chat:
        assert chat.ids("find_messages", mentions=True) == (["M00001"] if hit else [])


def test_one_does_not_mention_oneself() -> None:
    row = {**MESSAGES[0], "text": "@channel and @lena", "author_id": "U001"}
    with office(messages=[row], reactions=[]) as chat:
        assert chat.ids("find_messages", mentions=True) == []
