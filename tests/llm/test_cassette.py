"""Cassettes: recorded over HTTP against the stub, replayed without any server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.core.config import LlmConfig
from harness.models.cassette import Cassette
from harness.models.llm import Model
from harness.models.replies import Completion, ModelError
from harness.stub import Reply, StubServer
from tests.llm.support import HELLO, MODEL, config, run

MORE = [*HELLO, {"role": "assistant", "content": "reply 0"}, {"role": "user", "content": "and then?"}]
TOOLS = [{"type": "function", "function": {"name": "a_b", "description": "", "parameters": {"type": "object"}}}]


def record(path: Path, *scopes: str) -> list[Completion]:
    """Two equal requests and a further one, per scope; no two replies are the same."""

    async def scene() -> list[Completion]:
        async with StubServer(lambda request: Reply(text=f"reply {stub.requests}")) as stub:
            cassette, done = Cassette(path, "record"), []
            for scope in scopes:
                model = Model(config(stub), take=cassette.take(scope))
                done += [await model.complete(messages, TOOLS) for messages in (HELLO, HELLO, MORE)]
            return done

    return run(scene)


def replayed(path: Path, scope: str = "", **fields: Any) -> Model:
    return Model(LlmConfig(**{"kind": "llm", "model": MODEL, **fields}), take=Cassette(path, "replay").take(scope))


async def play(model: Model) -> list[Completion]:
    return [await model.complete(messages, TOOLS) for messages in (HELLO, HELLO, MORE)]


def miss(model: Model, messages: list[dict[str, str]], tools: list[dict[str, Any]], times: int = 1) -> str:
    async def scene() -> None:
        for _ in range(times):
            await model.complete(messages, tools)

    with pytest.raises(ModelError) as caught:
        run(scene)
    return str(caught.value)


def test_a_replay_gives_what_was_recorded_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    first = record(path, "")
    second = run(lambda: play(replayed(path)))

    assert [c.model_dump_json() for c in second] == [c.model_dump_json() for c in first]
    assert [c.text for c in second] == ["reply 1", "reply 2", "reply 3"]


def test_a_replay_shows_the_request_as_it_was_sent_to_a_model_that_takes_no_temperature(tmp_path: Path) -> None:
    path, given = tmp_path / "c.jsonl", {"model": "openai/gpt-5-mini"}

    async def scene() -> Completion:
        async with StubServer({"hello": [Reply(text="Good day.")]}) as stub:
            model = Model(config(stub, **given), take=Cassette(path, "record").take())
            return await model.complete(HELLO)

    first = run(scene)
    second = run(lambda: replayed(path, **given).complete(HELLO))

    assert "temperature" not in first.request
    assert second == first


def test_trials_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    record(path, "task-1/0", "task-1/1")

    assert [c.text for c in run(lambda: play(replayed(path, "task-1/1")))] == ["reply 4", "reply 5", "reply 6"]
    assert [c.text for c in run(lambda: play(replayed(path, "task-1/0")))] == ["reply 1", "reply 2", "reply 3"]


def test_a_take_recorded_again_replaces_the_older_one(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    record(path, "", "")

    assert [c.text for c in run(lambda: play(replayed(path)))] == ["reply 4", "reply 5", "reply 6"]


def test_a_line_torn_by_a_kill_is_dropped_and_recording_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    record(path, "one")
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines()[0][:50])

    assert [c.text for c in run(lambda: play(replayed(path, "one")))] == ["reply 1", "reply 2", "reply 3"]
    record(path, "two")
    assert path.read_bytes().startswith(whole)
    assert [c.text for c in run(lambda: play(replayed(path, "two")))] == ["reply 1", "reply 2", "reply 3"]


def test_a_damaged_line_elsewhere_is_named(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    record(path, "")
    path.write_text('{"key": 1}\n' + path.read_text(encoding="utf-8"), encoding="utf-8")

    with pytest.raises(ModelError, match=r"c\.jsonl:1: key: "):
        Cassette(path, "replay")


def test_a_missing_cassette_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.jsonl does not exist; record it first"):
        Cassette(tmp_path / "none.jsonl", "replay")


def test_a_miss_names_the_difference(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    record(path, "one")
    other = [*MORE[:2], {"role": "user", "content": "and else?"}]

    assert "message 3 differs (recorded: user, asked: user)" in miss(replayed(path, "one"), other, TOOLS)
    assert "message 2 differs (recorded: nothing, asked: user)" in miss(replayed(path, "one"), [*HELLO, *HELLO], TOOLS)
    assert "the tools differ" in miss(replayed(path, "one"), HELLO, [])
    assert f'model "{MODEL}" was recorded, "openai/x" is asked' in miss(
        replayed(path, "one", model="openai/x"), HELLO, TOOLS
    )
    assert '{"temperature": 0.0} was recorded, {"temperature": 1.0} is asked' in miss(
        replayed(path, "one", temperature=1), HELLO, TOOLS
    )
    assert "recorded for 'one', not 'two'" in miss(replayed(path, "two"), HELLO, TOOLS)
    assert "asked for time 3, which was not recorded" in miss(replayed(path, "one"), HELLO, TOOLS, times=3)


def test_a_miss_in_an_empty_cassette_says_so(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.touch()

    assert "it is empty" in miss(replayed(path), HELLO, TOOLS)


FULL = """\
import asyncio, resource, sys
import json
import subprocess
import sys
from pathlib import Path
from harness.models.cassette import Cassette
from harness.models.replies import Completion, ModelError
from harness.trajectory import Usage

async def ask(request):
    return Completion(request=request, response={"said": "x" * request["n"]}, usage=Usage())

async def main():
    take = Cassette(Path(sys.argv[1]), "record").take()
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, 4_000))
    for n in (10, 9_000, 20):
        try:
            await take.complete({"model": "m", "messages": [], "n": n}, ask)
        except ModelError as error:
            print(error)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits file sizes as POSIX does")
def test_a_full_disk_leaves_no_half_line_in_a_cassette(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    command = [sys.executable, "-B", "-c", FULL, str(path)]  # or Python leaves byte code that is cut
    ended = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True)

    assert ended.stdout == f"model 'cassette': {path} cannot be written: No space left on device\n", ended.stderr
    assert [len(json.loads(line)["response"]["said"]) for line in path.read_text().splitlines()] == [10, 20]


def test_a_cassette_where_none_can_be_is_refused_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "thesis").write_text("precious")

    with pytest.raises(ModelError, match=r"thesis/c\.jsonl cannot be read: Not a directory"):
        Cassette(tmp_path / "thesis" / "c.jsonl", "record")
