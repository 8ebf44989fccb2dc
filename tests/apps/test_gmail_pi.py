"""The rows of the paper's table for mail, each with what it changes; accounts; and what others call our tools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.gmail import app
from servers.gmail.official import NOT_OFFERED, OFFICIAL
from servers.kernel import Owner
from tests.apps.test_gmail_search import INES, LEE, MIRA, ROWS, SAM, TARIQ, Mailbox, mail, mailbox

ACCOUNTS = [
    {"id": "A1", "username": "sam", "password": "pens", "name": "Sam Lund"},
    {"id": "A2", "username": "Mira@harbor.example", "password": "oak", "name": "Mira Holt"},
]


class Paper(Mailbox):
    """Calls the tools of `pi`."""

    toolset = "pi"


def paper(box: Mailbox) -> Paper:
    return Paper(box.app, box.layer)


@pytest.fixture
def pi() -> Iterator[Paper]:
    with mailbox(ROWS) as box:
        yield paper(box)


@pytest.fixture
def guarded() -> Iterator[Paper]:
    """The same mailbox, whose owner has to log in."""
    with mailbox({**ROWS, "accounts": ACCOUNTS}) as box:
        yield paper(box)


def ids(page: dict[str, Any]) -> list[str]:
    return [item["id"].lstrip("0") for item in page["items"]]


PLAIN = [
    ("archive_thread", {"thread_id": "00000006"}, ["~threads"]),
    ("create_draft", {"to": ["ines"], "subject": "s", "text": "t"}, ["+drafts"]),
    ("forward_thread", {"thread_id": "00000003", "to": ["sam lund"]}, ["+attachments", "+emails"]),
    ("forward_thread", {"thread_id": "00000005", "to": ["sam lund"], "text": "See"}, ["+emails"]),
    ("label_thread", {"thread_id": "00000004", "label": "receipts"}, ["+thread_labels"]),
    ("label_thread", {"thread_id": "00000004", "label": "News"}, ["+labels", "+thread_labels"]),
    ("label_thread", {"thread_id": "00000007", "label": "receipts"}, []),
    ("mark_read", {"thread_id": "00000008"}, ["~threads"]),
    ("mark_unread", {"thread_id": "00000007"}, ["~threads"]),
    ("mark_unread", {"thread_id": "00000005"}, ["+threads"]),
    ("remove_label", {"thread_id": "00000003", "label": "to do"}, ["-thread_labels"]),
    ("remove_label", {"thread_id": "00000007", "label": "to do"}, []),
    ("reply_to_email", {"email_id": "00000003", "text": "t"}, ["+emails"]),
    ("send_draft", {"draft_id": "D1"}, ["+emails", "-drafts"]),
    ("send_email", {"to": [INES], "subject": "s", "text": "t"}, ["+emails", "+threads"]),
    ("sign_up", {"username": "lee", "password": "x", "name": "Lee"}, ["+accounts"]),
    ("star_thread", {"thread_id": "00000007"}, ["~threads"]),
    ("star_thread", {"thread_id": "00000009"}, []),
    ("update_draft", {"draft_id": "D1", "text": "Dear Ines"}, ["~drafts"]),
]


@pytest.mark.parametrize(("tool", "arguments", "changes"), PLAIN)
def test_a_row_of_the_table_changes_what_it_says(
    pi: Paper, tool: str, arguments: dict[str, Any], changes: list[str]
) -> None:
    pi(tool, **arguments)

    signs = {"insert": "+", "delete": "-", "update": "~"}
    assert sorted(f"{signs[change.op]}{change.table}" for change in pi.layer.changes()) == changes


VIEWS = [
    ("search_labels", {"query": "re"}),
    ("search_users", {"query": "lund"}),
    ("view_category_sizes", {}),
    ("view_draft", {"draft_id": "D1"}),
    ("view_drafts", {}),
    ("view_email", {"email_id": "00000002"}),
    ("view_inbox_threads", {}),
    ("view_outbox_threads", {}),
    ("view_starred_threads", {}),
    ("view_thread", {"thread_id": "00000002"}),
]


@pytest.mark.parametrize(("tool", "arguments"), VIEWS)
def test_a_view_wants_a_login_where_there_are_accounts_and_changes_nothing(
    guarded: Paper, tool: str, arguments: dict[str, Any]
) -> None:
    assert "Nobody is logged in; use `log_in`" in guarded.refusal(tool, **arguments)

    guarded("log_in", username="mira@harbor.example", password="oak")
    before = guarded.layer.digest()
    assert guarded(tool, **arguments)
    assert guarded.layer.digest() == before


@pytest.mark.parametrize(("tool", "arguments"), [(tool, given) for tool, given, _ in PLAIN if tool != "sign_up"])
def test_what_changes_mail_wants_a_login_where_there_are_accounts(
    guarded: Paper, tool: str, arguments: dict[str, Any]
) -> None:
    assert "Nobody is logged in" in guarded.refusal(tool, **arguments)


def test_every_row_of_the_table_is_a_tool_and_tried_here() -> None:
    tried = {tool for tool, *_ in PLAIN} | {tool for tool, _ in VIEWS} | {"log_in", "log_out"}

    assert set(OFFICIAL["pi"]) == set(app.toolset("pi").tools) == tried
    assert len(tried) == 25


def test_whoever_is_logged_in_sees_their_own_mailbox_alone(guarded: Paper) -> None:
    assert guarded("log_in", username="SAM", password="pens") == "Logged in as sam."
    assert "sam has no mail here; `log_in` as Mira@harbor.example" in guarded.refusal("view_inbox_threads")

    guarded("log_in", username="Mira@harbor.example", password="oak")
    assert [row for row in guarded.rows("logins").values() if row] == [{"username": "Mira@harbor.example"}]
    assert guarded("log_out") == "Logged out."
    assert "Nobody is logged in" in guarded.refusal("view_drafts")
    assert guarded.refusal("log_out") == "Nobody is logged in."
    assert "No account has that username and password" in guarded.refusal("log_in", username="sam", password="oak")


def test_the_first_account_has_the_mail_where_none_has_the_owners_address() -> None:
    with mailbox({**ROWS, "accounts": ACCOUNTS[:1]}, owner=Owner(name="Jo", address="jo@harbor.example")) as box:
        pi = paper(box)
        pi("log_in", username="sam", password="pens")
        assert pi("view_drafts")["shown"] == "1 to 2 of 2"


def test_an_account_is_made_once_and_logs_in(guarded: Paper) -> None:
    assert "The account 'lee' was made" in guarded("sign_up", username=" lee ", password="x")
    assert "there is an account 'LEE' already" in guarded.refusal("sign_up", username="LEE", password="y")
    assert "username must not be empty" in guarded.refusal("sign_up", username=" ", password="y")
    assert "'password': string should have at most 200 characters" in guarded.refusal(
        "sign_up", username="a", password="y" * 201
    )
    assert guarded("log_in", username="lee", password="x") == "Logged in as lee."


def test_lists_show_threads_of_inbox_outbox_stars_and_drafts(pi: Paper) -> None:
    assert ids(pi("view_inbox_threads")) == ["6", "5", "4", "1", "9"]
    assert ids(pi("view_outbox_threads")) == ["6", "1"]
    assert ids(pi("view_starred_threads")) == ["5", "9"]
    assert ids(pi("view_drafts")) == ["D1", "D2"]


def test_an_archived_thread_leaves_the_inbox_and_its_category(pi: Paper) -> None:
    assert {size["category"]: (size["threads"], size["unread"]) for size in pi("view_category_sizes")} == {
        "primary": (4, 1),
        "social": (0, 0),
        "promotions": (1, 1),
        "updates": (0, 0),
        "forums": (0, 0),
    }
    assert pi("archive_thread", thread_id="00000004") == "Thread 00000004 is archived."
    assert pi("archive_thread", thread_id="00000004") == "Thread 00000004 is archived already."
    assert pi("view_category_sizes")[2] == {"category": "promotions", "threads": 0, "unread": 0}
    assert "4" not in ids(pi("view_inbox_threads"))


def test_people_and_labels_are_found_by_a_part_of_their_name(guarded: Paper) -> None:
    guarded("log_in", username="mira@harbor.example", password="oak")

    assert guarded("search_users", query="OKAFOR")["items"] == [{"name": "Ines Okafor", "address": INES}]
    assert [user["address"] for user in guarded("search_users", query="lund")["items"]] == [SAM, TARIQ]
    assert guarded("search_labels", query="rec")["items"] == [{"name": "Receipts", "threads": 1, "unread": 0}]


def test_a_name_that_only_an_account_says_can_be_written_to(guarded: Paper) -> None:
    guarded("log_in", username="mira@harbor.example", password="oak")
    guarded("sign_up", username="Zed@harbor.example", password="x", name="Zed Q")
    guarded("sign_up", username=TARIQ, password="x", name="Tariq L")

    assert guarded("search_users", query="zed")["items"] == [{"name": "Zed Q", "address": "zed@harbor.example"}]
    sent = guarded("send_email", to=["Zed Q", "Tariq L"], subject="s", text="t")
    assert sent["to"] == ["zed@harbor.example", TARIQ]


def test_a_username_that_is_no_address_is_not_shown_as_one(guarded: Paper) -> None:
    guarded("log_in", username="mira@harbor.example", password="oak")
    guarded("sign_up", username="zed", password="x", name="Zed Q")

    assert guarded("search_users", query="zed")["shown"] == "nothing found"


def test_an_answer_whose_subject_was_emptied_is_not_sent(pi: Paper) -> None:
    draft = pi("create_draft", email_id="00000003", text="Fine.")["id"]
    pi("update_draft", draft_id=draft, subject="")

    assert pi.refusal("send_draft", draft_id=draft) == "subject must not be empty."


def test_an_answer_to_a_mail_without_a_subject_needs_none() -> None:
    with mailbox({"emails": [mail(1, INES, "", "2023-11-01 09:00")]}) as box:
        pi = paper(box)
        draft = pi("create_draft", email_id="00000001", text="Fine.")["id"]

        assert pi("send_draft", draft_id=draft)["subject"] == ""


def test_a_label_is_named_as_it_is_written_whether_a_thread_has_it_or_not(pi: Paper) -> None:
    assert pi("label_thread", thread_id="00000004", label="to-do") == "Thread 00000004 has the label To do."
    assert pi("label_thread", thread_id="00000004", label="TO DO") == "Thread 00000004 has the label To do already."
    assert (
        pi("remove_label", thread_id="00000004", label="receipts") == "Thread 00000004 did not have the label Receipts."
    )


def test_a_thread_is_sent_on_in_one_email_with_who_wrote_what(pi: Paper) -> None:
    sent = pi("forward_thread", thread_id="00000002", to=["lee.park@harbor.example"], text="All of it:")

    assert (sent["to"], sent["subject"], sent["thread_id"]) == ([LEE], "FW: Budget 2024", "00000001")
    assert sent["attachments"] == ["F3 budget.csv (20 characters)"]
    assert pi.rows("emails")[sent["id"]]["body"] == (
        f"All of it:\n\nFrom: Ines Okafor <{INES}>\nSent: 2023-11-01 10:00\n\nThe draft is attached."
        f"\n\nFrom: Mira Holt <{MIRA.address}>\nSent: 2023-11-02 09:30\n\nOne question: travel?"
        f"\n\nFrom: {TARIQ}\nSent: 2023-11-03 16:00\n\nFinal numbers."
    )
    alone = pi("forward_thread", thread_id="00000005", to=[INES])
    assert pi.rows("emails")[alone["id"]]["body"] == "At noon?"


def test_a_draft_is_made_as_an_answer_changed_and_sent_in_the_thread(pi: Paper) -> None:
    draft = pi("create_draft", email_id="00000003", text="Fine.", cc=["sam lund"])
    assert (draft["to"], draft["cc"], draft["subject"]) == ([TARIQ], [SAM], "Budget 2024")

    pi("update_draft", draft_id=draft["id"], to=[INES], cc=[], text="Fine with me.")
    (email,) = pi("view_draft", draft_id=draft["id"])["emails"]
    assert (email["to"], email.get("cc"), email["text"]) == ([INES], None, "Fine with me.")
    assert pi("send_draft", draft_id=draft["id"])["thread_id"] == "00000001"


def test_answers_go_to_the_sender_or_to_everybody(pi: Paper) -> None:
    assert pi("reply_to_email", email_id="00000008", text="t")["to"] == [SAM]
    assert pi("reply_to_email", email_id="00000008", text="t", all=True)["to"] == [SAM, LEE]


def test_threads_and_emails_are_read(pi: Paper) -> None:
    assert [email["id"] for email in pi("view_thread", thread_id="00000001")["emails"]] == [
        "00000001",
        "00000002",
        "00000003",
    ]
    assert [email["text"] for email in pi("view_email", email_id="00000003")["emails"]] == ["Final numbers."]


def test_an_old_world_without_accounts_has_all_of_it() -> None:
    with mailbox({"emails": [mail(1, INES, "a", "2023-11-01 10:00")]}, owner=None) as box:
        pi = paper(box)
        assert ids(pi("view_inbox_threads")) == ["1"]
        pi("mark_unread", thread_id="00000001")
        assert pi("view_category_sizes")[0] == {"category": "primary", "threads": 1, "unread": 1}


@pytest.mark.parametrize(
    ("tool", "arguments", "problem"),
    [
        ("archive_thread", {"thread_id": "99"}, "No email has the id '99'"),
        ("create_draft", {}, "There is nothing to save"),
        ("create_draft", {"email_id": "99"}, "No email has the id '99'"),
        ("forward_thread", {"thread_id": "00000001", "to": []}, "to must not be empty"),
        ("forward_thread", {"thread_id": "00000010", "to": [INES]}, "thread_id: email '00000010' is in the trash"),
        ("reply_to_email", {"email_id": "00000010", "text": "t"}, "email_id: email '00000010' is in the trash"),
        ("create_draft", {"email_id": "00000010"}, "email_id: email '00000010' is in the trash; `view_email` shows it"),
        ("label_thread", {"thread_id": "00000001", "label": " "}, "label must not be empty"),
        (
            "label_thread",
            {"thread_id": "00000001", "label": "x" * 101},
            "'label': string should have at most 100",
        ),
        ("label_thread", {"thread_id": "00000001", "label": "a\nb"}, "label has a line break"),
        ("sign_up", {"username": "a\nb", "password": "x"}, "username has a line break"),
        ("sign_up", {"username": "a", "password": "x", "name": "A\nB"}, "name has a line break"),
        ("update_draft", {"draft_id": "D1", "subject": "\r\n"}, "subject has a line break"),
        ("remove_label", {"thread_id": "00000001", "label": "Taxes"}, "labels there are: Empty, Receipts, To do"),
        ("reply_to_email", {"email_id": "00000001", "text": ""}, "text must not be empty"),
        ("send_draft", {"draft_id": "D2"}, "to must not be empty"),
        ("send_email", {"to": ["lund"], "subject": "s", "text": "t"}, "to: 'lund' may be"),
        ("update_draft", {"draft_id": "D1"}, "There is nothing to save"),
        ("view_draft", {"draft_id": "00000001"}, "No draft has the id '00000001'"),
        ("view_email", {"email_id": "F1"}, "No email has the id 'F1'"),
        ("view_thread", {"thread_id": "99"}, "No email has the id '99'"),
    ],
)
def test_what_cannot_be_is_refused_by_name_with_nothing_changed(
    pi: Paper, tool: str, arguments: dict[str, Any], problem: str
) -> None:
    assert problem in pi.refusal(tool, **arguments)


def test_whatever_others_call_their_tools_is_a_tool_here_or_has_a_reason() -> None:
    for server, names in OFFICIAL.items():
        for theirs, ours in names.items():
            toolset, _, tool = ours.partition(".")
            assert bool(ours) != bool(NOT_OFFERED.get(theirs)), (server, theirs)
            assert not ours or tool in app.toolsets[toolset].tools, (server, theirs)
