"""Across apps: mails that lead to meetings, and meetings that lead to mails."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import Values
from benchmarks.workbench.synth.templates.fields import (
    DURATION,
    body,
    coming_day,
    how_long_ago,
    participant,
    title,
    working_hour,
)
from benchmarks.workbench.synth.templates.multi.conditions import silent, unmet, unplanned
from benchmarks.workbench.synth.templates.multi.deeds import meet, write
from benchmarks.workbench.synth.templates.multi.people import named
from benchmarks.workbench.synth.templates.multi.pieces import Deed, rule, say
from benchmarks.workbench.synth.templates.slots import colleague, period, subject
from benchmarks.workbench.synth.templates.steps import Step
from harness.agents.reference import GiveUp, Worker

__all__ = ("MEET_ABOUT_MAIL", "REMIND_PARTICIPANT", "SILENT_SENDER", "UNMET_MAIL", "UNPLANNED_MAIL")

_DOMAINS = ("email", "calendar")

_MEETING_DAY = coming_day(10)
_MEETING_TIME = working_hour("09:30:00", "10:00:00", "11:30:00", "13:30:00", "15:00:00", "16:30:00")


def _meet_sender(office: Office, values: Values) -> Sequence[Step]:
    """Nothing where no mail, or more than one, answers the description: the request makes no sense then."""
    when = office.ago(values["period"])
    mails = [m for m in rows.mails(office, subject=values["subject"]) if m["sent_datetime"][:10] == when]
    if len(mails) != 1:
        return []
    start = f"{values['date']} {values['time']}"
    return [steps.book(values["subject"], mails[0]["address"], start, values["duration"])]


async def _play_meet_sender(worker: Worker) -> None:
    subject, day = await worker.slot("subject"), find.ago(worker, await worker.slot("period"))
    found = await worker.call("gmail", "search_emails", query=subject, date_min=day, date_max=day)
    mails = [m for m in found if m["inbox/outbox"] == "inbox" and m["subject"].casefold() == subject.casefold()]
    if len(mails) != 1 or len(found) == find.AT_MOST:
        raise GiveUp(f"It is not clear which mail about {subject!r} from {day} is meant.")
    start, minutes = await say(worker, "{date} {time}"), await worker.slot("duration")
    await acts.book(worker, subject, mails[0]["sender/recipient"], start, minutes)


MEET_ABOUT_MAIL = rule(
    name="meet-about-mail",
    domains=_DOMAINS,
    wordings=(
        'Find the mail about "{subject}" that I got {period} ago, and book a {duration} meeting with its sender on '
        "{date} at {time}. Use the mail's subject as the name of the meeting.",
        'Somebody wrote to me {period} ago under the subject "{subject}". Schedule a {duration} meeting with that '
        "colleague for {date} at {time}, and call it just like the mail.",
        'I want to talk to the colleague who sent me a mail with the subject "{subject}" {period} ago. Put a '
        "{duration} meeting with them in my calendar on {date} at {time}, named like the mail.",
    ),
    slots={
        "subject": subject(
            dimension="input",
            subdimension="identifier",
            why="A dozen mails arrive on a day.",
        ),
        "period": period(
            (2, 3, 6, 7, 8, 9, 10, 13, 14, 15, 16, 17, 20, 21, 22),
            dimension="input",
            subdimension="version",
            guessability=0.5,
            why="There are several mails under a subject, of which the latest is the likely one.",
            complete_without=True,
        ),
        "duration": DURATION,
        "date": _MEETING_DAY,
        "time": _MEETING_TIME,
    },
    then=[Deed(_meet_sender, _play_meet_sender)],
)


def _remind(office: Office, values: Values) -> Sequence[Step]:
    first = rows.on_day(office, values["date"])[:1]
    return [steps.mail(event["participant_email"], event["event_name"], values["body"]) for event in first]


async def _play_remind(worker: Worker) -> None:
    events = await find.on_day(worker, await worker.slot("date"))
    if not events:
        raise GiveUp("There is no meeting that day.")
    recipient, title = events[0]["participant_email"], events[0]["event_name"]
    await acts.mail(worker, recipient, title, await worker.slot("body"))


REMIND_PARTICIPANT = rule(
    name="remind-participant",
    domains=_DOMAINS,
    wordings=(
        "Send whoever takes part in my first meeting on {date} a mail with the name of the meeting as its subject, "
        'saying "{body}"',
        "Look up my first meeting on {date}. Its participant should get a mail under the name of the meeting that "
        'says "{body}"',
        "Use the name of the earliest meeting in my calendar on {date} as the subject of a mail to its participant, "
        'and write them "{body}"',
    ),
    slots={
        "date": coming_day(
            14,
            why="Any coming day might be meant, if not simply the next one with a meeting.",
            complete_without=True,
        ),
        "body": body(
            "Do not forget that we meet.",
            "Please bring the latest figures.",
            "I may be a few minutes late.",
            "Can you book a room for us?",
            "Send me your questions before we meet.",
        ),
    },
    then=[Deed(_remind, _play_remind)],
)

SILENT_SENDER = rule(
    name="silent-sender",
    domains=_DOMAINS,
    wordings=(
        "If {sender} has not sent me a mail during the last {period}, book a {duration} meeting for the two of us "
        'called "{title}" on {date} at {time}.',
        "Was there any mail from {sender} in the past {period}? If not, we should meet on {date} at {time}: put a "
        '{duration} meeting named "{title}" in the calendar for the two of us.',
        "Check whether {sender} wrote to me over the last {period}. If not, schedule a {duration} meeting with the "
        'title "{title}" for the two of us on {date} at {time}.',
    ),
    slots={
        "sender": colleague(
            "sender",
            dimension="input",
            subdimension="source",
            why="Any colleague might be meant.",
        ),
        "period": how_long_ago((2, 3, 4, 5, 7, 10, 14, 21, 28, 35)),
        "duration": DURATION,
        "date": _MEETING_DAY,
        "time": _MEETING_TIME,
        "title": title("event_name", "Back in touch", "Catching up", "Where things are", "Just checking in"),
    },
    when=silent,
    then=[meet(named("sender"), fixed=True)],
    idle=4,
)

UNMET_MAIL = rule(
    name="unmet-mail",
    domains=_DOMAINS,
    wordings=(
        'If I have not met {participant} during the last {period}, send them a mail titled "{title}" that says '
        '"{body}"',
        "Have I had a meeting with {participant} in the past {period}? If not, mail them with the title "
        '"{title}", saying "{body}"',
        "Look through my calendar: was there a meeting with {participant} over the last {period}? Where there was "
        'none, I would like to send them a mail entitled "{title}" that says "{body}"',
    ),
    slots={
        "participant": participant(),
        "period": how_long_ago((4, 7, 10, 14, 21, 28, 42)),
        "title": title("title", "Shall we talk", "It has been a while", "Time for a chat", "Finding a time"),
        "body": body(
            "We have not spoken for some time; when does it suit you?",
            "Send me two dates on which you are free.",
            "What are you busy with at the moment?",
            "Is there anything that I should know?",
        ),
    },
    when=unmet,
    then=[write(named("participant"))],
    idle=4,
)

UNPLANNED_MAIL = rule(
    name="unplanned-mail",
    domains=_DOMAINS,
    wordings=(
        "If I have no meeting with {participant} between now and the end of {date}, send them a mail titled "
        '"{title}" that says "{body}"',
        "Am I going to meet {participant} at any time from today until the end of {date}? If my calendar has nothing, "
        'mail them with the title "{title}", saying "{body}"',
        "Look at my coming meetings up to the end of {date}. Unless there is one with {participant} among them, send "
        'that colleague a mail entitled "{title}" that says "{body}"',
    ),
    slots={
        "participant": participant(),
        "date": coming_day(
            15,
            why="How far ahead to look is the user's own choice.",
            complete_without=True,
        ),
        "title": title("title", "Finding a time", "When shall we meet", "Your calendar", "Planning ahead"),
        "body": body(
            "Please propose a time next week.",
            "I would like to see you soon; which day suits you?",
            "We have nothing planned. Should we?",
            "Pick a time in my calendar that suits you.",
        ),
    },
    when=unplanned,
    then=[write(named("participant"))],
    idle=4,
)
