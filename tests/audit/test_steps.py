"""Calls that are made once in each state of their app come to what they come to when all are made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import anyio
import pytest

from benchmarks.lhaw.suite import short as lhaw_short
from benchmarks.lhaw.suite import workplace as lhaw_workplace
from benchmarks.workbench.synth.suite import load as workbench_synth
from benchmarks.workflows.suite import load as workflows
from harness.audit import audit
from harness.audit.mutants import MUTATIONS, Case, Mutant, Mutation
from harness.audit.play import Player
from harness.audit.steps import Place, Steps
from harness.audit.trying import judge, keyed
from harness.audit.workplace import Workplaces
from harness.suite import Suite
from harness.task import Call, Task
from harness.trajectory import CallRecord
from servers import catalog
from servers.kernel import Engine
from tests.audit import toys
from tests.harness import toy

LOADERS: dict[str, Callable[[], Suite]] = {
    "workflows": workflows, "lhaw-workplace": lhaw_workplace, "lhaw-short": lhaw_short,
    "workbench-synth": workbench_synth, "variants": toys.variants,
}  # fmt: skip


@pytest.fixture
def steps() -> Iterator[Steps]:
    """On the toy board, beside notes."""
    engine = Engine()
    served = {
        "projects": catalog.app("projects").toolsets["workbench"],
        "simple_note": catalog.app("simple_note").default,
    }
    found = Steps(engine.layer(engine.load(toy.world())), served)
    yield found
    found.close()
    engine.close()


def made(steps: Steps, place: Place, *calls: Call) -> list[CallRecord]:
    async def each() -> list[CallRecord]:
        return [await steps.make(place, call.app, call.tool, call.arguments) for call in calls]

    return anyio.run(each)


READ = Call(
    app="projects",
    tool="get_task_information_by_id",
    arguments={"task_id": "00000003", "field": "list_name"},
)
MOVE = toys.update("00000003", "list_name", "Completed")
NOTE = Call(app="simple_note", tool="create_note", arguments={"title": "Paint", "text": "Two tins"})


def test_a_call_in_the_same_state_is_not_made_again(steps: Steps) -> None:
    (first,), (again,) = made(steps, Place(), READ), made(steps, Place(), READ)

    assert again is first


def test_a_write_before_it_makes_it_another_call(steps: Steps) -> None:
    _, moved = made(steps, Place(), MOVE, READ)
    (as_it_was,) = made(steps, Place(), READ)

    assert "Completed" in moved.text
    assert "Backlog" in as_it_was.text


def test_a_state_is_gone_back_to_when_something_new_happens_in_it(steps: Steps) -> None:
    place = Place()
    made(steps, place, MOVE)
    made(steps, Place(), toys.update("00000003", "list_name", "In Review"))

    made(steps, place, toys.update("00000004", "task_name", "Paint it"))

    assert [(change.id, (change.after or {})["list_name"]) for change in steps.left(place).changes] == [
        ("00000003", "Completed"),
        ("00000004", "Backlog"),
    ]


def test_a_refused_call_leaves_the_state_as_it_is(steps: Steps) -> None:
    (known,) = made(steps, Place(), READ)
    refused, again = made(steps, Place(), toys.update("00000099", "list_name", "Completed"), READ)

    assert refused.status == "failed"
    assert again is known


def test_what_other_apps_did_makes_no_difference(steps: Steps) -> None:
    (known,) = made(steps, Place(), READ)
    place = Place()
    _, again, _ = made(steps, place, NOTE, READ, MOVE)

    assert again is known
    assert [(change.app, change.op) for change in steps.left(place).changes] == [
        ("projects", "update"),
        ("simple_note", "insert"),
    ]


def test_a_variant_of_a_task_has_the_calls_of_the_other_done() -> None:
    one, other, unlike, *_ = toys.variants().tasks
    player = Player(toys.variants())
    try:
        first, second, third = (anyio.run(player.play, task, one.solution) for task in (one, other, unlike))
    finally:
        player.close()

    known, shared, own = (played.records[0] for played in (first, second, third))
    assert known
    assert shared
    assert shared.writes is known.writes
    assert own == known
    assert own.writes is not known.writes


@pytest.mark.parametrize("name", LOADERS)
def test_what_is_played_is_the_same_as_with_every_call_made_anew(name: str) -> None:
    suite = LOADERS[name]()
    task = shortest(suite)
    player, anew = Player(suite), Player(suite, anew=True)
    try:
        case = Case(task, Workplaces(suite).of(task), anyio.run(anew.play, task, task.solution))
        drawn = [(mutation, mutant) for mutation in MUTATIONS if (mutant := one_of(mutation, case))]
        for mutation, mutant in drawn:
            known, made = (anyio.run(each.play, task, mutant.calls) for each in (player, anew))

            assert known.trajectory == made.trajectory
            assert known.records == made.records
            assert judge(case, mutation, mutant, known) == judge(case, mutation, mutant, made)
    finally:
        player.close()
        anew.close()

    assert len(drawn) > 6


def test_tasks_are_audited_alike_in_any_order() -> None:
    suite = toys.variants()
    forth, back = audit(suite), audit(replace(suite, tasks=tuple(reversed(suite.tasks))))

    assert list(forth.audits) == list(reversed(back.audits))


@pytest.mark.slow
def test_workers_who_get_variants_together_change_nothing() -> None:
    alone = audit(toys.variants()).as_json()

    assert audit(toys.variants(), workers=2, loader="tests.audit.toys:variants").as_json() == alone


def shortest(suite: Suite) -> Task:
    """The task of the fewest reference calls, with those."""
    given = suite.solved
    tasks = [
        task.model_copy(update={"solution": tuple(given(task, suite.toolsets))}) if given else task
        for task in suite.tasks
    ]
    return min(tasks, key=lambda task: len(task.solution) or len(MUTATIONS) * 10)


def one_of(mutation: Mutation, case: Case) -> Mutant | None:
    mutants = list(mutation.operator(case, keyed(0, case.task.id, mutation.name)))
    return keyed(1, case.task.id, mutation.name).choice(mutants) if mutants else None
