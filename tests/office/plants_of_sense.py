"""What nobody would write, then, to them or of those people, each with the rule that has to find it."""

from __future__ import annotations

import re
from datetime import date, timedelta

from benchmarks.office.check.reading import WEEKDAYS
from benchmarks.office.people import CLOSED
from benchmarks.office.styles import ASKING
from tests.office.planting import Row, Rows, changed, day, first, person, planted

_RULE = "\n\n-- \n"


def _own(row: Row) -> str:
    return str(row["body"]).partition(" wrote:\n>")[0].partition(_RULE)[0]


def _of_colleagues(rows: Rows) -> list[Row]:
    inside = {row["address"] for row in rows["chat"]["members"]}
    return [row for row in rows["gmail"]["emails"] if row["address"] in inside and row["thread"] is None]


# -- the hour and the day


@planted("hours")
def an_afternoon_that_is_over(rows: Rows) -> None:
    row = next(row for row in _of_colleagues(rows) if row["folder"] == "outbox" and row["sent_datetime"][11:13] == "17")
    row["body"] += "\n\nI bring it over this afternoon."


@planted("hours")
def a_weekday_that_is_today(rows: Rows) -> None:
    row = next(row for row in _of_colleagues(rows) if not re.search(r"\d", row["subject"] + _own(row)))
    today = date.fromisoformat(row["sent_datetime"][:10])
    row["body"] = f"They leave on {today:%A}."
    assert f"{today:%A}".lower() in WEEKDAYS


@planted("holidays")
def a_task_for_christmas(rows: Rows) -> None:
    closed = date.fromisoformat(day(min(CLOSED)))
    rows["todoist"]["tasks"][0]["content"] += f" on {closed.day} {closed:%B}"


@planted("meanwhile")
def a_mail_during_the_round(rows: Rows) -> None:
    series = first(rows, "calendar", "events", lambda row: row["event_name"] == "Weekly round" and row["recurrence"])
    moved = {row["original"] for row in rows["calendar"]["events"] if row.get("series") == series["id"]}
    begun = date.fromisoformat(series["event_start"][:10])
    held = [str(begun + timedelta(days=n)) for n in range(0, 200, 7)]
    held = [each for each in held if each not in moved and each not in series["skipped"] and each < day(0)]
    assert series["recurrence"] == "FREQ=WEEKLY"
    row = first(rows, "gmail", "emails", lambda row: row["folder"] == "outbox")
    row["sent_datetime"] = f"{held[-1]} {series['event_start'][11:14]}10:00"


# -- people


@planted("joiners")
def a_newcomer_who_carries_boxes_before_they_come(rows: Rows) -> None:
    row = first(rows, "gmail", "emails", lambda row: row["sent_datetime"][:10] < day(-100))
    row["body"] = f"{person('junior').first} carries the boxes.\n\n{row['body']}"


@planted("joiners")
def a_mail_to_a_newcomer_before_they_come(rows: Rows) -> None:
    row = first(rows, "gmail", "emails", lambda row: row["sent_datetime"][:10] < day(-100))
    row["cc"] = [*row["cc"], person("junior").address]


@planted("joiners")
def a_thumbs_up_before_they_come(rows: Rows) -> None:
    who = first(rows, "chat", "members", lambda row: row["address"] == person("junior").address)
    at = first(
        rows,
        "chat",
        "messages",
        lambda row: (
            row["sent"][:10] < day(-60)
            and any(
                (each["channel_id"], each["member_id"]) == (row["channel_id"], who["id"])
                for each in rows["chat"]["channel_members"]
            )
        ),
    )
    rows["chat"]["reactions"].append({"id": "R99", "message_id": at["id"], "member_id": who["id"], "emoji": "eyes"})


@planted("joiners")
def a_newcomer_in_a_meeting_before_they_come(rows: Rows) -> None:
    row = first(rows, "calendar", "events", lambda row: row["event_start"][:10] < day(-100) and not row["recurrence"])
    who = person("junior")
    row["attendees"] = [*row["attendees"], {"address": who.address, "name": who.name, "response": "needs action"}]


@planted("joiners")
def a_newcomer_in_a_comment_before_they_come(rows: Rows) -> None:
    row = first(rows, "todoist", "comments", lambda row: row["posted"][:10] < day(-60))
    row["text"] += f" Ask {person('junior').first}."


@planted("numbers")
def a_number_of_two_people(rows: Rows) -> None:
    one, other = rows["crm"]["customers"][:2]
    other["customer_phone"] = one["customer_phone"]


@planted("branches")
def a_deal_of_another_branch(rows: Rows) -> None:
    titles = ("Vaccine depot, pilot", "Milk lorries", "Cross dock, pilot")
    row = rows["crm"]["deals"][0]
    home = first(rows, "crm", "companies", lambda each: each["id"] == row["company_id"])
    row["title"] = titles[0] if home["industry"] != "Pharma" else titles[1]


# -- letters


@planted("copies")
def a_copy_to_nobody(rows: Rows) -> None:
    row = next(row for row in _of_colleagues(rows) if not row["cc"])
    row["body"] = f"{person('coo').first}, whom I've copied, knows more."


@planted("greetings")
def a_greeting_of_all_to_one(rows: Rows) -> None:
    several = {each["id"] for each in rows["gmail"]["envelopes"] if each["to"]}
    row = next(
        row
        for row in _of_colleagues(rows)
        if row["folder"] == "outbox" and _own(row).startswith("Hi ") and row["id"] not in several
    )
    changed(row, "body", _own(row).split("\n")[0], "Hi all,")


@planted("fillers")
def an_opinion_asked_for_behind_a_statement(rows: Rows) -> None:
    _of_colleagues(rows)[0]["body"] = f"The lift is mended. {ASKING[0]}"


@planted("fillers")
def an_opinion_asked_for_twice(rows: Rows) -> None:
    answer = first(rows, "gmail", "emails", lambda row: row["thread"] is not None)
    for row in (answer, first(rows, "gmail", "emails", lambda row: row["id"] == answer["thread"])):
        row["body"] = f"Shall we? {ASKING[0]}"


# -- chat


@planted("threads")
def an_answer_below_something_long_ago(rows: Rows) -> None:
    answer = max((row for row in rows["chat"]["messages"] if row["thread"]), key=lambda row: str(row["sent"]))
    old = first(
        rows,
        "chat",
        "messages",
        lambda row: row["channel_id"] == answer["channel_id"] and not row["thread"] and row["sent"] < answer["sent"],
    )
    late = str(date.fromisoformat(answer["sent"][:10]) - timedelta(days=9))
    assert old["sent"][:10] < late
    answer["thread"] = old["id"]
