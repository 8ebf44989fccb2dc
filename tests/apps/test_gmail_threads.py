"""The surface of mail with stars, conversations and copies, over the table that `workbench` has too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.gmail import Email, app
from servers.gmail.tables import Attachment
from tests.apps.desk import Desk, desk
from tests.apps.test_gmail import MAILS


class Threads(Desk):
    """Calls the tools of `threads`."""

    toolset = "threads"


@pytest.fixture
def gmail() -> Iterator[Threads]:
    with desk(app, {"emails": MAILS}, kind=Threads) as calls:
        yield calls


def subjects(found: list[dict[str, Any]]) -> list[str]:
    return [mail["subject"] for mail in found]


def test_a_star_is_given_found_and_taken_away(gmail: Threads) -> None:
    assert gmail("star_email", email_id="00000003")["starred"] is True
    assert subjects(gmail("search_emails", starred=True)) == ["Old figures"]
    assert len(gmail("search_emails", starred=False)) == 3

    gmail("star_email", email_id="00000003", starred=False)
    assert gmail("search_emails", starred=True) == []
    assert gmail.layer.changes() == []


def test_a_search_finds_words_in_subject_body_and_address_newest_first(gmail: Threads) -> None:
    assert subjects(gmail("search_emails", query="FIGURES")) == ["budget", "Figures (50%)", "Old figures"]
    assert subjects(gmail("search_emails", query="tariq@")) == ["Lunch"]
    assert len(gmail("search_emails")) == 4


def test_a_search_is_narrowed_by_folder_address_and_days(gmail: Threads) -> None:
    gmail("send_email", to="new@harbor.example", subject="s", body="b")
    every = gmail("search_emails")
    newest = every[0]

    for field in ("folder", "address"):
        given = newest[field].upper() if field == "address" else newest[field]
        same = [mail for mail in every if mail[field].lower() == newest[field].lower()]
        assert 0 < len(same) < len(every)
        assert gmail("search_emails", **{field: given}) == same
    day = newest["sent_datetime"][:10]
    assert gmail("search_emails", date_min=day) == [mail for mail in every if mail["sent_datetime"] >= day]
    assert "is not a date" in gmail.refusal("search_emails", date_max="soon")
    assert "33 different words" in gmail.refusal("search_emails", query=" ".join(map(str, range(33))))


def test_an_answer_without_a_subject_has_that_of_the_mail_it_answers(gmail: Threads) -> None:
    first = gmail("send_email", to="ines@harbor.example", body="Yes.", reply_to="00000002")
    second = gmail("send_email", to="ines@harbor.example", body="And?", reply_to=first["id"])

    assert (first["subject"], second["subject"]) == ("budget", "budget")
    assert gmail.refusal("send_email", to="ines@harbor.example", body="Yes.") == "subject must not be empty."


def test_a_mail_is_forwarded_whole_below_a_note(gmail: Threads) -> None:
    (mail,) = gmail("search_emails", query="lunch")
    plain = gmail("forward_email", email_id=mail["id"], to="Ines@harbor.example")
    noted = gmail("forward_email", email_id=mail["id"], to="ines@harbor.example", note="Coming?", cc=["a@b.c"])

    assert (plain["subject"], plain["body"], plain["address"]) == ("FW: Lunch", mail["body"], "ines@harbor.example")
    assert (noted["body"], noted["cc"], noted["thread"]) == (f"Coming?\n\n{mail['body']}", ["a@b.c"], None)


def test_a_deleted_mail_is_gone(gmail: Threads) -> None:
    assert gmail("delete_email", email_id="00000003")["subject"] == "Old figures"
    assert subjects(gmail("search_emails", query="old")) == []
    assert "No email has the id '00000003'" in gmail.refusal("delete_email", email_id="00000003")


def test_an_answer_joins_the_conversation_of_the_mail_it_answers(gmail: Threads) -> None:
    first = gmail("send_email", to="ines@harbor.example", subject="Re: budget", body="Yes.", reply_to="00000002")
    second = gmail("send_email", to="ines@harbor.example", subject="Re: Re", body="And?", reply_to=first["id"])

    assert (first["thread"], second["thread"]) == ("00000002", "00000002")
    for member in ("00000002", first["id"], second["id"]):
        assert subjects(gmail("read_thread", email_id=member)) == ["budget", "Re: budget", "Re: Re"]


def test_a_mail_that_stands_alone_is_its_own_conversation(gmail: Threads) -> None:
    assert subjects(gmail("read_thread", email_id="00000007")) == ["Lunch"]


def test_copies_are_kept_once_in_lower_case(gmail: Threads) -> None:
    copies = ["Tariq@harbor.example", "mira@harbor.example", "tariq@harbor.example"]
    sent = gmail("send_email", to="Ines@harbor.example", subject="s", body="b", cc=copies)

    assert (sent["address"], sent["cc"]) == ("ines@harbor.example", ["tariq@harbor.example", "mira@harbor.example"])
    assert (sent["folder"], sent["sent_datetime"], sent["thread"]) == ("outbox", "2023-11-30 08:15:00", None)


def test_what_cannot_be_sent_is_refused_with_nothing_changed(gmail: Threads) -> None:
    mail = {"to": "ines@harbor.example", "subject": "s", "body": "b"}

    assert "'ines' is not an e-mail address" in gmail.refusal("send_email", **{**mail, "cc": ["ines"]})
    assert "cc has 51 addresses; it may have 50" in gmail.refusal("send_email", **mail, cc=["a@b.c"] * 51)
    assert "No email has the id '99'" in gmail.refusal("send_email", **mail, reply_to="99")
    assert gmail.refusal("send_email", **{**mail, "body": ""}) == "body must not be empty."
    assert "subject has a line break" in gmail.refusal("send_email", **{**mail, "subject": "s\nt"})


def test_who_the_mail_is_for_gets_no_copy(gmail: Threads) -> None:
    copies = ["INES@harbor.example", "a@b.c"]

    assert gmail("send_email", to="Ines@harbor.example", subject="s", body="b", cc=copies)["cc"] == ["a@b.c"]


def test_of_mails_of_one_moment_the_last_stands_first_and_does_not_fall_off(gmail: Threads) -> None:
    for number in range(21):
        gmail("send_email", to="ines@harbor.example", subject=f"{number}", body="b")

    assert subjects(gmail("search_emails")) == [f"{number}" for number in range(20, 0, -1)]


def test_attachments_are_forwarded() -> None:
    file = {"id": "F1", "email": "00000002", "name": "plan.md", "text": "# Plan"}
    with desk(app, {"emails": MAILS, "attachments": [file]}, kind=Threads) as calls:
        sent = calls("forward_email", email_id="00000002", to="ines@harbor.example")

        (copy,) = calls.layer.state(app).find(Attachment, "email = ?", [sent["id"]])
        assert (copy.name, copy.text) == ("plan.md", "# Plan")


def test_the_surface_of_the_paper_neither_shows_nor_sets_the_new_fields(gmail: Threads) -> None:
    gmail("send_email", to="ines@harbor.example", subject="Copied", body="b", cc=["x@y.z"], reply_to="00000002")
    paper = Desk(app, gmail.layer)
    paper("send_email", recipient="ines@harbor.example", subject="Plain", body="b")
    fields = {"email_id", "inbox/outbox", "sender/recipient", "subject", "sent_datetime", "body"}

    assert {field for mail in paper("search_emails", query="") for field in mail} == fields
    (plain,) = [change.after for change in gmail.layer.changes() if (change.after or {})["subject"] == "Plain"]
    assert plain is not None
    assert {name: plain[name] for name in Email.defaults() | {"thread": None}} == {
        "starred": False,
        "thread": None,
        "cc": [],
    }
