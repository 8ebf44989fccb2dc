"""Sessions read from their files, and the episode that a folder of them makes.

Nothing is played here: `read` and `episode` refuse what does not fit, with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError

from benchmarks.pi import questions
from benchmarks.pi.predicates import absent
from benchmarks.pi.session import Session
from benchmarks.pi.skills import skills
from harness.core.config import ConfigProblem
from harness.core.near import near
from harness.core.validation import unechoed
from harness.core.yaml_file import parsed
from harness.suite import SuiteError

__all__ = ("Episode", "episode", "read")

_MEMBERS = 3
"""Of a group, at most."""
_PLAIN = {"str": "string_type", "int": "int_type", "float": "float_type", "bool": "bool_type"}
"""What pydantic says of a value that may be plain and is not, by the type that it has tried."""


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


def _read(path: Path) -> tuple[Session, Source]:
    try:
        held = parsed(path)
    except ConfigProblem as error:
        raise SuiteError(str(error)) from None
    source = Source(path, held.lines)
    try:
        session = Session.model_validate(held.value)
    except ValidationError as error:
        told = [_told(held.value, source, each) for each in _once(unechoed(error))]
        raise SuiteError("\n".join(f"{path}:{line}: {words}" for line, words in sorted(told))) from None
    problems = [f"{path}:{source.line(*where)}: {words}" for where, words in _dangling(session, path)]
    if problems:
        raise SuiteError("\n".join(problems))
    beside = questions.read(path.with_suffix(questions.SUFFIX), [intent.id for intent in session.intents])
    return session.model_copy(update={"questions": (*session.questions, *beside)}), source


def _once(errors: Sequence[Any]) -> Iterator[Any]:
    """Of a value that may be plain, one problem: pydantic tells of it as each plain type, and as a mapping."""
    told = {each["loc"][:n] for each in errors for n, step in enumerate(each["loc"]) if step not in _PLAIN}
    for each in errors:
        *place, tried = each["loc"] or ("",)
        if each["type"] != _PLAIN.get(tried) or (tried == "str" and tuple(place) not in told):
            yield each


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
        case "string_type" if last == "str":
            return line, f"type: {named}: must be a plain value, not {error['input']!r:.60}"
        case "model_type" if last.endswith(", Match]"):
            return line, f"type: {named}: must be a plain value or a mapping, not {error['input']!r:.60}"
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
