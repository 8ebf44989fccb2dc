"""Programs written against the service keep working: `blind.py` is one that is not part of this repository."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import anyio
import pytest

from tests.harness import toy
from tests.service.scenes import service

ROOT = Path(__file__).parents[2]
TOOL = ROOT.parent / "shared" / "tools" / "blind.py"


@pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not there: NOT TRIED")
def test_a_player_of_old_lists_tools_calls_and_is_scored(tmp_path: Path) -> None:
    async def scene() -> list[str]:
        async with service([toy.task(0, ask=True)]) as (_, _, client, *_):
            box = await client.create(suite="toy", task="toy-0", prompt="underspecified", ask="ask_user")
            info = box.info.model_dump(mode="json")
            shown = {name: info[name] for name in ("request", "system", "urls")}
            port = int(info["urls"]["projects"].split(":")[2].partition("/")[0])
            key = {"n": 1, "task": "toy-0", "id": info["id"], "token": info["control_token"], "port": port}
            (tmp_path / "play").mkdir()
            (tmp_path / "play" / "01.json").write_text(json.dumps(shown))
            (tmp_path / "key.json").write_text(json.dumps([key]))

            async def tool(verb: str, *arguments: str) -> str:
                command = [sys.executable, str(TOOL), verb, str(tmp_path), *arguments]
                return (await anyio.run_process(command, cwd=ROOT, stderr=None)).stdout.decode()

            moved = {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}
            return [
                await tool("tools", "1"),
                await tool("call", "1", "ask_user", "ask_user", json.dumps({"question": "Which list?"})),
                await tool("call", "1", "projects", "update_task", json.dumps(moved)),
                await tool("asked"),
                await tool("score"),
            ]

    tools, answer, moved, asked, score = anyio.run(scene)

    assert "REQUEST: Move job 0." in tools
    assert "projects update_task: " in tools
    assert answer == "OK In Progress\n"
    assert moved == "OK Task 00000000 updated.\n"
    assert json.loads(asked) == {
        "task": "toy-0", "text": "Which list?", "context": "", "answer": "In Progress", "targets": ["list"],
        "revealed": ["list"], "strategy": "", "candidates": [],
    }  # fmt: skip
    assert score.startswith("1 toy-0 outcome correct 1.0 ")
