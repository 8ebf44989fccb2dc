"""Across apps: what is done when a website figure crosses a line, and what otherwise."""

from __future__ import annotations

from benchmarks.workbench.synth.templates.fields import (
    ASSIGNEE,
    BOARD,
    COMPARISON,
    DURATION,
    LIMIT,
    METRIC,
    SINCE,
    body,
    participant,
    recipient,
    title,
)
from benchmarks.workbench.synth.templates.multi.conditions import crossed
from benchmarks.workbench.synth.templates.multi.deeds import meet, task, write
from benchmarks.workbench.synth.templates.multi.people import most_completed, named
from benchmarks.workbench.synth.templates.multi.pieces import rule

__all__ = (
    "FIGURE_MAIL", "FIGURE_MEETING", "FIGURE_TASK", "FIGURE_TASK_FOR_BEST", "MEETING_OR_THANKS", "TASK_OR_THANKS",
)  # fmt: skip

_TASKS = (
    "Look into the website figures", "Rework the start page", "Find out what visitors want", "Test the new banner",
    "Tidy up the site map",
)  # fmt: skip

FIGURE_MAIL = rule(
    name="figure-mail",
    domains=("analytics", "email"),
    wordings=(
        "If {metric} rose above {threshold} on any day since {date}, send {recipient} a mail titled "
        '"{title}" that says "{body}"',
        "Has there been a day since {date} on which {metric} went above {threshold}? If so, send a mail to "
        '{recipient} with the title "{title}", saying "{body}"',
        "Look at {metric} for each day since {date}. In case the number exceeded {threshold} even once, write a mail "
        'called "{title}" to {recipient}: "{body}"',
    ),
    slots={
        "metric": METRIC,
        "threshold": LIMIT,
        "date": SINCE,
        "recipient": recipient("is to hear of it"),
        "title": title("title", "Our website", "A busy day", "News from the website", "Did you see this"),
        "body": body(
            "Do you know what brought this about?",
            "Please have a look at the numbers.",
            "We should do more of whatever we did.",
            "Was that our newsletter?",
        ),
    },
    when=crossed("date", "more"),
    then=[write(named("recipient"))],
    idle=4,
)

FIGURE_MEETING = rule(
    name="figure-meeting",
    domains=("analytics", "calendar"),
    wordings=(
        "If {metric} came to {comparison} than {threshold} on any day since Monday, book a {duration} meeting with "
        '{participant} called "{title}" for the first free slot in my calendar from tomorrow.',
        "Check {metric} day by day since Monday. Should there be a day on which the figure came to {comparison} than "
        '{threshold}, put a {duration} meeting with {participant} named "{title}" in my calendar, in my first '
        "free slot from tomorrow.",
        "Was there a day since Monday on which {metric} came to {comparison} than {threshold}? Then I would like to "
        'meet: schedule a {duration} meeting with the title "{title}" with {participant} for my first gap from '
        "tomorrow.",
    ),
    slots={
        "metric": METRIC,
        "comparison": COMPARISON,
        "threshold": LIMIT,
        "participant": participant(),
        "duration": DURATION,
        "title": title("event_name", "Website figures", "What visitors do", "Our reach", "Ups and downs"),
    },
    when=crossed("week"),
    then=[meet(named("participant"))],
    idle=4,
)

FIGURE_TASK = rule(
    name="figure-task",
    domains=("analytics", "project_management"),
    wordings=(
        'If {metric} fell below {threshold} on any day since {date}, add a task called "{title}" to the backlog of the '
        "{board} board, assign it to {assignee} and set its due date to Friday of next week.",
        "Has there been a day since {date} on which {metric} stayed below {threshold}? In that case create a task "
        'named "{title}" for {assignee}. It belongs to the backlog of the {board} board and is due on Friday of next '
        "week.",
        "Go through {metric} from {date} on. If any day was below {threshold}, there is work for {assignee}: make a "
        'task with the name "{title}" on the {board} board, in its backlog, due on Friday of next week.',
    ),
    slots={
        "metric": METRIC,
        "threshold": LIMIT,
        "date": SINCE,
        "title": title("task_name", *_TASKS),
        "board": BOARD,
        "assignee": ASSIGNEE,
    },
    when=crossed("date", "less"),
    then=[task(named("assignee"), "{board}")],
    idle=4,
)

FIGURE_TASK_FOR_BEST = rule(
    name="figure-task-for-best",
    domains=("analytics", "project_management"),
    wordings=(
        "If {metric} came to {comparison} than {threshold} on any day since Monday, create a task called "
        '"{title}" on the {board} board for whoever has completed the most tasks on that board (alphabetically first '
        "in a tie). Put it in the backlog, due on Friday of next week.",
        "Was there a day since Monday on which {metric} came to {comparison} than {threshold}? Then find out who has "
        "completed the most tasks on the {board} board, the one whose name comes first in a tie, and add a task "
        'named "{title}" to its backlog for them. It is due on Friday of next week.',
        "Check {metric} day by day since Monday. Should there be a day on which the figure came to {comparison} than "
        '{threshold}, the backlog of the {board} board needs a task with the name "{title}", due on Friday of next '
        "week. Assign it to the colleague with the most completed tasks there, or to the first by name in a tie.",
    ),
    slots={
        "metric": METRIC,
        "comparison": COMPARISON,
        "threshold": LIMIT,
        "title": title("task_name", *_TASKS),
        "board": BOARD,
    },
    when=crossed("week"),
    then=[task(most_completed, "{board}")],
    idle=4,
)

_STEADY = "Nothing needs doing about the website, thanks."

TASK_OR_THANKS = rule(
    name="task-or-thanks",
    domains=("analytics", "project_management", "email"),
    wordings=(
        "If {metric} came to {comparison} than {threshold} on any day since Monday, add a task to the backlog of the "
        "Front end board for {assignee}, due on Friday of next week; otherwise mail them "
        f'"{_STEADY}" Whichever it is, call it "{{title}}".',
        "Depending on the website, there is something to send to {assignee}. If there was a day since Monday on "
        "which {metric} came to {comparison} than {threshold}, it is a task in the backlog of the Front end board, due "
        f'on Friday of next week, and if not, a mail saying "{_STEADY}" The task or the mail is called "{{title}}".',
        "Check {metric} day by day since Monday. Should there be a day on which the figure came to {comparison} than "
        '{threshold}, create a task with the name "{title}" for {assignee} in the backlog of the Front end board, due '
        f'on Friday of next week. Should there be none, mail them "{_STEADY}" instead, and let the subject be what the '
        "task would have been called.",
    ),
    slots={
        "metric": METRIC,
        "comparison": COMPARISON,
        "threshold": LIMIT,
        "assignee": ASSIGNEE,
        "title": title("title", "Website figures this week", "How the website is doing", "Start page", "Visitors"),
    },
    when=crossed("week"),
    then=[task(named("assignee"))],
    otherwise=[write(named("assignee"), _STEADY)],
)

MEETING_OR_THANKS = rule(
    name="meeting-or-thanks",
    domains=("analytics", "calendar", "email", "project_management"),
    wordings=(
        "If {metric} fell below {threshold} on any day since {date}, make a task for {assignee} in the backlog of the "
        "Front end board, due on Friday of next week, and book half an hour with them in my first free slot from "
        f'tomorrow; otherwise mail them "{_STEADY}" Whatever you create, call it "{{title}}".',
        "Has there been a day since {date} on which {metric} stayed below {threshold}? Then {assignee} gets a task "
        "in the backlog of the Front end board, due on Friday of next week, and a half-hour meeting with me, in my "
        f'first free slot from tomorrow. If there has not, mail them "{_STEADY}" The name of the task and the '
        'meeting, or else the subject of the mail, should be "{title}".',
        "Go through {metric} from {date} on. If any day was below {threshold}, create a task called "
        '"{title}" in the backlog of the Front end board for {assignee}, due on Friday of next week, and under the '
        "same name a half-hour meeting with them at my first gap from tomorrow. If no day was, send that colleague a "
        f'mail of that name which says "{_STEADY}"',
    ),
    slots={
        "metric": METRIC,
        "threshold": LIMIT,
        "date": SINCE,
        "assignee": ASSIGNEE,
        "title": title("title", "Quiet days", "How the website is doing", "Our start page", "Fewer visitors"),
    },
    when=crossed("date", "less"),
    then=[task(named("assignee")), meet(named("assignee"), minutes=30)],
    otherwise=[write(named("assignee"), _STEADY)],
)
