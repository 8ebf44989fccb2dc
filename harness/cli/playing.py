"""`harness play`: a person does a task, in any MCP client, and is scored as an agent is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from harness.agents.person import PersonAgent
    from harness.core.desk import Agent
    from harness.core.suite import Suite
    from harness.core.task import Task
    from harness.core.trajectory import ModelCall
    from harness.play.stage import Job
    from harness.record.store import TrialRecord

__all__ = ("play",)


def play(
    task: Annotated[str, typer.Argument(metavar="TASK", help="A task's id, or SUITE:TASK.")],
    prompt: Annotated[str, typer.Option(help="Which prompt variant to give.")] = "original",
    ask: Annotated[bool, typer.Option("--ask", help="Offer a tool for asking the simulated user.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = 0,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line: sessions, then the record.")
    ] = False,
) -> None:
    """Do a task yourself. Connect a client, press Enter when done, and see the changes and the score."""
    import anyio

    from harness.agents.person import PersonAgent
    from harness.cli import render, stories, waiting
    from harness.cli.finding import find_task
    from harness.cli.terminal import Terminal
    from harness.record.shape import shape
    from harness.serving.person import Person

    suite, found = find_task(task)

    def show(request: str, system: str, urls: Mapping[str, str]) -> None:
        if json:
            render.as_json_line({"request": request, "system": system, "urls": dict(urls)})
            return
        typer.echo(f"{system}\n\nThe request:\n\n  {request}\n")
        waiting.show_entry(urls)
        typer.echo("Press Enter when you are done. What you type before is what you say at the end.")

    terminal = Terminal.here()
    person = PersonAgent(show, lambda: waiting.for_a_line(terminal), port, Person(terminal))
    record = anyio.run(_play, suite, found, person, prompt, ask)
    if json:
        render.as_json_line({"seconds": round(person.seconds, 1), "record": shape(record)})
    else:
        typer.echo(f"\n{stories.of_trial(record)}\n\nYou took {person.seconds:.0f} s.")
    if record.trajectory.status == "void":
        raise typer.Exit(1)


async def _play(suite: Suite, task: Task, person: PersonAgent, prompt: str, ask: bool) -> TrialRecord:
    """One trial without limits, with a person for an agent."""
    from harness.agents.person import PersonLinks
    from harness.core.config import Condition, IdleConfig, Limits, RunConfig
    from harness.play.run import plan
    from harness.play.stage import Stage
    from harness.play.trial import play as play_trial
    from harness.wiring import Wired

    class Seated(Wired):
        def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
            return person

    config = RunConfig(
        suite=suite.name,
        agents=(IdleConfig(kind="idle", name="person"),),
        conditions={"play": Condition(prompt=prompt, ask="ask_user" if ask else "off")},
        limits=Limits(turns=None, tool_calls=None, seconds=None),
        tasks=(task.id,),
    )
    (job,) = plan(config, suite).jobs
    stage = Stage(config, suite, Seated())
    try:
        record = await play_trial(stage, job, PersonLinks(person.person))
    finally:
        stage.engine.close()
    record.trajectory.transport = "http"  # as the person's client had it
    return record
