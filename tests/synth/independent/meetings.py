"""Mail and calendar: what is right, worked out from the words of each request and the rows of the world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from tests.synth.independent import Change, Office, Row, Values, Work

MAILS = "gmail.emails"
EVENTS = "calendar.events"
STAMP = "%Y-%m-%d %H:%M:%S"
OPENS = "09:00:00"
CLOSES = "18:00:00"


def address(office: Office, first_name: str) -> str:
    """The one address in the directory of a person named by first name."""
    (found,) = [p["email_address"] for p in office.people if p["email_address"].startswith(f"{first_name}.")]
    return str(found)


def day(office: Office, offset: int) -> str:
    """The date so many days after today."""
    return (datetime.fromisoformat(office.today) + timedelta(days=offset)).date().isoformat()


def in_last_days(office: Office, stamp: str, days: int) -> bool:
    """Whether a moment lies in the whole days before today."""
    return day(office, -days) <= stamp[:10] < office.today


def later(stamp: str, minutes: int) -> str:
    return (datetime.strptime(stamp, STAMP) + timedelta(minutes=minutes)).strftime(STAMP)


def delete(table: str, rows: Sequence[Row]) -> list[Change]:
    return [Change("delete", table, row["id"], {}) for row in rows]


# Mail


def received(office: Office, sender: str | None = None, subject: str | None = None) -> list[Row]:
    """The mails in the inbox from one person, under one subject, or both; oldest first."""
    found = [
        mail
        for mail in office.emails
        if mail["folder"] == "inbox"
        and (sender is None or mail["address"] == address(office, sender))
        and (subject is None or mail["subject"] == subject)
    ]
    return sorted(found, key=lambda mail: str(mail["sent_datetime"]))


def sent(office: Office, recipient: str, subject: str, body: str) -> Change:
    values = {"folder": "outbox", "address": address(office, recipient), "subject": subject, "body": body}
    return Change("insert", MAILS, "", values)


def forwarded(office: Office, mail: Row, recipient: str) -> Change:
    return sent(office, recipient, f"FW: {mail['subject']}", mail["body"])


def forward_thread(office: Office, values: Values) -> list[Change]:
    return [
        forwarded(office, mail, values["recipient"])
        for mail in received(office, values["sender"], values["subject"])
        if in_last_days(office, mail["sent_datetime"], values["period"])
    ]


def reply_latest(office: Office, values: Values) -> list[Change]:
    """Also for a request that names no subject."""
    mails = received(office, values["sender"], values.get("subject"))
    return [sent(office, values["sender"], mail["subject"], values["body"]) for mail in mails[-1:]]


def delete_latest(office: Office, values: Values) -> list[Change]:
    return delete(MAILS, received(office, values["sender"])[-1:])


def delete_recent(office: Office, values: Values) -> list[Change]:
    mails = received(office, values["sender"])
    return delete(MAILS, [mail for mail in mails if in_last_days(office, mail["sent_datetime"], values["period"])])


def forward_latest(office: Office, values: Values) -> list[Change]:
    return [forwarded(office, mail, values["recipient"]) for mail in received(office, values["sender"])[-1:]]


def forward_about(office: Office, values: Values) -> list[Change]:
    mails = received(office, subject=values["subject"])
    return [forwarded(office, mail, values["recipient"]) for mail in mails[-1:]]


def forward_to_two(office: Office, values: Values) -> list[Change]:
    mails = received(office, subject=values["subject"])
    return [forwarded(office, mail, values[who]) for mail in mails[-1:] for who in ("first", "second")]


def send_mail(office: Office, values: Values) -> list[Change]:
    return [sent(office, values["recipient"], values["subject"], values["body"])]


# Meetings


def meetings(office: Office, participant: str | None = None, name: str | None = None) -> list[Row]:
    """The meetings with one person, of one name, or both; earliest first."""
    found = [
        event
        for event in office.events
        if (participant is None or event["participant_email"] == address(office, participant))
        and (name is None or event["event_name"] == name)
    ]
    return sorted(found, key=lambda event: str(event["event_start"]))


def on(date: str, events: Sequence[Row]) -> list[Row]:
    return [event for event in events if event["event_start"][:10] == date]


def ahead(office: Office, events: Sequence[Row]) -> list[Row]:
    """It is midnight, so all of today is still to come."""
    return [event for event in events if event["event_start"][:10] >= office.today]


def end(event: Row) -> str:
    return later(event["event_start"], int(event["duration"]))


def booked(office: Office, values: Values, start: str) -> Change:
    event = {
        "event_name": values["title"],
        "participant_email": address(office, values["participant"]),
        "event_start": start,
        "duration": str(values["duration"]),
    }
    return Change("insert", EVENTS, "", event)


def renamed(events: Sequence[Row], title: str) -> list[Change]:
    return [Change("update", EVENTS, event["id"], {"event_name": title}) for event in events]


def free_starts(office: Office, date: str, minutes: int) -> Iterator[str]:
    """Where a meeting of this length fits into a working day, earliest first: at nine, or as another one ends."""
    events = on(date, office.events)
    if datetime.fromisoformat(date).weekday() >= 5:
        return
    for start in sorted({f"{date} {OPENS}", *map(end, events)}):
        stop = later(start, minutes)
        fits = f"{date} {OPENS}" <= start and stop <= f"{date} {CLOSES}"
        if fits and all(stop <= event["event_start"] or end(event) <= start for event in events):
            yield start


def clear_part_of_day(office: Office, values: Values) -> list[Change]:
    events = on(values["date"], office.events)
    if values["comparison"] == "before":
        return delete(EVENTS, [event for event in events if event["event_start"][11:] < values["time"]])
    assert values["comparison"] == "from"
    return delete(EVENTS, [event for event in events if event["event_start"][11:] >= values["time"]])


def catch_up(office: Office, values: Values) -> list[Change]:
    past = meetings(office, values["participant"])
    if any(in_last_days(office, event["event_start"], values["period"]) for event in past):
        return []
    days = (day(office, offset) for offset in range(1, 366))
    start = next(start for date in days for start in free_starts(office, date, values["duration"]))
    return [booked(office, values, start)]


def cancel_first(office: Office, values: Values) -> list[Change]:
    return delete(EVENTS, on(values["date"], meetings(office))[:1])


def rename_last(office: Office, values: Values) -> list[Change]:
    return renamed(on(values["date"], meetings(office))[-1:], values["title"])


def put_off(office: Office, values: Values) -> list[Change]:
    events = on(values["date"], meetings(office, values["participant"]))[:1]
    return [
        Change("update", EVENTS, event["id"], {"event_start": later(event["event_start"], values["delay"])})
        for event in events
        if later(end(event), values["delay"]) <= f"{values['date']} {CLOSES}"
    ]


def cancel_next_named(office: Office, values: Values) -> list[Change]:
    return delete(EVENTS, ahead(office, meetings(office, name=values["meeting"]))[:1])


def rename_next_named(office: Office, values: Values) -> list[Change]:
    return renamed(ahead(office, meetings(office, name=values["meeting"]))[:1], values["title"])


def cancel_later_named(office: Office, values: Values) -> list[Change]:
    events = meetings(office, name=values["meeting"])
    return delete(EVENTS, [event for event in events if event["event_start"][:10] > values["date"]])


def cancel_next_with(office: Office, values: Values) -> list[Change]:
    following = ahead(office, meetings(office, values["participant"]))[:1]
    return delete(EVENTS, [event for event in following if event["event_start"][:10] < values["date"]])


def cancel_all_with(office: Office, values: Values) -> list[Change]:
    return delete(EVENTS, ahead(office, meetings(office, values["participant"])))


def book_meeting(office: Office, values: Values) -> list[Change]:
    return [booked(office, values, f"{values['date']} {values['time']}")]


WORK: dict[str, Work] = {
    "forward-thread": forward_thread,
    "reply-latest": reply_latest,
    "delete-latest": delete_latest,
    "delete-recent": delete_recent,
    "forward-latest": forward_latest,
    "forward-about": forward_about,
    "forward-to-two": forward_to_two,
    "send-mail": send_mail,
    "answer-latest": reply_latest,
    "clear-part-of-day": clear_part_of_day,
    "catch-up": catch_up,
    "cancel-first": cancel_first,
    "rename-last": rename_last,
    "put-off": put_off,
    "cancel-next-named": cancel_next_named,
    "rename-next-named": rename_next_named,
    "cancel-later-named": cancel_later_named,
    "cancel-next-with": cancel_next_with,
    "cancel-all-with": cancel_all_with,
    "book-meeting": book_meeting,
}
