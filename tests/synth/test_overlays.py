"""`configs/overlays.yaml`: every surface of its mail can do the tasks, and the report compares them."""

from __future__ import annotations

from pathlib import Path

from harness import report
from harness.core.config_file import load
from harness.play.run import evaluate
from harness.wiring import wiring

CONFIG = Path(__file__).parents[2] / "configs" / "overlays.yaml"


def test_the_oracle_does_one_task_of_each_kind_of_mail_through_each_surface(tmp_path: Path) -> None:
    wired = wiring()
    suite = wired.suite("workbench-synth")
    chosen = {task.template: task.id for task in suite.tasks if any(call.app == "gmail" for call in task.solution)}
    config = load(CONFIG).model_copy(update={"tasks": tuple(chosen.values())})
    run = evaluate(config, suite, wired, tmp_path / "run")
    records = list(run.records())
    found = {table.title: table for table in report.tables(config, suite, report.ordered(records, config, suite))}
    published, brief, messages = found["Calibration: surfaces"].rows

    assert [row["condition"] for row in (published, brief, messages)] == ["published", "brief", "messages"]
    assert [(row["tasks"], row["accuracy %"], row["errors"]) for row in (published, brief, messages)] == [
        (len(chosen), 100.0, 0.0)
    ] * 3
    assert brief["definitions"] < published["definitions"] < messages["definitions"]
    assert {call.tool for record in records for call in record.trajectory.calls if call.app == "gmail"} == {
        "send_email", "forward_email", "delete_email", "reply_email",
    }  # fmt: skip
    assert [
        (row["difference"], row["gained"], row["lost"]) for row in found["Calibration: surfaces side by side"].rows
    ] == [(0.0, 0, 0)] * 2
