"""A second computation for customers, and for requests that look at one app and act in another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta

from tests.synth.independent import Change, Office, Row, Values, Work

LATE = "When can you finish what is late?"
ON_TIME = "You are right on schedule, thank you."
NOTHING_TO_DO = "Nothing needs doing about the website, thanks."
NO_NEW_LEADS = "The website is doing well, so we need no new leads from you."
MORE_PEOPLE = "Please think about how to bring more people to our website."
TAKE_LEADS = "You can take on new leads now."


def address(office: Office, first: str) -> str:
    (found,) = [p["email_address"] for p in office.people if p["email_address"].startswith(first + ".")]
    return str(found)


def ago(office: Office, days: int) -> str:
    return (date.fromisoformat(office.today) - timedelta(days=days)).isoformat()


def recent(office: Office, moment: str, days: int) -> bool:
    """Whether a moment lies in the N whole days before today."""
    return ago(office, days) <= moment[:10] < office.today


def monday(office: Office) -> str:
    """The latest Monday before today."""
    back = date.fromisoformat(office.today).weekday() or 7
    return ago(office, back)


def friday_of_next_week(office: Office) -> str:
    return ago(office, date.fromisoformat(office.today).weekday() - 11)


def mail(to: str, subject: str, body: str) -> Change:
    return Change("insert", "gmail.emails", "", {"folder": "outbox", "address": to, "subject": subject, "body": body})


def meeting(to: str, name: str, start: str, minutes: int) -> Change:
    values = {"event_name": name, "participant_email": to, "event_start": start, "duration": str(minutes)}
    return Change("insert", "calendar.events", "", values)


def task(office: Office, to: str, name: str, board: str = "Front end") -> Change:
    due = friday_of_next_week(office)
    values = {"task_name": name, "assigned_to_email": to, "list_name": "Backlog", "due_date": due, "board": board}
    return Change("insert", "projects.tasks", "", values)


def lead(to: str, name: str, product: str) -> Change:
    values = {
        "customer_name": name,
        "assigned_to_email": to,
        "product_interest": product,
        "status": "Lead",
        "notes": "",
    }
    return Change("insert", "crm.customers", "", values)


def changed(rows: Iterable[Row], field: str, value: str) -> list[Change]:
    return [Change("update", "crm.customers", row["id"], {field: value}) for row in rows if row[field] != value]


def deleted(rows: Iterable[Row]) -> list[Change]:
    return [Change("delete", "crm.customers", row["id"], {}) for row in rows]


def first_free(office: Office, minutes: int) -> str:
    """The earliest start from tomorrow at which a meeting fits into working hours and meets no event."""
    day = date.fromisoformat(office.today)
    length = timedelta(minutes=minutes)
    while True:
        day += timedelta(days=1)
        if day.weekday() > 4:
            continue
        opening, closing = (datetime(day.year, day.month, day.day, hour) for hour in (9, 18))
        busy = []
        for event in office.events:
            start = datetime.fromisoformat(event["event_start"])
            busy.append((start, start + timedelta(minutes=int(event["duration"]))))
        for start in sorted({opening, *(end for _, end in busy if opening <= end < closing)}):
            if start + length <= closing and all(end <= start or start + length <= begin for begin, end in busy):
                return start.strftime("%Y-%m-%d %H:%M:%S")


def figures(office: Office, metric: str, first: str) -> list[float]:
    """The metric for each day from `first` to yesterday."""
    day, values = first, []
    while day < office.today:
        visits = [v for v in office.visits if v["date_of_visit"] == day]
        if metric == "session_duration_seconds":
            if visits:
                values.append(sum(v[metric] for v in visits) / len(visits))
        elif metric == "total_visits":
            values.append(float(len(visits)))
        elif metric == "user_engaged":
            values.append(float(sum(bool(v[metric]) for v in visits)))
        else:
            source = metric.removeprefix("visits_").replace("_", " ")
            values.append(float(sum(v["traffic_source"] == source for v in visits)))
        day = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    return values


def rose(office: Office, values: Values, first: str) -> bool:
    return any(figure > values["threshold"] for figure in figures(office, values["metric"], first))


def fell(office: Office, values: Values, first: str) -> bool:
    return any(figure < values["threshold"] for figure in figures(office, values["metric"], first))


def owned(office: Office, values: Values, *statuses: str, product: bool = True) -> list[Row]:
    owner = address(office, values["owner"])
    return [
        row
        for row in office.customers
        if row["assigned_to_email"] == owner
        and row["status"] in statuses
        and (not product or row["product_interest"] == values["product"])
    ]


def named(office: Office, values: Values) -> Row:
    (found,) = [row for row in office.customers if row["customer_name"] == values["customer"]]
    return found


def overdue(office: Office, row: Row) -> bool:
    return bool(row["due_date"] < office.today and row["list_name"] != "Completed")


def late(office: Office, who: str) -> list[Row]:
    return [row for row in office.tasks if row["assigned_to_email"] == who and overdue(office, row)]


def pass_on_customers(office: Office, v: Values) -> list[Change]:
    return changed(owned(office, v, v["status"]), "assigned_to_email", address(office, v["assignee"]))


def close_quiet(office: Office, v: Values) -> list[Change]:
    until = ago(office, v["period"])
    proposals = [c for c in office.customers if c["status"] == "Proposal" and c["product_interest"] == v["product"]]
    return changed([c for c in proposals if c["last_contact_date"] <= until], "status", v["status"])


def pass_on_open(office: Office, v: Values) -> list[Change]:
    return changed(owned(office, v, "Qualified", "Proposal"), "assigned_to_email", address(office, v["assignee"]))


def delete_part(office: Office, v: Values) -> list[Change]:
    return deleted(owned(office, v, v["status"]))


def set_status(office: Office, v: Values) -> list[Change]:
    return changed([named(office, v)], "status", v["status"])


def delete_customer(office: Office, v: Values) -> list[Change]:
    return deleted([named(office, v)])


def add_lead(office: Office, v: Values) -> list[Change]:
    return [lead(address(office, v["assignee"]), v["customer"], v["product"])]


def reassign_customer(office: Office, v: Values) -> list[Change]:
    return changed([named(office, v)], "assigned_to_email", address(office, v["assignee"]))


def overdue_rule(office: Office, v: Values) -> list[Change]:
    who = address(office, v["participant"])
    if len(late(office, who)) < v["threshold"]:
        return []
    start = first_free(office, v["duration"])
    return [meeting(who, v["title"], start, v["duration"]), mail(who, v["title"], v["body"])]


def follow_up_customer(office: Office, v: Values) -> list[Change]:
    customer = named(office, v)
    if customer["last_contact_date"] >= ago(office, v["period"]):
        return []
    who = customer["assigned_to_email"]
    start = f"{v['date']} {v['time']}"
    return [meeting(who, v["title"], start, v["duration"]), mail(who, v["title"], v["body"])]


def lead_to_least_busy(office: Office, v: Values) -> list[Change]:
    board = [row for row in office.tasks if row["board"] == v["board"]]
    counts = {row["assigned_to_email"]: 0 for row in board}
    for row in board:
        counts[row["assigned_to_email"]] += overdue(office, row)
    return [lead(min(counts, key=lambda who: (counts[who], who)), v["customer"], v["product"])]


def late_or_thanks(office: Office, v: Values) -> list[Change]:
    who = address(office, v["participant"])
    return [mail(who, v["title"], LATE if len(late(office, who)) >= v["threshold"] else ON_TIME)]


def late_meeting(office: Office, v: Values) -> list[Change]:
    who = address(office, v["participant"])
    if all(row["list_name"] != v["list"] for row in late(office, who)):
        return []
    return [meeting(who, v["title"], first_free(office, v["duration"]), v["duration"])]


def meet_about_mail(office: Office, v: Values) -> list[Change]:
    day = ago(office, v["period"])
    (found,) = [
        row
        for row in office.emails
        if row["folder"] == "inbox" and row["subject"] == v["subject"] and row["sent_datetime"][:10] == day
    ]
    return [meeting(found["address"], v["subject"], f"{v['date']} {v['time']}", v["duration"])]


def remind_participant(office: Office, v: Values) -> list[Change]:
    of_day = [row for row in office.events if row["event_start"][:10] == v["date"]]
    first = min(of_day, key=lambda row: str(row["event_start"]))
    return [mail(first["participant_email"], first["event_name"], v["body"])]


def silent_sender(office: Office, v: Values) -> list[Change]:
    who = address(office, v["sender"])
    received = [row for row in office.emails if row["folder"] == "inbox" and row["address"] == who]
    if any(recent(office, row["sent_datetime"], v["period"]) for row in received):
        return []
    return [meeting(who, v["title"], f"{v['date']} {v['time']}", v["duration"])]


def mail_unless_met(within: Callable[[Office, str, Values], bool]) -> Work:
    def work(office: Office, v: Values) -> list[Change]:
        who = address(office, v["participant"])
        starts = [row["event_start"] for row in office.events if row["participant_email"] == who]
        return [] if any(within(office, start, v) for start in starts) else [mail(who, v["title"], v["body"])]

    return work


def lately(office: Office, start: str, v: Values) -> bool:
    return recent(office, start, v["period"])


def soon(office: Office, start: str, v: Values) -> bool:
    return bool(office.today <= start[:10] <= v["date"])


def task_or_thanks(office: Office, v: Values) -> list[Change]:
    who = address(office, v["assignee"])
    holds = {"more": rose, "less": fell}[v["comparison"]](office, v, monday(office))
    return [task(office, who, v["title"]) if holds else mail(who, v["title"], NOTHING_TO_DO)]


def meeting_or_thanks(office: Office, v: Values) -> list[Change]:
    who = address(office, v["assignee"])
    if not fell(office, v, v["date"]):
        return [mail(who, v["title"], NOTHING_TO_DO)]
    return [task(office, who, v["title"]), meeting(who, v["title"], first_free(office, 30), 30)]


def leads(office: Office, v: Values) -> list[Row]:
    return owned(office, v, "Lead", product=False)


def drop_leads(office: Office, v: Values) -> list[Change]:
    return deleted(leads(office, v)) if rose(office, v, ago(office, v["period"])) else []


def leads_or_push(office: Office, v: Values) -> list[Change]:
    who = address(office, v["owner"])
    if not rose(office, v, v["date"]):
        return [mail(who, v["title"], MORE_PEOPLE)]
    return [*deleted(leads(office, v)), mail(who, v["title"], NO_NEW_LEADS)]


def task_or_leads(office: Office, v: Values) -> list[Change]:
    assignee, owner = address(office, v["assignee"]), address(office, v["owner"])
    if fell(office, v, v["date"]):
        return [task(office, assignee, v["title"]), meeting(owner, v["title"], first_free(office, 30), 30)]
    return [*changed(leads(office, v), "assigned_to_email", assignee), mail(assignee, v["title"], TAKE_LEADS)]


WORK: dict[str, Work] = {
    "pass-on-customers": pass_on_customers,
    "close-quiet": close_quiet,
    "pass-on-open": pass_on_open,
    "delete-part": delete_part,
    "set-status": set_status,
    "delete-customer": delete_customer,
    "add-lead": add_lead,
    "reassign-customer": reassign_customer,
    "overdue-rule": overdue_rule,
    "follow-up-customer": follow_up_customer,
    "lead-to-least-busy": lead_to_least_busy,
    "late-or-thanks": late_or_thanks,
    "late-meeting": late_meeting,
    "meet-about-mail": meet_about_mail,
    "remind-participant": remind_participant,
    "silent-sender": silent_sender,
    "unmet-mail": mail_unless_met(lately),
    "unplanned-mail": mail_unless_met(soon),
    "task-or-thanks": task_or_thanks,
    "meeting-or-thanks": meeting_or_thanks,
    "drop-leads": drop_leads,
    "leads-or-push": leads_or_push,
    "task-or-leads": task_or_leads,
}
