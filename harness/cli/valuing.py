"""`harness voi`: what each question of a run was worth, by playing its trials on from there on other terms."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.options import Json
from harness.cli.problems import CallProblem
from harness.cli.saying import say
from harness.cli.stopping import resumable
from harness.cli.typed import typed
from harness.core.counts import counted, dollars

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.core.suite import Suite
    from harness.play.branching.plan import Branch, Planned
    from harness.record.store import Run
    from harness.report.voi import Valuation

__all__ = ("voi",)

_PAGE = "voi.html"


class _Outcome(StrEnum):
    """What a trial is taken to be worth."""

    success = "success"
    ckpt = "ckpt"


class _Format(StrEnum):
    """How it is told."""

    terminal = "terminal"
    md = "md"


def voi(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder, which stays as it is.")],
    outcome: Annotated[
        _Outcome, typer.Option(help="success, or the share of expected changes made (ckpt).")
    ] = _Outcome.success,
    trials: Annotated[str, typer.Option(metavar="TEXT", help="Only trials whose name contains this.")] = "",
    agent: Annotated[str, typer.Option(help="Only this agent of the run.")] = "",
    continuations: Annotated[
        int, typer.Option(min=1, help="Continuations per branch; of an instrument's question one. A regret takes 2.")
    ] = 8,
    cost: Annotated[float, typer.Option(min=0, help="Cost of a question, as a fraction of the outcome.")] = 0.05,
    yes: Annotated[bool, typer.Option("--yes", help="Play everything that was announced.")] = False,
    max_trials: Annotated[
        int | None, typer.Option(min=1, help="Sample questions and tasks so that at most N continuations are played.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(min=0, help="Start no more once this many US dollars are spent.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sample that --max-trials draws.")] = 0,
    concurrency: Annotated[int, typer.Option(min=1, help="Continuations in flight.")] = 8,
    output: Annotated[Path | None, typer.Option(help="Folder of the branches; by default runs/voi-RUN.")] = None,
    full: Annotated[bool, typer.Option("--full", help="List each question with its answer and its worth.")] = False,
    format: Annotated[_Format, typer.Option(help="terminal, or md for Markdown.")] = _Format.terminal,
    json: Json = False,
) -> None:
    """Measure what each question of a run was worth. Trials are continued with and without its answer."""
    from harness.cli.finding import opened
    from harness.play.branching.plan import plan_branches
    from harness.play.branching.play import missing
    from harness.record.judgements import judged

    found, suite = opened(run)
    planned = plan_branches(
        found, suite, judged(found, suite, found.records()),
        continuations=continuations, agent=agent, trials=trials, max_trials=max_trials, seed=seed,
    )  # fmt: skip
    if not planned.branches:
        raise CallProblem(f"--max-trials {max_trials}: not even one question fits; it takes {_smallest(planned)}")
    folder = output or Path("runs") / f"voi-{run.resolve().name}"
    left = missing(planned, suite, folder)
    announced = _announced(planned, left)
    if left and not (yes or max_trials is not None or max_cost is not None):
        _only_announce(planned, left, announced, as_json=json)
        return
    say(announced, err=True)
    stopped = _play(planned, suite, folder, concurrency, max_cost) if left else ""
    _show(planned, suite, folder, str(outcome), cost, full=full, as_json=json, as_markdown=format is _Format.md)
    if left := missing(planned, suite, folder):
        why = stopped or ("--max-cost was reached" if max_cost is not None else "some are void")
        again = "the same command" if stopped or max_cost is None else "the same command with a higher --max-cost"
        say(f"{counted(len(left), 'continuation')} missing: {why}; {again} resumes {folder}", err=True)
        if max_cost is None or stopped:
            raise typer.Exit(1)


def _smallest(planned: Planned) -> str:
    return f"{3 * planned.continuations} at most, and its share of what there is"


def _announced(planned: Planned, left: Sequence[Branch]) -> str:
    """The budget, before anything is played."""
    from harness.play.branching.plan import FEWEST_TOLD

    there = len(planned.branches) - len(left)
    cost = planned.estimate(left)
    price = ", at a cost that is not known" if cost is None else f", at about {dollars(cost)}" if cost else ""
    tasks = f"{len(planned.cases)} of {planned.cases_there} tasks (for the regret)"
    if planned.continuations < FEWEST_TOLD:
        tasks = f"no task (a regret takes --continuations {FEWEST_TOLD} or more)"
    return (
        f"{len(planned.questions)} of {planned.questions_there} questions and {tasks}: {len(planned.branches):,} "
        f"continuations, {there:,} of them there already; {len(left):,} to be played{price}."
    )


def _only_announce(planned: Planned, left: Sequence[Branch], announced: str, *, as_json: bool) -> None:
    from harness.cli import render

    if as_json:
        render.as_json(
            {
                "questions": len(planned.questions),
                "tasks": len(planned.cases),
                "continuations": len(planned.branches),
                "missing": len(left),
                "cost_usd": planned.estimate(left),
            }
        )
        return
    say(announced)
    say("Nothing was played. Give --yes to play them, or set a limit: --max-trials N, --max-cost USD.")


def _play(planned: Planned, suite: Suite, folder: Path, concurrency: int, max_cost: float | None) -> str:
    """Play what is missing; why it stopped before the end, if it did."""
    from harness.cli.progress import Display
    from harness.play.branching.play import play_branches
    from harness.wiring import check, wiring

    check(planned.parent.head.config.model_copy(update={"agents": planned.agents}), suite)
    display = Display(what=("continuations", "failed", "void"), calibrating=True)
    with resumable(folder), display:
        play_branches(planned, suite, wiring(), folder, concurrency=concurrency, max_cost=max_cost, listener=display)
    return display.stopped


def _show(
    planned: Planned,
    suite: Suite,
    folder: Path,
    outcome: Any,
    cost: float,
    *,
    full: bool,
    as_json: bool,
    as_markdown: bool,
) -> None:
    from harness.cli import render
    from harness.record.judgements import judged
    from harness.record.store import Run
    from harness.report.voi import valued

    run = Run.open(folder)
    valuation = valued(planned, suite, judged(run, suite, run.records()), outcome, cost)
    _leave(run, valuation)
    if as_json:
        render.as_json(valuation.as_json() | {"run": str(folder)})
        return
    tables = valuation.tables(full=full)
    if as_markdown:
        say("\n".join([*valuation.sentences(), "", render.markdown(tables)]), nl=False)
        return
    render.terminal(tables)
    for sentence in valuation.sentences():
        say(sentence)
    say(f"\neach branch: {typed('view', folder)}")
    say(f"as a page:   {folder / _PAGE}" + ("" if full else "; each question: --full"))


def _leave(run: Run, valuation: Valuation) -> None:
    """Write the page into the folder of the branches."""
    from harness.report import page

    parent = valuation.planned.parent
    facts = {
        "run": str(parent.folder),
        "outcome": valuation.outcome,
        "cost of a question": f"{valuation.cost:g}",
        "in short": " ".join(valuation.sentences()) or "nothing is complete yet",
    }
    title = f"What questions were worth: {parent.head.config.name or parent.head.suite}"
    page.write(run.folder / _PAGE, page.page(title, [page.Part(title, facts, valuation.tables(full=True))]))
