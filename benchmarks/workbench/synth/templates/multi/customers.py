"""Across apps: customers out of touch, and who is to look after a new one."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.workbench.synth.templates.fields import (
    BOARD,
    CUSTOMER,
    DURATION,
    NEW_CUSTOMER,
    NEW_PRODUCT,
    body,
    coming_day,
    how_long_ago,
    meeting_title,
    working_hour,
)
from benchmarks.workbench.synth.templates.multi.conditions import out_of_touch
from benchmarks.workbench.synth.templates.multi.deeds import meet, new_lead, write
from benchmarks.workbench.synth.templates.multi.people import fewest_overdue, in_charge
from benchmarks.workbench.synth.templates.multi.pieces import rule

__all__ = ("FOLLOW_UP_CUSTOMER", "LEAD_TO_LEAST_BUSY")

FOLLOW_UP_CUSTOMER = rule(
    name="follow-up-customer",
    domains=("customer_relationship_manager", "calendar", "email"),
    wordings=(
        "If nobody has been in contact with {customer} for more than {period}, book a {duration} meeting on {date} at "
        '{time} with whoever looks after them. Call it "{title}", and mail that colleague under the same title: '
        '"{body}"',
        "Check in the CRM when we last had contact with {customer}. Should that be more than {period} ago, I want to "
        'meet the colleague in charge of them on {date} at {time}: a {duration} meeting with the name "{title}". Mail '
        'them "{body}" as well, with the same name as the subject.',
        "Has it been more than {period} since our last contact with {customer}? Then invite the colleague they are "
        'assigned to for {date} at {time} to a {duration} meeting entitled "{title}", and send that colleague a mail '
        'of the same title saying "{body}"',
    ),
    slots={
        "customer": CUSTOMER,
        "period": how_long_ago((7, 14, 21, 28, 42, 56), complete_without=False),
        "date": coming_day(8),
        "time": working_hour("09:00:00", "10:30:00", "11:00:00", "13:00:00", "14:30:00", "16:00:00"),
        "duration": replace(DURATION, domain=lambda _: (30, 45, 60)),
        "title": meeting_title("A quiet customer", "Next steps", "Account check", "Keeping in touch"),
        "body": body(
            "Please bring your notes on this customer.",
            "Can you call them before we meet?",
            "I would like to understand why we lost touch.",
            "Have an offer ready for them by then.",
        ),
    },
    when=out_of_touch,
    then=[meet(in_charge, fixed=True), write(in_charge)],
    idle=3,
)

LEAD_TO_LEAST_BUSY = rule(
    name="lead-to-least-busy",
    domains=("customer_relationship_manager", "project_management"),
    wordings=(
        "Add {customer} to the CRM as a new lead interested in {product}. Of the people who have tasks on the "
        "{board} board, assign them to whoever has the fewest overdue ones there (alphabetically first in a tie).",
        "Enter {customer} into the CRM: a new lead with an interest in {product}. They go to the "
        "colleague with the fewest overdue tasks among all who have tasks on the {board} board, counting only that "
        "board, and to the one whose name comes first if there is a tie.",
        "Compare the people with tasks on the {board} board by how many of these are overdue. Whoever has the fewest, "
        "and comes first by name of those who do, gets a new lead: put {customer} into the CRM for them, with an "
        "interest in {product}.",
    ),
    slots={
        "customer": NEW_CUSTOMER,
        "product": NEW_PRODUCT,
        "board": replace(BOARD, complete_without=True),
    },
    then=[new_lead(fewest_overdue)],
)
