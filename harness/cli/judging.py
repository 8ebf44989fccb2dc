"""`harness judge`: a suite's questions put to models, or to a person by a form; the run scored with what they say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.options import Full, Json, Record, Replay, RunFolder
from harness.cli.problems import CallProblem
from harness.cli.saying import say
from harness.cli.stopping import resumable
from harness.core.counts import counted, dollars

if TYPE_CHECKING:
    from harness.core.config import LlmConfig
    from harness.core.judgement import Query
    from harness.core.suite import Suite
    from harness.judging.models import Judged
    from harness.models.cassette import Cassette
    from harness.record.store import Run

__all__ = ("judge",)


def judge(
    run: RunFolder,
    model: Annotated[list[str] | None, typer.Option(help="Who judges, named as LiteLLM does; repeatable.")] = None,
    settings: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings of the judges (YAML): temperature, api_base, price...")
    ] = None,
    votes: Annotated[int, typer.Option(min=1, max=99, help="Verdicts of each model on each question.")] = 1,
    sample: Annotated[int | None, typer.Option(min=1, help="Judge only N trials, drawn by --seed.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    compare: Annotated[
        bool, typer.Option("--compare", help="Ask also what rules decide, to see how far judges agree with them.")
    ] = False,
    concurrency: Annotated[int, typer.Option(min=1, help="Questions in flight.")] = 8,
    max_cost: Annotated[
        float | None, typer.Option(min=0, help="Stop asking once this many US dollars are spent.")
    ] = None,
    allow_unpriced: Annotated[
        bool, typer.Option("--allow-unpriced", help="With --max-cost: ask models without a known price.")
    ] = False,
    record: Record = None,
    replay: Replay = None,
    person: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A person's form, .csv or .jsonl: written, or read if it exists."),
    ] = None,
    full: Full = False,
    json: Json = False,
) -> None:
    """Have a run judged, and score it. Only missing verdicts are asked for, and all of them count."""
    from harness import report
    from harness.cli.finding import opened
    from harness.judging.queries import queries
    from harness.record.belonging import belonging

    if bool(model) == bool(person):
        raise CallProblem("who judges? Give --model M, once or several times, or --person FILE")
    if record and replay:
        raise CallProblem("--record and --replay cannot be used together")
    found, suite = opened(run)
    trials = report.ordered(belonging(found, suite), found.head.config, suite)
    asked = queries(suite, trials, sample=sample, seed=seed, compared=compare)
    if person:
        _by_form(found, suite, asked, person, full=full, as_json=json)
        return
    from harness.cli.progress import Display
    from harness.judging import models

    judges = models.configured(model or (), _settings(settings))
    cassette = _cassette(record, replay, judges)
    with resumable("it"), Display(what=("verdicts", "unreadable", "unanswered")) as display:
        went = models.judge(
            found, asked, judges, votes=votes, concurrency=concurrency, max_cost=max_cost,
            allow_unpriced=allow_unpriced, cassette=cassette, listener=display,
        )  # fmt: skip
    _show(found, suite, {"judging": went._asdict()}, _told(went), full=full, as_json=json)
    _stop_if_wanting(went)


def _by_form(found: Run, suite: Suite, asked: list[Query], path: Path, *, full: bool, as_json: bool) -> None:
    from harness.judging.form import read_form, write_form

    if path.exists():
        read = read_form(path, found, asked)
        told = f"{path}: {counted(read, 'answer')} read"
        _show(found, suite, {"judging": {"read": read}}, told, full=full, as_json=as_json)
        return
    written = write_form(path, found, asked)
    if as_json:
        from harness.cli import render

        render.as_json({"run": str(found.folder), "judging": {"written": written}})
    elif written:
        say(f"{path}: {counted(written, 'question')}; fill in `answer`, and the same command reads it")
    else:
        say(f"{path}: not written, since {path.stem} has answered everything")


def _show(found: Run, suite: Suite, more: dict[str, Any], told: str, *, full: bool, as_json: bool) -> None:
    """The run as it is scored with all verdicts on disk."""
    from harness.cli import render
    from harness.report.reading import Read

    render.show(Read.of(found, suite), told, full=full, in_json=as_json, more=more)


def _told(went: Judged) -> str:
    cost = "cost unknown" if went.cost_usd is None else f"{dollars(went.cost_usd)} in all"
    fresh = went.wanted - went.before - went.left - went.unanswered
    return f"{counted(went.wanted, 'verdict')}: {went.before:,} there already, {fresh:,} new; {cost}"


def _stop_if_wanting(went: Judged) -> None:
    """End with status 1 where verdicts are lacking, saying why."""
    if went.unreadable:
        verdicts = counted(went.wanted, "verdict")
        say(f"{went.unreadable:,} of {verdicts} could not be read in three tries: unscored", err=True)
    if went.unanswered:
        questions = counted(went.unanswered, "question")
        say(f"{questions} got no answer, and the same command asks again: {went.problem:.300}", err=True)
    if went.left:
        why = f"after {went.stopped}; the same command" if went.stopped else "at --max-cost; a higher one"
        say(f"{counted(went.left, 'question')} not asked, {why} goes on", err=True)
    if went.unreadable or went.unanswered or went.stopped:
        raise typer.Exit(1)


def _settings(path: Path | None) -> dict[str, Any]:
    from harness.core.yaml_file import parsed

    if path is None:
        return {}
    found = parsed(path).value
    if not isinstance(found, dict):
        raise CallProblem(f"--settings {path} holds no settings: write one a line, such as `temperature: 0.7`")
    return found


def _cassette(record: Path | None, replay: Path | None, judges: tuple[LlmConfig, ...]) -> Cassette | None:
    """The cassette, if any. Raises `ModelError` where a model is to be asked and cannot be."""
    from harness.models.cassette import Cassette
    from harness.models.llm import check

    if replay:
        return Cassette(replay, "replay")
    for config in judges:
        check(config)
    return Cassette(record, "record") if record else None
