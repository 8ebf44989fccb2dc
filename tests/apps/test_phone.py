"""A phone: whose contacts and texts are shown, whom a number or a name means, and when alarms ring."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from servers.kernel import Owner
from servers.phone import Alarm, Contact, Message, app
from servers.phone.lines import EXAMPLE, digits
from tests.apps.desk import desk
from tests.apps.shop import Shop
from tests.contracts.rows import ENTRANCE
from tests.contracts.rows_phone import INES, MEI, OWN, PHONE, SAMS

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
ROWS = {**PHONE, **ENTRANCE}
"""The clock shows Thursday 30 November 2023, 08:15."""


@pytest.fixture
def phone() -> Iterator[Shop]:
    """Ines is logged in."""
    with desk(app, ROWS, kind=Shop) as calls:
        yield calls


@pytest.fixture
def locked() -> Iterator[Shop]:
    with desk(app, {**ROWS, "logins": []}, kind=Shop) as calls:
        yield calls


@pytest.fixture
def open_phone() -> Iterator[Shop]:
    """Nobody has an account."""
    with desk(app, PHONE, kind=Shop) as calls:
        yield calls


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_contacts", {}),
    ("add_contact", {"name": "Plumber", "number": "+351 210 111 111"}),
    ("update_contact", {"contact_id": "C1", "note": "Left."}),
    ("search_messages", {}),
    ("view_message_thread", {"other": MEI}),
    ("view_text_message", {"message_id": "T1"}),
    ("send_text_message", {"to": MEI, "text": "Yes."}),
    ("create_alarm", {"at": "07:00"}),
    ("update_alarm", {"alarm_id": "A1", "on": False}),
    ("view_alarm", {}),
]


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_a_login_is_wanted_where_there_are_accounts(locked: Shop, tool: str, arguments: dict[str, Any]) -> None:
    assert "use `log_in`" in locked.refusal(tool, **arguments)


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_without_accounts_no_login_is_wanted(open_phone: Shop, tool: str, arguments: dict[str, Any]) -> None:
    assert open_phone(tool, **arguments)


@pytest.mark.parametrize("tool", ["search_contacts", "search_messages", "view_alarm", "get_date_and_time"])
def test_looking_changes_nothing(phone: Shop, tool: str) -> None:
    before = phone.layer.digest()
    phone(tool)

    assert phone.layer.digest() == before


def test_the_time_wants_no_login(locked: Shop) -> None:
    assert locked("get_date_and_time") == {
        "date": "2023-11-30", "weekday": "Thursday", "time": "08:15", "zone": "UTC",
    }  # fmt: skip


def test_contacts_are_those_of_whoever_is_logged_in_by_name(phone: Shop) -> None:
    assert [row["id"] for row in phone("search_contacts")["items"]] == ["C1", "C2", "C3"]


@pytest.mark.parametrize(
    ("query", "ids"), [("lund", ["C2", "C3"]), ("351910550103", ["C1"]), ("TRÈS 100%", ["C3"]), ("harbor", ["C2"])]
)
def test_contacts_are_found_by_words_of_any_field(phone: Shop, query: str, ids: list[str]) -> None:
    assert [row["id"] for row in phone("search_contacts", query=query)["items"]] == ids


def test_a_contact_is_added_with_a_number_in_international_form(phone: Shop) -> None:
    made = phone("add_contact", name=" Plumber ", number="+351  210 111 111", relation="for the boiler")

    assert made["number"] == "+351 210 111 111"
    assert phone.layer.state(app).get(Contact, made["id"]) == Contact(
        id=made["id"], username=INES, name="Plumber", number="+351 210 111 111", relation="for the boiler"
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"number": "210 111"}, "is not a number in international form, such as"),
        ({"number": "+351 (0)910 550 103"}, "Mei Novak (C1) has the number"),
        ({"number": "+351-910-550-103"}, "Mei Novak (C1) has the number"),
        ({"number": OWN}, "the phone's own number"),
        ({"number": "+351 210 111 11\N{ARABIC-INDIC DIGIT ONE}"}, "is not a number in international form, such as"),
        ({"email": "nowhere"}, "is not an email address"),
        ({"name": " "}, "name"),
    ],
)
def test_a_contact_that_cannot_be_is_refused(phone: Shop, changes: dict[str, Any], words: str) -> None:
    assert words in phone.refusal("add_contact", **{"name": "Plumber", "number": "+351 210 111 111", **changes})


def test_a_contact_is_changed_where_something_is_given(phone: Shop) -> None:
    changed = phone("update_contact", contact_id="C1", relation="", note="Moved out.")

    assert (changed["name"], changed["note"], "relation" in changed) == ("Mei Novak", "Moved out.", False)
    assert "Nothing to change" in phone.refusal("update_contact", contact_id="C1")
    taken = phone("search_contacts", query="")["items"][1]
    refusal = phone.refusal("update_contact", contact_id="C1", number=taken["number"])
    assert refusal.endswith("already; two contacts cannot share one.")


def test_somebody_elses_contact_text_or_alarm_is_not_there(phone: Shop) -> None:
    assert "C4" in phone.refusal("update_contact", contact_id="C4", name="Me")
    assert "T4" in phone.refusal("view_text_message", message_id="T4")
    assert "A3" in phone.refusal("view_alarm", alarm_id="A3")


def test_texts_of_one_time_whose_ids_are_of_another_form_are_shown_last_row_first() -> None:
    text = {"sender": OWN, "recipient": MEI, "sent": "2023-11-30T08:00:00"}
    texts = [{**text, "id": id, "text": id} for id in ("msg-1", "msg-2", "T1", "T2")]
    with desk(app, {**ROWS, "messages": texts}) as calls:
        found = Shop(app, calls.layer)("search_messages")["items"]

    assert [row["id"] for row in found] == ["T2", "T1", "msg-2", "msg-1"]


def test_texts_are_those_of_the_line_newest_first(phone: Shop) -> None:
    assert [row["id"] for row in phone("search_messages")["items"]] == ["T5", "T2", "T1", "T3"]


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        ({"query": "novak"}, ["T2", "T1"]),
        ({"query": "train 8:12"}, ["T3"]),
        ({"other": "sam lund"}, ["T3"]),
        ({"other": "+351910550103", "query": "mine"}, ["T2"]),
        ({"after": "2023-10-14", "before": "2023-10-20"}, ["T2", "T1"]),
    ],
)
def test_texts_are_found_by_words_partner_and_days(phone: Shop, given: dict[str, Any], ids: list[str]) -> None:
    assert [row["id"] for row in phone("search_messages", **given)["items"]] == ids


def test_a_thread_says_who_wrote_and_what_the_other_is_called(phone: Shop) -> None:
    newest, oldest = phone("view_message_thread", other="Mei Novak")["items"]

    assert (newest["sender"], newest["recipient"], newest["name"]) == (OWN, MEI, "Mei Novak")
    assert (oldest["sender"], oldest["text"]) == (MEI, PHONE["messages"][0]["text"])


def test_a_number_that_is_no_contact_has_a_thread_too(phone: Shop) -> None:
    (only,) = phone("view_message_thread", other="+351 210 000 000")["items"]

    assert (only["id"], "name" in only) == ("T5", False)


def test_a_text_goes_to_a_contact_by_name(phone: Shop) -> None:
    sent = phone("send_text_message", to="sam lund", text="8:12 it is.")
    kept = phone.layer.state(app).get(Message, sent["id"])

    assert (kept.sender, kept.recipient, kept.text, str(kept.sent)) == (OWN, SAMS, "8:12 it is.", "2023-11-30 08:15:00")
    assert phone("view_text_message", message_id=sent["id"])["name"] == "Sam Lund"


@pytest.mark.parametrize(
    ("to", "words"),
    [
        ("Sam", "Did you mean Sam Lund (+351 910 550 102), Sam Lundqvist (100%)"),
        ("Nobody", "No contact is called 'Nobody'"),
        ("0910 550 102", "is not a number in international form, such as"),
        ("+351 910 550 10\N{ARABIC-INDIC DIGIT TWO}", "is not a number in international form, such as"),
        (OWN, "the phone's own number"),
    ],
)
def test_a_text_to_whom_is_not_clear_is_refused(phone: Shop, to: str, words: str) -> None:
    assert words in phone.refusal("send_text_message", to=to, text="Hello.")


def test_the_number_of_a_contact_is_known_without_its_plus(phone: Shop) -> None:
    assert phone("send_text_message", to="351 910-550-102", text="Hi.")["recipient"] == SAMS


def test_of_two_contacts_of_one_name_the_number_is_wanted(phone: Shop) -> None:
    phone("add_contact", name="Sam Lund", number="+44 7700 900555", relation="the other one")

    assert "Several contacts are called 'Sam Lund'" in phone.refusal("send_text_message", to="Sam Lund", text="Hi.")


def test_a_contact_whose_name_has_no_letters_is_named_all_the_same(phone: Shop) -> None:
    phone("add_contact", name="24/7", number="+44 7700 900555")

    assert phone("send_text_message", to="24/7", text="Open?")["recipient"] == "+44 7700 900555"


def test_texts_with_the_phones_own_number_are_refused_as_a_text_to_it_is(phone: Shop) -> None:
    assert "the phone's own number" in phone.refusal("view_message_thread", other=OWN)
    assert "the phone's own number" in phone.refusal("search_messages", other=OWN)


def test_a_text_may_have_1600_characters(phone: Shop) -> None:
    assert phone("send_text_message", to=MEI, text="x" * 1600)
    assert "1,600" in phone.refusal("send_text_message", to=MEI, text="x" * 1601)


def test_alarms_are_listed_by_time_of_day_with_their_next_ring(phone: Shop) -> None:
    first, second = phone("view_alarm")["items"]

    assert (first["id"], first["next"], first["days"]) == ("A1", "2023-12-01 06:45", ["Monday", "Tuesday", "Friday"])
    assert (second["id"], second["day"], second["next"]) == ("A2", "2023-12-01", "2023-12-01 18:00")
    assert phone("view_alarm", alarm_id="A2") == second


@pytest.mark.parametrize(("at", "day"), [("09:00", "2023-11-30"), ("08:15", "2023-12-01")])
def test_an_alarm_without_a_day_rings_the_next_time_that_clocks_show_it(phone: Shop, at: str, day: str) -> None:
    made = phone("create_alarm", at=at, label="Call Mei")

    assert (made["day"], made["next"]) == (day, f"{day} {at}")


def test_an_alarm_at_a_time_that_clocks_skip_rings_when_it_is_so_late() -> None:
    lisbon = Owner(name="Ines Okafor", address=INES, zone="Europe/Lisbon")
    with desk(app, PHONE, owner=lisbon, kind=Shop) as calls:
        made = calls("create_alarm", at="01:30", day="2024-03-31")

    assert (made["next"], made["note"]) == (
        "2024-03-31 02:30",
        "Clocks skip 01:30 on 2024-03-31: it rings at 02:30.",
    )


def test_a_number_is_the_same_with_the_zero_that_is_dialled_at_home_in_brackets(phone: Shop) -> None:
    assert phone("add_contact", name="Plumber", number="+44 (0)20 7946 0018")["number"] == "+44 20 7946 0018"
    assert phone("send_text_message", to="+44 (0) 20 79460018", text="Hello.")["name"] == "Plumber"


def test_an_alarm_is_set_for_an_hour_of_one_digit(phone: Shop) -> None:
    assert phone("create_alarm", at="9:30", label="Call Mei")["time"] == "09:30"


def test_an_alarm_keeps_its_days_in_the_order_of_the_week(phone: Shop) -> None:
    made = phone("create_alarm", at="06:30", days=["Sunday", "Monday"], snooze=0)

    assert (made["days"], made["next"], made["snooze"]) == (["Monday", "Sunday"], "2023-12-03 06:30", 0)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"at": "25:00"}, "is not a time of day"),
        ({"at": "07:00:30"}, "is not a time of day; write HH:MM"),
        ({"at": "07:00+02:00"}, "is not a time of day; write HH:MM"),
        ({"at": "07:00", "day": "2023-11-30"}, "is not later than now"),
        ({"at": "07:00", "day": "2023-12-24", "days": ["Sunday"]}, "not both"),
    ],
)
def test_an_alarm_that_would_never_ring_is_refused(phone: Shop, given: dict[str, Any], words: str) -> None:
    assert words in phone.refusal("create_alarm", **given)


def test_an_alarm_is_changed_and_switched_off(phone: Shop) -> None:
    moved = phone("update_alarm", alarm_id="A1", at="07:15", days=["Saturday"])
    off = phone("update_alarm", alarm_id="A1", on=False)

    assert (moved["next"], off.get("next"), off["on"]) == ("2023-12-02 07:15", None, False)
    assert phone.layer.state(app).get(Alarm, "A1").days == ["Saturday"]
    assert "Nothing to change" in phone.refusal("update_alarm", alarm_id="A1")


def test_an_alarm_moves_from_days_of_the_week_to_one_day(phone: Shop) -> None:
    assert phone("update_alarm", alarm_id="A1", day="2023-12-24").get("days") is None
    assert "not both" in phone.refusal("update_alarm", alarm_id="A1", day="2023-12-24", days=["Sunday"])


@pytest.mark.parametrize("on", [True, False])
def test_an_alarm_of_one_day_keeps_it_where_no_days_of_the_week_are_given(phone: Shop, on: bool) -> None:
    made = phone("create_alarm", at="08:00", day="2023-12-31")
    phone("update_alarm", alarm_id=made["id"], on=on)

    assert phone("update_alarm", alarm_id=made["id"], label="Run", days=[])["day"] == "2023-12-31"


def test_an_alarm_of_days_of_the_week_rings_once_the_next_time_where_they_are_taken_away(phone: Shop) -> None:
    changed = phone("update_alarm", alarm_id="A1", days=[])

    assert (changed.get("days"), changed["day"]) == (None, "2023-12-01")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"days": ["Monday"], "day": "2023-12-24"}, "not both"),
        ({"label": "x" * 201}, "'label': string should have at most"),
    ],
)
def test_an_alarm_that_is_off_is_kept_to_what_one_that_is_on_is(phone: Shop, given: dict[str, Any], words: str) -> None:
    phone("update_alarm", alarm_id="A1", on=False)

    assert words in phone.refusal("update_alarm", alarm_id="A1", **given)


def test_an_alarm_that_is_off_may_have_a_day_that_is_over(phone: Shop) -> None:
    phone("update_alarm", alarm_id="A2", on=False, day="2023-11-01")

    assert "is not later than now" in phone.refusal("update_alarm", alarm_id="A2", on=True)


def test_whoever_logs_in_sees_their_own(locked: Shop) -> None:
    assert "No account" in locked.refusal("log_in", username=INES, password="wrong")
    locked("log_in", username=INES, password="kelp-77")

    assert len(locked("view_alarm")["items"]) == 2


def test_a_phone_without_a_number_has_contacts_and_sends_nothing() -> None:
    with desk(app, {}, kind=Shop) as bare:
        made = bare("add_contact", name="Mei Novak", number=MEI)

        assert [row["id"] for row in bare("search_contacts")["items"]] == [made["id"]]
        assert bare("search_messages")["items"] == []
        assert "This phone has no number" in bare.refusal("send_text_message", to="Mei Novak", text="Hello.")


def test_the_number_in_descriptions_and_errors_is_nobodys_in_any_benchmark(phone: Shop) -> None:
    schemas = [tool.input_schema for tool in app.toolset("pi").tools.values()]
    shown = f"{schemas} {phone.refusal('send_text_message', to='12', text='Hello')}"
    there = re.compile(r"[ ().-]*".join(digits(EXAMPLE).removeprefix("44")))
    suffixes = {".json", ".jsonl", ".md", ".py", ".txt", ".yaml"}
    files = [path for path in BENCHMARKS.rglob("*") if path.suffix in suffixes]

    assert {*re.findall(r"\+[\d ]+\d", shown)} == {EXAMPLE}
    assert len(files) > 500
    assert [path for path in files if there.search(path.read_text(encoding="utf-8"))] == []
