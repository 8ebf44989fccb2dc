"""Across apps: what is done when a website figure has grown or fallen."""

from __future__ import annotations

from benchmarks.workbench.synth.templates.fields import ASSIGNEE, BOARD, DURATION, METRIC, past_day, title
from benchmarks.workbench.synth.templates.multi.conditions import changed
from benchmarks.workbench.synth.templates.multi.deeds import meet, task
from benchmarks.workbench.synth.templates.multi.people import named
from benchmarks.workbench.synth.templates.multi.pieces import rule
from benchmarks.workbench.synth.templates.slots import choice, number

__all__ = ("GROWTH_TASK", "GROWTH_TASK_AND_MEETING")

_FIGURE = {
    "metric": METRIC,
    "comparison": choice(
        "comparison",
        {"higher": "higher", "lower": "lower", "more": "higher", "less": "lower"},
        dimension="constraint",
        subdimension="selection",
        why="A worry may be about growth or about decline.",
    ),
    "date": past_day((3, 4, 5, 6, 7, 8, 9, 10, 13, 15, 20)),
    "threshold": number(
        (5, 10, 15, 20, 25, 30, 40, 50, 75, 90),
        dimension="constraint",
        subdimension="numeric_bound",
        why="What counts as a great change is the user's own view.",
        complete_without=True,
    ),
}

GROWTH_TASK = rule(
    name="growth-task",
    domains=("analytics", "project_management"),
    wordings=(
        "Look at {metric}. If the figure for yesterday is {comparison} by more than {threshold} percent than on "
        '{date}, create a task called "{title}" for {assignee} in the backlog of the {board} board, due on Friday of '
        "next week.",
        "Compare what {metric} came to yesterday and before. Should yesterday's figure be {comparison} by more than "
        '{threshold} percent than on {date}, add a task named "{title}" to the backlog of the {board} board, assign it '
        "to {assignee} and set its due date to Friday of next week.",
        "See how {metric} changed up to yesterday. If the figure is {comparison} by more than {threshold} percent than "
        'on {date}, there is work for {assignee}: make a task with the name "{title}" on the {board} board, in '
        "its backlog, due on Friday of next week.",
    ),
    slots={
        **_FIGURE,
        "title": title(
            "task_name",
            "Explain the change",
            "Compare our landing pages",
            "Check the tracking code",
            "Ask ten visitors",
        ),
        "board": BOARD,
        "assignee": ASSIGNEE,
    },
    when=changed,
    then=[task(named("assignee"), "{board}")],
    idle=4,
)

GROWTH_TASK_AND_MEETING = rule(
    name="growth-task-and-meeting",
    domains=("analytics", "calendar", "project_management"),
    wordings=(
        "Look at {metric}. If the figure for yesterday is {comparison} by more than {threshold} percent than on "
        '{date}, create a task called "{title}" for {assignee} in the backlog of the Front end board, due on Friday '
        "of next week, and book a {duration} meeting of the same name with them in my first free slot from tomorrow.",
        "Compare what {metric} came to yesterday and before. Should yesterday's figure be {comparison} by more than "
        '{threshold} percent than on {date}, put a {duration} meeting with {assignee} named "{title}" in my '
        "calendar, in my first free slot from tomorrow. Add a task of that name for them to the backlog of the "
        "Front end board, too, due on Friday of next week.",
        "See how {metric} changed up to yesterday. If the figure is {comparison} by more than {threshold} percent than "
        'on {date}, two things need a place, both with the name "{title}": a task for {assignee} in the backlog of '
        "the Front end board, due on Friday of next week, and a {duration} meeting with them at my first gap from "
        "tomorrow.",
    ),
    slots={
        **_FIGURE,
        "assignee": ASSIGNEE,
        "title": title("title", "Website figures", "A change in visits", "What has happened here", "Start page"),
        "duration": DURATION,
    },
    when=changed,
    then=[task(named("assignee")), meet(named("assignee"))],
    idle=4,
)
