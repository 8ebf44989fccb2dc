"""Published runs played again: every recorded call through our apps, the outcome scored under a release's rules.

A run becomes an ordinary trial record, so that whatever reads runs (`harness show`, `score`, `replay`,
`report`) reads these too. How the release carried out what it had written down is emulated here, not
in the apps: a call that does not parse, names no tool of its own or gives a tool an argument it does not have changes
nothing and the next one follows; its ids, which come back and can be overwritten, are kept beside ours
(`ids.Ids`); and where it wrote what our tables cannot hold, the call is put on record as such
(`profiles.UNHELD`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, Literal, NamedTuple

import anyio

from benchmarks.workbench.official.calls import CallProblem, Predicted, read_prediction
from benchmarks.workbench.official.expected import Bench
from benchmarks.workbench.official.ids import Ids
from benchmarks.workbench.official.importer import WORLD, folder_name, import_release
from benchmarks.workbench.official.names import APPS, TOOLSET
from benchmarks.workbench.official.predictions import (
    Chosen,
    Prediction,
    choose,
    joined,
    read_predictions,
    reply,
    snapshots,
)
from benchmarks.workbench.official.profiles import LEFT, PROFILES, UNHELD
from benchmarks.workbench.official.release import ImportProblem, find_layout, read_release
from benchmarks.workbench.official.suite import home, read_suite
from harness.core.config import Condition, Limits, LlmConfig, RunConfig
from harness.record.defaults import defaults_of
from harness.record.scores import scores
from harness.record.seeds import trial_seed
from harness.record.store import Run, RunHead, TrialRecord
from harness.serving.sandbox import Sandbox
from harness.suite import Suite
from harness.task import Task
from harness.trajectory import Request, SessionRecord, Trajectory
from servers.kernel import Failure, Rejected, Tool

__all__ = ("Rescored", "play", "rescore")

_OWN: Final = {"v1": "v1-2024", "v2": "v2-2026-07"}
"""Layout of a checkout -> the newest rules of its release."""


class Rescored(NamedTuple):
    """A model's published runs with our verdicts: `records` in task order, one per task.

    `profile` names the rules applied; `chosen` are the files they come from. `run` is on disk only where an
    output was asked for.
    `malformed` maps a task id to what is wrong with its row; such a trial is void.
    `note` says why `harness report` would not find the suite, or "".
    """

    suite: Suite
    run: Run
    records: Sequence[TrialRecord]
    profile: str
    chosen: Chosen
    malformed: Mapping[str, str]
    note: str = ""


def rescore(path: Path, *, model: str, mode: str, profile: str, output: Path | None = None) -> Rescored:
    """Score the newest results of a model and mode in the checkout at `path` under a profile, or its own rules.

    With `output` the run is written there, and the tasks imported where no version of them is yet.
    Raises `ImportProblem` for what is not there, not whole or does not fit, and `RunError` for an `output`
    that holds something else.
    """
    chosen = choose(path, model, mode)
    profile = profile or _OWN[find_layout(path).version]
    if profile not in PROFILES:
        listed = "; ".join(f"{each.name} ({each.description})" for each in PROFILES.values())
        raise ImportProblem(f"there is no profile {profile!r}. There are {listed}")
    suite, note = _suite(path, chosen, keep=output is not None)
    rows: dict[str, Prediction] = {}
    for domain, file in chosen.files.items():
        requests = {t.id: t.sessions[0].requests["original"] for t in suite.tasks if t.facts["domain"] == domain}
        rows |= joined(file, requests, read_predictions(file))
    run = Run(output or Path(), _head(suite, model, mode, profile))
    if output is not None:
        run = Run.create(output, run.head)
    with closing(Bench(suite.load_world(WORLD))) as bench:
        records = anyio.run(_play_all, bench, suite, rows, run, output is not None)
    malformed = {id: row.problem for id, row in rows.items() if row.calls is None}
    return Rescored(suite, run, records, profile, chosen, malformed, note)


def _suite(path: Path, chosen: Chosen, *, keep: bool) -> tuple[Suite, str]:
    """The tasks that the files were made with, and a note if a written run would not find them."""
    version, old = find_layout(path).version, snapshots(path, chosen.files)
    key = folder_name(read_release(path, old))
    pointer = home() / version
    newest = pointer.read_text(encoding="utf-8").strip() if pointer.is_file() else ""
    if keep and not newest and not old:
        return read_suite(import_release(path, home()).folder, version), ""
    note = ""
    if keep and key != newest:
        what = "older versions of the tasks" if old else "a checkout that is not the newest import"
        note = f"the run is of {what}: `harness report` will not find them" + (
            "" if old else f" until `harness import workbench {path}`"
        )
    if (home() / key).is_dir():
        return read_suite(home() / key, version), note
    with tempfile.TemporaryDirectory() as scratch:
        suite = read_suite(import_release(path, Path(scratch), old).folder, version)
        suite.load_world(WORLD)  # read now: it is kept, and the folder is not
    return suite, note


def _head(suite: Suite, model: str, mode: str, profile: str) -> RunHead:
    config = RunConfig(
        suite=suite.name,
        name=f"{model}, {mode}, re-scored under {profile}",
        limits=Limits(turns=None, tool_calls=None, seconds=None),
        agents=(LlmConfig(kind="llm", name=model, model=model),),
        conditions={f"{mode}/{profile}": Condition(tools="required" if mode == "domains" else "all")},
    )
    return RunHead.of(config, suite)


async def _play_all(
    bench: Bench, suite: Suite, rows: Mapping[str, Prediction], run: Run, keep: bool
) -> list[TrialRecord]:
    records = []
    for id, row in rows.items():
        task = suite.task(id)
        trajectory = await play(bench, task, row, run.head)
        if keep:
            trajectory.sessions[0].reply = reply(row.response)
        records.append(TrialRecord(trajectory=trajectory, scores=scores(suite.checks, task, trajectory)))
        if keep:
            run.write(records[-1])
    return records


async def play(bench: Bench, task: Task, row: Prediction, head: RunHead) -> Trajectory:
    """One published run of a task: its calls made in a fresh sandbox, one a turn, and what they did and left."""
    trajectory = _trajectory(task, row, head)
    ids = Ids(bench.ids, zero_filled=PROFILES[trajectory.condition.rpartition("/")[2]].zero_filled)
    with closing(bench.engine.layer(bench.base)) as layer:
        sandbox = Sandbox(layer, {name: app.toolset(TOOLSET) for name, app in bench.apps.items()})
        for turn, text in enumerate(row.calls or (), 1):
            sandbox.turn = turn
            try:
                await _call(bench, sandbox, ids, read_prediction(text))
            except CallProblem as problem:
                sandbox.record("", text.partition("(")[0][:60], {"raw": text}, "garbled", f"The call {problem}")
        if left := ids.left(layer, bench.apps):
            told = "Under the ids of the release, these tables differ from the world by these changes."
            sandbox.record("", LEFT, left, "ok", told)
        trajectory.world = bench.base.world.digest
        began = Request(session=0, now=layer.now.isoformat(), text=trajectory.sessions[0].request)
        trajectory.events = [began, *sandbox.events]
        trajectory.changes, trajectory.digest = layer.changes(), layer.digest()
        trajectory.defaults = defaults_of(trajectory.changes, sandbox.toolsets)
        session = trajectory.sessions[0]
        session.now, session.changes, session.digest = layer.now.isoformat(), trajectory.changes, trajectory.digest
    if broken := [call for call in trajectory.calls if call.status in ("defect", "fault")]:
        trajectory.status, trajectory.reason = "void", broken[0].text
    return trajectory


def _trajectory(task: Task, row: Prediction, head: RunHead) -> Trajectory:
    (agent,), (condition,) = head.config.agents, head.config.conditions
    status: Literal["finished", "limit", "crashed", "void"] = "finished"
    reason = row.error
    if row.calls is None:
        status, reason = "void", f"its row cannot be read: {row.problem}"
    elif row.error:
        status = "limit" if "limit" in row.error or row.error == "Context window exceeded" else "crashed"
    request = task.sessions[0].requests["original"]
    return Trajectory(
        suite=head.suite,
        task=task.id,
        task_hash=task.hash,
        agent=agent.name,
        condition=condition,
        trial=0,
        seed=trial_seed(0, task.id, condition, 0),
        prompt="original",
        status=status,
        reason=reason,
        sessions=[SessionRecord(request=request, now="")],
        package=head.package,
    )


async def _call(bench: Bench, sandbox: Sandbox, ids: Ids, call: Predicted) -> None:
    """Make one call with our ids. Where that is not word for word the call, the call itself goes on record before."""
    domain, _, name = call.tool.partition(".")
    if domain not in APPS:
        sandbox.record("", call.tool, call.arguments, "unknown", f"The release has no tool {call.tool!r}.")
        return
    tool = bench.apps[APPS[domain]].toolset(TOOLSET).tools.get(name)
    if tool is None:
        await sandbox.call(APPS[domain], name, call.arguments)
        return
    overwritten, given = ids.overwritten(tool, call.arguments), ids.translated(tool, call.arguments)
    if overwritten == "field":
        text = f"The release stored {call.arguments['field']!r} where our {tool.app} has no such field to change."
        sandbox.record("", call.tool, call.arguments, UNHELD, text)
    elif overwritten == "id":
        ids.overwrite(tool, call.arguments)
        sandbox.record("", call.tool, call.arguments, "ok", "The release gave the row this id; here it keeps its own.")
    elif ids.unnumbered(sandbox.layer, tool, given[0]):
        text = "The release failed here: it numbers a new row by the largest id, which is not a number."
        sandbox.record("", call.tool, call.arguments, "invalid", text)
    else:
        if given != [call.arguments]:
            sandbox.record("", call.tool, call.arguments, "ok", "The release's id is that of another row here.")
        for arguments in given:
            record = await sandbox.call(tool.app, name, _looked_at(sandbox, tool, arguments))
            ids.follow((write.app, write.id, write.values) for write in record.writes)


def _looked_at(sandbox: Sandbox, tool: Tool, arguments: Mapping[str, str]) -> Mapping[str, str]:
    """The arguments without bounds that are no times and that the release never came to read.

    It held events against `time_min`, then those left against `time_max`, and read a bound only where there were any.
    """
    if (tool.app, tool.name) != ("calendar", "search_events"):
        return arguments
    state = sandbox.layer.state(tool.owner)
    kept = {name: value for name, value in arguments.items() if name == "query"}
    try:
        tool.call(state, arguments)
    except Rejected:
        with suppress(Rejected):
            for bound in ("time_min", "time_max"):
                if not tool.call(state, kept).data["result"]:
                    return kept
                kept |= {bound: arguments[bound]} if bound in arguments else {}
    except Failure:
        return arguments
    return arguments
