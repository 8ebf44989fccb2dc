"""The published release, imported, against a second reading of the same files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.workbench.official import import_release, load
from benchmarks.workbench.official.calls import CallProblem, read_call
from benchmarks.workbench.official.conformance import Conformance, conformance
from benchmarks.workbench.official.expected import Bench
from benchmarks.workbench.official.names import APPS, TOOLSET
from benchmarks.workbench.official.predictions import choose
from benchmarks.workbench.official.trajectories import read_results
from harness.record.defaults import defaults_of
from harness.record.scores import scores
from harness.score import Score
from harness.suite import Suite
from harness.task import Expected, Task
from harness.trajectory import Trajectory
from servers import catalog
from servers.kernel import Change, Failure
from tests.official import independent
from tests.official.conftest import SMALL
from tests.official.independent import Difference

OURS = {
    ("gmail", "emails"): ("emails", {"folder": "inbox/outbox", "address": "sender/recipient"}),
    ("calendar", "events"): ("events", {}),
    ("analytics", "plots"): ("plots", {}),
    ("projects", "tasks"): ("tasks", {}),
    ("crm", "customers"): ("customers", {}),
}


OUR_OWN: dict[str, dict[str, Any]] = {
    "emails": {"starred": False, "thread": None, "cc": []},
    "events": {
        "calendar": "", "all_day": False, "zone": "", "location": "", "description": "", "organizer": "",
        "attendees": [], "response": "", "status": "confirmed", "free": False, "recurrence": "", "until": None,
        "skipped": [], "series": "", "original": None,
    },
    "customers": {"job_title": "", "company_id": None},
}  # fmt: skip
"""Fields that the release does not have, and what each is where nobody has set it."""


def as_the_release_has_it(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """A whole row of ours without the fields that the release does not have, each of which is as nobody has set it."""
    own = OUR_OWN.get(table, {})
    assert {name: row[name] for name in own} == own
    return {name: value for name, value in row.items() if name not in own}


def in_the_release_s_words(change: Expected) -> Difference:
    table, names = OURS[change.app, change.table]
    fields = {names.get(name, name): "" if value is None else value for name, value in change.values.items()}
    return Difference(change.op, table, change.id, tuple(sorted(fields.items())))


def disagreements(suite: Suite, root: Path) -> list[str]:
    """Tasks whose expected changes are not what the second reading finds."""
    start = independent.starting_tables(root)
    found = []
    for id, (_, calls) in independent.published_tasks(root).items():
        ours = Counter(map(in_the_release_s_words, suite.task(id).ends[0].changes))
        if ours != independent.differences(start, independent.replayed(start, calls)):
            found.append(id)
    return found


def test_the_small_release_agrees_with_a_second_reading(data: Path) -> None:
    import_release(SMALL, data)

    assert disagreements(load("v1"), SMALL) == []


def test_the_second_reading_tells_a_wrong_expectation_from_a_right_one(data: Path) -> None:
    import_release(SMALL, data)
    suite = load("v1")
    wrong = suite.task("calendar-000").model_copy(update={"ends": suite.task("calendar-001").ends})
    swapped = Suite(
        name=suite.name,
        version=suite.version,
        description="",
        tasks=[wrong if task.id == wrong.id else task for task in suite.tasks],
        world=suite.world,
        checks={},
    )

    assert disagreements(swapped, SMALL) == ["calendar-000"]


def test_all_690_published_tasks_expect_what_a_second_reading_finds(published: Path, published_suite: Suite) -> None:
    assert len(published_suite.tasks) == 690
    assert disagreements(published_suite, published) == []


def verdicts(suite: Suite, *, work: bool) -> dict[str, Score]:
    """The outcome check on every task, for whoever plays all reference calls or none."""
    with closing(Bench(suite.world("workbench-official"))) as bench:
        return {
            task.id: scores(suite.checks, task, finished(task, bench.play(task.solution if work else ())))["outcome"]
            for task in suite.tasks
        }


def finished(task: Task, changes: list[Change]) -> Trajectory:
    return Trajectory(
        suite="workbench-official@v1",
        task=task.id,
        task_hash=task.hash,
        agent="hand",
        condition="default",
        trial=0,
        seed=0,
        prompt="original",
        status="finished",
        changes=changes,
        defaults=defaults_of(changes, {app: catalog.app(app).toolset(TOOLSET) for app in APPS.values()}),
    )


def test_the_reference_calls_are_right_on_all_690_and_touch_nothing_else(published_suite: Suite) -> None:
    scores = verdicts(published_suite, work=True).values()

    assert Counter(score.label for score in scores) == {"correct": 690}
    assert not any(score.detail["side_effects"] for score in scores)


def test_doing_nothing_is_right_where_nothing_is_needed(published: Path, published_suite: Suite) -> None:
    """On the paper's 122 tasks without an action, and on two that reassign a customer to whom it has already."""
    right = {id for id, score in verdicts(published_suite, work=False).items() if score.value == 1.0}
    empty = {id for id, (_, calls) in independent.published_tasks(published).items() if not calls}

    assert len(empty) == 122
    assert right - empty == {"customer_relationship_manager-031", "customer_relationship_manager-032"}
    assert right >= empty


def test_the_published_counts_are_those_of_the_paper(published_suite: Suite) -> None:
    tasks = published_suite.tasks
    actions = Counter(len(task.solution) for task in tasks)

    assert Counter(task.facts["domain"] for task in tasks) == {
        "email": 90,
        "calendar": 110,
        "analytics": 120,
        "project_management": 80,
        "customer_relationship_manager": 80,
        "multi_domain": 210,
    }
    assert actions == {0: 122, 1: 416, 2: 88, 3: 23, 4: 14, 5: 2, 6: 5, 7: 3, 8: 4, 9: 3, 10: 2, 11: 6, 12: 2}
    assert sum(count * tasks for count, tasks in actions.items()) == 947
    assert sorted(Counter(task.template for task in tasks).values()) == [10] * 69


def test_the_published_reference_calls_are_those_of_the_release(published_suite: Suite) -> None:
    calls = Counter(f"{call.app}.{call.tool}" for task in published_suite.tasks for call in task.solution)

    assert calls == {
        "crm.delete_customer": 174,
        "crm.update_customer": 131,
        "analytics.create_plot": 106,
        "projects.update_task": 91,
        "calendar.delete_event": 86,
        "gmail.send_email": 79,
        "calendar.create_event": 74,
        "projects.create_task": 56,
        "gmail.forward_email": 51,
        "calendar.update_event": 30,
        "gmail.delete_email": 29,
        "gmail.reply_email": 20,
        "crm.add_customer": 20,
    }


def test_no_published_reference_deletes_a_row_and_makes_another_in_one_table(published_suite: Suite) -> None:
    """New rows of a reference have the same numbers in our apps as in the release, where ids come back."""
    for task in published_suite.tasks:
        tools = {app: {c.tool.partition("_")[0] for c in task.solution if c.app == app} for app in task.apps}
        assert not any("delete" in verbs and len(verbs) > 1 for verbs in tools.values()), task.id


def test_requests_and_labels_are_carried_word_for_word(published: Path, published_suite: Suite) -> None:
    for id, (row, _) in independent.published_tasks(published).items():
        task = published_suite.task(id)
        assert task.sessions[0].requests["original"] == row["query"]
        assert str(task.facts["labels"]) == row["domains"]


def test_the_published_tables_have_their_size(published_suite: Suite) -> None:
    rows = published_suite.world("workbench-official").rows

    assert {f"{app}.{table}": len(found) for app, tables in rows.items() for table, found in tables.items()} == {
        "gmail.emails": 500,
        "calendar.events": 300,
        "analytics.visits": 1000,
        "analytics.plots": 0,
        "projects.tasks": 300,
        "crm.customers": 200,
        "directory.people": 20,
    }


def test_the_published_files_are_known_by_their_checksum(published_suite: Suite) -> None:
    assert "2024-07-23" in published_suite.description


def test_other_files_never_pass_for_the_published_ones(data: Path) -> None:
    assert import_release(SMALL, data).known == ""
    assert "not a release known by checksum" in load("v1").description


def recorded_answers(
    suite: Suite, root: Path, model: str, mode: str, capsys: pytest.CaptureFixture[str]
) -> Conformance:
    found = conformance(choose(root, model, mode).files.values(), suite.world("workbench-official"))
    with capsys.disabled():
        print(f"\n{model} in {mode} mode: {found}")  # noqa: T201 (the counts are the result)
    assert found.runs == 690
    assert found.unmatched == []
    assert found.agreed + found.departures.total() == found.pairs
    assert found.departed <= 0.02
    return found


def test_what_gpt_4_was_told_in_all_mode_is_what_we_say(
    published: Path, published_suite: Suite, capsys: pytest.CaptureFixture[str]
) -> None:
    found = recorded_answers(published_suite, published, "gpt-4", "all", capsys)

    assert (found.pairs, found.not_tools, found.agreed) == (1475, 0, 1475)


def test_what_mixtral_was_told_in_domains_mode_is_what_we_say(
    published: Path, published_suite: Suite, capsys: pytest.CaptureFixture[str]
) -> None:
    found = recorded_answers(published_suite, published, "mistral-8x7B", "domains", capsys)

    assert (found.pairs, found.not_tools, found.agreed) == (1859, 91, 1842)
    assert found.departures == {
        "time bounds that are no times": 2,
        "which of two faults is named": 15,
    }


def published_figures(suite: Suite, root: Path, model: str, mode: str) -> dict[str, tuple[int, int]]:
    """Domain -> correct tasks and tasks with side effects, from the calls that the release kept of each run.

    As there, a call that does not parse or fails does nothing, and a run that ended in an error is not correct.
    """
    found: dict[str, tuple[int, int]] = {}
    with closing(Bench(suite.world("workbench-official"))) as bench:
        for file in choose(root, model, mode).files.values():
            for run in read_results(file):
                task = suite.task(f"{run.domain}-{run.number:03d}")
                assert task.sessions[0].requests["original"] == run.request
                score = scores(suite.checks, task, finished(task, changes_made(bench, run.calls)))["outcome"]
                correct, harmed = found.get(run.domain, (0, 0))
                correct += score.detail["correct"] and not run.error
                found[run.domain] = correct, harmed + score.detail["side_effects"]
    return found


def changes_made(bench: Bench, calls: Iterable[str]) -> list[Change]:
    with closing(bench.engine.layer(bench.base)) as layer:
        for text in calls:
            with suppress(CallProblem, Failure):
                call = read_call(text)
                app = bench.apps[call.app]
                app.toolset(TOOLSET).tool(call.tool).call(layer.state(app), call.arguments)
        return layer.changes()


def test_published_answers_of_gpt_4_score_what_the_release_s_own_scorer_gives(
    published: Path, published_suite: Suite
) -> None:
    """294 of 690 correct (the paper's 43%) and 177 with side effects (26%)."""
    assert published_figures(published_suite, published, "gpt-4", "all") == {
        "email": (43, 19),
        "calendar": (71, 24),
        "analytics": (47, 65),
        "project_management": (31, 3),
        "customer_relationship_manager": (18, 5),
        "multi_domain": (84, 61),
    }


def test_published_answers_of_mixtral_score_what_the_release_s_own_scorer_gives(
    published: Path, published_suite: Suite
) -> None:
    """132 of 690 correct and 237 with side effects, with the tools of each task's domains."""
    assert published_figures(published_suite, published, "mistral-8x7B", "domains") == {
        "email": (10, 41),
        "calendar": (22, 37),
        "analytics": (30, 39),
        "project_management": (23, 5),
        "customer_relationship_manager": (8, 39),
        "multi_domain": (39, 76),
    }
