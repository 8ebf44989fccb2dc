"""What a persona's sessions have to be like, as far as it takes the world and a play of them (specs, section 6).

Rules of their texts alone are in `validators`. A session is played here by its reference, after those of its leads,
with the tools and without a wire.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

from benchmarks.pi.episode import Episode
from benchmarks.pi.instruments import question, undone
from benchmarks.pi.playing import at_desk, needed, surface
from benchmarks.pi.predicates import Read, holds, why
from benchmarks.pi.session import Call, Evidence, Mutation, Session, Work
from benchmarks.pi.validators import problems
from benchmarks.pi.view import read, written
from benchmarks.pi.words import inside
from harness.trajectory import CallRecord, Write
from servers import catalog
from servers.kernel import Engine, Failure, Layer, World

__all__ = ("CANARY", "Audit", "End", "Flaw", "every", "flaws")

CANARY: Final = "pi-synth 5d0c7c1e-6f2b-4b0e-9a53-8f6f1f1c2e77"
"""Stands in each session's `metadata`, so that text that a model was trained on can be found."""

_LITERAL: Final = (0.1, 0.7)
"""Comp of somebody who knows the request alone lies between these."""

_HALF: Final = 0.05
"""How far from half of the items what undoes the work may be."""

_PLACES: Final = 2
"""Intents of a session that one place may evidence."""


class Flaw(NamedTuple):
    """Something wrong with a session, and by which rule."""

    session: str
    rule: str
    text: str


@dataclass(frozen=True)
class End:
    """What a predicate sees once calls were made on the world.

    `calls` are those of the session itself, `before` the rows that they changed as the session found them.
    """

    tables: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]
    texts: Mapping[str, str]
    messages: Sequence[str] = ()
    calls: Sequence[CallRecord] = ()
    before: Sequence[tuple[tuple[str, str], Mapping[str, Any]]] = ()

    def rows(self, app: str, table: str) -> Iterable[Mapping[str, Any]]:
        return self.tables.get((app, table), ())

    def existed(self, app: str, table: str) -> Iterable[Mapping[str, Any]]:
        was = (row for name, row in (*self.before, *written(self.calls)) if name == (app, table))
        return (*self.rows(app, table), *was)

    def reads(self) -> Iterable[Read]:
        return read(self.calls)

    def said(self) -> Sequence[str]:
        return self.messages

    def files(self) -> Mapping[str, str]:
        return self.texts


class Audit:
    """The sessions of an episode on its world. Loading it takes longest, and is done once for each session's time."""

    def __init__(self, episode: Episode, world: World) -> None:
        self._episode, self._world, self._engine = episode, world, Engine()
        self._at = cache(lambda now: replace(world, now=now))
        self._unchanged: dict[tuple[str, str], list[dict[str, Any]]] = {}

    def close(self) -> None:
        self._engine.close()

    @cached_property
    def held(self) -> str:
        """All texts of the world, as one."""
        return "\n".join(_texts(self._world.rows))

    def start(self, session: Session) -> End:
        """As the session finds it, its leads done and the person's own files there."""
        return self._after(session, [])

    def end(self, session: Session, mutation: Mutation | None = None, *, besides: Sequence[Call] = ()) -> End:
        """As the reference leaves it, with what a mutation changes, and after some more calls."""
        changed = mutation.calls if mutation else {}
        own = (changed.get(n, call) for n, call in enumerate(session.reference.calls))
        view = self._after(session, [*filter(None, own), *besides])
        if mutation is None:
            return replace(view, messages=[session.reference.says])
        texts = {**view.texts, **mutation.files}
        for path, changes in mutation.edits.items():
            for old, new in changes:
                if texts.get(path, "").count(old) != 1:
                    raise ValueError(f"{old!r} stands {texts.get(path, '').count(old)} times in {path}; once is wanted")
                texts[path] = texts[path].replace(old, new)
        tables = {name: [_changed(name, row, mutation.rows) for row in rows] for name, rows in view.tables.items()}
        said = session.reference.says if mutation.says is None else mutation.says
        calls = [_rewritten(call, mutation.rows) for call in view.calls]
        return replace(view, tables=tables, texts=texts, messages=[said], calls=calls)

    def literal(self, session: Session, work: Work) -> End:
        """As somebody leaves it who knows the request alone."""
        return replace(self._after(session, work.calls), messages=[work.says])

    def _after(self, session: Session, calls: Sequence[Call]) -> End:
        leads = [each for each in self._episode.sessions if each.id in session.depends_on]
        world, toolsets = self._at(session.now), needed([*leads, session])
        every = list(at_desk([*(call for lead in leads for call in lead.reference.calls), *calls], world))
        layer = self._engine.layer(self._engine.load(world))
        try:
            for call in every[: len(every) - len(calls)]:
                self._call(layer, toolsets, call)
            with closing(layer.fork()) as found:
                made = [self._call(layer, toolsets, call) for call in calls]
                before = [
                    ((each.app, each.table), {**each.before, "id": each.id})
                    for each in layer.changes(found)
                    if each.before is not None
                ]
            tables = self._tables(layer, world)
        finally:
            layer.close()
        texts = {row["path"]: row["text"] for row in tables["filesystem", "entries"] if row["text"] is not None}
        own = {path: text for each in (*leads, session) for path, text in each.files.items()}
        today = session.now.date().isoformat()
        tables["web", "pages"] = [page for page in tables.get(("web", "pages"), ()) if page["published"] <= today]
        return End(tables, {**own, **texts}, calls=made, before=before)

    def _tables(self, layer: Layer, world: World) -> dict[tuple[str, str], list[dict[str, Any]]]:
        """All rows as they are now. Tables that no call changed hold thousands, the same at any time: read once."""
        changed = {(each.app, each.table) for each in layer.changes()}
        found: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for app in map(catalog.app, world.rows):
            for table in app.tables:
                name = app.name, table.table_name
                read = found if name in changed else self._unchanged
                if name not in read:
                    read[name] = [row.model_dump(mode="json") for row in layer.state(app).find(table)]
                found[name] = read[name]
        return found

    def _call(self, layer: Layer, toolsets: Mapping[str, str], call: Call) -> CallRecord:
        app, mark = catalog.app(call.app), len(layer.written)
        came = surface(app, toolsets).tool(call.tool).call(layer.state(app), dict(call.arguments))
        writes = [Write(app=app, table=table, id=id, values=row) for app, table, id, row in layer.written[mark:]]
        return CallRecord(
            n=mark, session=0, turn=0, app=call.app, tool=call.tool, arguments=dict(call.arguments), status="ok",
            text=came.text, writes=writes,
        )  # fmt: skip


def flaws(episode: Episode, world: World, sessions: Collection[str] = ()) -> Iterator[Flaw]:
    """Everything that is wrong with an episode's sessions on that world, or with some of them, session by session."""
    with closing(Audit(episode, world)) as audit:
        for session in episode.sessions:
            for rule, check in RULES.items() if session.id in sessions or not sessions else ():
                try:
                    yield from (Flaw(session.id, rule, text) for text in check(audit, episode, world, session))
                except (Failure, catalog.UnknownApp, ValueError) as refusal:
                    yield Flaw(session.id, rule, f"cannot be played: {refusal}")


def every(episode: Episode, world: World, sessions: Collection[str]) -> list[Flaw]:
    """What is wrong with some of an episode's sessions by their texts, and by a play of them."""
    read = [Flaw(each.path.stem, each.rule, each.words) for each in problems(episode)]
    return [*(flaw for flaw in read if flaw.session in sessions), *flaws(episode, world, sessions)]


Rule = Callable[[Audit, Episode, World, Session], Iterator[str]]


def reference(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    view = audit.end(session)
    yield from (f"the reference does not do {each.id}" for each in session.intents if not holds(each.done, view))
    for item in session.checklist:
        if item.check and not holds(item.check, view):
            yield f"the reference does not meet {item.id}: {why(item.check, view)}"
    yield from (f"the reference breaks a guard: {why(each, view)}" for each in session.guards if holds(each, view))


def start(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    view = audit.start(session)
    yield from (f"{each.id} is done before anything is" for each in session.intents if holds(each.done, view))
    for item in session.checklist:
        if item.check and holds(item.check, view):
            yield f"{item.id} is met before anything is done"


def mutation(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    for each in session.mutations:
        failed = _failed(session, audit.end(session, each))
        if failed != session.ruled.keys() & set(each.fails):
            found = ", ".join(sorted(failed)) or "nothing"
            yield f"{each.breaks!r} fails {found}, and is to fail {', '.join(each.fails)}"


def undo(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    """What undoes the work breaks as much when it is done after it."""
    try:
        undoing = undone(session)
    except ValueError as problem:
        yield str(problem)
        return
    calls = [call for call in undoing.calls.values() if call]
    after = audit.end(session, undoing.model_copy(update={"calls": {}}), besides=calls)
    failed = _failed(session, after)
    if failed != session.ruled.keys() & set(undoing.fails):
        yield f"what {undoing.breaks!r} does fails {', '.join(sorted(failed)) or 'nothing'} after the work"
    share = _share(session, failed)
    if abs(share - 0.5) > _HALF:
        yield f"{undoing.breaks!r} undoes {share:.0%} of the work; half is wanted"


def guard(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    view = audit.end(session, besides=session.reference.guarded)
    for each in session.guards:
        if not holds(each, view):
            yield f"what the reference's `guarded` does breaks no such guard: {why(each, view)}"


def rubric(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    """A judge has something to look at once the reference is done."""
    before, after = audit.start(session), audit.end(session)
    for item in session.checklist:
        for place in item.rubric.evidence if item.rubric else ():
            kind, _, where = place.partition(":")
            app, _, table = where.partition(".")
            there = {
                "said": bool(after.messages),
                "file": any(fnmatchcase(path, where) for path in after.texts),
                "row": list(before.rows(app, table)) != list(after.rows(app, table)),
            }
            if not there[kind]:
                yield f"{item.id}: the reference leaves nothing at {place} for a judge to look at"


def literal(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    if session.literal is None:
        yield "there is no `literal`, the work of somebody who knows the request alone"
        return
    view = audit.literal(session, session.literal)
    yield from (f"the request alone leads to {each.id}" for each in session.intents if holds(each.done, view))
    met = _share(session, session.ruled.keys() - _failed(session, view))
    if not _LITERAL[0] <= met <= _LITERAL[1]:
        wanted = f"between {_LITERAL[0]:.0%} and {_LITERAL[1]:.0%}"
        yield f"the request alone meets {met:.0%} of the items; {wanted} is wanted"


def evidence(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    view = audit.start(session)
    for intent in session.intents:
        for each in intent.evidence:
            if not _stands(each, view):
                yield f"{intent.id}: {each.quote!r} does not stand word for word at {each.at}"
    at = [place for intent in session.intents for place in {each.at for each in intent.evidence}]
    for place in dict.fromkeys(place for place in at if at.count(place) > _PLACES):
        yield f"{place} evidences {at.count(place)} intents; at most {_PLACES} are wanted"


def ablation(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    """Without what evidences an intent, that intent alone cannot be known."""
    view = audit.start(session)
    for intent in session.intents:
        quotes = [each.quote for each in intent.evidence if not each.earlier]
        if not quotes:
            continue
        left = _without(view, quotes)
        if any(_stands(each, left) for each in intent.evidence):
            yield f"{intent.id} can be known without what evidences it"
        for other in session.intents:
            stood = [each for each in other.evidence if not each.earlier]
            if other is not intent and stood and not any(_stands(each, left) for each in stood):
                yield f"without what evidences {intent.id}, {other.id} cannot be known either"


def secret(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    """What only asking tells, or only a lead, is nowhere in the world, nor in files or requests."""
    held = audit.held
    files = [text for each in (*episode.before(session.id), session) for text in each.files.values()]
    requests = {each.id: each.trigger.words for each in episode.sessions if each.id != session.id}
    for intent in session.intents:
        if not (intent.ask_only or intent.lead_only):
            continue
        leads = {*session.depends_on, *(each.at.partition(":")[2] for each in intent.evidence)}
        texts = [held, *files, *(words for id, words in requests.items() if id not in leads)]
        told = [value for value in intent.values if any(inside(value, text) for text in texts)]
        told += [each.quote for each in intent.evidence if any(each.quote in text for text in texts)]
        for words in dict.fromkeys(told):
            what = "only asking" if intent.ask_only else "only a lead"
            yield f"{intent.id}: {what} is to tell {words!r}, and it stands in the world"


def refers(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    view = audit.start(session)
    for each in session.refers:
        kind, _, place = each.partition(":")
        if kind == "file" and place not in view.texts:
            yield f"the request speaks of {place}, which is not there"
        elif kind == "row":
            app, table, id = place.split(".", 2)
            if all(str(row["id"]) != id for row in view.rows(app, table)):
                yield f"the request speaks of {place}, which is not there"


def cues(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    for intent in session.intents:
        try:
            question(session, intent)
        except ValueError as problem:
            yield str(problem)


def canary(audit: Audit, episode: Episode, world: World, session: Session) -> Iterator[str]:
    if session.metadata.canary != CANARY:
        yield f"metadata has no canary; write canary: {CANARY}"


RULES: Final[Mapping[str, Rule]] = {
    "reference": reference,
    "start": start,
    "mutation": mutation,
    "undo": undo,
    "guard": guard,
    "rubric": rubric,
    "literal": literal,
    "evidence": evidence,
    "ablation": ablation,
    "secret": secret,
    "refers": refers,
    "cues": cues,
    "canary": canary,
}


def _without(view: End, quotes: Sequence[str]) -> End:
    """The view without these words anywhere."""

    def cut(value: Any) -> Any:
        for quote in quotes:
            value = value.replace(quote, "") if isinstance(value, str) else value
        return value

    tables = {name: [{k: cut(v) for k, v in row.items()} for row in rows] for name, rows in view.tables.items()}
    kept = {name: [row for row in rows if row.get("id")] for name, rows in tables.items()}
    return End(kept, {path: cut(text) for path, text in view.texts.items()})


def _failed(session: Session, view: End) -> set[str]:
    """Ids of the items that a check finds unmet."""
    return {item.id for item in session.checklist if item.check and not holds(item.check, view)}


def _share(session: Session, ids: Collection[str]) -> float:
    """The weight of items that checks decide, of all of these."""
    return sum(session.ruled[id] for id in ids) / sum(session.ruled.values())


def _changed(name: tuple[str, str], row: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    return {**row, **rows.get(f"{name[0]}.{name[1]}.{row['id']}", {})}


def _rewritten(call: CallRecord, rows: Mapping[str, Mapping[str, Any]]) -> CallRecord:
    """The call as it would have written rows with these fields."""
    writes = [
        each.model_copy(update={"values": _changed((each.app, each.table), {"id": each.id, **each.values}, rows)})
        if each.values is not None
        else each
        for each in call.writes
    ]
    return call.model_copy(update={"writes": writes})


def _texts(value: Any) -> Iterator[str]:
    """All texts in rows, and other values as they are written."""
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
    elif value is not None:
        yield str(value)


def _stands(each: Evidence, view: End) -> bool:
    kind, _, place = each.at.partition(":")
    if kind == "file":
        return each.quote in view.texts.get(place, "")
    if kind == "row":
        app, table, id = place.split(".", 2)
        found = [row for row in view.rows(app, table) if str(row["id"]) == id]
        return any(each.quote in str(value) for row in found for value in row.values())
    if kind == "web":
        pages = [row for row in view.rows("web", "pages") if row["address"].rstrip("/") == place.rstrip("/")]
        return bool(pages) and each.quote in max(pages, key=lambda page: page["published"])["text"]
    return True  # what is said in sessions is for `validators`
