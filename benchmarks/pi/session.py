"""One session of a persona as its YAML file says it, and the episode that a folder of them makes.

Nothing is played here: the models say what a file may hold, `read` and `episode` refuse what does not fit, with file
and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from benchmarks.pi import questions
from benchmarks.pi.predicates import Predicate, absent
from benchmarks.pi.questions import Asked
from benchmarks.pi.skills import skills
from harness.core.config import ConfigProblem
from harness.core.near import near
from harness.core.validation import unechoed
from harness.core.yaml_file import parsed
from harness.suite import SuiteError

__all__ = ("Call", "Episode", "Evidence", "Flip", "Intent", "Item", "Metadata", "Mutation", "Reference", "Rubric",
           "Session", "Trigger", "episode", "read", "schema")  # fmt: skip

_MEMBERS = 3
"""Of a group, at most."""

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


@dataclass(frozen=True)
class Source:
    """Where a session was read, and on which line each part of it stands."""

    path: Path
    lines: Mapping[tuple[str | int, ...], int] = field(repr=False)

    def line(self, *where: str | int) -> int:
        """The line of a part, or of the nearest that it lies in."""
        return next((self.lines[where[:n]] for n in range(len(where), -1, -1) if where[:n] in self.lines), 1)


@dataclass(frozen=True)
class Episode:
    """The sessions of a persona in the order of their times; `sources` by session id."""

    persona: str
    sessions: tuple[Session, ...]
    sources: Mapping[str, Source] = field(compare=False, repr=False)

    @property
    def groups(self) -> dict[str, tuple[Session, ...]]:
        """The members of each group in order; the last is its final."""
        found: dict[str, tuple[Session, ...]] = {}
        for session in self.sessions:
            if session.group is not None:
                found[session.group] = (*found.get(session.group, ()), session)
        return found

    def before(self, id: str) -> tuple[Session, ...]:
        """The sessions that come before that one."""
        return self.sessions[: [session.id for session in self.sessions].index(id)]


def read(path: Path) -> Session:
    """The session in a file, which is named after its id. Raises `SuiteError` with all that is wrong, a line each."""
    return _read(path)[0]


def episode(folder: Path) -> Episode:
    """The episode that the `*.yaml` files of a folder make. Raises `SuiteError` with all that is wrong."""
    found: list[tuple[Session, Source]] = []
    problems: list[str] = []
    for path in sorted(folder.glob("*.yaml")):
        try:
            found.append(_read(path))
        except SuiteError as error:
            problems.append(str(error))
    if not found and not problems:
        problems.append(f"{folder}: there is no session; an episode has a file `ID.yaml` for each")
    problems += _stray(folder)
    problems = problems or list(_unfit(found))
    if problems:
        raise SuiteError("\n".join(problems))
    found.sort(key=lambda each: (each[0].now, each[0].id))
    sessions = tuple(session for session, _ in found)
    return Episode(sessions[0].persona, sessions, {session.id: source for session, source in found})


def schema() -> dict[str, Any]:
    """The JSON Schema of a session's file."""
    found = Session.model_json_schema(by_alias=True)
    del found["properties"]["now"]["format"]  # of JSON Schema: with a time zone
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:workplace-harness:pi-session:1",
        **found,
    }


def _read(path: Path) -> tuple[Session, Source]:
    try:
        held = parsed(path)
    except ConfigProblem as error:
        raise SuiteError(str(error)) from None
    source = Source(path, held.lines)
    try:
        session = Session.model_validate(held.value)
    except ValidationError as error:
        told = [_told(held.value, source, each) for each in unechoed(error)]
        raise SuiteError("\n".join(f"{path}:{line}: {words}" for line, words in sorted(told))) from None
    problems = [f"{path}:{source.line(*where)}: {words}" for where, words in _dangling(session, path)]
    if problems:
        raise SuiteError("\n".join(problems))
    beside = questions.read(path.with_suffix(questions.SUFFIX), [intent.id for intent in session.intents])
    return session.model_copy(update={"questions": (*session.questions, *beside)}), source


def _told(data: Any, source: Source, error: Any) -> tuple[int, str]:
    where: tuple[str | int, ...] = ()
    for step in error["loc"]:  # pydantic names the kind of a predicate and of a value too, which the file does not hold
        inside = data if isinstance(data, dict) else dict(enumerate(data)) if isinstance(data, list) else {}
        if step in inside:
            where, data = (*where, step), inside[step]
    line, named, last = source.line(*where), ".".join(map(str, where)), str(error["loc"][-1] if error["loc"] else "")
    match error["type"]:
        case "extra_forbidden":
            known = _fields(error["loc"][:-1])
            return line, f"unknown-key: {named}: no such key.{near(last, known)} Known: {', '.join(known)}."
        case "missing":
            return line, f"missing: {named + '.' if named else ''}{last} is required"
        case "value_error":
            return line, f"value: {named}: {error['ctx']['error']}"
        case "union_tag_invalid":
            tags = re.findall("'([^']*)'", error["ctx"]["expected_tags"])
            tag = error["ctx"]["tag"]
            what = f"{tag!r} is not a kind of predicate.{near(tag, tags)} Known: {', '.join(tags)}."
            return line, f"predicate: {named}: {what}"
        case "union_tag_not_found":
            return line, f"predicate: {named}: a predicate says its `kind`"
        case "literal_error":
            return line, f"value: {named}: {error['input']!r:.60} is not allowed; write {error['ctx']['expected']}"
        case "too_short":
            return line, f"value: {named}: needs at least one"
        case "too_long":
            context = error["ctx"]
            return line, f"value: {named}: has {context['actual_length']} and takes {context['max_length']}"
        case "model_type" | "model_attributes_type":
            return line, f"type: {named or 'file'}: must be a mapping, not {error['input']!r:.60}"
    return line, f"value: {named}: {error['msg'][:1].lower()}{error['msg'][1:]}, not {error['input']!r:.60}"


def _fields(loc: Sequence[str | int]) -> list[str]:
    """The keys that the model at pydantic's location may have, as a file writes them."""
    models: list[type[BaseModel]] = [Session]
    for step in loc:
        here = [each for model in models for name, each in model.model_fields.items() if step in (name, each.alias)]
        tagged = [m for m in models if "kind" in m.model_fields and step in get_args(m.model_fields["kind"].annotation)]
        named = [m for m in models if step == m.__name__]
        models = [m for each in here for m in _models(each.annotation)] or tagged or named or models
    return list(dict.fromkeys(each.alias or name for model in models for name, each in model.model_fields.items()))


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif get_origin(annotation) is not Literal:
        for inner in get_args(annotation):
            yield from _models(inner)


def _dangling(session: Session, path: Path) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Ids inside a session that repeat, or that name nothing."""
    intents, items = [each.id for each in session.intents], [each.id for each in session.checklist]
    if session.id != path.stem:
        yield ("id",), f"file-name: the file holds session {session.id!r}; it is named after its id"
    if session.now.tzinfo is not None:
        yield ("now",), "now: a local time without zone is wanted, as in 2026-04-14T09:10"
    for kind, ids in (("intents", intents), ("checklist", items)):
        for n, id in enumerate(ids):
            if id in ids[:n]:
                yield (kind, n, "id"), f"repeated-id: {id!r} is the id of an earlier one; each has its own"
    for n, intent in enumerate(session.intents):
        for id in intent.flip.changes:
            if id not in items:
                yield ("intents", n, "flip"), f"unknown-item: there is no item {id!r}; there is {', '.join(items)}"
    for n, name in enumerate(session.apps):
        if told := absent(name):
            yield ("apps", n), f"unknown-app: {told}"
    for n, name in enumerate(session.skills):
        if name not in skills():
            yield ("skills", n), f"unknown-skill: there is no skill {name!r}.{near(name, skills())}"
    for n, asked in enumerate(session.questions):
        for problem in questions.unknown(asked, intents):
            yield ("questions", n), problem
    for n, item in enumerate(session.checklist):
        for id in item.needs:
            if id not in intents:
                yield (
                    ("checklist", n, "needs"),
                    f"unknown-intent: there is no intent {id!r}; there is {', '.join(intents)}",
                )
    for n, mutation in enumerate(session.mutations):
        for id in mutation.fails:
            if id not in items:
                yield ("mutations", n, "fails"), f"unknown-item: there is no item {id!r}; there is {', '.join(items)}"
        for call in mutation.calls:
            if not 0 <= call < len(session.reference.calls):
                has = len(session.reference.calls)
                yield (
                    ("mutations", n, "calls"),
                    f"unknown-call: there is no call {call}; the reference has {has}, from 0",
                )


def _stray(folder: Path) -> Iterator[str]:
    """Files of questions that are of no session of the folder."""
    ids = [path.stem for path in folder.glob("*.yaml")]
    for path in sorted(folder.glob(f"*{questions.SUFFIX}")):
        id = path.name.removesuffix(questions.SUFFIX)
        if id not in ids:
            yield f"{path}:1: unknown-session: there is no session {id!r} in this folder.{near(id, ids)}"


def _unfit(found: Sequence[tuple[Session, Source]]) -> Iterator[str]:
    """What keeps sessions that are sound each from making one episode; ids differ, since files are named after them."""
    by_id: dict[str, Session] = {}
    groups: dict[str, list[Session]] = {}
    for session, source in found:
        by_id[session.id] = session
        if session.persona != found[0][0].persona:
            here, other = f"{source.path}:{source.line('persona')}", found[0][0].persona
            yield f"{here}: persona: {session.persona!r}, and the first file has {other!r}"
        if session.group is not None:
            groups.setdefault(session.group, []).append(session)
    sources = {session.id: source for session, source in found}
    for session, source in found:
        for id in session.depends_on:
            lead = by_id.get(id)
            here = f"{source.path}:{source.line('depends_on')}"
            if lead is None:
                yield f"{here}: unknown-session: there is no session {id!r} in this folder.{near(id, by_id)}"
            elif lead.group != session.group or session.group is None:
                yield f"{here}: other-group: {id!r} is not in group {session.group!r}; leads are of one group"
            elif lead.now >= session.now:
                yield f"{here}: later-lead: {id!r} is not before {session.id!r}; what is depended on comes first"
    try:
        TopologicalSorter({id: [d for d in each.depends_on if d in by_id] for id, each in by_id.items()}).prepare()
    except CycleError as error:
        first = sources[error.args[1][0]]
        yield f"{first.path}:{first.line('depends_on')}: cycle: {' needs '.join(reversed(error.args[1]))}"
    for group, members in groups.items():
        members.sort(key=lambda each: (each.now, each.id))
        final, source = members[-1], sources[members[-1].id]
        here = f"{source.path}:{source.line('group')}"
        if len(members) == 1:
            yield f"{here}: lone-group: group {group!r} has one member; it needs two or three"
            continue
        if len(members) > _MEMBERS:
            yield f"{here}: large-group: group {group!r} has {len(members)} members; it has two or three"
        lacking = [lead.id for lead in members[:-1] if lead.id not in final.depends_on]
        if lacking:
            at = f"{source.path}:{source.line('depends_on')}"
            yield f"{at}: lacks-lead: the final of {group!r} depends on each earlier member; add {', '.join(lacking)}"
