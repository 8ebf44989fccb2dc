"""`harness fork`: take over a recorded trial at any step, in person or with another model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import JsonLines, Port, RunFolder
from harness.cli.saying import say

if TYPE_CHECKING:
    from harness.core.config import RunConfig
    from harness.core.suite import Suite
    from harness.core.trajectory import Trajectory
    from harness.play.stage import Stage
    from harness.record.store import Run

__all__ = ("fork",)


def fork(
    run: RunFolder,
    trial: Annotated[str, typer.Argument(metavar="TRIAL", help="The trial, by any unique part of its name.")],
    at: Annotated[int, typer.Option(min=0, help="Take over before the call of this number; the first is 0.")],
    agent: Annotated[str | None, typer.Option(help="Continue with this agent of the run, or one of this kind.")] = None,
    model: Annotated[str | None, typer.Option(help="Continue with this model, named as LiteLLM does.")] = None,
    condition: Annotated[str | None, typer.Option(help="Continue under this condition of the run.")] = None,
    output: Annotated[Path | None, typer.Option(help="Folder of the new run; by default below runs/.")] = None,
    port: Port = 0,
    json: JsonLines = False,
) -> None:
    """Rebuild a trial up to a step and go on from there. You may use a client, a model or another condition."""
    import anyio

    from harness.cli.finding import find_trial, opened
    from harness.play.stage import Stage
    from harness.record.belonging import check_belongs
    from harness.wiring import wiring

    found, suite = opened(run)
    name = find_trial(found, trial).removesuffix(".json")
    then = found.read(found.folder / "trials" / f"{name}.json").trajectory
    if agent is not None or model is not None or condition is not None:
        config = _changed(found, then, agent, model, condition)
        _go_on(config, suite, found, name, at, output, as_json=json)
        return
    check_belongs(then, found.head.config, suite, found.folder)
    anyio.run(_serve, Stage(found.head.config, suite, wiring()), then, at, found.changed(suite), port, json)


def _changed(run: Run, then: Trajectory, agent: str | None, model: str | None, condition: str | None) -> RunConfig:
    """The run's config with the one agent and the one condition that go on."""
    from harness.cli.problems import CallProblem
    from harness.core.near import near
    from harness.core.overrides import Overrides, overridden

    config = run.head.config
    chosen = condition or then.condition
    if chosen not in config.conditions:
        raise CallProblem(
            f"--condition {chosen}: the run has no such condition.{near(chosen, config.conditions)} "
            f"Known: {', '.join(config.conditions)}."
        )
    players = tuple(each for each in config.agents if agent is not None or each.name == then.agent)
    config = config.model_copy(update={"agents": players, "conditions": {chosen: config.conditions[chosen]}})
    config = overridden(run.folder / "run.json", config, Overrides(agent=agent, model=model))
    if len(config.agents) != 1:
        names = ", ".join(each.name for each in config.agents)
        raise CallProblem(f"--agent {agent}: several agents of the run are of that kind; name one of {names}")
    return config


def _go_on(
    config: RunConfig, suite: Suite, parent: Run, name: str, step: int, output: Path | None, *, as_json: bool
) -> None:
    from harness.cli import render, stories
    from harness.play.fork import go_on
    from harness.record.shape import shape
    from harness.wiring import check, wiring

    check(config, suite)
    (agent,), (condition,) = config.agents, config.conditions
    title = "".join(c if c.isalnum() or c in "-.+" else "-" for c in f"{agent.name}-{condition}")
    folder = output or Path("runs") / f"fork-{name.rpartition('-')[2]}-{step}-{title}"
    run = go_on(config, suite, wiring(), parent, name, step, folder)
    (record,) = run.records()
    if as_json:
        render.as_json_line({"run": str(folder), "record": shape(record)})
    else:
        say(f"{stories.of_trial(record)}\n\n{folder}")
    if record.trajectory.status == "void":
        say(f"the trial is void: {record.trajectory.reason}", err=True)
        if changed := parent.changed(suite):
            say(f"{parent.folder}: {changed}", err=True)
        raise typer.Exit(1)


async def _serve(stage: Stage, then: Trajectory, step: int, changed: str, port: int, as_json: bool) -> None:
    """Serve the sandbox as it was at a step until the person is done, then show what has changed."""
    from harness.cli import render, stories, waiting
    from harness.cli.terminal import Terminal
    from harness.play.fork import restored
    from harness.serving.offer import urls
    from harness.serving.person import Person

    terminal = Terminal.here()
    try:
        opened = await restored(stage, then, step, changed)
        sandbox = opened.sandbox
        sandbox.user = sandbox.user or Person(terminal)
        request = opened.request
        digest = sandbox.layer.digest()
        async with urls(sandbox, port, person=True) as found:
            if as_json:
                render.as_json_line({"step": step, "digest": digest, "request": request, "urls": found})
            else:
                say(
                    f"{step} of {len(then.steps)} calls made again, each with the recorded result; digest {digest[:12]}"
                )
                say(f"\nThe request:\n\n  {request}\n")
                waiting.show_entry(found)
                say("Press Enter when you are done.")
            await waiting.for_a_line(terminal)
        changes, digest = sandbox.layer.changes(), sandbox.layer.digest()
        if as_json:
            listed = [change.model_dump(mode="json") for change in changes]
            render.as_json_line({"calls": sandbox.steps - step, "changes": listed, "digest": digest})
        else:
            say(f"\nChanges since the task's start:\n{stories.of_changes(changes)}\n  digest {digest[:12]}")
        opened.close()
    finally:
        stage.engine.close()
        await stage.wiring.aclose()
