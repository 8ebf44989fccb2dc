from collections.abc import Iterator

import pytest

from servers.gmail import Email, app
from tests.apps.desk import Desk, desk


def mail(
    number: int, subject: str, sent: str, body: str = "text", address: str = "ines@harbor.example"
) -> dict[str, str]:
    return {
        "id": f"{number:08d}",
        "folder": "inbox",
        "address": address,
        "subject": subject,
        "sent_datetime": sent,
        "body": body,
    }


MAILS = [
    mail(3, "Old figures", "2023-11-01 10:00:00"),
    mail(1, "Figures (50%)", "2023-11-02 10:00:00", body="The Budget is up."),
    mail(2, "budget", "2023-11-03 10:00:00", body="See figures."),
    mail(7, "Lunch", "2023-11-03 10:00:00", address="Tariq@Harbor.example"),
]


@pytest.fixture
def gmail() -> Iterator[Desk]:
    with desk(app, {"emails": MAILS}) as calls:
        yield calls


def found(gmail: Desk, **arguments: object) -> list[str]:
    return [record["email_id"].lstrip("0") for record in gmail("search_emails", **arguments)]


def test_an_email_is_shown_with_the_papers_field_names(gmail: Desk) -> None:
    assert gmail("search_emails", query="lunch") == [
        {
            "email_id": "00000007",
            "inbox/outbox": "inbox",
            "sender/recipient": "Tariq@Harbor.example",
            "subject": "Lunch",
            "sent_datetime": "2023-11-03 10:00:00",
            "body": "text",
        }
    ]


def test_one_field_is_read_by_its_paper_name(gmail: Desk) -> None:
    assert gmail("get_email_information_by_id", email_id="00000001", field="sender/recipient") == {
        "sender/recipient": "ines@harbor.example"
    }
    assert gmail("get_email_information_by_id", email_id="00000001", field="email_id") == {"email_id": "00000001"}


def test_an_unknown_field_is_refused_with_those_there_are(gmail: Desk) -> None:
    refusal = gmail.refusal("get_email_information_by_id", email_id="00000001", field="sender")

    assert "'sender/recipient'" in refusal


def test_a_search_finds_every_word_in_subject_body_or_address_in_any_order_and_case(gmail: Desk) -> None:
    assert found(gmail, query="FIGURES  budget") == ["2", "1"]
    assert found(gmail, query="tariq LUNCH") == ["7"]
    assert found(gmail, query="figures lunch") == []


def test_a_word_is_found_inside_another(gmail: Desk) -> None:
    assert found(gmail, query="udge") == ["2", "1"]


@pytest.mark.parametrize(("query", "ids"), [("(50%)", ["1"]), ("f.gures", []), ("%", ["1"]), ("_", []), ("'", [])])
def test_a_query_is_literal_text(gmail: Desk, query: str, ids: list[str]) -> None:
    assert found(gmail, query=query) == ids


def test_the_newest_come_first_and_the_same_moment_keeps_mailbox_order(gmail: Desk) -> None:
    assert found(gmail) == ["2", "7", "1", "3"]
    assert found(gmail, query=None) == ["2", "7", "1", "3"]


def test_a_search_gives_the_five_newest() -> None:
    many = [mail(number, "note", f"2023-10-{number:02d} 09:00:00") for number in range(1, 9)]

    with desk(app, {"emails": many}) as gmail:
        assert found(gmail, query="note") == ["8", "7", "6", "5", "4"]


def test_days_bound_a_search_inclusively_whatever_the_hour(gmail: Desk) -> None:
    assert found(gmail, date_min="2023-11-02", date_max="2023-11-02") == ["1"]
    assert found(gmail, date_min="2023-11-03 23:59:59") == ["2", "7"]
    assert found(gmail, date_max="2023-11-01", date_min=None) == ["3"]


@pytest.mark.parametrize("bound", ["date_min", "date_max"])
def test_a_day_that_does_not_exist_is_refused_by_name(gmail: Desk, bound: str) -> None:
    assert f"{bound} '2023-11-31' is not a date" in gmail.refusal("search_emails", **{bound: "2023-11-31"})


def test_a_query_of_too_many_words_is_refused(gmail: Desk) -> None:
    assert found(gmail, query="text " * 1_000) == ["7", "3"]
    assert "33 different words" in gmail.refusal("search_emails", query=" ".join(map(str, range(33))))


def test_a_sent_email_lies_in_the_outbox_dated_now_with_the_next_id(gmail: Desk) -> None:
    answer = gmail("send_email", recipient="Mei.Novak@Harbor.example", subject="Hi There", body="Hello")

    assert "00000008" in answer
    assert gmail.layer.state(app).get(Email, "00000008") == Email(
        id="00000008",
        folder="outbox",
        address="mei.novak@harbor.example",
        subject="Hi There",
        sent_datetime="2023-11-30 08:15:00",
        body="Hello",
    )


@pytest.mark.parametrize("recipient", ["mei", "mei@harbor", "harbor.example"])
def test_a_recipient_needs_an_at_sign_and_a_dot(gmail: Desk, recipient: str) -> None:
    assert recipient in gmail.refusal("send_email", recipient=recipient, subject="a", body="b")
    assert recipient in gmail.refusal("forward_email", email_id="00000001", recipient=recipient)


def test_an_empty_part_counts_as_missing(gmail: Desk) -> None:
    assert "subject and body" in gmail.refusal("send_email", recipient="a@b.example", subject="", body="")
    assert "email_id" in gmail.refusal("delete_email", email_id="")
    assert "body" in gmail.refusal("reply_email", email_id="00000001", body="")
    assert "'body' is required" in gmail.refusal("reply_email", email_id="00000001")


def test_a_search_after_a_send_finds_old_and_new_together(gmail: Desk) -> None:
    gmail("send_email", recipient="a@b.example", subject="figures again", body="new")

    assert found(gmail, query="figures") == ["8", "2", "1", "3"]


def test_a_send_after_a_delete_overwrites_nothing(gmail: Desk) -> None:
    gmail("delete_email", email_id="00000003")
    gmail("send_email", recipient="a@b.example", subject="new", body="new")

    assert [(change.id, change.op) for change in gmail.layer.changes()] == [
        ("00000003", "delete"),
        ("00000008", "insert"),
    ]


def test_the_id_of_a_deleted_email_does_not_come_back(gmail: Desk) -> None:
    gmail("send_email", recipient="a@b.example", subject="one", body="x")
    gmail("delete_email", email_id="00000008")

    assert "00000009" in gmail("send_email", recipient="a@b.example", subject="two", body="x")


def test_forwarding_keeps_the_body_and_marks_the_subject(gmail: Desk) -> None:
    assert "00000008" in gmail("forward_email", email_id="00000001", recipient="Mei@Harbor.example")

    new = gmail.layer.state(app).get(Email, "00000008")
    assert (new.folder, new.address, new.subject, new.body) == (
        "outbox",
        "mei@harbor.example",
        "FW: Figures (50%)",
        "The Budget is up.",
    )


def test_a_reply_goes_to_the_other_side_under_the_same_subject(gmail: Desk) -> None:
    assert "00000008" in gmail("reply_email", email_id="00000007", body="Gladly")

    new = gmail.layer.state(app).get(Email, "00000008")
    assert (new.address, new.subject, new.body) == ("tariq@harbor.example", "Lunch", "Gladly")


def test_a_deleted_email_is_gone(gmail: Desk) -> None:
    gmail("delete_email", email_id="00000002")

    assert found(gmail, query="budget") == ["1"]
    assert "'00000002'" in gmail.refusal("delete_email", email_id="00000002")
