"""Across apps: website figures that decide what becomes of somebody's leads."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.workbench.synth.templates.fields import ASSIGNEE, LIMIT, METRIC, SINCE, how_long_ago, title
from benchmarks.workbench.synth.templates.multi.conditions import crossed
from benchmarks.workbench.synth.templates.multi.deeds import delete_leads, give_leads, meet, task, write
from benchmarks.workbench.synth.templates.multi.people import named
from benchmarks.workbench.synth.templates.multi.pieces import rule
from benchmarks.workbench.synth.templates.slots import person

__all__ = ("DROP_LEADS", "LEADS_OR_PUSH", "TASK_OR_LEADS")

_LEADS_OF = person(
    "owner",
    lambda office: office.sales,
    dimension="input",
    subdimension="source",
    why="Five colleagues have leads.",
    complete_without=True,
)

_ENOUGH = "The website is doing well, so we need no new leads from you."
_PUSH = "Please think about how to bring more people to our website."
_YOURS = "You can take on new leads now."

DROP_LEADS = rule(
    name="drop-leads",
    domains=("analytics", "customer_relationship_manager"),
    wordings=(
        "If {metric} exceeded {threshold} on any day during the last {period}, delete all of {owner}'s "
        "customers in the CRM with the status Lead.",
        "Was there a day in the past {period} on which {metric} went above {threshold}? Then every customer in "
        "the CRM that is a lead and assigned to {owner} can be deleted.",
        "Check {metric} day by day over the last {period}. Should any day come out above {threshold}, remove the "
        "leads of {owner} from the CRM, all of them.",
    ),
    slots={"metric": METRIC, "threshold": LIMIT, "period": how_long_ago((3, 5, 7, 10, 14, 21, 28)), "owner": _LEADS_OF},
    when=crossed("period", "more"),
    then=[delete_leads],
    idle=4,
)

LEADS_OR_PUSH = rule(
    name="leads-or-push",
    domains=("analytics", "customer_relationship_manager", "email"),
    wordings=(
        "If {metric} rose above {threshold} on any day since {date}, delete all leads in the CRM that are "
        f'assigned to {{owner}} and mail them "{_ENOUGH}" Otherwise mail them "{_PUSH}" Title the mail "{{title}}" in '
        "both cases.",
        "Has there been a day since {date} on which {metric} went above {threshold}? If so, take away the leads "
        f'of {{owner}} by deleting them from the CRM, and tell them by mail: "{_ENOUGH}" If not, mail them "{_PUSH}" '
        'Either mail is called "{title}".',
        'I have to send a mail with the title "{title}" to {owner}. Look at {metric} for each day since {date}. '
        f'If the number exceeded {{threshold}} even once, write "{_ENOUGH}" and delete all leads in the CRM that '
        f'they look after. If it never was, write "{_PUSH}"',
    ),
    slots={
        "metric": METRIC,
        "threshold": LIMIT,
        "date": SINCE,
        "owner": _LEADS_OF,
        "title": title("title", "Our priorities", "Your leads", "From now on", "Sales and the website"),
    },
    when=crossed("date", "more"),
    then=[delete_leads, write(named("owner"), _ENOUGH)],
    otherwise=[write(named("owner"), _PUSH)],
)

TASK_OR_LEADS = rule(
    name="task-or-leads",
    domains=("analytics", "calendar", "email", "project_management", "customer_relationship_manager"),
    wordings=(
        "If {metric} fell below {threshold} on any day since {date}, make a task for {assignee} in the backlog of the "
        "Front end board, due on Friday of next week, and book half an hour with {owner} in my first free slot from "
        f'tomorrow. Otherwise mail the former "{_YOURS}" and reassign all leads of the latter to them in the CRM. '
        'Whatever you create, call it "{title}".',
        "Has there been a day since {date} on which {metric} stayed below {threshold}? Then put half an hour with "
        "{owner} in my calendar, in my first free slot from tomorrow, and a task for {assignee} in the backlog "
        "of the Front end board, due on Friday of next week. If there has not, all leads in the CRM go from the former "
        f'to the latter, who gets a mail saying "{_YOURS}" For the names of task and meeting and for the subject of '
        'the mail, take "{title}".',
        "Go through {metric} from {date} on. If any day was below {threshold}, I need two things called "
        '"{title}": a task for {assignee} in the backlog of the Front end board, due on Friday of next week, and a '
        "half-hour meeting with {owner} at my first gap from tomorrow. If no day was, give the first of these two "
        f'colleagues all leads that the second has in the CRM, and mail the first "{_YOURS}" with that same name as '
        "the subject.",
    ),
    slots={
        "metric": METRIC,
        "threshold": LIMIT,
        "date": SINCE,
        "assignee": ASSIGNEE,
        "owner": replace(_LEADS_OF, complete_without=False),
        "title": title("title", "Website first", "Visitors and leads", "A new direction", "This month"),
    },
    when=crossed("date", "less"),
    then=[task(named("assignee")), meet(named("owner"), minutes=30)],
    otherwise=[write(named("assignee"), _YOURS), give_leads(named("assignee"))],
)
