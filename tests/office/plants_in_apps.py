"""Inconsistencies in the other apps, each with the rule that has to find it."""

from __future__ import annotations

from datetime import date, timedelta

from benchmarks.office.world import world
from tests.office.planting import Rows, changed, day, first, person, planted

# -- chat


@planted("dates")
def a_message_with_another_day(rows: Rows) -> None:
    first(rows, "chat", "messages", lambda row: "lift repair" in row["text"])["text"] += ", so on 1 January"


@planted("order")
def a_reaction_before_the_message(rows: Rows) -> None:
    gone = first(rows, "chat", "members", lambda row: row["address"] == person("support2").address)
    late = max(rows["chat"]["messages"], key=lambda row: str(row["sent"]))
    rows["chat"]["channel_members"].append(
        {"id": "J9999", "channel_id": late["channel_id"], "member_id": gone["id"], "last_read": None}
    )
    rows["chat"]["reactions"].append({"id": "R9", "message_id": late["id"], "member_id": gone["id"], "emoji": "eyes"})


@planted("members")
def a_message_by_somebody_who_is_not_in_the_channel(rows: Rows) -> None:
    row = rows["chat"]["messages"][0]
    rows["chat"]["channel_members"] = [
        each
        for each in rows["chat"]["channel_members"]
        if (each["channel_id"], each["member_id"]) != (row["channel_id"], row["author_id"])
    ]


@planted("threads")
def an_answer_in_another_channel(rows: Rows) -> None:
    row = first(rows, "chat", "messages", lambda row: row["thread"])
    row["channel_id"] = next(each["id"] for each in rows["chat"]["channels"] if each["id"] != row["channel_id"])


@planted("order")
def a_channel_that_is_younger_than_its_messages(rows: Rows) -> None:
    for row in rows["chat"]["channels"]:
        row["created"] = f"{day(-1)}T10:00:00"


@planted("people")
def a_mention_of_nobody(rows: Rows) -> None:
    rows["chat"]["messages"][0]["text"] += " @nobody.at.all"


@planted("moments")
def a_message_a_day_late(rows: Rows) -> None:
    row = rows["chat"]["messages"][-1]
    row["sent"] = str(date.fromisoformat(row["sent"][:10]) + timedelta(days=1)) + row["sent"][10:]


# -- tasks, notes, directory


@planted("moments")
def a_task_due_on_another_day(rows: Rows) -> None:
    rows["todoist"]["tasks"][0]["due_date"] = "2026-01-01"


@planted("order")
def a_task_done_before_it_was_made(rows: Rows) -> None:
    first(rows, "todoist", "tasks", lambda row: row["completed"])["completed"] = f"{day(-190)}T10:00:00"


@planted("tasks")
def a_subtask_that_is_open_though_its_parent_is_done(rows: Rows) -> None:
    first(rows, "todoist", "tasks", lambda row: row["parent_id"])["completed"] = None


@planted("tasks")
def a_subtask_in_another_project(rows: Rows) -> None:
    row = first(rows, "todoist", "tasks", lambda row: row["parent_id"])
    row["project_id"] = next(each["id"] for each in rows["todoist"]["projects"] if each["id"] != row["project_id"])


@planted("people")
def a_task_of_somebody_who_is_not_in_its_project(rows: Rows) -> None:
    first(rows, "todoist", "tasks", lambda row: row["assignee"])["assignee"] = person("ceo").address


@planted("order")
def a_note_changed_before_it_was_made(rows: Rows) -> None:
    rows["simple_note"]["notes"][0]["changed"] = f"{day(-300)}T10:00:00"


@planted("people")
def somebody_in_the_directory_who_has_left(rows: Rows) -> None:
    rows["directory"]["people"].append({"id": "999", "email_address": person("support2").address})


# -- meetings


@planted("weekdays")
def a_moved_meeting_of_no_day_of_its_series(rows: Rows) -> None:
    first(rows, "calendar", "events", lambda row: row.get("series"))["original"] = str(world().now.date())


@planted("moments")
def a_meeting_an_hour_late(rows: Rows) -> None:
    row = first(rows, "calendar", "events", lambda row: row["event_name"].startswith("Visit to"))
    changed(row, "event_start", " 10:30", " 11:30")


@planted("leave")
def a_meeting_on_leave_of_its_organiser(rows: Rows) -> None:
    row = first(rows, "calendar", "events", lambda row: row["organizer"] == person("am1").address)
    row["event_start"] = f"{day(-7)} 10:30:00"


@planted("order")
def an_invitation_answered_before_it_was_sent(rows: Rows) -> None:
    row = first(rows, "calendar", "events", lambda row: row["event_name"] == "Walk the hall with the insurer")
    row["attendees"].append(
        {"address": person("junior").address, "name": person("junior").name, "response": "accepted"}
    )
    row["event_start"] = f"{day(-59)} 09:00:00"


@planted("people")
def a_meeting_called_by_nobody(rows: Rows) -> None:
    rows["calendar"]["events"][0]["organizer"] = "nobody@elsewhere.example"


@planted("clashes")
def two_meetings_in_one_room(rows: Rows) -> None:
    welcome = first(rows, "calendar", "events", lambda row: row["event_name"].startswith("Welcome"))
    review = first(rows, "calendar", "events", lambda row: row["event_name"].startswith("Review of"))
    review["location"], review["event_start"] = welcome["location"], welcome["event_start"]


# -- customers


@planted("amounts")
def a_deal_of_another_amount(rows: Rows) -> None:
    rows["crm"]["deals"][0]["amount"] += 100


@planted("deals")
def a_deal_at_a_stage_that_no_step_led_to(rows: Rows) -> None:
    rows["crm"]["deals"][0]["stage"] = "Lead"


@planted("deals")
def steps_of_a_deal_out_of_order(rows: Rows) -> None:
    deal = first(rows, "crm", "deals", lambda row: row["title"] == "Loggers for two cold stores")
    steps = [row for row in rows["crm"]["stage_changes"] if row["deal_id"] == deal["id"]]
    steps[1]["day"], steps[2]["day"] = steps[2]["day"], steps[1]["day"]


@planted("deals")
def a_deal_that_is_open_and_closed(rows: Rows) -> None:
    first(rows, "crm", "deals", lambda row: row["stage"] == "Proposal")["closed"] = day(-3)


@planted("contacts")
def a_contact_without_a_company(rows: Rows) -> None:
    rows["crm"]["customers"][0]["company_id"] = None


@planted("contacts")
def a_deal_with_a_contact_of_another_company(rows: Rows) -> None:
    deal = rows["crm"]["deals"][0]
    deal["contact_id"] = next(row["id"] for row in rows["crm"]["customers"] if row["company_id"] != deal["company_id"])


@planted("people")
def a_contact_with_a_number_that_is_not_theirs(rows: Rows) -> None:
    rows["crm"]["customers"][1]["customer_phone"] = rows["crm"]["customers"][0]["customer_phone"]


@planted("leave")
def a_step_of_a_deal_on_leave(rows: Rows) -> None:
    first(rows, "crm", "stage_changes", lambda row: row["by"] == person("am1").address)["day"] = day(-7)


@planted("order")
def a_note_that_is_older_than_its_deal(rows: Rows) -> None:
    rows["crm"]["notes"][0]["day"] = day(-181)


# -- files


@planted("files")
def a_file_that_says_more_than_anybody_wrote(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: row["path"].endswith("contracts.csv"))
    row["text"] += "one more line,,,\n"


@planted("files")
def a_file_under_another_name(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: "offer_" in row["path"])
    row["path"] = row["id"] = row["path"].replace("offer_2", "offer_1")


@planted("dates")
def a_file_made_long_after_the_day_in_its_name(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: "letter_" in row["path"])
    row["created"] = row["modified"] = f"{day(-3)}T10:00:00"


@planted("order")
def a_file_changed_before_it_was_made(rows: Rows) -> None:
    first(rows, "filesystem", "entries", lambda row: row["kind"] == "file")["modified"] = f"{day(-300)}T10:00:00"


@planted("ids")
def a_file_in_no_folder(rows: Rows) -> None:
    rows["filesystem"]["entries"] = [
        row for row in rows["filesystem"]["entries"] if row["path"] != "/workspace/finance"
    ]


@planted("amounts")
def a_total_that_is_not_quantity_times_price(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: "offer_" in row["path"])
    line = next(line for line in row["text"].split("\n") if line.startswith("gateway,"))
    changed(row, "text", line, line.replace("gateway,EUR,", "gateway,EUR,1"))


@planted("figures")
def a_table_with_a_line_that_is_too_long(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: "rooms.csv" in row["path"])
    row["text"] += "and,one,more,cell,still\n"


@planted("people")
def a_room_for_nobody(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: "rooms.csv" in row["path"])
    changed(row, "text", person("hr").name, "Nobody Atall")


@planted("figures")
def a_pipeline_that_says_something_else_than_the_crm(rows: Rows) -> None:
    deal = first(rows, "crm", "deals", lambda row: row["stage"] == "Negotiation")
    deal["amount"] += 50


@planted("figures")
def a_price_list_with_another_price_than_the_offer(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: row["path"].endswith("price_list.csv"))
    changed(row, "text", "gateway,EUR,1,320,320", "gateway,EUR,1,330,330")


@planted("figures")
def a_table_that_counts_other_deliveries(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: row["path"].endswith("cost_per_customer.csv"))
    changed(row, "text", ",31,", ",32,")


@planted("figures")
def an_export_whose_summary_is_not_of_its_readings(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: row["path"].endswith(".json") and "readings" in row["text"])
    changed(row, "text", '"count": 12', '"count": 13')


@planted("figures")
def a_configuration_that_cannot_be_read(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: row["path"].endswith("alarm.json"))
    row["text"] = row["text"].rstrip().removesuffix("}")


@planted("amounts")
def a_month_whose_rest_is_not_plan_less_spent(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: row["path"].endswith("operations/budget.csv"))
    line = row["text"].split("\n")[1]
    changed(row, "text", line, line + "0")


@planted("leave")
def a_rota_with_somebody_on_leave(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: "/rota_" in row["path"])
    line = row["text"].split("\n")[1]
    changed(row, "text", line, f"{day(-95)},{person('facility').name},early")


@planted("leave")
def a_leave_of_somebody_who_was_there(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: row["path"].endswith("people/leave.csv"))
    row["text"] += f"{person('coo').name},{day(-30)},{day(-28)}\n"


@planted("people")
def a_number_in_the_list_that_is_of_another_time(rows: Rows) -> None:
    row = first(rows, "filesystem", "entries", lambda row: row["path"].endswith("phone_list.csv"))
    old, new = person("planner").phones
    row["text"] = row["text"].replace(*((old, new) if old in row["text"] else (new, old)))


@planted("order")
def a_comment_before_its_task(rows: Rows) -> None:
    rows["todoist"]["comments"][0]["posted"] = f"{day(-179)}T10:00:00"


@planted("people")
def a_comment_by_somebody_who_is_not_in_the_project(rows: Rows) -> None:
    rows["todoist"]["comments"][0]["author"] = person("ceo").address


@planted("tasks")
def a_task_in_a_section_of_another_project(rows: Rows) -> None:
    row = first(rows, "todoist", "tasks", lambda row: row["section_id"])
    section = first(rows, "todoist", "sections", lambda each: each["id"] == row["section_id"])
    section["project_id"] = next(
        each["id"] for each in rows["todoist"]["projects"] if each["id"] != section["project_id"]
    )


@planted("members")
def a_direct_conversation_with_a_name(rows: Rows) -> None:
    first(rows, "chat", "channels", lambda row: row["kind"] == "direct")["name"] = "secrets"


@planted("leave")
def a_colleague_who_is_busy_on_leave(rows: Rows) -> None:
    first(rows, "calendar", "busy", lambda row: row["person"] == person("product").address)["start"] = (
        f"{day(1)}T10:00:00"
    )


@planted("clashes")
def a_colleague_who_is_busy_twice(rows: Rows) -> None:
    rows["calendar"]["busy"].append({**rows["calendar"]["busy"][0], "id": "B999"})


@planted("clashes")
def a_meeting_in_a_house_that_is_closed(rows: Rows) -> None:
    row = first(rows, "calendar", "events", lambda row: row["location"] == "Blue room")
    row["event_start"] = f"{day(-72)} 10:00:00"
