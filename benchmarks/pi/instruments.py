"""Instruments of pi-Bench: agents whose figures are known beforehand (specs, section 7), as programs that talk.

They know a session's reference and what is held back in it. None is a model, and none says anything of models; what
they show is whether Proc and Comp come out as they must.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.pi.playing import Unit, at_desk, intents, logins
from benchmarks.pi.session import Call, Intent, Mutation, Session
from harness.core.program import ToolRefused, Worker
from harness.play.remembering import FOLDER
from servers.kernel import World
from userssim.intents.rules import asked

__all__ = ("LISTENS", "Program", "Settings", "programs", "question", "undone")

Program = Callable[[Worker], AsyncGenerator[str, str]]

LISTENS: Final = "I am listening."
"""What an instrument says to be told more: it asks for nothing and claims nothing."""

Plays = Literal[
    "able", "asker", "passive", "dial", "undo", "shotgun", "forgetful", "questionnaire", "lister", "copyist", "literal"
]  # fmt: skip


class Settings(BaseModel):
    """What the reference agent is to be on pi-Bench.

    `able` looks for the evidence with tools, in apps and in what it has remembered of earlier sessions; it asks for
    what only asking tells, and waits to be told what it has not found. `forgetful` does the same and remembers nothing;
    `shotgun` does besides whatever is guarded against. `asker` asks for each intent; `passive` waits until it is told;
    `dial` asks for an intent with probability `p` and is told the others; `undo` breaks half of what it has done;
    `questionnaire` puts a persona's forty questions at once; `literal` knows the request alone. `lister` says all
    conventions and their opposites, `copyist` quotes every file that it finds, and neither does anything.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    plays: Plays = "able"
    p: float = Field(default=0.5, ge=0, le=1, description="How likely a `dial` asks for an intent.")


def programs(
    units: Iterable[Unit], world: Callable[[str], World], questions: Callable[[str], str]
) -> dict[str, Program]:
    """A program for each unit, by its template; `questions` are a persona's forty, in one message."""
    return {unit.template: _program(unit, world, questions) for unit in units}


def question(session: Session, intent: Intent) -> str:
    """A question that asks for that intent and for no other of its session. Raises `ValueError` where there is none."""
    known = intents(session)
    for group in intent.cues:
        for form in _FORMS:
            found = form.format(" ".join(cue.partition("|")[0] for cue in group))
            if [each.id for each in known if asked(each, found)] == [intent.id]:
                return found
    raise ValueError(f"{session.id}: what asks for {intent.id} asks for others too: give it cues of its own")


def undone(session: Session) -> Mutation:
    """The mutation that undoes half of the work. Raises `ValueError` where there is none."""
    for each in session.mutations:
        if each.undoes:
            return each
    raise ValueError(f"{session.id}: no mutation has `undoes`; mark one that breaks half of the items after the work")


_READS: Final = {
    "filesystem.entries": ("list_directory", "path"),
    "gmail.emails": ("view_email", "email_id"),
    "phone.messages": ("view_text_message", "message_id"),
    "simple_note.notes": ("view_note", "note_id"),
    "splitwise.expenses": ("view_group_expenses", "group_id"),
    "todoist.tasks": ("view_task", "task_id"),
}
"""Table -> the tool that shows a row of it, and the argument that names it or what it is in; of files, their folder."""

_FORMS: Final = ("Which {} do you want?", "What about the {}?", "How do you want the {}?", "Who is it: {}?")


def _program(unit: Unit, world: Callable[[str], World], questions: Callable[[str], str]) -> Program:
    def play(worker: Worker) -> AsyncGenerator[str, str]:
        session = unit.sessions[worker.session]
        scene = _Scene(worker, unit, session, world(session.persona), questions(session.persona))
        return _TALKS[worker.settings.plays](scene)

    return play


@dataclass(frozen=True)
class _Scene:
    """A session that an instrument plays."""

    worker: Worker
    unit: Unit
    session: Session
    world: World
    questions: str

    async def does(self, calls: Sequence[Call]) -> None:
        """Calls of the session, behind a login to each of their apps that want one. Raises `ToolRefused`."""
        for call in at_desk(calls, self.world):
            await self.worker.call(call.app, call.tool, **call.arguments)

    async def enters(self) -> None:
        """Log in to every app of the session that wants it."""
        for call in logins(self.session.apps, self.world):
            await self.worker.call(call.app, call.tool, **call.arguments)

    async def undoes(self, mutation: Mutation) -> None:
        """What a mutation changes, after all was done. Raises `ToolRefused`."""
        await self.does([call for call in mutation.calls.values() if call])
        for path, changes in mutation.edits.items():
            for old, new in changes:
                await self.worker.call("filesystem", "edit_file", path=path, old_text=old, new_text=new)

    def asks(self, intent: Intent) -> bool:
        """Whether this instrument asks for an intent at once."""
        match self.worker.settings.plays:
            case "dial":
                drawn = self.worker.random(f"{self.session.id}.{intent.id}", "asks").random()
                return drawn < float(self.worker.settings.p)
            case "passive":
                return False
            case plays:
                return plays == "asker" or intent.ask_only

    async def finds(self, intent: Intent, remembered: str) -> bool:
        """Whether some evidence of an intent stands in the request, can be read with the tools, or is remembered."""
        for each in intent.evidence:
            known = remembered if each.earlier else await self.reads(each.at)
            if each.quote in known or each.quote in self.worker.request:
                return True
        return False

    async def reads(self, at: str) -> str:
        """What tools say of a place that is named as evidence is; nothing where it is not there."""
        kind, _, place = at.partition(":")
        app, tool, arguments = "filesystem", "read_file", {"path": place}
        if kind == "web":
            app, tool, arguments = "web", "fetch", {"url": place}
        elif kind == "row":
            app, table, id = place.split(".", 2)
            tool, name = _READS[f"{app}.{table}"]
            held = next(row for row in self.world.rows[app][table] if str(row["id"]) == id)
            arguments = {name: id.rpartition("/")[0] if app == "filesystem" else held.get(name, id)}
        try:
            found = await self.worker.call(app, tool, **arguments)
        except ToolRefused:
            return ""
        return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)

    async def recalls(self) -> str:
        """What it has remembered, and what lies there of earlier conversations; nothing where it is to forget that."""
        if self.worker.settings.plays == "forgetful":
            return ""
        recalled = [await self.reads(f"file:{FOLDER}/{number}.md") for number in range(1, self.worker.session + 1)]
        with suppress(ToolRefused):
            found = await self.worker.call("memory", "find_memories", query="")
            recalled += [str(each["text"]) for each in found["items"]]
        return "\n".join(recalled)

    async def remembers(self, *texts: str) -> None:
        """Keep texts for later sessions, where there is a tool for it."""
        with suppress(ToolRefused):
            for text in texts:
                await self.worker.call("memory", "remember", text=text)


async def _asking(scene: _Scene) -> AsyncGenerator[str, str]:
    """Asks for some intents, one a turn; is told the others; then does the work."""
    rest = []
    for intent in scene.session.intents:
        if scene.asks(intent):
            yield question(scene.session, intent)
        else:
            rest.append(intent)
    for _ in rest:
        yield LISTENS
    await scene.does(scene.session.reference.calls)
    yield scene.session.reference.says


async def _looking(scene: _Scene) -> AsyncGenerator[str, str]:
    """Asks for what only asking tells, is told what it does not find, and does the work.

    Where there is something that it has to be told, it first asks for all it knows: what is told then is what it lacks.
    """
    session, heard = scene.session, [scene.worker.request]
    await scene.enters()
    remembered = await scene.recalls()
    found = [intent for intent in session.intents if await scene.finds(intent, remembered)]
    missed = [intent for intent in session.intents if intent not in found and not scene.asks(intent)]
    first = [intent for intent in session.intents if intent not in missed and (missed or scene.asks(intent))]
    for said in (*(question(session, intent) for intent in first), *(LISTENS for _ in missed)):
        answer = yield said
        heard.append(answer)
    if scene.worker.settings.plays == "shotgun":
        await scene.does(session.reference.guarded)
    await scene.does(session.reference.calls)
    await scene.remembers(*heard)
    yield session.reference.says


async def _undoing(scene: _Scene) -> AsyncGenerator[str, str]:
    """Does the work, asks about it, and breaks half of it after the answer."""
    done = scene.session.reference
    await scene.does(done.calls)
    put = question(scene.session, scene.session.intents[0])
    await scene.worker.call("ask_user", "ask_user", question=f"{done.says} {put}")
    await scene.undoes(undone(scene.session))
    yield done.says


async def _questioning(scene: _Scene) -> AsyncGenerator[str, str]:
    """Puts the questions at once, is told what they did not ask for, and does the work."""
    heard = yield scene.questions
    for _ in scene.session.intents:
        if all(intent.says in heard for intent in scene.session.intents):
            break
        heard += yield LISTENS
    await scene.does(scene.session.reference.calls)
    yield scene.session.reference.says


async def _listing(scene: _Scene) -> AsyncGenerator[str, str]:
    """Says all that is held back in the sessions, and the opposite of each, and does nothing."""
    yield "\n".join(f"{each.says} {each.flip.says}" for session in scene.unit.sessions for each in session.intents)


async def _copying(scene: _Scene) -> AsyncGenerator[str, str]:
    """Quotes every file that can be read, and does nothing."""
    paths: list[str] = []
    while True:
        found = await scene.worker.call("filesystem", "glob_search", pattern="**/*", skip=len(paths))
        new = [line for line in str(found).splitlines() if line.startswith("/")]
        if not new:
            break
        paths += new
    quoted = []
    for path in paths:
        try:
            text = await scene.worker.call("filesystem", "read_file", path=path)
        except ToolRefused:  # a folder
            continue
        quoted.append(f"{path}\n{text}")
    yield "\n\n".join(quoted)


async def _literal(scene: _Scene) -> AsyncGenerator[str, str]:
    """Does what somebody does who knows the request alone, whatever is said to it."""
    if scene.session.literal:
        await scene.does(scene.session.literal.calls)
        yield scene.session.literal.says


_TALKS: Final[Mapping[str, Callable[[_Scene], AsyncGenerator[str, str]]]] = {
    **dict.fromkeys(("able", "forgetful", "shotgun"), _looking),
    **dict.fromkeys(("asker", "passive", "dial"), _asking),
    "undo": _undoing,
    "questionnaire": _questioning,
    "lister": _listing,
    "copyist": _copying,
    "literal": _literal,
}
