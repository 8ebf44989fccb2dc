"""What programs do with sandboxes over HTTP."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from typing import Any, cast

import anyio
import pytest

from harness import wiring
from harness.core.config import Condition, UserConfig
from harness.service import ServiceError
from harness.service.models import NewSandbox
from harness.serving.serve import call, connect_http
from harness.suite import SuiteError
from servers import catalog
from tests.harness import toy
from tests.service.scenes import Scene, service


def played(test: Callable[[Scene], Awaitable[None]]) -> Callable[[], None]:
    """Run a test inside a service over the toy suite."""

    async def main() -> None:
        async with service() as scene:
            await test(scene)

    def run() -> None:
        anyio.run(main)

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


@played
async def test_a_task_is_created_played_and_scored(scene: Scene) -> None:
    box = await scene.client.create(suite="toy", task="toy-2")
    before = await box.score()
    await scene.move(box.urls["projects"], task_id="00000002")
    after = await box.score()

    assert (box.request, box.info.system) == ("Move job 2 to Completed.", "Today is Thursday.")
    assert list(box.urls) == ["projects"]
    assert (before.scores["outcome"].label, after.scores["outcome"].label) == ("nothing_done", "correct")
    assert (after.calls, after.task_hash) == (1, toy.task(2).hash)


@played
async def test_a_world_is_served_with_every_app_and_cannot_be_scored(scene: Scene) -> None:
    box = await scene.client.create()
    with pytest.raises(ServiceError, match="made from a world: only a task can be scored") as refused:
        await box.score()

    assert list(box.urls) == ["projects", "directory", "ask_user"]
    assert refused.value.status == 409
    assert box.info.now == toy.NOW


@played
async def test_a_diff_names_each_row_that_differs_and_forgets_what_was_undone(scene: Scene) -> None:
    box = await scene.client.create(world="toy")
    url = box.urls["projects"]
    await scene.move(url)
    changed = await box.diff()
    await scene.move(url, new_value="Backlog")

    (row,) = changed.changes
    assert (row.op, row.app, row.table, row.id) == ("update", "projects", "tasks", "00000000")
    assert row.before is not None
    assert row.after is not None
    assert (row.before["list_name"], row.after["list_name"]) == ("Backlog", "Completed")
    assert (await box.diff()).changes == []


@played
async def test_a_snapshot_is_gone_back_to_with_the_calls_that_led_there(scene: Scene) -> None:
    box = await scene.client.create(suite="toy", task="toy-2")
    url = box.urls["projects"]
    await scene.move(url, task_id="00000002")
    kept = await box.snapshot("good")
    await scene.move(url, task_id="00000003")
    since = await box.diff("good")
    spoilt = await box.score()
    back = await box.restore("good")

    assert [change.id for change in since.changes] == ["00000003"]
    assert spoilt.scores["outcome"].value == 0
    assert back == kept
    assert [record.arguments["task_id"] for record in await box.calls()] == ["00000002"]
    assert (await box.score()).scores["outcome"].value == 1
    assert (await box.restore()).digest == box.info.digest
    assert (await box.snapshot()).name == "1"


@played
async def test_a_fork_has_a_life_of_its_own(scene: Scene) -> None:
    box = await scene.client.create(suite="toy", task="toy-2")
    copy = await box.fork()
    await scene.move(copy.urls["projects"], task_id="00000002")

    assert copy.info.digest == box.info.digest
    assert copy.info.id != box.info.id
    assert copy.info.control_token != box.info.control_token
    assert ((await box.score()).calls, (await copy.score()).calls) == (0, 1)
    assert (await copy.fork("start")).info.digest == box.info.digest
    assert (await box.diff()).changes == []


@played
async def test_a_deleted_sandbox_is_gone_for_program_and_agent(scene: Scene) -> None:
    box = await scene.client.create()
    await box.delete()
    with pytest.raises(ServiceError, match="no such sandbox") as refused:
        await box.diff()

    assert refused.value.status == 404
    assert (await scene.http.post(box.urls["projects"], json={})).status_code == 404
    assert await scene.client.list() == []


@played
async def test_a_list_does_not_give_away_how_to_reach_a_sandbox(scene: Scene) -> None:
    box = await scene.client.create(suite="toy", task="toy-2")
    (listed,) = await scene.client.list()
    text = listed.model_dump_json()

    assert (listed.prefix, listed.task) == (box.info.id[:8], "toy-2")
    assert box.info.id not in text
    assert box.info.control_token not in text


@played
async def test_every_operation_on_a_sandbox_needs_its_own_control_token(scene: Scene) -> None:
    box, other = await scene.client.create(), await scene.client.create()
    address = f"{scene.host.address}/v1/sandboxes/{box.info.id}"
    operations = [
        ("GET", ""), ("DELETE", ""), ("POST", "/snapshots"), ("POST", "/restore"), ("POST", "/fork"), ("GET", "/diff"),
        ("GET", "/calls"), ("GET", "/score"),
    ]  # fmt: skip

    for headers in ([], [(b"Control-Token", other.info.control_token.encode())], [(b"Control-Token", "ü".encode())]):
        for method, path in operations:
            response = await scene.http.request(method, address + path, headers=headers)
            assert (response.status_code, response.json()["error"]) == (403, "forbidden")
    assert (await box.show()).snapshots == ["start"]
    assert box.info.control_token not in str(box.urls)


def test_the_user_answers_where_the_request_withholds_something() -> None:
    async def main() -> str:
        async with service([toy.task(0, ask=True)]) as scene:
            box = await scene.client.create(
                suite="toy", task="toy-0", prompt="underspecified", ask="ask_user", user=UserConfig()
            )
            async with connect_http(box.urls["ask_user"], scene.http) as agent:
                await call(agent, "ask_user", {"question": "To which list?"})
            assert box.request == "Move job 0."
            return (await box.calls())[0].asked[0].answer

    assert anyio.run(main) == "In Progress"


def test_a_kind_alone_says_who_answers() -> None:
    given = {"suite": "toy", "task": "toy-0", "ask": "ask_user"}
    assert NewSandbox.model_validate({**given, "user": "grounded"}).user == UserConfig()
    assert Condition.model_validate({"ask": "ask_user", "user": "grounded"}) == Condition(ask="ask_user")


def test_whoever_picks_apps_can_still_ask() -> None:
    async def main() -> list[str]:
        async with service([toy.task(0, ask=True)]) as scene:
            box = await scene.client.create(
                suite="toy", task="toy-0", prompt="underspecified", ask="ask_user", apps=("projects",)
            )
            return list(box.urls)

    assert anyio.run(main) == ["projects", "ask_user"]


def test_no_more_questions_are_answered_than_was_asked_for() -> None:
    async def main() -> list[str]:
        apps = {name: catalog.app(name) for name in ("projects", "directory", "clarify")}
        async with service([toy.task(0, ask=True)], apps=apps) as scene:
            box = await scene.client.create(suite="toy", task="toy-0", prompt="underspecified", ask="clarify", rounds=1)
            async with connect_http(box.urls["clarify"], scene.http) as agent:
                for _ in range(2):
                    await call(agent, "clarify", {"strategy": "confirm_risk", "content": "To which list?"})
            return [made.status for made in await box.calls()]

    assert anyio.run(main) == ["ok", "failed"]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"suite": "toy", "task": "toy-0", "user": 3}, 'it is an object such as {"kind": "grounded"}, or its kind alone'),
    ({"task": "toy-1"}, "`suite` and `task` together"),
    ({"world": "toy", "suite": "toy", "task": "toy-1"}, "not both"),
    ({"suite": "toy", "task": "toy-99"}, "suite toy has no task 'toy-99'"),
    ({"world": "toy:x"}, "suite toy has no world 'x'; it has toy"),
    ({"apps": ["gmail"]}, "this server has no app 'gmail'; it serves projects, directory, ask_user"),
    ({"suite": "toy", "task": "toy-1", "apps": ["directory"]}, "task toy-1 has no app 'directory'; it has projects"),
    ({"apps": []}, "`apps` names none: leave it out for the usual ones"),
    ({"toolsets": {"projects": "x"}}, "toolsets.projects: projects has no toolset 'x'; it has"),
    ({"suite": "toy", "task": "toy-1", "prompt": "vague"}, "task toy-1 has no prompt 'vague'; it has original"),
    ({"prompt": "vague"}, "need a task"),
    ({"suite": "toy", "task": "toy-1", "ask": "always"}, "ask: Input should be 'off', 'ask_user' or 'clarify'"),
    ({"user": {"kind": ["grounded"]}}, 'user: users of kind ["grounded"] do not answer here; those of kind grounded, '),
    ({"user": {"kind": "llm", "model": "m"}}, "user: users of kind 'llm' do not answer here; those of kind grounded, "),
    (
        {"user": {"kind": "persona", "model": "m"}},
        "user: here no model speaks for a user, and a persona user has no setting 'model'; it has kind, persona",
    ),
    ({"user": {"manners": "curt"}}, "user: a grounded user has no setting 'manners'; it has kind, version, policy"),
    ({"user": {"kind": "persona", "persona": "shy"}}, "user.persona: Input should be 'rational', 'intuitive'"),
    ({"wrold": "toy"}, "unknown field 'wrold'; there are world, suite"),
    ({"now": "2025-03-13T09:00Z"}, "leave the time zone out"),
    ({"now": "9999-12-31T23:59:59"}, "`now` is in the year 9999, and clocks stand in the years 1000 to 9900"),
    ({"now": "0001-01-01T00:00:00"}, "`now` is in the year 1, and clocks stand in the years 1000 to 9900"),
]


def test_a_toolset_whose_library_is_not_installed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bashkit", None)

    async def main() -> dict[str, Any]:
        async with service(apps={"filesystem": catalog.app("filesystem")}) as scene:
            body = {"apps": ["filesystem"], "toolsets": {"filesystem": "pi_shell"}}
            told: dict[str, Any] = (await scene.http.post(f"{scene.host.address}/v1/sandboxes", json=body)).json()
            return told

    problem = anyio.run(main)

    assert problem["error"] == "invalid"
    assert "toolsets.filesystem: filesystem/pi_shell needs bashkit, which is not installed" in problem["message"]


def test_wrong_requests_are_told_what_would_be_right() -> None:
    async def main() -> None:
        async with service() as scene:
            for body, message in WRONG:
                response = await scene.http.post(f"{scene.host.address}/v1/sandboxes", json=body)
                problem = response.json()
                assert (response.status_code, problem["error"]) == (422, "invalid"), problem
                assert message in problem["message"]
            assert await scene.client.list() == []

    anyio.run(main)


@played
async def test_of_a_wrong_request_little_is_repeated(scene: Scene) -> None:
    long, kind = "x" * 20_000, {"kind": "grounded"}
    wrong = (
        {"apps": [1] * 5_000},
        {"apps": [long]},
        {"user": long},
        {"user": kind | {long: 1}},
        {"toolsets": {long: "a"}},
        {"toolsets": {f"{number}{long}": 1 for number in range(20)}},
        {"world": f"toy:{long}"},
        {"suite": "toy", "task": long},
        {"suite": "toy", "task": "toy-1", "prompt": long},
        {"toolsets": {"projects": long}},
        {long: 1},
    )
    told = [(await scene.http.post(f"{scene.host.address}/v1/sandboxes", json=body)).json() for body in wrong]

    assert {each["error"] for each in told} == {"invalid"}
    assert max(len(each["message"]) for each in told) < 2_000


@played
async def test_of_an_unknown_snapshot_little_is_repeated(scene: Scene) -> None:
    box = await scene.client.create()
    with pytest.raises(ServiceError) as caught:
        await box.restore("x" * 20_000)

    assert len(str(caught.value)) < 1_000


def test_of_the_unknown_name_of_a_suite_little_is_repeated() -> None:
    with pytest.raises(SuiteError) as caught:
        wiring.suite_on_offer("x" * 20_000)

    assert str(caught.value).startswith(f"no suite is named '{'x' * 200} [... 19,800 more characters]'. ")


@played
async def test_the_client_raises_service_errors_in_the_same_words(scene: Scene) -> None:
    for given, message in WRONG:
        if "wrold" not in given:
            with pytest.raises(ServiceError) as refused:
                await scene.client.create(**given)
            assert (refused.value.status, refused.value.error) == (422, "invalid")
            assert message in str(refused.value)
            assert "\n" not in str(refused.value)


@played
async def test_the_client_names_the_field_of_a_wrong_type(scene: Scene) -> None:
    box, wrong = await scene.client.create(), cast(str, 3)
    with pytest.raises(ServiceError, match=r"^name: use up to 64 letters \(A to Z\), digits"):
        await box.snapshot("B\u00fcro")
    for asked in (box.restore, box.fork):
        with pytest.raises(ServiceError, match=r"^snapshot: Input should be a valid string$"):
            await asked(wrong)
    with pytest.raises(ServiceError, match=r"^toolsets: Input should be a valid dictionary$"):
        await scene.client.create(toolsets=cast(Any, "pi"))


@played
async def test_requests_that_do_not_parse_or_lead_nowhere_are_told_so(scene: Scene) -> None:
    root = f"{scene.host.address}/v1/sandboxes"
    json_ = {"Content-Type": "application/json"}

    async def told(method: str, url: str, **rest: Any) -> tuple[int, str]:
        response = await scene.http.request(method, url, **rest)
        return response.status_code, response.json()["error"]

    assert await told("POST", root, content=b"{", headers=json_) == (422, "invalid")
    assert await told("POST", root, content=b"[]", headers=json_) == (422, "invalid")
    assert await told("POST", root, content=b"\xff", headers=json_) == (422, "invalid")
    assert await told("POST", root, content=b"{}", headers={"Content-Type": "text/plain"}) == (415, "wrong_type")
    assert await told("PUT", root) == (405, "wrong_method")
    assert await told("GET", f"{root}/x") == (404, "not_found")
    assert await told("GET", f"{root}/{'0' * 32}") == (404, "not_found")
    assert await told("GET", f"{scene.host.address}/v1/") == (404, "not_found")
    assert await told("POST", root, content=b" " * (1 << 20) + b"{}", headers=json_) == (413, "too_large")


@played
async def test_a_method_that_a_path_does_not_take_is_told_which_ones_it_takes(scene: Scene) -> None:
    root, found = f"{scene.host.address}/v1", {}
    for method, path in (("PUT", "/sandboxes"), ("PUT", f"/sandboxes/{'0' * 32}"), ("POST", "/openapi.json")):
        response = await scene.http.request(method, root + path)
        found[path[:12]] = (response.status_code, response.headers["allow"], response.json()["message"])

    assert found == {
        "/sandboxes": (405, "POST, GET", "/v1/sandboxes takes POST, GET, not PUT"),
        "/sandboxes/0": (405, "GET, DELETE", f"/v1/sandboxes/{'0' * 32} takes GET, DELETE, not PUT"),
        "/openapi.jso": (405, "GET", "/v1/openapi.json takes GET, not POST"),
    }


@played
async def test_a_path_with_a_slash_too_many_is_nowhere_and_leads_nowhere_else(scene: Scene) -> None:
    response = await scene.http.get(f"{scene.host.address}/v1/sandboxes/")

    assert response.status_code == 404
    assert response.json()["message"] == "nothing is at /v1/sandboxes/; /v1/openapi.json lists what there is"


@played
async def test_who_looks_for_an_entrance_is_told_where_it_is(scene: Scene) -> None:
    for path in ("", "/", "/v1", "/nowhere"):
        response = await scene.http.get(scene.host.address + path)

        assert response.status_code == 404
        assert "/v1/sandboxes (/v1/openapi.json describes it)" in response.json()["message"]


@played
async def test_a_name_that_a_snapshot_cannot_have_is_told_in_words(scene: Scene) -> None:
    box = await scene.client.create()
    control = {"Control-Token": box.info.control_token}
    url = f"{scene.host.address}/v1/sandboxes/{box.info.id}/snapshots"
    response = await scene.http.post(url, headers=control, json={"name": "B\u00fcro"})

    assert response.status_code == 422
    assert response.json()["message"] == (
        "name: use up to 64 letters (A to Z), digits, `_`, `-` and `.`; without a name it gets a number"
    )


@played
async def test_a_parameter_that_an_operation_does_not_have_is_named(scene: Scene) -> None:
    box = await scene.client.create()
    control = {"Control-Token": box.info.control_token}
    response = await scene.http.get(f"{scene.host.address}/v1/sandboxes/{box.info.id}/diff?till=", headers=control)

    assert response.status_code == 422
    assert response.json()["message"] == "unknown parameter 'till'; there is since"


@played
async def test_a_name_is_used_once_and_unknown_ones_are_listed(scene: Scene) -> None:
    box = await scene.client.create()
    with pytest.raises(ServiceError, match="has a snapshot 'start' already"):
        await box.snapshot("start")
    with pytest.raises(ServiceError, match="no snapshot is named 'x'; there are start"):
        await box.restore("x")


def test_idle_sandboxes_expire_and_used_ones_do_not() -> None:
    async def main() -> None:
        async with service(idle=60) as scene:
            left, called, shown = [await scene.client.create() for _ in range(3)]
            scene.clock.now = 59
            await scene.move(called.urls["projects"])
            await shown.show()
            scene.clock.now = 61

            assert (await scene.http.post(left.urls["projects"], json={})).status_code == 404
            assert len(await scene.client.list()) == 2
            assert len((await called.diff()).changes) == 1
            scene.clock.now = 121
            assert await scene.client.list() == []

    anyio.run(main)


def test_so_many_sandboxes_and_no_more() -> None:
    async def main() -> None:
        async with service(most=2) as scene:
            box = await scene.client.create()
            await box.fork()
            with pytest.raises(ServiceError, match="2 sandboxes are here already") as refused:
                await box.fork()
            assert refused.value.status == 503
            await box.delete()
            await scene.client.create()

    anyio.run(main)
