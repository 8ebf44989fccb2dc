"""Archive, trash, labels and marks, through the surface for models at work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.apps.test_gmail_search import INES, ROWS, Mailbox, mail, mailbox


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mailbox(ROWS) as calls:
        yield calls


def test_conversations_go_into_the_archive_and_come_back(box: Mailbox) -> None:
    done = box("archive_emails", conversation_ids=["00000008", "00000005", "00000007"])

    assert done == {"changed": ["00000006", "00000005"], "unchanged": ["00000007"]}
    assert box.found("in:archive") == ["6", "5", "7"]
    assert box.found("in:inbox") == ["4", "1", "9"]
    assert box.found("") == ["6", "5", "4", "1", "7", "9"]
    assert box.rows("threads")["00000005"] == {
        "archived": True,
        "read": True,
        "starred": False,
        "category": "primary",
    }

    box("archive_emails", conversation_ids=["00000006", "00000007"], archived=False)
    assert box.found("in:archive") == ["5"]


def test_what_is_so_already_leaves_no_row(box: Mailbox) -> None:
    box("archive_emails", conversation_ids=["00000005"], archived=False)
    box("mark_emails", conversation_ids=["00000005"], read=True, starred=True)

    assert box.layer.changes() == []


def test_a_conversation_is_marked_as_read_and_as_unread(box: Mailbox) -> None:
    box("mark_emails", conversation_ids=["00000004", "00000006"], read=True)
    box("mark_emails", conversation_ids=["00000001"], read=False)

    assert box.found("is:unread") == ["1"]


def test_a_star_is_given_to_a_conversation_and_taken_from_all_its_mails(box: Mailbox) -> None:
    box("mark_emails", conversation_ids=["00000001"], starred=True)
    assert box.found("is:starred") == ["5", "1", "9"]

    done = box("mark_emails", conversation_ids=["00000001", "00000005", "00000009", "00000007"], starred=False)
    assert done == {"changed": ["00000001", "00000005", "00000009"], "unchanged": ["00000007"]}
    assert box.found("is:starred") == []


def test_a_mail_in_the_trash_is_found_there_alone_whatever_the_surface(box: Mailbox) -> None:
    assert box("delete_emails", email_ids=["00000003"]) == {"changed": ["00000003"]}

    assert box.found("final") == []
    assert box.found("in:trash final") == ["1"]
    assert [item["id"] for item in box("get_conversation", email_id="00000001")["emails"]] == ["00000001", "00000002"]
    assert box("get_conversation", email_id="00000003")["emails"][0]["text"] == "Final numbers."
    for toolset in ("workbench", "threads"):
        box.toolset = toolset
        assert box("search_emails", query="final") == []


def test_what_was_in_the_trash_is_restored_as_it_was(box: Mailbox) -> None:
    before = box("get_conversation", email_id="00000001")
    gone = box("delete_emails", conversation_ids=["00000001"])["changed"]
    assert (gone, box.found("in:trash")) == (["00000001", "00000002", "00000003"], ["10", "1"])
    assert box("get_conversation", email_id="00000001")["marks"] == ["in the trash"]

    box("delete_emails", conversation_ids=["00000001"], mode="restore")
    assert box("get_conversation", email_id="00000001") == before
    assert box.layer.changes() == []


def test_a_conversation_whose_first_mail_is_gone_keeps_its_id(box: Mailbox) -> None:
    box("delete_emails", email_ids=["00000001"], mode="forever")

    assert box.found("label:to-do") == ["1", "9"]
    assert [item["id"] for item in box("get_conversation", email_id="00000001")["emails"]] == ["00000002", "00000003"]
    assert "'00000001'" in box.refusal("get_conversation", email_id="00000001", alone=True)
    assert box("reply_to_email", email_id="00000002", text="t")["conversation_id"] == "00000001"


def test_what_is_deleted_for_good_takes_along_what_belonged_to_it(box: Mailbox) -> None:
    box("delete_emails", email_ids=["00000001"])
    done = box("delete_emails", conversation_ids=["00000001"], email_ids=["00000009"], mode="forever")

    assert done == {"changed": ["00000002", "00000003", "00000001", "00000009"]}
    gone = {(change.table, change.id) for change in box.layer.changes() if change.after is None}
    assert gone == {
        *(("emails", f"0000000{number}") for number in (1, 2, 3, 9)),
        ("envelopes", "00000001"),
        ("envelopes", "00000009"),
        ("attachments", "F1"),
        ("thread_labels", "TL2"),
        ("thread_labels", "TL3"),
        ("threads", "00000009"),
    }


def test_a_mail_deleted_for_good_from_an_old_world_is_all_that_changes() -> None:
    with mailbox({"emails": [mail(1, INES, "a", "2023-11-01 10:00")]}) as box:
        box("delete_emails", email_ids=["00000001"], mode="forever")

        assert [(change.table, change.op) for change in box.layer.changes()] == [("emails", "delete")]


def test_a_draft_is_discarded_for_good(box: Mailbox) -> None:
    box("save_draft", draft_id="D1", attachments=[{"name": "a.txt", "text": "a"}])
    box("delete_emails", email_ids=["D1"])

    assert box.rows("drafts") == {"D1": {}}
    assert box.rows("attachments") == {}
    assert box.found("in:drafts OR in:trash") == ["D2", "10"]


def test_a_label_is_made_when_first_given_and_named_without_regard_to_case(box: Mailbox) -> None:
    done = box("label_emails", conversation_ids=["00000004", "00000005"], add=["Travel", "to-do"], remove=["receipts"])

    assert done == {"changed": ["00000004", "00000005"], "new_labels": ["Travel"]}
    assert box.found("label:travel label:to-do") == ["5", "4"]
    again = box("label_emails", conversation_ids=["00000004"], add=["TRAVEL"])
    assert again == {"changed": [], "unchanged": ["00000004"]}


def test_labels_are_listed_with_how_much_has_them(box: Mailbox) -> None:
    box("mark_emails", conversation_ids=["00000009"], read=False)
    box("delete_emails", conversation_ids=["00000007"])

    assert box("find_labels")["items"] == [
        {"name": "Empty", "conversations": 0, "unread": 0},
        {"name": "Receipts", "conversations": 0, "unread": 0},
        {"name": "To do", "conversations": 2, "unread": 1},
    ]
    assert [item["name"] for item in box("find_labels", query="TO ")["items"]] == ["To do"]


def test_a_label_is_removed_from_all_while_the_list_is_by_that_label() -> None:
    many = [mail(number, INES, f"note {number}", f"2023-10-{number:02d} 09:00") for number in range(1, 26)]
    rows = {
        "emails": many,
        "labels": [{"id": "L1", "name": "Todo"}],
        "thread_labels": [{"id": f"TL{number}", "thread": f"{number:08d}", "label": "Todo"} for number in range(1, 26)],
    }
    with mailbox(rows) as box:
        seen: list[str] = []
        while items := box("find_emails", query="label:todo")["items"]:
            ids = [item["id"] for item in items]
            assert box("label_emails", conversation_ids=ids, remove=["todo"])["changed"] == ids
            seen += ids
        assert sorted(seen) == [row["id"] for row in many]
        assert "first page again" in box.app.default.tool("label_emails").description
        assert box("find_labels")["items"] == [{"name": "Todo", "conversations": 0, "unread": 0}]


ONE: dict[str, Any] = {"conversation_ids": ["00000001"]}


@pytest.mark.parametrize(
    ("tool", "arguments", "problem"),
    [
        ("archive_emails", {"conversation_ids": []}, "conversation_ids has 0 ids; give 1 to 50"),
        ("archive_emails", {"conversation_ids": ["00000001"] * 51}, "conversation_ids has 51 ids; give 1 to 50"),
        ("archive_emails", {"conversation_ids": ["00000001", "98", "99"]}, "no email has the id '98', '99'"),
        ("archive_emails", {"conversation_ids": ["D1"]}, "No email has the id 'D1'"),
        ("mark_emails", ONE, "Neither read nor starred is given"),
        ("mark_emails", {"conversation_ids": ["99"], "read": True}, "No email has the id '99'"),
        ("label_emails", ONE, "add and remove are both empty"),
        (
            "label_emails",
            {**ONE, "add": [f"l{n}" for n in range(21)]},
            "have 21 labels; they may have 20",
        ),
        ("label_emails", {**ONE, "add": [" "]}, "add: a label has 1 to 100 characters, not 0"),
        ("label_emails", {**ONE, "add": ["a\nb"]}, "add has a line break"),
        ("label_emails", {**ONE, "add": ["x" * 101]}, "not 101"),
        ("label_emails", {**ONE, "add": ["Inbox"]}, "'Inbox' is not a label; `archive_emails` with archived=false"),
        ("label_emails", {**ONE, "add": ["UNREAD"]}, "'UNREAD' is not a label; `mark_emails` with read=false"),
        ("label_emails", {**ONE, "remove": ["Taxes"]}, "there is no label 'Taxes'; labels there are: Empty, Receipts"),
        ("label_emails", {**ONE, "add": ["to do"], "remove": ["To-Do"]}, "To do is in add and in remove"),
        ("label_emails", {"conversation_ids": ["00000001", "99"], "add": ["New"]}, "No email has the id '99'"),
        ("delete_emails", {}, "conversation_ids and email_ids have 0 ids; give 1 to 50"),
        ("delete_emails", {"email_ids": ["00000001", "99"]}, "No email in the mailbox has the id '99'"),
        ("delete_emails", {"email_ids": ["00000010"]}, "No email in the mailbox has the id '00000010'"),
        ("delete_emails", {"email_ids": ["00000010", "99"]}, "In the trash already: '00000010'. Nothing was changed"),
        ("delete_emails", {"conversation_ids": ["00000010"]}, "No email in the mailbox has the id '00000010'"),
        ("delete_emails", {"email_ids": ["00000001"], "mode": "restore"}, "No email in the trash has the id"),
        ("delete_emails", {"email_ids": ["D1"], "mode": "restore"}, "No email in the trash has the id 'D1'"),
        ("delete_emails", {"email_ids": ["D9"], "mode": "forever"}, "in the mailbox or the trash has the id 'D9'"),
        ("delete_emails", {"email_ids": ["00000001"], "mode": "burn"}, "'mode'"),
        ("find_labels", {"skip": -1}, "'skip'"),
    ],
)
def test_what_cannot_be_is_refused_by_name_with_nothing_changed(
    box: Mailbox, tool: str, arguments: dict[str, Any], problem: str
) -> None:
    assert problem in box.refusal(tool, **arguments)
