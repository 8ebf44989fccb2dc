"""Sessions that need a shell: what their sandbox offers, and what is told where there is none to offer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.pi.episode import Episode, episode
from benchmarks.pi.playing import Unit, alone, hidden, task, units
from benchmarks.pi.scoring import checks
from benchmarks.pi.skills import skills
from harness.audit.workplace import toolsets
from harness.core.config import Condition, ConfigProblem, OracleConfig, RunConfig
from harness.core.task import Task
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.play.stage import toolsets_for
from harness.record.store import Run
from harness.suite import Suite, SuiteError
from tests.cli.conftest import running
from tests.harness.wired import Over
from tests.pi.edited import copied
from tests.pi.test_playing import WITH_A_PERSON, world

WRITTEN = """\
    - {app: filesystem, tool: write_file, arguments: {path: /workspace/spelt.md, content: "Dear but good: take it."}}
"""
RUN = """\
    - {app: filesystem, tool: shell_exec, arguments: {command: "echo 'Dear but good: take it.' > spelt.md"}}
"""
LACKING = "filesystem/pi_shell needs bashkit, which is not installed: pip install 'workplace-harness[drift]'"


def needing(to: Path, file: str) -> Episode:
    """The baker's episode with a session that needs a shell."""
    apps = {"baker-01": "apps: [calendar, gmail, filesystem]", "baker-02": "apps: [calendar, filesystem]"}[file]
    return episode(copied(to, apps, f"{apps}\nneeds: shell", file))


def suite(played: Episode) -> Suite:
    by_id = {unit.id: unit for unit in (*units(played), *alone(played))}

    def of(asked: Task) -> Unit:
        return by_id[asked.id]

    return Suite(
        name="toy",
        version="1",
        description="A baker's two sessions.",
        tasks=[task(unit, world()) for unit in by_id.values()],
        world=lambda _: world(),
        checks=checks(of, lambda _: world()),
        hidden=lambda asked: hidden(of(asked)),
        toolsets={"calendar": "default", "gmail": "pi", "filesystem": "pi"},
    )


def play(played: Suite, to: Path, *tasks: str) -> Run:
    """The oracle plays those tasks."""
    config = RunConfig(
        suite="toy", agents=(OracleConfig(kind="oracle"),), conditions={"person": WITH_A_PERSON}, tasks=tasks
    )
    return evaluate(config, played, Over(played), to / "run")


def surface(played: Suite, id: str, condition: Condition | None = None) -> str:
    """The name of the toolset of files that a task is played through."""
    asked = played.task(id)
    return toolsets_for(played, condition or Condition(), asked.apps, needed=asked.toolsets)["filesystem"].name


@contextmanager
def without_bashkit() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(sys.modules, "bashkit", None)
        yield


def test_a_session_that_needs_a_shell_is_played_with_one(tmp_path: Path) -> None:
    found = needing(tmp_path, "baker-02")
    path = found.sources["baker-02"].path
    path.write_text(path.read_text(encoding="utf-8").replace(WRITTEN, RUN), encoding="utf-8")
    played = suite(episode(path.parent))
    run = play(played, tmp_path, "baker-bread")
    (record,) = run.records()

    assert record.scores["outcome"].detail["comp"] == 1, record.scores["outcome"].reason
    assert [call.tool for call in record.trajectory.calls if call.app == "filesystem"] == ["shell_exec"]
    assert [each.equal for each in replay_run(run, played, Over(played))] == [True]


@pytest.mark.parametrize(
    ("file", "surfaces"),
    [
        ("baker-01", {"baker-bread": "pi_shell", "baker-baker-01": "pi_shell", "baker-baker-02": "pi_shell"}),
        ("baker-02", {"baker-bread": "pi_shell", "baker-baker-01": "pi", "baker-baker-02": "pi_shell"}),
    ],
)
def test_a_groups_last_session_has_the_same_tools_with_the_others_and_without(
    tmp_path: Path, file: str, surfaces: dict[str, str]
) -> None:
    played = suite(needing(tmp_path, file))

    assert {each.id: surface(played, each.id) for each in played.tasks} == surfaces


def test_where_there_is_a_shell_the_sessions_skills_lie_where_scripts_find_them(tmp_path: Path) -> None:
    found = needing(tmp_path, "baker-02")
    path = found.sources["baker-02"].path
    text = path.read_text(encoding="utf-8").replace("needs: shell", "needs: shell\nskills: [pdf-reader]")
    spelt = "cat skills/pdf-reader/SKILL.md | wc -c && echo 'Dear but good: take it.' > spelt.md"
    path.write_text(text.replace(WRITTEN, RUN.replace(RUN[RUN.index("echo") : RUN.index('"}}')], spelt)), "utf-8")
    played = suite(episode(path.parent))
    (record,) = play(played, tmp_path, "baker-bread").records()
    (call,) = [call for call in record.trajectory.calls if call.tool == "shell_exec"]

    assert call.text == f"{len(skills()['pdf-reader']['SKILL.md'].encode())}"
    assert record.scores["outcome"].detail["comp"] == 1, record.scores["outcome"].reason


def test_a_skill_that_is_not_there_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"baker-02\.yaml:\d+: unknown-skill: there is no skill 'pdf-writer'"):
        episode(
            copied(
                tmp_path,
                "apps: [calendar, filesystem]",
                "apps: [calendar, filesystem]\nskills: [pdf-writer]",
                "baker-02",
            )
        )


def test_a_condition_says_more_than_a_task_needs(tmp_path: Path) -> None:
    played = suite(needing(tmp_path, "baker-02"))

    assert surface(played, "baker-bread", Condition(toolsets={"filesystem": "default"})) == "default"
    assert surface(played, "baker-baker-01", Condition(toolsets={"filesystem": "pi_shell"})) == "pi_shell"


def test_a_task_that_needs_no_shell_is_the_task_that_it_was(tmp_path: Path) -> None:
    played = suite(needing(tmp_path, "baker-02"))
    told = {each.id: each.model_dump(mode="json") for each in played.tasks}

    assert told["baker-bread"]["toolsets"] == {"filesystem": "pi_shell"}
    assert "toolsets" not in told["baker-baker-01"]


def test_without_bashkit_a_task_with_a_shell_is_refused_before_the_first_trial(tmp_path: Path) -> None:
    played = suite(needing(tmp_path, "baker-02"))

    with without_bashkit():
        with pytest.raises(ConfigProblem) as told:
            play(played, tmp_path)
        with pytest.raises(SuiteError, match="needs bashkit, which is not installed"):
            toolsets(played, ("filesystem",), played.task("baker-bread").toolsets)

    assert str(told.value) == LACKING
    assert not (tmp_path / "run").exists()


def test_without_bashkit_the_other_tasks_are_played(tmp_path: Path) -> None:
    played = suite(needing(tmp_path, "baker-02"))

    with without_bashkit():
        (record,) = play(played, tmp_path, "baker-baker-01").records()

    assert record.trajectory.status == "finished"


def test_without_bashkit_the_toolset_cannot_be_served(capsys: pytest.CaptureFixture[str]) -> None:
    with without_bashkit():
        told = running(capsys)("serve", "filesystem", "--toolset", "pi_shell")

    assert (told.status, told.out) == (2, "")
    assert LACKING in told.err
