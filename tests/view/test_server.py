"""The page over real HTTP on loopback: who is served, what, and what is written."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from harness.core.config import ConfigProblem
from harness.record.store import Run
from harness.view import View
from harness.view.server import HEADERS, serving
from tests.view import scene

pytestmark = pytest.mark.usefixtures("page")

Work = Callable[[httpx2.AsyncClient], Awaitable[None]]


def asked(view: View, work: Work) -> None:
    """Have the view served, and ask it."""

    async def main() -> None:
        async with serving(view) as address, httpx2.AsyncClient(base_url=address) as client:
            await work(client)

    anyio.run(main)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return scene.played(tmp_path / "run")


@pytest.fixture
def view(run: Run) -> View:
    return scene.view(run.folder, author="anna")


async def token(client: httpx2.AsyncClient) -> dict[str, str]:
    return {"X-Harness-Token": (await client.get("data/runs.json")).json()["token"]}


def note(key: str, **changes: Any) -> dict[str, Any]:
    return {
        "run": 0,
        "key": key,
        "step": None,
        "kind": "note",
        "value": "",
        "text": "Odd.",
        "author": "anna",
        **changes,
    }


def test_values_are_those_of_the_view(view: View) -> None:
    key = scene.rows(view)[0]["key"]

    async def work(client: httpx2.AsyncClient) -> None:
        for name in ("index-0", f"trial-0-{key}", "report-0"):
            response = await client.get(f"data/{name}.json")
            assert response.status_code == 200
            assert response.headers["content-type"] == "application/json"
            assert response.json() == json.loads(json.dumps(view.value(name)))
        runs = (await client.get("data/runs.json")).json()
        assert (runs["writable"], runs["author"]) == (True, "anna")
        assert len(runs["token"]) >= 32
        assert (await client.get("data/index-0.json?after=3")).json()["columns"]["task"] == ["toy-3"]

    asked(view, work)


def test_every_response_says_what_a_page_may_load(view: View) -> None:
    async def work(client: httpx2.AsyncClient) -> None:
        for path, headers in (
            ("", {}), ("js/app.js", {}), ("data/runs.json", {}), ("nothing", {}), ("data/runs.json", {"Host": "evil"}),
        ):  # fmt: skip
            response = await client.get(path, headers=headers)
            for name, value in HEADERS.items():
                assert response.headers[name] == value
            assert "access-control-allow-origin" not in response.headers

    asked(view, work)


def test_a_host_that_is_not_this_machine_is_refused(view: View) -> None:
    async def work(client: httpx2.AsyncClient) -> None:
        for host in ("evil.example", "127.0.0.1.evil.example", "127.0.0.1@evil.example", ""):
            assert (await client.get("data/runs.json", headers={"Host": host})).status_code == 421
        assert (await client.get("", headers={"Host": "localhost:1"})).status_code == 200
        assert (await client.get("", headers={"Origin": "https://evil.example"})).status_code == 403

    asked(view, work)


def test_the_page_is_served_as_it_lies_in_the_package_and_nothing_else_is(view: View, tmp_path: Path) -> None:
    async def work(client: httpx2.AsyncClient) -> None:
        first = await client.get("")
        assert 'content="server"' in first.text
        assert (await client.get("index.html")).text == first.text
        for path, kind in (
            ("js/app.js", "text/javascript"),
            ("css/base.css", "text/css"),
            ("vendor/LICENSE-x.txt", "text/plain"),
        ):
            response = await client.get(path)
            assert response.headers["content-type"].startswith(kind)
        for path in (
            "js", "js/", "vendor/thing.map", "../run/run.json", "%2e%2e/run/run.json", "js/..%2f..%2frun%2frun.json",
            "js//app.js", "/etc/passwd", "data/../js/app.js.json", "raw/0/..%2f..%2frun.json", "raw/0/x.json",
            "raw/9/0123456789abcdef.json", "data/index-7.json", "search/7.json?q=a",
        ):  # fmt: skip
            response = await client.get(path)
            assert response.status_code == 404, path
            assert "error" in response.json()

    asked(view, work)


def test_a_record_is_downloaded_whole(view: View, run: Run) -> None:
    key = scene.rows(view)[0]["key"]

    async def work(client: httpx2.AsyncClient) -> None:
        response = await client.get(f"raw/0/{key}.json")
        file = (await client.get(f"data/trial-0-{key}.json")).json()["file"]
        assert response.content == (run.folder / "trials" / file).read_bytes()
        assert response.headers["content-disposition"] == f'attachment; filename="trial-0-{key}.json"'

    asked(view, work)


def test_a_search_names_trials(view: View) -> None:
    keys = {row["task"]: row["key"] for row in scene.rows(view)}

    async def work(client: httpx2.AsyncClient) -> None:
        found = (await client.get("search/0.json", params={"q": "in review"})).json()
        parts = ["Move job 1 to ", "In", " ", "Review", "."]
        assert found == {"keys": [keys["toy-1"]], "excerpts": [["task.prompts.original", parts]], "searched": 4}

    asked(view, work)


def test_a_trial_says_where_it_holds_the_words(view: View) -> None:
    key = {row["task"]: row["key"] for row in scene.rows(view)}["toy-1"]

    async def work(client: httpx2.AsyncClient) -> None:
        found = (await client.get(f"hits/0/{key}.json", params={"q": "review"})).json()
        assert found == view.hits(0, key, "review")
        assert [hit["at"] for hit in found["hits"]][:2] == [0, 1]
        assert (await client.get("hits/0/0000000000000000.json", params={"q": "a"})).status_code == 404
        assert (await client.get("hits/0/..%2F..%2Fetc.json", params={"q": "a"})).status_code == 404

    asked(view, work)


def test_an_annotation_is_kept_shown_and_taken_back(view: View, run: Run) -> None:
    key = scene.rows(view)[0]["key"]

    async def work(client: httpx2.AsyncClient) -> None:
        headers = await token(client)
        for body in (
            note(key, step=0),
            note(key, kind="tag", value="later", text=""),
            note(key, kind="verdict", value="failed"),
        ):
            made = await client.post("annotations", json=body, headers=headers)
            assert made.status_code == 201, made.text
            assert (
                made.json().items()
                >= {name: body[name] for name in ("author", "step", "kind", "value", "text")}.items()
            )
        told = (await client.get(f"data/trial-0-{key}.json")).json()
        assert [each["kind"] for each in told["annotations"]] == ["note", "tag", "verdict"]
        assert (told["row"]["notes"], told["row"]["tags"], told["row"]["human"]) == (3, ["later"], "failed")
        assert len(list((run.folder / "annotations").iterdir())) == 3
        for each in told["annotations"]:
            gone = await client.delete(f"annotations/0/{key}/{each['id']}", headers=headers)
            assert gone.status_code == 204
        assert list((run.folder / "annotations").iterdir()) == []
        again = await client.delete(f"annotations/0/{key}/{told['annotations'][0]['id']}", headers=headers)
        assert again.status_code == 400

    asked(view, work)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"run": 1}, "run"),
        ({"run": True}, "run"),
        ({"run": "0"}, "run"),
        ({"key": "../../x"}, "key"),
        ({"key": None}, "key"),
        ({"step": 1}, "step: this trial has 1"),
        ({"step": -1}, "step"),
        ({"kind": "rumour"}, "kind"),
        ({"kind": "verdict", "value": "fine"}, "a verdict is `correct` or `failed`"),
        ({"kind": "verdict", "value": "failed", "step": 0}, "a verdict is on the whole trial"),
        ({"kind": "verdict", "value": "yes", "query": "polite"}, "the suite asks no question 'polite'"),
        ({"kind": "tag", "value": " "}, "a tag has a value"),
        ({"kind": "tag", "value": "x" * 81}, "value"),
        ({"text": " "}, "a note has a text"),
        ({"text": "x" * 20_001}, "text"),
        ({"author": "a\nb"}, "author"),
        ({"author": 7}, "author"),
        ({"extra": 1}, "extra"),
    ],
)
def test_an_annotation_that_does_not_fit_is_told_and_not_kept(
    view: View, run: Run, changes: dict[str, Any], told: str
) -> None:
    key = scene.rows(view)[0]["key"]

    async def work(client: httpx2.AsyncClient) -> None:
        response = await client.post("annotations", json=note(key) | changes, headers=await token(client))
        assert response.status_code == 400
        assert told in response.json()["error"]

    asked(view, work)
    assert not list((run.folder / "annotations").glob("*"))


def test_nobody_writes_without_the_token_of_the_page(view: View, run: Run) -> None:
    key = scene.rows(view)[0]["key"]

    async def work(client: httpx2.AsyncClient) -> None:
        right = await token(client)
        for headers in ({}, {"X-Harness-Token": "x"}, right | {"Origin": "null"}):
            posted = await client.post("annotations", json=note(key), headers=headers)
            assert posted.status_code == 403
            assert (await client.delete(f"annotations/0/{key}/x", headers=headers)).status_code == 403
        plain = await client.post("annotations", content=json.dumps(note(key)), headers=right)
        assert plain.status_code == 415
        large = await client.post("annotations", json=note(key, text="x" * 300_000), headers=right)
        assert large.status_code == 413
        for body in ("[]", "{", "[" * 10_000, ""):
            typed = right | {"Content-Type": "application/json"}
            assert (await client.post("annotations", content=body, headers=typed)).status_code == 400
        assert (await client.put("annotations", json={}, headers=right)).status_code in (404, 405)

    asked(view, work)
    assert not (run.folder / "annotations").exists()


def test_what_another_wrote_is_theirs(view: View) -> None:
    key = scene.rows(view)[0]["key"]
    theirs = view.annotate(note(key, author="ben"))

    async def work(client: httpx2.AsyncClient) -> None:
        response = await client.delete(f"annotations/0/{key}/{theirs['id']}", headers=await token(client))
        assert response.status_code == 400
        assert response.json()["error"] == "ben wrote it, and only its author removes it"

    asked(view, work)
    assert len(view.value(f"trial-0-{key}")["annotations"]) == 1


def test_a_view_that_only_reads_writes_nothing(run: Run) -> None:
    view = scene.view(run.folder, author="anna", read_only=True)
    key = scene.rows(view)[0]["key"]

    async def work(client: httpx2.AsyncClient) -> None:
        runs = (await client.get("data/runs.json")).json()
        assert (runs["writable"], runs["token"], runs["author"]) == (False, "", "")
        assert (await client.post("annotations", json=note(key))).status_code == 403

    asked(view, work)


def test_an_annotation_says_no_secret(view: View, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "vK3-92hfQ_zz81mPPd")

    view.annotate(note(scene.rows(view)[0]["key"], text="it printed vK3-92hfQ_zz81mPPd"))

    (path,) = (run.folder / "annotations").iterdir()
    assert "vK3-92hfQ" not in path.read_text()


def test_annotations_that_are_none_are_told_and_hide_none(view: View, run: Run) -> None:
    key = scene.rows(view)[0]["key"]
    kept = view.annotate(note(key))
    folder = run.folder / "annotations"
    (folder / "torn.json").write_text("{")
    (folder / "copy.json").write_bytes((folder / f"{kept['id']}.json").read_bytes())

    told = view.value("runs")["runs"][0]["problems"]

    assert [each["file"] for each in told] == ["annotations/copy.json", "annotations/torn.json"]
    assert len(view.value(f"trial-0-{key}")["annotations"]) == 1


def test_annotations_stay_when_a_run_is_looked_at_again(run: Run) -> None:
    first = scene.view(run.folder, author="anna")
    key = scene.rows(first)[0]["key"]
    first.annotate(note(key))

    assert scene.view(run.folder).value("index-0")["columns"]["notes"] == [1, 0, 0, 0]


def test_a_run_under_way_grows_over_http(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")

    async def work(client: httpx2.AsyncClient) -> None:
        assert (await client.get("data/index-0.json")).json()["total"] == 0
        run.write(scene.record())
        (run.folder / "trials" / "torn.json").write_text("{")
        grown = (await client.get("data/index-0.json?after=0")).json()
        assert grown["columns"]["task"] == ["toy-0"]
        assert [each["file"] for each in grown["problems"]] == ["trials/torn.json"]
        key = grown["columns"]["key"][0]
        assert (await client.get(f"data/trial-0-{key}.json")).status_code == 200

    asked(scene.view(run.folder), work)


def test_a_record_that_went_away_is_told(view: View, run: Run) -> None:
    key = scene.rows(view)[0]["key"]
    for path in scene.files(run):
        path.unlink()

    async def work(client: httpx2.AsyncClient) -> None:
        response = await client.get(f"data/trial-0-{key}.json")
        assert response.status_code == 409
        assert "cannot be read" in response.json()["error"]
        assert (await client.get("data/index-0.json")).json()["columns"]["key"] == []

    asked(view, work)


def test_a_defect_is_told_with_the_headers_of_every_response(
    view: View, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr(view, "value", broken)

    async def work(client: httpx2.AsyncClient) -> None:
        response = await client.get("data/runs.json")
        assert response.status_code == 500
        assert "inside" not in response.text
        assert response.headers["content-security-policy"] == HEADERS["content-security-policy"]

    asked(view, work)
    assert "ZeroDivisionError: inside" in caplog.text


def test_a_port_in_use_is_one_line(view: View) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        async def main() -> None:
            async with serving(view, port):
                raise AssertionError("it listens")

        with pytest.raises(ConfigProblem, match=rf"^port {port} cannot be used here: .*--port; 0 takes a free"):
            anyio.run(main)


def test_a_record_that_went_away_is_no_defect_to_whoever_downloads_it(
    view: View, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    key = scene.rows(view)[0]["key"]
    for path in scene.files(run):
        path.unlink()

    async def work(client: httpx2.AsyncClient) -> None:
        response = await client.get(f"raw/0/{key}.json")
        assert response.status_code == 409
        assert response.json()["error"].endswith("cannot be read any more: No such file or directory")

    asked(view, work)
    assert not caplog.records


def test_a_trial_that_is_not_there_is_told_in_words(view: View) -> None:
    async def work(client: httpx2.AsyncClient) -> None:
        for path in ("data/trial-0-{}", "data/trial-9-{}", "data/try-0-{}-1", "raw/0/{}", "hits/0/{}"):
            response = await client.get(f"{path.format('0' * 16)}.json?q=a")
            assert response.status_code == 404
            assert response.json()["error"].startswith("There is no such trial")

    asked(view, work)


def test_an_address_that_is_too_long_is_no_defect(view: View, caplog: pytest.LogCaptureFixture) -> None:
    async def work(client: httpx2.AsyncClient) -> None:
        headers = await token(client)
        assert (await client.get(f"raw/{'9' * 5000}/x.json")).status_code == 414
        assert (await client.delete(f"annotations/{'9' * 5000}/a/b", headers=headers)).status_code == 414

    asked(view, work)
    assert not caplog.records


@pytest.mark.parametrize(
    ("query", "told"), [("a" * 501, "a search may have 500 characters, and this one has 501"), ('" "', "no word")]
)
def test_a_search_that_cannot_be_made_is_told_and_not_another_one_made(view: View, query: str, told: str) -> None:
    key = scene.rows(view)[0]["key"]

    async def work(client: httpx2.AsyncClient) -> None:
        for path in ("search/0.json", f"hits/0/{key}.json"):
            response = await client.get(path, params={"q": query})
            assert response.status_code == 400
            assert told in response.json()["error"]

    asked(view, work)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes on this system")
def test_an_annotation_that_is_a_pipe_is_not_waited_for(view: View, run: Run) -> None:
    (run.folder / "annotations").mkdir()
    os.mkfifo(run.folder / "annotations" / "pipe.json")

    assert view.value("runs")["runs"][0]["problems"] == [{"file": "annotations/pipe.json", "text": "is not a file"}]


def test_a_report_in_the_folder_of_a_run_may_look_as_it_likes_and_do_nothing(view: View, run: Run) -> None:
    async def work(client: httpx2.AsyncClient) -> None:
        assert (await client.get("written/0.html")).status_code == 404
        (run.folder / "report.html").write_text("<script>alert(1)</script>", encoding="utf-8")
        found = await client.get("written/0.html")
        assert found.text == "<script>alert(1)</script>"
        rules = found.headers["content-security-policy"].split("; ")
        assert {"sandbox", "default-src 'none'"} <= set(rules)
        assert not any(rule.startswith("script-src") or "allow-" in rule for rule in rules)
        assert (await client.get("written/1.html")).status_code == 404

    asked(view, work)


def test_a_link_in_the_place_of_a_report_is_not_followed(view: View, run: Run, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.html").write_text("private", encoding="utf-8")
    (run.folder / "report.html").symlink_to(tmp_path / "elsewhere.html")

    async def work(client: httpx2.AsyncClient) -> None:
        assert (await client.get("written/0.html")).status_code == 404
        assert (await client.get("data/runs.json")).json()["runs"][0]["written"] is False

    asked(view, work)
