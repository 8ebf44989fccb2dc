"""Across apps: what somebody's overdue tasks lead to."""

from __future__ import annotations

from benchmarks.workbench.synth.templates.fields import (
    DURATION,
    LIST_WITH_LATE,
    body,
    meeting_title,
    title,
    with_late_tasks,
)
from benchmarks.workbench.synth.templates.multi.conditions import late
from benchmarks.workbench.synth.templates.multi.deeds import meet, write
from benchmarks.workbench.synth.templates.multi.people import named
from benchmarks.workbench.synth.templates.multi.pieces import rule
from benchmarks.workbench.synth.templates.slots import count, person

__all__ = ("LATE_MEETING", "LATE_OR_THANKS", "OVERDUE_RULE")

OVERDUE_RULE = rule(
    name="overdue-rule",
    domains=("project_management", "calendar", "email"),
    wordings=(
        "Our rule is that {threshold} overdue tasks or more call for a talk. See whether that applies to "
        '{participant}; if so, book a {duration} meeting with them called "{title}" in my first free slot from '
        'tomorrow and send them a mail with the same title that says "{body}"',
        "Count the overdue tasks of {participant}. If there are {threshold} of them or more, put a {duration} meeting "
        'with them named "{title}" at the earliest time I am free from tomorrow, and mail them "{body}" under the '
        "same name.",
        "Does {participant} have overdue tasks, {threshold} at least? In that case I want to see them: schedule a "
        '{duration} meeting named "{title}" for the first gap in my calendar from tomorrow, and mail them, with the '
        'name of the meeting as the subject, this text: "{body}"',
    ),
    slots={
        "threshold": count(
            (1, 2, 3, 4, 5, 6, 7, 8, 10),
            dimension="context",
            subdimension="business_logic",
            why="It is a rule of the user's own.",
            complete_without=True,
        ),
        "participant": with_late_tasks("participant"),
        "duration": DURATION,
        "title": meeting_title(
            "Late tasks", "Your workload", "Getting back on track", "Deadlines", "What is holding you up"
        ),
        "body": body(
            "Let us go through your late tasks together.",
            "Please bring a list of what blocks you.",
            "I would like to hear how I can help.",
            "Tell me beforehand which dates you cannot keep.",
            "No need to prepare anything.",
        ),
    },
    when=late("participant", threshold="threshold"),
    then=[meet(named("participant")), write(named("participant"))],
    idle=3,
)

LATE_OR_THANKS = rule(
    name="late-or-thanks",
    domains=("project_management", "email"),
    wordings=(
        'Send a mail titled "{title}" to {participant}. If they have {threshold} overdue tasks or more, it should '
        'say "When can you finish what is late?", and otherwise "You are right on schedule, thank you."',
        'Look up the overdue tasks of {participant}. If there are {threshold} of them or more, mail them "When can '
        'you finish what is late?"; if there are fewer, mail them "You are right on schedule, thank you." In both '
        'cases call the mail "{title}".',
        'Please send a mail with the title "{title}" to {participant}. What it says depends on whether they have '
        'overdue tasks, {threshold} at least: "When can you finish what is late?" if they do, "You are right on '
        'schedule, thank you." if they do not.',
    ),
    slots={
        "participant": person(
            "recipient",
            lambda office: office.staff,
            dimension="goal",
            subdimension="target",
            why="Fifteen colleagues have tasks.",
        ),
        "threshold": count(
            (2, 3, 4, 5, 6, 7, 8, 10),
            dimension="context",
            subdimension="business_logic",
            why="How many late tasks are too many is the user's own view.",
            complete_without=True,
        ),
        "title": title("title", "Your tasks", "How are you getting on", "A word on this sprint", "Deadlines"),
    },
    when=late("participant", threshold="threshold"),
    then=[write(named("participant"), "When can you finish what is late?")],
    otherwise=[write(named("participant"), "You are right on schedule, thank you.")],
)

LATE_MEETING = rule(
    name="late-meeting",
    domains=("project_management", "calendar"),
    wordings=(
        "If {participant} has anything overdue in the {list} list, book a {duration} meeting for the two of us "
        'called "{title}" in my first free slot from tomorrow.',
        "Are any tasks of {participant} in the {list} list overdue? Then put a {duration} meeting for us named "
        '"{title}" in my calendar, in my first free slot from tomorrow.',
        "Have a look at what {participant} has in the {list} list. Should any of it be overdue, schedule a "
        '{duration} meeting with the title "{title}" for the two of us in my first gap from tomorrow.',
    ),
    slots={
        "participant": with_late_tasks("participant"),
        "list": LIST_WITH_LATE,
        "duration": DURATION,
        "title": title("event_name", "Late tasks", "What is in the way", "Your next steps", "Looking at dates"),
    },
    when=late("participant", within="list"),
    then=[meet(named("participant"))],
    idle=4,
)
