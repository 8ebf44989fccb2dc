"""What a sample is: the documents of one person's work, the actions open to them, and the answer key.

Source: PROBE, section 2 (S = (T, K, A, P, b)) and appendix B; the specification settles what it leaves open.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

__all__ = (
    "CATEGORIES", "ESSENTIAL", "OTHER", "Action", "Detail", "Details", "Difficulty", "Document", "Gold", "Kind",
    "Level", "Parameter", "ParamsSchema", "Sample",
)  # fmt: skip

Difficulty = Literal["easy", "medium", "hard"]
Level = Literal["grammar", "rewrite", "model"]
Kind = Literal["email", "event", "document"]

CATEGORIES = (
    "send_email", "reply_email", "schedule_meeting", "reschedule_meeting", "cancel_meeting", "create_task",
    "delegate_task", "update_task_status", "create_document", "update_document", "share_document",
    "send_slack_message", "make_phone_call", "request_access", "provide_feedback", "request_approval",
    "escalate_to_manager", "create_meeting_agenda", "conduct_review", "update_project_plan",
)  # fmt: skip
"""The kinds of action (appendix B.1.1)."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Document(_Data):
    """One mail, calendar event or text document.

    `payload` has, for an `email`: from, to (list), cc (list), subject, date (ISO minute), body; for an `event`: title,
    organizer, attendees (list), start and end (ISO minute), location, description; for a `document`: title, author,
    date (ISO day), content. People stand as "Name <address>". An imported sample keeps the payload that it came with.
    """

    id: str
    type: Kind
    payload: dict[str, JsonValue]


class Parameter(_Data):
    """What an action takes. Only `critical` ones decide whether it was carried out."""

    kind: Literal["person", "people", "date", "id", "enum", "amount", "text"]
    critical: bool = False
    description: str = ""
    choices: tuple[str, ...] = ()


class ParamsSchema(_Data):
    """The parameters of an action, by name."""

    required: tuple[str, ...] = ()
    properties: dict[str, Parameter] = {}


class Action(_Data):
    """Something that the person could do."""

    id: str
    type: str
    description: str
    constraints: tuple[str, ...] = ()
    params_schema: ParamsSchema = ParamsSchema()


class Detail(_Data):
    """One thing to be known about the bottleneck, the ways to say it, and the documents that state it.

    A cause is `{"type": ..., "object": ...}`, anything else a string. `accept` has aliases of the value (for a cause:
    of its object).
    """

    kind: Literal["person", "work", "cause", "date", "system", "text"]
    value: str | dict[str, str]
    accept: tuple[str, ...] = ()
    stated_in: tuple[str, ...] = ()


class Details(_Data):
    """The eight details of a bottleneck; null where there is nothing to know. The first four are essential."""

    who_blocked: Detail | None
    who_blocker: Detail | None
    what_task: Detail | None
    why_root_cause: Detail | None
    when_deadline: Detail | None = None
    where_system: Detail | None = None
    how_mechanism: Detail | None = None
    impact_scope: Detail | None = None


ESSENTIAL = ("who_blocked", "who_blocker", "what_task", "why_root_cause")
OTHER = ("when_deadline", "where_system", "how_mechanism", "impact_scope")


class Gold(_Data):
    """The answer key. `action` is null where doing nothing is right (a control).

    `true_positives` and `neutral` are ids of documents, in the order in which the documents stand; all others are
    distractors. `mentions` are, per free-text parameter of the action, what it has to name.
    """

    description: str
    details: Details
    action: str | None
    parameters: dict[str, JsonValue] = {}
    mentions: dict[str, tuple[str, ...]] = {}
    true_positives: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()


class Sample(_Data):
    """One sample. `world_model` is what the person is told about themselves and their firm, `now` the day (ISO)."""

    id: str
    persona_id: str
    difficulty: Difficulty
    level: Level = "grammar"
    template: str = ""
    now: str = ""
    world_model: dict[str, JsonValue]
    documents: tuple[Document, ...]
    actions: tuple[Action, ...]
    gold: Gold
