"""The suite `drift-workplace`: clean tasks, and up to four faulty requests of each, in all environments.

Conditions play variants, whose prompt `original` is the clean request. The clean tasks themselves are set aside: they
have no faulty prompt, so a config plays them where it names them.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.drift.answers import right, settled
from benchmarks.drift.environments import Place, environments
from benchmarks.drift.headline import headline
from benchmarks.drift.programs import Dials, programs
from benchmarks.drift.release import released
from benchmarks.drift.tables import report
from benchmarks.drift.tasks import Built, built
from harness.suite import Suite, SuiteError
from servers.kernel import World

__all__ = ("load", "suite_of")

_SYSTEM = """\
You carry out what a user asks, with the tools you have, and nothing beyond it.
When you are asked for something, hand in the answer with `submit_answer`: the first answer counts. When something is to
be changed, change it; there is nothing to hand in then.
"""


def load() -> Suite:
    """The suite, made from code and seed, once per process. Raises `SuiteError`."""
    places = environments()
    return suite_of(places, released(places))


def suite_of(places: Sequence[Place], of: Built | None = None, name: str = "drift-workplace") -> Suite:
    """The suite of these environments."""
    made = of or built(places)
    worlds = {name: place for place in places for name in place.worlds}

    def world(of: str) -> World:
        if of not in worlds:
            raise SuiteError(f"suite {name} has no world {of!r}; it has {', '.join(worlds)}")
        return worlds[of].world(of)

    return Suite(
        name=name,
        version="1",
        description="Requests with a fault in them, over SQL, a shell and services, and a user who can be asked",
        tasks=[*made.clean, *(each.task for each in made.faulty)],
        aside=frozenset(task.id for task in made.clean),
        spread="environment",
        world=world,
        checks={"outcome": right},
        settled=settled,
        programs=programs(made.faulty, places),
        settings=Dials,
        asking={"ask": "clarify", "user": {"kind": "persona", "persona": "rational"}},
        report=report,
        headline=headline,
        system=_SYSTEM,
        unchecked={
            "answer.submissions": "of a question the first answer counts, by its call; a change is judged by its rows",
            "apis.usage": "calls are counted there, and how many there are is left to the agent",
        },
    )
