"""`harness play`: a person does a task, in any MCP client, and is scored as an agent is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import Port
from harness.cli.saying import say

if TYPE_CHECKING:
    from harness.agents.person import PersonAgent
    from harness.core.config import RunConfig
    from harness.core.desk import Agent
    from harness.core.suite import Suite
    from harness.core.task import Task
    from harness.core.trajectory import ModelCall
    from harness.play.stage import Job
    from harness.record.store import TrialRecord

__all__ = ("play",)


def play(
    task: Annotated[str, typer.Argument(metavar="TASK", help="A task's id, or SUITE:TASK.")],
    prompt: Annotated[str | None, typer.Option(help="Which prompt variant to give; `original` if left out.")] = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="With a simulated user, who is asked as the suite has it.")
    ] = False,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Play under a condition of this experiment, such as configs/probe.yaml."),
    ] = None,
    condition: Annotated[
        str | None, typer.Option(metavar="NAME", help="With --config: which condition, where it has several.")
    ] = None,
    port: Port = 0,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line: sessions, then the record.")
    ] = False,
) -> None:
    """Do a task yourself. Connect a client, press Enter when done, and see the changes and the score."""
    import anyio

    from harness.agents.person import PersonAgent
    from harness.cli import render, stories, waiting
    from harness.cli.problems import CallProblem
    from harness.cli.terminal import Terminal
    from harness.record.shape import shape
    from harness.serving.person import Person

    if config is None:
        if condition is not None:
            raise CallProblem(f"--condition {condition}: say which config has it, with --config FILE")
        chosen, suite = _alone(task, prompt, ask=ask)
    elif prompt is not None or ask:
        given = "--ask" if ask else "--prompt"
        raise CallProblem(
            f"{given}: the condition of --config says which prompt is given and who is asked; leave it out"
        )
    else:
        chosen, suite = _of_config(task, config, condition)
    (under,) = chosen.conditions.values()
    answered = under.end_of_turn == "user"

    def show(request: str, system: str, urls: Mapping[str, str]) -> None:
        if json:
            render.as_json_line({"request": request, "system": system, "urls": dict(urls)})
            return
        say(f"{system}\n\nThe request:\n\n  {request}\n")
        waiting.show_entry(urls)
        if answered:
            say("Tell the user in one line what you have done, or ask; then press Enter. They may answer, and")
            say("you go on. An empty line ends the session, and nobody hears of it.")
        else:
            say("Press Enter when you are done. What you type before is what you say at the end.")

    def answer(text: str) -> None:
        if json:
            render.as_json_line({"answer": text})
        else:
            say(f"\nThe user:\n\n  {text}\n\nGo on; what you type next is said to them. An empty line ends it.")

    terminal = Terminal.here()
    person = PersonAgent(show, answer, lambda: waiting.for_a_line(terminal), port, Person(terminal))
    record = anyio.run(_play, suite, chosen, person)
    if json:
        render.as_json_line({"seconds": round(person.seconds, 1), "record": shape(record)})
    else:
        say(f"\n{stories.of_trial(record)}\n\nYou took {person.seconds:.0f} s.")
    if record.trajectory.status == "void":
        raise typer.Exit(1)


def _alone(wanted: str, prompt: str | None, *, ask: bool) -> tuple[RunConfig, Suite]:
    """A task by itself, with nobody to ask or with whom its suite has there. Raises `CallProblem`."""
    from harness.cli.finding import find_task
    from harness.cli.problems import CallProblem
    from harness.core.config import Condition, IdleConfig, RunConfig
    from harness.core.config_file import fitted

    suite, task = find_task(wanted)
    given, sessions = prompt or "original", [set(each.requests) for each in task.sessions if each.requests]
    if sessions and given not in (known := set.intersection(*sessions)):
        there = ", ".join(sorted(known))
        raise CallProblem(f"--prompt: task {task.id} has no prompt {given!r}; give one that it has: {there}")
    asking = suite.asking if ask else {}
    condition = fitted(Condition, {"prompt": given, **asking}, Path(f"suite {suite.name}: asking"))
    agents = (IdleConfig(kind="idle", name="person"),)
    config = RunConfig(suite=suite.name, agents=agents, conditions={"play": condition})
    return _one_trial(config, "play", task), suite


def _of_config(wanted: str, path: Path, name: str | None) -> tuple[RunConfig, Suite]:
    """A task under a condition of a config. Raises `CallProblem` and `ConfigProblem`."""
    from harness import wiring
    from harness.cli.problems import CallProblem
    from harness.core.config_file import load
    from harness.core.config_places import placed
    from harness.core.near import near
    from harness.core.overrides import Overrides

    config = load(path, Overrides(transport="memory"), agents=[{"kind": "idle", "name": "person"}])
    suite_name, _, id = wanted.rpartition(":")
    if suite_name not in ("", config.suite):
        raise CallProblem(f"{wanted}: {path} plays suite {config.suite}; give the id of one of its tasks")
    with placed(path):
        suite = wiring.suite(config.suite, config.scale)
    known = ", ".join(config.conditions)
    if name is None and len(config.conditions) > 1:
        raise CallProblem(f"--config {path}: it has several conditions; name one with --condition: {known}")
    name = name or next(iter(config.conditions))
    if name not in config.conditions:
        raise CallProblem(
            f"--condition {name}: {path} has no such condition.{near(name, config.conditions)} Known: {known}."
        )
    config = _one_trial(config, name, suite.task(id))
    with placed(path):
        wiring.check(config, suite)
    return config, suite


def _one_trial(config: RunConfig, condition: str, task: Task) -> RunConfig:
    """Of a config one task under one condition, without the limits of its trials."""
    from harness.core.config import Limits

    limits = Limits(turns=None, tool_calls=None, hand_overs=None, seconds=None)
    conditions = {condition: config.conditions[condition]}
    return config.model_copy(update={"conditions": conditions, "limits": limits, "tasks": (task.id,), "trials": 1})


async def _play(suite: Suite, config: RunConfig, person: PersonAgent) -> TrialRecord:
    """The one trial of a config, with a person for an agent."""
    from harness.agents.person import PersonLinks
    from harness.play.run import plan
    from harness.play.stage import Stage
    from harness.play.trial import play as play_trial
    from harness.wiring import Wired

    class Seated(Wired):
        def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
            return person

    (job,) = plan(config, suite).jobs
    stage = Stage(config, suite, Seated())
    try:
        async with person:
            record = await play_trial(stage, job, PersonLinks(person.person))
    finally:
        stage.engine.close()
        await stage.wiring.aclose()
    record.trajectory.transport = "http"  # as the person's client had it
    return record
