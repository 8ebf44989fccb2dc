"""Sessions as the harness plays them: a task for an episode or for one unit of it, and what its person holds back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Final

from benchmarks.pi.episode import Episode
from benchmarks.pi.predicates import holds
from benchmarks.pi.session import Call as Written
from benchmarks.pi.session import Item, Session
from benchmarks.pi.skills import skills
from benchmarks.pi.view import LiveView
from harness.core.hidden import Hidden
from harness.core.task import Source
from harness.task import Arrives, Call, Task, Trigger
from harness.task import Session as Played
from servers.filesystem.paths import SKILLS
from servers.kernel import App, Edit, Fact, Intent, Since, Toolset, Turn, World

__all__ = ("BESIDES", "Unit", "alone", "at_desk", "hidden", "intents", "logins", "needed", "surface", "task", "units")

_SOURCES: Final[Mapping[str, Source]] = {
    "feed": "feed",
    "webhook": "webhook",
    "schedule": "schedule",
    "heartbeat": "schedule",
}
BESIDES: Final = "An assistant may do more than is asked; what it must not do is what a session's guards forbid."
"""Why checks accept ends that have more than the reference's."""
_LEAST: Final = 4
"""Letters of a word that a question is recognised by."""


@dataclass(frozen=True)
class Unit:
    """Sessions that are played in one sandbox, in order; `id` names them.

    `left_out` are sessions before them that are not played; the person's own files of these are there all the same.
    """

    id: str
    sessions: tuple[Session, ...]
    left_out: tuple[Session, ...] = ()

    @property
    def alone(self) -> bool:
        """Whether it is one session of a group, without the others."""
        return len(self.sessions) == 1 and self.sessions[0].group is not None

    @property
    def template(self) -> str:
        """What its task is counted with: a group by its name, anything else by its own."""
        groups = {session.group for session in self.sessions}
        return next(iter(groups)) or self.id if len(groups) == 1 and len(self.sessions) > 1 else self.id


def units(episode: Episode) -> tuple[Unit, ...]:
    """The groups of an episode and its independent sessions, by the time of their last (specs: a unit)."""
    groups = [Unit(f"{episode.persona}-{name}", of) for name, of in episode.groups.items()]
    alone = [Unit(f"{episode.persona}-{each.id}", (each,)) for each in episode.sessions if each.group is None]
    return tuple(sorted([*groups, *alone], key=lambda unit: (unit.sessions[-1].now, unit.id)))


def alone(episode: Episode) -> tuple[Unit, ...]:
    """Each session of a group without those before it: for the ablation (section 3.4), and to play one at a time."""
    return tuple(
        Unit(f"{episode.persona}-{session.id}", (session,), of[:n])
        for of in episode.groups.values()
        for n, session in enumerate(of)
    )


def task(unit: Unit, world: World) -> Task:
    """What a harness plays: each session with its time, its request or event, and the files that come with it."""
    apps = dict.fromkeys(app for session in unit.sessions for app in session.apps)
    there = {row["id"] for row in world.rows.get("filesystem", {}).get("entries", ())}
    before = [edit for session in unit.left_out for edit in _files(session, there)]
    return Task(
        id=unit.id,
        world=world.name,
        apps=tuple(apps),
        toolsets=needed([*unit.left_out, *unit.sessions]),
        sessions=tuple(_played(session, there) for session in unit.sessions),
        setup=tuple(before),
        solution=tuple(
            Call(app=call.app, tool=call.tool, arguments=call.arguments, session=number)
            for number, session in enumerate(unit.sessions)
            for call in at_desk(session.reference.calls, world)
        ),
        template=unit.template,
        ends=(),
    )


def needed(sessions: Iterable[Session]) -> dict[str, str]:
    """App -> the toolset that sessions of one sandbox need.

    Those that are left out count: a group's last session has the same tools with the others and without.
    """
    return {"filesystem": "pi_shell"} if any(session.needs == "shell" for session in sessions) else {}


def surface(app: App, needed: Mapping[str, str]) -> Toolset:
    """The toolset through which sessions call an app: the one they need, else `pi`, else the app's default."""
    return app.toolsets.get(needed.get(app.name, "pi")) or app.default


def hidden(unit: Unit) -> Hidden:
    """What the person of these sessions wants and does not say, for a user of kind `intents`."""
    wanted = [{intent.id: intent.done for intent in session.intents} for session in unit.sessions]

    def completed(intent: Intent, shown: Turn) -> bool:
        view = LiveView(partial(_changed, shown.so_far), (shown.stated,), shown.so_far)
        return holds(wanted[shown.session][intent.id], view)

    return Hidden(
        sessions=tuple(map(intents, unit.sessions)),
        completed=completed,
        items=tuple(tuple(map(_item, session.checklist)) for session in unit.sessions),
        facts=tuple(
            Fact(says=says, cues=(_cue(question),))
            for session in unit.sessions
            for question, says in session.facts.items()
        ),
    )


def intents(session: Session) -> tuple[Intent, ...]:
    """A session's intents as its person knows them, each with the questions that ask for it and those that do not."""
    return tuple(
        Intent(
            id=each.id,
            text=each.text,
            says=each.says,
            cues=each.cues,
            not_cues=each.not_cues,
            asking=tuple(put.message for put in session.questions if each.id in put.asked),
            beside=tuple(put.message for put in session.questions if each.id not in put.asked),
            proxy=each.proxy,
            values=each.values,
        )
        for each in session.intents
    )


def at_desk(calls: Sequence[Written], world: World) -> Iterator[Written]:
    """The calls of a session as they are made: behind a login to each of their apps that want one."""
    yield from logins((call.app for call in calls), world)
    yield from calls


def logins(apps: Iterable[str], world: World) -> Iterator[Written]:
    """A login to each of these apps that wants one."""
    for app in dict.fromkeys(apps):
        for account in list(world.rows.get(app, {}).get("accounts", ()))[:1]:
            given = {name: account[name] for name in ("username", "password")}
            yield Written(app=app, tool="log_in", arguments=given)


def _item(item: Item) -> str:
    told = [f"needs {', '.join(item.needs)}"] if item.needs else []
    told += [f"weighs {item.weight:g}"] if item.weight != 1 else []
    told += ["for a judge"] if item.rubric else []
    more = "; ".join(told)
    return f"{item.id}: {item.text}" + (f" ({more})" if more else "")


def _changed(done: Since, app: str, table: str) -> Iterable[Mapping[str, Any]]:
    """The rows that an agent has written, in earlier sessions too, as they are now: only these are acts of its."""
    return [
        {**row.values, "id": row.id}
        for row in done.changed
        if (row.app, row.table) == (app, table) and row.values is not None
    ]


def _played(session: Session, there: set[str]) -> Played:
    trigger = session.trigger
    files = tuple(_files(session, there))
    return Played(
        requests={"original": trigger.text, "evidence": _reminded(session)} if trigger.kind == "user" else {},
        event=None
        if trigger.kind == "user"
        else Trigger(source=_SOURCES[trigger.kind], name=trigger.kind, text=trigger.payload),
        arrivals=(Arrives(source="feed", edits=files, text="the person's own files"),) if files else (),
        now=session.now,
        closing=session.reference.says,
    )


def _reminded(session: Session) -> str:
    """The request with all that bears on it quoted: what an agent could do that remembers and finds everything."""
    quotes = dict.fromkeys(each.quote for intent in session.intents for each in intent.evidence)
    return "\n".join(
        [session.trigger.text, "", "What was written or said before:", *(f'- "{each}"' for each in quotes)]
    )


def _files(session: Session, there: set[str]) -> Sequence[Edit]:
    """The rows of a session's files, with the folders that are not there yet; those are added to `there`.

    Where there is a shell, its skills lie there too, for the scripts that they have.
    """
    made: list[Edit] = []
    at = session.now.isoformat()
    scripts = {
        path: text
        for name in (session.skills if session.needs == "shell" else ())
        for within, text in skills()[name].items()
        if (path := f"{SKILLS}/{name}/{within}") not in there
    }
    for path, text in (scripts | session.files).items():
        folders = [str(each) for each in reversed(PurePosixPath(path).parents)]
        new = [folder for folder in folders if folder.count("/") > 1 and folder not in there]
        made += [_entry(folder, {"kind": "directory", "created": at, "modified": at}) for folder in new]
        made.append(_entry(path, {"text": text, "created": at, "modified": at}, changes=path in there))
        there |= {path, *folders}
    return made


def _entry(path: str, values: dict[str, Any], *, changes: bool = False) -> Edit:
    if changes:
        values = {name: value for name, value in values.items() if name != "created"}
    return Edit(op="change" if changes else "add", app="filesystem", table="entries", id=path, values=values)


def _cue(question: str) -> tuple[str, ...]:
    """The words that tell a question from others: those of some length, else all of them."""
    words = re.findall(r"\w+", question.casefold())
    return tuple(word for word in words if len(word) >= _LEAST) or tuple(words)
