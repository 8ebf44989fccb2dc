"""What a model replies, phase by phase, and how it becomes part of a sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from benchmarks.probe.records import CATEGORIES, Action, Detail, Details, Parameter, ParamsSchema

__all__ = (
    "DETAILS", "Actions", "Artifact", "Bottleneck", "Bottlenecks", "Checklist", "Context", "Firm", "Mail", "Meeting",
    "Paper", "Plan", "Planned", "Ranking", "Relation", "Relations", "Review", "Sources", "Suspicion", "Verdict", "Who",
)  # fmt: skip

DetailName = Literal[
    "who_blocked", "who_blocker", "what_task", "why_root_cause", "when_deadline", "where_system", "how_mechanism",
    "impact_scope",
]  # fmt: skip
DETAILS: Mapping[str, Literal["person", "work", "cause", "date", "system", "text"]] = {
    "who_blocked": "person", "who_blocker": "person", "what_task": "work", "why_root_cause": "cause",
    "when_deadline": "date", "where_system": "system", "how_mechanism": "text", "impact_scope": "text",
}  # fmt: skip
"""What kind of thing each detail is, the essential ones first."""

Text = Annotated[str, Field(min_length=1)]
Texts = tuple[Text, ...]
Some = Annotated[tuple[Text, ...], Field(min_length=1)]


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Who(_Reply):
    """The person whose work it is."""

    name: Text
    occupation: Text
    location: Text
    about: Text


class Firm(_Reply):
    """Where they work (B.1.2)."""

    company_name: Text
    company_type: Text
    department: Text
    team_size: Annotated[int, Field(ge=1)]
    reporting_to: Text
    key_processes: Some
    projects: Some
    typical_meetings: Some


class Context(_Reply):
    """How they work (B.1.3)."""

    work_style: Text
    current_goals: Some
    constraints: Some
    communication_preferences: Text
    tools_used: Some
    peak_productivity_time: Text
    biggest_challenges: Some


class Relation(_Reply):
    """Somebody they work with (B.1.4)."""

    name: Text
    role: Text
    type: Literal["manager", "direct report", "colleague", "client", "stakeholder", "collaborator"]
    interaction: Text
    status: Text
    frequency: Text


class Relations(_Reply):
    relationships: tuple[Relation, ...]


class _Value(_Reply):
    value: Text
    accept: Texts = ()


class _Why(_Reply):
    type: Annotated[str, Field(pattern=r"^[a-z]+(_[a-z]+)*$")]
    object: Text
    accept: Texts = ()


class Bottleneck(_Reply):
    """What holds something up: first its details, then the same in two or three sentences."""

    who_blocked: _Value
    who_blocker: _Value
    what_task: _Value
    why_root_cause: _Why
    when_deadline: _Value | None = None
    where_system: _Value | None = None
    how_mechanism: _Value | None = None
    impact_scope: _Value | None = None
    description: Text
    primary_person: Text
    urgency: Literal["high", "medium", "low"]
    type: Literal["delay", "missing_info", "conflict", "approval", "resource", "coordination"]

    def names(self) -> tuple[str, ...]:
        """The details that are not null."""
        return tuple(name for name in DETAILS if getattr(self, name) is not None)

    def ways(self, name: str) -> tuple[str, ...]:
        """How a detail may be named; of a cause its object."""
        told: _Value | _Why = getattr(self, name)
        return (told.object if isinstance(told, _Why) else told.value, *told.accept)

    def details(self, stated_in: Mapping[str, tuple[str, ...]]) -> Details:
        """As a sample has them, with the documents that state each."""
        found: dict[str, Detail | None] = dict.fromkeys(DETAILS)
        for name in self.names():
            told: _Value | _Why = getattr(self, name)
            value: str | dict[str, str] = (
                {"type": told.type, "object": told.object} if isinstance(told, _Why) else told.value
            )
            found[name] = Detail(
                kind=DETAILS[name], value=value, accept=self.ways(name), stated_in=stated_in.get(name, ())
            )
        return Details(**found)


class Bottlenecks(_Reply):
    bottlenecks: tuple[Bottleneck, ...]


class _Param(_Reply):
    kind: Literal["person", "people", "date", "id", "enum", "amount", "text"]
    critical: bool = False
    description: str = ""
    choices: Texts = ()


class _Act(_Reply):
    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    type: Literal[CATEGORIES]  # type: ignore[valid-type]
    description: Text
    constraints: Texts = ()
    params: Annotated[dict[str, _Param], Field(min_length=1)]
    required: Texts = ()

    def record(self) -> Action:
        """As a sample has it."""
        properties = {name: Parameter(**each.model_dump()) for name, each in self.params.items()}
        schema = ParamsSchema(required=self.required, properties=properties)
        return Action(
            id=self.id, type=self.type, description=self.description, constraints=self.constraints, params_schema=schema
        )


class Actions(_Reply):
    """What the person could do; `solves` is the id of the one that ends the bottleneck (B.1.1)."""

    actions: tuple[_Act, ...]
    solves: str


class _Search(_Reply):
    description: Text
    queries: Annotated[Texts, Field(min_length=3, max_length=5)]
    sources: Some


class _Insight(_Reply):
    description: Text
    findings: Annotated[Texts, Field(min_length=2, max_length=3)]
    root_cause: Text


class _Task(_Reply):
    action: Text
    description: Text
    parameters: dict[str, JsonValue]
    mentions: dict[str, Some] = {}


class Checklist(_Reply):
    """What to look for, what to understand, what to do and with which parameters (B.3)."""

    search: _Search
    identification: _Insight
    task: _Task


class _Source(_Reply):
    name: Text
    holds: Text
    access: Text
    relevance: Text


class Sources(_Reply):
    """Systems that would hold traces of the bottleneck besides mails and calendars (B.4.5)."""

    sources: Annotated[tuple[_Source, ...], Field(min_length=3, max_length=5)]


class Planned(_Reply):
    """One document to be (B.4.1). `states` and `parameters` name the details and critical parameters that it tells."""

    type: Literal["email", "event", "document"]
    source: str | None = None
    role: Text
    key_information: Some
    writer: Text
    states: tuple[DetailName, ...] = ()
    parameters: Texts = ()


class Plan(_Reply):
    documents: tuple[Planned, ...]


class Mail(_Reply):
    sender: Text
    to: Some
    cc: Texts = ()
    subject: Text
    body: Text


class Meeting(_Reply):
    title: Text
    organizer: Text
    attendees: Some
    location: Text
    description: Text


class Paper(_Reply):
    title: Text
    author: Text
    content: Text


class Review(_Reply):
    """How good evidence is, from 1 to 10 (B.4.6)."""

    score: Annotated[int, Field(ge=1, le=10)]
    strengths: Texts = ()
    issues: Texts = ()
    improvements: Texts = ()
    queries: Texts = ()


class Verdict(_Reply):
    """What a document that should say nothing of the bottleneck says of it."""

    states: Texts = ()
    defeats: Texts = ()
    another: bool = False
    why: str = ""


class Artifact(_Reply):
    """A pattern that gives something away: its name, and how it would be measured."""

    name: Text
    pattern: Text


class Ranking(_Reply):
    """Ids, the likeliest first, and the patterns that this rests on."""

    ranking: Texts
    artifacts: tuple[Artifact, ...] = ()


class Suspicion(_Reply):
    """How likely one document is to be evidence, from 0 to 100."""

    likelihood: Annotated[int, Field(ge=0, le=100)]
    artifacts: tuple[Artifact, ...] = ()
