"""One session of a persona as its YAML file says it: what the file may hold."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchmarks.pi.predicates import Predicate
from benchmarks.pi.questions import Asked

__all__ = ("Call", "Evidence", "Flip", "Intent", "Item", "Metadata", "Mutation", "Reference", "Rubric", "Session",
           "Trigger", "schema")  # fmt: skip

Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]
Text = Annotated[str, Field(min_length=1)]
Words = Annotated[tuple[Text, ...], Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Trigger(_Part):
    """How a session begins. Of a `user`, `text` is the request; else `payload` is all that the agent is given."""

    kind: Literal["user", "feed", "webhook", "heartbeat", "schedule"]
    text: str = ""
    payload: str = ""

    @model_validator(mode="after")
    def _one(self) -> Self:
        wanted, other = ("text", "payload") if self.kind == "user" else ("payload", "text")
        if not getattr(self, wanted).strip() or getattr(self, other):
            raise ValueError(f"a trigger of kind {self.kind} has `{wanted}` and no `{other}`")
        return self

    @property
    def words(self) -> str:
        """What the agent is given first, whoever it comes from."""
        return self.text or self.payload


class Evidence(_Part):
    """Where an intent can be learnt: `at` is `session:ID`, `file:PATH`, `row:APP.TABLE.ID` or `web:URL`.

    `quote` stands there word for word.
    """

    at: str = Field(pattern=r"^(session|file|row|web):\S.*$")
    quote: Text

    @property
    def earlier(self) -> bool:
        """Whether it is what was said in an earlier session."""
        return self.at.startswith("session:")


class Flip(_Part):
    """The opposite of an intent: what would be said instead, and which items would change with it."""

    says: Text
    changes: Words


class Intent(_Part):
    """What the person wants and does not say.

    `says` is how they say it when asked, `values` are the words and figures in it that nobody can know otherwise. No
    `evidence` means that only asking helps. `done` tells that it was fulfilled unasked, only roughly where `proxy`.
    A question is about it that has all cues of one group of `cues` and of none of `not_cues`. Bars part the forms of a
    cue, of which one will do: `mail|text`.
    """

    id: Id
    text: Text
    says: Text
    values: tuple[Text, ...] = ()
    scope: Literal["persistent", "local"]
    evidence: tuple[Evidence, ...]
    done: Predicate
    proxy: bool = False
    cues: Annotated[tuple[Words, ...], Field(min_length=1)]
    not_cues: tuple[Words, ...] = ()
    flip: Flip

    @property
    def ask_only(self) -> bool:
        """Whether nothing but asking tells it."""
        return not self.evidence

    @property
    def lead_only(self) -> bool:
        """Whether nothing but earlier sessions tells it."""
        return bool(self.evidence) and all(each.earlier for each in self.evidence)


class Rubric(_Part):
    """What a judge is asked; `evidence` says where it looks: `said`, or `file:PATH`, or `row:APP.TABLE`."""

    passes: Text = Field(alias="pass")
    fails: Text = Field(alias="fail")
    evidence: Annotated[tuple[Annotated[str, Field(pattern=r"^(said$|file:.+|row:.+)")], ...], Field(min_length=1)]


class Item(_Part):
    """One condition of a complete end, by `check` or by `rubric`; `needs` are the intents that it follows from."""

    id: Id
    text: Text
    weight: float = Field(default=1.0, gt=0)
    needs: tuple[Id, ...] = ()
    check: Predicate | None = None
    rubric: Rubric | None = None
    why_not_rule: str = ""

    @model_validator(mode="after")
    def _either(self) -> Self:
        if (self.check is None) == (self.rubric is None):
            raise ValueError("an item has either a `check` or a `rubric`")
        return self


class Call(_Part):
    """A tool call of the reference."""

    app: Text
    tool: Text
    arguments: dict[str, Any] = {}


class Work(_Part):
    """How somebody does a session: the calls in order, and what is said at the hand-over."""

    calls: tuple[Call, ...] = ()
    says: Text


class Reference(Work):
    """How the session is done right. `guarded` are calls besides, which together break every guard."""

    guarded: tuple[Call, ...] = ()


class Mutation(_Part):
    """The reference's end with one thing wrong, and the items that have to fail for it.

    `calls` takes the place of calls of the reference by their number from 0, None leaves that one out; `rows` changes
    rows at the end (`app.table.id` -> fields), `files` the texts of files, `edits` parts of them (path -> old and new
    texts, each of which stands there once), and `says` the hand-over. With `undoes`, its calls and edits break half of
    what the reference does when they are made after it, which is what the instrument `undo` does.
    """

    breaks: Text
    fails: Words
    calls: dict[int, Call | None] = {}
    rows: dict[str, dict[str, Any]] = {}
    files: dict[str, str] = {}
    edits: dict[str, Annotated[tuple[tuple[Text, str], ...], Field(min_length=1)]] = {}
    says: str | None = None
    undoes: bool = False

    @model_validator(mode="after")
    def _changes(self) -> Self:
        if not (self.calls or self.rows or self.files or self.edits or self.says is not None):
            raise ValueError("a mutation changes at least one of calls, rows, files, edits, says")
        return self


class Metadata(_Part):
    """Who wrote the session, which two have reviewed it, and words by which it is found where models learnt from it."""

    author: Text
    reviewers: tuple[Text, ...] = ()
    canary: str = ""


class Session(_Part):
    """A session's file. `refers` are the files (`file:PATH`) and rows (`row:APP.TABLE.ID`) that the request names.

    `depends_on` are earlier sessions of the same group. `guards` have to stay false. `literal` is what somebody does
    who knows the request alone. `needs: shell` has the tools of files include one that runs scripts. `files` are the
    user's own that come with this session, `facts` what the user answers to a question that is about no intent,
    `questions` examples by which it hears what is asked for; more of these may stand in `ID.questions.jsonl` beside the
    file.
    """

    id: Id
    persona: Id
    category: str = Field(pattern=r"^[A-R]$")
    group: Id | None = None
    depends_on: tuple[Id, ...] = ()
    now: datetime
    trigger: Trigger
    refers: tuple[Annotated[str, Field(pattern=r"^(file|row):\S.*$")], ...] = ()
    intents: Annotated[tuple[Intent, ...], Field(min_length=1)]
    checklist: Annotated[tuple[Item, ...], Field(min_length=1)]
    guards: tuple[Predicate, ...] = ()
    files: dict[str, str] = {}
    apps: Words
    needs: Literal["shell"] | None = None
    skills: tuple[Text, ...] = ()
    facts: dict[str, str] = {}
    questions: tuple[Asked, ...] = ()
    reference: Reference
    literal: Work | None = None
    mutations: tuple[Mutation, ...] = ()
    metadata: Metadata

    @property
    def unit(self) -> str:
        """What it counts with in an episode: its group, or itself alone."""
        return self.group or self.id

    @property
    def ruled(self) -> dict[str, float]:
        """The weights of the items that a check decides, by id."""
        return {item.id: item.weight for item in self.checklist if item.check}


def schema() -> dict[str, Any]:
    """The JSON Schema of a session's file."""
    found = Session.model_json_schema(by_alias=True)
    del found["properties"]["now"]["format"]  # of JSON Schema: with a time zone
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:workplace-harness:pi-session:1",
        **found,
    }
