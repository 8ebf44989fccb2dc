"""Reading and writing mail through the surface for models at work."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from servers.gmail import app
from servers.kernel import RESULT
from tests.apps.test_gmail import MAILS
from tests.apps.test_gmail_search import INES, LEE, MIRA, ROWS, SAM, TARIQ, Mailbox, mail, mailbox


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mailbox(ROWS) as calls:
        yield calls


def test_whoever_asks_for_no_toolset_gets_default() -> None:
    assert app.default is app.toolsets["default"]
    assert next(iter(app.toolsets)) == "workbench"
    assert len(app.default.tools) <= 13


def test_a_conversation_is_read_whole_oldest_first_by_the_id_of_any_mail_in_it(box: Mailbox) -> None:
    whole = box("get_conversation", email_id="00000001")

    assert whole == box("get_conversation", email_id="00000003")
    assert (whole["id"], whole["subject"], whole["labels"]) == ("00000001", "Budget 2024", ["To do"])
    assert whole["emails"] == [
        {
            "id": "00000001",
            "from": f"Ines Okafor <{INES}>",
            "to": [MIRA.address],
            "sent": "2023-11-01 10:00",
            "attachments": ["F1 budget.csv (20 characters)"],
            "text": "The draft is attached.",
        },
        {
            "id": "00000002",
            "from": f"Mira Holt <{MIRA.address}>",
            "to": [INES],
            "sent": "2023-11-02 09:30",
            "text": "One question: travel?",
        },
        {
            "id": "00000003",
            "from": TARIQ,
            "to": [MIRA.address],
            "cc": [INES],
            "sent": "2023-11-03 16:00",
            "text": "Final numbers.",
        },
    ]
    assert box.layer.changes() == []


def test_one_mail_of_a_conversation_is_read_alone(box: Mailbox) -> None:
    (item,) = box("get_conversation", email_id="00000002", alone=True)["emails"]

    assert item["text"] == "One question: travel?"


def test_what_a_mail_quotes_is_left_out_among_others_and_shown_alone() -> None:
    quoting = "Fine.\n\nOn 1 October 2023 at 09:00, Ines Okafor wrote:\n> Shall we?\n>\n> Ines"
    quotes_alone = "On 1 October 2023 at 09:00, Ines Okafor wrote:\n> Shall we?"
    rows = [mail(1, INES, "Plan", "2023-10-01 09:00", "Shall we?\n\nInes")]
    rows += [
        mail(number, INES, "Plan", f"2023-10-0{number} 09:00", body, thread="00000001")
        for number, body in ((2, quoting), (3, f"\n{quotes_alone}"), (4, f"{quotes_alone}\nNo."))
    ]
    with mailbox({"emails": rows}) as box:
        texts = [item["text"] for item in box("get_conversation", email_id="00000001")["emails"]]
        (alone,) = box("get_conversation", email_id="00000002", alone=True)["emails"]
        (found,) = box("find_emails", query="fine", detail="detailed")["items"]

    assert texts[1] == "Fine.\n[67 characters of an earlier email quoted here]"
    assert texts[2:] == [f"\n{quotes_alone}", f"{quotes_alone}\nNo."]
    assert (alone["text"], "Shall we" in found["text"]) == (quoting, False)


def test_a_mail_in_the_trash_and_a_draft_are_read_in_the_same_way(box: Mailbox) -> None:
    trashed, draft = (box("get_conversation", email_id=id) for id in ("00000010", "D1"))

    assert (trashed["marks"], trashed["emails"][0]["text"]) == (["in the trash"], "text")
    assert (draft["marks"], draft["emails"][0]["to"], draft["emails"][0]["text"]) == (["draft"], [INES], "Hi")


def test_a_mail_in_the_trash_is_answered_once_it_is_restored_as_the_refusal_says(box: Mailbox) -> None:
    said = box.refusal("reply_to_email", email_id="00000010", text="No.")
    assert said.endswith("restore it first, by `delete_emails` with email_ids=['00000010'] and mode='restore'.")

    box("delete_emails", email_ids=["00000010"], mode="restore")
    assert box("reply_to_email", email_id="00000010", text="No.")["conversation_id"] == "00000010"


def test_a_conversation_says_which_of_its_mails_are_elsewhere(box: Mailbox) -> None:
    box("delete_emails", email_ids=["00000003"])
    kept, trashed = (box("get_conversation", email_id=id) for id in ("00000001", "00000003"))

    assert kept["note"] == "Not shown, as it is in the trash: 00000003."
    assert trashed["note"] == "Not shown, as they are still in the mailbox: 00000001, 00000002."
    assert "note" not in box("get_conversation", email_id="00000001", alone=True)
    assert "note" not in box("get_conversation", email_id="00000006")


def test_a_mail_to_oneself_is_found_where_the_tool_says(box: Mailbox) -> None:
    box("send_email", to=[MIRA.address], subject="Note to self", text="Buy ink.")

    assert box.found("ink in:sent") != []
    assert box.found("ink in:inbox") == []
    assert "in:sent" in app.default.tool("send_email").description


def test_a_long_conversation_is_read_in_parts_that_lose_nothing() -> None:
    bodies = ["word " * 3_000, "> quoted\n" * 1_500, "", "ü\n" * 9_000, "end"]
    many = [
        mail(number, INES, "Long", f"2023-10-0{number} 09:00", body, **({"thread": "00000001"} if number > 1 else {}))
        for number, body in enumerate(bodies, 1)
    ]
    with mailbox({"emails": many}) as box:
        tool, state = app.default.tool("get_conversation"), box.layer.state(app)
        texts: dict[int, str] = dict.fromkeys(range(1, 6), "")
        skip: int | None = 0
        parts = 0
        while skip is not None:
            parts += 1
            result = tool.call(state, {"email_id": "00000001", "skip": skip})
            assert len(result.text) <= RESULT
            for item in result.data["emails"]:
                texts[int(item["id"])] += item["text"]
            skip = int(result.data["next"].removeprefix("skip=")) if "next" in result.data else None
        beyond = tool.call(state, {"email_id": "00000001", "skip": 999_999}).data

    assert [*texts.values()] == bodies
    assert parts == 3
    assert beyond["emails"] == []


def test_a_long_draft_and_a_long_attachment_are_read_in_parts(box: Mailbox) -> None:
    text = "a\n" * 20_000
    files = [{"name": "long.txt", "text": text}]
    (name,) = box("save_draft", draft_id="D1", text=text, attachments=files)["attachments"]

    assert name == "F3 long.txt (40,000 characters)"
    first = box("get_conversation", email_id="D1")
    rest = box("get_conversation", email_id="D1", skip=int(first["next"].removeprefix("skip=")))
    last = box("get_conversation", email_id="D1", skip=int(rest["next"].removeprefix("skip=")))
    assert "".join(each["emails"][0]["text"] for each in (first, rest, last)) == text
    begin = box("get_attachment", attachment_id="F3")
    assert begin["next"].endswith("characters are left: skip=14667")  # a line break is two characters of a result
    rest = box("get_attachment", attachment_id="F3", skip=14_667)
    last = box("get_attachment", attachment_id="F3", skip=int(rest["next"].rpartition("=")[2]))
    assert begin["text"] + rest["text"] + last["text"] == text


def test_an_attachment_is_read(box: Mailbox) -> None:
    assert box("get_attachment", attachment_id="F1") == {
        "id": "F1",
        "name": "budget.csv",
        "type": "text/csv",
        "email_id": "00000001",
        "text": "item,eur\ntravel,900\n",
    }


def test_a_mail_goes_to_several_by_name_or_address_with_copies_and_attachments(box: Mailbox) -> None:
    sent = box(
        "send_email",
        to=["Ines", "New.Partner@Else.example"],
        cc="sam lund",
        subject="Kick-off",
        text="On Monday.",
        attachments=[{"name": "agenda.md", "text": "# Agenda"}, {"name": "people.csv", "text": "name"}],
    )

    assert sent == {
        "id": "00000011",
        "conversation_id": "00000011",
        "subject": "Kick-off",
        "to": [INES, "new.partner@else.example"],
        "cc": [SAM],
        "attachments": ["F3 agenda.md (8 characters)", "F4 people.csv (4 characters)"],
    }
    assert box.rows("emails") == {
        "00000011": {
            "folder": "outbox",
            "address": INES,
            "subject": "Kick-off",
            "sent_datetime": "2023-11-30 08:15:00",
            "body": "On Monday.",
            "starred": False,
            "thread": None,
            "cc": [SAM],
        }
    }
    assert box.rows("envelopes")["00000011"]["to"] == [INES, "new.partner@else.example"]
    assert [row["type"] for row in box.rows("attachments").values()] == ["text/markdown", "text/csv"]
    assert box.found("to:partner has:attachment") == ["11"]


def test_a_mail_to_one_leaves_the_row_that_the_other_surfaces_leave() -> None:
    left = []
    for toolset, arguments in (
        ("workbench", {"recipient": "Ines@harbor.example", "body": "b"}),
        ("default", {"to": ["Ines@harbor.example"], "text": "b"}),
        ("threads", {"to": "Ines@harbor.example", "body": "b"}),
    ):
        with mailbox({"emails": copy.deepcopy(MAILS)}) as box:
            box.toolset = toolset
            box("send_email", subject="s", **arguments)
            left.append(box.layer.changes())

    assert left[0] == left[1] == left[2]


def test_an_answer_goes_to_the_sender_in_the_conversation(box: Mailbox) -> None:
    sent = box("reply_to_email", email_id="00000003", text="Thanks.")

    assert (sent["to"], sent.get("cc"), sent["conversation_id"]) == ([TARIQ], None, "00000001")
    assert sent["subject"] == "Budget 2024"
    assert [item["id"] for item in box("get_conversation", email_id="00000001")["emails"]][-1] == sent["id"]


def test_an_answer_to_all_goes_to_everybody_but_the_owner(box: Mailbox) -> None:
    to_three = box("reply_to_email", email_id="00000008", text="Soon.", all=True, cc=["ines"])
    copied = box("reply_to_email", email_id="00000003", text="Good.", all=True)

    assert (to_three["to"], to_three["cc"]) == ([SAM, LEE], [INES])
    assert (copied["to"], copied["cc"]) == ([TARIQ], [INES])


def test_an_answer_to_ones_own_mail_goes_to_those_it_went_to(box: Mailbox) -> None:
    plain = box("reply_to_email", email_id="00000006", text="And bring pens.")
    everybody = box("reply_to_email", email_id="00000006", text="And paper.", all=True)

    assert (plain["to"], plain.get("cc")) == ([SAM, LEE], None)
    assert (everybody["to"], everybody["cc"]) == ([SAM, LEE], [TARIQ])


def test_answers_go_out_from_a_mailbox_of_nobody_in_particular() -> None:
    with mailbox(ROWS, owner=None) as box:
        assert box("reply_to_email", email_id="00000005", text="Yes.", all=True)["to"] == [TARIQ]
        assert box("reply_to_email", email_id="00000008", text="Yes.", all=True)["to"] == [SAM, MIRA.address, LEE]
        assert box("get_conversation", email_id="00000005")["emails"][0]["to"] == ["me"]


def test_an_answer_to_a_mail_from_oneself_goes_to_oneself() -> None:
    with mailbox({"emails": [mail(1, MIRA.address, "Note", "2023-11-01 10:00")]}) as box:
        assert box("reply_to_email", email_id="00000001", text="Done.", all=True)["to"] == [MIRA.address]


def test_a_forgotten_attachment_follows_in_the_same_conversation(box: Mailbox) -> None:
    sent = box("send_email", to=["sam.lund@harbor.example", LEE], subject="Figures", text="The figures are attached.")
    files = [{"name": "figures.csv", "text": "1,2"}]
    follow_up = box("reply_to_email", email_id=sent["id"], text="Now they are.", attachments=files)

    assert (follow_up["to"], follow_up["conversation_id"]) == ([SAM, LEE], sent["id"])
    whole = box("get_conversation", email_id=sent["id"])
    assert [item.get("attachments") for item in whole["emails"]] == [None, ["F3 figures.csv (3 characters)"]]
    assert box("find_emails", query="subject:figures has:attachment")["items"][0]["emails"] == 2


def test_a_mail_is_sent_on_with_its_attachments(box: Mailbox) -> None:
    sent = box("forward_email", email_id="00000001", to=["tariq"], text="See below.")

    assert (sent["to"], sent["subject"], sent["conversation_id"]) == ([TARIQ], "FW: Budget 2024", "00000001")
    assert box.rows("emails")[sent["id"]]["body"] == "See below.\n\nThe draft is attached."
    assert box.rows("attachments")["F3"] == {
        "email": sent["id"],
        "name": "budget.csv",
        "type": "text/csv",
        "text": "item,eur\ntravel,900\n",
    }
    plain = box("forward_email", email_id="00000005", to=[INES], cc=[SAM])
    assert (box.rows("emails")[plain["id"]]["body"], plain["cc"]) == ("At noon?", [SAM])


def test_a_draft_is_written_changed_and_then_sent(box: Mailbox) -> None:
    files = [{"name": "a.txt", "text": "one"}]
    draft = box("save_draft", to=["ines"], subject="Budget: travel", text="Hi", attachments=files)
    assert draft == {
        "id": "D3",
        "to": [INES],
        "subject": "Budget: travel",
        "text": "Hi",
        "attachments": ["F3 a.txt (3 characters)"],
    }
    assert box.found("in:drafts")[0] == "D3"
    assert box.found("subject:travel") == []

    files = [{"name": "b.txt", "text": "two"}]
    changed = box("save_draft", draft_id="D3", to=["ines", TARIQ], cc=["sam lund"], text="Hello", attachments=files)
    assert (changed["to"], changed["cc"], changed["text"]) == ([INES, TARIQ], [SAM], "Hello")
    assert changed["attachments"] == ["F4 b.txt (3 characters)"]

    sent = box("send_draft", draft_id="D3")
    assert (sent["to"], sent["cc"], sent["attachments"]) == ([INES, TARIQ], [SAM], ["F4 b.txt (3 characters)"])
    assert box.found("in:drafts") == ["D1", "D2"]
    assert [row["body"] for row in box.rows("emails").values()] == ["Hello"]
    assert "No draft has the id 'D3'" in box.refusal("send_draft", draft_id="D3")


def test_a_draft_that_answers_joins_the_conversation_once_it_is_sent(box: Mailbox) -> None:
    draft = box("save_draft", reply_to="00000003", text="Agreed.")
    assert (draft["to"], draft["subject"], draft["reply_to"]) == ([TARIQ], "Budget 2024", "00000003")
    assert box("get_conversation", email_id=draft["id"])["marks"] == ["draft", "answers 00000003"]

    assert box("send_draft", draft_id=draft["id"])["conversation_id"] == "00000001"


def test_what_a_draft_has_stays_when_it_becomes_an_answer(box: Mailbox) -> None:
    draft = box("save_draft", draft_id="D1", reply_to="00000005")

    assert (draft["to"], draft["subject"], draft["text"]) == ([INES], "Budget follow-up", "Hi")


@pytest.mark.parametrize("answered", ["00000001", "00000003"])
def test_a_draft_that_answers_a_mail_in_the_trash_stays_in_its_conversation(box: Mailbox, answered: str) -> None:
    draft = box("save_draft", reply_to=answered, text="Agreed.")
    box("delete_emails", email_ids=[answered])

    sent = box("send_draft", draft_id=draft["id"])
    box("delete_emails", email_ids=[answered], mode="restore")
    ids = [item["id"] for item in box("get_conversation", email_id=answered)["emails"]]

    assert (sent["conversation_id"], sent.get("note")) == ("00000001", None)
    assert ids == ["00000001", "00000002", "00000003", sent["id"]]


def test_a_draft_stays_in_a_conversation_whose_first_mail_is_gone(box: Mailbox) -> None:
    draft = box("save_draft", reply_to="00000001", text="Agreed.")
    box("delete_emails", email_ids=["00000001"], mode="forever")

    assert box("send_draft", draft_id=draft["id"])["conversation_id"] == "00000001"


def test_a_draft_whose_mail_is_gone_begins_a_conversation_and_says_so(box: Mailbox) -> None:
    draft = box("save_draft", reply_to="00000005", text="Yes.")
    box("delete_emails", email_ids=["00000005"], mode="forever")

    sent = box("send_draft", draft_id=draft["id"])
    assert sent["conversation_id"] == sent["id"]
    assert sent["note"] == "The email that it replied to was deleted for good, so it starts a conversation of its own."


def test_the_other_side_of_an_old_world_is_known_by_its_address() -> None:
    with mailbox({"emails": copy.deepcopy(MAILS)}) as box:
        assert box("send_email", to=["Tariq"], subject="s", text="t")["to"] == ["tariq@harbor.example"]
        assert box.found("from:tariq in:inbox is:read") == ["7"]
        assert box("get_conversation", email_id="00000007")["emails"][0]["from"] == "Tariq@Harbor.example"


def test_me_is_the_owner_among_those_who_get_a_mail(box: Mailbox) -> None:
    assert box("send_email", to=["me", "ines"], subject="s", text="t")["to"] == [MIRA.address, INES]


SEND: dict[str, Any] = {"to": [INES], "subject": "s", "text": "t"}


@pytest.mark.parametrize(
    ("tool", "arguments", "problem"),
    [
        ("get_conversation", {"email_id": "99"}, "No email has the id '99'"),
        ("get_conversation", {"email_id": "00000001", "skip": -1}, "'skip'"),
        ("get_attachment", {"attachment_id": "F9"}, "No attachment has the id 'F9'"),
        ("send_email", {**SEND, "to": []}, "to must not be empty"),
        ("send_email", {**SEND, "to": ["lund"]}, "to: 'lund' may be"),
        ("send_email", {**SEND, "to": ["nobody"]}, "to: 'nobody' is nobody known here"),
        ("send_email", {**SEND, "cc": ["a@b"]}, "cc: 'a@b' is not a whole e-mail address; write it as"),
        ("send_email", {**SEND, "to": ["a@b.example"] * 51}, "to has 51 people; it may have 50"),
        ("send_email", {**SEND, "subject": ""}, "subject must not be empty"),
        ("send_email", {**SEND, "text": ""}, "text must not be empty"),
        ("send_email", {**SEND, "subject": " ", "text": "\n "}, "subject and text must not be empty"),
        ("send_email", {**SEND, "subject": "a\nb"}, "subject has a line break; write it in one line."),
        ("send_email", {**SEND, "attachments": ["plan.md"]}, "'attachments.0': 'plan.md' is not a file; give its name"),
        ("send_email", {**SEND, "subject": "s" * 1_001}, "'subject': string should have at most 1000 characters"),
        ("send_email", {**SEND, "text": "t" * 100_001}, "'text': string should have at most 100000 characters"),
        ("send_email", {**SEND, "attachments": [{"name": "", "text": "x"}]}, "'attachments.0.name'"),
        ("send_email", {**SEND, "attachments": [{"name": "a"}]}, "'attachments.0.text' is required"),
        ("send_email", {**SEND, "attachments": [{"name": "a", "text": "x"}] * 11}, "attachments has 11 files"),
        (
            "send_email",
            {**SEND, "attachments": [{"name": "a", "text": "x" * 200_001}]},
            "attachments.0.text': string",
        ),
        ("reply_to_email", {"email_id": "99", "text": "t"}, "No email has the id '99'"),
        ("reply_to_email", {"email_id": "00000001", "text": " "}, "text must not be empty"),
        ("reply_to_email", {"email_id": "00000010", "text": "t"}, "email_id: email '00000010' is in the trash"),
        ("forward_email", {"email_id": "00000010", "to": ["ines"]}, "email_id: email '00000010' is in the trash"),
        ("save_draft", {"reply_to": "00000010"}, "reply_to: email '00000010' is in the trash"),
        ("forward_email", {"email_id": "00000001", "to": ["okafor", "lund"]}, "to: 'lund' may be"),
        ("save_draft", {}, "There is nothing to save"),
        ("save_draft", {"subject": "a\nb"}, "subject has a line break; write it in one line."),
        ("save_draft", {"draft_id": "D9", "text": "t"}, "No draft has the id 'D9'"),
        ("save_draft", {"reply_to": "99"}, "No email has the id '99'"),
        ("save_draft", {"subject": "s" * 1_001}, "'subject': string should have at most 1000 characters"),
        ("send_draft", {"draft_id": "D2"}, "to must not be empty"),
    ],
)
def test_what_cannot_be_is_refused_by_name_with_nothing_changed(
    box: Mailbox, tool: str, arguments: dict[str, Any], problem: str
) -> None:
    assert problem in box.refusal(tool, **arguments)


def test_a_draft_without_text_is_not_sent(box: Mailbox) -> None:
    draft = box("save_draft", to=[INES], subject="s")

    assert "text must not be empty" in box.refusal("send_draft", draft_id=draft["id"])
