"""What somebody could do: as many actions as the sample has causes, each of which it ends, so that none stands out."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.facts import Fact
from benchmarks.probe.records import Action, Difficulty, Parameter, ParamsSchema

__all__ = ("COUNTS", "ROLES", "actions", "cause_of", "filled")

COUNTS = {24: 0.01, 25: 0.73, 26: 0.24, 27: 0.02}
"""How often a sample has so many actions (table 1)."""
ROLES: Mapping[str, tuple[str, str, str]] = {
    "send_email": ("recipient", "item", "reference"),
    "reply_email": ("recipient", "item", "reference"),
    "schedule_meeting": ("attendee", "subject", "reference"),
    "reschedule_meeting": ("organizer", "session", "reference"),
    "cancel_meeting": ("organizer", "entry", "reference"),
    "create_task": ("assigner", "item", "reference"),
    "delegate_task": ("delegator", "item", "reference"),
    "update_task_status": ("owner_of_record", "record", "reference"),
    "create_document": ("author", "document", "reference"),
    "update_document": ("editor", "document", "reference"),
    "share_document": ("holder", "document", "reference"),
    "send_slack_message": ("recipient", "item", "reference"),
    "make_phone_call": ("contact", "item", "reference"),
    "request_access": ("grantor", "resource", "reference"),
    "provide_feedback": ("respondent", "item", "reference"),
    "request_approval": ("approver", "item", "reference"),
    "escalate_to_manager": ("escalation_recipient", "item", "reference"),
    "create_meeting_agenda": ("chair", "item", "reference"),
    "conduct_review": ("reviewer", "document", "reference"),
    "update_project_plan": ("planner", "plan", "reference"),
}
"""What each category calls the decider, the object and the reference."""
_CONSTRAINTS = (
    "The reference belongs on every request.", "One request a day to the same person.", "Not before a second look.",
    "Only within working hours.", "The person addressed must have the say.", "A copy goes to the file.",
    "The work concerned has to be named.", "No request without a date.", "Only for work of one's own team.",
)  # fmt: skip


def actions(draw: random.Random, templates: Sequence[str], difficulty: Difficulty) -> tuple[Action, ...]:
    """An action for each of these causes, in drawn order. What it says is vaguer, the harder the sample."""
    found: list[Action] = []
    for template in draw.sample(templates, len(templates)):
        cause = causes()[template]
        number = 1 + sum(each.type == cause.action for each in found)
        who, what, under = ROLES[cause.action]
        found.append(
            Action(
                id=f"{cause.action}_{number}",
                type=cause.action,
                description=cause.descriptions[difficulty],
                constraints=tuple(draw.sample(_CONSTRAINTS, 2)),
                params_schema=ParamsSchema(
                    required=(who, what, under, "message"),
                    properties={
                        who: Parameter(kind="person", critical=True, description="Who can do it: full name."),
                        what: Parameter(kind="id", critical=True, description="The one thing it is about, by name."),
                        under: Parameter(kind="id", critical=True, description="The reference under which it is kept."),
                        "message": Parameter(kind="text", description="What to say; names the work that waits for it."),
                        "when": Parameter(kind="date", description="The day by which it matters."),
                    },
                ),
            )
        )
    return tuple(found)


def cause_of(action: Action, difficulty: Difficulty) -> str | None:
    """The template of the cause that an action ends, or None for an action of another make."""
    for cause in causes().values():
        if cause.action == action.type and cause.descriptions[difficulty] == action.description:
            return cause.id
    return None


def filled(action: Action, lever: Fact) -> dict[str, JsonValue]:
    """The critical parameters of an action, from a lever(object, decider, reference)."""
    who, what, under = ROLES[action.type]
    return {who: lever["decider"], what: lever["object"], under: lever["reference"]}
