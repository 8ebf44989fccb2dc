"""All 690 tasks under an overlay: every tool has another name, and a parameter is gone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.core.config import RunConfig
from harness.play.run import evaluate
from harness.play.stage import toolsets_for
from harness.wiring import wiring


def test_the_oracle_ends_as_without_where_every_tool_is_renamed_and_a_parameter_hidden(tmp_path: Path) -> None:
    wired = wiring()
    suite = wired.suite("workbench-synth")
    apps = tuple(dict.fromkeys(app for task in suite.tasks for app in task.apps))
    plain = RunConfig.model_validate({"suite": suite.name, "agents": [{"kind": "oracle"}]}).conditions["default"]
    tools = {app: list(toolset.tools) for app, toolset in toolsets_for(suite, plain, apps).items()}
    overlays: dict[str, Any] = {
        app: {"rename": {name: f"{name[::-1]}_{number}" for number, name in enumerate(names)}}
        for app, names in tools.items()
    }
    overlays["gmail"]["hide"] = ["search_emails.date_max"]
    config = RunConfig.model_validate(
        {
            "suite": suite.name,
            "agents": [{"kind": "oracle"}],
            "conditions": {"plain": {}, "over": {"overlays": overlays}},
        }
    )
    run = evaluate(config, suite, wired, tmp_path / "run")
    ends: dict[str, dict[str, Any]] = {"plain": {}, "over": {}}
    for record in run.records():
        played = record.trajectory
        ends[played.condition][played.task] = (record.scores["outcome"].value, played.digest, played.calls)

    assert ends["over"] == ends["plain"]
    assert len(ends["over"]) == 690
    assert {value for value, *_ in ends["over"].values()} == {1.0}
