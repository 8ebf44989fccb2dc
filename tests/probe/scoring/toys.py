"""A sample small enough to score by hand, and answers to it."""

from __future__ import annotations

from typing import Any

from benchmarks.probe.records import Action, Detail, Details, Document, Gold, Parameter, ParamsSchema, Sample
from benchmarks.probe.scoring.answers import Answer, Structured

__all__ = ("MESSAGE", "PARAMETERS", "PROSE", "RIGHT", "STRUCTURED", "answer", "sample")

ADA, CEM, EVA, FOX = (
    "Ada Berg <ada.berg@quarry.example>",
    "Cem Dal <cem@quarry.example>",
    "Eva Løvås <eva@quarry.example>",
    "Ada Fox <fox@quarry.example>",
)

DETAILS = Details(
    who_blocked=Detail(kind="person", value="Cem Dal", accept=("Cem",), stated_in=("D1",)),
    who_blocker=Detail(kind="person", value="Ada Berg", accept=("Ada",), stated_in=("D2",)),
    what_task=Detail(kind="work", value="the kiln price list", accept=("PL-104",), stated_in=("D1",)),
    why_root_cause=Detail(
        kind="cause",
        value={"type": "lapsed access", "object": "the drawing archive"},
        accept=("archive of drawings",),
        stated_in=("D2",),
    ),
    when_deadline=Detail(kind="date", value="2025-06-12", stated_in=("D1",)),
    where_system=Detail(kind="system", value="Kastor", stated_in=("D2",)),
    how_mechanism=None,
    impact_scope=None,
)

ASK = Action(
    id="ask",
    type="request_access",
    description="Ask whoever decides to open something.",
    params_schema=ParamsSchema(
        required=("decider", "object", "reference"),
        properties={
            "decider": Parameter(kind="person", critical=True),
            "object": Parameter(kind="text", critical=True),
            "reference": Parameter(kind="id", critical=True),
            "by": Parameter(kind="date", critical=True),
            "urgency": Parameter(kind="enum", choices=("low", "high")),
            "message": Parameter(kind="text"),
        },
    ),
)
WAIT = Action(id="wait", type="update_task_status", description="Wait.")

MESSAGE = "Please open the archive for Cem Dal, he needs it for PL-104."
PARAMETERS: dict[str, Any] = {
    "decider": "Ada Berg",
    "object": "the drawing archive",
    "reference": "RQ-7",
    "by": "2025-06-12",
    "message": MESSAGE,
}


def _mail(id: str, body: str, sender: str = ADA) -> Document:
    payload: dict[str, Any] = {"from": sender, "to": [CEM, EVA], "cc": [FOX], "subject": id, "body": body}
    return Document(id=id, type="email", payload=payload)


def sample(**gold: Any) -> Sample:
    """The sample, with other fields in its answer key: T is D1 and D2, D3 neutral, D4 and D5 distractors."""
    key = {
        "description": "Cem Dal cannot finish PL-104.",
        "details": DETAILS,
        "action": "ask",
        "parameters": PARAMETERS,
        "mentions": {"object": ("drawing archive",), "message": ("Cem Dal", "PL-104")},
        "true_positives": ("D1", "D2"),
        "neutral": ("D3",),
    }
    return Sample(
        id="S1",
        persona_id="P1",
        difficulty="easy",
        now="2025-06-02",
        world_model={"persona": {"name": "Cem Dal", "email": "cem@quarry.example"}},
        documents=(
            _mail("D1", "Cem has PL-104 until 12 June, says Ada Berg."),
            _mail("D2", "The drawing archive in Kastor is RQ-7."),
            *(_mail(id, "Lunch.") for id in ("D3", "D4", "D5")),
        ),
        actions=(ASK, WAIT),
        gold=Gold(**{**key, **gold}),
    )


STRUCTURED = Structured(
    who_blocked="Cem Dal",
    who_blocker="Ada Berg <ada.berg@quarry.example>",
    what_task="Kiln price list (PL-104)",
    why_root_cause="Lapsed access: the drawing archive",
    when_deadline="12 June 2025",
    where_system="the system Kastor",
)
PROSE = "Cem Dal cannot finish PL-104 by 12 June: Ada Berg let his access to the drawing archive in Kastor lapse."

RIGHT = Answer(retrieved=("D1", "D2"), bottleneck=STRUCTURED, action="ask", parameters=PARAMETERS)


def answer(**changed: Any) -> Answer:
    """The right answer with other fields; `details` and `parameters` name only what differs, None takes one away."""
    update = dict(changed)
    if "details" in update:
        update["bottleneck"] = STRUCTURED.model_copy(update=update.pop("details"))
    if "parameters" in update:
        given = {**PARAMETERS, **update["parameters"]}
        update["parameters"] = {name: value for name, value in given.items() if value is not None}
    return RIGHT.model_copy(update=update)
