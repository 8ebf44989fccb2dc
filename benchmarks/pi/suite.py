"""The suite `pi-synth`: the sessions of each persona that there are, a task for each unit, or one for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from benchmarks.pi import auditing, instruments, playing, scoring
from benchmarks.pi.episode import Episode, episode
from benchmarks.pi.personas.financier.world import world as financier
from benchmarks.pi.playing import Unit
from benchmarks.pi.report import headline, report
from harness.core.hidden import Hidden
from harness.suite import Suite
from harness.task import Task
from servers import catalog
from servers.kernel import World

__all__ = ("episodes", "load", "load_episodes", "units")

_PERSONAS = Path(__file__).parent / "personas"

_SYSTEM = """\
You are the assistant of the person whose apps and files you see, and you work with them over many sessions. Each begins
with a request of theirs, or with an event. They do not repeat what they have said or shown before, and expect you to go
by it. Files, mails and notes are where it can be found. When you are done, or need to know something, say so to them.
"""

_PI = ("amazon", "desk", "filesystem", "gmail", "phone", "simple_note", "splitwise", "spotify", "todoist", "web")


@cache
def episodes() -> tuple[Episode, ...]:
    """The episode of each persona, read from its folder. Raises `SuiteError`."""
    return (episode(_PERSONAS / "financier"),)


def load() -> Suite:
    """Each unit in a sandbox of its own, for development and ablation; never mixed with episodes.

    Sessions of groups alone, without those before them, are played only where a config names them.
    """
    played = [unit for each in episodes() for unit in playing.units(each)]
    return _suite("pi-units", played, [unit for each in episodes() for unit in playing.alone(each)])


def load_episodes() -> Suite:
    """Each persona's sessions in one sandbox, in the order of their times."""
    return _suite("pi-synth", [_whole(each) for each in episodes()])


def units() -> dict[str, Unit]:
    """What the tasks of both suites are, by their ids."""
    every = [unit for each in episodes() for unit in (_whole(each), *playing.units(each), *playing.alone(each))]
    return {unit.id: unit for unit in every}


def _whole(episode: Episode) -> Unit:
    return Unit(episode.persona, episode.sessions)


def _suite(name: str, played: list[Unit], aside: Sequence[Unit] = ()) -> Suite:
    units = [*played, *aside]
    by_id = {unit.id: unit for unit in units}

    def of(task: Task) -> Unit:
        return by_id[task.id]

    def hidden(task: Task) -> Hidden:
        return playing.hidden(of(task))

    def examined(tasks: Sequence[Task]) -> Iterator[tuple[str, str, str]]:
        """Flaws of each task's sessions, by their texts and by a play of them."""
        wanted = {session.id for task in tasks for session in of(task).sessions}
        found = [flaw for each in episodes() for flaw in auditing.every(each, _world(each.persona), wanted)]
        for task in tasks:
            mine = {session.id for session in of(task).sessions}
            yield from ((task.id, rule, f"{session}: {text}") for session, rule, text in found if session in mine)

    return Suite(
        name=name,
        version="0",
        description="An assistant and one person over sessions: what it does unasked, asks, or has to be told",
        tasks=[playing.task(unit, _world(unit.sessions[0].persona)) for unit in units],
        world=_world,
        checks=scoring.checks(of, _world),
        questions=scoring.queries(of, _world),
        ruled=scoring.ruled(of, _world),
        programs=instruments.programs(units, _world, _questionnaire),
        settings=instruments.Settings,
        aside=frozenset(unit.id for unit in aside),
        hidden=hidden,
        asking={"ask": "ask_user", "end_of_turn": "user", "user": {"kind": "intents"}},
        examined=examined,
        unchecked={
            f"{app}.{table.table_name}": playing.BESIDES
            for app in dict.fromkeys(app for unit in units for session in unit.sessions for app in session.apps)
            for table in catalog.app(app).tables
        },
        headline=headline(of),
        report=report(of),
        system=_SYSTEM,
        toolsets={**dict.fromkeys(_PI, "pi"), "calendar": "default", "memory": "default", "skills": "default"},
    )


def _world(persona: str) -> World:
    return {"financier": financier}[persona]()


@cache
def _questionnaire(persona: str) -> str:
    """Forty questions to a persona, in one message, for the instrument that puts them whatever the session is about."""
    return (_PERSONAS / persona / "questionnaire.md").read_text(encoding="utf-8")
