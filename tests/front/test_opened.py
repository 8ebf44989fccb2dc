"""Tasks and worlds opened from Python, plainly and in `async` code."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import subprocess
import sys
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client

import harness
from harness import Closed, ConfigProblem, SuiteError, ToolError, evaluate, open_task, open_world
from harness.core.config import UserConfig
from harness.core.users import UserEntry
from harness.live import Workplace
from harness.user import ModelUserSettings
from servers.catalog import UnknownApp
from servers.kernel import StateError
from tests.harness import toy

pytestmark = pytest.mark.usefixtures("only_board")

MOVE = {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}
OTHER = {**MOVE, "new_value": "In Review"}
ROOT = Path(harness.__file__).parents[1]


def test_a_task_is_done_by_calls_and_scored() -> None:
    with open_task("toy", "toy-0") as task:
        assert (task.request, task.system) == ("Move job 0 to In Progress.", "Today is Thursday.")
        assert task.score().label == "nothing_done"

        assert task.call("projects", "update_task", MOVE) == "Task 00000000 updated."

        assert task.score().value == 1.0
        assert task.diff() == '~ projects.tasks 00000000\n    list_name: "Backlog" -> "In Progress"\n'


def test_a_task_is_done_the_same_in_async_code() -> None:
    async def main() -> None:
        async with open_task("toy", "toy-0") as task:
            assert await task.call("projects", "update_task", MOVE) == "Task 00000000 updated."
            assert task.score().value == 1.0
            assert [call.status for call in task.calls] == ["ok"]

    asyncio.run(main())


def test_what_a_workplace_opens_shares_the_rows_of_its_worlds_and_nothing_that_is_done() -> None:
    with Workplace() as workplace:
        one, other = (workplace.task("toy", "toy-0") for _ in range(2))
        world = workplace.sandbox("projects", world=toy.world())
        one.call("projects", "update_task", MOVE)

        assert len({id(each._sandbox.layer.base) for each in (one, other, world)}) == 1
        assert [len(each.changes) for each in (one, other, world)] == [1, 0, 0]


def test_calls_that_wait_for_someone_do_not_hold_up_an_event_loop() -> None:
    async def main() -> list[str]:
        async with open_task("toy", "toy-2", prompt="underspecified", ask="ask_user") as task:
            return [*await asyncio.gather(task.ask("Which list?"), task.ask("To which list does it go?"))]

    assert asyncio.run(main()) == ["Completed.", "Completed."]


def test_a_tool_gives_plain_values() -> None:
    with open_world(toy.world(), "projects", toolsets={"projects": "workbench"}) as world:
        found = world.tools["projects.search_tasks"](task_name="Job 3")

    assert [row["task_id"] for row in found] == ["00000003"]


def test_a_world_has_all_apps_that_it_has_rows_for_or_those_named() -> None:
    with open_world(toy.world()) as every, open_world(toy.world(), "projects", "directory") as named:
        assert list(every.instructions) == ["projects"]
        assert list(named.instructions) == ["projects", "directory"]


def test_instructions_are_those_that_a_client_gets() -> None:
    async def main() -> None:
        async with open_world(toy.world(), "gmail") as world, Client(world.urls["gmail"]) as client:
            assert world.instructions == {"gmail": client.instructions}

    asyncio.run(main())


def test_clients_reach_it_once_urls_are_asked_for() -> None:
    async def main() -> None:
        async with open_task("toy", "toy-0") as task:
            (url,) = [server["url"] for server in task.mcp_config["mcpServers"].values()]
            assert urllib.parse.urlparse(url).hostname == "127.0.0.1"
            async with Client(url) as client:
                await client.call_tool("update_task", MOVE)
            assert task.score().value == 1.0

    asyncio.run(main())


def test_a_task_of_several_sessions_is_advanced() -> None:
    with open_task("toy", "toy-3") as task:
        assert (task.session, task.sessions) == (0, 2)
        assert task.advance() == task.request
        assert task.session == 1
        with pytest.raises(SuiteError, match="toy-3 has no session after this one; it has 2"):
            task.advance()


def test_the_user_answers() -> None:
    with open_task("toy", "toy-2", prompt="underspecified", ask="ask_user") as task:
        assert task.ask("Which list?") == "Completed."
        assert [asked.revealed for call in task.calls for asked in call.asked] == [("list",)]


def test_the_user_answers_to_declared_kinds_of_questions() -> None:
    with open_task("toy", "toy-2", prompt="underspecified", ask="clarify") as task:
        assert task.ask("Which list?", strategy="disambiguate", candidates=["In Review", "Completed"]) == "Completed."


def test_no_more_questions_are_answered_than_was_said() -> None:
    with open_task("toy", "toy-2", prompt="underspecified", ask="clarify", rounds=1) as task:
        task.ask("Which list?", strategy="disambiguate", candidates=["In Review", "Completed"])
        with pytest.raises(ToolError, match="The user has answered one question and answers no more"):
            task.ask("And which list was that?", strategy="disambiguate", candidates=["In Review", "Completed"])


def test_where_nobody_can_be_asked_the_remedy_is_told() -> None:
    with open_task("toy", "toy-0") as task, pytest.raises(ConfigProblem, match='open the task with `ask="ask_user"`'):
        task.ask("Which list?")


def test_a_state_is_kept_and_gone_back_to() -> None:
    with open_task("toy", "toy-3") as task:
        start = task.snapshot()
        task.call("projects", "update_task", MOVE)
        task.advance()
        moved = task.snapshot()

        task.restore(start)
        assert (task.session, task.changes, task.calls) == (0, [], [])
        task.restore(moved)
        assert (task.session, len(task.changes), len(task.calls)) == (1, 1, 1)


def test_a_world_goes_back_too() -> None:
    with open_world(toy.world(), toolsets={"projects": "workbench"}) as world:
        start = world.snapshot()
        world.call("projects", "update_task", MOVE)
        world.restore(start)

        assert (world.diff(), world.calls) == ("nothing changed\n", [])


def test_whoever_answered_then_answers_again_after_going_back() -> None:
    user = UserConfig(kind="scripted", script=("One.", "Two."))
    with open_task("toy", "toy-3", ask="ask_user", user=user) as task:
        first = task.snapshot()
        task.advance()
        assert task.ask("Well?") == "One."

        task.restore(first)

        assert [task.ask("Well?"), task.ask("And?")] == ["One.", "Two."]


def test_a_fork_goes_on_apart() -> None:
    with open_task("toy", "toy-0") as task:
        task.call("projects", "update_task", OTHER)
        fork = task.fork()
        fork.call("projects", "update_task", MOVE)

        assert (task.score().value, fork.score().value) == (0.0, 1.0)
        assert (len(task.calls), len(fork.calls)) == (1, 2)


def test_the_user_of_a_fork_knows_what_was_said_before() -> None:
    user = UserConfig(kind="scripted", script=("One.", "Two.", "Three."))
    with open_task("toy", "toy-0", ask="ask_user", user=user) as task:
        task.ask("First?")
        fork = task.fork()

        assert (fork.ask("Second?"), task.ask("Second?")) == ("Two.", "Two.")


def test_worlds_are_forked_in_async_code() -> None:
    async def main() -> None:
        async with open_world(toy.world(), toolsets={"projects": "workbench"}) as world:
            fork = await world.fork()
            await fork.tools["projects.update_task"](**MOVE)
            assert (len(world.changes), len(fork.changes)) == (0, 1)

    asyncio.run(main())


def test_a_snapshot_fits_forks_and_no_other_sandbox() -> None:
    with open_task("toy", "toy-0") as task, open_task("toy", "toy-0") as other:
        start, fork = task.snapshot(), task.fork()
        fork.call("projects", "update_task", MOVE)
        fork.restore(start)

        assert fork.changes == []
        with pytest.raises(StateError, match="of another sandbox"):
            other.restore(start)


def test_a_user_who_is_a_model_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    class Spoken(ModelUserSettings):
        """Speaks through a model."""

        kind: str = "spoken"

    from harness.core import users

    entry = UserEntry(Spoken, lambda *_: toy.TalkingUser())
    monkeypatch.setattr(users, "brought", lambda kind: entry)
    monkeypatch.setattr(users, "plugins", lambda: {"spoken": entry})
    user = Spoken.model_validate({"model": {"kind": "llm", "model": "stub"}})

    with open_task("toy", "toy-0", ask="ask_user", user=user) as task, pytest.raises(ConfigProblem, match="snapshot"):
        task.fork()


def test_a_fork_is_closed_alone_and_a_task_with_its_forks() -> None:
    with open_task("toy", "toy-0") as task:
        with task.fork() as first:
            pass
        second = task.fork()
        with pytest.raises(Closed):
            first.diff()
        assert second.diff() == task.diff()

    with pytest.raises(Closed):
        second.diff()


def test_what_is_closed_says_so() -> None:
    with open_task("toy", "toy-0") as task:
        tool = task.tools["projects.update_task"]

    uses: list[Callable[[], object]] = [
        lambda: task.call("projects", "update_task", MOVE), lambda: task.score(), lambda: tool(**MOVE), task.snapshot,
    ]  # fmt: skip
    for use in uses:
        with pytest.raises(Closed, match="inside its `with` block, or before `close`"):
            use()


def test_what_is_not_open_yet_says_how_to_open_it() -> None:
    with pytest.raises(AttributeError, match=r"'call': nothing is open yet\. Write `with"):
        open_task("toy", "toy-0").call  # type: ignore[attr-defined]  # noqa: B018


def test_without_a_block_it_is_open_until_closed() -> None:
    task = open_task("toy", "toy-0").open()
    assert task.diff() == "nothing changed\n"
    task.close()
    task.close()

    with pytest.raises(Closed):
        task.diff()


@pytest.mark.parametrize(
    ("wrong", "error", "told"),
    [
        (lambda: open_task("toyy", "toy-0"), SuiteError, "Did you mean 'toy'"),
        (lambda: open_task("toy", "toy-00"), SuiteError, "suite toy has no task 'toy-00'. Did you mean 'toy-0'"),
        (lambda: open_task("toy", "toy-0", prompt="vague"), ConfigProblem, "has no prompt 'vague'; it has original"),
        (lambda: open_world("nowhere"), SuiteError, "neither a folder with a world.json nor a suite"),
        (lambda: open_world(toy.world(), "project"), UnknownApp, "Did you mean 'projects'"),
    ],
)
def test_what_cannot_be_opened_is_named(wrong: Any, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told), wrong():
        pass


@pytest.mark.parametrize(
    ("app", "tool", "arguments", "told"),
    [
        ("project", "update_task", MOVE, "there is no app 'project' here. Did you mean 'projects'"),
        ("projects", "update_tasks", MOVE, "no tool 'projects.update_tasks' here. Did you mean 'projects.update_task'"),
        ("projects", "update_task", {"task_id": "00000000"}, "Invalid arguments for update_task: 'field' is required"),
        ("projects", "update_task", ["00000000"], "arguments are a mapping by name"),
        ("projects", "update_task", {**MOVE, "field": float("nan")}, "could not be taken"),
    ],
)
def test_a_call_that_cannot_be_made_says_what_would_be_right(app: str, tool: str, arguments: Any, told: str) -> None:
    with open_task("toy", "toy-0") as task:
        with pytest.raises(ToolError, match=told):
            task.call(app, tool, arguments)

        assert task.changes == []


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys; before = {*sys.modules}; import harness; dir(harness); print(sorted({*sys.modules} - before))"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    ours = {
        name for name in json.loads(loaded.replace("'", '"')) if name.partition(".")[0] not in sys.stdlib_module_names
    }

    assert ours == {"harness"}


def test_the_front_door_offers_what_it_says_and_nothing_else() -> None:
    from harness import front

    assert front.__all__ == harness.__all__
    assert all(getattr(harness, name) is getattr(front, name) for name in harness.__all__)
    with pytest.raises(AttributeError, match="no attribute 'open_tusk'"):
        harness.open_tusk  # noqa: B018


@pytest.mark.parametrize(
    ("arguments", "settings", "told"),
    [
        (("toy", 3), {}, "no task is named 3 of 'toy': give a suite's name and the id of a task"),
        (("toy", "toy-2"), {"ask": "yes"}, "ask: 'yes' is not allowed; write 'off', 'ask_user' or 'clarify'"),
        (("toy", "toy-2"), {"user": {"manner": "terse"}}, 'nobody can be asked: give `ask="ask_user"`'),
        (("toy", "toy-2"), {"ask": "ask_user", "user": "grunded"}, "Did you mean 'grounded'"),
        (("toy", "toy-2"), {"ask": "ask_user", "user": {"manner": "rude"}}, "user.manner: 'rude' is not allowed"),
        (("toy", "toy-2"), {"toolsets": {"project": "default"}}, "no app 'project' here. Did you mean 'projects'"),
    ],
)
def test_a_task_that_cannot_be_opened_so_says_what_would_be_right(
    arguments: tuple[Any, Any], settings: dict[str, Any], told: str
) -> None:
    with pytest.raises((ConfigProblem, SuiteError), match=told):
        open_task(*arguments, **settings).open()


@pytest.mark.parametrize(
    ("world", "apps", "told"),
    [
        (None, (), "None is not a world: give a suite's name"),
        (Path("nowhere"), (), "nowhere: a folder with a world.json"),
        ("toy", (["projects"],), "is not an app: give names one by one"),
    ],
)
def test_a_world_that_cannot_be_opened_so_says_what_would_be_right(world: Any, apps: Any, told: str) -> None:
    with pytest.raises((ConfigProblem, SuiteError), match=told):
        open_world(world, *apps).open()


def test_a_users_kind_alone_names_the_user() -> None:
    with open_task("toy", "toy-2", prompt="underspecified", ask="ask_user", user="grounded") as task:
        assert task.ask("Which list?") == "Completed."


@pytest.mark.parametrize("function", [evaluate, open_task, open_world])
def test_help_tells_of_each_argument(function: Callable[..., object]) -> None:
    told = re.findall(r"`(\w+)", function.__doc__ or "")

    assert [name for name in inspect.signature(function).parameters if name not in told] == []


def test_what_is_open_says_what_it_is() -> None:
    opening = open_task("toy", "toy-0")
    with opening as task, open_world("toy") as world:
        assert [repr(each) for each in (opening, task, world, open_world("toy"))] == [
            "<Opening of task 'toy-0' of 'toy'>",
            "<Task 'toy-0' of toy: projects>",
            "<Sandbox over 'toy': projects>",
            "<Opening of world 'toy'>",
        ]

    assert repr(task) == "<Task, closed>"


def test_only_a_snapshot_can_be_gone_back_to() -> None:
    with open_world("toy") as world, pytest.raises(StateError, match="'x' is not a snapshot: give what `snapshot"):
        world.restore("x")  # type: ignore[arg-type]


def test_a_script_that_fails_before_it_closes_ends_all_the_same() -> None:
    script = (
        'from harness import open_world\nopened = open_world("workbench-synth", "crm").open()\nraise SystemExit(3)\n'
    )

    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)

    assert (ended.returncode, ended.stderr) == (3, "")
