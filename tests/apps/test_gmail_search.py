"""What a query finds: operators of Gmail over one mailbox, each with the conversations that it means."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

from servers.gmail import app
from servers.kernel import Engine, Owner, World
from tests.apps.desk import NOW, Desk

__all__ = ("MIRA", "ROWS", "Mailbox", "mailbox")

MIRA = Owner(name="Mira Holt", address="mira@harbor.example")


class Mailbox(Desk):
    """Calls the tools of a toolset of mail, `default` unless it says otherwise."""

    toolset = "default"

    def found(self, query: str, **arguments: Any) -> list[str]:
        """Ids of what `find_emails` gives, without zeros in front."""
        return [item["id"].lstrip("0") for item in self("find_emails", query=query, **arguments)["items"]]

    def rows(self, table: str) -> dict[str, dict[str, Any]]:
        """The rows of a table that have changed since the start, as they are now; {} for one that is gone."""
        return {change.id: change.after or {} for change in self.layer.changes() if change.table == table}


@contextmanager
def mailbox(rows: dict[str, list[dict[str, Any]]], owner: Owner | None = MIRA) -> Iterator[Mailbox]:
    """A sandbox of its own over those rows, by table."""
    engine = _engine()
    layer = engine.layer(engine.load(World("mailbox", NOW, {"gmail": rows}, owner=owner)))
    yield Mailbox(app, layer)
    layer.close()


@cache
def _engine() -> Engine:
    """One for all tests, which loads the same rows once."""
    return Engine()


def mail(number: int, address: str, subject: str, sent: str, body: str = "text", **more: Any) -> dict[str, Any]:
    values = {"id": f"{number:08d}", "folder": "inbox", "address": address, "subject": subject, "body": body}
    return {**values, "sent_datetime": f"{sent}:00", **more}


INES, TARIQ, SAM, LEE = (f"{name}@harbor.example" for name in ("ines.okafor", "tariq.lund", "sam.lund", "lee.park"))
ROWS: dict[str, list[dict[str, Any]]] = {
    "emails": [
        mail(1, INES, "Budget 2024", "2023-11-01 10:00", "The draft is attached."),
        mail(2, INES, "Budget 2024", "2023-11-02 09:30", "One question: travel?", folder="outbox", thread="00000001"),
        mail(3, TARIQ, "Budget 2024", "2023-11-03 16:00", "Final numbers.", thread="00000001", cc=[INES]),
        mail(4, "digest@news.example", "Weekly digest", "2023-11-10 06:00", "Budget airlines (top 5) - see 12:30."),
        mail(5, TARIQ, "Lunch?", "2023-11-20 11:45", "At noon?", starred=True),
        mail(6, SAM, "Offsite plan", "2023-11-25 14:00", "Plan below.", folder="outbox", cc=[TARIQ]),
        mail(7, "billing@vendor.example", "Invoice 17", "2022-10-05 08:00", "Total: 1,200 EUR."),
        mail(8, SAM, "Re: Offsite plan", "2023-11-29 17:20", "The annual report is late.", thread="00000006"),
        mail(9, LEE, "Old contract", "2021-01-15 12:00", "Report, annual."),
    ],
    "envelopes": [
        {"id": "00000001", "sender_name": "Ines Okafor"},
        {"id": "00000006", "to": [SAM, LEE]},
        {"id": "00000008", "to": [MIRA.address, LEE], "sender_name": "Sam Lund"},
        {"id": "00000009", "sender_name": "Robert Park"},
    ],
    "threads": [
        {"id": "00000004", "read": False, "category": "promotions"},
        {"id": "00000006", "read": False},
        {"id": "00000007", "archived": True, "category": "updates"},
        {"id": "00000009", "starred": True},
    ],
    "labels": [{"id": "L1", "name": "Receipts"}, {"id": "L2", "name": "To do"}, {"id": "L3", "name": "Empty"}],
    "thread_labels": [
        {"id": "TL1", "thread": "00000007", "label": "Receipts"},
        {"id": "TL2", "thread": "00000009", "label": "To do"},
        {"id": "TL3", "thread": "00000001", "label": "To do"},
    ],
    "attachments": [
        {"id": "F1", "email": "00000001", "name": "budget.csv", "type": "text/csv", "text": "item,eur\ntravel,900\n"},
        {"id": "F2", "email": "00000006", "name": "plan.md", "type": "text/markdown", "text": "# Plan\n"},
    ],
    "drafts": [
        {"id": "D1", "address": INES, "subject": "Budget follow-up", "body": "Hi", "saved": "2023-11-29T18:00:00"},
        {"id": "D2", "subject": "Notes", "body": "Later", "saved": "2023-11-28T18:00:00"},
    ],
    "trash": [
        mail(10, "junk@spam.example", "Cheap budget", "2023-11-15 03:00", trashed="2023-11-16T09:00:00"),
    ],
}


@pytest.fixture(scope="module")
def box() -> Iterator[Mailbox]:
    with mailbox(ROWS) as calls:
        yield calls


EVERYTHING = ["6", "5", "4", "1", "7", "9"]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("", EVERYTHING),
        ("budget", ["4", "1"]),
        ("BUDGET final", ["1"]),
        ("tariq", ["6", "5", "1"]),
        ('"annual report"', ["6"]),
        ("annual report", ["6", "9"]),
        ("(50%)", []),
        ("(top 5)", ["4"]),
        ("12:30", ["4"]),
        ("Re: plan", ["6"]),
        ("budget - airlines", ["4"]),
        ("from:ines", ["1"]),
        ("from: ines", ["1"]),
        ("FROM:Ines", ["1"]),
        ('from:"okafor ines"', ["1"]),
        ('from:"Ines Okafor <ines.okafor@harbor.example>"', ["1"]),
        ("from:robert", ["9"]),
        ("from:lund", ["6", "5", "1"]),
        ("from:me", ["6", "1"]),
        ("from:mira", ["6", "1"]),
        ("from:(ines OR lee)", ["1", "9"]),
        ("to:me", ["6", "5", "4", "1", "7", "9"]),
        ("to:ines", ["1"]),
        ("to:lee", ["6"]),
        ("to:robert", ["6"]),
        ("to:tariq", ["6"]),
        ("to:tariq -cc:tariq", []),
        ("to:ines in:inbox", ["1"]),
        ("cc:tariq", ["6"]),
        ("cc:ines.okafor@harbor.example", ["1"]),
        ("cc:me", []),
        ("subject:plan", ["6"]),
        ('subject:"offsite plan" from:me', ["6"]),
        ("subject:(weekly digest)", ["4"]),
        ("subject:report", []),
        ("has:attachment", ["6", "1"]),
        ("filename:BUDGET", ["1"]),
        ("filename:budget.csv -from:me", ["1"]),
        ("filename:nothing", []),
        ("-has:attachment", ["6", "5", "4", "1", "7", "9"]),
        ("is:unread", ["6", "4"]),
        ("is:read", ["5", "1", "7", "9"]),
        ("is:starred", ["5", "9"]),
        ("is:unread -category:promotions", ["6"]),
        ("in:inbox", ["6", "5", "4", "1", "9"]),
        ("in:sent", ["6", "1"]),
        ("in:archive", ["7"]),
        ("in:anywhere", ["D1", "6", "D2", "5", "10", "4", "1", "7", "9"]),
        ("in:trash", ["10"]),
        ("in:trash budget", ["10"]),
        ("-in:trash budget", ["4", "1"]),
        ("-in:inbox", ["6", "1", "7"]),
        ("in:drafts", ["D1", "D2"]),
        ("in:drafts to:ines", ["D1"]),
        ("budget OR in:trash", ["10", "4", "1"]),
        ("budget (in:drafts OR in:inbox)", ["D1", "4", "1"]),
        ("{lunch invoice}", ["5", "7"]),
        ("label:receipts", ["7"]),
        ("label:to-do", ["1", "9"]),
        ('label:"To do" is:starred', ["9"]),
        ("label:empty", []),
        ("category:primary", ["6", "5", "1", "9"]),
        ("category:updates", ["7"]),
        ("after:2023-11-20", ["6", "5"]),
        ("before:2022-10-05", ["7", "9"]),
        ("after:2023/11/01 before:2023/11/03", ["1"]),
        ("newer_than:5d", ["6"]),
        ("newer_than:1w", ["6"]),
        ("older_than:2m", ["7", "9"]),
        ("older_than:2y", ["9"]),
        ("older_than:9999y", []),
        ("older_than:9999999d", None),
        ("lunch OR invoice", ["5", "7"]),
        ("from:tariq lunch OR final", ["5", "1"]),
        ("lunch AND from:tariq", ["5"]),
        ("-(from:tariq OR from:me) in:inbox", ["6", "4", "1", "9"]),
        ("budget -airlines", ["1"]),
        ('-"final numbers" from:tariq', ["5"]),
        ("from:ines final", []),
        ("()", EVERYTHING),
        ("budget (-) -airlines", ["1"]),
        ('"from:"', []),
    ],
)
def test_a_query_finds_conversations_with_a_mail_that_fits_newest_first(
    box: Mailbox, query: str, ids: list[str] | None
) -> None:
    if ids is None:
        assert "is not an age" in box.refusal("find_emails", query=query)
    else:
        assert box.found(query) == ids


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("sender:ines", "there is no operator sender:, only from:, to:"),
        ("rfc822msgid:1", "there is no operator rfc822msgid:, only from:, to:"),
        ("from:", "from: needs a value, such as from:ines"),
        ('to:""', "to: needs a value"),
        ('cc:"<>"', "cc: '<>' names nobody"),
        ("from:()", "from: needs a value"),
        ("from:(to:me)", "to: stands inside the parentheses of from:"),
        ("is:important", "is:important is unknown; is: takes unread, read, starred"),
        ("in:spam", "in: takes inbox, sent, archive, trash, drafts, anywhere"),
        ("has:link", "has: takes attachment"),
        ("category:work", "category: takes primary, social, promotions, updates, forums"),
        ("label:taxes", "there is no label 'taxes'; labels there are: Empty, Receipts, To do"),
        ("after:yesterday", "after:yesterday is not a day; write after:2026-03-12"),
        ("after:2023-11-03 budget before:2023-11-02", "query: after:2023-11-03 is later than before:2023-11-02."),
        ("before:2023-11-31", "before:2023-11-31 is not a day"),
        ("newer_than:soon", "newer_than:soon is not an age"),
        ('"annual report', 'a quote is not closed; write "annual report"'),
        ("(budget", "'(' is not closed by ')'"),
        ("{budget)", "'{' is not closed by '}'"),
        ("budget)", "')' closes nothing that was opened"),
        ("budget OR", "OR needs something on both sides"),
        ("OR budget", "OR needs something on both sides"),
        ("budget OR (-)", "OR needs something on both sides"),
        ("() OR budget", "OR needs something on both sides"),
        ('budget OR ""', "OR needs something on both sides"),
        ("{budget (-)}", "OR needs something on both sides"),
        ('subject:("")', "subject: needs a value, such as subject:budget"),
        ("budget --", "- leaves out what follows it, and nothing does; write -airlines"),
        ("(budget --) plan", "- leaves out what follows it"),
        ("-", "- leaves out what follows it, and nothing does; write -airlines"),
        ("(-)", "- leaves out what follows it"),
        ("budget -(-)", "- leaves out what follows it"),
        ('-""', "- leaves out what follows it"),
        ("budget -OR plan", "- leaves out what follows it"),
        ("(" * 9 + ")" * 9, "nested more than 8 deep"),
        (" ".join(map(str, range(33))), "more than 32 words and operators"),
        ("x" * 1_001, "'query': string should have at most 1000 characters"),
    ],
)
def test_a_query_that_cannot_be_read_is_refused_with_what_can(box: Mailbox, query: str, problem: str) -> None:
    assert problem in box.refusal("find_emails", query=query)


def test_a_conversation_in_a_list_says_who_and_when_and_what_is_new(box: Mailbox) -> None:
    (item,) = box("find_emails", query="subject:offsite")["items"]

    assert item == {
        "id": "00000006",
        "email_id": "00000008",
        "from": "Sam Lund <sam.lund@harbor.example>",
        "subject": "Re: Offsite plan",
        "people": [
            "Mira Holt <mira@harbor.example>",
            "Sam Lund <sam.lund@harbor.example>",
            "to lee.park@harbor.example",
        ],
        "sent": "2023-11-29 17:20",
        "emails": 2,
        "marks": ["unread"],
        "text": "The annual report is late.",
    }


def test_a_detailed_list_names_attachments_too(box: Mailbox) -> None:
    (item,) = box("find_emails", query="label:to-do has:attachment", detail="detailed")["items"]

    assert (item["attachments"], item["labels"]) == (["F1 budget.csv (20 characters)"], ["To do"])


def test_mail_in_the_trash_and_drafts_are_marked_in_a_list(box: Mailbox) -> None:
    assert [item["marks"] for item in box("find_emails", query="in:trash OR in:drafts")["items"]] == [
        ["draft"],
        ["draft"],
        ["in the trash"],
    ]


def test_a_list_goes_on_where_its_page_ended() -> None:
    many = [mail(number, INES, "note", f"2023-10-{number:02d} 09:00") for number in range(1, 26)]

    with mailbox({"emails": many}) as box:
        first = box("find_emails", query="note")
        second = box("find_emails", query="note", skip=20)
    assert (first["shown"], first["next"], len(first["items"])) == ("1 to 20 of 25", "skip=20", 20)
    assert (second["shown"], second.get("next")) == ("21 to 25 of 25", None)


def test_mail_of_the_same_moment_is_last_row_first() -> None:
    same = [mail(number, INES, "note", "2023-10-01 09:00") for number in (3, 1, 2)]

    with mailbox({"emails": same}) as box:
        assert box.found("") == ["2", "1", "3"]


def test_the_mail_that_is_shown_of_a_conversation_is_named_also_where_it_is_the_first(box: Mailbox) -> None:
    (item,) = box("find_emails", query='"draft is attached"')["items"]

    assert (item["id"], item["email_id"], item["from"]) == ("00000001", "00000001", f"Ines Okafor <{INES}>")


def test_a_mailbox_of_nobody_in_particular_is_searched_all_the_same() -> None:
    with mailbox(ROWS, owner=None) as box:
        assert box.found("from:me") == ["6", "1"]
        assert box.found("to:me") == ["5", "4", "1", "7", "9"]
        assert box.found("cc:me OR from:mira") == []


def test_brackets_are_words_to_look_for_and_not_how_lists_of_people_are_kept() -> None:
    with mailbox(
        {"emails": [mail(1, INES, "[draft] plan", "2023-11-01 09:00"), mail(2, INES, "Lunch", "2023-11-02 09:00")]}
    ) as box:
        assert box.found("[") == ["1"]
